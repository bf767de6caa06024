"""A release: a folder of wheels, a `release.json` with their names and hashes, and its signature.

It is signed with ssh-keygen(1), `-Y sign`, because every Raspberry Pi OS has OpenSSH. A file of allowed signers lists
who may sign. pip installs from the folder alone, and only files with a signed hash. Releases are fetched from any web
server; a file with a wrong hash or signature is not kept. Standard library only.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import urllib.error
import urllib.request
from dataclasses import asdict, dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

MANIFEST: Final = "release.json"
SIGNATURE: Final = "release.json.sig"
SIGNERS_FILE: Final = "/etc/perudo/release-signers"
"""The keys whose releases this box accepts, in ssh-keygen's allowed_signers format."""

SIGNER: Final = "perudo"
"""The principal of the keys in that file."""
NAMESPACE: Final = "perudo-release"
"""The signature's namespace: the key's signatures for other purposes are not accepted."""
RELEASE_FORMAT: Final = 1
PROGRAM: Final = "perudo_companion"
"""The prefix of our own wheel's file name."""

FETCH_TIMEOUT: Final = 30.0
"""Seconds without a byte after which a download is abandoned."""
LARGEST_MANIFEST: Final = 2**20
"""Bytes."""

_NAME: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+_-]{0,99}")
_WHEEL: Final = re.compile(r"([A-Za-z0-9_.]+)-([A-Za-z0-9_.!+]+)(?:-\d[^-]*)?-[^-]+-[^-]+-[^-]+\.whl")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


class ReleaseError(ValueError):
    """A release cannot be read, or is not allowed here. The message says why, and what to do."""


@dataclass(frozen=True)
class Wheel:
    """One file of a release."""

    name: str
    sha256: str
    size: int
    """Bytes."""

    @property
    def requirement(self) -> str:
        """The line for pip's requirements that accepts exactly this file."""
        found = _WHEEL.fullmatch(self.name)
        assert found is not None, "checked when it was read"
        return f"{found[1].replace('_', '-')}=={found[2]} --hash=sha256:{self.sha256}"


@dataclass(frozen=True)
class Release:
    """The content of `release.json`."""

    name: str
    """Unique: version, day, commit."""
    version: str
    made: str
    """The time of the commit, ISO 8601, UTC. The later of two releases is the newer."""
    python: str
    """The Python version it is for, such as "3.13"."""
    machine: str
    """The machine it is for, such as "aarch64"."""
    notes: tuple[str, ...]
    """What is new, one or two sentences each."""
    wheels: tuple[Wheel, ...]

    def text(self) -> str:
        """The text of `release.json`."""
        return json.dumps({"format": RELEASE_FORMAT, **asdict(self)}, indent=1, ensure_ascii=False) + "\n"

    @property
    def program(self) -> Wheel:
        """Our own wheel."""
        return next(wheel for wheel in self.wheels if wheel.name.startswith(PROGRAM))


def parse_release(text: str) -> Release:
    """Parse a `release.json`. Raises `ReleaseError`."""
    try:
        found = json.loads(text)
        if found["format"] != RELEASE_FORMAT:
            raise ReleaseError("This release is in a newer format: update to a version between first.")
        wheels = tuple(Wheel(str(each["name"]), str(each["sha256"]), int(each["size"])) for each in found["wheels"])
        release = Release(
            **{name: str(found[name]) for name in ("name", "version", "made", "python", "machine")},
            notes=tuple(map(str, found["notes"])),
            wheels=wheels,
        )
    except (ValueError, LookupError, TypeError) as error:
        if isinstance(error, ReleaseError):
            raise
        raise ReleaseError(f"{MANIFEST} cannot be read: {type(error).__name__}. Fetch the release again.") from error
    odd = [each.name for each in wheels if not (_WHEEL.fullmatch(each.name) and _SHA256.fullmatch(each.sha256))]
    if odd or not _NAME.fullmatch(release.name) or not any(each.name.startswith(PROGRAM) for each in wheels):
        raise ReleaseError(f"{MANIFEST} names no proper release{f': {odd[0]!r}' if odd else ''}. Fetch it again.")
    return release


def read_release(folder: Path, signers: Path) -> Release:
    """The release in `folder`, after checking its signature and every file's hash. Raises `ReleaseError`."""
    release = read_signed(folder, signers)
    for wheel in release.wheels:
        check_wheel(folder / wheel.name, wheel)
    return release


