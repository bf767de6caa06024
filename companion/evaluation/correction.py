"""Simulates people answering the table's questions: they look at the dice and say what lies there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from companion.table import Table
from companion.table.commands import AddDie, Command, SetDie, StrikeDie
from companion.table.game.table_reading import Problem
from companion.table.state.state import PublicDie, State
from vision.evaluation.pairs import TrueDie
from vision.reading import Box

MOST_TAPS: Final = 40
"""After this many taps people count by hand."""
_SAME_PLACE: Final = 0.6
"""The most, in die widths, between the centres of a die and its reading."""


def answer(table: Table, dice: Sequence[TrueDie], *, all_uncertain: bool = False) -> int | None:
    """Answer every question truthfully; return the number of taps on dice. None if people had to count by hand.

    all_uncertain: also correct uncertain dice that do not affect the verdict.
    """
    for taps in range(MOST_TAPS):
        state = table.state()
        if state.phase != "checking" and not (all_uncertain and not_asked_about(state)):
            return taps
        command = _tap(state, dice)
        if command is None:
            return None
        table.do(command)
    return None


def not_asked_about(state: State) -> list[PublicDie]:
    """The uncertain dice in no question, because the verdict does not depend on them, or not yet."""
    if state.reading is None:
        return []
    asked = {die for problem in state.reading.problems if problem.code == "uncertain" for die in problem.dice}
    return [die for die in state.reading.dice if die.uncertain and die.id not in asked]


def matched(read: Sequence[PublicDie], dice: Sequence[TrueDie]) -> dict[int, TrueDie]:
    """Id of each die read -> the true die there, pairing the nearest first."""
    pairs = sorted(
        (math.dist(_middle(one.box), _middle(die.box)) / max(die.box[2:]), one.id, n)
        for one in read
        for n, die in enumerate(dice)
    )
    found: dict[int, TrueDie] = {}
    used: set[int] = set()
    for apart, number, n in pairs:
        if apart < _SAME_PLACE and number not in found and n not in used:
            found[number] = dice[n]
            used.add(n)
    return found


def _tap(state: State, dice: Sequence[TrueDie]) -> Command | None:
    """The next correction."""
    assert state.reading is not None
    found = matched(state.reading.dice, dice)
    by_id = {die.id: die for die in state.reading.dice}
    for problem in state.reading.problems:
        if problem.code == "missing":
            command = _add(state, problem, found, dice)
        else:
            wrong = (_put_right(by_id[number], found.get(number), problem.code) for number in problem.dice)
            command = next((each for each in wrong if each is not None), None)
        if command is not None:
            return command
    return next((_put_right(die, found.get(die.id), "uncertain") for die in not_asked_about(state)), None)


def _put_right(read: PublicDie, true: TrueDie | None, code: str) -> Command | None:
    """The answer about a die in question; None if it is right."""
    if true is None or true.lost:
        return StrikeDie(read.id)
    if (read.face, read.colour) == (true.face, true.colour) and not (code == "uncertain" and read.uncertain):
        return None
    return SetDie(read.id, face=true.face, colour=true.colour if true.colour != read.colour else UNSET)


def _add(state: State, problem: Problem, found: dict[int, TrueDie], dice: Sequence[TrueDie]) -> Command | None:
    assert state.reading is not None
    colour = next(player.colour for player in state.players if player.name == problem.player)
    missed = [die for die in dice if die.colour == colour and not die.lost]
    for die in state.reading.dice:
        true = found.get(die.id)
        if true in missed:
            if die.colour != colour:
                return SetDie(die.id, face=true.face, colour=colour)
            missed.remove(true)
    if not missed:
        return None
    x, y, width, height = missed[0].box
    left, top = max(0.0, x), max(0.0, y)
    right, bottom = min(state.reading.width, x + width), min(state.reading.height, y + height)
    return AddDie((left, top, right - left, bottom - top), missed[0].face, colour)


def _middle(box: Box) -> tuple[float, float]:
    return box[0] + box[2] / 2, box[1] + box[3] / 2
