"""A golden evening of 48 players over five rounds: read playthroughs/evening.txt, it is one.

After a change on purpose: `python -m tests.companion.club.tournament.test_playthrough`, and read what came out.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion.club.tournament import commands
from companion.club.tournament.commands import AnyTournamentCommand
from companion.club.tournament.events import TournamentFormat
from companion.club.tournament.next_steps import next_steps
from tests.fakes.tournament import PlayedTournament

EVENING = Path(__file__).parent / "playthroughs" / "evening.txt"
NAMES = (
    *("Ana", "Ben", "Cid", "Dan", "Eva", "Fay", "Gus", "Hal", "Ida", "Jan", "Kim", "Lea", "Max", "Nat", "Oda", "Pia"),
    *("Quin", "Ria", "Sam", "Tea", "Udo", "Vera", "Wim", "Xia", "Yan", "Zoe", "Abel", "Bea", "Cleo", "Dora", "Emil"),
    *("Finn", "Greta", "Hugo", "Iris", "Jule", "Karl", "Lotte", "Milo", "Nora", "Otto", "Paul", "Rosa", "Sven"),
    *("Tilda", "Ulla", "Viktor", "Wanda"),
)
"""The stronger players first."""


class Evening:
    """Plays, and writes down what is done and what the phone says."""

    def __init__(self) -> None:
        self.played = PlayedTournament(kind=TournamentFormat.SWISS, rounds=5, table_size=5, seed=48)
        self.lines = ["Club evening: Swiss, five rounds, tables of at most five.", ""]

    def do(self, what: str, *asked: AnyTournamentCommand) -> None:
        self.lines.append(f"> {what}")
        self.played.do(*asked)

    def phone(self) -> None:
        self.lines += [f"  {step.sentence}" for step in next_steps(self.played.now)] + [""]

    def draw(self, **how: bool) -> None:
        drawn = self.played.draw(**how)
        words = {"again": " again", "despite_missing": " without the missing results"}
        self.lines.append(f"> Draw round {drawn.number}{''.join(words[key] for key in how)}")
        self.lines += [f"    table {table:2}  {', '.join(names)}" for table, names in drawn.seats.items()]
        self.phone()

    def enter(self, table: int, *places: str | Sequence[str], absent: Sequence[str] = (), of_round: int = 0) -> None:
        number = of_round or self.played.last.number
        self.played.enter(table, *places, absent=absent, of_round=number)
        result = self.played.now.rounds[number - 1].places[table]
        words = ", ".join(f"{place}. {' = '.join(group)}" for place, group in enumerate(result, start=1))
        self.lines.append(f"    table {table:2}  {words}{''.join(f'; {name} was absent' for name in absent)}")

    def ranking(self, table: int) -> list[str]:
        """How the game at a table ends: by strength, with luck."""
        random = self.played.random
        return sorted(self.played.last.seats[table], key=lambda name: NAMES.index(name) + random.gauss(0, 14))

    def results(self, but: Sequence[int] = ()) -> None:
        number = self.played.last.number
        self.lines.append(f"> Results of round {number}")
        for table in self.played.last.missing:
            if table not in but:
                self.enter(table, *self.ranking(table))

    def standings(self, most: int) -> None:
        self.lines.append(f"  {'':3} {'name':8} {'score':>6} {'Buchholz':>9} {'wins':>5} {'rounds':>7}")
        for each in self.played.standings[:most]:
            numbers = f"{each.score:6.3f} {each.buchholz:9.3f} {each.wins:5} {each.rounds:7}"
            self.lines.append(f"  {each.place:3} {each.name:8} {numbers}{'' if each.active else '  has left'}")
        self.lines.append("")


def evening() -> str:
    it = Evening()
    played = it.played
    it.phone()
    it.do("46 players join", commands.JoinTournament(NAMES[:46]))
    it.phone()
    it.draw()
    it.do("Viktor and Wanda come late; no game has begun", commands.JoinTournament(NAMES[46:]))
    it.phone()
    it.draw(again=True)
    it.lines.append("> At table 3 somebody drops out of the game; table 7 only says who has won")
    it.enter(3, *it.ranking(3)[:-1])
    it.enter(7, it.ranking(7)[0])
    it.results()
    it.standings(8)
    it.phone()

    it.draw()
    absent, *there = played.last.tables[4]
    it.lines.append(f"> {absent} is looked for in vain: table 5 begins without")
    it.enter(5, *there, absent=[absent])
    it.results()
    it.standings(8)
    it.phone()

    leaves = played.last.tables[9][0]
    it.do(f"{leaves} goes home", commands.LeaveTournament(leaves))
    first, second, *others = played.last.places[1]
    it.lines.append("> Table 1 of round 2 was entered wrongly: the first two are changed round")
    it.enter(1, *second, *first, *(name for (name,) in others), of_round=2)
    it.phone()
    it.draw()
    one, other = played.last.tables[1][0], played.last.tables[2][0]
    it.lines.append(f"> {one} and {other} sat down at each other's table")
    it.enter(2, other, *(name for name in it.ranking(2) if name != one))
    it.enter(3, *(name for name in it.ranking(3) if name != other), one)
    it.results(but=[6, 8])
    it.phone()

    it.draw(despite_missing=True)
    it.do(f"{leaves} is back", commands.ReturnToTournament(leaves))
    it.lines.append("> The last results of round 3")
    for table in (6, 8):
        it.enter(table, *played.now.rounds[2].tables[table - 1], of_round=3)
    it.phone()
    it.results()
    it.standings(8)
    it.phone()

    it.draw()
    it.results()
    it.phone()
    it.do("Close", commands.CloseTournament())
    it.phone()
    it.standings(48)
    return "\n".join(it.lines).rstrip() + "\n"


def test_an_evening_of_48_players() -> None:
    assert evening() == EVENING.read_text(encoding="utf-8")


if __name__ == "__main__":
    EVENING.write_text(evening(), encoding="utf-8")
