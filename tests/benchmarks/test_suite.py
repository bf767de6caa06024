"""What the tests cost, in a table."""

from __future__ import annotations

from tests.benchmarks.suite import Cost, markdown


def test_files_and_kinds_are_added_up() -> None:
    costs = [Cost("a.py::x", 2.0, 1.0, "page"), Cost("a.py::y", 2.0, 3.0, "demo"), Cost("b.py::z", 1.0, 9.0, "page")]
    lines = markdown(costs, 60.0).splitlines()
    assert {"| page | 2 | 10 | 3 |", "| `a.py` | 2 | 4 | 4 |"} <= set(lines)
    assert lines.index("| `b.py` | 1 | 9 | 1 |") < lines.index("| `a.py` | 2 | 4 | 4 |")
