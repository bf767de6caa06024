"""From a journal to games and their records: every record can be replayed, and ends in the position of the table."""

from __future__ import annotations

import json
import random
from itertools import chain

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.palette import COLOURS
from companion import engine
from companion.engine import EngineError
from companion.engine.record import ReplayStep, replay
from companion.engine.rulebooks import with_changes
from companion.review.review import review
from companion.table import commands
from companion.table.errors import TableError
from companion.table.game import events
from companion.table.game.history import standing_steps
from companion.table.game.new_game import STANDARD_DEFAULTS, GameDefaults
from companion.table.game.table_position import Phase, TablePosition, evolve
from companion.table.past.games import Departure, Ending, Game, Return, Round, game_of_record, games
from tests.fakes.desk import FakeDesk
from tests.fakes.new_game import new_game
from tests.fakes.reader import laid_out

NAMES = ("Ana", "Ben", "Cid")
NEW_GAME = new_game(tuple(zip(NAMES, COLOURS, strict=False)), "asmodee-fr", True, "Ana")
FULL = {"Ana": [4, 4, 1, 2, 3], "Ben": [6, 6, 5, 4, 1], "Cid": [2, 2, 2, 3, 5]}
"""Three fours and two pacos."""


class Desk(FakeDesk):
    def __init__(self, *given: commands.Command, defaults: GameDefaults = STANDARD_DEFAULTS) -> None:
        super().__init__(defaults=defaults)
        self.do(*given)

    def do(self, *given: commands.Command) -> Desk:  # type: ignore[override]
        super().do(*given)
        return self

    def undo(self) -> Desk:  # type: ignore[override]
        super().undo()
        return self

    def redo(self) -> Desk:  # type: ignore[override]
        super().redo()
        return self

    def read(self, shown: dict[str, list[int]]) -> Desk:  # type: ignore[override]
        super().read({self.position.colours[name]: faces for name, faces in shown.items()})
        return self

    def called(self, bid: int, caller: str | None = None, **shown: list[int]) -> Desk:
        """A whole round: a bid of `bid` sixes, dudo, and the dice, which are twos unless given."""
        game = self.position.game
        self.do(commands.MakeBid(game.turn, bid, 6))
        self.do(commands.CallDudo() if caller is None else commands.CallCalza(caller))
        return self.read({name: shown.get(name, [2] * count) for name, count in game.dice.items() if count})

    def games(self) -> list[Game]:
        return games(standing_steps(self.lines))

    def game(self) -> Game:
        (game,) = self.games()
        return game


def objects(part: tuple[str, ...]) -> list[dict[str, object]]:
    return [json.loads(line) for line in part]


def replayed(part: tuple[str, ...]) -> list[ReplayStep]:
    steps = list(replay(part))
    assert [str(step.error) for step in steps if step.error] == []
    return steps


def alive(position: engine.Position) -> dict[str, int]:
    return {player: count for player, count in position.dice.items() if count}


def test_what_was_played_is_in_the_record_line_by_line() -> None:
    desk = Desk(NEW_GAME, commands.MakeBid("Ana", 5, 4), commands.CallDudo()).read(FULL).do(commands.OpenRound())
    game = desk.do(commands.MakeBid("Ben", 1, 2)).game()
    assert game.record == (
        (
            '{"event": "game", "ruleset": "asmodee-fr", "players": ["Ana", "Ben", "Cid"], "starter": "Ana", '
            '"calza": true}',
            '{"event": "bid", "player": "Ana", "count": 5, "face": 4}',
            '{"event": "dudo", "player": "Ben"}',
            '{"event": "reveal", "dice": {"Ana": [1, 2, 3, 4, 4], "Ben": [1, 4, 5, 6, 6], "Cid": [2, 2, 2, 3, 5]}}',
            '{"event": "bid", "player": "Ben", "count": 1, "face": 2}',
        ),
    )
    assert (game.number, game.players, game.ending, game.winner) == (1, NAMES, Ending.PLAYING, None)
    assert (game.steps[0][0].starter, len(game.steps), game.round_count) == ("Ana", 5, 2)


