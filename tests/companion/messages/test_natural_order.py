"""Names in the order that people expect."""

from __future__ import annotations

import random

from companion.messages.natural_order import natural_order


def test_numbers_in_names_are_in_the_order_of_their_values() -> None:
    ordered = ["1", "2", "10", "Ana", "ana", "Ben 2", "Ben 10", "Tisch 2a", "Tisch 2b", "Tisch 10"]
    shuffled = random.Random(1).sample(ordered, len(ordered))
    assert sorted(shuffled, key=natural_order) == ordered


def test_any_names_can_be_compared() -> None:
    names = ["", "1", "a", "1a", "a1", "\u0663", "\u00b2", "9" * 300, "-1", "1.5"]
    assert len(sorted(names, key=natural_order)) == len(names)
