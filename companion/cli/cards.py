"""`perudo cards`: a page with a card for every seat, to print."""

from __future__ import annotations

from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import click

from companion.cli.options import configured
from companion.config import Config
from hardware.panel.wiring import SEATS

LONGEST: Final = 80
"""Signs of an address that still fits a card and its QR code."""


@click.command()
@configured(own=True)
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), required=True, metavar="FILE.html",
    help="The file to write; a browser prints it.",
)  # fmt: skip
@click.option("--address", metavar="URL", help="What the QR code says.  [default: as phones reach this machine now]")
@click.option(
    "--code", metavar="DIGITS",
    help="The table's code, to be printed too.  [default: that of the configuration, if it names one]",
)  # fmt: skip
@click.option("--seats", type=click.IntRange(1, SEATS), default=SEATS, show_default=True, help="How many cards.")
def cards(config: Config, out: Path, address: str | None, code: str | None, seats: int) -> None:
    """Write a page with a card for every seat: what its lamp says, how to press, how a phone joins.

    Six fit a sheet of A4 or Letter. An address that is a number may change when the router gives the box another:
    print the one that ends in .local, or have the router keep the number.
    """
    from companion.cli.seat_cards import page
    from companion.network import urls
    from web.access.keys import is_code

    if address is None:
        address = urls(config.web.host, config.web.port)[0]
    elif not _usable(address):
        raise click.BadParameter(
            f"not an address that fits a card: http://..., at most {LONGEST} signs", param_hint="--address"
        )
    if code is None:
        code = config.access.code if is_code(config.access.code) else None
    elif not is_code(code):
        raise click.BadParameter("a table code has four digits", param_hint="--code")
    try:
        out.write_text(page(seats, address, code), encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{out} cannot be written: {error.strerror or error}") from error
    click.echo(f"{out}: {seats} {'card' if seats == 1 else 'cards'} for {address}")
    click.echo("Open it in a browser and print it at 100 %, on A4 or Letter.")


def _usable(address: str) -> bool:
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return (
        parts.scheme in ("http", "https")
        and bool(parts.hostname)
        and not parts.fragment
        and address.isprintable()
        and len(address) <= LONGEST
    )
