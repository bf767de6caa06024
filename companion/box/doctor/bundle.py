"""The zip for a bug report: the diagnoses, what is installed, the configuration and the log, without secrets."""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import os
import platform
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Final

from calibration.atomic_write import check_plain
from companion.box.doctor import Diagnosis
from companion.box.doctor.configuration import config_file_in_use
from companion.box.doctor.machine import command_output
from companion.box.installation import PROGRAM_FOLDER
from companion.box.service import NAME, UNIT_FILE
from companion.config import AccessConfig
from companion.config.secrets import without_secrets
from companion.messages.shown_address import without_addresses
from companion.state_folder import KEYS_FILE, as_owner_of

LOG_LINES: Final = 1000
"""How many of the log's last lines are in the bundle."""
NO_LOG: Final = "There is no log here of a service; what `perudo run` wrote on the screen is not kept.\n"
SECRET_VARIABLES: Final = ("PERUDO_ACCESS_CODE", "PERUDO_BROKER", "PERUDO_DATABASE")
LAST_PICTURES: Final = 10
"""How many of the last pictures are in the bundle."""


class BundleError(RuntimeError):
    """The bundle cannot be written. The message says why."""


def write(file: Path, checks: Sequence[Diagnosis], state: Path, *, games: bool, pictures: bool) -> list[str]:
    """Write the zip, readable by its owner only, and return the names of the files in it. Raises `BundleError`."""
    packed: dict[str, str | bytes] = {**texts(checks, state)}
    if games:
        packed |= last_game(state)
    if pictures:
        packed |= last_pictures(state)
    try:
        check_plain(file)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
            os.fchmod(out.fileno(), 0o600)  # the file may have existed
            _give_to_user(out.fileno())
            pack(out, packed)
    except OSError as error:
        raise BundleError(f"{file} cannot be written: {error.strerror or error}.") from error
    return list(packed)


def texts(checks: Sequence[Diagnosis], state: Path, recent: Sequence[str] = ()) -> dict[str, str]:
    """The bundle's text files by name, without secrets. `recent`: log lines to use where the journal cannot be read."""
    secrets = secrets_of(state)
    with as_owner_of(state):
        files = list(listing(state))
    found = {
        "doctor.txt": "".join(f"{check}\n" for check in checks),
        "versions.txt": "".join(f"{line}\n" for line in versions()),
        "config.toml": _settings(),
        "environment.txt": "".join(f"{name}={value}\n" for name, value in sorted(environment().items())),
        "log.txt": log() or "".join(f"{line}\n" for line in recent) or NO_LOG,
        "service.txt": _read(Path(UNIT_FILE)) or "not installed\n",
        "state.txt": "".join(f"{line}\n" for line in files),
    }
    return {name: redact(text, secrets) for name, text in found.items()}


def _settings() -> str:
    """The configuration without its secrets. If it has a mistake, every line with an address is left out."""
    text = _read(config_file_in_use())
    if not text:
        return "# none\n"
    lines = (line for line in text.split("\n") if "://" not in line)
    return without_secrets(text) or without_addresses("\n".join(lines))


def pack(file: IO[bytes], packed: Mapping[str, str | bytes]) -> None:
    """Write the zip. Raises `OSError`."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, content in packed.items():
            bundle.writestr(name, content)


def _give_to_user(file: int) -> None:
    """Under sudo, make the user who typed the command the owner of a file descriptor's file."""
    uid, gid = os.environ.get("SUDO_UID", ""), os.environ.get("SUDO_GID", "")
    if os.geteuid() == 0 and uid.isdecimal() and gid.isdecimal():
        os.fchown(file, int(uid), int(gid))


def secrets_of(state: Path) -> set[str]:
    """All secrets that can be read: the table's code, its invitation, the key of its cookies, a club's passwords."""
    found = {word for name in SECRET_VARIABLES for word in os.environ.get(name, "").split()}
    with contextlib.suppress(OSError, ValueError, LookupError, TypeError), as_owner_of(state):
        keys = json.loads((state / KEYS_FILE).read_text(encoding="utf-8"))
        found |= {str(keys["code"]), str(keys["secret"]), str(keys.get("invitation", ""))}
    # Read from the text, because the report shows a code even in a faulty configuration.
    for value in re.findall(r"(?i)code\b[\"']?\s*=\s*(.*)", _read(config_file_in_use()) or ""):
        found |= set(re.findall(r"\w{3,}", value.partition("#")[0]))
    return found - {AccessConfig().code}


def environment() -> dict[str, str]:
    """The environment variables that the program reads."""
    return {
        name: value
        for name, value in os.environ.items()
        if name.startswith("PERUDO_") or name in ("STATE_DIRECTORY", "PYTHONPATH", "GPIOZERO_PIN_FACTORY", "LG_WD")
    }


