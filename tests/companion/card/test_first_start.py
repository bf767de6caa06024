"""The first start of a card, but for what it installs."""

from __future__ import annotations

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
