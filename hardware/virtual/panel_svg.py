"""Draws a virtual panel as SVG: its lamps as their pins light them, its display, the pressed buttons.

A picture cannot blink, so the pattern of a blinking or pulsing lamp is drawn beside it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Final

from hardware.panel.lamp_patterns import LampPattern, level
from hardware.panel.lamps import WHITE, Light
from hardware.panel.wiring import Wiring
from hardware.virtual.virtual_panel import VirtualDisplay, VirtualPanel

PANEL_WIDTH: Final = 500
PANEL_HEIGHT: Final = 420

PATTERN_SECONDS: Final = 2.4
"""Seconds of a pattern drawn beside its lamp."""

LINE_LETTERS: Final = 24
"""Letters per line of the drawn display; longer lines are cut off."""

AMBER: Final[Light] = (1.0, 0.72, 0.25)
"""The light of a single-coloured lamp."""

_FONT: Final = "'DejaVu Sans', 'Noto Sans', system-ui, sans-serif"
_MONO: Final = "'DejaVu Sans Mono', ui-monospace, monospace"
_TABLE: Final = (352.0, 214.0, 92.0, 62.0)
"""The ellipse of the seats' lamps: centre and half axes."""
_BUTTONS: Final = {
    "dudo": (112.0, 218.0, 66.0, "#c22a25", "#6f0f0f"),
    "calza": (212.0, 332.0, 45.0, "#1a8a60", "#0a4230"),
}
"""Centre, radius, colour and rim of each button."""


@dataclass(frozen=True, slots=True)
class PanelView:
    """What a panel shows at one moment."""

    lit: Mapping[str, float | Light]
    """Brightness of each lamp, 0 to 1, or its red, green and blue."""
    patterns: Mapping[str, LampPattern]
    lines: Sequence[str]
    """The lines on the display."""
    down: frozenset[str]
    """The pressed buttons."""
    wiring: Wiring


def panel_view(panel: VirtualPanel) -> PanelView:
    """What `panel` shows now."""
    lines = panel.display.lines if isinstance(panel.display, VirtualDisplay) else ()
    return PanelView(panel.lit(), panel.patterns(), lines, panel.down(), panel.wiring)


def draw(view: PanelView, names: Sequence[str] = (), title: str = "", note: str = "") -> str:
    """An SVG file of one panel. `names` are the players, by seat; `title` and `note` stand under it."""
    return page(PANEL_WIDTH, PANEL_HEIGHT + (58 if title else 0), cell(view, names, title, note))


def page(width: float, height: float, body: str) -> str:
    """An SVG file around `body`."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="{_FONT}">\n{_DEFINITIONS}'
        f'<rect width="{width:g}" height="{height:g}" fill="#f4efe6"/>\n{body}</svg>\n'
    )


def cell(
    view: PanelView, names: Sequence[str] = (), title: str = "", note: str = "", x: float = 0, y: float = 0
) -> str:
    """One panel with its title, as a group at `x`, `y`."""
    parts = [
        '<rect x="14" y="14" width="472" height="392" rx="30" fill="url(#wood)" stroke="#23140c" stroke-width="2"/>',
        '<rect x="20" y="20" width="460" height="380" rx="25" fill="none" stroke="#8a6446" stroke-opacity=".55"/>',
        *(_screw(sx, sy) for sx in (36, PANEL_WIDTH - 36) for sy in (36, PANEL_HEIGHT - 36)),
        _display(view.lines) if view.wiring.display is not None else "",
        _table(view, names),
        *(_button(view, name) for name in _BUTTONS),
        _status(view) if "status" in view.lit else "",
        _dial() if view.wiring.dial is not None else "",
        _buzzer() if view.wiring.buzzer is not None else "",
    ]
    if title:
        parts.append(_text(PANEL_WIDTH / 2, PANEL_HEIGHT + 14, title, 19, "#2c1c12", "bold"))
        parts.append(_text(PANEL_WIDTH / 2, PANEL_HEIGHT + 38, note, 13.5, "#5d4a3c"))
    body = "\n".join(part for part in parts if part)
    return f'<g transform="translate({x:g} {y:g})">\n{body}\n</g>\n'


def pattern_strip(
    pattern: LampPattern, x: float, y: float, width: float, height: float, span: float = PATTERN_SECONDS
) -> str:
    """A pattern's brightness over `span` seconds."""
    count = round(width / 1.5)
    steps = ((high, len(list(same))) for high, same in groupby(level(pattern, n * span / count) for n in range(count)))
    outline, at = f"M{x:g} {y + height:g}", 0
    for high, times in steps:
        at += times
        outline += f"V{y + height * (1 - high):.2f}H{x + at * width / count:.2f}"
    ground = f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:g}" height="{height:g}" rx="1.5" fill="#120b07"/>'
    return f'{ground}<path d="{outline}V{y + height:.2f}Z" fill="#ffd27a"/>'


