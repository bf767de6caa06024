"""Random crops of pictures, and the changes that other light and other cameras make."""

from __future__ import annotations

import cv2
import numpy as np

from vision.training.data.labelled_pictures import Frame, Picture, Rows

CUTOUT_SIDE = 160
"""Dice are cut out at this size, with wider margins than the classifiers' crops."""
CUTOUT_MARGIN = 3.3
"""Side of a cut-out in die widths."""


def cut_out(frame: Frame, x: float, y: float, size: float) -> Frame:
    """`CUTOUT_SIDE` squared pixels round x, y, `CUTOUT_MARGIN` times `size` wide."""
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
    if strong and rng.uniform() < 0.6:  # few bodies were photographed: turn their hues
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
    """Artefacts of other cameras, one time in three: blur, sharpening, noise, JPEG."""
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
    """Now and then, lay the edge of a shadow or a lamp's reflection over a die."""
    h, w = crop.shape[:2]
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
    """Hide a part of the die of this width at x, y, in pixels: whoever sees the rest can only guess the face.

    A pip or two become as the body, a lamp's reflection burns out a spot, or a wide one makes half of the face pale.
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
    """A square crop, randomly turned and mirrored, with the rows that lie in it."""
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
