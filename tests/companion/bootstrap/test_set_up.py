"""The README's two commands: what they find missing, install, print and start."""

from __future__ import annotations

import ast
import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from companion.bootstrap import apt
from companion.bootstrap import set_up as bootstrap
from companion.bootstrap.apt import Need, SetupError

REPOSITORY = Path(__file__).resolve().parents[3]
SOURCES = [
    Path("companion", name)
    for name in (
        "__init__.py",
        *(f"bootstrap/{name}.py" for name in ("__init__", "__main__", "apt", "set_up", "update")),
    )
]


class FakeShell:
    """Stands in for `apt.quietly`: records the commands, makes what venv and pip would make, and fails on request."""

    def __init__(self) -> None:
        self.commands: list[list[str]] = []
        self.failures: dict[str, str] = {}
        """By a word of a command: the error it fails with, the first time."""
        self.lists: set[str] = set()
        """The packages apt knows."""
        self.unknown: set[str] = set()
        """Those that cannot be installed."""
        self.installed: set[str] = set()
        self.pip_says: list[str] = []
        """pip's lines."""

    def __call__(
        self, command: Sequence[str], hold: Sequence[int] = (), heard: Callable[[str], None] | None = None
    ) -> tuple[bool, str]:
        self.commands.append(list(command))
        for line in self.pip_says if heard else ():
            heard(line)
        for word in [word for word in self.failures if word in command]:
            return False, self.failures.pop(word)
        if command[0] == "apt-cache":
            return True, f"Package: {command[-1]}\n" if command[-1] in self.lists else ""
        if self.unknown & set(command):
            return False, "no installation candidate"
        if "install" in command and "apt-get" in command:
            self.installed.update(command[command.index("--no-install-recommends") + 1 :])
        if list(command[1:3]) == ["-m", "venv"]:
            executable(Path(command[-1]) / "bin" / "python", "exit 0")
        if list(command[1:4]) == ["-m", "pip", "install"]:
            executable(Path(command[0]).parent / "perudo", "exit 0")
        return True, ""

    def count(self, *words: str) -> int:
        return sum(all(word in command for word in words) for command in self.commands)

    def named(self, word: str) -> list[str]:
        return [command for command in self.commands if word in command][-1]


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> FakeShell:
    fake = FakeShell()
    monkeypatch.setattr(apt, "quietly", fake)
    monkeypatch.setattr(bootstrap, "quietly", fake)
    return fake


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A new clone, before anything is installed."""
    folder = tmp_path / "clone"
    for name in ("bootstrap", "box"):
        (folder / "companion" / name).mkdir(parents=True)
    for source in SOURCES:
        shutil.copy(REPOSITORY / source, folder / source)
    (folder / "pyproject.toml").write_text("[project]\n")
    return folder


@pytest.fixture
def venv(clone: Path, monkeypatch: pytest.MonkeyPatch, shell: FakeShell) -> Path:
    """Where the clone's virtual environment will be, on a machine that lacks nothing else."""
    monkeypatch.setattr(bootstrap, "REPOSITORY", clone)
    monkeypatch.setattr(apt, "DEBIAN_PACKAGES", clone.parent / "dist-packages")
    monkeypatch.setattr(apt, "MODEL", clone.parent / "model")
    monkeypatch.setattr(bootstrap, "needs", list)
    monkeypatch.setattr(apt, "has_desktop", lambda: True)
    return clone / ".venv"


@pytest.fixture
def root(shell: FakeShell, monkeypatch: pytest.MonkeyPatch) -> FakeShell:
    """The shell of root on a Debian."""
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    return shell


def executable(file: Path, lines: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{lines}\n")
    file.chmod(0o755)


def lacking(shell: FakeShell, what: str = "libDice.so.6", *packages: str) -> Need:
    """A need that is met once one of its packages is installed."""
    names = packages or ("libdice6",)
    return Need(what, "the dice want it", names, lambda: bool(shell.installed & set(names)))


# A bare Python


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: f"{source.parent.name}/{source.name}")
def test_an_older_python_can_read_it_and_nothing_need_be_installed(source: Path) -> None:
    tree = ast.parse(source.read_text(encoding="utf-8"), feature_version=(3, 8))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported <= {*sys.stdlib_module_names, "companion"}


