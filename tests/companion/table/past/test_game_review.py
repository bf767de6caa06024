"""What the review of a game shows."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from calibration.palette import COLOURS
from companion.engine import RULESETS, Bid
from companion.review.review import ERROR, review
from companion.robots import ROBOTS, Strength, play
from companion.table import commands
from companion.table.game.history import standing_steps
from companion.table.past.game_review import CLEAR, CallType, GameReview, game_review
from companion.table.past.games import Game, game_of_record, games
from companion.table.past.highlights import UNLIKELY
from tests.fakes.desk import FakeDesk
from tests.fakes.new_game import new_game
from tests.fakes.past_games import random_game

PLAYERS = ("Ana", "Ben", "Cid")


@pytest.fixture(scope="module")
def game() -> Game:
    return random_game(1, PLAYERS, random.Random(4))


@pytest.fixture(scope="module")
def found(game: Game) -> GameReview:
    return game_review(game)


def test_the_decisions_told_are_all_calls_and_the_bids_that_cost_something(game: Game, found: GameReview) -> None:
    decisions = review(game.record[0]).decisions
    expected = [each for each in decisions if not isinstance(each.decision.call, Bid) or each.loss >= ERROR]
    told = [each.best.wins - each.made.wins for each in found.decisions]
    assert told == pytest.approx(sorted((each.loss for each in expected), reverse=True), abs=2e-3)
    assert {each.grade for each in found.decisions if each.made.kind is CallType.BID} <= {"error", "blunder"}
    for player in PLAYERS:
        own = [each for each in expected if each.decision.call.player == player]
        assert len([each for each in found.decisions if each.player == player]) == len(own), "everybody reads their own"


def test_the_bars_lead_from_even_chances_to_the_winner(game: Game, found: GameReview) -> None:
    assert [each.round for each in found.rounds] == [*range(1, game.round_count + 1), None]
    assert all(abs(chance - 1 / 3) < 0.05 for chance in found.rounds[0].wins)
    assert found.rounds[-1].wins == tuple(float(name == game.winner) for name in PLAYERS)


def test_each_player_has_their_bids_and_what_came_of_them(game: Game, found: GameReview) -> None:
    assert tuple(each.name for each in found.players) == PLAYERS
    for each in found.players:
        bids = [bid for played in game.rounds for bid in played.bids if bid.player == each.name]
        assert each.bids == len(bids)
        assert sum(point.decisions for point in each.calibration) >= len(bids)


def test_the_luckiest_reveal_is_the_least_likely_one_and_was_unlikely(found: GameReview) -> None:
    assert found.luckiest is None, "every call of this game came out as was likely"
    game = random_game(1, PLAYERS[:2], random.Random(2))
    calls = [each for each in review(game.record[0]).decisions if not isinstance(each.decision.call, Bid)]
    luckiest = game_review(game).luckiest
    assert luckiest.likely == pytest.approx(min(each.likely for each in calls), abs=1e-3)
    assert luckiest.likely < UNLIKELY
    outcome = next(each.outcome for each in game.rounds if each.start.round == luckiest.round)
    assert (luckiest.right, luckiest.caller) == (outcome.correct, outcome.caller)
    assert luckiest.player == (outcome.caller if outcome.correct else outcome.bid.player)


def test_a_puzzle_has_four_calls_of_which_one_is_clearly_best(found: GameReview) -> None:
    assert 1 <= len(found.puzzles) <= 5
    for puzzle in found.puzzles:
        wins = [call.wins for call in puzzle.calls]
        assert len(wins) == 4
        assert max(wins) == wins[puzzle.best]
        assert sorted(wins)[-1] - sorted(wins)[-2] >= CLEAR - 2e-3
        assert dict(puzzle.dice)[puzzle.player] == len(puzzle.hand)
        if not puzzle.bids:
            assert {call.kind for call in puzzle.calls} == {CallType.BID}
        named = [(call.kind, call.count, call.face) for call in puzzle.calls]
        assert len(set(named)) == 4


def test_a_short_game_has_no_puzzle_that_is_not_clear() -> None:
    robots = {"Ana": ROBOTS[Strength.EASY], "Ben": ROBOTS[Strength.EASY]}
    records = [play(robots, seed, dice={"Ana": 2, "Ben": 2}).record.splitlines() for seed in range(8)]
    puzzles = [puzzle for record in records for puzzle in game_review(game_of_record(1, record)).puzzles]
    assert puzzles
    for puzzle in puzzles:
        best, second, *_ = sorted((call.wins for call in puzzle.calls), reverse=True)
        assert best - second >= CLEAR - 2e-3


def test_a_game_in_two_parts_is_reviewed_in_both(game: Game) -> None:
    """Chances begin anew in the second part; nobody's bids are lost."""
    other = random_game(2, ("Ana", "Cid"), random.Random(5))
    both = game_review(replace(game, parts=(*game.parts, *other.parts)))
    alone = game_review(game)
    bids = {each.name: each.bids for each in game_review(other).players}
    assert {each.name: each.bids for each in both.players} == {
        each.name: each.bids + bids.get(each.name, 0) for each in alone.players
    }
    first = alone.rounds[:-1]  # the end of a part is not that of the game
    assert both.rounds[: len(first)] == first
    assert both.rounds[len(first)].wins[1] == 0  # Ben is not in the second part
    assert [each.round for each in both.rounds].index(None) == len(both.rounds) - 1