def test_house_rules_and_fewer_dice_are_in_the_records_first_line() -> None:
    house = GameDefaults(engine.house_rules({"ruleset": "asmodee-fr", "raises": "any-face"}))
    desk = Desk(msgspec.structs.replace(NEW_GAME, dice={"Ben": 2}, calza=False), defaults=house)
    (line,) = objects(desk.game().record[0])
    assert (line["rules"], line["dice"], line["calza"]) == (
        {"raises": "any-face"},
        {"Ana": 5, "Ben": 2, "Cid": 5},
        False,
    )


def test_a_corrected_verdict_is_in_the_record_once_in_its_final_form() -> None:
    desk = Desk(NEW_GAME, commands.MakeBid("Ana", 5, 4), commands.CallDudo()).read(FULL)
    desk.do(commands.SetDie(0, face=2), commands.SetDie(1, face=2))
    reveals = [line for line in objects(desk.game().record[0]) if line["event"] == "reveal"]
    assert [line["dice"]["Ana"] for line in reveals] == [[1, 2, 2, 2, 3]]
    assert desk.game().rounds[0].outcome.loses == "Ana"
    desk.undo().undo()
    assert desk.game().rounds[0].outcome.loses == "Ben"


def test_a_record_ends_at_a_call_that_a_correction_left_open() -> None:
    desk = Desk(NEW_GAME, commands.MakeBid("Ana", 5, 4), commands.CallDudo()).read(FULL)
    assert [line["event"] for line in objects(desk.do(commands.StrikeDie(0)).game().record[0])] == [
        "game",
        "bid",
        "dudo",
    ]
    assert desk.game().rounds[0].outcome is None


def test_undone_steps_are_in_no_record() -> None:
    desk = Desk(NEW_GAME, commands.MakeBid("Ana", 5, 4)).undo().do(commands.MakeBid("Ana", 2, 3))
    assert [line.get("count") for line in objects(desk.game().record[0])] == [None, 2]
    assert desk.undo().redo().game().rounds[0].bids == (events.BidMade("Ana", 2, 3),)
    assert desk.undo().undo().games() == []


def test_assumed_bids_are_bids_in_the_record() -> None:
    desk = Desk(NEW_GAME, commands.AskCount("dudo")).read(FULL)
    desk.do(commands.TellCall("dudo", "Ana", "Cid", 6, 4))
    bids = [(line["player"], line["count"]) for line in objects(desk.game().record[0]) if line["event"] == "bid"]
    assert (bids[0][0], bids[-1]) == ("Ana", ("Cid", 6))
    replayed(desk.game().record[0])


def test_the_highest_roll_opens_the_record() -> None:
    desk = Desk(msgspec.structs.replace(NEW_GAME, ruleset="hasbro-1994", roll=True))
    assert (desk.game().record, desk.game().entries, desk.game().ending) == ((), (), Ending.PLAYING)
    desk.do(commands.CountByHand({"Ana": [2], "Ben": [6], "Cid": [6]}))
    assert desk.game().record == ()
    desk.do(commands.CountByHand({"Ben": [3], "Cid": [5]}))
    assert objects(desk.game().record[0])[0]["starter"] == "Cid"
    assert desk.game().rolls == ({"Ana": (2,), "Ben": (6,), "Cid": (6,)}, {"Ben": (3,), "Cid": (5,)})


def test_another_game_ends_the_one_before() -> None:
    desk = Desk(NEW_GAME, commands.MakeBid("Ana", 5, 4), msgspec.structs.replace(NEW_GAME, starter="Ben", abandon=True))
    assert [(game.number, game.ending) for game in desk.games()] == [(1, Ending.ENDED), (2, Ending.PLAYING)]
    assert [game.ending for game in desk.do(commands.EndGame()).games()] == [Ending.ENDED, Ending.ENDED]


def test_a_finished_game_has_its_winner() -> None:
    desk = Desk(msgspec.structs.replace(NEW_GAME, players=NEW_GAME.players[:2], dice={"Ana": 1, "Ben": 1})).called(9)
    assert (desk.game().ending, desk.game().winner) == (Ending.WON, "Ben")
    assert replayed(desk.game().record[0])[-1].position.winner == "Ben"


# Parts


