"""`perudo cards`: a page with a card for every seat, to print: what its lamp says, how to press, how a phone joins.

Six cards of 92 by 84 millimetres, to be cut out, fit a sheet of A4 or Letter.
"""

from __future__ import annotations

import base64
import itertools
from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import click

from companion.cli.options import config_option
from companion.config import Config
from hardware.panel.lamp_patterns import LampPattern, level
from hardware.panel.wiring import SEATS

LONGEST_ADDRESS: Final = 80
"""Characters of an address that still fits a card and its QR code."""

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
            ("who may have said calza", "did you say calza?"),
            ("whose dice are asked about", "look at a phone: your dice are asked about"),
        ),
    ),
    (LampPattern.DOUBLE, (("who loses a die", "you lose a die"),)),
    (LampPattern.PULSE, (("who takes one back", "you take a die back"), ("the winner", "you have won"))),
)
"""Pattern -> (whose lamp, as `companion.table.state.signs` has it; the same said to the player)."""

PATTERN_NAMES: Final = {
    LampPattern.ON: "on",
    LampPattern.BLINK: "blinks",
    LampPattern.DOUBLE: "flashes twice",
    LampPattern.PULSE: "breathes",
    LampPattern.FLICKER: "flickers",
    LampPattern.OFF: "off",
}
"""What each pattern is called."""

BUTTON_MEANINGS: Final = (
    ("DUDO", "You doubt the bid. Say it, press, all lift their cups."),
    ("CALZA", "You say the bid is exactly right. Then as with DUDO."),
    ("then", "Hands away. The box counts once the dice lie still."),
    ("next", "Two seconds after a verdict either button goes on."),
)
"""What to press, and what that means; docs/reference/wiring.md says the rest."""

STRIP_SECONDS: Final = 3.2
"""Of a lamp's pattern that is drawn."""
_STRIP_CELLS: Final = 64

_STYLE: Final = """
@page { margin: 10mm }
* { box-sizing: border-box }
body { margin: 0; color: #111; background: #fff; font: 7.6pt/1.25 "DejaVu Sans", Verdana, Helvetica, Arial, sans-serif }
.cards { display: grid; grid-template-columns: repeat(2, 92mm); justify-content: center }
.card { height: 84mm; padding: 3.5mm 4mm; border: 0.2mm dashed #999; break-inside: avoid; overflow: hidden;
  display: grid; grid-template: auto 1fr auto / 1fr 30mm; column-gap: 3mm }
h1 { margin: 0 0 1.5mm; font-size: 16pt; line-height: 1 }
h2 { margin: 0 0 0.8mm; font-size: 6.6pt; letter-spacing: 0.06em; text-transform: uppercase; color: #444 }
dl, dd, p { margin: 0 }
.lamp { display: grid; grid-template-columns: 16mm 1fr; gap: 1mm 2mm; align-items: start }
.lamp svg { display: block; width: 16mm; height: 3mm; border: 0.2mm solid #111; margin-top: 0.2mm }
.press { grid-column: 1 / 3 }
.press dl { display: grid; grid-template-columns: auto 1fr; gap: 0.4mm 2mm }
.press dt { font-weight: bold }
.join { grid-row: 1 / 3; grid-column: 2; text-align: center; font-size: 6.2pt; overflow-wrap: anywhere }
.join img { width: 30mm; display: block; margin: 1mm 0 }
.join b { display: block; font-size: 12pt }
@media screen { body { padding: 10mm; background: #ddd } .card { background: #fff } }
"""


@click.command()
@config_option(own=True)
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
    from companion.network import urls
    from web.access.keys import is_code

    if address is None:
        address = urls(config.web.host, config.web.port)[0]
    elif not _usable(address):
        raise click.BadParameter(
            f"not an address that fits a card: http://..., at most {LONGEST_ADDRESS} signs", param_hint="--address"
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
        and len(address) <= LONGEST_ADDRESS
    )


# The page


def strip(lamp: LampPattern) -> str:
    """A lamp's pattern as a strip, time to the right: dark ink where the lamp is lit. Inline SVG."""
    levels = [round(level(lamp, (n + 0.5) * STRIP_SECONDS / _STRIP_CELLS), 2) for n in range(_STRIP_CELLS)]
    runs, start = "", 0
    for light, cells in itertools.groupby(levels):
        width = len(list(cells))
        if light:
            runs += f'<rect x="{start}" width="{width}" height="10" fill-opacity="{light:g}"/>'
        start += width
    return f'<svg viewBox="0 0 {_STRIP_CELLS} 10" preserveAspectRatio="none" shape-rendering="crispEdges">{runs}</svg>'


def _join(address: str, code: str | None) -> str:
    from web.access.invitation import invitation, qr_svg

    picture = base64.b64encode(qr_svg(invitation(address, code))).decode()
    known = f"table code <b>{escape(code)}</b>" if code is not None else "the box shows the table code"
    return (
        f'<div class="join"><h2>Join</h2><img src="data:image/svg+xml;base64,{picture}" alt="QR code">'
        f"<p>{escape(address.removeprefix('http://').rstrip('/'))}</p><p>{known}</p></div>"
    )


def card(seat: int, address: str, code: str | None) -> str:
    """One card. `seat` counts from 1; `code` is the table's, None when it is not to be printed."""
    lamp = "".join(
        f"<dt>{strip(pattern)}</dt><dd><b>{PATTERN_NAMES[pattern]}:</b> "
        f"{escape(' · '.join(said for _, said in meanings))}</dd>"
        for pattern, meanings in LAMP_MEANINGS
    )
    press = "".join(f"<dt>{escape(what)}</dt><dd>{escape(means)}</dd>" for what, means in BUTTON_MEANINGS)
    return (
        f'<section class="card"><h1>Seat {seat}</h1>{_join(address, code)}'
        f'<div><h2>Your lamp</h2><dl class="lamp">{lamp}</dl></div>'
        f'<div class="press"><h2>The buttons</h2><dl>{press}</dl></div></section>'
    )


def page(seats: int, address: str, code: str | None) -> str:
    """All cards as a page to print, which needs nothing from the network."""
    cards = "".join(card(seat, address, code) for seat in range(1, seats + 1))
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Perudo: cards for the seats</title>\n'
        f'<style>{_STYLE}</style>\n<div class="cards">{cards}</div></html>\n'
    )
