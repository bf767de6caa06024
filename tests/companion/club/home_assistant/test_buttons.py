"""What a payload on the command topic makes a table do."""

from __future__ import annotations

import pytest

from companion.club.home_assistant.buttons import button_command
from companion.table.commands import Command, OpenRound, Pause, Resume
from companion.table.errors import NotAllowedNowError
from tests.companion.club.home_assistant.home_desk import GAME, HomeDesk


@pytest.mark.parametrize(
    ("payload", "command"), [(b"next", OpenRound()), (b"pause", Pause()), (b"resume", Resume()), (b"dudo", None)]
)
def test_a_button_has_its_command(payload: bytes, command: Command | None) -> None:
    assert button_command(payload) == command


@pytest.mark.parametrize("payload", [b"", b"\xff\xfe", b"NEXT", b"next ", b'{"call": "dudo"}', b"x" * 100_000])
def test_anything_else_is_no_command(payload: bytes) -> None:
    assert button_command(payload) is None


def test_a_button_that_does_not_fit_the_moment_is_refused_by_the_table() -> None:
    table = HomeDesk()
    table.do(GAME)
    with pytest.raises(NotAllowedNowError, match="bids are being made"):
        table.do(OpenRound())
    table.do(*map(button_command, (b"pause", b"resume")))
    assert table.home.phase == "bidding"
