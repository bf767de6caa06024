"""Tests how well labelled tables are judged as worse cameras, other light and mishaps would show them.

After Hendrycks and Dietterich 2019, "Benchmarking neural network robustness to common corruptions and perturbations". A
corruption changes the picture and the dice's places in it, never which dice are in play.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from calibration.image import Floats, Image
from vision.evaluation.pairs import PairScore, PairTruth, TrueDie, score_pair
from vision.image_file import read_image
from vision.in_play import read_in_play
from vision.quiet_table import QuietTable
from vision.reader import Reader
from vision.reading import Box, Reading

Rng = np.random.Generator


class LabelledTable(NamedTuple):
    """A picture of a table."""

    image: Image
    dice: tuple[TrueDie, ...]
    """Every die in play, including one that is no longer visible."""
    before: Image | None = None
    """The table while cups covered the dice, if the camera saw it."""


Corruption = Callable[[LabelledTable, Rng], LabelledTable]

Point = tuple[float, float]
Paint = Sequence[int]
"""BGR."""
Print = Callable[[Image, Point, float, float, Sequence[Paint]], None]
"""Draws a print of a cloth: picture, centre, width in pixels, rotation in radians, colours."""

_GAMMA: Final = 2.2
_SKIN: Final = (125, 155, 205)
"""BGR."""
_CARD: Final = (235, 240, 240)


def _lit(
    table: LabelledTable,
    rng: Rng,
    gains: tuple[float, float, float] = (1, 1, 1),
    stops: float = 0.0,
    noise: float = 0.0,
) -> LabelledTable:
    """Multiply linear light by `gains` (BGR) and by two to the `stops`, and add a sensor's noise."""
    light = (table.image.astype(np.float32) / 255) ** _GAMMA * np.array(gains, np.float32) * 2.0**stops
    if noise:
        light += rng.standard_normal(light.shape).astype(np.float32) * np.sqrt(light + 0.01) * noise
    return table._replace(image=_encoded(light))


def _encoded(light: Floats) -> Image:
    return np.asarray(np.round(np.clip(light, 0, 1) ** (1 / _GAMMA) * 255), np.uint8)


def _compressed(table: LabelledTable, _: Rng, quality: int) -> LabelledTable:
    return table._replace(image=_jpeg(table.image, quality))


def _jpeg(image: Image, quality: int) -> Image:
    data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _out_of_focus(table: LabelledTable, _: Rng, widths: float) -> LabelledTable:
    """Blur every point to a disc of this radius, in die widths."""
    radius = widths * _die_width(table)
    ys, xs = np.mgrid[-int(radius) - 1 : int(radius) + 2, -int(radius) - 1 : int(radius) + 2]
    disc = np.clip(radius + 0.5 - np.hypot(xs, ys), 0, 1)
    image = cv2.filter2D(table.image, -1, disc / disc.sum(), borderType=cv2.BORDER_REFLECT)
    return table._replace(image=np.asarray(image, np.uint8))


def _cheap_lens(table: LabelledTable, _: Rng) -> LabelledTable:
    """Magnify red and shrink blue by 0.4 %, and darken the corners by a stop."""
    height, width = table.image.shape[:2]
    middle = (width / 2, height / 2)
    channels = [
        cv2.warpAffine(
            channel, cv2.getRotationMatrix2D(middle, 0, scale), (width, height), borderMode=cv2.BORDER_REFLECT
        )
        for channel, scale in zip(cv2.split(table.image), (0.996, 1.0, 1.004), strict=True)
    ]
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    away = ((xs - middle[0]) ** 2 + (ys - middle[1]) ** 2) / (middle[0] ** 2 + middle[1] ** 2)
    light = (np.dstack(channels).astype(np.float32) / 255) ** _GAMMA * (1 - 0.5 * away)[..., None]
    return table._replace(image=_encoded(light))


