"""Composes random tables full of dice and other objects, with labels, from banks of dice."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from calibration.palette import COLOURS, SRGB
from vision.drawn.compose import cast_shadow, cloud, darken, paste, to_linear
from vision.training.bank import SPRITE_HALF_EDGE, Bank
from vision.training.cloths import patterned_cloth
from vision.training.things import lay_things

Canvas = npt.NDArray[np.float32]

UNKNOWN_COLOUR = 255
"""The colour of a real die in a bank, which has no label."""


@dataclass
class SceneLabel:
    """One die of a picture; `ignore` if it is too hidden."""

    face: int
    colour: int
    """-1 if unknown."""
    box: tuple[float, float, float, float]
    ignore: bool = False


def _random_colour(rng: np.random.Generator) -> npt.NDArray[np.float32]:
    if rng.uniform() < 0.35:  # a cloth in the colour of a die is the hard case
        base = np.array(SRGB[str(rng.choice(list(SRGB)))], np.float32) * rng.uniform(0.4, 1.1)
    elif rng.uniform() < 0.5:
        base = np.full(3, rng.uniform(15, 245), np.float32) + rng.uniform(-12, 12, 3).astype(np.float32)
    else:
        base = rng.uniform(10, 245, 3).astype(np.float32)
    r, g, b = np.clip(base, 2, 250).tolist()
    return np.array(to_linear((int(r), int(g), int(b))), np.float32)


def random_surface(side: int, rng: np.random.Generator) -> Canvas:
    """Felt, wood, checks, stripes, print, or plain."""
    a, b = _random_colour(rng), _random_colour(rng)
    kind = rng.uniform()
    ys, xs = np.mgrid[0:side, 0:side].astype(np.float32)
    if kind < 0.4:
        mix = 0.06 * cloud(side, side, 1.0 + rng.uniform(0, 2), rng) + 0.1 * cloud(
            side, side, rng.uniform(20, 120), rng
        )
        canvas = a * (1 + rng.uniform(0.1, 1.4) * mix)[..., None]
    elif kind < 0.6:  # wood
        angle = rng.uniform(0, np.pi)
        across = xs * np.cos(angle) + ys * np.sin(angle)
        grain = np.sin(across / rng.uniform(2, 14) + 3 * cloud(side, side, rng.uniform(40, 150), rng))
        canvas = a * (1 + rng.uniform(0.05, 0.35) * grain + 0.05 * cloud(side, side, 2, rng))[..., None]
    elif kind < 0.8:  # patterned cloth
        angle, period = rng.uniform(0, np.pi), rng.uniform(10, 90)
        u = np.sin((xs * np.cos(angle) + ys * np.sin(angle)) * 2 * np.pi / period)
        v = np.sin((ys * np.cos(angle) - xs * np.sin(angle)) * 2 * np.pi / period)
        style = rng.integers(0, 4)
        raw = [u * v > 0, u > rng.uniform(-0.6, 0.6), u + v > rng.uniform(0.3, 1.2), (u > 0.8) | (v > 0.8)][style]
        m = cv2.GaussianBlur(raw.astype(np.float32), (0, 0), rng.uniform(0.4, 1.2))[..., None]
        b = a * (1 - rng.uniform(0.1, 1)) + b * rng.uniform(0.1, 1) if rng.uniform() < 0.6 else b
        canvas = a * (1 - m) + b * m
    else:
        m = np.clip(0.5 + 0.5 * cloud(side, side, rng.uniform(8, 80), rng), 0, 1)[..., None]
        canvas = a * (1 - m) + (a * 0.7 + b * 0.3) * m
    return np.asarray(np.clip(canvas, 0, 1), dtype=np.float32)


def _blob(side: int, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """The outline of something that is not a die."""
    mask = np.zeros((side, side), np.uint8)
    x, y = (int(v) for v in rng.uniform(-0.1, 1.1, 2) * side)
    size = int(rng.uniform(8, 150))
    kind = rng.integers(0, 8)
    if kind in (0, 6):  # coin, cup, glass
        cv2.circle(mask, (x, y), max(6, size // 2), 255, -1, cv2.LINE_AA)
    elif kind == 1:  # card, phone, box
        ratio = rng.uniform(0.4, 1.0)
        corners = cv2.boxPoints(((x, y), (size, size * ratio), rng.uniform(0, 180)))
        cv2.fillPoly(mask, [corners.astype(np.int32)], 255, cv2.LINE_AA)
    elif kind == 2:  # pen, cable
        end = (rng.uniform(-1, 2, 2) * side).astype(int)
        cv2.line(mask, (x, y), (int(end[0]), int(end[1])), 255, int(rng.uniform(2, 14)), cv2.LINE_AA)
    elif kind == 3:  # hand, arm
        angle = rng.uniform(0, 2 * np.pi)
        d = np.array([np.cos(angle), np.sin(angle)])
        n = np.array([-d[1], d[0]])
        w = rng.uniform(10, 26)
        p = np.array([x, y])
        for k in range(4):
            s, e = p + n * (k - 1.5) * w, p + n * (k - 1.5) * w * 0.9 + d * w * rng.uniform(2, 4)
            cv2.line(mask, s.astype(int).tolist(), e.astype(int).tolist(), 255, int(w * 0.95), cv2.LINE_AA)
        cv2.line(mask, p.astype(int).tolist(), (p - d * w * 20).astype(int).tolist(), 255, int(w * 3.6), cv2.LINE_AA)
    elif kind == 4:  # print
        text = "".join(rng.choice(list("ABCDEFGHKMRSXYZ0123456789.:oO"), 8))
        cv2.putText(
            mask,
            text,
            (x, y),
            int(rng.integers(0, 4)),
            rng.uniform(0.4, 2.5),
            255,
            int(rng.integers(1, 5)),
            cv2.LINE_AA,
        )
    elif kind == 7:  # a cup on its side
        angle, length = rng.uniform(0, 2 * np.pi), size * 0.6 + 12
        d = np.array([np.cos(angle), np.sin(angle)])
        n = np.array([-d[1], d[0]])
        p = np.array([x, y])
        body = np.array([p + n * length * 0.5, p - n * length * 0.5, p - n * length * 0.35 + d * length,
                         p + n * length * 0.35 + d * length])  # fmt: skip
        cv2.fillPoly(mask, [body.astype(np.int32)], 255, cv2.LINE_AA)
        cv2.ellipse(
            mask, (x, y), (int(length * 0.5), int(length * 0.2)), float(np.rad2deg(angle)) + 90, 0, 360, 120, -1
        )
    else:  # loose dots, like pips without a die
        pitch, radius = rng.uniform(5, 16), rng.uniform(1.5, 5)
        for i in range(int(rng.integers(1, 4))):
            for j in range(int(rng.integers(1, 5))):
                cv2.circle(mask, (int(x + i * pitch), int(y + j * pitch)), int(radius), 255, -1, cv2.LINE_AA)
    return mask.astype(np.float32) / 255


def _clutter(canvas: Canvas, rng: np.random.Generator, sun: tuple[float, float]) -> npt.NDArray[np.float32]:
    """Draw one object on the canvas and return its mask."""
    side = canvas.shape[0]
    mask = _blob(side, rng)
    if rng.uniform() < 0.7:
        height = rng.uniform(1, 25)
        shadow, margin = cast_shadow(mask, (sun[0] * height, sun[1] * height), rng.uniform(1, 5))
        darken(canvas, shadow, -margin, -margin, float(rng.uniform(0.2, 0.7)))
    if rng.uniform() < 0.3:
        skin = np.array(to_linear((205, 150, 120)), np.float32) * rng.uniform(0.15, 1.2)
        colour = skin
    else:
        colour = _random_colour(rng)
    bulge = (
        cv2.GaussianBlur(mask, (0, 0), rng.uniform(2, 9))[..., None]
        if rng.uniform() < 0.6
        else np.ones((side, side, 1))
    )
    rgb = np.broadcast_to(colour, canvas.shape) * (0.4 + 0.6 * bulge)
    if rng.uniform() < 0.25:  # rings, rims
        edge = np.abs(cv2.Laplacian(cv2.GaussianBlur(mask, (0, 0), 2), cv2.CV_32F))[..., None]
        rgb = rgb + edge * rng.uniform(0, 2)
    paste(canvas, np.clip(rgb, 0, 1).astype(np.float32), mask, 0, 0)
    return mask


def _spots(count: int, edge: float, side: int, rng: np.random.Generator) -> list[tuple[float, float]]:
    """Places of dice: alone, in heaps that touch, or in rows."""
    spots: list[tuple[float, float]] = []
    heap = rng.uniform() < 0.6
    gap = edge * rng.uniform(1.02, 1.3)
    tries = 0
    while len(spots) < count and tries < count * 30:
        tries += 1
        if heap and spots and rng.uniform() < 0.75:
            x, y = spots[int(rng.integers(len(spots)))]
            angle = rng.uniform(0, 2 * np.pi)
            reach = gap * rng.uniform(1.0, 1.25)
            x, y = x + reach * np.cos(angle), y + reach * np.sin(angle)
        else:
            x, y = rng.uniform(-0.02, 1.02, 2) * side
        if (
            -0.05 * side < x < 1.05 * side
            and -0.05 * side < y < 1.05 * side
            and all((x - u) ** 2 + (y - v) ** 2 > gap**2 for u, v in spots)
        ):
            spots.append((float(x), float(y)))
    return spots


def camera_look(canvas: Canvas, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Colour of the light, exposure, blur, noise and JPEG: linear light in, a BGR frame out."""
    side = canvas.shape[0]
    warm = rng.normal(0, 0.22)
    gains = np.array([1 + warm, 1 + rng.normal(0, 0.04), 1 - warm], np.float32)
    ys, xs = np.mgrid[0:side, 0:side].astype(np.float32) / side - 0.5
    angle = rng.uniform(0, 2 * np.pi)
    slope = 1 + rng.uniform(0, 0.9) * (xs * np.cos(angle) + ys * np.sin(angle))
    canvas = canvas * gains.clip(0.4, 1.8) * slope[..., None] * np.exp(rng.normal(0, 0.35))
    if rng.uniform() < 0.25:  # the shadow of something outside the picture
        m = (cloud(side, side, rng.uniform(80, 300), rng) > rng.uniform(-0.3, 1)).astype(np.float32)
        canvas = canvas * (1 - rng.uniform(0.2, 0.6) * cv2.GaussianBlur(m, (0, 0), rng.uniform(1, 12)))[..., None]
    blur = rng.exponential(0.6)
    if blur > 0.3:
        canvas = cv2.GaussianBlur(canvas, (0, 0), min(float(blur), 1.8))
    canvas = np.clip(canvas, 0, None)
    canvas = canvas + rng.normal(0, 1, canvas.shape).astype(np.float32) * np.sqrt(canvas + 0.003) * rng.exponential(
        0.025
    )
    encoded = np.clip(canvas[..., ::-1], 0, 1) ** rng.uniform(0.38, 0.56)
    frame = (encoded * 255).astype(np.uint8)
    if rng.uniform() < 0.3:  # a phone's sharpening
        soft = cv2.GaussianBlur(frame, (0, 0), 1.2)
        frame = cv2.addWeighted(frame, 1.7, soft, -0.7, 0)
    if rng.uniform() < 0.6:
        _, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 95))])
        frame = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return frame


