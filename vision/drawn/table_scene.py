"""Draws a whole Perudo table from above, for the virtual table's camera: felt, dice, cups, hands.

Lengths are millimetres on the table; the origin is in the middle, x to the right, y to the bottom of the picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

import cv2
import numpy as np

from calibration.image import Image
from calibration.palette import SRGB
from vision.drawn.compose import Linear, Mask, cast_shadow, cloud, darken, paste, to_image, to_linear
from vision.drawn.die import DieModel, Light, Material, Shape, Sprite, render_die
from vision.drawn.faces import FaceStyle, face_textures

DIE_MM: Final = 16.0
CUP_MM: Final = 40.0
"""Radius of a cup's mouth."""
CAMERA_MM: Final = 750.0
"""Height of the camera above the table."""
WIDTH_MM: Final = 620.0
"""Width of the table in the picture."""

_CREAM: Final = to_linear((240, 232, 205))
_BLACK: Final = to_linear((24, 24, 26))
_SKIN: Final = to_linear((205, 150, 120))
_SLEEVE: Final = to_linear((50, 60, 80))
_SUN: Final = (0.35, 0.28)
"""Length of a shadow, right and down, per unit of the object's height."""


@dataclass(frozen=True, slots=True)
class SceneDie:
    x: float
    y: float
    angle: float
    """Radians, anticlockwise."""
    face: int
    colour: str


@dataclass(frozen=True, slots=True)
class SceneCup:
    """A cup, upside down."""

    x: float
    y: float
    colour: str
    lift: float = 0.0
    """Millimetres above the table."""


@dataclass(frozen=True, slots=True)
class SceneHand:
    """A hand with its sleeve, fingers along `angle` (radians, anticlockwise from the right)."""

    x: float
    y: float
    angle: float


@dataclass(frozen=True, slots=True)
class TableScene:
    """Everything the camera sees at one instant."""

    dice: tuple[SceneDie, ...] = ()
    cups: tuple[SceneCup, ...] = ()
    hands: tuple[SceneHand, ...] = ()
    cloth: tuple[int, int, int] = (38, 66, 58)
    seed: int = 0


@cache
def _die_model(colour: str) -> DieModel:
    ink = _BLACK if colour in ("yellow", "orange", "white") else _CREAM
    return DieModel(
        Material(body=to_linear(SRGB[colour]), ink=ink, gloss=0.45, depth=0.5),
        Shape(radius=0.28, cut=1.38),
        face_textures(FaceStyle(pip_radius=0.17, spread=0.46, emblem="paco", stroke=0.1)),
    )


@lru_cache(maxsize=256)
def _die_sprite(die: SceneDie, half_edge: float) -> Sprite:
    away = float(np.hypot(die.x, die.y))
    return render_die(
        _die_model(die.colour),
        die.face,
        half_edge=half_edge,
        yaw=die.angle,
        tilt=float(np.arctan2(away, CAMERA_MM)),
        azimuth=float(np.arctan2(die.y, -die.x)),  # y points down in the picture and up in the world
        light=Light(direction=(-0.41, 0.33, 0.85), ambient=0.5),
        oversample=3,
    )


@lru_cache(maxsize=4)
def _cloth(colour: tuple[int, int, int], width: int, height: int, seed: int) -> Linear:
    rng = np.random.default_rng(seed)
    base = np.array(to_linear(colour), np.float32)
    weave = 1 + 0.09 * cloud(height, width, 1.6, rng) + 0.06 * cloud(height, width, 90, rng)
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    away = np.hypot(xs - width / 2, ys - height / 2) / np.hypot(width, height)
    lamp = 1.1 - 0.55 * away**2
    return np.asarray(base * (weave * lamp)[..., None], dtype=np.float32)


@lru_cache(maxsize=16)
def _cup_sprite(colour: str, radius: float) -> tuple[Linear, Mask]:
    """A cup from above: bottom smaller than the mouth, with a rim and soft light."""
    side = 2 * int(radius + 3)
    ys, xs = np.mgrid[0:side, 0:side].astype(np.float32) + 0.5 - side / 2
    r = np.hypot(xs, ys) / radius
    alpha = np.clip((1 - r) * radius + 0.5, 0, 1)
    body = np.array(to_linear(SRGB[colour]), np.float32) * 0.55
    slope = np.clip((r - 0.62) / 0.38, 0, 1)
    facing = 0.75 - 0.45 * slope * (xs * _SUN[0] + ys * _SUN[1]) / (np.maximum(r, 0.05) * radius * np.hypot(*_SUN))
    rim = np.exp(-(((r - 0.62) / 0.03) ** 2)) * 0.35 + np.exp(-(((r - 0.97) / 0.03) ** 2)) * 0.25
    rgb = body * (facing + 0.25)[..., None] + rim[..., None] * 0.25
    return rgb.astype(np.float32), alpha.astype(np.float32)


