"""The stored form of events: what was written once stays readable."""

from __future__ import annotations

import pytest

from companion.club.tournament import events
from companion.club.tournament.events import TournamentFormat, event_json, event_of
from companion.club.tournament.tournament import evolve_tournament, tournament_of

OPENED = events.TournamentOpened(
    title="Spring", format=TournamentFormat.KNOCK_OUT, rounds=5, table_size=4, qualifiers=2
)
STORED = [
    (OPENED, b'{"kind":"opened","title":"Spring","format":"knock-out","rounds":5,"table_size":4,"qualifiers":2}'),
    (events.EntrantJoined("Ana"), b'{"kind":"joined","name":"Ana"}'),
    (events.JoinTakenBack("Ana"), b'{"kind":"join-taken-back","name":"Ana"}'),
    (events.EntrantLeft("Ana"), b'{"kind":"left","name":"Ana"}'),
    (events.EntrantReturned("Ana"), b'{"kind":"returned","name":"Ana"}'),
    (events.RoundDrawn(1, (("Ana", "Ben", "Cid"),)), b'{"kind":"drawn","round":1,"tables":[["Ana","Ben","Cid"]]}'),
    (events.DrawTakenBack(1), b'{"kind":"draw-taken-back","round":1}'),
    (
        events.ResultEntered(1, 1, (("Ana",), ("Ben", "Cid"))),
        b'{"kind":"result","round":1,"table":1,"places":[["Ana"],["Ben","Cid"]]}',
    ),
    (
        events.ResultEntered(1, 1, (("Ana",),), ("Ben",), "run-1/10"),
        b'{"kind":"result","round":1,"table":1,"places":[["Ana"]],"absent":["Ben"],"game":"run-1/10"}',
    ),
    (
        events.ResultEntered(1, 1, (("Ana",),), (), "run-1/10", {"Anna": "Ana", "Xaver": ""}),
        b'{"kind":"result","round":1,"table":1,"places":[["Ana"]],"game":"run-1/10","names":{"Anna":"Ana","Xaver":""}}',
    ),
    (events.ResultTakenBack(1, 2), b'{"kind":"result-taken-back","round":1,"table":2}'),
    (events.TournamentClosed(), b'{"kind":"closed"}'),
    (events.TournamentReopened(), b'{"kind":"reopened"}'),
    (events.TournamentRemoved(), b'{"kind":"removed"}'),
]


@pytest.mark.parametrize(("event", "data"), STORED, ids=lambda value: type(value).__name__)
def test_the_stored_form_does_not_change(event: events.AnyTournamentEvent, data: bytes) -> None:
    assert event_json(event) == data
    assert event_of(data) == event


def test_every_event_is_here() -> None:
    assert {type(event) for event, _ in STORED} == set(events.TournamentEvent.__subclasses__())


def test_unknown_fields_are_ignored() -> None:
    assert event_of(b'{"kind":"joined","name":"Ana","team":"Reds"}') == events.EntrantJoined("Ana")


@pytest.mark.parametrize(
    "data", [b"", b"{}", b'{"kind":"sung"}', b'{"kind":"joined"}', b'{"kind":"joined","name":1}', b"\xff"]
)
def test_anything_else_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="no event of a tournament"):
        event_of(data)


def test_a_tournament_begins_with_its_opening() -> None:
    assert tournament_of([]) is None
    with pytest.raises(ValueError, match="begins with its opening"):
        evolve_tournament(None, events.EntrantJoined("Ana"))
