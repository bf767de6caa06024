"""Sets up what a new clone lacks, then runs the requested command.

Standard library only, in the grammar of Python 3.8: this runs before anything is installed, and an older Python gets a
sentence, not a traceback. Messages go to standard error; standard output belongs to the command that is started.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion.bootstrap import apt
from companion.bootstrap.apt import SetupError, dotted, needs, needs_of_tests, pi_needs, provide, quietly, say, tail
from companion.bootstrap.update import update

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

REPOSITORY = Path(__file__).resolve().parents[2]
NEEDS_PYTHON = (3, 11)
CANNOT_SET_UP = 2
"""The exit status if something missing cannot be installed, or there is no such command."""

NETWORK_SIGNS = (
    "Max retries exceeded",
    "Failed to establish a new connection",
    "Temporary failure in name resolution",
    "NameResolutionError",
    "NewConnectionError",
    "ConnectTimeoutError",
    "ReadTimeoutError",
    "Connection broken",
    "ProxyError",
    "SSLError",
    "CERTIFICATE_VERIFY_FAILED",
)
"""What pip prints when the network fails."""

CHECKS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("mypy",),
    ("lint-imports", "--no-logo"),
)

WORKERS = ("--numprocesses=4", "--dist=loadgroup")
"""pytest's options. Four workers: three groups of the tests that drive a browser, which often wait for it, and the
others (tests/conftest.py)."""
THREADS = {"OPENBLAS_NUM_THREADS": "1", "OPENCV_FOR_THREADS_NUM": "1"}
"""Environment variables for pytest. Parallel tests are slower if each has several threads."""
FAST = ("--numprocesses=2", "--dist=loadgroup", "-m", "not browser and not programs")
"""pytest's options without the tests that need more than Python."""

VENV_EXTRAS = ("", "club", "dev")
"""Extras of pyproject.toml; each includes those before it."""
PURPOSES = {
    "": "the program",
    "club": "a club of many tables",
    "dev": "the checks",
    "test": "the tests",
    "display": "displays on the panel",
    "usb": "buttons by USB",
}
"""Extra -> what its packages are for."""

USAGE = """\
usage: python3 -m companion.bootstrap demo [ARGS...]    the demo, in a browser; no hardware needed
       python3 -m companion.bootstrap club [ARGS...]    the hub of a club of many tables: club --embedded
       python3 -m companion.bootstrap test [ARGS...]    every check and test; ARGS go to pytest
       python3 -m companion.bootstrap test --fast       the checks, and the tests that need nothing but Python
       python3 -m companion.bootstrap run  [ARGS...]    any other command of perudo
       python3 -m companion.bootstrap setup             set up, and no more
       python3 -m companion.bootstrap update            the newest version, set up; the service started anew
"""


class VenvStamp(NamedTuple):
    """What a virtual environment was made for. It is stored there once the environment is complete, which makes the
    next start quick."""

    venv: str
    """Its path, because a virtual environment cannot be moved."""
    python: str
    pyproject: str
    """SHA-256 of pyproject.toml."""
    sees_apt: bool
    """It sees apt's Python packages, for picamera2 and lgpio."""
    extra: str
    """One of `VENV_EXTRAS`."""
    headless: bool = False
    """It has the OpenCV that opens no windows, which needs no desktop."""