def test_after_a_player_leaves_the_record_continues_in_another_part() -> None:
    desk = Desk(NEW_GAME).called(9).do(commands.OpenRound(), commands.MakeBid("Ana", 2, 3), commands.LeaveGame("Ana"))
    game = desk.do(commands.MakeBid("Ben", 1, 5)).game()
    first, second = (objects(part) for part in game.record)
    assert [line["event"] for line in first] == ["game", "bid", "dudo", "reveal", "bid"]
    assert [second[0][name] for name in ("players", "dice", "starter")] == [["Ben", "Cid"], {"Ben": 5, "Cid": 5}, "Ben"]
    assert game.entries[2] == Departure("Ana", 4, conceded=False)
    assert game.round_count == 2
    desk.undo().do(commands.ComeBack("Ana"))
    assert objects(desk.game().record[-1])[0]["dice"] == {"Ana": 4, "Ben": 5, "Cid": 5}
    assert desk.game().entries[-2] == Return("Ana", 4)


def test_void_bids_are_not_raised_in_the_same_part() -> None:
    desk = Desk(NEW_GAME, commands.MakeBid("Ana", 2, 3), commands.LeaveGame("Ben"), commands.ComeBack("Ben"))
    first, second = desk.do(commands.MakeBid("Ana", 1, 3)).game().record
    assert [line["event"] for line in objects(first)] == ["game", "bid"]
    assert replayed(second)[0].position.dice == {"Ana": 5, "Ben": 5, "Cid": 5}


def test_a_palifico_round_stays_palifico_in_another_part() -> None:
    desk = Desk(msgspec.structs.replace(NEW_GAME, dice={"Ana": 2})).called(15)
    assert desk.position.game.palifico == "Ana"
    desk.do(commands.OpenRound(), commands.LeaveGame("Cid", concede=True))
    (_, line) = (objects(part)[0] for part in desk.game().record)
    assert (line["palifico"], line["starter"], line["dice"]) == ("Ana", "Ana", {"Ana": 1, "Ben": 5})


def test_the_last_remaining_player_has_won_even_though_no_record_says_so() -> None:
    desk = Desk(NEW_GAME, commands.LeaveGame("Ben"), commands.LeaveGame("Ana", concede=True))
    game = desk.game()
    assert (game.winner, game.ending, game.record) == ("Cid", Ending.WON, ())
    desk = Desk(NEW_GAME).called(9).do(commands.OpenRound(), commands.LeaveGame("Ana"), commands.LeaveGame("Ben"))
    assert desk.game().winner == "Cid"


def test_no_part_adds_a_palifico_round_that_the_table_did_not_have() -> None:
    """hasbro-1994: palifico once a game. A part says who was palifico before."""
    desk = Desk(
        msgspec.structs.replace(
            NEW_GAME,
            ruleset="hasbro-1994",
            dice={"Ana": 2},
            players=(*NEW_GAME.players, commands.NewPlayer("Dov", "blue")),
        )
    )
    desk.called(9).do(commands.OpenRound())
    assert desk.position.game.palifico == "Ana"
    desk.do(commands.MakeBid("Ana", 1, 6), commands.MakeBid("Ben", 2, 6), commands.CallCalza("Ana"))
    desk.read({"Ana": [6], "Ben": [6, 2, 2, 2, 2], "Cid": [2] * 5, "Dov": [2] * 5}).do(commands.OpenRound())
    assert desk.position.game.dice["Ana"] == 2
    desk.do(commands.LeaveGame("Dov")).called(9).do(commands.OpenRound())
    assert (desk.position.game.dice["Ana"], desk.position.game.palifico) == (1, None)
    game = desk.do(commands.MakeBid("Ana", 1, 6), commands.MakeBid("Ben", 1, 1)).game()  # pacos: a normal round
    assert len(game.record) == 2
    assert objects(game.record[1])[0]["former_palificos"] == ["Ana"]
    for part in game.record:
        replayed(part)


