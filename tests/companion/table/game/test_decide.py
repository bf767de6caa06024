"""Commands compared with the engine, and random games that try everything."""

from __future__ import annotations

import pytest

from calibration.palette import COLOURS
from companion import engine
from companion.engine import EngineError
from companion.engine.rulebooks import with_changes
from companion.messages.message import Message
from companion.table import commands
from companion.table.errors import NotAllowedNowError, TableError, UnreadableCommandError
from companion.table.game import events
from companion.table.game.new_game import GameDefaults
from companion.table.game.table_position import Phase
from companion.table.state.signs import lamps
from hardware.panel.lamp_patterns import LampPattern
from tests.fakes.desk import FakeDesk
from tests.fakes.new_game import new_game
from tests.fakes.reader import laid_out

NAMES = ("Ana", "Ben", "Cid")
COMPANY = tuple(zip(NAMES, COLOURS, strict=False))
HOUSE_RULES = {"raises": "any-face", "calza_by": "not-next", "locked_face_changed_by": "former-palifico"}
NEW_GAME = new_game(COMPANY, "asmodee-fr", True, "Ana")


UNSHOWN = (
    "\u3164", "\u2800", "\ufe0f", "\u0301", "\u0301na", "\u200d", "\u200b", "Be\u200bn", "Ben\u200d", "\u200cBen",
    "B\u202en", "B\u00a0n", "a" + "\u0301" * 4, "\U000e0041", "\ue000", "\u115f", "Be\u034fn",
)  # fmt: skip
"""Names that show nothing, or not what they are."""
LIKE_ANA = ("ANA", "ana", "\uff21na", "A\u200dna", "Ana\ufe0f")
SHOWN = (
    "Be\u0301n", "B\u00e9n", "<img src=x onerror=1>", "\U0001f469\u200d\U0001f469\u200d\U0001f467", "\u2764\ufe0f",
    "1\ufe0f\u20e3", "\u0639\u0644\u064a", "\u0645\u06cc\u200c\u0646\u0627", "\u05e9\u05bc\u05c1", "O'Neill",
)  # fmt: skip


FULL = {"red": [4, 4, 1, 2, 3], "orange": [6, 6, 5, 4, 1], "yellow": [2, 2, 2, 3, 5]}
"""Three fours and two pacos."""


def by_house_rules(rules: dict[str, object]) -> GameDefaults:
    return GameDefaults(with_changes(engine.RULESETS["asmodee-fr"], rules))


@pytest.fixture
def desk() -> FakeDesk:
    desk = FakeDesk()
    desk.do(NEW_GAME)
    return desk


@pytest.fixture
def called(desk: FakeDesk) -> FakeDesk:
    desk.do(commands.MakeBid("Ana", 5, 4), commands.CallDudo("Ben"))
    return desk


# The order of refusals


@pytest.mark.parametrize("at", ["opening", "bid", "out", "reveal", "verdict", "over"])
@pytest.mark.parametrize("calza", [True, False])
def test_a_bid_or_call_is_refused_for_the_same_reason_as_in_a_record(at: str, calza: bool) -> None:
    desk = FakeDesk()
    desk.do(new_game(COMPANY, "asmodee-it", calza, "Ana", dice={"Ana": 5, "Ben": 1, "Cid": 1}))
    if at != "opening":
        desk.do(commands.MakeBid("Ana", 2, 4))
    if at in ("out", "verdict", "over"):
        desk.do(commands.CallDudo("Ben"), commands.CountByHand({"Ana": [4, 4, 4, 2, 2], "Ben": [3], "Cid": [2]}))
    if at == "out":
        desk.do(commands.OpenRound(), commands.MakeBid("Cid", 1, 4))
    if at == "over":
        desk.do(commands.OpenRound(), commands.MakeBid("Cid", 9, 4), commands.CallDudo("Ana"))
        desk.do(commands.CountByHand({"Ana": [4, 4, 4, 2, 2], "Cid": [2]}))
    if at == "reveal":
        desk.do(commands.CallDudo("Ben"))
    position = desk.position
    # A record goes on with the next round at once.
    game = position.game_at_call if at in ("reveal", "verdict") else position.game
    refused = 0
    for player in (*NAMES, "Zoe"):
        pairs = [
            *(
                (commands.MakeBid(player, count, face), engine.Bid(player, count, face))
                for count, face in ((1, 1), (1, 4), (3, 4), (9, 6))
            ),
            (commands.CallDudo(player), engine.Dudo(player)),
            (commands.CallCalza(player), engine.Calza(player)),
        ]
        for command, event in pairs:
            expected = game.check(event)
            if expected is None:
                desk.do(command)
                desk.undo()
                continue
            with pytest.raises((EngineError, TableError)) as caught:
                desk.do(command)
            assert caught.value.code == expected.code, command
            refused += 1
    assert refused > 5
    reveal = {"Zoe": []}
    with pytest.raises((EngineError, TableError)) as caught:
        desk.do(commands.CountByHand(reveal))
    assert caught.value.code == game.check(engine.Reveal(reveal)).code == "unknown-player"


