"""Who came in where, in games that are played at a table."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from itertools import chain, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.palette import COLOURS
from companion.engine import EngineError
from companion.engine.record import parse_line
from companion.member.records import places_of, with_names
from companion.table import commands
from companion.table.errors import TableError
from companion.table.game import events
from companion.table.game.history import by_round, standing_steps
from companion.table.game.table_position import Phase, TablePosition, evolve
from companion.table.past.games import Ending, Game, games
from tests.fakes.desk import FakeDesk
from tests.fakes.new_game import new_game
from tests.fakes.past_games import random_game


class Table(FakeDesk):
    """A table at which players lose dice on purpose."""

    def open(self, **dice: int) -> Table:
        first = next(iter(dice))
        self.do(new_game(zip(dice, COLOURS, strict=False), "asmodee-fr", True, first, dice=dice, abandon=True))
        return self

    def judge(self, loser: str) -> Table:
        """A round that `loser` loses: by a bid of too many dice if on turn, else by a wrong calza."""
        game = self.position.game
        if game.turn == loser:
            self.do(commands.MakeBid(loser, 99, 6), commands.CallDudo())
        else:
            self.do(commands.MakeBid(game.turn, 1, 6), commands.CallCalza(loser))
        return self.count()

    def count(self, **shown: list[int]) -> Table:
        """The players count their dice by hand: twos, unless given."""
        dice = {name: [2] * dice for name, dice in self.position.game.dice.items() if dice}
        self.do(commands.CountByHand(dice | shown))
        return self

    def lose(self, *losers: str) -> Table:
        """Rounds that these players lose, each to the end."""
        for loser in losers:
            self.judge(loser)
            if self.position.phase is Phase.VERDICT:
                self.do(commands.OpenRound())
        return self

    def play(self, *given: commands.Command) -> Table:
        self.do(*given)
        return self

    def game(self) -> Game:
        return games(standing_steps(self.lines))[-1]

    def places(self) -> str:
        """As "Cid, Ana, Ben"."""
        return ", ".join(map("=".join, places_of(self.game())))


def leave(player: str) -> commands.LeaveGame:
    return commands.LeaveGame(player)


def concede(player: str) -> commands.LeaveGame:
    return commands.LeaveGame(player, concede=True)


def test_who_lost_the_last_die_later_has_the_better_place() -> None:
    table = Table().open(Ana=1, Ben=2, Cid=2, Dov=1).lose("Dov", "Ben", "Ana", "Cid", "Cid")
    assert table.places() == "Ben, Cid, Ana, Dov"


def test_a_game_without_a_winner_has_no_places() -> None:
    table = Table().open(Ana=1, Ben=1, Cid=1).lose("Ben")
    assert places_of(table.game()) == ()
    assert places_of(table.play(commands.EndGame()).game()) == ()
    table.open(Ana=1, Ben=1).lose("Ana")
    first, second = games(standing_steps(table.lines))
    assert (first.ending, places_of(first), places_of(second)) == (Ending.ENDED, (), (("Ben",), ("Ana",)))


def test_who_left_or_gave_up_is_placed_when_that_was() -> None:
    table = Table().open(Ana=2, Ben=1, Cid=1, Dov=2, Eva=1).lose("Eva").play(leave("Dov")).lose("Ben")
    assert table.play(concede("Ana")).places() == "Cid, Ana, Ben, Dov, Eva"


def test_who_came_back_has_not_left() -> None:
    table = Table().open(Ana=1, Ben=1, Cid=1, Dov=1).play(leave("Ana")).lose("Ben")
    table.play(commands.ComeBack("Ana")).lose("Cid")
    assert table.lose("Ana").places() == "Dov, Ana, Cid, Ben"


def test_who_came_back_may_win_or_leave_again() -> None:
    table = Table().open(Ana=1, Ben=1, Cid=1).play(leave("Ana"), commands.ComeBack("Ana"), leave("Ben"))
    assert table.lose("Cid").places() == "Ana, Cid, Ben"
    table.open(Ana=1, Ben=1, Cid=1).play(leave("Ana"), commands.ComeBack("Ana"), leave("Ben"), leave("Ana"))
    assert table.places() == "Cid, Ana, Ben"


def test_a_corrected_verdict_takes_out_whom_it_says_at_last() -> None:
    table = Table().open(Ana=1, Ben=1, Cid=1).play(commands.MakeBid("Ana", 1, 6), commands.CallDudo())
    table.count().count(Ana=[6])  # first Ana was out, then the bid held
    table.play(commands.OpenRound())
    assert table.lose("Ana").places() == "Cid, Ana, Ben"


def test_a_corrected_last_verdict_has_another_winner() -> None:
    table = Table().open(Ana=1, Ben=1, Cid=1).lose("Cid").play(commands.MakeBid("Ana", 1, 6), commands.CallDudo())
    assert table.count().places() == "Ben, Ana, Cid"
    assert table.count(Ana=[6]).places() == "Ana, Ben, Cid"


def test_who_was_wrongly_out_goes_out_later() -> None:
    table = Table().open(Ana=1, Ben=3, Cid=1).lose("Ana").play(commands.SetPlayerDice("Ana", 2)).lose("Cid")
    assert table.lose("Ana").lose("Ana").places() == "Ben, Ana, Cid"


@pytest.mark.parametrize("seed", range(3))
def test_an_imported_record_has_places_too(seed: int) -> None:
    game = random_game(1, ("Ana", "Ben", "Cid", "Dov"), random.Random(seed))
    out = [each.outcome.eliminated for each in game.rounds if each.outcome.eliminated]
    assert places_of(game) == ((game.winner,), *((name,) for name in reversed(out)))
    assert sorted(chain(*places_of(game))) == ["Ana", "Ben", "Cid", "Dov"]


# At random


def last_dice(game: Game) -> dict[str, int]:
    """After which event each player had dice for the last time."""
    found: dict[str, int] = {}
    position = TablePosition()
    for number, event in enumerate(chain.from_iterable(game.steps)):
        position = evolve(position, event)
        if position.game is not None:
            found |= {name: number for name, dice in position.game.dice.items() if dice}
    return found


@settings(max_examples=40)
@given(st.randoms(use_true_random=False))
def test_places_are_in_the_order_in_which_players_had_dice_for_the_last_time(chance: random.Random) -> None:
    for game in random_games(chance):
        last = last_dice(game)
        expected = sorted(last, key=lambda name: -last[name]) if game.winner is not None else []
        assert [*chain(*places_of(game))] == expected
        assert not expected or (expected[0], set(expected)) == (game.winner, set(game.players))


@settings(max_examples=40)
@given(st.randoms(use_true_random=False))
def test_a_round_lasts_until_its_bids_are_judged_or_void(chance: random.Random) -> None:
    for game in random_games(chance):
        now = TablePosition()
        for opens, *more in by_round(chain.from_iterable(game.steps)):
            now = evolve(now, opens)
            assert (now.bids, now.verdict) == ((), None)
            for event in more:
                before, now = now, evolve(now, event)
                assert now.bids[: len(before.bids)] == before.bids
                assert before.phase is not Phase.VERDICT or now.phase is not Phase.BIDDING


def test_games_at_random_have_everything_that_can_happen() -> None:
    played = [game for seed in range(60) for game in random_games(random.Random(seed))]
    won = [game for game in played if game.winner is not None]
    kinds = {type(event) for game in won for event in chain.from_iterable(game.steps)}
    assert kinds >= {events.GameLeft, events.CameBack, events.NewcomerSeated, events.RoundVoided, events.PlayerDiceSet}
    assert any(_judged_twice(game) for game in won)
    assert len(won) > 20
    assert max(len(game.players) for game in won) >= 5


def random_games(chance: random.Random) -> list[Game]:
    table = Table()
    for _ in range(60):
        now = table.position
        if now.phase in (Phase.SEATING, Phase.OVER) and (now.verdict is None or chance.random() < 0.5):
            names = ("Ana", "Ben", "Cid", "Dov")[: chance.randint(2, 4)]
            table.open(**{name: chance.randint(1, 2) for name in names})
            continue
        if chance.random() < 0.05 and table.history.last is not None:
            table.undo()
            continue
        try:
            table.do(_something(chance, now))
        except (TableError, EngineError):
            continue
    return games(standing_steps(table.lines))


def _something(chance: random.Random, now: TablePosition) -> commands.Command:
    someone, game = chance.choice(list(now.colours)), now.game
    hand = {name: [chance.randint(1, 6) for _ in range(dice)] for name, _, dice in _expected(now)}
    if chance.random() < 0.15:
        unused = next(colour for colour in COLOURS if colour not in now.colours.values())
        return chance.choice(
            [
                commands.LeaveGame(someone, concede=chance.random() < 0.3),
                commands.ComeBack(chance.choice(list(now.away) or [someone])),
                commands.JoinGame(f"New {len(now.colours)}", unused, chance.randint(1, 2), after=someone),
                commands.SetPlayerDice(someone, chance.randint(1, 3)),
                commands.VoidRound(),
            ]
        )
    if now.phase is Phase.BIDDING and game.bid is None:
        return commands.MakeBid(game.turn, chance.randint(1, 4), 6)
    if now.phase is Phase.BIDDING:
        return chance.choice([commands.CallDudo(), commands.CallDudo(), commands.CallCalza(someone)])
    if now.phase is Phase.VERDICT and chance.random() < 0.7:
        return commands.OpenRound()
    return commands.CountByHand(hand)


def _expected(now: TablePosition) -> Iterable[tuple[str, str, int]]:
    return ((each.name, each.colour, each.dice) for each in now.expected())


def _judged_twice(game: Game) -> bool:
    kinds = [type(event) for event in chain.from_iterable(game.steps)]
    return (events.Judged, events.CountedByHand) in pairwise(kinds)


def test_players_have_their_other_names_everywhere() -> None:
    game = {"event": "game", "ruleset": "hasbro-1994", "players": ["Ana", "Ben"], "starter": "Ana", "palifico": "Ana"}
    counts = {"Ana": 1, "Ben": 3}
    line = json.dumps(game | {"dice": counts, "seen": counts, "former_palificos": ["Ana"], "calza_said": ["Ben"]})
    (renamed,) = with_names([parse_line(line)], lambda name: name[0] + "." + name)
    assert json.loads(renamed) == json.loads(line.replace("Ana", "A.Ana").replace("Ben", "B.Ben")) | {"calza": True}
