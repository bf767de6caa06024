"""The commands of a tournament; `decide` executes them. Rounds and tables are numbered from 1."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from companion.club.tournament.events import TournamentFormat
from companion.club.tournament.tournament import LARGEST_TABLE, SMALLEST_TABLE
from companion.table.commands import LONGEST_NAME, ShortText

MOST_ENTRANTS: Final = 400
MOST_TOURNAMENT_ROUNDS: Final = 20
MOST_QUALIFIERS: Final = 3
"""With more, a table of four would not become smaller."""
LONGEST_TITLE: Final = 60
"""In characters."""

RoundNumber = Annotated[int, Meta(ge=1, le=MOST_TOURNAMENT_ROUNDS)]
TableNumber = Annotated[int, Meta(ge=1, le=MOST_ENTRANTS)]


class TournamentCommand(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to a tournament."""


class OpenTournament(TournamentCommand, frozen=True):
    """Open a tournament."""

    title: Annotated[str, Meta(min_length=1, max_length=LONGEST_TITLE)]
    format: TournamentFormat = TournamentFormat.SWISS
    rounds: RoundNumber = 5
    """Ignored by a knock-out."""
    table_size: Annotated[int, Meta(ge=SMALLEST_TABLE, le=LARGEST_TABLE)] = 5
    qualifiers: Annotated[int, Meta(ge=1, le=MOST_QUALIFIERS)] = 2
    """How many of each table advance in a knock-out."""


class JoinTournament(TournamentCommand, frozen=True):
    """Add players, early or late. A late one has no points for the rounds before."""

    names: Annotated[tuple[ShortText, ...], Meta(min_length=1, max_length=MOST_ENTRANTS)]


class TakeBackJoin(TournamentCommand, frozen=True):
    """Remove a name that has never been drawn, as if it had never joined."""

    name: ShortText


class LeaveTournament(TournamentCommand, frozen=True):
    """Remove a player who goes home. Their results stay."""

    name: ShortText


class ReturnToTournament(TournamentCommand, frozen=True):
    """Bring back a player who had left, from the next draw on."""

    name: ShortText


class DrawRound(TournamentCommand, frozen=True):
    """Draw who plays with whom."""

    round: RoundNumber
    """The round's number, so that a second tap draws nothing."""
    again: bool = False
    """Replace the last draw, which must have no result."""
    despite_missing: bool = False
    """Draw although results of the previous round are missing. Never in a knock-out."""


class TakeBackDraw(TournamentCommand, frozen=True):
    """Undo the last draw. It must have no result."""

    round: RoundNumber


class EnterResult(TournamentCommand, frozen=True):
    """Enter how a game ended, for the first time or as a correction.

    Players at this table who are not named share the last place. A player who sat down at a table without being drawn
    there plays where a result names them.
    """

    round: RoundNumber
    table: TableNumber
    places: tuple[tuple[ShortText, ...], ...]
    """The winner first; players who share a place together."""
    absent: tuple[ShortText, ...] = ()
    """Players drawn at this table who did not play at all. They get no points, and count as having met nobody."""
    game: Annotated[str, Meta(max_length=128)] = ""
    """The game's id in the books; empty if the result is entered by hand."""
    names: Annotated[dict[ShortText, Annotated[str, Meta(max_length=LONGEST_NAME)]], Meta(max_length=12)] = {}
    """A name in the game -> the entrant; empty for somebody who does not take part. Corrections in the books can then
    be applied here."""


class TakeBackResult(TournamentCommand, frozen=True):
    """Undo a table's result: its game continues, or the result was of another game."""

    round: RoundNumber
    table: TableNumber


class CloseTournament(TournamentCommand, frozen=True):
    """Draw no further round. Results can still be entered and corrected."""


class ReopenTournament(TournamentCommand, frozen=True):
    """Continue a closed tournament."""


class RemoveTournament(TournamentCommand, frozen=True):
    """Remove the tournament. It must have no round."""


AnyTournamentCommand = (
    OpenTournament
    | JoinTournament
    | TakeBackJoin
    | LeaveTournament
    | ReturnToTournament
    | DrawRound
    | TakeBackDraw
    | EnterResult
    | TakeBackResult
    | CloseTournament
    | ReopenTournament
    | RemoveTournament
)
