"""The box and a club's hub as systemd services: how they are installed, and removed without a trace.

`files/box` and `files/club` are laid out like the machine's root. In them @name@ is replaced by a value, and a line
whose value is None is left out. A receipt beside the configuration lists what was installed, so that exactly that is
removed.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from calibration.atomic_write import write_atomically
from companion.box.first_start_report import FIRST_START_DONE
from companion.box.installation import PACKAGES, PROGRAM_FOLDER, Installation, InstallError
from companion.box.release.release import SIGNERS_FILE
from companion.box.release.versions import PLACE

NAME: Final = "perudo"
"""The name of the service, its user, and its folders under /etc and /var/lib."""
CONFIG_FILE: Final = "/etc/perudo/perudo.toml"
RECEIPT_FILE: Final = "/etc/perudo/installed.json"
STATE: Final = "/var/lib/perudo"
UNIT_FILE: Final = "/etc/systemd/system/perudo.service"
COMMAND_FILE: Final = "/usr/local/bin/perudo"
"""Where the command is installed, for every user and for sudo."""
DEVICE_GROUPS: Final = ("video", "gpio", "input", "spi", "i2c")
"""The groups to which Raspberry Pi OS gives the camera, the panel (pins or keys) and its display."""

CLUB: Final = "perudo-club"
CLUB_UNIT_FILE: Final = "/etc/systemd/system/perudo-club.service"
CLUB_ENVIRONMENT_FILE: Final = "/etc/default/perudo-club"
CLUB_STATE: Final = "/var/lib/perudo-club"
"""A link to the state folder that systemd keeps for a dynamic user."""
SECRET_OPTIONS: Final = {"--broker": "PERUDO_BROKER", "--database": "PERUDO_DATABASE"}
"""Options of `perudo club` that may contain a password -> their environment variables. Every user can read a command
line, and a unit's settings.
"""

OF_A_CARD: Final = (
    "/etc/systemd/system/multi-user.target.wants/perudo-first-start.service",
    "/etc/systemd/system/perudo-first-start.service",
    FIRST_START_DONE,
    SIGNERS_FILE,
)
"""What a card's first start leaves behind, apart from the program's versions."""
FILES: Final = Path(__file__).with_name("files")
"""The files copied to a machine's root: for a box, for a club's hub, and for a card's first start."""
_PATH_UNIT: Final = "perudo-caretaker.path"
_ESCAPES: Final = str.maketrans({each: f"\\{each}" for each in '\\"$`'})
"""Characters with a special meaning in double quotes, in the shell and in systemd's EnvironmentFile=."""


