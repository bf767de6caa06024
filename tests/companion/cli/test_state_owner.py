"""Root opens nothing in a state folder but as its owner, whatever the command: a link there leads no further."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

import companion.state_folder
from calibration.profiles import Profiles
from companion.cli import main
from companion.table import Journal, Table
from tests.calibration.test_profiles import CAMPER, PICTURE
from tests.companion.cli.conftest import play_two
from tests.fakes.clock import FakeClock

_OPENS = {"open", "sqlite3.connect", "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.symlink", "os.chmod"}
_RUNS = ["--host", "203.0.113.1", "--port", "8000"]  # which is no address of this machine: it ends at once
COMMANDS = {
    "demo": [*_RUNS, "--state", "STATE"],
    "run": [*_RUNS, "--camera", "phone", "--no-panel", "--state", "STATE"],
    "calibrate check": ["PICTURE", "--dice", "1", "--state", "STATE"],
    "calibrate from": ["PICTURE", "--name", "Camper", "--flat", "PICTURE", "--state", "STATE"],
    "calibrate list": ["--state", "STATE"],
    "calibrate remove": ["Camper", "--state", "STATE"],
    "calibrate rename": ["Camper", "Other", "--state", "STATE"],
    "calibrate undo": ["Camper", "--state", "STATE"],
    "calibrate use": ["Camper", "--state", "STATE"],
    "games": ["--state", "STATE"],
    "stats": ["--state", "STATE"],
    "review": ["1", "--state", "STATE"],
    "export": ["--all", "--out", "OUT", "--state", "STATE"],
    "import": ["RECORD", "--state", "STATE"],
    "cards": ["--out", "OUT.html"],
    "certificate": ["--state", "STATE"],
    "club home-assistant": ["--state", "STATE"],
    "club join": ["perudo-club:nothing", "--state", "STATE"],
    "club leave": ["--state", "STATE"],
    "doctor --repair": ["--state", "STATE"],
    "doctor": ["--state", "STATE", "--bundle", "OUT.zip", "--with-games", "--with-pictures"],
    "selftest": ["--state", "STATE", "--json"],
}
"""Every command that opens a table's state folder, with its arguments."""
ELSEWHERE = {
    "club invite", "panel", "count", "calibrate board", "evaluate", "replay", "config check", "config init",
    "rules", "languages", "install-service", "card", "update",
}  # fmt: skip
"""Those that open none."""

_now: dict[str, object] = {"folder": "", "inside": 0, "found": []}


def _listen(event: str, arguments: tuple[object, ...]) -> None:
    folder, found = str(_now["folder"]), _now["found"]
    if folder and event in _OPENS and not _now["inside"] and isinstance(found, list):
        paths = [os.fsdecode(each) for each in arguments if isinstance(each, str | bytes | os.PathLike)]
        found += [f"{event} {path}" for path in paths if folder in path]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What is opened under `_now["folder"]` by whoever has root's rights."""
    if "hooked" not in _now:
        sys.addaudithook(_listen)
        _now["hooked"] = True

    @contextmanager
    def rights(_owner: object) -> Iterator[None]:
        _now["inside"] = int(str(_now["inside"])) + 1
        try:
            yield
        finally:
            _now["inside"] = int(str(_now["inside"])) - 1

    monkeypatch.setattr(companion.state_folder, "rights_of", rights)
    found: list[str] = []
    _now["found"] = found
    yield found
    _now["folder"] = ""


def every(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[str]:
    if not isinstance(command, click.Group):
        yield " ".join(path)
        return
    for name in command.list_commands(click.Context(command)):
        each = command.get_command(click.Context(command), name)
        assert each is not None
        yield from every(each, (*path, name))


def test_every_command_is_among_these() -> None:
    assert set(every(main)) - ELSEWHERE == COMMANDS.keys() - {"doctor --repair"}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_opens_the_state_folder_as_its_owner(
    name: str, opened: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = tmp_path / "kept"
    with Table(Journal(state), clock=FakeClock(step=1.0)) as table:
        play_two(table)
    profiles = Profiles.of(state)
    profiles.save(CAMPER, PICTURE)
    profiles.save(replace(CAMPER, made="2026-06-01T18:30:00+02:00"), PICTURE)
    profiles.use("Camper")
    picture, record = tmp_path / "picture.jpg", tmp_path / "game.jsonl"
    picture.write_bytes(b"none")
    record.write_text("nothing\n", encoding="utf-8")
    words = {"STATE": state, "PICTURE": picture, "RECORD": record}
    words |= {out: tmp_path / out.lower() for out in ("OUT", "OUT.html", "OUT.zip")}
    monkeypatch.setenv("STATE_DIRECTORY", str(state))
    monkeypatch.setenv("PERUDO_CONFIG", "")
    monkeypatch.setattr("companion.box.selftest.game", lambda _folder: iter(()))  # it plays in a folder of its own
    _now["folder"] = str(state)
    CliRunner().invoke(main, [*name.split(), *(str(words.get(each, each)) for each in COMMANDS[name])])
    assert opened == [], "\n".join(opened)
