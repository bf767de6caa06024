"""How many players sit at each table."""

from __future__ import annotations

from typing import Final

SMALLEST_TABLE: Final = 4
LARGEST_TABLE: Final = 6
FEWEST_AT_A_TABLE: Final = 3
"""Where four are wished, or the number of players leaves no other way: three of them, or seven."""


def table_sizes(players: int, wish: int) -> tuple[int, ...]:
    """The sizes of the tables for so many players, larger ones first; empty for fewer than two.

    As equal as possible, with as few tables as have at most `wish` players each. Tables have four to six players, and
    where four are wished three or four; seven sit as four and three. So one more than wished sits at a table of five
    where four are wished, and of 6 or 11 where five are: two and three, or a table of three, would be worse.
    """
    if players < 2:
        return ()
    fewest = FEWEST_AT_A_TABLE if wish == SMALLEST_TABLE else SMALLEST_TABLE
    tables = max(-(-players // LARGEST_TABLE), min(-(-players // wish), players // fewest))
    small, larger = divmod(players, tables)
    return (small + 1,) * larger + (small,) * (tables - larger)