# The parts


def _lamp_strip(view: PanelView, lamp: str, x: float, y: float, width: float, height: float) -> str:
    """The pattern of a lamp, if it changes over time."""
    pattern = view.patterns.get(lamp, LampPattern.OFF)
    return "" if pattern in (LampPattern.ON, LampPattern.OFF) else pattern_strip(pattern, x, y, width, height)


def _display(shown: Sequence[str]) -> str:
    lines = "".join(
        f'<text x="74" y="{69 + 21 * n}" font-family="{_MONO}" font-size="17" fill="#8fe3ff" xml:space="preserve">'
        f"{escape(line[:LINE_LETTERS])}</text>"
        for n, line in enumerate(shown[:3])
    )
    return (
        '<rect x="58" y="42" width="278" height="84" rx="8" fill="#0a0d10" stroke="#4a4f55" stroke-width="3"/>'
        f'<rect x="64" y="48" width="266" height="72" rx="4" fill="#06141b"/>{lines}'
    )


def _table(view: PanelView, names: Sequence[str]) -> str:
    middle_x, middle_y, wide, high = _TABLE
    seats = sorted(name for name in view.lit if name.startswith("seat"))
    parts = [
        f'<ellipse cx="{middle_x}" cy="{middle_y}" rx="{wide - 26}" ry="{high - 20}" fill="url(#felt)" '
        'stroke="#1d120b" stroke-width="3"/>'
    ]
    for n, name in enumerate(seats):
        angle = math.pi * (2 / 3 + 2 * n / len(seats))  # seat 1 is at the lower left, the others follow clockwise
        x, y = middle_x + wide * math.cos(angle), middle_y + high * math.sin(angle)
        parts.append(_lamp(x, y, 11, _light(view.lit[name])))
        parts.append(_lamp_strip(view, name, x + (middle_x - x) * 0.34 - 17, y + (middle_y - y) * 0.42 - 4, 34, 8))
        label = names[n] if n < len(names) else str(n + 1)
        below = y > middle_y + 5 or abs(y - middle_y) < 5
        parts.append(_text(x, y + (27 if below else -18), label, 13, "#f6e9d8" if n < len(names) else "#9b7f69"))
    return "\n".join(part for part in parts if part)


def _button(view: PanelView, name: str) -> str:
    x, y, radius, colour, rim = _BUTTONS[name]
    light = _light(view.lit.get(name, 0.0))
    bright = max(light)
    sunk = 4 if name in view.down else 0
    parts = [_glow(x, y, radius + 30, light)] if bright > 0.02 else []
    parts += [
        f'<circle cx="{x}" cy="{y}" r="{radius + 8}" fill="#120b07"/>',
        f'<circle cx="{x}" cy="{y}" r="{radius + 4}" fill="none" stroke="{_shade(light, 0.26)}" stroke-width="6"/>',
        f'<circle cx="{x}" cy="{y + 6}" r="{radius - 3}" fill="{rim}"/>' if not sunk else "",
        f'<circle cx="{x}" cy="{y + sunk}" r="{radius - 3}" fill="{colour}"/>',
        f'<circle cx="{x}" cy="{y + sunk}" r="{radius - 3}" fill="url(#dome)"/>',
        _text(x, y + sunk + radius * 0.12, name.upper(), radius * 0.36, "#ffffff", "bold"),
    ]
    parts.append(_lamp_strip(view, name, x - 22, y + sunk + radius * 0.32, 44, 9))
    return "".join(parts)


