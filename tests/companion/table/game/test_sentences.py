"""The table's sentences, word for word: players read them aloud."""

from __future__ import annotations

import pytest

from companion.engine import DEFAULT_RULESET, Bid, CallKind, Outcome, house_rules
from companion.table.game import sentences


def outcome(
    call: CallKind = CallKind.DUDO,
    count: int = 5,
    face: int = 4,
    faces: int = 3,
    pacos: int = 1,
    *,
    wild: bool = True,
    correct: bool = True,
    loses: str | None = "Ana",
    gains: str | None = None,
    eliminated: str | None = None,
) -> Outcome:
    bid, lost = Bid("Ana", count, face), int(loses is not None)
    return Outcome(call, "Ben", bid, wild, faces, pacos, correct, loses, gains, eliminated, lost)


FOUR = "3 fours and 1 paco make 4."
WRONG = f"{FOUR} The bid was 5 fours: that is wrong. "
NEXT = "Ana loses a die and opens the next round."
BEN_NEXT = "Ben loses a die and opens the next round."


@pytest.mark.parametrize(
    ("judged", "after", "sentence"),
    [
        (outcome(), ["Ana"], WRONG + NEXT),
        (
            outcome(faces=6, pacos=0, face=6, correct=False, loses="Ben"),
            ["Ben"],
            f"6 sixes and no pacos make 6. The bid was 5 sixes: that is right. {BEN_NEXT}",
        ),
        (
            outcome(count=1, face=2, faces=0, pacos=1, correct=False, loses="Ben"),
            ["Ben"],
            f"No twos and 1 paco makes 1. The bid was 1 two: that is right. {BEN_NEXT}",
        ),
        (
            outcome(faces=0, pacos=0),
            ["Ana"],
            f"There are no fours and no pacos. The bid was 5 fours: that is wrong. {NEXT}",
        ),
        (
            outcome(count=3, face=1, faces=1, pacos=0),
            ["Ana"],
            f"There is 1 paco. The bid was 3 pacos: that is wrong. {NEXT}",
        ),
        (
            outcome(wild=False, pacos=0, faces=2, count=3, face=3),
            ["Ana"],
            "There are 2 threes; pacos do not count in a palifico round. The bid was 3 threes: that is wrong. " + NEXT,
        ),
        (outcome(), ["Ana", "Ana"], f"{WRONG}{NEXT} Ana is down to one die: the next round is palifico."),
        (outcome(eliminated="Ana"), ["Cid"], f"{WRONG}Ana loses the last die and is out. Cid opens the next round."),
        (
            outcome(eliminated="Ana"),
            [None, None, "Ben"],
            f"{WRONG}Ana loses the last die and is out. Ben has won the game.",
        ),
        (
            outcome(CallKind.CALZA, count=4, loses=None, gains="Ben"),
            ["Ben"],
            f"{FOUR} The bid was 4 fours: that is exact. Ben takes back a die and opens the next round.",
        ),
        (
            outcome(CallKind.CALZA, count=4, loses=None),
            ["Ben"],
            f"{FOUR} The bid was 4 fours: that is exact. Ben has not lost a die and opens the next round.",
        ),
        (
            outcome(CallKind.CALZA, correct=False, loses="Ben"),
            ["Ben"],
            f"{FOUR} The bid was 5 fours: that is not exact. {BEN_NEXT}",
        ),
    ],
)
def test_the_sentence_of_a_verdict(judged: Outcome, after: list[str | None], sentence: str) -> None:
    """`after` has who opens, who is palifico, and who has won."""
    opener, palifico, winner = [*after, None, None][:3]
    assert sentences.verdict(judged, DEFAULT_RULESET, opener, palifico, winner) == sentence


@pytest.mark.parametrize(
    ("rules", "judged", "opener", "sentence"),
    [
        (
            {"opens_after_dudo": "winner"},
            outcome(),
            "Ben",
            "The bid was 5 fours: that is wrong. Ana loses 1 die. Ben opens the next round.",
        ),
        (
            {"right_calza": "bidder-loses"},
            outcome(CallKind.CALZA, count=4),
            "Ben",
            "The bid was 4 fours: that is exact. Ana loses 1 die. Ben opens the next round.",
        ),
        (
            {"opened_on_pacos_wild": False},
            outcome(wild=False, pacos=0, faces=3),
            "Ana",
            "3 fours; pacos do not count in this round.",
        ),
    ],
)
def test_the_sentence_of_a_verdict_under_house_rules(
    rules: dict[str, object], judged: Outcome, opener: str, sentence: str
) -> None:
    assert sentence in sentences.verdict(judged, house_rules(rules), opener, None, None)


def test_a_bid_too_large_to_print_still_has_a_sentence() -> None:
    assert "over a million fours" in sentences.verdict(outcome(count=10**5000), DEFAULT_RULESET, "Ana", None, None)


def test_missing_extra_and_foreign_dice_have_sentences() -> None:
    assert sentences.missing("Ana", "red", 3, 4) == "I see 3 of Ana's 4 red dice."
    assert sentences.missing("Ana", "red", 0, 1) == "I don't see Ana's red die."
    assert sentences.extra("Ana", "red", 6, 5) == "I see 6 red dice, and Ana has 5."
    assert sentences.extra("Ana", "red", 1, 0) == "I see 1 red die, and Ana has none."
    assert sentences.foreign("orange", 1) == "I see an orange die (paco), and nobody plays orange."
    assert sentences.uncertain("Ana", 4) == "I'm not sure about one of Ana's dice. Is it a four? Tap it."


def test_waiting_for_one_players_dice_names_the_player() -> None:
    one = [sentences.missing("Ana", "red", 3, 4)]
    assert sentences.waiting(one, 8, 9) == "I see 3 of Ana's 4 red dice; waiting for cups and hands."
    assert sentences.waiting([*one, *one], 0, 9) == "I don't see any dice yet; waiting for cups and hands."
