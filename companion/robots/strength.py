"""The robots of the demo."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from companion.robots.bayesian import Bayesian
from companion.robots.beginner import Beginner
from companion.robots.odds_robot import OddsRobot
from companion.robots.robot import Robot


class Strength(StrEnum):
    """How well a robot plays."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


ROBOTS: Mapping[Strength, Robot] = MappingProxyType(
    {Strength.EASY: Beginner(), Strength.MEDIUM: OddsRobot(), Strength.HARD: Bayesian()}
)