def test_a_part_knows_how_many_dice_there_were_where_calza_ends_at_half_of_them() -> None:
    rules = GameDefaults(with_changes(engine.DEFAULT_RULESET, {"calza_to_half": True}))
    desk = Desk(msgspec.structs.replace(NEW_GAME, dice={"Ana": 5, "Ben": 2, "Cid": 1}), defaults=rules)
    desk.do(commands.MakeBid("Ana", 2, 3), commands.LeaveGame("Cid"), commands.MakeBid("Ana", 2, 3))
    assert desk.position.game.may_calza() == ()
    first, second = desk.game().record
    assert "all_dice" not in objects(first)[0]
    assert objects(second)[0]["all_dice"] == 15
    replayed(second)


# Records from elsewhere


def test_a_record_is_read_as_its_game() -> None:
    own = Desk(NEW_GAME).called(9).do(commands.OpenRound()).called(9, caller="Cid").do(commands.OpenRound()).game()
    read = game_of_record(7, own.record[0])
    assert (read.number, read.players, read.record) == (7, own.players, own.record)
    assert [(each.bids, each.call, each.dice, each.outcome) for each in read.rounds] == [
        (each.bids, each.call, each.dice, each.outcome) for each in own.rounds
    ]
    assert (read.ending, read.steps) == (Ending.ENDED, ())


def test_of_simultaneous_calls_the_game_has_the_one_that_counted() -> None:
    lines = [
        '{"event":"game","ruleset":"asmodee-fr","players":["ana","ben","cid"],"starter":"ana"}',
        '{"event":"bid","player":"ana","count":1,"face":2}',
        '{"event":"together","calls":[{"event":"calza","player":"cid"},{"event":"bid","player":"ben","count":2,"face":2}]}',
        '{"event":"together","calls":[{"event":"calza","player":"ana"},{"event":"dudo","player":"cid"}]}',
    ]
    (round_,) = game_of_record(1, lines).rounds
    assert [bid.player for bid in round_.bids] == ["ana", "ben"]
    assert round_.call == engine.Dudo("cid")


@pytest.mark.parametrize("lines", [[], [""], ["{}"], ['{"event":"dudo","player":"ana"}']])
def test_a_record_with_an_illegal_line_or_none_is_no_game(lines: list[str]) -> None:
    with pytest.raises((EngineError, ValueError)):
        game_of_record(1, lines)


# Everything, at random


def played(chance: random.Random, steps: int) -> Desk:
    """A table at which anything may happen: counts without bids, corrections, undo, leaving, new games."""
    desk = Desk()
    for _ in range(steps):
        if chance.random() < 0.08 and desk.history.last is not None:
            desk.undo()
            if chance.random() < 0.5 and desk.history.undone is not None:
                desk.redo()
            continue
        command = _something(chance, desk.position)
        if isinstance(command, commands.OpenGame):
            rules = chance.choice([{}, {}, {"palifico_again": chance.random() < 0.5}])
            desk.defaults = GameDefaults(with_changes(engine.RULESETS[command.ruleset], rules))
        try:
            desk.do(command)
        except (TableError, EngineError):
            continue
    return desk