def test_an_older_python_gets_a_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(bootstrap, "NEEDS_PYTHON", (99, 0))
    assert bootstrap.main(["demo"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "this needs Python 99.0 or newer, and this is 3." in printed.err


@pytest.mark.parametrize(
    ("typed", "status"), [([], 2), (["dmeo"], 2), (["setup", "now"], 2), (["update", "now"], 2), (["--help"], 0)]
)
def test_help_and_an_unknown_command_show_the_known_ones(
    typed: list[str], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bootstrap.main(typed) == status
    printed = capsys.readouterr()
    assert "companion.bootstrap test" in (printed.err if status else printed.out)


# What pip cannot install


def test_on_this_machine_nothing_is_missing_after_set_up(shell: FakeShell) -> None:
    assert [need.what for need in apt.needs() if not need.present()] == []
    apt.provide(apt.needs())
    assert shell.commands == []
    assert not apt.loads("libNoSuchThing.so.1")


def test_it_says_what_it_installs_and_why_before_it_does(root: FakeShell, capsys: pytest.CaptureFixture[str]) -> None:
    root.failures["install"] = "no such luck"
    with pytest.raises(SetupError, match=r"libDice\.so\.6 could not be installed"):
        apt.provide([lacking(root)])
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "apt-get installs libdice6, with what it depends on: the dice want it" in printed.err.splitlines()[-1]


@pytest.mark.parametrize("known", ["libdice6", "libdice6t64"])
def test_it_takes_the_package_name_of_this_release(root: FakeShell, known: str) -> None:
    root.lists = {known}
    apt.provide([lacking(root, "libDice.so.6", "libdice6", "libdice6t64")])
    assert root.installed == {known}
    install = root.named("install")
    assert "DEBIAN_FRONTEND=noninteractive" in install
    assert "sudo" not in install


def test_a_package_that_cannot_be_had_keeps_no_other_away(root: FakeShell) -> None:
    root.unknown = {"libcup1"}
    with pytest.raises(SetupError, match=r"^libCup\.so\.1 could not be installed"):
        apt.provide([lacking(root, "libCup.so.1", "libcup1"), lacking(root)])
    assert root.installed == {"libdice6"}


def test_a_plain_user_installs_with_sudo(
    root: FakeShell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    apt.provide([lacking(root)])
    assert root.named("install")[0] == "sudo"
    assert "may ask for your password" in capsys.readouterr().err


@pytest.mark.parametrize(("has", "sentence"), [((), "There is no apt-get"), (("apt-get",), "As root, type")])
def test_where_nothing_can_be_installed_it_says_what_to_install_by_hand(
    shell: FakeShell, monkeypatch: pytest.MonkeyPatch, has: tuple[str, ...], sentence: str
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: name if name in has else None)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(SetupError, match=sentence) as refused:
        apt.provide([lacking(shell)])
    assert "libdice6" in str(refused.value)
    assert shell.commands == []


def test_outdated_package_lists_are_used_when_updating_fails(
    root: FakeShell, capsys: pytest.CaptureFixture[str]
) -> None:
    root.failures["update"] = "E: a shop nobody needs is closed"
    apt.provide([lacking(root)])
    assert root.installed == {"libdice6"}
    assert "a shop nobody needs is closed" in capsys.readouterr().err


def test_an_interrupted_installation_is_finished_first(root: FakeShell) -> None:
    root.failures["install"] = "E: dpkg was interrupted, you must manually run 'dpkg --configure -a' to correct it."
    apt.provide([lacking(root)])
    assert root.count("dpkg", "--configure", "-a") == 1
    assert root.installed == {"libdice6"}


# The browser


@pytest.mark.parametrize(("name", "required"), [("PERUDO_REQUIRE_PROGRAMS", "1"), ("CI", "true"), ("NONE", "")])
def test_without_a_browser_the_tests_that_drive_it_are_skipped_unless_it_is_required(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, required: str
) -> None:
    for each in ("PERUDO_REQUIRE_PROGRAMS", "CI"):
        monkeypatch.delenv(each, raising=False)
    monkeypatch.setenv(name, required)
    monkeypatch.setattr(shutil, "which", lambda name, path=None: None)
    if required:
        with pytest.raises(SetupError, match="chromium"):
            bootstrap.set_up_programs()
    else:
        bootstrap.set_up_programs()
        assert "the tests that need them will be skipped: missing here: chromium" in capsys.readouterr().err


# The virtual environment


def test_with_sudo_a_users_own_clone_is_set_up_as_its_owner(
    venv: Path, shell: FakeShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[list[str]] = []
    status = 0

    def run(command: Sequence[str], **_: object) -> subprocess.CompletedProcess[str]:
        ran.append(list(command))
        return subprocess.CompletedProcess(command, status)

    monkeypatch.setattr(bootstrap, "owner", lambda: 4711)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setenv("SUDO_UID", "4711")
    bootstrap.set_up(venv, "")
    assert ran[0][:4] == ["sudo", "--set-home", "--user=#4711", "--"]
    assert ran[0][-3:] == ["-m", "companion.bootstrap", "setup"]
    assert not venv.exists()
    status = 1
    with pytest.raises(SetupError, match="without sudo"):
        bootstrap.set_up(venv, "")
    with pytest.raises(SetupError, match="needs no sudo"):
        bootstrap.set_up(venv, "club")
    monkeypatch.delenv("SUDO_UID")  # such as root in a container, with a clone from outside
    bootstrap.set_up(venv, "")
    assert (venv / "bin" / "perudo").exists()


def test_the_first_start_makes_the_environment_and_the_second_runs_nothing(
    venv: Path, shell: FakeShell, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bootstrap.main(["setup"]) == 0
    assert shell.named("pip")[-1] == str(venv.parent)
    shell.commands.clear()
    assert bootstrap.main(["setup"]) == 0
    assert shell.commands == []
    assert capsys.readouterr().out == ""


def test_a_system_of_32_bits_is_refused_before_anything_is_installed(
    venv: Path, shell: FakeShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "maxsize", 2**31 - 1)
    with pytest.raises(SetupError, match="64-bit Raspberry Pi OS"):
        bootstrap.set_up(venv, "")
    assert shell.commands == []


@pytest.mark.parametrize("step", ["venv", "pip", "-c"])
def test_an_interrupted_first_try_is_started_again(venv: Path, shell: FakeShell, step: str) -> None:
    shell.failures[step] = "the lights went out"
    with pytest.raises(SetupError, match="the lights went out"):
        bootstrap.set_up(venv, "")
    (venv / "half").touch()
    bootstrap.set_up(venv, "")
    assert not (venv / "half").exists()
    assert bootstrap.is_ready(venv, bootstrap.wish(venv, ""))


PYPROJECT = "[project]\ndependencies = ['dice']\n"


def spoil(venv: Path) -> None:
    bootstrap.stamp_of(venv).write_text('{"venv": "/ho')


def move(venv: Path) -> None:
    stamp = json.loads(bootstrap.stamp_of(venv).read_text())
    bootstrap.stamp_of(venv).write_text(json.dumps({**stamp, "venv": "/where/it/was/.venv"}))


def need_more(venv: Path) -> None:
    (venv.parent / "pyproject.toml").write_text(PYPROJECT)


@pytest.mark.parametrize(("change", "environments"), [(spoil, 2), (move, 2), (need_more, 1)])
def test_an_environment_that_was_spoilt_or_moved_is_made_again_and_an_incomplete_one_completed(
    venv: Path, shell: FakeShell, change: Callable[[Path], None], environments: int
) -> None:
    bootstrap.set_up(venv, "dev")
    change(venv)
    bootstrap.set_up(venv, "dev")
    assert shell.count("venv") == environments
    assert shell.count("pip", "--editable", f"{venv.parent}[dev]") == 2


def test_somebody_elses_environment_is_left_alone(venv: Path, shell: FakeShell) -> None:
    venv.mkdir()
    (venv / "precious").touch()
    with pytest.raises(SetupError, match="was not made by this command"):
        bootstrap.set_up(venv, "")
    assert (venv / "precious").exists()


@pytest.mark.parametrize(
    ("had", "wanted", "installed"),
    [("", "dev", "[dev]"), ("", "club", "[club]"), ("club", "dev", "[dev]"), ("dev", "", ""), ("dev", "club", "")],
)
def test_an_extra_is_added_and_a_larger_one_stays(
    venv: Path, shell: FakeShell, had: str, wanted: str, installed: str
) -> None:
    bootstrap.set_up(venv, had)
    shell.commands.clear()
    bootstrap.set_up(venv, wanted)
    assert [command[-1] for command in shell.commands if "pip" in command] == [f"{venv.parent}{installed}"] * bool(
        installed
    )
    (venv.parent / "pyproject.toml").write_text(PYPROJECT)
    bootstrap.set_up(venv, "")
    assert shell.named("pip")[-1] == f"{venv.parent}[{max(had, wanted, key=bootstrap.VENV_EXTRAS.index)}]"


def test_it_says_how_far_pip_is(venv: Path, shell: FakeShell, capsys: pytest.CaptureFixture[str]) -> None:
    (venv.parent / "pyproject.toml").write_text(
        '[project]\ndependencies = ["flask>=3,<4", "numpy>=1.24"]\n[project.optional-dependencies]\n'
        'club = ["sqlalchemy>=2"]\ntest = ["perudo-companion[club]", "pytest"]\n'
        'dev = ["perudo-companion[test]", "ruff"]\n'
    )
    shell.pip_says = [
        "Obtaining file:///home/ana/perudo\n",
        "Requirement already satisfied: flask<4,>=3 in ./lib (from perudo-companion==0.2.0) (3.1.0)\n",
        "  Downloading numpy-2.2.4.whl (102 kB)\n",
        "Collecting numpy>=1.24 (from perudo-companion==0.2.0)\n",
        "Collecting jinja2>=3.1.2 (from flask<4,>=3->perudo-companion==0.2.0)\n",
        "Installing collected packages: numpy, jinja2, flask, perudo-companion\n",
    ]
    bootstrap.set_up(venv, "dev")
    said = [line.removeprefix("perudo: ") for line in capsys.readouterr().err.splitlines()]
    assert said[-2:] == ["2 of 5: numpy", "installing 4 packages ..."]
    assert [line.partition(" for ")[2] for line in said if "pip installs" in line] == [
        "the program: flask, numpy",
        "the checks: ruff",
        "the tests: pytest",
        "a club of many tables: sqlalchemy",
    ]
    for extra in bootstrap.VENV_EXTRAS:
        assert set(bootstrap.asked_for(extra, headless=False)) <= set(bootstrap.PURPOSES)


def test_without_a_desktop_the_opencv_that_opens_no_windows_is_taken_and_kept(
    venv: Path, shell: FakeShell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (venv.parent / "pyproject.toml").write_text('[project]\ndependencies = ["flask>=3,<4", "opencv-python>=4.10,<6"]\n')
    bootstrap.set_up(venv, "")
    assert shell.named("pip")[-2:] == ["--editable", str(venv.parent)]
    monkeypatch.setattr(apt, "has_desktop", lambda: False)  # its libraries went, and OpenCV no longer loads
    bootstrap.set_up(venv, "")
    assert shell.count("venv") == 2, "two packages never share the folder cv2"
    assert shell.commands[-3][-3:] == ["--no-deps", "--editable", str(venv.parent)]
    assert shell.named("pip")[-2:] == ["flask>=3,<4", "opencv-python-headless>=4.10,<6"]
    assert "opencv-python-headless stands in for opencv-python" in capsys.readouterr().err
    monkeypatch.setattr(apt, "has_desktop", lambda: True)
    shell.commands.clear()
    bootstrap.set_up(venv, "")
    assert shell.commands == []


@pytest.mark.parametrize("missing", ["", "libGL.so.1", "libgthread-2.0.so.0"])
def test_a_desktop_is_where_all_libraries_are_that_open_windows(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apt, "loads", lambda library: library != missing)
    assert apt.has_desktop() == (missing == "")


def test_a_commands_lines_are_heard_as_they_come() -> None:
    heard: list[str] = []
    assert apt.quietly(["sh", "-c", "echo one; echo two >&2; exit 3"], heard=heard.append) == (False, "one\ntwo\n")
    assert heard == ["one\n", "two\n"]


def test_without_a_network_or_the_right_to_write_it_says_so(
    venv: Path, shell: FakeShell, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.failures["pip"] = "WARNING: Retrying: NewConnectionError('Temporary failure in name resolution')"
    assert bootstrap.main(["demo"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "pip could not reach its package index" in printed.err
    shutil.rmtree(venv)
    venv.touch()
    with pytest.raises(SetupError, match="cannot be written"):
        bootstrap.set_up(venv, "")


# picamera2


def apt_has_picamera2(monkeypatch: pytest.MonkeyPatch, numpy: str | None) -> None:
    """Put an empty picamera2, and the metadata of this numpy, in place of apt's packages."""
    (apt.DEBIAN_PACKAGES / "picamera2").mkdir(parents=True)
    if numpy:
        about = apt.DEBIAN_PACKAGES / f"numpy-{numpy}.egg-info"
        about.mkdir()
        (about / "PKG-INFO").write_text(f"Metadata-Version: 2.1\nName: numpy\nVersion: {numpy}\n")
    monkeypatch.setattr(sys, "base_prefix", "/usr")


@pytest.mark.parametrize(
    ("numpy", "constraints"),
    [
        ("1.24.2", ["numpy==1.24.2", "opencv-python<4.12", "opencv-python-headless<4.12"]),
        ("2.2.4", ["numpy==2.2.4"]),
        (None, []),
    ],
)
def test_apts_numpy_is_used_with_apts_picamera2(
    venv: Path, shell: FakeShell, monkeypatch: pytest.MonkeyPatch, numpy: str | None, constraints: list[str]
) -> None:
    apt_has_picamera2(monkeypatch, numpy)
    bootstrap.set_up(venv, "")
    assert "--system-site-packages" in shell.named("venv")
    assert bootstrap.apt_constraints() == constraints
    if constraints:
        pip = shell.named("pip")
        assert Path(pip[pip.index("--constraint") + 1]).read_text().split() == constraints


def test_apts_packages_are_visible_if_there_is_lgpio_or_picamera2(
    venv: Path, shell: FakeShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    bootstrap.set_up(venv, "")
    assert "--system-site-packages" not in shell.named("venv")
    assert "--constraint" not in shell.named("pip")
    apt.DEBIAN_PACKAGES.mkdir(parents=True)
    (apt.DEBIAN_PACKAGES / "lgpio.py").touch()
    bootstrap.set_up(venv, "")
    assert "--system-site-packages" in shell.named("venv")


def test_a_pi_gets_the_libraries_for_its_camera_and_pins(
    venv: Path, root: FakeShell, capsys: pytest.CaptureFixture[str]
) -> None:
    apt.MODEL.write_text("Raspberry Pi 5 Model B Rev 1.0\0")
    bootstrap.set_up(venv, "")
    assert root.installed == {"python3-picamera2", "python3-lgpio", "python3-evdev"}
    assert "going on without the Pi's own camera or pins" in capsys.readouterr().err
    assert bootstrap.is_ready(venv, bootstrap.wish(venv, ""))


# Starting the program


def ready(clone: Path, program: str) -> None:
    """Set the clone up, as far as the command can tell, with this as its `perudo`."""
    venv = clone / ".venv"
    executable(venv / "bin" / "python", "exit 1")
    executable(venv / "bin" / "perudo", program)
    script = """
import json
from companion.bootstrap import set_up as bootstrap
venv = bootstrap.REPOSITORY / ".venv"
bootstrap.stamp_of(venv).write_text(json.dumps(bootstrap.wish(venv, "dev")._asdict()))
"""
    subprocess.run([sys.executable, "-c", script], cwd=clone, check=True)


def start(clone: Path, *typed: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "companion.bootstrap", *typed],
        cwd=clone,
        env={"PATH": "/usr/bin:/bin", **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize(
    ("typed", "received"),
    [(["demo", "--port", "0"], "demo --port 0\n"), (["run", "count", "a b.jpg"], "count a b.jpg\n")],
)
@pytest.mark.parametrize(
    "environment", [{}, {"HOME": "", "PIP_INDEX_URL": "https://index.example"}], ids=["none", "some"]
)
def test_standard_output_the_environment_and_the_exit_status_belong_to_perudo(
    clone: Path, typed: list[str], received: str, environment: dict[str, str]
) -> None:
    ready(clone, 'echo "$@"; echo "$PIP_INDEX_URL"; exit 7')
    result = start(clone, *typed, **environment)
    index = environment.get("PIP_INDEX_URL", "")
    assert (result.stdout, result.stderr, result.returncode) == (f"{received}{index}\n", "", 7)


def test_a_second_start_waits_for_the_first_to_set_up(clone: Path) -> None:
    ready(clone, "echo here")
    stamp = bootstrap.stamp_of(clone / ".venv")
    content = stamp.read_text()
    stamp.write_text("")
    command = [sys.executable, "-m", "companion.bootstrap", "run"]
    with (clone / "pyproject.toml").open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with subprocess.Popen(command, cwd=clone, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as second:
            assert "another start is setting up" in second.stderr.readline()
            stamp.write_text(content)
            fcntl.flock(lock, fcntl.LOCK_UN)
            assert second.stdout.read() == "here\n"


def test_a_process_left_by_a_killed_start_still_holds_the_lock(tmp_path: Path) -> None:
    file = tmp_path / "lock"
    file.touch()
    with file.open() as ours, file.open() as theirs:
        fcntl.flock(ours, fcntl.LOCK_EX)
        command = [sys.executable, "-c", f"import fcntl; fcntl.flock({ours.fileno()}, fcntl.LOCK_EX | fcntl.LOCK_NB)"]
        assert apt.quietly(command, [ours.fileno()]) == (True, "")
        with pytest.raises(BlockingIOError):
            fcntl.flock(theirs, fcntl.LOCK_EX | fcntl.LOCK_NB)


# The checks


@pytest.fixture
def tools(venv: Path) -> Callable[..., None]:
    """Put scripts in the place of the tools: each says its name and arguments, and ends with the status given."""

    def put(**status: int) -> None:
        for name in ("ruff", "mypy", "lint-imports", "pytest"):
            executable(venv / "bin" / name, f'echo {name} "$@"; exit {status.get(name, 0)}')

    return put


def test_every_check_runs_and_pytest_has_the_last_word(
    venv: Path, tools: Callable[..., None], capfd: pytest.CaptureFixture[str]
) -> None:
    tools(mypy=1)
    assert bootstrap.run_checks(venv, ["-k", "engine"]) == 1
    printed = capfd.readouterr()
    assert printed.out.splitlines() == [
        "ruff check .",
        "ruff format --check .",
        "mypy",
        "lint-imports --no-logo",
        "pytest --numprocesses=4 --dist=loadgroup -k engine",
    ]
    assert "not passed: mypy" in printed.err.splitlines()[-1]
    tools(pytest=5)
    assert bootstrap.run_checks(venv, []) == 5


def test_the_tests_have_a_thread_each_unless_the_environment_says_otherwise(
    venv: Path, tools: Callable[..., None], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    tools()
    executable(venv / "bin" / "pytest", 'echo "$OPENBLAS_NUM_THREADS $OPENCV_FOR_THREADS_NUM"')
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    monkeypatch.setenv("OPENCV_FOR_THREADS_NUM", "3")
    bootstrap.run_checks(venv, [])
    assert capfd.readouterr().out.splitlines()[-1] == "1 3"


@pytest.mark.parametrize(("numpy", "runs"), [("1.24.2", False), ("2.2.4", True)])
def test_mypy_is_left_out_with_a_message_where_numpy_must_be_1(
    venv: Path,
    tools: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    numpy: str,
    runs: bool,
) -> None:
    apt_has_picamera2(monkeypatch, numpy)
    bootstrap.set_up(venv, "dev")
    tools()
    assert bootstrap.run_checks(venv, []) == 0
    printed = capfd.readouterr()
    assert ("mypy" in printed.out.splitlines()) is runs
    assert ("mypy is left out here" in printed.err) is not runs


@pytest.mark.parametrize(
    ("typed", "run", "installs"),
    [
        ([], "pytest --numprocesses=4 --dist=loadgroup -k engine", True),
        (["--fast"], "pytest --numprocesses=2 --dist=loadgroup -m not browser and not programs -k engine", False),
    ],
)
def test_the_fast_tests_need_nothing_but_python(
    venv: Path,
    tools: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    typed: list[str],
    run: str,
    installs: bool,
) -> None:
    bootstrap.set_up(venv, "dev")
    tools()
    installed: list[str] = []
    monkeypatch.setattr(bootstrap, "set_up_programs", lambda: installed.append("all"))
    assert bootstrap.main(["test", *typed, "-k", "engine"]) == 0
    assert capfd.readouterr().out.splitlines()[-1] == run
    assert bool(installed) is installs


def test_every_program_that_tests_need_is_installed_by_the_set_up_and_ci_runs_it() -> None:
    """By the marks of the tests; `browser` stands for Chromium and its driver."""
    marks = re.compile(r"mark\.programs\(([^)]*)\)")
    texts = [file.read_text("utf-8") for file in (REPOSITORY / "tests").rglob("*.py")]
    named = {name for text in texts for mark in marks.findall(text) for name in re.findall(r'"([^"]+)"', mark)}
    assert {"openssl", "sfdisk", "mosquitto"} <= named
    assert named <= {need.what for need in apt.needs_of_tests()}
    script = REPOSITORY / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert "python3 -m companion.bootstrap test" in script.read_text(encoding="utf-8")
