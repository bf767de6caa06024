"""Labelled training pictures, their crops, and augmentations that imitate other light and other cameras."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.palette import COLOURS
from vision.models.networks import CROP_MARGIN, CROP_SIDE, WIDE_CROP
from vision.training.quads import body_box

Frame = npt.NDArray[np.uint8]
Rows = npt.NDArray[np.float32]
"""n x 7: centre x, centre y, width, height, face 1-6, colour index or -1, ignore 0 or 1."""

WORLDS = {"drawn": 0.25, "traced": 0.35, "elsewhere": 0.4}
"""Kind of renderer -> its weight: drawn by `vision.training.scene`, path-traced by `vision.training.traced`, or
rendered by programs outside this repository.
"""
LEAST_VISIBLE = 2 / 3
"""A die with a smaller visible share is ignored,"""
LEAST_CONTRAST = 12.0
"""and so is one whose paint and body differ by fewer grey levels."""

LEAST_SIDE = 0.2
"""Distance between the centres of a die and its top, in widths of the top, at which a side is clearly visible."""

PHOTO_SCALE = 0.65
"""Photographs are kept at this scale: their dice are then 40 to 110 px wide."""


Worlds = Mapping[str, Sequence[Path]]
"""Folders of tables with dice, by the kind of renderer."""


@dataclass(frozen=True, slots=True)
class Course:
    """What a network is trained on, for how long, and where its checkpoints go."""

    work: Path
    photos: Path
    worlds: Worlds
    things: tuple[Path, ...]
    """Folders of tables without dice."""
    minutes: float
    threads: int
    start: Path | None = None
    """A checkpoint to continue from."""
    rate: float = 2e-3


@dataclass(frozen=True)
class Picture:
    """A frame and its dice."""

    data: Frame | bytes
    """The frame, or its encoded file if there are thousands."""
    dice: Rows
    real: bool
    tops: Rows = field(default_factory=lambda: np.zeros((0, 7), np.float32))
    """The same dice with the boxes of their tops, if labelled."""

    @property
    def frame(self) -> Frame:
        if isinstance(self.data, bytes):
            return cv2.imdecode(np.frombuffer(self.data, np.uint8), cv2.IMREAD_COLOR)
        return self.data


def tops_of(entry: Sequence[Mapping[str, Any]] | Mapping[str, Any]) -> Rows:
    """The rows of the dice whose labels have the corners of the top, with its box."""
    dice = [die for die in (entry["dice"] if isinstance(entry, Mapping) else entry) if "quad" in die]
    rows = rows_of([{key: value for key, value in die.items() if key != "quad"} for die in dice])
    for row, die in zip(rows, dice, strict=True):
        corners = np.array(die["quad"], np.float32)
        row[:2], row[2:4] = (corners.min(0) + corners.max(0)) / 2, np.ptp(corners, axis=0)
    return rows


def sides(picture: Picture) -> Iterator[tuple[float, float, float]]:
    """Where a side of a die is nearly as visible as its top: x, y of the side's middle, width of the die."""
    for body, top in zip(picture.dice, picture.tops, strict=False):
        width = float(top[2:4].max())
        inward = body[:2] - top[:2]
        seen = float(np.hypot(*inward))
        if seen > LEAST_SIDE * width and not body[6]:
            x, y = top[:2] + inward / seen * (width / 2 + seen)
            yield float(x), float(y), width


def rows_of(entry: Sequence[Mapping[str, Any]] | Mapping[str, Any], scale: float = 1.0) -> Rows:
    """The dice in an entry of a labels file, in a picture scaled by `scale`."""
    table = entry if isinstance(entry, Mapping) else {"dice": entry}
    rows = []
    for die in table["dice"]:
        x, y, w, h = body_box(die, table) if "quad" in die else die["box"]
        box = [(x + w / 2) * scale, (y + h / 2) * scale, w * scale, h * scale]
        colour = COLOURS.index(die["colour"]) if die.get("colour") else -1
        hidden = die.get("visible", 1.0) < LEAST_VISIBLE or die.get("contrast", 255.0) < LEAST_CONTRAST
        rows.append([*box, die["value"], colour, die.get("ignore", hidden)])
    return np.array(rows, np.float32).reshape(-1, 7)


