"""Every state that a page can meet, in a real Chromium: nothing too wide, nothing too small, nothing on the console."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from web import create_app
from web.fake import FakeCamera, FakePanel, FakeTable
from web.fake_states import STATES
from web.serve import make_server

pytestmark = pytest.mark.browser


@pytest.fixture
def shown(tmp_path: Path) -> Iterator[tuple[FakeTable, str]]:
    table = FakeTable(STATES["seating"])
    (tmp_path / "pictures").mkdir()
    app = create_app(table, panel=FakePanel(), camera=FakeCamera(), pictures=tmp_path / "pictures", demo=True)
    (tmp_path / "pictures" / "3.jpg").write_bytes(app.test_client().get("/api/v1/frame.jpg").data)
    with make_server(app, "127.0.0.1", 0) as server:
        yield table, server.url


def test_every_state_fits_a_phone(
    shown: tuple[FakeTable, str], open_browser: Callable[..., Any], page_type: Any
) -> None:
    table, url = shown
    page = page_type(open_browser(), url)
    for name, state in STATES.items():
        table.show(state)
        page.wait(lambda: page.version == table.state()["version"], name)
        page.in_phase(state["phase"])
        assert page.too_wide() <= 0, name
        assert page.too_small() == [], name
        if state["verdict"]:
            assert state["verdict"]["sentence"] in page.text
        for player in state["players"]:
            assert player["name"] in page.text, name
    assert page.complaints() == []
    assert page.elsewhere() == []