def test_rounds_have_the_numbers_of_the_table() -> None:
    desk = FakeDesk()
    desk.do(new_game(zip(PLAYERS, COLOURS, strict=False), starter="Ana"))

    def lost(player: str) -> None:
        desk.do(commands.MakeBid(player, 16, 4), commands.CallDudo())
        desk.do(commands.CountByHand({name: [2] * count for name, count in desk.position.game.dice.items()}))
        desk.do(commands.OpenRound())

    lost("Ana")
    desk.do(commands.MakeBid("Ana", 3, 4), commands.VoidRound())
    lost("Ana")
    desk.do(commands.MakeBid("Ana", 3, 4), commands.SetPlayerDice("Ben", 4), commands.VoidRound())
    lost("Ana")
    desk.do(commands.JoinGame("Dora", "green", 2, after="Cid"), commands.LeaveGame("Ben"))
    lost("Ana")
    (game,) = games(standing_steps(desk.lines))
    found = game_review(game)
    assert len(game.record) > 3
    assert [each.round for each in found.rounds] == [1, 2, 3, 4, None]
    assert {each.round for each in found.decisions} <= {1, 2, 3, 4}
    assert [each.start.round for part in game.record for each in game_of_record(1, part).rounds] == [1, 2, 2, 3, 3, 4]
    for part in map(review, game.record):
        for name, each in part.players.items():
            assert each.luck + each.skill == pytest.approx(part.chances[-1][name] - part.chances[0][name])


def test_a_game_without_a_reveal_has_nothing_to_review(game: Game) -> None:
    found = game_review(replace(game, parts=(game.parts[0][:3],)))
    assert (found.players, found.decisions, found.luckiest, found.rounds, found.puzzles) == ((), (), None, (), ())


@pytest.mark.parametrize("book", sorted(RULESETS))
def test_games_by_every_book_are_reviewed(book: str) -> None:
    """Also with directions of play, calls out of turn and dice that several lose at once."""
    robots = {name: ROBOTS[strength] for name, strength in zip("ABCD", [*Strength, Strength.EASY], strict=False)}
    record = play(robots, 7, ruleset=RULESETS[book], dice=dict.fromkeys(robots, 3)).record
    found = game_review(game_of_record(1, record.splitlines()))
    assert [each.name for each in found.players] == list(robots)
    assert sum(each.luck + each.skill for each in found.players) == pytest.approx(0, abs=0.01)


def test_rounds_of_too_many_players_are_counted_and_left_out_of_the_curve() -> None:
    names = [f"P{n}" for n in range(7)]
    desk = FakeDesk()
    seats = zip(names, COLOURS, strict=False)
    desk.do(new_game(seats, starter="P0", dice=dict.fromkeys(names, 1), rules={"most_players": 8}))
    for loser in names[:2]:
        desk.do(commands.MakeBid(loser, 6, 4), commands.CallDudo())
        desk.do(commands.CountByHand({name: [2] * count for name, count in desk.position.game.dice.items() if count}))
        desk.do(commands.OpenRound())
    found = game_review(games(standing_steps(desk.lines))[0])
    assert (found.unweighed, [each.round for each in found.rounds]) == (1, [2, None])
    assert {each.round for each in found.decisions} <= {2}