def read_pictures(folder: Path, limit: int | None = None) -> Iterator[Picture]:
    """Every picture of a folder with labels, at most `limit` of each labels file.

    `vision.training.scene` and `vision.training.traced` write such folders, and so does `perudo export --labels`.
    Raises `FileNotFoundError` if there are no labels.
    """
    files = sorted(folder.glob("labels*.json"))
    if not files:
        raise FileNotFoundError(f"{folder} holds no labels")
    for path in files:
        for name, entry in sorted(json.loads(path.read_text(encoding="utf-8")).items())[:limit]:
            yield Picture((folder / name).read_bytes(), rows_of(entry), False, tops_of(entry))


def read_worlds(worlds: Worlds, limit: int | None = None) -> dict[str, Iterator[Picture]]:
    """The pictures of each kind of renderer, at most `limit` of each labels file."""
    return {
        name: chain.from_iterable(read_pictures(each, limit) for each in folders) for name, folders in worlds.items()
    }


def read_photographs(folder: Path) -> tuple[list[Picture], list[Picture]]:
    """The photographs of `mixed_d6/train.json`, split by session: to train on, and to validate on.

    The validation sessions are those of the last day's second half.
    """
    labels = json.loads((folder / "mixed_d6" / "train.json").read_text(encoding="utf-8"))
    names = sorted(labels)
    learn, watch = [], []
    for k, name in enumerate(names):
        frame = cv2.imread(str(folder / "mixed_d6" / name))
        frame = cv2.resize(frame, None, fx=PHOTO_SCALE, fy=PHOTO_SCALE, interpolation=cv2.INTER_AREA)
        picture = Picture(frame, rows_of(labels[name], PHOTO_SCALE), real=True)
        (watch if k >= len(names) - 30 else learn).append(picture)
    return learn, watch


CUTOUT_SIDE = 160
"""Dice are cut out at this size, with wider margins than the classifiers' crops."""
CUTOUT_MARGIN = 3.3
"""Side of a cut-out in die widths."""


def cut_out(frame: Frame, x: float, y: float, size: float) -> Frame:
    """`CUTOUT_SIDE` squared pixels around x, y, `CUTOUT_MARGIN` times `size` wide."""
    scale = CUTOUT_SIDE / (CUTOUT_MARGIN * size)
    move = np.array([[scale, 0, CUTOUT_SIDE / 2 - x * scale], [0, scale, CUTOUT_SIDE / 2 - y * scale]], np.float32)
    if scale < 0.7:
        r = int(CUTOUT_MARGIN * size)
        x0, y0 = max(0, int(x) - r), max(0, int(y) - r)
        frame = cv2.GaussianBlur(frame[y0 : int(y) + r, x0 : int(x) + r], (0, 0), 0.4 / scale)
        move[:, 2] += scale * np.array([x0, y0], np.float32)
    return cv2.warpAffine(frame, move, (CUTOUT_SIDE, CUTOUT_SIDE), borderMode=cv2.BORDER_REFLECT)


def jitter_light(frame: Frame, rng: np.random.Generator, strong: bool) -> Frame:
    """Change light and colour, not shape."""
    if strong and rng.uniform() < 0.6:  # few bodies were photographed, so rotate their hues
        hsv = cv2.cvtColor(frame, cv2.COLOR_BGR2HSV)
        hsv[..., 0] = (hsv[..., 0].astype(np.int32) + int(rng.integers(0, 180))) % 180
        hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.3, 1.5), 0, 255)
        frame = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)
    if strong and rng.uniform() < 0.15:
        frame = 255 - frame
    ramp = np.arange(256, dtype=np.float32) / 255
    spread = 0.25 if strong else 0.12
    gamma, gain = np.exp(rng.normal(0, spread)), np.exp(rng.normal(0, spread))
    table = np.stack([np.clip(ramp**gamma * gain * np.exp(rng.normal(0, spread / 3)), 0, 1) for _ in range(3)], -1)
    frame = cv2.LUT(frame, (table * 255).astype(np.uint8)[None])
    if strong:
        blur = rng.exponential(0.5)
        if blur > 0.35:
            frame = cv2.GaussianBlur(frame, (0, 0), min(float(blur), 1.6))
        if rng.uniform() < 0.5:
            noise = rng.normal(0, rng.uniform(1, 9), frame.shape)
            frame = np.clip(frame + noise, 0, 255).astype(np.uint8)
    return frame


