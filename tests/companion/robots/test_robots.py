"""The robots: legal under any rules, and each stronger than the one below."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine import FACES, RULESETS, Bid, Call, Calza, Dudo, GamePhase, GameStarted, Position, Reveal, Ruleset
from companion.engine.record import parse_line, replay
from companion.engine.rulebooks import RULE_FIELDS, values_of
from companion.engine.ruleset import LeavingPacos
from companion.review.models import fitted_models
from companion.robots import ROBOTS, PlayerView, Robot, Strength, duel, play
from companion.robots.__main__ import main
from companion.robots.self_play import next_call, random_rules

ASMODEE = RULESETS["asmodee-fr"]


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """Any of the six books, with any house rules."""
    book = draw(st.sampled_from(list(RULESETS.values())))
    rules = draw(st.sets(st.sampled_from([rule for rule in RULE_FIELDS if rule != "most_players"]), max_size=4))
    return replace(book, most_players=8, **{rule: draw(st.sampled_from(values_of(rule))) for rule in rules})  # type: ignore[arg-type]


@st.composite
def views(draw: st.DrawFn) -> PlayerView:
    """What a player knows in a random round, after bids that need not make sense."""
    rules = draw(rulesets())
    players = tuple("ABCDEFGH"[: draw(st.integers(2, 8))])
    dice = {player: draw(st.integers(1, rules.dice_each)) for player in players}
    starter = draw(st.sampled_from(players))
    palifico = starter if dice[starter] == 1 and draw(st.booleans()) else None
    if not rules.has_palifico_rounds(len(players)):
        palifico = None
    position = Position.start(GameStarted(rules, players, starter, draw(st.booleans()), dice, palifico))
    bids: list[Bid] = []
    for _ in range(draw(st.integers(0, 12))):
        legal = [face for face in FACES if position.counts(face).lowest is not None]
        if not legal:
            break
        face = draw(st.sampled_from(legal))
        counts = position.counts(face)
        assert counts.lowest is not None
        count = min(counts.lowest + draw(st.integers(0, 2)), counts.highest or 99)
        assert position.turn is not None
        bids.append(Bid(position.turn, count, face))
        position = position.apply(bids[-1])
    player = draw(st.sampled_from(players))
    hand = draw(st.lists(st.sampled_from(FACES), min_size=dice[player], max_size=dice[player]))
    return PlayerView(player, tuple(hand), position, tuple(bids))


@pytest.mark.parametrize("robot", ROBOTS.values(), ids=ROBOTS.keys())
@settings(max_examples=50, deadline=None)
@given(view=views(), seed=st.integers(0, 99))
def test_every_decision_is_legal(robot: Robot, view: PlayerView, seed: int) -> None:
    luck = random.Random(seed)
    if view.player == view.position.turn:
        assert view.position.check(robot.decide(view, luck)) is None
    else:
        call = robot.interject(view, luck)
        assert call is None or view.position.check(call) is None


class Patient:
    """Another robot, which stops after so many calls as no game has."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        self.calls = 0

    def decide(self, view: PlayerView, luck: random.Random) -> Call:
        self.calls += 1
        assert self.calls < 1000, "the game has no end"
        return self._robot.decide(view, luck)

    def interject(self, view: PlayerView, luck: random.Random) -> Dudo | Calza | None:
        return self._robot.interject(view, luck)


def test_games_under_any_house_rules_are_legal_and_end_and_records_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duel, "STEPS", 5)  # how well the last duel is played is another test's
    for seed in range(100):
        luck = random.Random(seed)
        dice = {name: luck.randint(1, 3) for name in "ABCDEFGH"[: luck.randint(2, 5)]}
        strengths = luck.choices(list(Strength), (3, 3, 1), k=len(dice))
        robots = {name: Patient(ROBOTS[strength]) for name, strength in zip(dice, strengths, strict=True)}
        given = {"ruleset": random_rules(luck), "calza": luck.random() < 0.8, "dice": dice}
        game = play(robots, seed, **given)
        steps = list(replay(game.record.splitlines()))
        assert [step.error for step in steps if step.error is not None] == [], seed
        last = steps[-1].position
        assert (last.phase, last.winner) == (GamePhase.OVER, game.winner), seed
        assert tuple(map(parse_line, game.record.splitlines())) == game.events, seed
        assert seed % 10 or play(robots, seed, **given) == game, seed


