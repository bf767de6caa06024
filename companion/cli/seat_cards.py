"""The cards that lie at the seats: what a lamp says, how to press, and the way in for a phone. Pure: HTML comes out.

They print on A4 and on Letter: six cards of 92 by 84 millimetres, two beside each other, to be cut out.
"""

from __future__ import annotations

import base64
import itertools
from html import escape
from typing import Final

from hardware.panel.patterns import Lamp, level
from web.qr import drawn, invitation

LAMP: Final[tuple[tuple[Lamp, tuple[tuple[str, str], ...]], ...]] = (
    (
        Lamp.ON,
        (
            ("the player on turn", "your turn"),
            ("who called", "you called"),
            ("who opens the next round, if somebody else", "you open the next round"),
        ),
    ),
    (
        Lamp.BLINK,
        (
            ("who rolls for the opening", "roll for the opening"),
            ("who may have said calza", "did you say calza?"),
            ("whose dice are asked about", "look at a phone: your dice are asked about"),
        ),
    ),
    (Lamp.DOUBLE, (("who loses a die", "you lose a die"),)),
    (Lamp.PULSE, (("who takes one back", "you take a die back"), ("the winner", "you have won"))),
)
"""Pattern -> (whose lamp, as `companion.table.state.signs` has it; the same said to the player)."""

NAMES: Final = {
    Lamp.ON: "on",
    Lamp.BLINK: "blinks",
    Lamp.DOUBLE: "flashes twice",
    Lamp.PULSE: "breathes",
    Lamp.FLICKER: "flickers",
    Lamp.OFF: "off",
}
"""What each pattern is called."""

PRESSING: Final = (
    ("DUDO", "You doubt the bid. Say it, press, all lift their cups."),
    ("CALZA", "You say the bid is exactly right. Then as with DUDO."),
    ("then", "Hands away. The box counts once the dice lie still."),
    ("next", "Two seconds after a verdict either button goes on."),
)
"""What to press, and what that means; docs/reference/wiring.md says the rest."""

SECONDS: Final = 3.2
"""Of a lamp's pattern that is drawn."""
_CELLS: Final = 64

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


def strip(lamp: Lamp) -> str:
    """A lamp's pattern as a strip, time to the right: dark ink where the lamp is lit. Inline SVG."""
    levels = [round(level(lamp, (n + 0.5) * SECONDS / _CELLS), 2) for n in range(_CELLS)]
    runs, start = "", 0
    for light, cells in itertools.groupby(levels):
        width = len(list(cells))
        if light:
            runs += f'<rect x="{start}" width="{width}" height="10" fill-opacity="{light:g}"/>'
        start += width
    return f'<svg viewBox="0 0 {_CELLS} 10" preserveAspectRatio="none" shape-rendering="crispEdges">{runs}</svg>'


def _join(address: str, code: str | None) -> str:
    picture = base64.b64encode(drawn(invitation(address, code))).decode()
    known = f"table code <b>{escape(code)}</b>" if code is not None else "the box shows the table code"
    return (
        f'<div class="join"><h2>Join</h2><img src="data:image/svg+xml;base64,{picture}" alt="QR code">'
        f"<p>{escape(address.removeprefix('http://').rstrip('/'))}</p><p>{known}</p></div>"
    )


def card(seat: int, address: str, code: str | None) -> str:
    """One card. `seat` counts from 1; `code` is the table's, None when it is not to be printed."""
    lamp = "".join(
        f"<dt>{strip(pattern)}</dt><dd><b>{NAMES[pattern]}:</b> {escape(' · '.join(said for _, said in meanings))}</dd>"
        for pattern, meanings in LAMP
    )
    press = "".join(f"<dt>{escape(what)}</dt><dd>{escape(means)}</dd>" for what, means in PRESSING)
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
