"""Options that `perudo demo` and `perudo run` share."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from typing import Any, Final

import click

DEFAULT_PORT: Final = 8000

PATIENCE: Final = 20.0
"""As `companion.table.reveal.PATIENCE`, which takes a second to import: too long for `--help`."""


def serving(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --host, --port, --patience and --verbose."""
    for option in (
        click.option("--verbose", is_flag=True, help="Say more on standard error."),
        click.option(
            "--patience",
            type=click.FloatRange(min=0),
            default=PATIENCE,
            show_default=True,
            metavar="SECONDS",
            help="How long the table may lie still with dice missing before the players are asked.",
        ),
        click.option(
            "--port",
            type=click.IntRange(0, 65535),
            default=DEFAULT_PORT,
            show_default=True,
            help="Where the page is; 0 takes a free one.",
        ),
        click.option(
            "--host",
            default="0.0.0.0",
            show_default=True,
            help="The address to listen on; 127.0.0.1 shuts phones out.",
        ),
    ):
        command = option(command)
    return command


def logged(verbose: bool) -> None:
    """Logs go to standard error: standard output is for the page's address."""
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.INFO if verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