def test_games_in_which_pacos_are_left_with_twice_as_many_end() -> None:
    rules = replace(ASMODEE, leaving_pacos=LeavingPacos.TWICE)
    for strength, games in ((Strength.EASY, 10), (Strength.MEDIUM, 10), (Strength.HARD, 2)):
        for seed in range(games):
            game = play({"A": ROBOTS[strength], "B": ROBOTS[strength]}, seed, ruleset=rules)
            assert all(step.error is None for step in replay(game.record.splitlines()))


def test_robots_play_by_models_of_their_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Else they would play otherwise once the review is fitted to their games."""
    monkeypatch.setattr("companion.review.models.MODELS_FILE", tmp_path / "none.json")
    fitted_models.cache_clear()
    assert play(dict.fromkeys("ABC", ROBOTS[Strength.HARD]), 1).winner


def test_the_record_has_everybodys_dice_in_every_round() -> None:
    game = play({"A": ROBOTS[Strength.HARD], "B": ROBOTS[Strength.EASY], "C": ROBOTS[Strength.MEDIUM]}, 1)
    position = Position.start(game.events[0])  # type: ignore[arg-type]
    reveals = 0
    for event in game.events[1:]:
        if isinstance(event, Reveal):
            reveals += 1
            assert {name: len(dice) for name, dice in event.dice.items()} == {
                name: dice for name, dice in position.dice.items() if dice
            }
        position = position.apply(event)
    assert reveals == position.round >= 10


def won(one: Strength, other: Strength, games: int) -> float:
    """The share of two-player games that `one` wins."""
    wins = Counter(play({"one": ROBOTS[one], "other": ROBOTS[other]}, seed).winner for seed in range(games))
    return wins["one"] / games


def test_the_strong_one_beats_the_one_that_knows_the_odds() -> None:
    assert won(Strength.HARD, Strength.MEDIUM, 20) >= 0.75  # 0.86 of 400


def test_who_knows_the_odds_beats_a_beginner() -> None:
    assert won(Strength.MEDIUM, Strength.EASY, 100) >= 0.6  # 0.69 of 600


def test_the_strong_one_wins_at_a_table_of_four() -> None:
    players = {"hard": Strength.HARD, "one": Strength.MEDIUM, "two": Strength.EASY, "three": Strength.MEDIUM}
    robots = {name: ROBOTS[strength] for name, strength in players.items()}
    assert Counter(play(robots, seed).winner for seed in range(40))["hard"] >= 20  # 0.64 of 800; a quarter is even


@pytest.mark.parametrize(("dice", "says"), [((3, 3, 3, 2), Calza("C")), ((3, 3, 3, 3), Dudo("B"))])
def test_a_player_who_is_not_on_turn_says_a_calza_that_is_likely_as_the_bidder_holds_a_die(
    dice: tuple[int, ...], says: Calza | Dudo
) -> None:
    """In a palifico round with two unseen dice, of which the bidder's may be believed to be a three."""
    has = {"A": 1, "B": 1, "C": 4}
    start = Position.start(GameStarted(ASMODEE, ("A", "B", "C"), "A", dice=has, palifico="A"))
    bid = Bid("A", 4, 3)
    hands = {"A": (2,), "B": (4,), "C": dice}
    robots: dict[str, Robot] = {"A": NeverSays(), "B": NeverSays(), "C": ROBOTS[Strength.MEDIUM]}
    assert next_call(robots, start.apply(bid), hands, (bid,), random.Random(1)) == says


def test_most_calzas_of_who_knows_the_odds_are_right() -> None:
    right: list[bool] = []
    for seed in range(60):
        game = play(dict.fromkeys("ABCD"[: 2 + seed % 3], ROBOTS[Strength.MEDIUM]), seed)
        position = Position.start(game.events[0])  # type: ignore[arg-type]
        for event in game.events[1:]:
            called = position.call
            position = position.apply(event)
            if isinstance(called, Calza):
                right.append(position.outcome.gains == called.player)
    assert len(right) >= 50
    assert sum(right) / len(right) >= 0.6  # 0.80 of 302