def read_signed(folder: Path, signers: Path) -> Release:
    """The release in `folder`, after checking its manifest's signature only. Raises `ReleaseError`."""
    try:
        manifest = (folder / MANIFEST).read_bytes()
    except OSError as error:
        raise ReleaseError(f"There is no release in {folder}: {MANIFEST}: {error.strerror}.") from error
    check_signature(manifest, folder / SIGNATURE, signers)
    return parse_release(manifest.decode("utf-8", "replace"))


def check_signature(manifest: bytes, signature: Path, signers: Path) -> None:
    """Raise `ReleaseError` unless one of `signers` signed `manifest`."""
    if not signers.is_file():
        raise ReleaseError(f"This box knows nobody who may sign a release: there is no {signers}.")
    command = ["ssh-keygen", "-Y", "verify", "-f", str(signers), "-I", SIGNER, "-n", NAMESPACE, "-s", str(signature)]
    try:
        done = subprocess.run(command, input=manifest, capture_output=True, check=False)
    except OSError as error:
        raise ReleaseError(f"ssh-keygen, which checks signatures, does not start: {error.strerror}.") from error
    if done.returncode != 0:
        said = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()
        raise ReleaseError(
            f"The release is not signed by anybody whose releases this box takes ({said[-1] if said else 'no reason'})."
        )


def wheel_of(path: Path) -> Wheel:
    """The `Wheel` of a file: its name, hash and size. Raises `OSError`."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return Wheel(path.name, digest.hexdigest(), path.stat().st_size)


def check_wheel(path: Path, wheel: Wheel) -> None:
    """Raise `ReleaseError` unless the file's hash is the signed one."""
    try:
        found = wheel_of(path)
    except OSError as error:
        raise ReleaseError(f"{path} cannot be read: {error.strerror}. Fetch the release again.") from error
    if found.sha256 != wheel.sha256:
        raise ReleaseError(f"{path} is not the file that was signed. Fetch the release again.")


def sign(manifest: Path, key: Path) -> None:
    """Sign `manifest` with the private key `key`; the signature is written beside it. Raises `ReleaseError`."""
    signature = manifest.with_name(SIGNATURE)
    signature.unlink(missing_ok=True)
    done = subprocess.run(
        ["ssh-keygen", "-q", "-Y", "sign", "-f", str(key), "-n", NAMESPACE, str(manifest)],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode != 0 or not signature.is_file():
        raise ReleaseError(f"{key} could not sign: {done.stderr.strip() or 'ssh-keygen gave no reason'}.")


def signers_text(public_key: str) -> str:
    """The line for `SIGNERS_FILE` that makes a box accept releases signed with a key (`ssh-ed25519 AAAA...`)."""
    kind, key = public_key.split()[:2]
    return f'{SIGNER} namespaces="{NAMESPACE}" {kind} {key}\n'


def fetch_manifest(address: str, folder: Path, signers: Path) -> Release:
    """Fetch the manifest and the signature at `address` into `folder`; the wheels are not fetched.

    Raises `ReleaseError`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in (MANIFEST, SIGNATURE):
        _get(address, name, folder, LARGEST_MANIFEST)
    return read_signed(folder, signers)


def fetch_wheels(address: str, folder: Path, release: Release) -> None:
    """Fetch the wheels of `release` into `folder`, except those that are already there.

    Raises `ReleaseError`.
    """
    for wheel in release.wheels:
        path = folder / wheel.name
        if path.is_file() and path.stat().st_size == wheel.size:
            try:
                check_wheel(path, wheel)
            except ReleaseError:
                path.unlink()
            else:
                continue
        _get(address, wheel.name, folder, wheel.size)
        check_wheel(path, wheel)


def _get(address: str, name: str, folder: Path, most: int) -> None:
    try:
        scheme = urlsplit(address).scheme
    except ValueError:  # for example http://[
        scheme = ""
    if scheme not in ("http", "https"):
        raise ReleaseError(f"{address} is no address of releases: it begins with https:// or http://.")
    url = f"{address.rstrip('/')}/{name}"
    draft = folder / f"{name}.part"
    try:
        with urllib.request.urlopen(url, timeout=FETCH_TIMEOUT) as answer, draft.open("wb") as file:
            left = most
            while piece := answer.read(min(1 << 20, left + 1)):
                left -= len(piece)
                if left < 0:
                    raise ReleaseError(f"{url} is larger than it may be: the release is not taken.")
                file.write(piece)
        draft.replace(folder / name)
    except (OSError, HTTPException, ValueError) as error:  # ValueError: no host, or characters that no host has
        reason = getattr(error, "reason", None) or error
        raise ReleaseError(f"{url} cannot be fetched ({reason}). Is the box on the internet?") from error
    finally:
        draft.unlink(missing_ok=True)