def main(argv: Sequence[str] | None = None) -> int:
    """Set up, then run the command or replace this process by it. In the first case returns the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if sys.version_info[:2] < NEEDS_PYTHON:
        say(
            f"this needs Python {dotted(NEEDS_PYTHON)} or newer, and this is {dotted(sys.version_info[:3])}. "
            "Debian 12, Raspberry Pi OS of 2023 and everything later bring one that is new enough."
        )
        return CANNOT_SET_UP
    command, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if command in ("-h", "--help"):
        print(USAGE, end="")
        return 0
    if command not in ("demo", "club", "test", "run", "setup", "update") or (command in ("setup", "update") and rest):
        print(USAGE, end="", file=sys.stderr)
        return CANNOT_SET_UP
    if os.environ.get("HOME") == "":  # with an empty HOME pip would put its cache in /
        del os.environ["HOME"]
    try:
        return act(command, rest)
    except SetupError as error:
        say(str(error))
        return CANNOT_SET_UP
    except KeyboardInterrupt:
        say("interrupted. The same command goes on from here.")
        return 130


def act(command: str, rest: Sequence[str]) -> int:
    """Set up for the command and run it. Raises `SetupError`."""
    if command == "update":
        update(REPOSITORY)
        return 0
    venv = REPOSITORY / ".venv"
    if command == "club":
        provide(apt.needs_of_club())
    set_up(venv, {"test": "dev", "club": "club"}.get(command, ""))
    if command == "test":
        if rest[:1] == ["--fast"]:
            return run_checks(venv, rest[1:], FAST)
        set_up_programs()
        return run_checks(venv, rest)
    perudo = str(venv / "bin" / "perudo")
    if command == "setup":
        say(f"all is set up; {perudo} is the command.")
    else:  # signals and the exit status are then the command's own
        os.execv(perudo, [perudo, *([] if command == "run" else [command]), *rest])
    return 0


# The virtual environment


def set_up(venv: Path, extra: str) -> None:
    """Bring `venv` up to date with an extra of pyproject.toml. Raises `SetupError`."""
    if sys.maxsize <= 2**32:
        raise SetupError(f"this system has 32 bits, for which OpenCV has no packages. {apt.TAKE_64_BITS}")
    provide(needs())
    if is_ready(venv, wish(venv, extra)):
        return
    typed_by_owner = os.geteuid() == 0 and owner() != 0 and os.environ.get("SUDO_UID") == str(owner())
    if typed_by_owner and not extra:
        set_up_as(owner())
        return
    if typed_by_owner and extra == "club":
        raise SetupError("a club's hub needs no sudo. Type the same command without it.")
    with alone() as lock:
        if is_ready(venv, wish(venv, extra)):  # another start did it while this one waited
            return
        set_up_pi()
        try:
            build(venv, wish(venv, extra), lock)
        except OSError as error:
            raise SetupError(
                f"{venv} cannot be written: {error}. Is this folder yours, and the disk not full?"
            ) from error


def owner() -> int:
    """The id of the user who owns the clone."""
    return REPOSITORY.stat().st_uid


def set_up_as(user: int) -> None:
    """Set up as this user, who could not change what root creates in the clone. Raises `SetupError`."""
    set_up_pi()  # while still root
    setup = ["env", "-C", str(REPOSITORY), sys.executable, "-m", "companion.bootstrap", "setup"]
    done = subprocess.run(
        ["sudo", "--set-home", f"--user=#{user}", "--", *setup], stdin=subprocess.DEVNULL, check=False
    )
    if done.returncode != 0:
        raise SetupError(
            "this folder's owner could not set it up. Type, without sudo, python3 -m companion.bootstrap setup, and "
            "then the same command again."
        )


def set_up_pi() -> None:
    """Install the packages for a Raspberry Pi's camera and pins. The program runs without them."""
    try:
        provide(pi_needs())
    except SetupError as error:
        say(f"going on without the Pi's own camera or pins: {error}")


def wish(venv: Path, extra: str) -> VenvStamp:
    """The stamp that `venv` should have on this machine."""
    present = read_stamp(venv)
    return VenvStamp(
        venv=str(venv),
        python=dotted(sys.version_info[:2]),
        pyproject=hashlib.sha256((REPOSITORY / "pyproject.toml").read_bytes()).hexdigest(),
        sees_apt=sys.base_prefix == "/usr" and (apt.has_picamera2() or apt.has_lgpio()),
        extra=extra,
        headless=not apt.has_desktop() or (present is not None and present.headless),
    )


def is_ready(venv: Path, target: VenvStamp) -> bool:
    """True if `venv` has the stamp `target`, or that of a larger extra."""
    stamp = read_stamp(venv)
    return stamp is not None and has(stamp.extra, target.extra) and stamp._replace(extra=target.extra) == target


def has(extra: str, wanted: str) -> bool:
    """True if `extra` includes `wanted`."""
    return VENV_EXTRAS.index(extra) >= VENV_EXTRAS.index(wanted)


