"""What waits for the hub: every table has its share, whatever another one sends."""

from __future__ import annotations

import threading

import pytest

from companion.club.hub.mailbox import EVENT_BURST, EVENT_RATE, TABLE_BYTES, Mailbox, TableMessage
from tests.fakes.clock import FakeClock


def event(table: str, size: int = 100) -> TableMessage:
    return TableMessage(table, "event", b"x" * size)


def test_tables_are_taken_in_turns() -> None:
    mailbox = Mailbox(FakeClock())
    for _ in range(1000):
        mailbox.put(event("t-flood"))
    mailbox.put(event("t-calm"))
    assert "t-calm" in {each.table for each in mailbox.take(10)}


def test_a_tables_events_keep_their_order() -> None:
    mailbox = Mailbox(FakeClock())
    for n in range(5):
        mailbox.put(TableMessage("t-1", "event", b"%d" % n))
    assert [each.payload for each in mailbox.take(3)] + [each.payload for each in mailbox.take(9)] == [
        b"%d" % n for n in range(5)
    ]


@pytest.mark.parametrize(
    ("put", "taken"),
    [
        ([*(("state", b"%d" % n) for n in range(1000)), ("online", b"y")], [("state", b"999"), ("online", b"y")]),
        ([("state", b"1"), ("online", b"y"), ("state", b"2")], [("online", b"y"), ("state", b"2")]),
        ([("online", b""), ("online", b"the will")], [("online", b""), ("online", b"the will")]),
    ],
    ids=["of a state only the last waits", "what is said last comes last", "that a table has left is heard"],
)
def test_what_a_table_said_waits_once(put: list[tuple[str, bytes]], taken: list[tuple[str, bytes]]) -> None:
    mailbox = Mailbox(FakeClock())
    for kind, payload in put:
        mailbox.put(TableMessage("t-1", kind, payload))
    assert [(each.kind, each.payload) for each in mailbox.take(500)] == taken


def test_a_flood_takes_no_more_memory_than_its_share() -> None:
    mailbox = Mailbox(FakeClock())
    kept = sum(mailbox.put(event("t-flood", 100_000)) for _ in range(1000))
    assert kept == TABLE_BYTES // 100_000
    assert mailbox.put(event("t-calm"))


def test_a_table_that_tells_of_a_month_at_once_may_and_one_that_never_ends_is_slowed_down() -> None:
    clock = FakeClock()
    mailbox = Mailbox(clock)

    def send(times: int) -> int:
        """How many bytes are taken of so many events of 1,000."""
        kept = 0
        for _ in range(times):
            if mailbox.put(event("t-1", 1000)):
                mailbox.take(1)
                kept += 1000
        return kept

    assert EVENT_BURST - 1000 < send(10_000) <= EVENT_BURST
    clock.sleep(1.0)
    assert EVENT_RATE - 2000 < send(1000) < EVENT_RATE + 1000


def test_it_ends_when_it_is_closed_and_empty() -> None:
    mailbox = Mailbox()
    mailbox.put(event("t-1"))
    threading.Timer(0.05, mailbox.close).start()
    assert len(mailbox.take(10)) == 1
    assert mailbox.take(10) == []