def make_scene(
    banks: list[tuple[float, Bank]], side: int, rng: np.random.Generator
) -> tuple[npt.NDArray[np.uint8], list[SceneLabel]]:
    """A square frame and its dice, drawn from the banks according to their shares."""
    edge = float(np.exp(rng.uniform(np.log(15), np.log(58))))
    canvas = patterned_cloth(side, rng) if rng.uniform() < 0.25 else random_surface(side, rng)
    around, flat = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.9)
    sun = (float(np.cos(around) * flat), float(np.sin(around) * flat))
    for _ in range(int(rng.integers(0, 7))):
        if rng.uniform() < 0.35:
            _clutter(canvas, rng, sun)
        else:
            lay_things(canvas, rng, edge, sun)
    count = 0 if rng.uniform() < 0.08 else int(min(rng.integers(1, 26), 0.35 * (side / edge) ** 2))
    strength = float(rng.uniform(0.1, 0.8))
    labels: list[SceneLabel] = []
    shares = np.cumsum([share for share, _ in banks])
    one_bank = banks[int(np.searchsorted(shares, rng.uniform(0, shares[-1])))][1] if rng.uniform() < 0.5 else None
    for x, y in _spots(count, edge, side, rng):
        bank = one_bank or banks[int(np.searchsorted(shares, rng.uniform(0, shares[-1])))][1]
        half = bank.rgba.shape[1] / 2
        i = int(rng.integers(len(bank.faces)))
        scale = edge * rng.uniform(0.93, 1.07) / (2 * SPRITE_HALF_EDGE)
        turn = np.array([[scale, 0, 0], [0, scale, 0]], np.float32)
        n = int(np.ceil(2 * half * scale)) + 2
        turn[:, 2] = n / 2 - half * scale + rng.uniform(-0.5, 0.5, 2)
        soft = cv2.GaussianBlur(bank.rgba[i], (0, 0), 0.45 / scale) if scale < 0.75 else bank.rgba[i]
        small = cv2.warpAffine(soft, turn, (n, n), flags=cv2.INTER_LINEAR).astype(np.float32) / 255
        rgb, alpha = small[..., :3] ** 2.2, small[..., 3]
        left, top = round(x - n / 2), round(y - n / 2)
        shadow, margin = cast_shadow(alpha, (sun[0] * edge * 0.8, sun[1] * edge * 0.8), edge * 0.09)
        darken(canvas, shadow, left - margin, top - margin, strength)
        paste(canvas, rgb, alpha, left, top)
        bx, by, bw, bh = bank.boxes[i] * scale
        box = (float(left + turn[0, 2] + bx), float(top + turn[1, 2] + by), float(bw), float(bh))
        colour = int(bank.colours[i])
        labels.append(SceneLabel(int(bank.faces[i]), -1 if colour == UNKNOWN_COLOUR else colour, box))
    if rng.uniform() < 0.25:
        mask = _clutter(canvas, rng, sun) if rng.uniform() < 0.6 else lay_things(canvas, rng, edge, sun)
        for label in labels:
            x0, y0, w, h = (int(v) for v in label.box)
            part = mask[max(0, y0) : y0 + h + 1, max(0, x0) : x0 + w + 1]
            label.ignore = label.ignore or bool(part.size and part.mean() > 0.06)
    visible_labels = []
    for label in labels:
        cx, cy = label.box[0] + label.box[2] / 2, label.box[1] + label.box[3] / 2
        inside = min(cx, cy, side - cx, side - cy)
        if inside > -0.5 * max(label.box[2:]):
            label.ignore = label.ignore or inside < 0.42 * max(label.box[2:])
            visible_labels.append(label)
    return camera_look(canvas, rng), visible_labels


def write_scenes(banks: list[tuple[float, Bank]], out: Path, count: int, seed: int, side: int = 448) -> None:
    """`count` scenes as files, with their labels."""
    out.mkdir(parents=True, exist_ok=True)
    labels = {}
    for i in range(count):
        frame, dice = make_scene(banks, side, np.random.default_rng([seed, i]))
        name = f"{seed}-{i:05d}.jpg"
        cv2.imwrite(str(out / name), frame, [cv2.IMWRITE_JPEG_QUALITY, 96])
        labels[name] = [
            {"value": die.face, "box": die.box, "ignore": die.ignore}
            | ({"colour": COLOURS[die.colour]} if die.colour >= 0 else {})
            for die in dice
        ]
    (out / f"labels-{seed}.json").write_text(json.dumps(labels), encoding="utf-8")
