"""What the table knows, brought to bear on what the camera saw: which colours are in play, and how many dice of each.

Knowledge may settle whose die it is and may cast doubt; it never makes a die, never drops one, never touches a face.
Nor does it ever make a die surer, even where every count fits: a confidence says how sure the face is, too, and what
of a doubt is the colour's cannot be told apart from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from vision.reading import UNCERTAIN_BELOW, Die, Reading

_IN_PLAY: Final = 0.2
"""A die whose chances of being of a colour in play add up to less than this stays what it was read as: a stranger."""
_SETTLED: Final = 0.8
"""From here on there is no doubt that it is a die of some colour in play."""
_POSSIBLE: Final = 0.05
"""A colour less likely than this is not offered, whatever the counts say."""


def weigh(reading: Reading, known: Mapping[str, int]) -> Reading:
    """The reading in the light of `known`: for each colour in play, how many dice of it are on the table.

    A die of a colour that nobody plays is given the likeliest of those in play, uncertain unless hardly anything else
    was likely, or stays a stranger. Where one colour in play then has a die too many and another one too few, the die
    that might best be the other is given to it, uncertain: the players are asked.
    """
    playing = {colour for colour, count in known.items() if count > 0}
    dice = [_in_play(die, playing) for die in reading.dice]
    for _ in dice:
        seen = Counter(die.colour for die in dice)
        moves = [
            (chance / max(_chance(die, die.colour), _POSSIBLE), n, colour)
            for n, die in enumerate(dice)
            if die.colour in playing and seen[die.colour] > known[die.colour]
            for colour, chance in die.colours
            if chance >= _POSSIBLE and seen[colour] < known.get(colour, 0)
        ]
        if not moves:
            break
        _, n, colour = max(moves)
        dice[n] = _doubted(dice[n], colour)
    return replace(reading, dice=tuple(dice))


def _in_play(die: Die, playing: set[str]) -> Die:
    chances = [(chance, colour) for colour, chance in die.colours if colour in playing]
    share = sum(chance for chance, _ in chances)
    if die.colour in playing or share < _IN_PLAY:
        return die
    nearest = max(chances)[1]
    return replace(die, colour=nearest) if share >= _SETTLED else _doubted(die, nearest)


def _doubted(die: Die, colour: str) -> Die:
    return replace(die, colour=colour, confidence=min(die.confidence, UNCERTAIN_BELOW - 0.01))


def _chance(die: Die, colour: str) -> float:
    return next((chance for name, chance in die.colours if name == colour), 0.0)
