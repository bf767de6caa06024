"""The first start of a card, but for what it installs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.bootstrap import apt
from companion.card import first_start as first


@pytest.mark.parametrize("starts", [True, False])
def test_secrets_stay_on_the_card_until_the_box_has_them(
    starts: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a system without rfkill has no Wi-Fi to unblock."""
    card = tmp_path / "perudo"
    card.mkdir()
    for name in ("access.json", "wifi.json", first.CARD_FILE):
        (card / name).write_text("{}", encoding="utf-8")
    taken: list[str] = []
    monkeypatch.setattr(apt, "provide", lambda _: None)
    monkeypatch.setattr(apt, "quietly", lambda *_: (starts, "no answer"))
    monkeypatch.setattr(first, "_copy", lambda source, _target, _mode: taken.append(source.name))
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    versions: Any = SimpleNamespace(place=tmp_path, install=lambda *_: "one", use=lambda _: None)
    if starts:
        first.first_start(card, versions)
    else:
        with pytest.raises(apt.SetupError, match="no answer"):
            first.first_start(card, versions)
    assert {"access.json", "wifi.json"} <= set(taken)
    assert (card / "access.json").exists() == (card / "wifi.json").exists() == (not starts)


@pytest.mark.parametrize("made_for", [None, "perudo-attic"])
def test_a_card_from_an_archive_gets_its_cards_to_print(
    made_for: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody has them: code and Wi-Fi were drawn by the box itself."""
    card = tmp_path / "perudo"
    card.mkdir()
    (card / first.CARD_FILE).write_text(json.dumps({"made_for": made_for}), encoding="utf-8")
    run: list[list[str]] = []

    def quietly(command: list[str]) -> tuple[bool, str]:
        run.append(command)
        return True, ""

    monkeypatch.setattr(apt, "provide", lambda _: None)
    monkeypatch.setattr(apt, "quietly", quietly)
    monkeypatch.setattr(first, "_copy", lambda *_: None)
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    versions: Any = SimpleNamespace(place=tmp_path, install=lambda *_: "one", use=lambda _: None)
    first.first_start(card, versions)
    written = [command for command in run if "cards" in command]
    assert len(written) == (made_for is None)
    for command in written:
        assert command[:2] == ["env", "STATE_DIRECTORY=/var/lib/perudo"]
        assert command[command.index("--out") + 1] == str(tmp_path / "perudo-cards.html"), "on the boot partition"
