"""The history: undo is data, and a replay takes as long as its journal."""

from __future__ import annotations

from companion.table.game import events
from companion.table.game.history import History, standing_steps

OPENED = events.GameOpened(("Ana", "Ben"), ("red", "blue"), "asmodee-fr", True, "Ana")


def test_breaks_belong_to_no_step_however_many_there_are() -> None:
    bid = events.BidMade("Ana", 2, 4)
    lines = [(OPENED,), (bid,), *[(events.Paused(),), (events.Resumed(),)] * 5_000]
    history = History()
    for line in lines:
        history = history.after(line)
    assert history.last.events == (bid,)
    assert standing_steps(lines) == [(OPENED,), (bid,)]
    undone = history.after((events.Undone(),))
    assert undone.position.bids == ()
    assert undone.after((events.Redone(),)).position == history.position
