"""Reconciles a reading with the dice the table expects: the colours in play, and how many dice of each.

This may settle or question a die's colour; it never adds or drops a die and never changes a face. It never raises a
confidence, even if every count fits: the confidence is about the face too, and the two doubts cannot be separated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from vision.reading import Die, Reading

_MIN_IN_PLAY: Final = 0.2
"""A die less likely than this to have a colour in play keeps its colour."""
_CERTAIN: Final = 0.8
"""A die at least this likely to have a colour in play certainly has one."""
_MIN_CHANCE: Final = 0.05
"""Less likely colours are not considered, whatever the counts."""


def reconcile(reading: Reading, expected: Mapping[str, int]) -> Reading:
    """The reading, given how many dice of each colour are on the table.

    A die of a colour that nobody plays gets the likeliest colour in play, and is uncertain unless all others were
    unlikely; or it keeps its own colour. If one colour then has one die too many and another one too few, the die that
    fits the other colour best gets it, and is uncertain: the players are asked.
    """
    playing = {colour for colour, count in expected.items() if count > 0}
    dice = [_in_play(die, playing) for die in reading.dice]
    for _ in dice:
        counts = Counter(die.colour for die in dice)
        moves = [
            (chance / max(dict(die.colours).get(die.colour, 0.0), _MIN_CHANCE), n, colour)
            for n, die in enumerate(dice)
            if die.colour in playing and counts[die.colour] > expected[die.colour]
            for colour, chance in die.colours
            if chance >= _MIN_CHANCE and counts[colour] < expected.get(colour, 0)
        ]
        if not moves:
            break
        _, n, colour = max(moves)
        dice[n] = replace(dice[n], colour=colour).as_uncertain()
    return replace(reading, dice=tuple(dice))


def _in_play(die: Die, playing: set[str]) -> Die:
    """The die in a colour that somebody plays, if one is likely enough."""
    chances = [(chance, colour) for colour, chance in die.colours if colour in playing]
    share = sum(chance for chance, _ in chances)
    if die.colour in playing or share < _MIN_IN_PLAY:
        return die
    recoloured = replace(die, colour=max(chances)[1])
    return recoloured if share >= _CERTAIN else recoloured.as_uncertain()
