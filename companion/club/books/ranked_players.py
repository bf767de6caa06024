"""The ranking of a club's players. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from companion.club.books.books import Form
from companion.messages.sentence import Value
from companion.table.commands import Count, ShortText


class RankedPlayer(Value, frozen=True, kw_only=True):
    """A player in the ranking."""

    place: Count
    """From 1; players who are level share one."""
    name: ShortText
    rating: int
    """A newcomer has 1500."""
    uncertainty: Count
    """The plus-minus: in two of three cases the player's strength is within it."""
    games: Count
    """Games that somebody won."""
    won: Count
    provisional: bool
    """Whether these are fewer than 15 games."""


def ranking(forms: Mapping[str, Form]) -> tuple[RankedPlayer, ...]:
    """The players of rated games by their rating, best first; those with a provisional one after all others."""
    played = {name: form for name, form in forms.items() if form.games}
    best_first = sorted(played, key=lambda name: (_rank(played[name]), name))
    ranks = [_rank(played[name]) for name in best_first]
    places: dict[tuple[bool, float], int] = {}
    for number, rank in enumerate(ranks, start=1):
        places.setdefault(rank, number)
    return tuple(_ranked(places[rank], name, played[name]) for name, rank in zip(best_first, ranks, strict=True))


def _rank(form: Form) -> tuple[bool, float]:
    """The better, the less."""
    return form.provisional, -form.rating.mean


def _ranked(place: int, name: str, form: Form) -> RankedPlayer:
    return RankedPlayer(
        place=place,
        name=name,
        rating=form.rating.points,
        uncertainty=form.rating.plus_minus,
        games=form.games,
        won=form.won,
        provisional=form.provisional,
    )
