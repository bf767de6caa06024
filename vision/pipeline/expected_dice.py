"""Reconciles a reading with the dice that are in play: their colours, and how many there are of each.

The expected dice are evidence of whose a die is, and whether a doubtful object is a die at all. They never add a die
that was not seen, change a face, or make a face surer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import Final

import numpy as np

from vision.reading import UNCERTAIN_BELOW, Die, Reading

_MIN_IN_PLAY: Final = 0.2
"""A die less likely than this to have a played colour keeps its own."""
_CERTAIN: Final = 0.8
"""A die at least this likely to have a played colour certainly has one."""
_LIKELY: Final = 0.3
"""A die at least this likely to have the one colour that lacks a die certainly has it."""
_CONFUSED: Final = 0.1
"""The same if all dice are there: a hidden die and a stray one in its place are far less likely."""
_MIN_CHANCE: Final = 0.05
"""Less likely colours are ignored, whatever the counts."""
_MIN_ALIKE: Final = 0.0005
"""The same for a colour with several dice, none of them seen: a lamp can make all dice of two colours look alike."""

_HIDDEN: Final = 0.05
"""The odds that a die in play is not among the candidates because a cup or an arm hides it."""
_SURPLUS: Final = 0.05
"""The odds of one die of this colour on the table that is not in play."""
_MOST_SURPLUS: Final = 100
"""From this many surplus dice, as on a cloth printed with dice, the odds stay the same; they would underflow."""
_SETTLED: Final = 0.9
"""From this probability on a die is certainly there."""
_WHOLE: Final = 1.25
"""Dice of one table differ in width by less than this factor; a smaller object is part of a die."""
_TOO_LARGE: Final = 1.5
"""An object wider than this many dice is no die: a coaster with pips, a card."""
_PLAIN_ACE: Final = 0.8
"""The least confidence in an ace that the number of dice can settle: a half hidden die looks like an ace."""
_REPORTED: Final = 0.4
"""Candidates at least this likely to be a die, given the expected dice, are reported."""
_LIKELY_PLACE: Final = 0.02
"""A place is not offered if it is less likely than this to be a die of the colour that lacks one."""
_DROPPED: Final = 0.1
"""Doubtful dice less likely than this, given the expected dice, are dropped."""


def reconcile(reading: Reading, expected: Mapping[str, int]) -> Reading:
    """Reconcile the reading with `expected`, the number of dice in play of each colour.

    A die of a colour that nobody plays gets the likeliest played colour, or keeps its own. If one colour then has one
    die too many and another one too few, the die that fits the other colour best gets it. These dice are uncertain
    unless all dice are there, none too many or too few: then no count of faces depends on whose a die is.

    Then the number of dice of each colour decides about objects that may not be dice. Likely ones of `faint` join the
    dice.
    """
    playing = {colour for colour, count in expected.items() if count > 0}
    dice = [_in_play(die, playing) for die in reading.dice]
    seen_colours = {die.colour for die in dice}
    unseen = {colour for colour, count in expected.items() if count > 1 and colour not in seen_colours}
    for _ in dice:
        counts = Counter(die.colour for die in dice)
        moves = [
            (chance / max(dict(die.colours).get(die.colour, 0.0), _MIN_CHANCE), n, colour)
            for n, die in enumerate(dice)
            if die.colour in playing and counts[die.colour] > expected[die.colour]
            for colour, chance in die.colours
            if chance >= (_MIN_ALIKE if colour in unseen else _MIN_CHANCE) and counts[colour] < expected.get(colour, 0)
        ]
        if not moves:
            break
        _, n, colour = max(moves)
        dice[n] = replace(dice[n], colour=colour)
    candidates = [*dice, *reading.faint]
    there = [
        die.there * (1.0 if read.colour in playing else share_in_play(read, playing))
        for die, read in zip(candidates, (*reading.dice, *reading.faint), strict=True)
    ]
    chances = np.zeros(len(candidates))
    for colour in {die.colour for die in candidates}:
        same = [n for n, die in enumerate(candidates) if die.colour == colour]
        chances[same] = _chances([there[n] for n in same], expected.get(colour, 0))
    widths = [die.width for die in dice if not die.uncertain]
    usual = median(widths) if widths else None
    settled = [
        _settled(die, chance, usual, faint=n >= len(dice), played=die.colour in playing)
        for n, (die, chance) in enumerate(zip(candidates, chances.tolist(), strict=True))
    ]
    faint = tuple(die for die, kept in zip(candidates, settled, strict=True) if kept is None)
    counts = Counter(die.colour for die in settled if die is not None)
    complete = counts == Counter(expected)
    seen = tuple(
        die
        if _is_colour_certain(
            read, die.colour, playing, unseen, counts[die.colour] == expected.get(die.colour), complete
        )
        else die.as_uncertain()
        for die, read in zip(settled, (*reading.dice, *reading.faint), strict=True)
        if die is not None
    )
    return replace(reading, dice=seen, faint=faint)


def lacks(reading: Reading, expected: Mapping[str, int]) -> bool:
    """True if a colour has fewer dice than are in play."""
    found = Counter(die.colour for die in reading.dice)
    return any(found[colour] < number for colour, number in expected.items())


def with_likely_places(reading: Reading, expected: Mapping[str, int]) -> Reading:
    """Reconcile, and add an uncertain die at the likeliest place for each missing die.

    The players then tap its face instead of searching the picture for the die.
    """
    found = Counter(die.colour for die in reading.dice)
    left, places = list(reading.faint), list[Die]()
    for colour, number in expected.items():
        for _ in range(number - found[colour]):
            likely = [(die.there * dict(die.colours).get(colour, 0.0), n) for n, die in enumerate(left)]
            chance, n = max(likely, default=(0.0, -1))
            if chance < _LIKELY_PLACE:
                break
            places.append(replace(left.pop(n), colour=colour).as_uncertain())
    return replace(reading, dice=(*reading.dice, *places), faint=tuple(left))


def miscount(reading: Reading, expected: Mapping[str, int]) -> int:
    """The number of dice that are too many or too few, over all colours."""
    found = Counter(die.colour for die in reading.dice)
    return sum(abs(found[colour] - expected.get(colour, 0)) for colour in {*found, *expected})


def questions(reading: Reading, expected: Mapping[str, int]) -> int:
    """The number of questions for the players: uncertain dice, and dice too many or too few of a colour."""
    return miscount(reading, expected) + sum(die.uncertain for die in reading.dice)


def _settled(die: Die, chance: float, usual: float | None, *, faint: bool, played: bool) -> Die | None:
    """Settle a doubtful die by `chance`, its probability of being there given the number of dice; None if it is not.

    usual: the width of the certain dice in pixels; the hidden part of a narrower one is unknown. played: somebody plays
    its colour. An object that half hides a die hides its face too, so a die without a plain face is dropped only if its
    colour differs from all dice or if it is much too large.
    """
    if faint and chance < _REPORTED:
        return None
    is_whole = usual is None or usual / _WHOLE < die.width < usual * _WHOLE
    is_thing = not die.flagged and (not played or (usual is not None and die.width > usual * _TOO_LARGE))
    if chance >= _SETTLED and is_whole and (die.face > 1 or die.if_there >= _PLAIN_ACE):
        return replace(die, confidence=max(die.confidence, die.if_there))
    if die.uncertain and chance < _DROPPED and (die.if_there >= UNCERTAIN_BELOW or is_thing):
        return None
    return die


def _chances(there: Sequence[float], expected: int) -> list[float]:
    """For each candidate of one colour, the probability that it is a die if `expected` dice of the colour are in play.

    there: the same without knowing the number. Any subset of the candidates may be the dice; subsets of another size
    are less likely, by `_HIDDEN` for each die too few and `_SURPLUS` for each too many. The number of dice among the
    other candidates is a sum of independent trials (Poisson binomial distribution).
    """
    single = np.clip(there, 1e-4, 1 - 1e-4)
    sizes = np.arange(len(there) + 1)
    likely = np.where(sizes <= expected, _HIDDEN ** (expected - sizes.clip(max=expected)), 1.0)
    likely = likely * _SURPLUS ** (sizes - expected).clip(0, _MOST_SURPLUS)
    chances = []
    for n, own in enumerate(single):
        sets = np.ones(1)
        for other in np.delete(single, n):
            sets = np.convolve(sets, (1 - other, other))
        without, with_it = (1 - own) * (sets @ likely[:-1]), own * (sets @ likely[1:])
        chances.append(float(with_it / (without + with_it)))
    return chances


def _in_play(die: Die, playing: set[str]) -> Die:
    """The die in the likeliest played colour, or unchanged if none is likely enough."""
    if die.colour in playing or share_in_play(die, playing) < _MIN_IN_PLAY:
        return die
    return replace(die, colour=max((chance, colour) for colour, chance in die.colours if colour in playing)[1])


def _is_colour_certain(
    read: Die, colour: str, playing: set[str], unseen: set[str], is_full: bool, is_complete: bool
) -> bool:
    """True if a die `read` in perhaps another colour certainly has this one.

    unseen: colours with several dice, none of which was read. is_full: this colour has all its dice. is_complete: every
    colour has.
    """
    if colour == read.colour:
        return True
    chances = dict(read.colours)
    if read.colour in playing:
        return is_complete and chances[colour] >= (_MIN_ALIKE if colour in unseen else _CONFUSED)
    return share_in_play(read, playing) >= _CERTAIN or (is_full and chances[colour] >= _LIKELY)


def share_in_play(die: Die, playing: set[str]) -> float:
    """The probability that the die has a colour somebody plays."""
    return sum(chance for colour, chance in die.colours if colour in playing)
