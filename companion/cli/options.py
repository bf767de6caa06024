"""Options that `perudo demo` and `perudo run` share, and the configuration they stand over."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from companion.config import Config, ConfigError, TableConfig, WebConfig, load
from companion.messages.printable import printable

UNUSABLE: Final = 2
"""The exit status when something asked for cannot be used."""

PATIENCE: Final = TableConfig().patience
_WEB: Final = WebConfig()


def configured(own: bool) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add --config, whose value is the `Config`: what it says are the defaults of the command's other options.

    With `own`, the user's own file counts when none is named. Without it nothing is read then, neither file nor
    environment. Exits with every mistake on standard error and status 2.
    """

    def read(context: click.Context, _parameter: click.Parameter, named: Path | None) -> Config:
        if named is None and not own:
            return Config()
        try:
            config = load(named)
        except ConfigError as error:
            for mistake in error.mistakes:
                click.echo(f"perudo: {printable(str(mistake))}", err=True)
            context.exit(UNUSABLE)
        context.default_map = {
            "host": config.web.host,
            "port": config.web.port,
            "patience": config.table.patience,
            "panel": config.panel.use,
            **({} if config.camera.source is None else {"camera": config.camera.source}),
        }
        return config

    return click.option(
        "--config",
        type=click.Path(path_type=Path),
        is_eager=True,  # before the options whose defaults it gives
        callback=read,
        metavar="FILE",
        help="The configuration; the other options win over it."
        + ("  [default: $PERUDO_CONFIG, else the user's own, if there is one]" if own else "  [default: none]"),
    )


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
            default=_WEB.port,
            show_default=True,
            help="Where the page is; 0 takes a free one.",
        ),
        click.option(
            "--host",
            default=_WEB.host,
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