# New games


@pytest.mark.parametrize(
    ("players", "code"),
    [
        ([("Ana", "red")], "bad-player"),
        ([("Ana", "red"), ("Ana", "blue")], "bad-player"),
        ([("Ana", "red"), ("Ben", "red")], "bad-player"),
        ([("Ana", "red"), ("Ben", "pink")], "bad-colour"),
        ([("Ana", "red"), ("x" * 25, "blue")], "bad-player"),
        ([("Ana", "red"), (" Ben", "blue")], "bad-player"),
        ([("Ana", "red"), ("dudo", "blue")], "bad-player"),
        ([("Ana", "red"), ("", "blue")], "bad-record"),
        ([("Ana", "red"), ("B\n", "blue")], "bad-player"),
        *(([("Ana", "red"), (name, "blue")], "bad-player") for name in UNSHOWN),
        *(([("Ana", "red"), (name, "blue")], "bad-player") for name in LIKE_ANA),
    ],
)
def test_an_impossible_company_is_refused(players: list[tuple[str, str]], code: str) -> None:
    with pytest.raises((TableError, EngineError)) as refused:
        FakeDesk().do(new_game(players, "asmodee-fr", True, "Ana"))
    assert refused.value.code == code


@pytest.mark.parametrize("name", SHOWN)
def test_a_name_may_be_in_any_script(name: str) -> None:
    desk = FakeDesk()
    desk.do(new_game([("Ana", "red"), (name, "blue")], "asmodee-fr", True, "Ana"))
    assert desk.happened[0] == events.GameOpened(("Ana", name), ("red", "blue"), "asmodee-fr", True, "Ana")
    assert events.from_json(*events.to_json(desk.happened[0])) == desk.happened[0]


@pytest.mark.parametrize("players", [[("Ana", "red")], [("Ana", "red")] * 2, [("Ana", "red"), ("Ben", "red")]])
def test_the_page_can_translate_the_refusal_of_a_company(players: list[tuple[str, str]]) -> None:
    with pytest.raises(TableError) as refused:
        FakeDesk().do(new_game(players, "asmodee-fr", True, "Ana"))
    assert isinstance(refused.value.sentence, Message)


def test_an_unknown_ruleset_is_refused_with_the_names_of_the_known_ones() -> None:
    with pytest.raises(UnreadableCommandError, match="asmodee-fr"):
        FakeDesk().do(new_game(COMPANY, "house", True, "Ana"))


def test_house_rules_decide_verdicts_and_stay_with_the_game() -> None:
    desk = FakeDesk(defaults=by_house_rules({"raises": "any-face"}))
    position = desk.do(NEW_GAME)
    assert desk.happened == [
        events.GameOpened(NAMES, COLOURS[:3], "asmodee-fr", True, "Ana", (("raises", "any-face"),))
    ]
    assert position.game.ruleset == engine.house_rules({"ruleset": "asmodee-fr", "raises": "any-face"})
    assert desk.do(commands.MakeBid("Ana", 3, 5), commands.MakeBid("Ben", 4, 2)).game.bid.face == 2


def test_a_house_rule_equal_to_the_book_is_dropped() -> None:
    desk = FakeDesk(defaults=by_house_rules({"raises": "one-of-two"}))
    desk.do(NEW_GAME)
    assert desk.happened[0].rules == ()


