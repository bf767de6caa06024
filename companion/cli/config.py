"""`perudo config`: writes the configuration, and finds mistakes in it."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.options import INPUT_PATH
from companion.cli.output import say
from companion.config import ConfigError, config_file, default_text, load
from companion.messages.printable import printable


@click.group()
def config() -> None:
    """Write the configuration, or find the mistakes in it.

    Where no FILE is named it is $PERUDO_CONFIG, else perudo.toml in the user's own configuration folder.
    """


_file = click.argument("file", required=False, type=INPUT_PATH, metavar="[FILE]")


@config.command(short_help="Write a commented configuration, every key with its default.")
@_file
def init(file: Path | None) -> None:
    """Write a commented configuration in which everything has its default. Overwrites nothing."""
    path = file if file is not None else config_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as new:
            new.write(default_text())
    except OSError as error:
        if isinstance(error, FileExistsError) and path.is_file():
            raise click.ClickException(
                printable(f"{path} is there already, and was left as it is. Name another file, or remove it first.")
            ) from error
        raise click.ClickException(printable(f"{path} cannot be written: {error.strerror or error}.")) from error
    say(str(path))


@config.command(short_help="Report every mistake in the configuration.")
@_file
@click.pass_context
def check(context: click.Context, file: Path | None) -> None:
    """Report every mistake in the configuration, and in the environment variables that override it.

    Exit status 0: there is none. 1: there are some.
    """
    path = file if file is not None else config_file()
    try:
        load(file)
    except ConfigError as error:
        for mistake in error.mistakes:
            say(str(mistake))
        context.exit(1)
    say(f"{path}: {'no mistakes.' if path.exists() else 'there is no such file, so everything has its default.'}")