def run_command(command: Sequence[str]) -> tuple[int, str]:
    """Run a command: its exit status and output. Raises `OSError` if the command does not exist."""
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return done.returncode, done.stdout


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine to install on."""

    root: Path = Path("/")
    run: Callable[[Sequence[str]], tuple[int, str]] = run_command

    def at(self, path: str) -> Path:
        """The real location of a path on the machine."""
        return self.root / path.lstrip("/")

    def has_user(self, name: str) -> bool:
        return self.run(("getent", "passwd", name))[0] == 0

    def groups(self) -> Mapping[str, Sequence[str]]:
        """Every group with its members."""
        lines = (line.split(":") for line in self.run(("getent", "group"))[1].splitlines())
        return {fields[0]: fields[-1].split(",") for fields in lines}


@dataclass(frozen=True, slots=True)
class Step:
    """A command that can safely run twice or, with `file`, a text to write."""

    purpose: str
    """In a few words."""
    command: tuple[str, ...] = ()
    done: Callable[[], bool] = lambda: False
    """True if the step is already done."""
    may_fail: bool = False
    """True if the later steps are carried out even when this one fails."""
    file: Path | None = None
    text: str = ""
    mode: int = 0o644

    @property
    def detail(self) -> str:
        """What it runs or writes."""
        return f"{self.file} (mode {self.mode:o}):\n{self.text}" if self.file else shlex.join(self.command)


def carry_out(steps: Iterable[Step], machine: Machine, tell: Callable[[str], None]) -> None:
    """Carry out the steps in order, and report each.

    Raises `InstallError` at the first that fails; called again, it goes on from there.
    """
    for step in steps:
        if step.done():
            tell(f"already so: {step.purpose}")
            continue
        status, output = 0, ""
        try:
            if step.file is None:
                status, output = machine.run(step.command)
            else:
                step.file.parent.mkdir(parents=True, exist_ok=True)
                write_atomically(step.file, step.text.encode(), step.mode)
                step.file.chmod(step.mode)  # regardless of the umask
        except OSError as error:
            raise InstallError(f"Could not {step.purpose}: {error}. The same command goes on from here.") from error
        if status and not step.may_fail:
            raise InstallError(f"`{step.detail}` failed (exit status {status}). It said:\n{output.strip()}")
        tell(f"done: {step.purpose}")


def describe_steps(steps: Sequence[Step]) -> str:
    """The steps as text: what each writes or runs."""
    parts = []
    for number, step in enumerate(steps, 1):
        body = "\n".join(f"    {line}".rstrip() for line in step.detail.splitlines())
        parts.append(f"{number}. {step.purpose[0].upper()}{step.purpose[1:]}.\n{body}\n")
    return "\n".join(parts)


def _written(machine: Machine, path: str, text: str, mode: int = 0o644) -> Step:
    file = machine.at(path)
    return Step(
        f"write {path}",
        done=lambda: file.is_file() and file.read_text(encoding="utf-8") == text,
        file=file,
        text=text,
        mode=mode,
    )


def _removed(machine: Machine, path: str) -> Step:
    file = machine.at(path)
    # On a read-only card some folders are mount points, which stay.
    command = ("find", str(file), "-mindepth", "1", "-delete") if file.is_mount() else ("rm", "-r", str(file))
    return Step(f"remove {path}", command, done=lambda: not os.path.lexists(file))


def _systemctl(purpose: str, *arguments: str) -> Step:
    return Step(purpose, ("systemctl", *arguments))


_RELOAD: Final = _systemctl("have systemd read its units", "daemon-reload")


def _copied(of: str, machine: Machine, place: Installation, **values: str | None) -> dict[str, str]:
    """The files in `files/OF`, "box" or "club": path on the machine -> text.

    Files for a program that is not installed, that has no folder under /etc, are left out.
    """
    at_home = " ".join(map(_quoted, place.at_home))
    homes = "tmpfs" if at_home else "yes"
    values |= {"program": _quoted(place.program), "homes": homes, "at_home": at_home or None}
    found = {}
    for file in sorted((FILES / of).rglob("*")):
        path = Path("/", file.relative_to(FILES / of))
        if file.is_file() and machine.at(str(Path(*path.parts[:3]))).is_dir():
            lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
            for name, value in values.items():
                if value is None:
                    lines = [line for line in lines if f"@{name}@" not in line]
                else:
                    lines = [line.replace(f"@{name}@", value) for line in lines]
            found[str(path)] = "".join(lines)
    return found


def _quoted(path: Path) -> str:
    """Quote a path for systemd.syntax(7). `check_installation` allows no special character except the space."""
    return f'"{path}"' if " " in str(path) else str(path)


# The box


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was installed. Older versions of the program also read it, when a box returns to one."""

    user: str
    """The user the service runs as."""
    made_user: bool
    """True if the installation created that user."""
    joined: tuple[str, ...]
    """The groups that user was added to."""
    files: tuple[str, ...]
    port: int | None = None
    """The value of --port."""

    def text(self) -> str:
        """The text of the receipt's file."""
        return json.dumps(asdict(self), indent=1) + "\n"


def is_installed() -> bool:
    """True if the box's service is installed on this machine."""
    return Path(RECEIPT_FILE).exists()


def read_receipt(machine: Machine) -> Receipt | None:
    """The receipt of an earlier installation; None if there is none. Raises `InstallError`."""
    try:
        found = json.loads(machine.at(RECEIPT_FILE).read_text(encoding="utf-8"))
        joined, files = tuple(found["joined"]), tuple(found["files"])
        return Receipt(found["user"], found["made_user"], joined, files, found.get("port"))
    except FileNotFoundError:
        return None
    except (ValueError, LookupError, TypeError) as error:
        raise InstallError(
            f"{RECEIPT_FILE}, which says what was installed, cannot be read ({error}). By hand: systemctl "
            f"disable --now {NAME}; rm {UNIT_FILE} {COMMAND_FILE} {RECEIPT_FILE}; userdel {NAME}."
        ) from error