def _webcam(table: LabelledTable, _: Rng, width: int) -> LabelledTable:
    """Simulate a webcam with pictures of this width: sharpened, and strongly compressed."""
    scale = width / table.image.shape[1]
    small = cv2.resize(table.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    sharp = cv2.addWeighted(small, 1.8, cv2.GaussianBlur(small, (0, 0), 1.2), -0.8, 0)
    return _moved(LabelledTable(_jpeg(np.asarray(sharp, np.uint8), 60), table.dice), np.diag([scale, scale, 1.0]))


def _tilted(table: LabelledTable, _: Rng, degrees: float) -> LabelledTable:
    """Tilt the camera, which still looks at the middle of the table, by this many degrees more."""
    height, width = table.image.shape[:2]
    angle = np.deg2rad(degrees)
    to_table = np.array([[1 / width, 0, -0.5], [0, 1 / width, -0.5 * height / width], [0, 0, 1]])
    see = np.array([[1, 0, 0], [0, np.cos(angle), 0], [0, -np.sin(angle), 1]])
    matrix = np.linalg.inv(to_table) @ see @ to_table
    cloth = np.median(table.image[:: height - 1], axis=(0, 1)).tolist()
    image = cv2.warpPerspective(table.image, matrix, (width, height), flags=cv2.INTER_AREA, borderValue=cloth)
    return _moved(LabelledTable(np.asarray(image, np.uint8), table.dice), matrix)


def _covered(table: LabelledTable, rng: Rng, colour: tuple[int, int, int], across: float) -> LabelledTable:
    """Cover a die with something `across` die widths wide that reaches in from the nearer side of the table."""
    image = table.image.copy()
    height, width = image.shape[:2]
    x, y = _centre(_any_die(table, rng))
    size = _die_width(table)
    out = np.array([x - width / 2, y - height / 2])
    out = out / max(float(np.hypot(*out)), 1.0)
    tip = np.array([x, y]) + out * size * across * rng.uniform(0.1, 0.5) + rng.normal(0, 0.15, 2) * size
    end = tip + out * max(width, height)
    mask = np.zeros((height, width), np.uint8)
    thick = max(2, round(size * across))
    cv2.line(mask, (int(tip[0]), int(tip[1])), (int(end[0]), int(end[1])), 255, thick, cv2.LINE_AA)
    soft = cv2.GaussianBlur(mask, (0, 0), 1.0).astype(np.float32)[..., None] / 255
    inner = cv2.GaussianBlur(mask, (0, 0), thick / 4).astype(np.float32)[..., None] / 255
    paint = np.array(colour, np.float32) * (0.4 + 0.6 * inner)
    return table._replace(image=np.asarray(image * (1 - soft) + paint * soft, np.uint8))


def _cut_off(table: LabelledTable, rng: Rng) -> LabelledTable:
    """Cut the picture off in the middle of the die nearest to an edge."""
    height, width = table.image.shape[:2]

    def edges(die: TrueDie) -> dict[str, float]:
        x, y = _centre(die)
        return {"left": x, "top": y, "right": width - x, "bottom": height - y}

    side, cut = min((min(edges(die).items(), key=lambda each: each[1]) for die in table.dice), key=lambda each: each[1])
    at = max(1, round(cut + rng.uniform(-0.25, 0.25) * _die_width(table)))
    rows = slice(at if side == "top" else 0, height - at if side == "bottom" else height)
    columns = slice(at if side == "left" else 0, width - at if side == "right" else width)
    move = np.array([[1, 0, -columns.start], [0, 1, -rows.start], [0, 0, 1]], np.float64)
    return _moved(LabelledTable(np.ascontiguousarray(table.image[rows, columns]), table.dice), move)


def _picture_of_dice(table: LabelledTable, rng: Rng, frame: tuple[int, int, int]) -> LabelledTable:
    """Lay a telephone or a card on the table that shows some of the dice."""
    image = table.image.copy()
    size = _die_width(table)
    x, y = _centre(_any_die(table, rng))
    reach = round(size * rng.uniform(1.0, 1.8))
    shown = image[max(0, int(y) - reach) : int(y) + reach, max(0, int(x) - reach) : int(x) + reach]
    rim = max(3, round(size * 0.3))
    card = cv2.copyMakeBorder(shown, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=frame)
    place = _free_place(table, card.shape[1], card.shape[0], rng)
    if place is None:
        return table
    left, top = place
    image[top : top + card.shape[0], left : left + card.shape[1]] = card
    return table._replace(image=image)


def _free_place(table: LabelledTable, wide: int, tall: int, rng: Rng) -> tuple[int, int] | None:
    """The corner of an area without dice; None if there is none."""
    height, width = table.image.shape[:2]
    for _ in range(200):
        left, top = int(rng.integers(max(1, width - wide))), int(rng.integers(max(1, height - tall)))
        grown = (left - 6, top - 6, wide + 12, tall + 12)
        fits = left + wide <= width and top + tall <= height
        if fits and not any(_overlap(grown, die.box) for die in table.dice):
            return left, top
    return None


def _glare(table: LabelledTable, rng: Rng, share: float) -> LabelledTable:
    """Reflect a lamp on this share of the dice, at least one: part of the top face is white."""
    light = table.image.astype(np.float32)
    for die in _some_dice(table, rng, share):
        (x, y), size = _centre(die), max(die.box[2:])
        glow = np.zeros(light.shape[:2], np.float32)
        at = (int(x + rng.normal(0, 0.2) * size), int(y + rng.normal(0, 0.2) * size))
        axes = (max(1, round(rng.uniform(0.1, 0.35) * size)), max(1, round(rng.uniform(0.1, 0.35) * size)))
        cv2.ellipse(glow, at, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
        glow = cv2.GaussianBlur(glow, (0, 0), max(0.6, float(rng.uniform(0.02, 0.12)) * size)) * rng.uniform(0.75, 1)
        glow *= _inside(die.box, light.shape[:2])
        light += (255 - light) * glow[..., None]
    return table._replace(image=np.asarray(light, np.uint8))


def _painted_out(table: LabelledTable, rng: Rng, share: float) -> LabelledTable:
    """Paint over a spot where a pip may have been, on this share of the dice, at least one.

    Never the middle one: without its middle pip a three is a two to everybody.
    """
    image = table.image.astype(np.float32)
    for die in _some_dice(table, rng, share):
        (x, y), size = _centre(die), max(die.box[2:])
        near = image[max(0, int(y - size / 3)) : int(y + size / 3), max(0, int(x - size / 3)) : int(x + size / 3)]
        angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 0.34) * size
        spot = np.zeros(image.shape[:2], np.float32)
        at = (int(x + away * np.cos(angle)), int(y + away * np.sin(angle)))
        cv2.circle(spot, at, max(1, round(float(rng.uniform(0.1, 0.17)) * size)), 1.0, -1)
        if near.size:
            paint = np.median(near.reshape(-1, 3), axis=0)
            image += (paint - image) * cv2.GaussianBlur(spot, (0, 0), 1.0)[..., None]
    return table._replace(image=np.clip(image, 0, 255).astype(np.uint8))


def _washed_out(table: LabelledTable, rng: Rng, share: float) -> LabelledTable:
    """Reflect a wide lamp on this share of the dice, at least one: half of the top face is pale."""
    light = table.image.astype(np.float32)
    for die in _some_dice(table, rng, share):
        (x, y), size = _centre(die), max(die.box[2:])
        angle, soft = rng.uniform(0, 2 * np.pi), rng.uniform(0.04, 0.15) * size
        ys, xs = np.mgrid[0 : light.shape[0], 0 : light.shape[1]].astype(np.float32)
        away = (xs - x) * np.cos(angle) + (ys - y) * np.sin(angle) + rng.normal(0, 0.12) * size
        sheet = rng.uniform(0.7, 0.97) / (1 + np.exp(-np.clip(away / soft, -30, 30)))
        light += (rng.uniform(215, 255) - light) * (sheet * _inside(die.box, light.shape[:2]))[..., None]
    return table._replace(image=np.clip(light, 0, 255).astype(np.uint8))


def _stacked(table: LabelledTable, rng: Rng) -> LabelledTable:
    """Put one die on top of another."""
    if len(table.dice) < 2:
        return table
    upper, lower = (table.dice[k] for k in rng.permutation(len(table.dice))[:2].tolist())
    height, width = table.image.shape[:2]
    size = max(upper.box[2:])
    angle = rng.uniform(0, 2 * np.pi)
    to = np.array(_centre(lower)) + 0.4 * size * np.array([np.cos(angle), np.sin(angle)])
    move = np.array([[1, 0, to[0] - _centre(upper)[0]], [0, 1, to[1] - _centre(upper)[1]]], np.float64)
    mask = _inside(upper.box, (height, width))
    hole = np.asarray((_inside(_grown(upper.box, 0.12 * size), (height, width)) > 0.05) * 255, np.uint8)
    bare = cv2.inpaint(table.image, hole, 3, cv2.INPAINT_TELEA).astype(np.float32)
    carried = cv2.warpAffine(table.image, move, (width, height)).astype(np.float32)
    over = cv2.warpAffine(mask, move, (width, height))[..., None]
    image = np.asarray(bare * (1 - over) + carried * over, np.uint8)
    box = (upper.box[0] + move[0, 2], upper.box[1] + move[1, 2], *upper.box[2:])
    return LabelledTable(image, tuple(replace(die, box=box) if die is upper else die for die in table.dice))


def _flower(image: Image, at: Point, size: float, turn: float, paints: Sequence[Paint]) -> None:
    for petal in range(5):
        angle = turn + petal * np.pi * 0.4
        tip = (round(at[0] + 0.28 * size * np.cos(angle)), round(at[1] + 0.28 * size * np.sin(angle)))
        cv2.circle(image, tip, max(1, round(0.2 * size)), paints[0], -1, cv2.LINE_AA)
    cv2.circle(image, (round(at[0]), round(at[1])), max(1, round(0.12 * size)), paints[1], -1, cv2.LINE_AA)


def _dot(image: Image, at: Point, size: float, _: float, paints: Sequence[Paint]) -> None:
    cv2.circle(image, (round(at[0]), round(at[1])), max(1, round(0.45 * size)), paints[0], -1, cv2.LINE_AA)


def _square(image: Image, at: Point, size: float, turn: float, paints: Sequence[Paint]) -> None:
    corners = cv2.boxPoints((at, (size, size), float(np.rad2deg(turn))))
    cv2.fillConvexPoly(image, corners.astype(np.int32), paints[0], cv2.LINE_AA)


def _printed_die(image: Image, at: Point, size: float, turn: float, paints: Sequence[Paint]) -> None:
    """Print a five."""
    _square(image, at, size, turn, paints)
    pips = 0.27 * size * np.array([(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)])
    c, s = np.cos(turn), np.sin(turn)
    for x, y in (pips @ np.array([[c, s], [-s, c]]) + at).round().astype(int).tolist():
        cv2.circle(image, (x, y), max(1, round(0.1 * size)), paints[1], -1, cv2.LINE_AA)


def _on_cloth(table: LabelledTable, rng: Rng, draw: Print, *, seen: bool = False) -> LabelledTable:
    """Lay the dice on a printed cloth. seen: the camera saw it while cups covered the dice."""
    cloth, width = table.image.copy(), _die_width(table)
    size, pitch, turn = width * rng.uniform(0.6, 1.2), width * rng.uniform(1.5, 2.5), rng.uniform(0, np.pi)
    paints = [tuple(each) for each in rng.integers(20, 235, (2, 3)).tolist()]
    rows, columns = (range(int(side / pitch) + 1) for side in cloth.shape[:2])
    for row, column in ((row, column) for row in rows for column in columns):
        at = ((column + 0.5 * (row % 2)) * pitch, row * pitch)
        draw(cloth, at, size, turn + float(rng.integers(4)) * np.pi / 2, paints)
    image, before = cloth.copy(), cloth if seen else None
    shown = np.zeros(cloth.shape[:2], np.uint8)
    for die in table.dice:
        (x, y), reach = _centre(die), max(die.box[2:])
        middle = (round(x), round(y))
        cv2.ellipse(shown, middle, (round(0.56 * die.box[2]), round(0.56 * die.box[3])), 0, 0, 360, 255, -1)
        if before is not None:
            cv2.circle(before, middle, round(1.4 * reach), (95, 100, 105), -1, cv2.LINE_AA)
    share = cv2.GaussianBlur(shown, (0, 0), 1.5).astype(np.float32)[..., None] / 255
    image = np.asarray(image + (table.image - image.astype(np.float32)) * share, np.uint8)
    return table._replace(image=image, before=before)


_PRINTS: Final[Mapping[str, Print]] = {"flowers": _flower, "dots": _dot, "checks": _square, "dice": _printed_die}

CORRUPTIONS: Final[Mapping[str, Corruption]] = {
    "as taken": lambda table, _: table,
    "JPEG of quality 30": partial(_compressed, quality=30),
    "dim, with noise": partial(_lit, stops=-1.5, noise=0.06),
    "two stops too dark": partial(_lit, stops=-2),
    "a stop and a half too bright": partial(_lit, stops=1.5),
    "tungsten taken for daylight": partial(_lit, gains=(0.45, 0.85, 1.3)),
    "daylight taken for tungsten": partial(_lit, gains=(1.7, 1.05, 0.65)),
    "blur of 0.05 die widths": partial(_out_of_focus, widths=0.05),
    "blur of 0.1 die widths": partial(_out_of_focus, widths=0.1),
    "blur of 0.2 die widths": partial(_out_of_focus, widths=0.2),
    "blur of 0.3 die widths": partial(_out_of_focus, widths=0.3),
    "a cheap lens": _cheap_lens,
    "a webcam of 1280 pixels": partial(_webcam, width=1280),
    "a webcam of 640 pixels": partial(_webcam, width=640),
    "25 degrees of tilt": partial(_tilted, degrees=25),
    "a finger over a die": partial(_covered, colour=_SKIN, across=1.0),
    "a sleeve over a die": partial(_covered, colour=(70, 60, 50), across=3.0),
    "a die cut off": _cut_off,
    "a telephone that shows dice": partial(_picture_of_dice, frame=(20, 20, 20)),
    "a card that shows dice": partial(_picture_of_dice, frame=_CARD),
    "glare on a die in four": partial(_glare, share=0.25),
    "a pip painted out on a die in four": partial(_painted_out, share=0.25),
    "a die in four washed out": partial(_washed_out, share=0.25),
    "a die on a die": _stacked,
    **{f"a cloth with {name}": partial(_on_cloth, draw=draw) for name, draw in _PRINTS.items()},
    **{f"a cloth with {name}, seen before": partial(_on_cloth, draw=draw, seen=True) for name, draw in _PRINTS.items()},
}


class CorruptedTable(NamedTuple):
    """A table under one condition, and its score."""

    name: str
    condition: str
    image: Image
    reading: Reading
    score: PairScore


def judge_tables(reader: Reader, labels: Path) -> Iterator[CorruptedTable]:
    """Judge every table of a labels file under every condition, with the dice in play known.

    Pictures of single dice, tables with lost dice and dice without a labelled colour are left out. The same file gives
    the same pictures. Raises `ImageError` if a picture cannot be read, and `OSError`, `ValueError` or `KeyError` for
    the file.
    """
    for n, (name, dice) in enumerate(_tables(labels).items()):
        table = LabelledTable(read_image(labels.parent / name), dice)
        in_play = dict(Counter(die.colour for die in dice))
        for k, (condition, corrupt) in enumerate(CORRUPTIONS.items()):
            image, moved, before = corrupt(table, np.random.default_rng([n, k]))
            quiet = () if before is None else (QuietTable.of(before, reader.read(before)),)
            reading = read_in_play(reader.read_cautiously, image, quiet, in_play).reading
            score = score_pair(PairTruth((), moved, in_play, open=True, conditions={}), reading)
            yield CorruptedTable(name, condition, image, reading, score)


def _tables(labels: Path) -> dict[str, tuple[TrueDie, ...]]:
    """Name of each table's picture -> its dice in play."""
    tables = {}
    for name, entry in json.loads(labels.read_text(encoding="utf-8")).items():
        dice = entry.get("dice", []) if isinstance(entry, dict) else entry
        if len(dice) > 1 and all({"value", "colour"} <= die.keys() and not die.get("lost") for die in dice):
            tables[name] = tuple(TrueDie(die["value"], die["colour"], tuple(die["box"]), lost=False) for die in dice)
    return tables


def _die_width(table: LabelledTable) -> float:
    return median(max(die.box[2:]) for die in table.dice)


def _centre(die: TrueDie) -> tuple[float, float]:
    x, y, w, h = die.box
    return x + w / 2, y + h / 2


def _some_dice(table: LabelledTable, rng: Rng, share: float) -> list[TrueDie]:
    """This share of the dice, at least one."""
    some = rng.permutation(len(table.dice))[: max(1, round(share * len(table.dice)))]
    return [table.dice[k] for k in some.tolist()]


def _any_die(table: LabelledTable, rng: Rng) -> TrueDie:
    return table.dice[int(rng.integers(len(table.dice)))]


def _grown(box: Box, by: float) -> Box:
    x, y, w, h = box
    return x - by, y - by, w + 2 * by, h + 2 * by


def _overlap(one: Box, other: Box) -> bool:
    return (
        one[0] < other[0] + other[2]
        and other[0] < one[0] + one[2]
        and one[1] < other[1] + other[3]
        and other[1] < one[1] + one[3]
    )


def _inside(box: Box, shape: tuple[int, ...]) -> npt.NDArray[np.float32]:
    """1 inside the ellipse of the box, 0 outside, with a soft edge: roughly the die itself."""
    x, y, w, h = box
    ys, xs = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    away = (np.abs((xs - x - w / 2) / (w / 2 * 0.98)) ** 4 + np.abs((ys - y - h / 2) / (h / 2 * 0.98)) ** 4) ** 0.25
    return np.asarray(np.clip((1 - away) * min(w, h) / 4 + 0.5, 0, 1), np.float32)


def _moved(table: LabelledTable, matrix: npt.NDArray[np.float64]) -> LabelledTable:
    """Transform the dice's boxes by a 3 x 3 map of the picture's points."""

    def moved(box: Box) -> Box:
        x, y, w, h = box
        corners = np.array([[[x, y], [x + w, y], [x + w, y + h], [x, y + h]]], np.float64)
        points = cv2.perspectiveTransform(corners, matrix)[0]
        (left, top), (right, bottom) = points.min(0).tolist(), points.max(0).tolist()
        return left, top, right - left, bottom - top

    return LabelledTable(table.image, tuple(replace(die, box=moved(die.box)) for die in table.dice))
