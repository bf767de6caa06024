"""Reliability of the confidence: the share of dice read right per bin, as numbers and as a diagram.

docs/why/reliability.md says how to read it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from companion.engine.proportion import wilson
from vision.evaluation.scores import Match, PhotoResult
from vision.pipeline.confidence import expected_share
from vision.reading import UNCERTAIN_BELOW, Die

BIN_EDGES: Final = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)
"""Limits of the bins, narrower towards 1, where most dice are."""

_WIDTH, _HEIGHT = 760, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 16, 66, 78
_STYLE: Final = """
.rel { font: 13px system-ui, sans-serif; }
.rel .paper { fill: #ffffff; } .rel text { fill: #1c1e21; } .rel .soft { fill: #5b6167; }
.rel .grid { stroke: #d9dcdf; } .rel .bar { fill: #4e83b8; } .rel .said { stroke: #c2410c; stroke-width: 3; }
.rel .range { stroke: #1c1e21; } .rel .ask { stroke: #5b6167; stroke-dasharray: 5 4; }
@media (prefers-color-scheme: dark) {
.rel .paper { fill: #16181b; } .rel text { fill: #e8eaed; } .rel .soft { fill: #a4abb2; }
.rel .grid { stroke: #34383d; } .rel .bar { fill: #4a7fb5; } .rel .said { stroke: #fb923c; }
.rel .range { stroke: #e8eaed; } .rel .ask { stroke: #a4abb2; }
}
"""


@dataclass(frozen=True, slots=True)
class Bin:
    """The dice read with a confidence from `low` to below `high`."""

    low: float
    high: float
    dice: int
    right: int
    mean: float

    @property
    def share(self) -> float:
        """The share of these dice that were read right; 0 if there are none."""
        return self.right / self.dice if self.dice else 0.0

    @property
    def range(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the true share; all of 0 to 1 if there are no dice."""
        return wilson(self.right, self.dice) or (0.0, 1.0)


def reliability_bins(photos: Iterable[PhotoResult]) -> tuple[Bin, ...]:
    """Bins of all dice read, by confidence.

    Photos labelled with counts only are left out, because they do not tell which die is wrong.
    """
    return _bins((die.confidence, match.kind == "right") for match, die in _read(photos))


def there_bins(photos: Iterable[PhotoResult]) -> tuple[Bin, ...]:
    """Bins of all dice read, by the probability of being a die; right are those that exist."""
    return _bins((die.there, match.label is not None) for match, die in _read(photos))


def face_bins(photos: Iterable[PhotoResult]) -> tuple[Bin, ...]:
    """Bins of the dice that exist and were read, by the confidence in their face alone."""
    return _bins((die.if_there, match.kind == "right") for match, die in _read(photos) if match.label is not None)


def _read(photos: Iterable[PhotoResult]) -> Iterator[tuple[Match, Die]]:
    for photo in photos:
        for match in photo.matches if photo.truth.labels is not None else ():
            if match.die:
                yield match, match.die


def _bins(dice: Iterable[tuple[float, bool]]) -> tuple[Bin, ...]:
    """Bins by confidence; each die comes with whether it was read right."""
    bins: list[list[tuple[float, bool]]] = [[] for _ in BIN_EDGES[1:]]
    for confidence, right in dice:
        bins[min(bisect_right(BIN_EDGES, confidence), len(bins)) - 1].append((confidence, right))
    return tuple(
        Bin(low, high, len(some), sum(right for _, right in some), sum(c for c, _ in some) / len(some) if some else 0.0)
        for (low, high), some in zip(pairwise(BIN_EDGES), bins, strict=True)
    )


def reliability_svg(
    bins: tuple[Bin, ...], ask_below: float | None, title: str = "Confidence and what became of it"
) -> str:
    """The diagram, for light and dark pages.

    ask_below: players are asked below this share; None if the confidence is itself a probability without questions.
    """
    wide = (_WIDTH - _LEFT - _RIGHT) / len(bins)
    tall = _HEIGHT - _TOP - _BOTTOM

    def y(share: float) -> float:
        return _TOP + (1 - share) * tall

    def line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
        return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'

    def text(x: float, at: float, label: str, kind: str = "", anchor: str = "middle") -> str:
        return f'<text class="{kind}" x="{x:.1f}" y="{at:.1f}" text-anchor="{anchor}">{label}</text>'

    count, right = sum(b.dice for b in bins), sum(b.right for b in bins)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="rel" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">',
        f"<title>{title}: {right} of {count} dice right</title><style>{_STYLE}</style>",
        f'<rect class="paper" width="{_WIDTH}" height="{_HEIGHT}"/>',
        text(_LEFT, 22, f"{title}: {right} of {count} dice right", anchor="start"),
        text(_LEFT, 42, "bar: share right, with what 95 % certainty leaves open; orange: what the confidence says",
             "soft", "start"),
    ]  # fmt: skip
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts += [line("grid", _LEFT, y(share), _WIDTH - _RIGHT, y(share)),
                  text(_LEFT - 8, y(share) + 4, f"{100 * share:.0f} %", "soft", "end")]  # fmt: skip
    for k, each in enumerate(bins):
        x, base = _LEFT + k * wide, y(0)
        middle = x + wide / 2
        parts.append(text(x, base + 18, f"{each.low:g}", "soft"))
        parts.append(text(middle, base + 36, f"{each.dice}"))
        if not each.dice:
            continue
        low, high = (y(share) for share in each.range)
        parts.append(
            f'<rect class="bar" x="{x + 6:.1f}" y="{y(each.share):.1f}" width="{wide - 12:.1f}" '
            f'height="{base - y(each.share):.1f}"/>'
        )
        label = y(each.mean if ask_below is None else expected_share(each.mean, ask_below))
        parts += [line("range", middle, low, middle, high), line("said", x + 3, label, x + wide - 3, label)]
    asked = _LEFT + sum(each.high <= UNCERTAIN_BELOW for each in bins) * wide
    if ask_below is not None:
        parts += [
            line("ask", asked, _TOP - 14, asked, y(0)),
            text(asked - 6, _TOP - 6, "players are asked", "soft", "end"),
            text(asked + 6, _TOP - 6, "counted", "soft", "start"),
        ]
    parts += [
        text(_WIDTH - _RIGHT, y(0) + 18, f"{BIN_EDGES[-1]:g}", "soft"),
        text(_LEFT - 8, y(0) + 36, "dice", "soft", "end"),
        text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 12, "confidence", "soft"),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def stacked(diagrams: Sequence[str]) -> str:
    """Diagrams below one another in one picture."""
    placed = (
        each.replace("<svg ", f'<svg y="{n * _HEIGHT}" height="{_HEIGHT}" ', 1) for n, each in enumerate(diagrams)
    )
    view = f"0 0 {_WIDTH} {len(diagrams) * _HEIGHT}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}">\n{"".join(placed)}</svg>\n'
