"""The standings of a tournament. Pure: a fold over its results.

A game gives each player the share of opponents beaten, a shared place counting half: the winner has 1 and the last one
0, at a table of any size; at a table of four the second has 2/3. A player who sits alone, because nobody else came, has
1. A round not played gives nothing. The score is the sum. Ties are broken by

1. Buchholz: for each game, the mean of its other players' scores in all their other games, summed. (In chess it is
   the sum of all opponents' scores, which would favour larger tables here.) A round that an opponent did not play
   counts half a point here, so that nobody suffers from having met somebody who came late or went home; FIDE Handbook
   C.07, articles 8 and 16, does likewise.
2. Wins: games in which nobody shared the first place.

Players who are equal in all of these share a place. In a knock-out the winner is first; then the round reached comes
before everything else, followed by the game in that round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Final

from companion.club.tournament.knock_out import knock_out_winner
from companion.club.tournament.tournament import DrawnRound, Places, Tournament
from companion.messages.natural_order import natural_order

SCORE_DIGITS: Final = 3
"""Decimal places shown; comparisons are exact."""
_HALF: Final = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place and score."""

    place: int
    """From 1; shared places have the same number."""
    name: str
    active: bool
    """Still present."""
    score: float
    buchholz: float
    wins: int
    rounds: int
    """Rounds played that have a result."""
    reached: int
    """The last round in which the player was drawn; 0 if none."""
    opponents: tuple[str, ...]
    """In the order of meeting, once per game."""


@dataclass(frozen=True, slots=True)
class EntrantScore:
    """A player's score and tie-breakers, exactly."""

    score: Fraction
    buchholz: Fraction
    wins: int
    rounds: int
    reached: int
    last_share: Fraction
    """The share of opponents beaten in the round reached; 1/2 while that has no result."""
    opponents: tuple[str, ...]

    def sort_key(self, *, knock_out: bool) -> tuple[Fraction | int, ...]:
        """Smaller is better."""
        key = (-self.score, -self.buchholz, -self.wins)
        return (-self.reached, -self.last_share, *key) if knock_out else key


def standings(tournament: Tournament) -> tuple[Standing, ...]:
    """Everybody who is present or has been drawn, the leader first."""
    scores = entrant_scores(tournament)
    winner = knock_out_winner(tournament) if tournament.is_knock_out else None
    keys = {
        name: (name != winner, *score.sort_key(knock_out=tournament.is_knock_out)) for name, score in scores.items()
    }
    found: list[Standing] = []
    for number, name in enumerate(sorted(scores, key=lambda name: (keys[name], natural_order(name))), start=1):
        score = scores[name]
        shared = found and keys[found[-1].name] == keys[name]
        found.append(
            Standing(
                place=found[-1].place if shared else number,
                name=name,
                active=tournament.entrants[name],
                score=round(float(score.score), SCORE_DIGITS),
                buchholz=round(float(score.buchholz), SCORE_DIGITS),
                wins=score.wins,
                rounds=score.rounds,
                reached=score.reached,
                opponents=score.opponents,
            )
        )
    return tuple(found)


def entrant_scores(tournament: Tournament) -> dict[str, EntrantScore]:
    """Name -> score, of everybody who is present or has been drawn."""
    games = [places for each in tournament.rounds for places in each.places.values()]
    rounds = sum(bool(each.results) for each in tournament.rounds)
    shares: dict[str, list[dict[str, Fraction]]] = {name: [] for name in tournament.entrants}
    """Name -> everybody's shares in each of the player's games."""
    for places in games:
        in_game = shares_of(places)
        for name in in_game:
            shares[name].append(in_game)
    wins = Counter(places[0][0] for places in games if len(places[0]) == 1)
    scores = {name: sum((each[name] for each in played), Fraction()) for name, played in shares.items()}
    adjusted = {name: score + _HALF * (rounds - len(shares[name])) for name, score in scores.items()}
    reached = {name: each for each in tournament.rounds for name in _drawn(each)}
    return {
        name: EntrantScore(
            score=score,
            buchholz=_buchholz(name, shares[name], adjusted),
            wins=wins[name],
            rounds=len(shares[name]),
            reached=reached[name].number if name in reached else 0,
            last_share=_share_in(reached[name], name) if name in reached else Fraction(),
            opponents=tuple(other for in_game in shares[name] for other in in_game if other != name),
        )
        for name, score in scores.items()
        if tournament.entrants[name] or name in reached
    }


def shares_of(places: Places) -> dict[str, Fraction]:
    """Name -> the share of opponents beaten, a shared place counting half; 1 for a player who sits alone."""
    players = sum(map(len, places))
    if players == 1:
        return {places[0][0]: Fraction(1)}
    shares, left = {}, players
    for group in places:
        left -= len(group)
        beaten = left + _HALF * (len(group) - 1)
        shares.update(dict.fromkeys(group, beaten / (players - 1)))
    return shares


def _drawn(each: DrawnRound) -> set[str]:
    return {*chain(*each.tables), *chain(*each.seats.values())}


def _share_in(each: DrawnRound, name: str) -> Fraction:
    table = each.table_of(name)
    if table is None:
        return Fraction()  # absent
    return shares_of(each.places[table])[name] if table in each.places else _HALF


def _buchholz(name: str, games: Sequence[Mapping[str, Fraction]], adjusted: Mapping[str, Fraction]) -> Fraction:
    """`games`: everybody's shares in each game of `name`; `adjusted`: everybody's score with half a point for each
    round not played."""
    total = Fraction()
    for in_game in games:
        others = [adjusted[other] - share for other, share in in_game.items() if other != name]
        total += sum(others, Fraction()) / max(len(others), 1)
    return total
