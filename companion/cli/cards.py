"""`perudo cards`: cards to print for every seat: what the lamp says, how to press, how a phone joins.

Six cards of 92 x 84 mm fit on a sheet of A4 or Letter.
"""

from __future__ import annotations

import base64
import itertools
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import click

from companion.cli.options import config_option
from companion.cli.output import say, write_file
from companion.config import Config
from companion.features.wifi import own_network
from companion.features.wifi.own_network import OwnNetwork, wifi_text
from companion.state_folder import as_owner_of, state_folder
from hardware.panel.lamp_patterns import LampPattern, level
from hardware.panel.wiring import SEATS, Wiring

LONGEST_ADDRESS: Final = 80
"""Characters of the longest address that fits on a card and in its QR code."""

LAMP_MEANINGS: Final[tuple[tuple[LampPattern, tuple[tuple[str, str], ...]], ...]] = (
    (
        LampPattern.ON,
        (
            ("the player on turn", "your turn"),
            ("who called", "you called"),
            ("who opens the next round, if somebody else", "you open the next round"),
        ),
    ),
    (
        LampPattern.BLINK,
        (
            ("who rolls for the opening", "roll for the opening"),
            ("who may have called", "did you call?"),
            ("whose dice are asked about", "look at a phone: your dice are asked about"),
        ),
    ),
    (LampPattern.DOUBLE, (("who loses a die", "you lose a die"),)),
    (LampPattern.PULSE, (("who takes one back", "you take a die back"), ("the winner", "you have won"))),
)
"""Pattern -> (whose lamp, in the words of `companion.table.state.signs`; the same, addressed to the player)."""

PATTERN_NAMES: Final = {
    LampPattern.ON: "on",
    LampPattern.BLINK: "blinks",
    LampPattern.DOUBLE: "flashes twice",
    LampPattern.PULSE: "breathes",
    LampPattern.FLICKER: "flickers",
    LampPattern.OFF: "off",
}

STRIP_SECONDS: Final = 3.2
"""Seconds of a lamp's pattern that are drawn."""
_STRIP_CELLS: Final = 64


@click.command()
@config_option(own=True)
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), required=True, metavar="FILE.html",
    help="The file to write; a browser prints it.",
)  # fmt: skip
@click.option("--address", metavar="URL", help="What the QR code says.  [default: as phones reach this machine now]")
@click.option(
    "--code", metavar="DIGITS",
    help="The table's code, to be printed too.  [default: the configuration's, else that of the games here]",
)  # fmt: skip
@click.option(
    "--seats", type=click.IntRange(1, SEATS), default=len(Wiring().seats), show_default=True, help="How many cards."
)
def cards(config: Config, out: Path, address: str | None, code: str | None, seats: int) -> None:
    """Write a page with a card for every seat: what its lamp says, how to press, how a phone joins.

    Six fit a sheet of A4 or Letter. A router may change a numeric address: print the one that ends in .local, or
    have the router reserve the number.
    """
    from companion.page_address import PageAddress
    from web.access.keys import is_code

    if address is None:
        address = PageAddress(config.web.host, config.web.port).urls[0]
    elif not _usable(address):
        raise click.BadParameter(
            f"not an address that fits a card: http://..., at most {LONGEST_ADDRESS} signs", param_hint="--address"
        )
    saved, own = _saved(state_folder())
    if code is None:
        code = config.access.code if is_code(config.access.code) else saved
    elif not is_code(code):
        raise click.BadParameter("a table code has four digits", param_hint="--code")
    write_file(out, page(seats, address, code, own).encode(), mode=0o600)  # it contains the code
    printed = "" if code is None else f" and the code {code}"
    say(f"{out}: {seats} {'card' if seats == 1 else 'cards'} for {address}{printed}")
    click.echo("Open it in a browser and print it at 100 %, on A4 or Letter.")


def _saved(state: Path) -> tuple[str | None, OwnNetwork | None]:
    """The table's code and the box's own Wi-Fi from `state`; None for whatever is missing."""
    from web.access import keys

    try:
        with as_owner_of(state):
            kept = keys.read(state)
            return None if kept is None else kept.code, own_network.read(state)
    except OSError as error:
        say(f"The code of the games in {state} is left out ({error.strerror}): name it with --code.")
        return None, None


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
        and len(address) <= LONGEST_ADDRESS
    )


# The page


def strip(lamp: LampPattern) -> str:
    """A lamp's pattern as an SVG strip: time goes to the right, and ink means light."""
    levels = [round(level(lamp, (n + 0.5) * STRIP_SECONDS / _STRIP_CELLS), 2) for n in range(_STRIP_CELLS)]
    runs, start = "", 0
    for light, cells in itertools.groupby(levels):
        width = len(list(cells))
        if light:
            runs += f'<rect x="{start}" width="{width}" height="10" fill-opacity="{light:g}"/>'
        start += width
    return f'<svg viewBox="0 0 {_STRIP_CELLS} 10" preserveAspectRatio="none" shape-rendering="crispEdges">{runs}</svg>'


def page(seats: int, address: str, code: str | None, own: OwnNetwork | None = None) -> str:
    """All cards as a page to print, which loads nothing from the network.

    `code` is the table's, and `own` the box's own Wi-Fi; None leaves them out.
    """
    from flask import Flask

    from web.access.invitation import invitation, qr_svg

    template = Flask(__name__).jinja_env.get_template("cards.html")
    html = template.render(
        seats=seats,
        qr_code=base64.b64encode(qr_svg(invitation(address, code))).decode(),
        typed_address=address.removeprefix("http://").rstrip("/"),
        code=code,
        own=own,
        own_qr=None if own is None else base64.b64encode(qr_svg(wifi_text(own))).decode(),
        lamp=[
            (strip(pattern), PATTERN_NAMES[pattern], [meaning for _, meaning in meanings])
            for pattern, meanings in LAMP_MEANINGS
        ],
    )
    return f"{html}\n"