def camera_artefacts(frame: Frame, rng: np.random.Generator) -> Frame:
    """Add artefacts of other cameras to a third of the frames: blur, sharpening, noise, JPEG; sometimes underexpose."""
    if rng.uniform() < 0.08:
        dim = frame * rng.uniform(0.2, 0.7) + rng.normal(0, rng.uniform(2, 9), frame.shape)
        frame = np.clip(cv2.GaussianBlur(dim, (0, 0), float(rng.uniform(0.3, 0.8))), 0, 255).astype(np.uint8)
    if rng.uniform() > 0.35:
        return frame
    if rng.uniform() < 0.4:
        frame = cv2.GaussianBlur(frame, (0, 0), float(rng.uniform(0.4, 1.2)))
    elif rng.uniform() < 0.5:
        frame = cv2.addWeighted(frame, 1.8, cv2.GaussianBlur(frame, (0, 0), 1.2), -0.8, 0)
    if rng.uniform() < 0.4:
        frame = np.clip(frame + rng.normal(0, rng.uniform(1, 8), frame.shape), 0, 255).astype(np.uint8)
    if rng.uniform() < 0.6:
        _, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 85))])
        frame = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return frame


def add_shade_and_glare(crop: Frame, rng: np.random.Generator) -> Frame:
    """Sometimes lay the edge of a shadow, a lamp's reflection or its sheen over a die."""
    h, w = crop.shape[:2]
    if rng.uniform() < 0.12:  # the whole face is washed out, with its pips still visible
        ys, xs = np.mgrid[0:h, 0:w].astype(np.float32)
        angle, soft = rng.uniform(0, 2 * np.pi), rng.uniform(0.05, 0.6) * w
        away = (xs - w / 2) * np.cos(angle) + (ys - h / 2) * np.sin(angle) + rng.normal(0.1, 0.15) * w
        sheen = (rng.uniform(0.4, 0.88) / (1 + np.exp(-np.clip(away / soft, -30, 30))))[..., None]
        crop = (crop + (rng.uniform(160, 255) - crop.astype(np.float32)) * sheen).astype(np.uint8)
    if rng.uniform() < 0.15:
        ys, xs = np.mgrid[0:h, 0:w].astype(np.float32)
        angle, soft = rng.uniform(0, 2 * np.pi), rng.uniform(0.6, 6)
        away = (xs - w / 2) * np.cos(angle) + (ys - h / 2) * np.sin(angle) - rng.normal(0, 0.2 * w)
        shade = 1 - rng.uniform(0.3, 0.75) / (1 + np.exp(-np.clip(away / soft, -30, 30)))
        crop = (crop * shade[..., None]).astype(np.uint8)
    if rng.uniform() < 0.12:
        glow = np.zeros((h, w), np.float32)
        middle = (int(w / 2 + rng.normal(0, 0.2 * w)), int(h / 2 + rng.normal(0, 0.2 * h)))
        axes = tuple(int(v) for v in rng.uniform(0.03, 0.16, 2) * w + 1)
        cv2.ellipse(glow, middle, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
        glow = cv2.GaussianBlur(glow, (0, 0), float(rng.uniform(0.5, 4)))[..., None] * rng.uniform(0.4, 1)
        crop = np.clip(crop + (255 - crop.astype(np.float32)) * glow, 0, 255).astype(np.uint8)
    return crop


def hide_part(crop: Frame, x: float, y: float, width: float, rng: np.random.Generator) -> Frame:
    """Hide part of the die with this width at x, y, in pixels, so that its face can only be guessed.

    One or two pips get the colour of the body, a reflection burns out a spot, or a wide one makes half of the face
    pale.
    """
    h, w = crop.shape[:2]
    ys, xs = np.mgrid[0:h, 0:w].astype(np.float32)
    die = np.clip((0.47 * width - np.maximum(np.abs(xs - x), np.abs(ys - y))) / 1.5 + 0.5, 0, 1)
    kind = rng.uniform()
    if kind < 0.5:
        near = crop[max(0, int(y - width / 3)) : int(y + width / 3), max(0, int(x - width / 3)) : int(x + width / 3)]
        paint = np.median(near.reshape(-1, 3), axis=0) if near.size else np.full(3, 127.0)
        mask = np.zeros((h, w), np.float32)
        for _ in range(int(rng.integers(1, 4))):
            at = (int(x + rng.uniform(-0.32, 0.32) * width), int(y + rng.uniform(-0.32, 0.32) * width))
            cv2.circle(mask, at, max(1, round(float(rng.uniform(0.08, 0.2)) * width)), 1.0, -1)
        mask = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.5, 2)))
    elif kind < 0.8:
        paint = np.full(3, rng.uniform(235, 255))
        mask = np.zeros((h, w), np.float32)
        at = (int(x + rng.normal(0, 0.2) * width), int(y + rng.normal(0, 0.2) * width))
        axes = (
            max(1, round(float(rng.uniform(0.08, 0.35)) * width)),
            max(1, round(float(rng.uniform(0.08, 0.35)) * width)),
        )
        cv2.ellipse(mask, at, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
        mask = cv2.GaussianBlur(mask, (0, 0), max(0.5, float(rng.uniform(0.02, 0.12)) * width)) * rng.uniform(0.6, 1)
    else:
        paint = crop.reshape(-1, 3).max(axis=0) * rng.uniform(0.7, 1.0) + rng.uniform(0, 40)
        angle, soft = rng.uniform(0, 2 * np.pi), rng.uniform(0.04, 0.15) * width
        away = (xs - x) * np.cos(angle) + (ys - y) * np.sin(angle) + rng.normal(0, 0.12) * width
        mask = rng.uniform(0.5, 0.97) / (1 + np.exp(-np.clip(away / soft, -30, 30)))
    mask = (mask * die)[..., None]
    return np.clip(crop * (1 - mask) + np.minimum(paint, 255) * mask, 0, 255).astype(np.uint8)


def random_crop(picture: Picture, side: int, rng: np.random.Generator) -> tuple[Frame, Rows]:
    """A square crop, randomly rotated and mirrored, with the rows inside it."""
    source = picture.frame
    h, w = source.shape[:2]
    rows = picture.dice.copy()
    if picture.real:
        median = float(np.median(rows[:, 2:4].max(1))) if len(rows) else 60.0
        scale = float(np.exp(rng.uniform(np.log(20), np.log(74)))) / median
        angle = float(rng.uniform(0, 360))
    else:
        scale, angle = float(np.exp(rng.uniform(-0.25, 0.15))), float(rng.choice([0.0, 90.0, 180.0, 270.0]))
    reach = side / 2 / scale
    if len(rows) and rng.uniform() < 0.85:
        aim = rows[int(rng.integers(len(rows))), :2] + rng.uniform(-0.8, 0.8, 2) * reach
    else:
        aim = rng.uniform(0, 1, 2) * (w, h)
    aim = np.clip(aim, min(reach, w / 2), [max(w - reach, w / 2), max(h - reach, h / 2)])
    turn = cv2.getRotationMatrix2D((float(aim[0]), float(aim[1])), angle, scale)
    turn[:, 2] += side / 2 - aim
    if rng.uniform() < 0.5:
        turn[0] = -turn[0]
        turn[0, 2] += side - 1
    how = cv2.INTER_AREA if scale < 0.6 else cv2.INTER_LINEAR
    if scale < 0.6:
        source = cv2.GaussianBlur(source, (0, 0), 0.4 / scale)
    frame = cv2.warpAffine(source, turn, (side, side), flags=how, borderMode=cv2.BORDER_REFLECT)
    rows[:, :2] = rows[:, :2] @ turn[:, :2].T + turn[:, 2]
    rows[:, 2:4] *= scale
    if angle in (90.0, 270.0):
        rows[:, 2:4] = rows[:, 3:1:-1]
    bleed = rows[:, 2:4].max(1) * 0.5
    near = ((rows[:, :2] > -bleed[:, None]) & (rows[:, :2] < side + bleed[:, None])).all(1)
    rows = rows[near]
    inside = np.minimum(rows[:, :2], side - rows[:, :2]).min(1)
    rows[:, 6] = np.maximum(rows[:, 6], inside < 0.42 * rows[:, 2:4].max(1))
    return camera_artefacts(jitter_light(frame, rng, strong=picture.real), rng), rows


def crop_side_of(*, second: bool) -> int:
    """Side in pixels of the crops that a classifier takes."""
    return WIDE_CROP if second else CROP_SIDE


def die_cutouts(pictures: Iterable[Picture]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """Every readable die as a cut-out of `CUTOUT_SIDE`, and n x 3: face, colour, die width / `CUTOUT_SIDE`."""
    cuts, rows = [], []
    for picture in pictures:
        frame = picture.frame
        for cx, cy, w, h, face, colour, ignore in np.concatenate([picture.dice, picture.tops]):
            if ignore:
                continue
            cuts.append(cut_out(frame, cx, cy, max(w, h)))
            rows.append((face - 1, colour, 1 / CUTOUT_MARGIN))
    return np.stack(cuts), np.array(rows, np.float32)


def sample_die(
    cuts: npt.NDArray[np.uint8],
    rows: npt.NDArray[np.float32],
    real: bool,
    rng: np.random.Generator,
    side: int = CROP_SIDE,
    hidden: float = 0.0,
) -> tuple[npt.NDArray[np.uint8], tuple[int, int, int]]:
    """A crop such as the detector's boxes give or, one time in eight, badly aimed and labelled "no die".

    side: of the crop; the die has the same size in a wider one. hidden: the share of partly hidden dice.
    """
    i = int(rng.integers(len(cuts)))
    face, colour, width = int(rows[i, 0]), int(rows[i, 1]), rows[i, 2] * CUTOUT_SIDE
    aimed = rng.uniform() > 0.12
    off = rng.normal(0, 0.045, 2) if aimed else rng.choice([-1, 1], 2) * rng.uniform(0.0, 0.6, 2)
    if not aimed and np.abs(off).max() < 0.33:
        off[int(rng.integers(2))] = rng.choice([-1, 1]) * rng.uniform(0.33, 0.6)
    view_side = width * CROP_MARGIN * np.exp(rng.normal(0, 0.07))
    if not aimed and rng.uniform() < 0.4:  # a pip and its surroundings, which look like a die from too close
        view_side, off = width * CROP_MARGIN * rng.uniform(0.2, 0.5), rng.uniform(-0.4, 0.4, 2)
    scale = CROP_SIDE / view_side
    turn = cv2.getRotationMatrix2D((CUTOUT_SIDE / 2, CUTOUT_SIDE / 2), float(rng.uniform(0, 360)), scale)
    turn[:, 2] += side / 2 - CUTOUT_SIDE / 2 - off * width * scale
    if rng.uniform() < 0.5:
        turn[0] = -turn[0]
        turn[0, 2] += side - 1
    picture = cuts[i]
    if rng.uniform() < 0.35:  # as if seen from farther away
        n = round(float(rng.uniform(15, 41)) * CUTOUT_MARGIN)
        small = cv2.resize(picture, (n, n), interpolation=cv2.INTER_AREA)
        picture = cv2.resize(small, (CUTOUT_SIDE, CUTOUT_SIDE), interpolation=cv2.INTER_LINEAR)
    crop = cv2.warpAffine(picture, turn, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    if aimed and rng.uniform() < hidden:
        x, y = turn @ (CUTOUT_SIDE / 2, CUTOUT_SIDE / 2, 1.0)
        crop = hide_part(crop, x, y, width * scale, rng)
    if not real and rng.uniform() < 0.15:  # any hue, so the colour has no name
        real, colour = True, -1
    return camera_artefacts(jitter_light(add_shade_and_glare(crop, rng), rng, strong=real), rng), (
        face,
        colour,
        int(aimed),
    )


def sample_empty(
    place: npt.NDArray[np.uint8], rng: np.random.Generator, side: int = CROP_SIDE
) -> tuple[npt.NDArray[np.uint8], tuple[int, int, int]]:
    """A crop of a place without a die, rotated and slightly scaled."""
    scale = CROP_SIDE / (CUTOUT_SIDE * CROP_MARGIN / CUTOUT_MARGIN) * float(np.exp(rng.normal(0, 0.15)))
    turn = cv2.getRotationMatrix2D((CUTOUT_SIDE / 2, CUTOUT_SIDE / 2), float(rng.uniform(0, 360)), scale)
    turn[:, 2] += side / 2 - CUTOUT_SIDE / 2
    crop = cv2.warpAffine(place, turn, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return camera_artefacts(jitter_light(crop, rng, strong=bool(rng.uniform() < 0.5)), rng), (0, -1, 0)
