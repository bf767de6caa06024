"""Tables for calibrations, which paint each of their pictures once for all tests."""

from __future__ import annotations

import copy
import random
from functools import cache

from tests.browser.sheet_table import SheetTable
from vision.drawn.table_scene import SceneDie


@cache
def _painted(dice: tuple[SceneDie, ...]) -> SheetTable:
    return SheetTable(dice)


def sheet_table(dice: tuple[SceneDie, ...]) -> SheetTable:
    """A table for one test."""
    table = copy.copy(_painted(dice))
    table._luck = random.Random(1)  # of the noise
    return table