def read_stamp(venv: Path) -> VenvStamp | None:
    """The stamp of `venv`; None if it is incomplete, no longer runs, or was not made here."""
    if not all(os.access(venv / "bin" / name, os.X_OK) for name in ("python", "perudo")):
        return None
    try:
        stamp = VenvStamp(**json.loads(stamp_of(venv).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):  # missing, half-written, or written by another version of this file
        return None
    return stamp if stamp.extra in VENV_EXTRAS else None


def stamp_of(venv: Path) -> Path:
    """The stamp's file, which stays empty until `venv` is complete."""
    return venv / "perudo-setup.json"


@contextmanager
def alone() -> Iterator[int]:
    """Make other starts in the same clone wait until this one has set up. Yields the lock's file descriptor.

    Commands that run meanwhile must hold it too: if this process is killed, its pip may still be running.
    """
    with (REPOSITORY / "pyproject.toml").open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another start is setting up in this folder; waiting for it ...")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield file.fileno()


def build(venv: Path, target: VenvStamp, lock: int) -> None:
    """Make the virtual environment, or update it. Raises `SetupError`, `OSError`."""
    stamp = stamp_of(venv)
    present = read_stamp(venv)
    if present is not None and present == target._replace(pyproject=present.pyproject, extra=present.extra):
        if has(present.extra, target.extra):
            target = target._replace(extra=present.extra)
        stamp.write_text("", encoding="utf-8")
    else:
        make(venv, target, lock)
    install(venv, target, lock)
    whole = stamp.with_suffix(".new")
    whole.write_text(json.dumps(target._asdict(), indent=1), encoding="utf-8")
    whole.replace(stamp)


def make(venv: Path, target: VenvStamp, lock: int) -> None:
    """Create an empty virtual environment in place of an earlier one of ours. Raises `SetupError`, `OSError`."""
    if venv.is_dir():
        if any(venv.iterdir()) and not stamp_of(venv).exists():
            raise SetupError(
                f"{venv} was not made by this command, so it is left alone. Rename or remove it, then type the same "
                "command again."
            )
        shutil.rmtree(venv)
    venv.mkdir()
    stamp_of(venv).write_text("", encoding="utf-8")  # from now on a half-made folder is recognizable as ours
    say(f"making a virtual environment in {venv} ...")
    sees_apt = ["--system-site-packages"] if target.sees_apt else []
    # Use the base interpreter: the running one may be from the folder that was just deleted.
    python = getattr(sys, "_base_executable", None) or sys.executable
    done, output = quietly([python, "-m", "venv", *sees_apt, str(venv)], [lock])
    if not done:
        raise SetupError(f"the virtual environment could not be made. Python said:\n{tail(output)}")


def install(venv: Path, target: VenvStamp, lock: int) -> None:
    """Install the project and its dependencies into `venv` with pip. Raises `SetupError`, `OSError`."""
    python = str(venv / "bin" / "python")
    project = str(REPOSITORY) + (f"[{target.extra}]" if target.extra else "")
    command = [python, "-m", "pip", "install", "--progress-bar", "off", "--disable-pip-version-check", "--no-input"]
    constraints = apt_constraints() if target.sees_apt else []
    if constraints:
        file = venv / "perudo-constraints.txt"
        file.write_text("\n".join(constraints) + "\n", encoding="utf-8")
        command += ["--constraint", str(file)]
    groups = asked_for(target.extra, headless=target.headless)
    for extra, requirements in groups.items():
        say(f"pip installs for {PURPOSES[extra]}: {', '.join(map(name_of, requirements))}")
    wanted = [requirement for requirements in groups.values() for requirement in requirements]
    steps = [["--editable", project]]
    if target.headless:
        say("opencv-python-headless stands in for opencv-python: it needs none of a desktop's libraries.")
        steps = [["--no-deps", *steps[0]], wanted]
    say("fetching them with pip; the first time this takes a few minutes ...")
    heard = progress([name_of(requirement) for requirement in wanted])
    for step in steps:
        installed, output = quietly([*command, *step], [lock], heard if step is steps[-1] else None)
        if not installed and any(sign in output for sign in NETWORK_SIGNS):
            raise SetupError(
                "pip could not reach its package index. Setting up needs the network once: see to the connection (or "
                f"pip's proxy and certificate settings), then type the same command again. pip said:\n{tail(output)}"
            )
        if not installed:
            raise SetupError(f"pip could not install the Python packages. It said:\n{tail(output)}")
    works, output = quietly([python, "-c", "import cv2, flask, gpiozero, numpy"])
    if not works:
        raise SetupError(f"the packages are installed, and yet do not start here. Python said:\n{tail(output)}")


def asked_for(extra: str, *, headless: bool) -> dict[str, list[str]]:
    """What pyproject.toml requires for this extra, by the extras that it includes; the OpenCV as in `VenvStamp`."""
    import tomllib  # noqa: PLC0415 - an older Python lacks it, and gets a sentence before

    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = {"": list(project.get("dependencies", []))}
    extras = [extra] if extra else []
    for each in extras:  # grows while it runs, because an extra may include others
        groups[each] = []
        for requirement in project.get("optional-dependencies", {}).get(each, []):
            if own := re.match(r"perudo-companion\[(\w+)\]", requirement):
                extras.append(own[1])
            else:
                groups[each].append(requirement)
    if headless:
        groups[""] = [re.sub(r"^opencv-python(?=\W)(?!-)", "opencv-python-headless", each) for each in groups[""]]
    return {each: requirements for each, requirements in groups.items() if requirements}


def name_of(requirement: str) -> str:
    """ "flask" of "flask>=3,<4"."""
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0]