@pytest.mark.parametrize("strength", [Strength.MEDIUM, Strength.HARD])
def test_a_dudo_that_is_certain_is_said_though_a_raise_would_be_certain_too(strength: Strength) -> None:
    """Five sixes of four dice: three pacos hold for who has three, and let the bidder off."""
    start = Position.start(GameStarted(ASMODEE, ("A", "B"), "A", dice={"A": 1, "B": 3}))
    bid = Bid("A", 5, 6)
    assert Bid("B", 3, 1) in PlayerView("B", (1, 1, 1), start.apply(bid), (bid,)).raises(4)
    for seed in range(10):
        view = PlayerView("B", (1, 1, 1), start.apply(bid), (bid,))
        assert ROBOTS[strength].decide(view, random.Random(seed)) == Dudo("B")


def test_a_bid_that_nobody_believes_is_no_way_out() -> None:
    """Two fives of two dice, one of them the own, the face locked: no raise can hold, and the bid may not either."""
    one = {"A": 1, "B": 1}
    start = Position.start(GameStarted(RULESETS["asmodee-it"], ("A", "B"), "A", dice=one, palifico="A"))
    bid = Bid("A", 2, 5)
    view = PlayerView("B", (5,), start.apply(bid), (bid,))
    assert ROBOTS[Strength.MEDIUM].decide(view, random.Random(1)) == Dudo("B")


@pytest.mark.parametrize(("strength", "games"), [(Strength.EASY, 30), (Strength.MEDIUM, 15), (Strength.HARD, 2)])
def test_nobody_bids_more_dice_than_are_in_play(strength: Strength, games: int) -> None:
    for seed in range(games):
        game = play(dict.fromkeys("ABCD"[: 2 + seed % 3], ROBOTS[strength]), seed)
        position = Position.start(game.events[0])  # type: ignore[arg-type]
        for event in game.events[1:]:
            assert not isinstance(event, Bid) or event.count <= sum(position.dice_by_seat)
            position = position.apply(event)


class NeverSays:
    """A robot that doubts every bid, and never calls out of turn."""

    def decide(self, view: PlayerView, luck: random.Random) -> Dudo:
        return Dudo(view.player)

    def interject(self, view: PlayerView, luck: random.Random) -> None:
        return None


HOW_TO = Path(__file__).parents[3] / "docs" / "how-to" / "robots.md"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the robot of the documentation."""
    (tmp_path / "cautious.py").write_text(HOW_TO.read_text().split("```python\n")[1].split("```")[0])
    (tmp_path / "broken.py").write_text("class NoRobot: pass\n")
    return tmp_path


@pytest.fixture
def run(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """`python -m companion.robots` in the folder: what it prints. Raises `SystemExit`."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "modules", dict(sys.modules))

    def typed(*arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", ["companion.robots", *arguments])
        main()
        return capsys.readouterr().out

    return typed


def test_the_robot_of_the_documentation_plays(folder: Path) -> None:
    command = [sys.executable, "-m", "companion.robots", "cautious:Cautious", "medium", "--games", "5"]
    environment = {**os.environ, "PYTHONPATH": str(HOW_TO.parents[2])}
    told = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True).stdout
    assert told.startswith("cautious:Cautious 1: won ")
    assert "of 5 games" in told


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        *[((name, "medium"), name) for name in ("nobody:Robot", "cautious:Bold", "cautious", "broken:NoRobot")],
        *[
            (("easy", "medium", "--rules", rule), rule.partition("=")[0])
            for rule in ("nobook", "pacos_wild=maybe", "pacos=true", "dice_each=9")
        ],
    ],
)
def test_what_is_no_robot_or_no_rule_gets_a_sentence(
    run: Callable[..., str], capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], named: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        run(*arguments)
    assert ended.value.code == 2
    assert named in capsys.readouterr().err.splitlines()[-1]


def test_a_game_is_played_by_a_book_and_what_is_changed_in_it(run: Callable[..., str]) -> None:
    told = run("easy", "easy", "--games", "1", "--records", "--rules", "web-fr", "pacos_wild=false", "dice_each=3")
    started = parse_line(told.splitlines()[0])
    assert isinstance(started, GameStarted)
    assert started.ruleset == replace(RULESETS["web-fr"], pacos_wild=False, dice_each=3)


def test_random_rules_are_others_in_each_game(run: Callable[..., str]) -> None:
    told = run("easy", "medium", "--games", "20", "--records", "--rules", "random")
    games = [each for each in map(parse_line, told.splitlines()) if isinstance(each, GameStarted)]
    assert len({game.ruleset for game in games}) > 10
