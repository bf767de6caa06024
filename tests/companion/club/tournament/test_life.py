"""Anything at any moment: random commands, sensible or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import chain
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.club.tournament import commands, events, partition
from companion.club.tournament.commands import AnyTournamentCommand
from companion.club.tournament.events import TournamentFormat
from companion.club.tournament.next_steps import next_steps
from companion.club.tournament.placed_tournament import round_assignments
from companion.club.tournament.standings import entrant_scores, standings
from companion.club.tournament.tournament import table_sizes, tournament_of
from companion.member.errors import ClubError
from tests.fakes.tournament import PlayedTournament, numbered


@pytest.fixture(autouse=True, scope="module")
def impatient() -> Iterator[None]:
    """Any draw will do here, so the search need not look long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partition, "SEARCH_PATIENCE", 10)
        yield


def random_result(played: PlayedTournament, random: Random) -> AnyTournamentCommand:
    """A result of any table: complete, with a few players missing, absent, or from another table."""
    drawn = random.choice(played.now.rounds)
    table = random.choice(list(drawn.seats))
    names = list(drawn.tables[table - 1])
    random.shuffle(names)
    absent = [name for name in names if random.random() < 0.1]
    placed = [name for name in names if name not in absent and random.random() < 0.9]
    if random.random() < 0.2:
        placed.insert(0, random.choice(list(played.now.entrants)))
    places: list[list[str]] = []
    for name in placed:
        if places and random.random() < 0.2:
            places[-1].append(name)
        else:
            places.append([name])
    return commands.EnterResult(drawn.number, table, tuple(map(tuple, places)), tuple(absent))


def random_command(played: PlayedTournament, random: Random) -> AnyTournamentCommand:
    names, rounds = list(played.now.entrants) or ["Nobody"], played.now.rounds
    number = len(rounds)
    choices: list[tuple[int, Callable[[], AnyTournamentCommand]]] = [
        (2, lambda: commands.JoinTournament((f"N{random.randrange(100)}",))),
        (1, lambda: commands.TakeBackJoin(random.choice(names))),
        (2, lambda: commands.LeaveTournament(random.choice(names))),
        (2, lambda: commands.ReturnToTournament(random.choice(names))),
        (3, lambda: commands.DrawRound(number + 1, despite_missing=random.random() < 0.3)),
        (1, lambda: commands.CloseTournament() if random.random() < 0.2 else commands.ReopenTournament()),
    ]
    if rounds:
        choices += [
            (1, lambda: commands.DrawRound(number, again=True)),
            (1, lambda: commands.TakeBackDraw(random.randint(1, number))),
            (6, lambda: random_result(played, random)),
            (1, lambda: commands.TakeBackResult(random.randint(1, number), random.randint(1, 3))),
        ]
    weights = [weight for weight, _ in choices]
    return random.choices([make for _, make in choices], weights)[0]()


def check(played: PlayedTournament) -> None:
    now = played.now
    scores = entrant_scores(now)
    for drawn in now.rounds:
        everybody = list(chain(*drawn.seats.values()))
        assert len(everybody) == len(set(everybody))
        for table, places in drawn.places.items():
            assert sorted(chain(*places)) == sorted(drawn.seats[table])
            assert all(places)
            assert places[: len(drawn.results[table].places)] == drawn.results[table].places
        lost = set(chain(*drawn.tables)) - set(everybody)
        assert lost <= set(chain(*(result.absent for result in drawn.results.values())))
    games = [places for drawn in now.rounds for places in drawn.places.values()]
    points = sum(Fraction(sum(map(len, places)), 2) if len(tuple(chain(*places))) > 1 else 1 for places in games)
    assert sum(score.score for score in scores.values()) == points
    assert {each.name for each in standings(now)} >= set(now.active)
    places_found = [each.place for each in standings(now)]
    assert places_found == sorted(places_found)
    steps = next_steps(now)
    assert steps
    assert all(step.sentence.endswith(".") for step in steps), steps


def check_draw(played: PlayedTournament, before: tuple[str, ...]) -> None:
    """Everybody who could be drawn sits exactly once, at a table of the right size."""
    drawn = played.last
    names = sorted(chain(*drawn.tables))
    if not (played.now.is_knock_out and drawn.number > 1):
        assert names == sorted(before)
    assert len(set(names)) == len(names)
    assert set(names) <= set(before)
    assert sorted(map(len, drawn.tables), reverse=True) == list(table_sizes(len(names), played.now.opened.table_size))
    shown = round_assignments(played.now, drawn.number)
    assert [each.players for each in shown.values()] == list(drawn.tables)


@pytest.mark.parametrize("kind", TournamentFormat)
@given(seed=st.integers(0, 2**32), players=st.integers(0, 14), table_size=st.integers(4, 6), best=st.integers(1, 3))
@settings(max_examples=12)
def test_nothing_is_lost_whatever_is_done(
    kind: TournamentFormat, seed: int, players: int, table_size: int, best: int
) -> None:
    played = PlayedTournament(numbered(players), kind, rounds=4, table_size=table_size, qualifiers=best, seed=seed)
    random = Random(seed)
    played.do(commands.JoinTournament(("N100",)))
    for _ in range(40):
        command = random_command(played, random)
        offered = {step.action for step in next_steps(played.now)}
        before = played.now
        try:
            played.do(command)
        except ClubError:
            assert played.now == before
            assert not (
                isinstance(command, commands.DrawRound) and command.round > len(before.rounds) and "draw" in offered
            )
        else:
            if isinstance(command, commands.DrawRound):
                check_draw(played, before.active)
                assert offered & {"draw", "draw-again", "draw-despite-missing"}
            check(played)
    assert tournament_of(played.events) == played.now


@given(seed=st.integers(0, 2**32), kind=st.sampled_from(TournamentFormat))
@settings(max_examples=12)
def test_after_corrections_the_standings_are_as_if_there_had_been_none(seed: int, kind: TournamentFormat) -> None:
    played = PlayedTournament(numbered(13), kind, rounds=3, seed=seed)
    random = Random(seed)
    while "draw" in {step.action for step in next_steps(played.now)}:
        played.play_round(lambda names: random.sample(names, len(names)))
        for _ in range(random.randint(0, 4)):
            try:
                played.do(random_result(played, random))
            except ClubError:
                continue
    last = {(event.round, event.table): event for event in played.events if isinstance(event, events.ResultEntered)}
    once = [event for event in played.events if not isinstance(event, events.ResultEntered)]
    corrected = tournament_of([*once, *last.values()])
    assert corrected is not None
    assert standings(corrected) == played.standings
