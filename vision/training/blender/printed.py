"""What is printed or written on cloth, cards, paper and screens. Linear light, red first, row 0 at the top."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.palette import COLOURS
from vision.training.blender.colours import Floats, Rng, dull
from vision.training.blender.drawings import spline


def cloth_pattern(rng: Rng, base: Floats) -> tuple[Floats, float]:
    """A pattern that repeats, and its period in centimetres."""
    side = 512
    grid = np.arange(side) / side
    X, Y = np.meshgrid(grid, grid)
    colour = dull(rng, rng.choice(COLOURS))
    colour = np.clip(colour, 0.02, 0.7)
    kind = rng.choice(["gingham", "stripes", "dots", "tartan", "flowers", "weave"])
    cloth = np.zeros((side, side, 3)) + base
    if kind == "gingham":
        count = int(rng.integers(2, 5))
        share = ((X * count) % 1 < 0.5) * 0.5 + ((Y * count) % 1 < 0.5) * 0.5
        cloth = base * (1 - share[..., None]) + np.array([0.75, 0.74, 0.7]) * share[..., None]
        period = count * rng.uniform(1, 4)
    elif kind == "stripes":
        period = rng.uniform(8, 25)
        for _ in range(rng.integers(1, 5)):
            x, width = rng.uniform(0, 1), rng.uniform(0.02, 0.2)
            cloth[np.abs((X - x + 0.5) % 1 - 0.5) < width / 2] = np.clip(colour * rng.uniform(0.5, 1.5), 0.01, 0.8)
    elif kind == "dots":
        period = rng.uniform(1.6, 8)
        cloth[(rng.uniform(0.12, 0.3) ** 2 > (X - 0.5) ** 2 + (Y - 0.5) ** 2)] = colour
    elif kind == "tartan":
        period = rng.uniform(6, 18)
        share = np.zeros((side, side))
        for _ in range(4):
            x, width = rng.uniform(0, 1), rng.uniform(0.03, 0.2)
            for axis in (X, Y):
                share += 0.3 * (np.abs((axis - x + 0.5) % 1 - 0.5) < width / 2)
        share = np.clip(share, 0, 1)[..., None]
        cloth = base * (1 - share) + colour * share
    elif kind == "flowers":
        period = rng.uniform(8, 20)
        picture = cloth.astype(np.float32).copy()
        for _ in range(14):
            x, y = rng.uniform(60, side - 60, 2).tolist()
            radius = rng.uniform(12, 36)
            petal = np.clip(colour * rng.uniform(0.6, 1.6, 3), 0.01, 0.8).tolist()
            for j in range(6):
                cv2.circle(
                    picture,
                    (int(x + radius * np.cos(j * 1.047)), int(y + radius * np.sin(j * 1.047))),
                    int(radius * 0.5),
                    petal,
                    -1,
                    cv2.LINE_AA,
                )
            cv2.circle(picture, (int(x), int(y)), int(radius * 0.4), (0.7, 0.5, 0.08), -1, cv2.LINE_AA)
        cloth = picture
    else:
        period = rng.uniform(2, 6)
        share = (((X * 4) % 1 < 0.5) ^ ((Y * 4) % 1 < 0.5))[..., None]
        cloth = np.where(share, base, np.clip(base * 1.6 + 0.05, 0, 0.8))
    return np.asarray(cloth, np.float32), period


def card_image(rng: Rng, back: bool) -> Floats:
    """A playing card's face or back."""
    height, width = 352, 252
    picture = np.ones((height, width, 3), np.float32) * (0.93, 0.92, 0.89)
    ink = (0.65, 0.02, 0.03) if rng.random() < 0.5 else (0.02, 0.02, 0.025)
    if back:
        colour = dull(rng, rng.choice(["red", "blue", "black", "green"])).tolist()
        cv2.rectangle(picture, (14, 14), (width - 15, height - 15), colour, -1)
        for value in range(-height, width, 14):
            cv2.line(picture, (value, 14), (value + height, height - 14), (0.85, 0.83, 0.8), 1, cv2.LINE_AA)
            cv2.line(picture, (value + height, 14), (value, height - 14), (0.85, 0.83, 0.8), 1, cv2.LINE_AA)
        picture[:14] = picture[-14:] = (0.93, 0.92, 0.89)
        picture[:, :14] = picture[:, -14:] = (0.93, 0.92, 0.89)
        return picture
    value = int(rng.integers(1, 11))
    suit = rng.choice(["d", "h", "o"])

    def pip(x: float, y: float, size: float) -> None:
        if suit == "d":
            cv2.fillPoly(
                picture,
                [np.array([(x, y - size), (x + size * 0.75, y), (x, y + size), (x - size * 0.75, y)], np.int32)],
                ink,
                cv2.LINE_AA,
            )
        elif suit == "h":
            angles = np.linspace(0, 6.283, 40)
            outline = np.stack(
                [
                    x + size * np.sin(angles) ** 3,
                    y
                    - size
                    / 16
                    * (13 * np.cos(angles) - 5 * np.cos(2 * angles) - 2 * np.cos(3 * angles) - np.cos(4 * angles)),
                ],
                1,
            )
            cv2.fillPoly(picture, [outline.astype(np.int32)], ink, cv2.LINE_AA)
        else:
            for dx, dy in ((-0.4, 0.1), (0.4, 0.1), (0, -0.45)):
                cv2.circle(picture, (int(x + dx * size), int(y + dy * size)), int(size * 0.45), ink, -1, cv2.LINE_AA)
            cv2.line(picture, (int(x), int(y)), (int(x), int(y + size)), ink, 4)

    places = {1: [(1, 1)], 2: [(1, 0), (1, 2)], 3: [(1, 0), (1, 1), (1, 2)]}.get(value)
    if places is None:
        places = [(c, r) for c in (0, 2) for r in np.linspace(0, 2, value // 2)] + ([(1, 1)] if value % 2 else [])
    for c, r in places:
        pip(width * (0.3 + 0.2 * c), height * (0.2 + 0.3 * r), 22 if value > 1 else 44)
    for _ in (0, 1):
        cv2.putText(
            picture, "A" if value == 1 else str(value), (10, 40), cv2.FONT_HERSHEY_DUPLEX, 1.1, ink, 2, cv2.LINE_AA
        )
        pip(24, 62, 12)
        picture = np.ascontiguousarray(picture[::-1, ::-1])
    return picture


def paper_image(rng: Rng) -> Floats:
    """A sheet, ruled or not, with writing."""
    height, width = 600, 440
    picture = np.ones((height, width, 3), np.float32) * rng.uniform(0.82, 0.95) * rng.uniform(0.95, 1, 3)
    ruling = rng.choice(["lines", "squares", "blank"])
    for y in range(40, height, 22):
        if ruling != "blank":
            cv2.line(picture, (0, y), (width, y), (0.55, 0.65, 0.8), 1)
    if ruling == "squares":
        for x in range(0, width, 22):
            cv2.line(picture, (x, 0), (x, height), (0.55, 0.65, 0.8), 1)
    ink = [(0.03, 0.05, 0.3), (0.03, 0.03, 0.04), (0.5, 0.03, 0.04)][rng.integers(3)]
    for i in range(rng.integers(0, 16)):
        x, y = 30 + rng.integers(0, 60), 58 + 22 * i + rng.integers(-2, 3)
        for _ in range(rng.integers(1, 5)):
            stroke = [(x, y)]
            for _ in range(rng.integers(4, 14)):
                stroke.append((stroke[-1][0] + rng.uniform(2, 7), y - rng.uniform(-3, 12)))
            stroke = np.array(stroke)
            cv2.polylines(
                picture, [np.round(spline(stroke) * 16).astype(np.int32)[:, None]], False, ink, 2, cv2.LINE_AA, 4
            )
            x = stroke[-1, 0] + 14
            if x > width - 90:
                break
    return picture


def screen_image(rng: Rng) -> Floats:
    """What a phone shows."""
    picture = np.zeros((640, 300, 3), np.float32)
    picture[:] = rng.choice([0.02, 0.9, 0.95])
    ink = (0.08,) * 3 if picture[0, 0, 0] > 0.5 else (0.7,) * 3
    cv2.rectangle(picture, (0, 0), (300, 60), rng.uniform(0, 0.8, 3).tolist(), -1)
    y = 90
    while y < 600:
        what = rng.random()
        if what < 0.2:
            height = int(rng.integers(40, 120))
            cv2.rectangle(picture, (20, y), (280, y + height), rng.uniform(0, 1, 3).tolist(), -1)
            y += height + 14
        elif what < 0.3:
            for j in range(4):
                cv2.circle(picture, (50 + 66 * j, y + 20), 22, rng.uniform(0, 1, 3).tolist(), -1, cv2.LINE_AA)
            y += 60
        else:
            cv2.putText(
                picture,
                "".join(rng.choice(list("abcde nopr stuv ")) for _ in range(22)),
                (20, y + 10),
                cv2.FONT_HERSHEY_SIMPLEX,
                0.6,
                ink,
                1,
                cv2.LINE_AA,
            )
            y += 24
    return picture
