"""The players' colours on the page can be told apart, also by those who are colour-blind."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest

from web.page import STATIC

FEWEST = 13.0
"""The least CIEDE2000 between two players' dice, for everybody."""
SIGHT = {
    "all colours": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
"""Machado, Oliveira and Fernandes (2009), severity 1: linear RGB as such a person sees it."""
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)


def body_colours() -> dict[str, np.ndarray]:
    """Each player's colour, as linear RGB."""
    found = re.findall(r"^\.(\w+) \{ --die: #(\w{6});", (STATIC / "core/tokens.css").read_text(), re.MULTILINE)
    shown = {name: np.array([int(code[n : n + 2], 16) for n in (0, 2, 4)]) / 255 for name, code in found}
    return {name: np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) for name, c in shown.items()}


def lab(linear: np.ndarray) -> np.ndarray:
    """CIELAB of linear RGB, under D65."""
    xyz = XYZ @ np.clip(linear, 0, 1) / XYZ.sum(axis=1)
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def ciede2000(one: np.ndarray, other: np.ndarray) -> float:
    """The difference of two colours in CIELAB (Sharma, Wu and Dalal, 2005)."""
    mean = (np.hypot(*one[1:]) + np.hypot(*other[1:])) / 2
    stretch = 1 + (1 - np.sqrt(mean**7 / (mean**7 + 25**7))) / 2
    (a1, a2), (b1, b2) = (one[1] * stretch, other[1] * stretch), (one[2], other[2])
    c1, c2 = np.hypot(a1, b1), np.hypot(a2, b2)
    h1, h2 = np.degrees(np.arctan2([b1, b2], [a1, a2])) % 360
    turn = (h2 - h1 + 180) % 360 - 180
    hue = (h1 + turn / 2) % 360
    light, chroma = (one[0] + other[0]) / 2, (c1 + c2) / 2
    wave = sum(
        w * np.cos(np.radians(k * hue + p))
        for w, k, p in ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.20, 4, -63))
    )
    sl = 1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2)
    sc, sh = 1 + 0.045 * chroma, 1 + 0.015 * chroma * (1 + wave)
    rotation = (
        -2 * np.sqrt(chroma**7 / (chroma**7 + 25**7)) * np.sin(np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2))))
    )
    dl, dc = (other[0] - one[0]) / sl, (c2 - c1) / sc
    dh = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / sh
    return float(np.sqrt(dl**2 + dc**2 + dh**2 + rotation * dc * dh))


@pytest.mark.parametrize("sight", SIGHT)
def test_no_two_players_have_colours_that_look_alike(sight: str) -> None:
    seen = {name: lab(SIGHT[sight] @ colour) for name, colour in body_colours().items()}
    assert len(seen) == 8
    apart = {pair: ciede2000(seen[pair[0]], seen[pair[1]]) for pair in combinations(seen, 2)}
    assert {pair: far for pair, far in apart.items() if far < FEWEST} == {}


def test_the_difference_of_two_colours_is_the_published_one() -> None:
    assert ciede2000(np.array([50, 2.6772, -79.7751]), np.array([50, 0, -82.7485])) == pytest.approx(2.0425, abs=1e-4)
    assert ciede2000(np.array([50, 2.5, 0]), np.array([73, 25, -18])) == pytest.approx(27.1492, abs=1e-4)
