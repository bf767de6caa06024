"""The review of whole games."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from math import comb

import pytest

from companion.engine import RULESETS, Bid, Calza, Dudo, EngineError
from companion.review.bid_model import Closeness, Counting, Style
from companion.review.models import fitted_models
from companion.review.review import Review, review
from companion.review.rounds import PlayedRound, played_rounds
from companion.review.trust import STYLES, Trust
from companion.review.win_chance import chances_of_winning
from companion.robots import ROBOTS, Strength, play
from tests.proof.people import game

SHORT = [
    '{"event":"game","ruleset":"asmodee-fr","players":["ana","ben"],"starter":"ana","dice":{"ana":2,"ben":2}}',
    '{"event":"bid","player":"ana","count":1,"face":4}',
    '{"event":"bid","player":"ben","count":2,"face":4}',
    '{"event":"dudo","player":"ana"}',
    '{"event":"reveal","dice":{"ana":[4,3],"ben":[5,2]}}',
    '{"event":"bid","player":"ben","count":3,"face":2}',
    '{"event":"dudo","player":"ana"}',
]


@pytest.fixture(scope="module")
def games() -> list[tuple[str, Review]]:
    """Games of robots of all strengths under the six books, and their reviews."""
    found = []
    for seed, rules in enumerate(RULESETS):
        luck = random.Random(seed)
        robots = {name: ROBOTS[luck.choice(list(Strength))] for name in "ABCDE"[: 2 + seed % 4]}
        record = play(robots, seed, ruleset=RULESETS[rules]).record
        found.append((record, review(record.splitlines())))
    return found


def test_luck_and_skill_make_up_the_way_from_the_start_to_the_result(games: list[tuple[str, Review]]) -> None:
    for record, found in games:
        first = next(played_rounds(record.splitlines())).start
        chances = chances_of_winning(fitted_models().winning, first)
        for chance, each in zip(chances, found.players.values(), strict=True):
            assert each.luck + each.skill == pytest.approx(each.won - chance, abs=1e-12)
        assert sum(each.won for each in found.players.values()) == 1
        assert sum(each.skill for each in found.players.values()) == pytest.approx(0, abs=1e-9)


def test_every_decision_of_a_revealed_round_is_there(games: list[tuple[str, Review]]) -> None:
    for record, found in games:
        lines = [json.loads(line) for line in record.splitlines()]
        wanted = [n for n, line in enumerate(lines, start=1) if line["event"] in {"bid", "dudo", "calza"}]
        assert [each.decision.line for each in found.decisions] == wanted
        for each in found.decisions:
            assert 0 <= each.bids <= 1
            assert each.loss >= 0
            assert lines[each.decision.line - 1]["player"] == each.decision.call.player
        for chances in found.chances:
            assert sum(chances.values()) == pytest.approx(1)


def test_a_call_says_what_the_reveal_showed(games: list[tuple[str, Review]]) -> None:
    for record, found in games:
        rounds = {each.start.round: each for each in played_rounds(record.splitlines())}
        for each in found.decisions:
            outcome = rounds[each.decision.position.round].outcome
            if isinstance(each.decision.call, Bid):
                continue
            right = each.true if isinstance(each.decision.call, Calza) else not each.true
            assert right == outcome.correct


def test_a_short_game_by_hand() -> None:
    found = review(SHORT)
    assert [each.decision.line for each in found.decisions] == [2, 3, 4]  # the second round was never revealed
    one, two, call = found.decisions
    # Ana holds a four. Ben sees neither four nor paco: both of her dice, 1/9.
    assert (one.own, one.true) == (1.0, True)
    assert two.own == pytest.approx(1 / 9)
    assert two.bluff
    # One more four among his two dice: 1 - 4/9.
    assert (call.own, call.true) == (pytest.approx(5 / 9), False)
    assert found.players["ben"].bluffs == 1
    line = list(found.to_json())[1]
    assert (line["line"], line["round"], line["player"], line["decision"]) == (3, 1, "ben", "bid")
    assert line["bid"] == {"player": "ben", "count": 2, "face": 4}
    assert set(line["best"]) >= {"decision", "wins"}


def duel(*bids: tuple[int, int], dice: tuple[int, int], hands: tuple[list[int], list[int]]) -> list[str]:
    """The record of a duel's round: bids by turns, then dudo."""
    names = ("ana", "ben")
    lines: list[dict[str, object]] = [
        {"event": "game", "ruleset": "asmodee-fr", "calza": False, "players": names, "starter": "ana",
         "dice": dict(zip(names, dice, strict=True))},
        *({"event": "bid", "player": names[n % 2], "count": bid[0], "face": bid[1]} for n, bid in enumerate(bids)),
        {"event": "dudo", "player": names[len(bids) % 2]},
        {"event": "reveal", "dice": dict(zip(names, hands, strict=True))},
    ]  # fmt: skip
    return [json.dumps(line) for line in lines]


