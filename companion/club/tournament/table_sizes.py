"""How many players sit at each table."""

from __future__ import annotations

from typing import Final

SMALLEST_TABLE: Final = 4
LARGEST_TABLE: Final = 6
FEWEST_AT_A_TABLE: Final = 3
"""Where the number of players leaves no other way: three of them, or seven."""


def table_sizes(players: int, wish: int) -> tuple[int, ...]:
    """The sizes of the tables for so many players, larger ones first; empty for fewer than two.

    As equal as possible, from four to six, with as many tables as come nearest to `wish` players at each; in doubt one
    table more, since games with fewer players are shorter. Seven sit as four and three; two or three sit together.
    """
    if players < 2:
        return ()
    fewest = -(-players // LARGEST_TABLE)
    most = max(fewest, players // SMALLEST_TABLE)  # fewer than `fewest` for 2, 3 and 7
    tables = min(range(fewest, most + 1), key=lambda number: (abs(players - wish * number) / number, -number))
    small, larger = divmod(players, tables)
    return (small + 1,) * larger + (small,) * (tables - larger)
