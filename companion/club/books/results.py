"""What the books have of one game. Pure."""

from __future__ import annotations

from itertools import chain

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
    """From 1; after a shared place as many are left out. None in a game that is not rated."""


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


def result_of(table: str, record: RecordEvent, *, left_out: bool = False) -> GameResult | None:
    """The result that a table's record says; None for a game that is still played. `left_out`: it rates nobody.

    A record that does not give one winner and each other player a place once is one of a game that nobody won: it is
    listed, and rates nobody.
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
    )


def _places(record: RecordEvent) -> dict[str, int]:
    """Each player's place; none if `record.places` are not those of its players."""
    placed = list(chain.from_iterable(record.places))
    players = [player.name for player in record.players]
    once = len(set(players)) == len(players) > 1 and sorted(placed) == sorted(players)
    if not once or len(record.places[0]) != 1:
        return {}
    places: dict[str, int] = {}
    for sharing in record.places:
        places |= dict.fromkeys(sharing, len(places) + 1)
    return places