def box_install_steps(
    machine: Machine, place: Installation, *, port: int | None, page_port: int, low_port: bool, config: str
) -> list[Step]:
    """The steps that install the box. Run again, they only restart the service.

    port: the value of --port, which takes precedence over the configuration. page_port: the port that Avahi announces.
    low_port: True if one of the page's ports needs a capability. config: the text written if there is no configuration.
    Raises `InstallError`.
    """
    before = read_receipt(machine) or Receipt(NAME, False, (), ())
    _check_command(machine, before, place.program)
    members = machine.groups()
    groups = [group for group in DEVICE_GROUPS if group in members]
    new_user = not machine.has_user(NAME)
    files = _copied(
        "box",
        machine,
        place,
        python=_quoted(place.program.with_name("python")),
        port=None if port is None else str(port),
        page_port=str(page_port),
        capability="CAP_NET_BIND_SERVICE" if low_port else "",
    )
    joined = dict.fromkeys((*before.joined, *(group for group in groups if NAME not in members[group])))
    receipt = Receipt(NAME, before.made_user or new_user, tuple(joined), (COMMAND_FILE, *files), port)
    kept, command = machine.at(CONFIG_FILE), machine.at(COMMAND_FILE)
    user = ("--system", "--user-group", "--no-create-home", "--home-dir", STATE, "--shell", "/usr/sbin/nologin", NAME)
    join_groups = Step(
        f"put {NAME} in the groups {', '.join(groups)}", ("usermod", "--append", "--groups", ",".join(groups), NAME)
    )
    return [
        # First, so that an interrupted installation can be removed.
        _written(machine, RECEIPT_FILE, receipt.text()),
        Step(f"make the user {NAME}, who cannot log in", ("useradd", *user), lambda: not new_user),
        *([join_groups] if groups else []),
        Step(f"write {CONFIG_FILE}, if there is none yet", (), kept.exists, file=kept, text=config, mode=0o640),
        # It contains the table's code: the service may read it, but not everybody.
        Step(f"let {NAME} read the configuration", ("chown", f"root:{NAME}", str(kept))),
        Step("and nobody else", ("chmod", "u=rw,g=r,o=", str(kept))),
        *(_written(machine, path, text) for path, text in files.items()),
        *(_removed(machine, path) for path in before.files if path not in receipt.files),  # from an older version
        Step(
            f"make {COMMAND_FILE} the command",
            ("ln", "-sfn", str(place.program), str(command)),
            lambda: command.is_symlink() and command.readlink() == place.program,
        ),
        # The service may not write to the program's folder, so Python would otherwise compile at every start.
        Step(
            "compile the program, for a quicker start",
            (sys.executable, "-m", "compileall", "-q", *(str(PROGRAM_FOLDER / name) for name in PACKAGES)),
        ),
        _RELOAD,
        _systemctl("start the service at every boot", "enable", f"{NAME}.service"),
        _systemctl("carry out what the page asks of root", "enable", "--now", _PATH_UNIT),
        _systemctl("start it now", "restart", f"{NAME}.service"),
    ]


def _check_command(machine: Machine, before: Receipt, program: Path) -> None:
    """Raise `InstallError` if something else occupies the command's path."""
    file = machine.at(COMMAND_FILE)
    target = file.readlink() if file.is_symlink() else None
    ours = target is not None and (target == program or COMMAND_FILE in before.files)
    if os.path.lexists(file) and not ours:
        what = "another file" if target is None else f"a link to {target}"
        raise InstallError(
            f"{COMMAND_FILE} is {what}, and stays as it is. Move it away (sudo mv {COMMAND_FILE} {COMMAND_FILE}.old), "
            "then type the same command again."
        )


