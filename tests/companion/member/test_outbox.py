"""What is sent to the hub, and again."""

from __future__ import annotations

from companion.member.outbox import ACK_PATIENCE_SECONDS, WINDOW, Outbox
from companion.member.payloads import Acknowledgement, EventKey, EventMessage, VoidEvent


def messages(count: int, run: str = "1-a") -> list[EventMessage]:
    found: list[EventMessage] = []
    for seq in range(count):
        before = found[-1].key if found else None
        what = VoidEvent(game="t.1/1", round=seq)
        found.append(EventMessage(run=run, seq=seq, before=before, at="", what=what))
    return found


def test_what_the_hub_has_is_not_sent() -> None:
    every = messages(5)
    outbox = Outbox(every[2].key)
    outbox.add(every)
    assert outbox.due(0.0) == every[3:]
    assert outbox.due(1.0) == []


def test_a_hub_that_has_another_journal_gets_all_of_this_one() -> None:
    every = messages(3)
    outbox = Outbox(EventKey("9-z", 7))
    outbox.add(every)
    assert outbox.due(0.0) == every


def test_only_so_many_are_on_their_way() -> None:
    every = messages(WINDOW + 10)
    outbox = Outbox(None)
    outbox.add(every)
    assert outbox.due(0.0) == every[:WINDOW]
    assert outbox.acknowledge(Acknowledgement(key=every[4].key))
    assert outbox.due(0.1) == every[WINDOW : WINDOW + 5]


def test_what_is_not_acknowledged_is_sent_again() -> None:
    every = messages(3)
    outbox = Outbox(None)
    outbox.add(every)
    outbox.due(0.0)
    assert outbox.acknowledge(Acknowledgement(key=every[0].key))
    assert outbox.due(ACK_PATIENCE_SECONDS - 0.1) == []
    assert outbox.due(ACK_PATIENCE_SECONDS) == every[1:]


def test_what_is_missing_is_sent_at_once() -> None:
    every = messages(3)
    outbox = Outbox(None)
    outbox.add(every)
    outbox.due(0.0)
    assert outbox.acknowledge(Acknowledgement(key=every[0].key, missing=True))
    assert outbox.due(0.1) == every[1:]


def test_a_hub_that_wants_older_events_has_the_journal_read_again() -> None:
    every = messages(4)
    outbox = Outbox(every[2].key)
    outbox.add(every)
    assert not outbox.acknowledge(Acknowledgement(key=every[0].key, missing=True))
    assert outbox.acknowledge(Acknowledgement(key=every[0].key)), "an old acknowledgement that comes late means nothing"
    assert len(outbox) == 1