@pytest.mark.parametrize("rules", [{"raises": "any"}, {"raise": "any-face"}, {"ruleset": "web-fr"}])
def test_invalid_house_rules_are_refused(rules: dict[str, object]) -> None:
    with pytest.raises(engine.BadRecordError):
        FakeDesk(defaults=by_house_rules(rules)).do(NEW_GAME)


def test_a_game_in_progress_is_not_abandoned_by_accident(called: FakeDesk) -> None:
    with pytest.raises(NotAllowedNowError, match="end it early"):
        called.do(NEW_GAME)
    position = called.do(new_game(COMPANY, "asmodee-fr", True, "Ben", abandon=True))
    assert (position.games, position.phase) == (2, Phase.BIDDING)


# Calls


def test_nothing_can_be_done_before_a_game() -> None:
    for command in (commands.MakeBid("Ana", 1, 2), commands.CallDudo(), commands.OpenRound(), commands.AskReading()):
        with pytest.raises(NotAllowedNowError, match="nobody is playing"):
            FakeDesk().do(command)


def test_the_calza_button_asks_who_called_when_several_may(desk: FakeDesk) -> None:
    position = desk.do(commands.MakeBid("Ana", 5, 4), commands.CallCalza())
    assert (position.phase, position.possible_callers) == (Phase.ASKING, ("Ben", "Cid"))
    with pytest.raises(engine.CalzaNotAllowedError):
        desk.do(commands.NameCaller("Ana"))
    assert desk.do(commands.NameCaller("Cid")).phase is Phase.READING
    assert desk.read(FULL).verdict.outcome.correct
    alone = FakeDesk()
    alone.do(new_game(COMPANY[:2], "asmodee-fr", True, "Ana"), commands.MakeBid("Ana", 5, 4))
    assert alone.do(commands.CallCalza()).phase is Phase.READING


# Readings and corrections


def test_the_verdict_follows_the_correction_that_solves_the_last_problem(called: FakeDesk) -> None:
    wrong = {"red": [4, 4, 1, 2], "orange": [6, 6, 5, 4, 1, 1], "yellow": [2, 2, 2, 3, 5], "white": [3]}
    assert called.read(wrong).phase is Phase.CHECKING
    assert called.do(commands.AddDie((500.0, 500.0, 40.0, 40.0), 3, "red")).phase is Phase.CHECKING
    assert called.do(commands.StrikeDie(9)).phase is Phase.CHECKING
    position = called.do(commands.StrikeDie(15))
    assert position.phase is Phase.VERDICT
    assert position.verdict.outcome.count == 5


def test_a_correction_after_the_verdict_judges_again(called: FakeDesk) -> None:
    assert called.read(FULL).verdict.outcome.loses == "Ben"
    position = called.do(commands.SetDie(0, face=2))
    assert (position.verdict.outcome.count, position.verdict.outcome.loses) == (4, "Ana")
    assert position.game.dice == {"Ana": 4, "Ben": 5, "Cid": 5}
    assert position.game.round == 2
    position = called.do(commands.SetDie(0, colour="orange"))
    assert (position.phase, position.verdict) == (Phase.CHECKING, None)
    assert position.game.dice == {"Ana": 5, "Ben": 5, "Cid": 5}


def test_a_correction_can_take_back_the_end_of_the_game() -> None:
    desk = FakeDesk()
    desk.do(new_game(COMPANY[:2], "asmodee-fr", True, "Ana"))
    while desk.position.phase is not Phase.OVER:
        game = desk.position.game
        desk.do(commands.MakeBid(game.turn, 11, 2), commands.CallDudo())
        desk.read({colour: [3] * game.dice[name] for name, colour in COMPANY[:2]})
        if desk.position.phase is Phase.VERDICT:
            desk.do(commands.OpenRound())
    assert desk.position.verdict.winner is not None
    with pytest.raises(NotAllowedNowError):
        desk.do(commands.OpenRound())
    hand = {name: [2] * game.dice[name] for name in NAMES[:2]}
    assert desk.do(commands.CountByHand(hand)).phase is Phase.OVER  # two dice cannot be eleven


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (commands.SetDie(99, face=2), "unknown-die"),
        (commands.StrikeDie(99), "unknown-die"),
        (commands.AddDie((1270.0, 0.0, 40.0, 40.0), 2, "red"), "bad-die"),
        (commands.AddDie((-1.0, 0.0, 40.0, 40.0), 2, "red"), "bad-die"),
        (commands.AddDie((0.0, -1.0, 40.0, 40.0), 2, "red"), "bad-die"),
        (commands.AddDie((0.0, 930.0, 40.0, 40.0), 2, "red"), "bad-die"),
        (commands.AddDie((0.0, 0.0, 0.0, 40.0), 2, "red"), "bad-die"),
        (commands.AddDie((float("nan"), 0.0, 40.0, 40.0), 2, "red"), "bad-die"),
    ],
)
def test_an_impossible_correction_is_refused(called: FakeDesk, command: commands.Command, code: str) -> None:
    before = called.read(FULL)
    with pytest.raises(UnreadableCommandError) as refused:
        called.do(command)
    assert refused.value.code == code
    assert called.position == before


