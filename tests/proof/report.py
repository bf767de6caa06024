"""What an attack found: a line for each check."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Never

import click


class Report:
    """The checks of one attack."""

    def __init__(self) -> None:
        self.failed: list[str] = []

    def check(self, name: str, good: bool, figures: object = "") -> None:
        """Print whether `name` holds, with its figures."""
        click.echo(f"{'ok  ' if good else 'FAIL'} {name}{f': {figures}' if figures != '' else ''}")
        if not good:
            self.failed.append(name)

    def end(self) -> Never:
        """Exit with 1 if anything failed."""
        click.echo(f"{len(self.failed)} failed" if self.failed else "all held")
        sys.exit(bool(self.failed))


def spread(values: Sequence[float]) -> str:
    """Seconds as `p50 3, p95 7, most 9 ms`."""
    if not values:
        return "none"
    cuts = (percentile(values, 50), percentile(values, 95), max(values))
    return "p50 {:.0f}, p95 {:.0f}, most {:.0f} ms".format(*(1000 * cut for cut in cuts))


def percentile(values: Sequence[float], percent: float) -> float:
    """The value that `percent` of `values` do not exceed."""
    return sorted(values)[min(len(values) - 1, int(percent / 100 * len(values)))]