def _something(chance: random.Random, now: TablePosition) -> commands.Command:
    if now.phase in (Phase.SEATING, Phase.OVER) or chance.random() < 0.004:
        names = NAMES[: chance.randint(2, 3)]
        return new_game(
            tuple(zip(names, COLOURS, strict=False)),
            chance.choice(list(engine.RULESETS)),
            chance.random() < 0.9,
            names[0],
            abandon=True,
            dice={name: chance.randint(1, 3) for name in names if chance.random() < 0.7},
            roll=chance.random() < 0.2,
        )
    if chance.random() < 0.01:
        return chance.choice([commands.EndGame(), commands.Pause()])
    if now.paused:
        return commands.Resume()
    expected = {each.name: each.dice for each in now.expected()}
    hand = {name: [chance.randint(1, 6) for _ in range(count)] for name, count in expected.items()}
    reading = laid_out(
        {now.colours[name]: faces[: -1 if chance.random() < 0.03 else None] for name, faces in hand.items()},
        uncertain=[(COLOURS[0], 0)] if chance.random() < 0.1 else [],
    )
    read = commands.TakeReading(now.reveals, reading, True)
    fixed = commands.SetDie(chance.randrange(12), chance.randint(1, 6), chance.choice([msgspec.UNSET, *COLOURS[:3]]))
    added = commands.AddDie((10.0, 10.0, 40.0, 40.0), chance.randint(1, 6), chance.choice(COLOURS[:3]))
    someone = chance.choice(list(now.colours))
    game = now.game
    match now.phase:
        case Phase.BIDDING | Phase.ASKING:
            coming = [
                commands.LeaveGame(someone, chance.random() < 0.3),
                *[commands.ComeBack(name) for name in now.away] * 2,
            ]
            bids = [(face, count) for face, count in game.lowest_bids().items() if count is not None]
            face, count = chance.choice(bids)
            bid = commands.MakeBid(game.turn, count + (chance.random() < 0.3), face)
            call = chance.choice(
                [commands.CallDudo(), commands.CallCalza(someone), commands.AskCount("dudo"), bid, bid]
            )
            return chance.choice(coming) if chance.random() < 0.07 else call
        case Phase.CHECKING:
            return chance.choice([commands.CountByHand(hand), fixed, added, commands.AskReading()])
        case Phase.TELLING:
            bid = game.bid or engine.Bid(someone, chance.randint(1, 5), chance.randint(1, 6))
            caller = chance.choice(list(now.colours))
            return commands.TellCall(chance.choice(["dudo", "calza"]), caller, bid.player, bid.count, bid.face)
        case Phase.VERDICT:
            coming = [commands.LeaveGame(someone), commands.OpenRound()]
            return chance.choice(
                [commands.OpenRound(), commands.OpenRound(), fixed, commands.CountByHand(hand), *coming]
            )
        case _:
            return chance.choice([read, read, commands.CountByHand(hand)])


def verdicts(steps: list[events.Events]) -> list[list[engine.Outcome]]:
    """The final verdicts of the table, game by game, which the records must reach too."""
    outcomes: list[list[engine.Outcome]] = []
    position = TablePosition()
    for event in [*chain.from_iterable(steps), events.RoundOpened()]:
        goes_on = isinstance(event, events.RoundOpened | events.GameLeft | events.CameBack | events.GameOpened)
        if goes_on and position.verdict is not None:
            outcomes[-1].append(position.verdict.outcome)
        if isinstance(event, events.GameOpened):
            outcomes.append([])
        if position.game is not None or not isinstance(event, events.RoundOpened):
            position = evolve(position, event)
    return outcomes


@settings(max_examples=30)
@given(st.integers(0, 2**32))
def test_every_part_of_every_record_can_be_replayed_and_ends_in_the_position_of_the_table(seed: int) -> None:
    desk = played(random.Random(seed), 150)
    steps = standing_steps(desk.lines)
    records = games(steps)
    assert [game.number for game in records] == list(range(1, desk.position.games + 1))
    assert list(chain.from_iterable(game.steps for game in records)) == steps
    for game, judged in zip(records, verdicts(steps), strict=True):
        parts = [replayed(part) for part in game.record]
        outcomes = [step.outcome for part in parts for step in part if step.outcome is not None]
        assert outcomes == judged
        assert [each.outcome for each in game.rounds if each.outcome is not None] == judged
        table = TablePosition()
        for event in chain.from_iterable(game.steps):
            table = evolve(table, event)
        ends_with_departure = isinstance(game.entries[-1], Departure) if game.entries else False
        if table.game is not None and not ends_with_departure:
            ended, now = parts[-1][-1].position, table.game
            assert alive(ended) == alive(now)
            assert (ended.winner, ended.phase, ended.turn) == (now.winner, now.phase, now.turn)
            assert (ended.bid, ended.call) == (now.bid, now.call)
            assert ended.starter == now.starter
            if now.ruleset.palifico_again or now.outcome is None:  # else the next round's part would say it
                assert (ended.palifico, ended.wild) == (now.palifico, now.wild)
        assert game.winner == (None if table.game is None else table.game.winner)
        # Each part begins with the dice, opener and palifico of the round at the table.
        begins = iter(game.entries)
        for part in parts:
            opened = part[0].position
            assert any(
                isinstance(entry, Round)
                and (alive(entry.start), entry.start.starter) == (alive(opened), opened.starter)
                and entry.start.palifico == opened.palifico
                for entry in begins
            )
        for lines in game.record:
            again = game_of_record(1, lines)
            assert again.record == (lines,)


