"""What the books have of one game. Pure."""

from __future__ import annotations

from itertools import chain

from companion.club.books.places import places_in
from companion.club.payloads import GameId, Moment, RecordEvent, Slug
from companion.engine.rulebooks import RuleValue
from companion.messages.sentence import Value
from companion.table.commands import Count, DieColour, ShortText
from companion.table.past.games import Ending


class ResultPlayer(Value, frozen=True):
    """A player of a game."""

    name: ShortText
    colour: DieColour
    named: bool
    """Whether this is a name, and not "(red)": only who is named is in rankings and has a page."""
    place: Count | None
    """From 1. None in a game that is not rated."""


class GameResult(Value, frozen=True, kw_only=True):
    """A game that ended."""

    game: GameId
    table: Slug
    began: Moment
    ended: Moment
    ending: Ending
    rated: bool
    """Whether it counts: somebody won, and every player has a place."""
    players: tuple[ResultPlayer, ...]
    """Clockwise."""
    rounds: Count
    ruleset: str
    rules: dict[str, RuleValue]
    """The house rules, as changes to the book."""
    calza: bool
    left_out: bool = False
    """Whether a manager says that it does not count."""
    clock_set: bool = True
    """Whether the table's clock had been set when it began: otherwise `began` and `ended` are no dates."""


def result_of(table: str, record: RecordEvent, *, left_out: bool = False) -> GameResult | None:
    """The result that a table's record says; None for a game that is still played. `left_out`: it rates nobody.

    Places follow from the record's lines alone, not from what the table says they are. A record whose lines are no game
    of its players that somebody won is listed, and rates nobody.
    """
    if record.ending is Ending.PLAYING:
        return None
    places = _places(record) if record.ending is Ending.WON and not left_out else {}
    return GameResult(
        game=record.game,
        table=table,
        began=record.began,
        ended=record.ended,
        ending=record.ending,
        rated=bool(places),
        players=tuple(
            ResultPlayer(player.name, player.colour, player.named, places.get(player.name)) for player in record.players
        ),
        rounds=record.rounds,
        ruleset=record.ruleset,
        rules=record.rules,
        calza=record.calza,
        left_out=left_out,
        clock_set=record.clock_set,
    )


def _places(record: RecordEvent) -> dict[str, int]:
    """Each player's place by the record's lines; none if these are not a won game of its players."""
    placed = list(chain.from_iterable(places_in(record.record)))
    players = [player.name for player in record.players]
    if len(set(players)) != len(players) or sorted(placed) != sorted(players):
        return {}
    return {name: place for place, name in enumerate(placed, start=1)}