def _status(view: PanelView) -> str:
    lamp = _lamp(404, 60, 8, _light(view.lit["status"]))
    return lamp + _text(404, 108, "status", 11.5, "#c9ad95") + _lamp_strip(view, "status", 387, 80, 34, 8)


def _dial() -> str:
    ticks = "".join(
        f'<line x1="{352 + 27 * math.cos(a):.1f}" y1="{356 + 27 * math.sin(a):.1f}" '
        f'x2="{352 + 31 * math.cos(a):.1f}" y2="{356 + 31 * math.sin(a):.1f}" stroke="#c9ad95" stroke-width="1.4"/>'
        for a in (math.radians(each) for each in range(120, 421, 25))
    )
    return (
        f'{ticks}<circle cx="352" cy="356" r="23" fill="#171513"/><circle cx="352" cy="356" r="20" fill="url(#knob)"/>'
        '<line x1="352" y1="341" x2="352" y2="348" stroke="#f6e9d8" stroke-width="3" stroke-linecap="round"/>'
    )


def _buzzer() -> str:
    return "".join(
        f'<circle cx="{436 + 9 * dx}" cy="{352 + 9 * dy}" r="2.4" fill="#140c07"/>'
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
    )


def _screw(x: float, y: float) -> str:
    return (
        f'<circle cx="{x}" cy="{y}" r="6" fill="#b9a48f" stroke="#3a281c"/>'
        f'<line x1="{x - 4}" y1="{y - 2}" x2="{x + 4}" y2="{y + 2}" stroke="#5a4636" stroke-width="1.6"/>'
    )


def _lamp(x: float, y: float, radius: float, light: Light) -> str:
    glow = _glow(x, y, radius * 2.9, light) if max(light) > 0.02 else ""
    return (
        f'{glow}<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius + 2.5:g}" fill="#1b110b"/>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{_shade(light, 0.2)}"/>'
        f'<circle cx="{x - radius * 0.3:.1f}" cy="{y - radius * 0.35:.1f}" r="{radius * 0.28:.1f}" fill="#fff" '
        f'fill-opacity="{0.25 + 0.6 * max(light):.2f}"/>'
    )


def _glow(x: float, y: float, radius: float, light: Light) -> str:
    rings = 7
    return "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius * (rings - n) / rings:.1f}" fill="{_shade(light, 1)}" '
        f'fill-opacity="{0.1 * max(light):.3f}"/>'
        for n in range(rings)
    )


def _light(lit: float | Light) -> Light:
    if isinstance(lit, tuple):
        return lit
    return AMBER[0] * lit, AMBER[1] * lit, AMBER[2] * lit


def _shade(light: Light, dark: float) -> str:
    """A light as a colour on the screen; with `dark` below 1 a grey lens shows in weak light."""
    glass = tuple(dark * 0.5 * each for each in WHITE) if dark < 1 else (0.0, 0.0, 0.0)
    bright = max(light)
    full = tuple(each / bright for each in light) if bright > 0 else (0.0, 0.0, 0.0)
    share = bright**0.45  # screens scale light as the eye does, lamps as the current does
    return "#" + "".join(
        f"{round(255 * min(1, g * (1 - share) + f * share)):02x}" for g, f in zip(glass, full, strict=True)
    )


def _text(x: float, y: float, text: str, size: float, colour: str, weight: str = "normal") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" font-weight="{weight}" fill="{colour}" '
        f'text-anchor="middle">{escape(text)}</text>'
    )


_DEFINITIONS: Final = """\
<defs>
<linearGradient id="wood" x2="0" y2="1"><stop stop-color="#5a3d2a"/>
<stop offset="1" stop-color="#2c1c12"/></linearGradient>
<radialGradient id="felt"><stop stop-color="#2f6046"/><stop offset="1" stop-color="#1d3f2e"/></radialGradient>
<radialGradient id="dome" cy=".3"><stop stop-color="#fff" stop-opacity=".38"/>
<stop offset=".7" stop-color="#fff" stop-opacity="0"/></radialGradient>
<radialGradient id="knob" cy=".3"><stop stop-color="#6b6560"/><stop offset="1" stop-color="#26221f"/></radialGradient>
</defs>
"""