def box_removal_steps(machine: Machine, receipt: Receipt, *, purge: bool) -> list[Step]:
    """The steps that remove all that the receipt lists and, with `purge`, the games and the configuration."""
    unit, command, user = machine.at(UNIT_FILE), machine.at(COMMAND_FILE), receipt.user
    has_user = machine.has_user(user)
    steps = [
        Step(
            "stop the service, now and at every boot",
            ("systemctl", "disable", "--now", f"{NAME}.service", _PATH_UNIT),
            lambda: not unit.exists(),
        ),
        # A file that has replaced the link since is not ours.
        *(_removed(machine, path) for path in receipt.files if path != COMMAND_FILE or command.is_symlink()),
        _RELOAD,
        Step("have systemd forget how it failed", ("systemctl", "reset-failed", f"{NAME}.service"), may_fail=True),
    ]
    if not purge:
        # The system may reuse a removed user's id.
        kept = (str(machine.at(STATE)), str(machine.at(CONFIG_FILE)))
        owner = ("chown", "--recursive", "--no-dereference", "root:root", *kept)
        steps.append(Step(f"give {STATE}, which stays, to root", owner, may_fail=True))
    if receipt.made_user:
        steps.append(Step(f"remove the user {user}", ("userdel", user), lambda: not has_user))
    else:
        steps += [
            Step(f"take {user} out of the group {group}", ("gpasswd", "--delete", user, group), may_fail=True)
            for group in receipt.joined
        ]
    return [*steps, _removed(machine, RECEIPT_FILE), *(box_purge_steps(machine) if purge else [])]


def box_purge_steps(machine: Machine) -> list[Step]:
    """The steps that remove what a removal keeps: the games, the configuration and, on a card's box, all versions."""
    folder = machine.at(CONFIG_FILE).parent
    rest = ("rmdir", str(folder))
    has_versions = machine.at(f"{PLACE}/versions").is_dir()  # otherwise it may be a clone
    return [
        _removed(machine, STATE),
        _removed(machine, CONFIG_FILE),
        *([_removed(machine, path) for path in (*OF_A_CARD, str(PLACE))] if has_versions else []),
        Step(f"remove {folder}, unless there is more in it", rest, lambda: not folder.exists(), may_fail=True),
    ]


# The hub of a club


def club_install_steps(
    machine: Machine, place: Installation, options: Sequence[str], environ: Mapping[str, str]
) -> list[Step]:
    """The steps that install the hub. Run again, they only restart it. `options`: those of `perudo club`."""
    kept, variables = without_secrets(options, environ)
    # In a systemd command, % begins a specifier and $ a variable.
    files = _copied("club", machine, place, options=shlex.join(kept).replace("%", "%%").replace("$", "$$"))
    return [
        _written(machine, CLUB_ENVIRONMENT_FILE, environment_text(variables), 0o600),
        *(_written(machine, path, text) for path, text in files.items()),
        _RELOAD,
        _systemctl("start the hub at every boot", "enable", f"{CLUB}.service"),
        _systemctl("start it now", "restart", f"{CLUB}.service"),
    ]


def club_removal_steps(machine: Machine, *, purge: bool) -> list[Step]:
    """The steps that remove the hub and, with `purge`, its books."""
    books = (CLUB_STATE, f"/var/lib/private/{CLUB}")
    return [
        Step(
            "stop the hub, now and at every boot",
            ("systemctl", "disable", "--now", f"{CLUB}.service"),
            lambda: not machine.at(CLUB_UNIT_FILE).exists(),
        ),
        _removed(machine, CLUB_UNIT_FILE),
        _removed(machine, CLUB_ENVIRONMENT_FILE),
        _RELOAD,
        *(_removed(machine, path) for path in (books if purge else ())),
    ]


def without_secrets(options: Sequence[str], environ: Mapping[str, str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """The options for the command line (by default --embedded), and the variables: secret options, and `environ`'s."""
    variables = {name: environ[name] for name in SECRET_OPTIONS.values() if environ.get(name)}
    kept, given = [], iter(options)
    for each in given:
        option, equals, value = each.partition("=")
        if option in SECRET_OPTIONS:
            variables[SECRET_OPTIONS[option]] = value if equals else next(given, "")
        else:
            kept.append(each)
    if "PERUDO_BROKER" not in variables and "--embedded" not in kept:
        kept.insert(0, "--embedded")
    return tuple(kept), variables


def environment_text(variables: Mapping[str, str]) -> str:
    """The text of the hub's environment file."""
    return (
        "# Written by `perudo install-service --club`, which writes it anew. What the hub must know and nobody else "
        "may.\n"
    ) + "".join(f'{name}="{value.translate(_ESCAPES)}"\n' for name, value in variables.items())