def test_random_play_covers_everything() -> None:
    """The games of the test above have parts, rolls, winners, calls told later and corrections."""
    every = [game for seed in range(12) for game in played(random.Random(seed), 150).games()]
    kinds = {type(event) for game in every for event in chain.from_iterable(game.steps)}
    assert kinds >= {events.CameBack, events.GameLeft, events.CountAsked, events.Rolled, events.DieSet, events.Judged}
    assert {game.ending for game in every} == set(Ending)
    assert max(len(game.record) for game in every) >= 3
    assert any(bid.assumed for game in every for each in game.rounds for bid in each.bids)
    assert any(each.start.palifico for game in every for each in game.rounds)


def test_dice_put_right_in_a_palifico_round_leave_a_record_that_replays() -> None:
    """The palifico opened on pacos, and then had two dice after all: the bid was legal when it was made."""
    desk = Desk(msgspec.structs.replace(NEW_GAME, dice={"Ana": 2, "Ben": 2, "Cid": 2}))
    desk.do(commands.MakeBid("Ana", 9, 4), commands.CallDudo())
    desk.do(commands.CountByHand({name: [2, 2] for name in NAMES}), commands.OpenRound())
    desk.do(commands.MakeBid("Ana", 1, 1), commands.SetPlayerDice("Ana", 2), commands.MakeBid("Ben", 2, 1))
    (game,) = games(standing_steps(desk.lines))
    for part in game.record:
        assert all(step.error is None for step in replay(part))
    assert '"accepted": true' in game.record[-1][1]


def test_who_is_put_right_before_the_first_bid_begins_another_part_of_the_record() -> None:
    desk = Desk(msgspec.structs.replace(NEW_GAME, dice={"Ana": 3, "Ben": 2, "Cid": 1}))
    desk.called(9, Ana=[2, 2, 2]).do(commands.SetPlayerDice("Ana", 1), commands.MakeBid("Ana", 1, 1))
    _, second = desk.game().record
    assert objects(second)[0]["palifico"] == "Ana"
    replayed(second)
    desk = Desk(msgspec.structs.replace(NEW_GAME, dice={"Ana": 3, "Ben": 2, "Cid": 1}))
    desk.called(9, Ana=[2, 2, 2]).do(commands.OpenRound(), commands.MakeBid("Ana", 2, 4))
    desk.do(commands.SetPlayerDice("Ana", 1), commands.MakeBid("Ben", 1, 1))
    assert [each.start.palifico for each in desk.game().rounds] == [None, None]
    for part in desk.game().record:
        replayed(part)


@pytest.mark.parametrize(("open_lost", "seen"), [(True, None), (False, {"Ana": 2, "Ben": 2, "Cid": 1})])
def test_the_record_says_what_players_knew_of_hidden_dice(open_lost: bool, seen: dict[str, int] | None) -> None:
    """Ana has lost one of three in the open; that Ben has three, nobody knew when he bid."""
    desk = Desk(msgspec.structs.replace(NEW_GAME, dice={"Ana": 3, "Ben": 2, "Cid": 1}, open_lost=open_lost))
    desk.called(9, Ana=[2, 2, 2]).do(commands.OpenRound(), commands.MakeBid("Ana", 2, 4))
    desk.do(commands.SetPlayerDice("Ben", 3), commands.MakeBid("Ben", 3, 4), commands.VoidRound())
    desk.do(commands.MakeBid("Ana", 3, 3))
    for part in desk.game().record[-2:]:
        began = objects(part)[0]
        assert (began["dice"], began.get("seen")) == ({"Ana": 2, "Ben": 3, "Cid": 1}, seen)
        replayed(part)