@pytest.mark.parametrize(
    ("bids", "dice", "hands"),
    [([(1, 3), (2, 3)], (1, 1), ([3], [5])), ([(2, 2), (3, 2), (4, 2)], (2, 2), ([2, 2], [6, 5]))],
)
def test_a_bid_that_cannot_hold_is_never_better_than_dudo_in_a_duel(
    bids: list[tuple[int, int]], dice: tuple[int, int], hands: tuple[list[int], list[int]]
) -> None:
    found = review(duel(*bids, dice=dice, hands=hands))
    tried = 0
    for each in found.decisions:
        position, player = each.decision.position, each.decision.call.player
        worths = {type(option.call): option.wins for option in each.options if not isinstance(option.call, Bid)}
        for option in each.options:
            if position.bid is None or not isinstance(option.call, Bid):
                continue
            held = sum(option.call.matches(face, wild=position.wild) for face in each.dice)
            if option.call.count > held + sum(position.dice_by_seat) - position.dice[player]:
                assert option.wins <= worths[Dudo] + 1e-9
                tried += 1
    assert tried


def test_a_bad_record_is_refused() -> None:
    with pytest.raises(EngineError):
        review([*SHORT, '{"event":"bid","player":"zoe","count":3,"face":2}'])


def blind_rounds(number: int) -> list[PlayedRound]:
    """Rounds with bids drawn without a look at the dice."""
    luck = random.Random(4)
    lines = ['{"event":"game","ruleset":"asmodee-fr","players":["A","B"],"starter":"A","calza":false}']
    rounds: list[PlayedRound] = []
    for _ in range(number):
        count, face = luck.randint(1, 5), luck.randint(2, 6)
        hands = {name: [luck.randint(1, 6) for _ in range(5)] for name in "AB"}
        game = [
            *lines,
            json.dumps({"event": "bid", "player": "A", "count": count, "face": face}),
            json.dumps({"event": "bid", "player": "B", "count": count + 1, "face": face}),
            json.dumps({"event": "dudo", "player": "A"}),
            json.dumps({"event": "reveal", "dice": hands}),
        ]
        rounds += list(played_rounds(game))
    return rounds


def blind(style: Style) -> bool:
    return isinstance(style, Closeness) and not style.bids


def believed(chances: Mapping[Style, float]) -> float:
    return sum(chance for style, chance in chances.items() if not blind(style))


def trusted(rounds: list[PlayedRound], players: str) -> dict[str, Mapping[Style, float]]:
    return Trust(rounds, fitted_models().bids).after(len(rounds), players)


def test_players_whose_bids_say_nothing_are_not_believed() -> None:
    for chances in trusted(blind_rounds(40), "AB").values():
        assert believed(chances) < 0.1


def test_before_anything_was_shown_everybody_may_be_anything() -> None:
    assert trusted([], "A")["A"] == pytest.approx(dict(STYLES))


def test_a_single_round_says_little() -> None:
    for chances in trusted(blind_rounds(1), "AB").values():
        assert believed(chances) > believed(STYLES) / 4
        for style, chance in chances.items():
            assert STYLES[style] / 5 < chance < STYLES[style] * 3, style


