"""`perudo selftest`: a game with a power cut, on this machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.box import selftest
from tests.companion.cli.conftest import Perudo


def test_a_box_that_is_well_stands_a_game_and_a_power_cut(
    tmp_path: Path, perudo: Perudo, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in ("_SLOW_WRITE", "_SLOW_VERDICT", "_SLOW_FRAME"):  # a busy machine is not ill
        monkeypatch.setattr(selftest, limit, float("inf"))
    state = tmp_path / "state"
    state.mkdir()
    (state / "journal.sqlite3").write_bytes(b"the games so far")
    result = perudo("selftest", "--json", "--state", state)
    found = {each["part"]: each["finding"] for each in json.loads(result.stdout)}
    well = dict.fromkeys(("disk", "start", "verdict", "correction", "power cut", "game", "stop"), "ok")
    assert {part: found.get(part) for part in well} == well, result.stdout
    assert result.exit_code == 0
    assert [each.name for each in state.iterdir()] == ["journal.sqlite3"]
    assert (state / "journal.sqlite3").read_bytes() == b"the games so far"