@lru_cache(maxsize=16)
def _hand_sprite(angle: float, scale: float) -> tuple[Linear, Mask]:
    """A fist over a cup: palm, four fingers, thumb, sleeve; `scale` is pixels per millimetre."""
    side = int(460 * scale)
    centre = side / 2
    skin, arm = np.zeros((side, side), np.uint8), np.zeros((side, side), np.uint8)
    ax, ay = np.cos(angle), -np.sin(angle)

    def at(along: float, across: float) -> tuple[int, int]:
        x = centre + (along * ax - across * ay) * scale
        y = centre + (along * ay + across * ax) * scale
        return int(x), int(y)

    cv2.line(skin, at(-20, 0), at(12, 0), 255, int(70 * scale), cv2.LINE_AA)
    for across in (-27, -9, 9, 27):
        cv2.line(skin, at(20, across), at(52 - abs(across) * 0.4, across * 0.8), 255, int(17 * scale), cv2.LINE_AA)
    cv2.line(skin, at(-12, 30), at(25, 48), 255, int(20 * scale), cv2.LINE_AA)
    cv2.line(arm, at(-60, 0), at(-400, 0), 255, int(75 * scale), cv2.LINE_AA)
    mask_skin = cv2.GaussianBlur(skin, (0, 0), 1.0).astype(np.float32) / 255
    mask_arm = cv2.GaussianBlur(arm, (0, 0), 1.0).astype(np.float32) / 255
    bulge = cv2.GaussianBlur(skin, (0, 0), 7 * scale).astype(np.float32) / 255
    colour = np.array(_SKIN, np.float32) * (0.45 + 0.65 * bulge)[..., None]
    cloth = np.array(_SLEEVE, np.float32) * (0.6 + 0.4 * mask_arm)[..., None]
    rgb = np.where(mask_arm[..., None] > 0.5, cloth, colour)
    return rgb.astype(np.float32), np.maximum(mask_skin, mask_arm).astype(np.float32)


def _lay(
    canvas: Linear, rgb: Linear, alpha: Mask, at: tuple[float, float], height: float, softness: float, shade: float
) -> None:
    """Lay a sprite with its shadow on the canvas, its centre `at` x, y.

    height: the height of the object in pixels; softness: that of the shadow's edge in pixels; shade: darkness, 0..1.
    """
    left, top = round(at[0] - alpha.shape[1] / 2), round(at[1] - alpha.shape[0] / 2)
    shadow, margin = cast_shadow(alpha, (_SUN[0] * height, _SUN[1] * height), softness)
    darken(canvas, shadow, left - margin, top - margin, shade)
    paste(canvas, rgb, alpha, left, top)


def render_table(scene: TableScene, size: tuple[int, int] = (1280, 960)) -> Image:
    """The frame, BGR, of `size` = (width, height) pixels; deterministic."""
    width, height = size
    scale = width / WIDTH_MM
    canvas = _cloth(scene.cloth, width, height, scene.seed).copy()

    def pixel(x: float, y: float, lift: float = 0.0) -> tuple[float, float]:
        nearer = CAMERA_MM / (CAMERA_MM - lift)
        return width / 2 + x * scale * nearer, height / 2 + y * scale * nearer

    for die in scene.dice:
        sprite = _die_sprite(die, DIE_MM / 2 * scale)
        _lay(canvas, sprite.rgb, sprite.alpha, pixel(die.x, die.y), sprite.half_edge, sprite.half_edge * 0.18, 0.55)
    above: list[tuple[tuple[Linear, Mask], tuple[float, float], float]] = []
    for cup in scene.cups:
        radius = round(CUP_MM * scale * CAMERA_MM / (CAMERA_MM - cup.lift - 60))
        above.append((_cup_sprite(cup.colour, float(radius)), pixel(cup.x, cup.y, cup.lift), cup.lift))
    for hand in scene.hands:
        above.append((_hand_sprite(round(hand.angle, 2), round(scale, 3)), pixel(hand.x, hand.y, 80), 80))
    for (rgb, alpha), at, lift in above:
        _lay(canvas, rgb, alpha, at, (20 + lift) * scale, (4 + lift * 0.15) * scale, 0.5)
    return to_image(canvas)