def progress(packages: Sequence[str]) -> Callable[[str], None]:
    """Return a function that gets pip's lines and reports its progress with these packages."""
    left = set(packages)

    def heard(line: str) -> None:
        found = re.match(r"(Collecting|Requirement already satisfied:) (.+)", line)
        name = name_of(found[2]) if found else ""
        if found and name in left:
            left.remove(name)
            if found[1] == "Collecting":
                say(f"{len(packages) - len(left)} of {len(packages)}: {name}")
        elif line.startswith("Installing collected packages:"):
            say(f"installing {line.count(',') + 1} packages ...")

    return heard


def apt_constraints() -> list[str]:
    """Pip's constraints that let apt's picamera2 be imported in the same process.

    It loads apt's simplejpeg, which is compiled against apt's numpy and needs that major version, so apt's numpy has to
    be the only one. If that is numpy 1, opencv-python must be older than 4.12, which needs numpy 2.
    """
    versions = [
        each.version
        for each in importlib.metadata.distributions(path=[str(apt.DEBIAN_PACKAGES)])
        if each.metadata["Name"].lower() == "numpy"
    ]
    if not versions:
        return []
    old = ["opencv-python<4.12", "opencv-python-headless<4.12"] if versions[0].startswith("1.") else []
    return [f"numpy=={versions[0]}", *old]


def holds_to_numpy_1(venv: Path) -> bool:
    """True if `venv` uses apt's numpy and that is older than 2."""
    stamp = read_stamp(venv)
    return stamp is not None and stamp.sees_apt and any(each.startswith("numpy==1.") for each in apt_constraints())


# The checks


def set_up_programs() -> None:
    """Install the programs that the tests need. Raises `SetupError` if all are required and one cannot be installed."""
    try:
        provide(needs_of_tests())
    except SetupError as error:
        if os.environ.get("PERUDO_REQUIRE_PROGRAMS") == "1" or os.environ.get("CI") == "true":
            raise
        say(f"the tests that need them will be skipped: {error}")


def run_checks(venv: Path, pytest_arguments: Sequence[str], how: Sequence[str] = WORKERS) -> int:
    """Run every check, then pytest with the options `how`; 0 if all passed. pytest's closing line comes last."""
    environment = {**THREADS, **os.environ, "PATH": f"{venv / 'bin'}:{apt.search_path()}"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # otherwise hundreds of programs compile the packages again
    failed = []
    for check in CHECKS:
        if check[0] == "mypy" and holds_to_numpy_1(venv):
            say("mypy is left out here: apt's numpy 1, which picamera2 needs, describes its types unlike numpy 2.")
            continue
        say(" ".join(check))
        if run_tool(venv, check, environment) != 0:
            failed.append(" ".join(check))
    pytest = ["pytest", *how, *pytest_arguments]
    say(" ".join(pytest))
    status = run_tool(venv, pytest, environment)
    if failed:
        say(f"not passed: {', '.join(failed)} found faults (above, before the tests).")
    return status or (1 if failed else 0)


def run_tool(venv: Path, command: Sequence[str], environment: dict[str, str]) -> int:
    """Run a tool of the virtual environment in the repository; return its exit status."""
    script = venv / "bin" / command[0]
    # Pip does not reinstall a package that apt has installed, so its script may be missing here.
    tool = [str(script)] if script.exists() else [str(venv / "bin" / "python"), "-m", command[0]]
    done = subprocess.run([*tool, *command[1:]], cwd=REPOSITORY, env=environment, stdin=subprocess.DEVNULL, check=False)
    return done.returncode