def test_a_correction_of_a_die_says_its_face_or_its_colour() -> None:
    with pytest.raises(ValueError, match="face"):
        commands.SetDie(0)


def test_a_count_by_hand_is_judged_and_can_be_repeated(called: FakeDesk) -> None:
    hand = {"Ana": [4, 4, 4, 4, 4], "Ben": [2] * 5, "Cid": [2] * 5}
    position = called.do(commands.CountByHand(hand))
    assert (position.verdict.outcome.count, position.reading) == (5, None)
    with pytest.raises(NotAllowedNowError, match="by hand"):
        called.do(commands.SetDie(0, face=2))
    position = called.do(commands.CountByHand(hand | {"Ana": [4, 4, 4, 4, 2]}))
    assert (position.verdict.outcome.count, position.verdict.outcome.loses) == (4, "Ana")


def test_a_count_of_the_wrong_number_of_dice_is_refused(called: FakeDesk) -> None:
    with pytest.raises(engine.DiceMismatchError):
        called.do(commands.CountByHand({"Ana": [4], "Ben": [2] * 5, "Cid": [2] * 5}))
    with pytest.raises(engine.BadRecordError):
        called.do(commands.CountByHand({"Ana": [7] * 5, "Ben": [2] * 5, "Cid": [2] * 5}))


def test_a_reading_for_an_earlier_request_is_late(called: FakeDesk) -> None:
    early = commands.TakeReading(called.position.reveals, laid_out(FULL), True)
    called.do(commands.AskReading())
    with pytest.raises(NotAllowedNowError, match="too late"):
        called.do(early)


# Lamps


def test_every_lamp_in_every_phase(desk: FakeDesk) -> None:
    off, on, blink = LampPattern.OFF, LampPattern.ON, LampPattern.BLINK

    def shown() -> tuple[LampPattern, ...]:
        return tuple(lamps(desk.state()).values())

    assert lamps(FakeDesk().state()) == {"dudo": off, "calza": off}
    assert list(lamps(desk.state())) == ["dudo", "calza", "Ana", "Ben", "Cid"]
    assert shown() == (off, off, on, off, off)
    desk.do(commands.MakeBid("Ana", 5, 4))
    assert shown() == (on, on, off, on, off)
    desk.do(commands.CallCalza())
    assert shown() == (off, blink, off, blink, blink)
    desk.do(commands.NameCaller("Cid"))
    assert shown() == (off, blink, off, off, on)
    desk.read(FULL | {"yellow": [2, 2, 2, 3]})
    assert shown() == (off, blink, off, off, blink)
    desk.do(commands.CountByHand({"Ana": [4] * 5, "Ben": [2] * 5, "Cid": [2] * 5}))
    assert shown() == (on, off, off, off, on)  # calza was right, and Cid has all five dice already


def test_the_loser_blinks_and_another_opener_is_lit() -> None:
    desk = FakeDesk()
    desk.do(new_game(COMPANY, "asmodee-fr", True, "Ana"))
    while desk.position.game.dice["Ana"]:
        if desk.position.phase is Phase.VERDICT:
            desk.do(commands.OpenRound())
        game = desk.position.game
        desk.do(commands.MakeBid("Ana", 30, 2), commands.CallDudo())
        desk.read({colour: [3] * game.dice[name] for name, colour in COMPANY})
    assert list(lamps(desk.state()).values())[2:] == [LampPattern.DOUBLE, LampPattern.ON, LampPattern.OFF]