def versions() -> Iterator[str]:
    """The system, the machine, the program's commit, and every Python package."""
    yield f"{platform.platform()}, Python {platform.python_version()}"
    system = _read(Path("/etc/os-release")) or ""
    yield next((line for line in system.splitlines() if line.startswith("PRETTY_NAME=")), "PRETTY_NAME=unknown")
    yield (_read(Path("/proc/device-tree/model")) or "not a Raspberry Pi").strip("\0\n")
    yield f"commit {commit()}"
    yield ""
    found = {f"{each.metadata['Name']}=={each.version}" for each in importlib.metadata.distributions()}
    yield from sorted(found, key=str.lower)


def commit() -> str:
    """The commit that the program runs from, marked "-dirty" if files have changed since."""
    output = command_output("git", "-C", str(PROGRAM_FOLDER), "describe", "--always", "--dirty")
    return (output or "unknown").strip()


def log() -> str:
    """The last lines of the service's log, without the machine's name; empty if there is none."""
    found = command_output(
        "journalctl", f"--unit={NAME}", f"--lines={LOG_LINES}", "--output=short-iso", "--no-hostname", "--no-pager"
    )
    if found is None or found.startswith("-- No entries"):
        return ""
    return found


def listing(state: Path) -> Iterator[str]:
    """The names and sizes of the files in the state folder."""
    try:
        found = sorted(each for each in state.rglob("*") if each.is_file())
    except OSError as error:
        yield f"{state}: {error.strerror}"
        return
    yield f"{state}: {len(found)} files"
    for each in found[:LOG_LINES]:
        with contextlib.suppress(OSError):
            yield f"{each.stat().st_size:>12} {each.relative_to(state)}"


def last_game(state: Path) -> dict[str, str]:
    """The record of the last game: file names and texts."""
    from companion.table.errors import TableError
    from companion.table.journal.saved_games import saved_games

    damage: list[str] = []  # already reported in doctor.txt
    try:
        with as_owner_of(state):
            games = [each for each in saved_games(state, damage.append) if each.name is None]
    except (TableError, OSError) as error:
        return {"game.txt": f"The games cannot be read: {error}\n"}
    if not games:
        return {"game.txt": "Nobody has played yet.\n"}
    return {
        f"game-{games[-1].key}-part-{number}.jsonl": "".join(f"{line}\n" for line in part)
        for number, part in enumerate(games[-1].game.record, 1)
    }


def last_pictures(state: Path) -> dict[str, bytes]:
    """The last judged pictures that can be read, oldest first: file names and contents."""
    found = [each for each in (state / "pictures").glob("*.jpg") if each.stem.isdecimal()]
    contents = {}
    for each in sorted(found, key=lambda each: int(each.stem))[-LAST_PICTURES:]:
        with contextlib.suppress(OSError), as_owner_of(state):
            contents[f"pictures/{each.name}"] = each.read_bytes()
    return contents


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None


REMOVED: Final = "(removed)"
"""Replaces a secret. No secret can contain it, so redacting twice changes nothing."""

_VALUE: Final = r"(?:\"{3}[\s\S]*?\"{3}|'{3}[\s\S]*?'{3}|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|(?:Bearer\s+)?[^\s,}\]]+)"

_KEYED: Final = re.compile(
    r"(?P<key>[\w.-]*(?:code|secret|token|passw(?:or)?d|passphrase|psk|ssid|csrf|cookie|authorization|perudo_phone_\d+)"
    rf"[\w.-]*[\"']?\s*[=:]\s*){_VALUE}",
    re.IGNORECASE,
)
"""A word that names a secret, an equals sign or a colon, and the value."""

_NAMED: Final = re.compile(
    rf"(?P<key>\b(?:ssid|psk|passphrase|password|bearer)\s+|\bcode\b\W{{0,3}}(?:is\W+)?(?=\d{{4}}\b)){_VALUE}",
    re.IGNORECASE,
)
"""A word that names a secret, and the value after it, in a sentence."""

_INVITED: Final = re.compile(r"([#?])join=\w+")
_DRAWN: Final = re.compile(r"^.*[█▀▄].*\n?", re.MULTILINE)
"""A line of a QR code, which contains the code."""
_LONG: Final = re.compile(r"\b[0-9a-fA-F]{32,}\b|\b[\w-]{20,}\.[\w-]{6,}\.[\w-]{20,}\b")
"""A key in hexadecimal, or a signed token."""


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """`text` without these `secrets` or anything that looks like one."""
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", REMOVED, text)
    text = _DRAWN.sub("", text)
    text = without_addresses(text, f"/{REMOVED}")
    text = _INVITED.sub(rf"\1join={REMOVED}", text)
    for pattern in (_KEYED, _NAMED):
        text = pattern.sub(lambda found: f"{found['key']}{REMOVED}", text)
    return _LONG.sub(REMOVED, text)