def test_robots_bids_are_believed() -> None:
    records = [play(dict.fromkeys("ABC", ROBOTS[Strength.MEDIUM]), seed).record for seed in range(4)]
    rounds = [each for record in records for each in played_rounds(record.splitlines())]
    for chances in trusted(rounds, "ABC").values():
        assert believed(chances) > 0.9


def test_who_bids_the_count_they_expect_is_known_by_it() -> None:
    rounds = [each for seed in range(3) for each in played_rounds(game("who bid what they hold", seed).splitlines())]
    for chances in trusted(rounds, "AB").values():
        assert chances[Counting(6, 2)] > 0.9


def test_what_players_show_says_something_of_the_others() -> None:
    assert believed(trusted(blind_rounds(40), "Z")["Z"]) < believed(STYLES) / 10


def test_a_round_is_not_judged_by_its_own_reveal() -> None:
    """With other dice in it, what its bids were taken to say is the same."""
    ends = [*SHORT[-2:], '{"event":"reveal","dice":{"ana":[2,2],"ben":[1]}}']
    record, other = [*SHORT[:5], *ends], [*SHORT[:4], SHORT[4].replace("[4,3]", "[6,3]"), *ends]
    one, same = (review(lines).decisions for lines in (record, other))
    assert one[1].bids == pytest.approx(same[1].bids)  # of Ben, who did not see her dice
    assert one[-1].bids != pytest.approx(same[-1].bids)


def test_where_dice_are_hidden_players_go_by_what_they_have_seen() -> None:
    """In the first round Ana took Ben to have two dice. He has one, as all know after the reveal."""
    game = json.loads(SHORT[0]) | {"dice": {"ana": 3, "ben": 1}}
    lines = [
        '{"event":"bid","player":"ana","count":2,"face":4}',
        '{"event":"bid","player":"ben","count":3,"face":4}',
        '{"event":"dudo","player":"ana"}',
        '{"event":"reveal","dice":{"ana":[4,1,3],"ben":[4]}}',
        '{"event":"bid","player":"ana","count":2,"face":5}',
        '{"event":"dudo","player":"ben"}',
        '{"event":"reveal","dice":{"ana":[5,3],"ben":[2]}}',
    ]
    known, hidden = (
        review([json.dumps(game | seen), *lines]).decisions for seen in ({}, {"seen": {"ana": 3, "ben": 2}})
    )
    # Ana doubts that one of Ben's dice is a four: one die 1/3, two 5/9. Ben wants two of her three, whatever he has.
    assert [each.own for each in known] == pytest.approx([1, 7 / 27, 1 / 3, 1 / 3, 1 / 9])
    assert [each.own for each in hidden] == pytest.approx([1, 7 / 27, 5 / 9, 1 / 3, 1 / 9])
    assert known[2].bids < hidden[2].bids
    assert [each.true for each in hidden] == [each.true for each in known]


def test_rounds_of_seven_players_are_not_weighed() -> None:
    """No robots have played such rounds to fit who wins. Once six are left, luck and skill begin."""
    names = "ABCDEFG"
    game = {"event": "game", "ruleset": "asmodee-fr", "rules": {"most_players": 8}, "players": list(names)}
    lines = [json.dumps(game | {"starter": "A", "dice": dict.fromkeys(names, 1)})]
    for out, following in zip("AB", "BC", strict=True):
        dice = {name: [3] for name in names if name >= out}
        lines += [
            json.dumps({"event": "bid", "player": out, "count": 5, "face": 5}),
            json.dumps({"event": "dudo", "player": following}),
            json.dumps({"event": "reveal", "dice": dice}),
        ]
    found = review(lines)
    assert found.unweighed == 1
    seven, _, six, *_ = found.to_json()
    assert set(six) - set(seven) == {"loss", "grade", "best", "options"}
    assert seven["p_own"] == pytest.approx(sum(comb(6, n) / 3**n * (2 / 3) ** (6 - n) for n in (5, 6)))
    assert len(found.chances) == 2
    assert found.players["A"].luck == found.players["A"].skill == 0
    for name, each in found.players.items():
        assert each.luck + each.skill == pytest.approx(found.chances[-1][name] - found.chances[0][name])
