"""The JSON bodies that the lobby's API takes and answers."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from companion.club.books.books import GameResult
from companion.club.books.players import RankedPlayer
from companion.club.hub.tables import LobbyTable
from companion.club.hub.tournaments import TournamentAnswer
from companion.member.payloads import RecordEvent
from companion.messages.message import Part
from companion.messages.sentence import Value


class ClubAnswer(Value, frozen=True, kw_only=True):
    """`/club`: the club, and who asks."""

    club: str
    title: str
    connected: bool
    """The broker is connected. While it is not, tables keep their events."""
    manager: bool
    """This phone runs the tournaments."""
    csrf: str | None
    """The token that a manager's page sends with every change."""
    left_out: tuple[str, ...] = ()
    """The tables none of whose games counts, including tables that have left the club."""


class TablesAnswer(Value, frozen=True):
    """`/tables`."""

    tables: tuple[LobbyTable, ...]


class BookNamesAnswer(Value, frozen=True):
    """`/names`."""

    names: dict[str, str]
    """A name on the records -> the name in the books; empty for an unnamed player."""


class InvitationAnswer(Value, frozen=True):
    """`/invitations`."""

    address: str
    """The address by which one table can join, once."""
    qr: str
    """The address as a QR code, in SVG."""


class TournamentsAnswer(Value, frozen=True):
    """`/tournaments`, the newest first."""

    tournaments: tuple[TournamentAnswer, ...]


class CountGame(Struct, frozen=True, forbid_unknown_fields=True):
    """Decide if a game counts, or all games of a table."""

    counts: bool


class RemoveTable(Struct, frozen=True, forbid_unknown_fields=True):
    """Remove a table from the club."""

    games: bool = False
    """Also delete its games from the books."""


class ManageClub(Struct, frozen=True, forbid_unknown_fields=True):
    """A phone wants to run the tournaments."""

    code: Annotated[str, Meta(min_length=1, max_length=64, description="Four digits, which the hub prints.")]


class CurrentTournamentAnswer(Value, frozen=True):
    """`/tournaments/current`."""

    tournament: TournamentAnswer | None


class RankingAnswer(Value, frozen=True):
    """`/ranking`."""

    players: tuple[RankedPlayer, ...]


class GamesAnswer(Value, frozen=True):
    """`/games`."""

    games: tuple[GameResult, ...]


class GameAnswer(Value, frozen=True, kw_only=True):
    """`/games/<game>`: a game, with its record."""

    result: GameResult
    record: RecordEvent
    story: tuple[str, ...]
    """In English, one paragraph per round, for a game without interruptions."""
    said: tuple[tuple[Part, ...], ...]
    """The parts of each paragraph."""