def test_a_record_ends_at_the_verdict_without_a_palifico_that_the_table_does_not_have() -> None:
    desk = Desk(msgspec.structs.replace(NEW_GAME, ruleset="hasbro-1994", dice={"Ana": 2, "Ben": 5, "Cid": 2}))
    desk.called(9, Ana=[3, 3]).do(commands.OpenRound())  # Ana is palifico
    desk.do(commands.MakeBid("Ana", 1, 3), commands.MakeBid("Ben", 2, 3), commands.CallCalza("Ana"))
    desk.read({"Ana": [3], "Ben": [3, 2, 2, 2, 2], "Cid": [2, 2]}).do(commands.LeaveGame("Cid"))
    desk.called(9)
    assert (desk.position.phase, alive(desk.position.game)) == (Phase.VERDICT, {"Ana": 1, "Ben": 5})
    assert desk.position.game.palifico is None
    part = desk.game().record[-1]
    assert objects(part)[0]["former_palificos"] == ["Ana"]
    assert replayed(part)[-1].position.palifico is None
    assert "former_palificos" not in objects(desk.game().record[0])[0]


def test_a_palifico_round_that_three_began_is_exported_when_one_has_left() -> None:
    rules = GameDefaults(with_changes(engine.DEFAULT_RULESET, {"palifico_rounds": "not-with-two"}))
    desk = Desk(msgspec.structs.replace(NEW_GAME, dice={"Ana": 2, "Ben": 2, "Cid": 2}), defaults=rules)
    desk.called(9).do(commands.OpenRound(), commands.LeaveGame("Cid"), commands.MakeBid("Ana", 1, 1))
    part = desk.game().record[-1]
    assert objects(part)[0]["palifico"] == "Ana"
    replayed(part)


def test_an_opening_that_everybody_let_pass_turns_the_bids_and_its_pacos_are_not_wild() -> None:
    house = {"opener_chooses_direction": True, "opened_on_pacos_wild": False}
    desk = Desk(NEW_GAME, defaults=GameDefaults(with_changes(engine.DEFAULT_RULESET, house)))
    desk.do(commands.MakeBid("Cid", 2, 1, direction="counterclockwise", accepted=True))
    assert desk.position.game.turn == "Ben"
    (played,) = desk.game().rounds
    assert (desk.position.game.wild, played.wild) == (False, False)
    again = game_of_record(1, desk.game().record[0])
    assert (again.rounds, again.rounds[0].wild) == (desk.game().rounds, False)


# Games of older programs


def test_bids_that_an_older_program_allowed_still_stand() -> None:
    twice = GameDefaults(with_changes(engine.DEFAULT_RULESET, {"leaving_pacos": "twice"}))
    desk = Desk(NEW_GAME, commands.MakeBid("Ana", 4, 4), commands.MakeBid("Ben", 2, 1), defaults=twice)
    with pytest.raises(engine.IllegalBidError):
        desk.do(commands.MakeBid("Cid", 4, 4))
    desk.take((events.BidMade("Cid", 4, 4),))
    desk.undo().redo().do(commands.CallDudo()).read(FULL)
    game = desk.game()
    assert [(bid.count, bid.accepted) for bid in game.rounds[0].bids] == [(4, False), (2, False), (4, False)]
    assert game.rounds[0].outcome.loses == "Ana"
    (part,) = game.record
    assert alive(replayed(part)[-1].position) == alive(desk.position.game)
    assert [line.get("accepted") for line in objects(part)[1:4]] == [None, None, True]


def test_a_kept_record_of_an_older_program_is_read_as_it_was_played() -> None:
    desk = Desk(NEW_GAME, commands.MakeBid("Ana", 4, 4), commands.MakeBid("Ben", 2, 1))
    game, *lines = desk.game().record[0]
    kept = [
        json.dumps(json.loads(game) | {"rules": {"leaving_pacos": "twice"}}),
        *lines,
        '{"event": "bid", "player": "Cid", "count": 4, "face": 4}',
        '{"event": "dudo", "player": "Ana"}',
        json.dumps({"event": "reveal", "dice": FULL}),
    ]
    assert [step.error and step.error.code for step in replay(kept)][3] == "illegal-bid"
    found = game_of_record(1, kept)
    assert [(bid.player, bid.count, bid.face) for bid in found.rounds[0].bids][-1] == ("Cid", 4, 4)
    assert found.rounds[0].outcome is not None
    assert len(review(found.record[0]).decisions) == 4
    with pytest.raises(engine.IllegalBidError):
        game_of_record(1, [*kept[:3], '{"event": "bid", "player": "Cid", "count": 3, "face": 4}'])
