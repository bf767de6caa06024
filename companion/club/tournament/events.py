"""The events of a tournament and their JSON.

An event is a fact: replaying it cannot fail. Rounds and tables are numbered from 1. Unknown fields are ignored; kinds
and fields can be added but never changed, so that old tournaments stay readable.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec


class TournamentFormat(StrEnum):
    SWISS = "swiss"
    """Everybody plays every round, against others with a similar score."""
    ROUND_ROBIN = "round-robin"
    """Everybody plays every round, and meets everybody else as evenly as possible."""
    KNOCK_OUT = "knock-out"
    """The best of each table advance, until one table is left: the final."""


class TournamentEvent(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind"):
    """Something that happened in a tournament."""


class TournamentOpened(TournamentEvent, frozen=True, kw_only=True, tag="opened"):
    """A tournament was opened."""

    title: str
    format: TournamentFormat
    rounds: int
    """The number of rounds; a knock-out ends by itself."""
    table_size: int
    """The number of players at a table, if the number of players allows it."""
    qualifiers: int
    """How many of each table advance in a knock-out."""


class EntrantJoined(TournamentEvent, frozen=True, tag="joined"):
    """A player takes part."""

    name: str


class JoinTakenBack(TournamentEvent, frozen=True, tag="join-taken-back"):
    """A name that was never drawn does not take part after all."""

    name: str


class EntrantLeft(TournamentEvent, frozen=True, tag="left"):
    """A player went home, and is no longer drawn."""

    name: str


class EntrantReturned(TournamentEvent, frozen=True, tag="returned"):
    """A player who had left is back."""

    name: str


class RoundDrawn(TournamentEvent, frozen=True, tag="drawn"):
    """The players at each table."""

    round: int
    tables: tuple[tuple[str, ...], ...]
    """In the order of the tables' numbers; players clockwise, as drawn."""


class DrawTakenBack(TournamentEvent, frozen=True, tag="draw-taken-back"):
    """The last draw does not count. It had no result."""

    round: int


class ResultEntered(TournamentEvent, frozen=True, tag="result"):
    """How the game at a table ended. A later one replaces it."""

    round: int
    table: int
    places: tuple[tuple[str, ...], ...]
    """The winner first; players who share a place together. As entered: see `DrawnRound.places`."""
    absent: tuple[str, ...] = ()
    """Players drawn at this table who did not play at all."""
    game: str = ""
    """The game's id in the books; empty if the result was entered by hand."""
    names: dict[str, str] = {}
    """A name in the game -> the entrant; empty for somebody who does not take part."""


class ResultTakenBack(TournamentEvent, frozen=True, tag="result-taken-back"):
    """The table has no result after all."""

    round: int
    table: int


class TournamentClosed(TournamentEvent, frozen=True, tag="closed"):
    """No further round is drawn. Results can still be entered and corrected."""


class TournamentReopened(TournamentEvent, frozen=True, tag="reopened"):
    """It continues."""


class TournamentRemoved(TournamentEvent, frozen=True, tag="removed"):
    """The tournament was removed. It had no round."""


AnyTournamentEvent = (
    TournamentOpened
    | EntrantJoined
    | JoinTakenBack
    | EntrantLeft
    | EntrantReturned
    | RoundDrawn
    | DrawTakenBack
    | ResultEntered
    | ResultTakenBack
    | TournamentClosed
    | TournamentReopened
    | TournamentRemoved
)


def event_json(event: AnyTournamentEvent) -> bytes:
    """The event as it is stored."""
    return msgspec.json.encode(event)


def event_of(data: bytes | str) -> AnyTournamentEvent:
    """A stored event. Raises `ValueError` for anything else."""
    try:
        event: AnyTournamentEvent = msgspec.json.decode(data, type=AnyTournamentEvent)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ValueError(f"this is no event of a tournament: {error}") from error
    return event
