"""Builds an SVG drawing. Plain SVG 1.1, no scripts, no style sheets.

GitHub shows an SVG on a white page or on a black one, so a drawing has its own background and colours. Lengths are the
drawing's units, the origin top left, x to the right and y downwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape, quoteattr

Point = tuple[float, float]

PAPER: Final = "#fbfaf6"
INK: Final = "#22262b"
SOFT: Final = "#5d646d"
"""Letters of less weight; still 5.5 to 1 against the paper."""
FAINT: Final = "#c9c6bd"
BLUE: Final = "#1f5fa8"
GREEN: Final = "#20763f"
RED: Final = "#b3261e"
ORANGE: Final = "#a85d00"
VIOLET: Final = "#6a3fa0"
FONT: Final = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"


def number(value: float) -> str:
    """A length with at most two decimals, so that a last bit changes no file."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


@dataclass(frozen=True, slots=True)
class FromTheSide:
    """Maps centimetres of a side view to the drawing."""

    middle: float
    """Of the camera's axis."""
    table: float
    """Of the table's top."""
    scale: float

    def __call__(self, x: float, up: float) -> Point:
        """The point `x` right of the axis and `up` above the table."""
        return self.middle + x * self.scale, self.table - up * self.scale


class Drawing:
    """A drawing that grows; `svg()` is its file so far."""

    def __init__(self, width: float, height: float, title: str, says: str) -> None:
        """`says` describes the drawing for those who do not see it."""
        self.width, self.height = width, height
        self._title, self._says = title, says
        self._parts: list[str] = []
        self.text(30, 42, title, size=24, weight="bold")

    def line(self, points: Sequence[Point], stroke: str = INK, width: float = 2, dash: str = "") -> None:
        path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(
            f'<polyline points="{path}" fill="none" stroke="{stroke}" stroke-width="{number(width)}"'
            f' stroke-linecap="round" stroke-linejoin="round"{dashed}/>'
        )

    def area(self, points: Sequence[Point], fill: str, opacity: float = 1, stroke: str = "none") -> None:
        """A filled polygon."""
        path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        self._parts.append(
            f'<polygon points="{path}" fill="{fill}" fill-opacity="{number(opacity)}" stroke="{stroke}"'
            ' stroke-width="1.5" stroke-linejoin="round"/>'
        )

    def box(
        self, x: float, y: float, width: float, height: float, fill: str = "none", stroke: str = INK, round_: float = 4
    ) -> None:
        """A rectangle with rounded corners."""
        self._parts.append(
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
            f' rx="{number(round_)}" fill="{fill}" stroke="{stroke}" stroke-width="1.5"/>'
        )

    def circle(self, x: float, y: float, radius: float, fill: str = "none", stroke: str = INK) -> None:
        self._parts.append(
            f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{fill}" stroke="{stroke}"'
            ' stroke-width="1.5"/>'
        )

    def text(
        self,
        x: float,
        y: float,
        said: str,
        *,
        size: float = 15,
        anchor: str = "start",
        weight: str = "normal",
        fill: str = INK,
        turn: float = 0,
    ) -> None:
        """One line of text; `anchor` is "start", "middle" or "end", `turn` degrees clockwise round (x, y)."""
        turned = f' transform="rotate({number(turn)} {number(x)} {number(y)})"' if turn else ""
        heavy = f' font-weight="{weight}"' if weight != "normal" else ""
        self._parts.append(
            f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" text-anchor="{anchor}"'
            f' fill="{fill}"{heavy}{turned}>{escape(said)}</text>'
        )

    def texts(self, x: float, y: float, lines: Sequence[str], *, size: float = 15, fill: str = INK) -> None:
        """Lines of text below one another."""
        for n, said in enumerate(lines):
            self.text(x, y + n * size * 1.4, said, size=size, fill=fill)

    def arrow(self, start: Point, end: Point, stroke: str = INK, width: float = 1.5) -> None:
        """A line with a head at its end."""
        self.line([start, end], stroke, width)
        self._head(start, end, stroke)

    def measure(self, start: Point, end: Point, said: str, *, stroke: str = SOFT, aside: float = 0) -> None:
        """A dimension line with two heads and its text in the middle, `aside` to the right.

        Along an upright line the text stands beside it, else above it.
        """
        self.line([start, end], stroke, 1.5)
        self._head(start, end, stroke)
        self._head(end, start, stroke)
        x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        if start[0] == end[0]:
            self.text(x + 8 + aside, y + 5, said, fill=stroke)
        else:
            self.text(x + aside, y - 7, said, anchor="middle", fill=stroke)

    def arc(self, centre: Point, radius: float, start: float, end: float, stroke: str = SOFT) -> None:
        """Part of a circle, from `start` to `end` degrees anticlockwise from the right."""
        steps = max(2, int(abs(end - start) / 3))
        angles = [math.radians(start + (end - start) * n / steps) for n in range(steps + 1)]
        self.line([(centre[0] + radius * math.cos(a), centre[1] - radius * math.sin(a)) for a in angles], stroke, 1.5)

    def _head(self, start: Point, end: Point, fill: str) -> None:
        angle = math.atan2(end[1] - start[1], end[0] - start[0])
        sides = [(end[0] - 9 * math.cos(angle + d), end[1] - 9 * math.sin(angle + d)) for d in (-0.35, 0.35)]
        self.area([end, *sides], fill)

    def svg(self) -> str:
        size = f"{number(self.width)} {number(self.height)}"
        paper = (
            f'<rect x="1" y="1" width="{number(self.width - 2)}" height="{number(self.height - 2)}" rx="10"'
            f' fill="{PAPER}" stroke="{FAINT}" stroke-width="1"/>'
        )
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" width="{number(self.width)}"'
                f' height="{number(self.height)}" role="img" font-family={quoteattr(FONT)}>',
                f"<title>{escape(self._title)}</title>",
                f"<desc>{escape(self._says)}</desc>",
                paper,
                *self._parts,
                "</svg>\n",
            ]
        )
