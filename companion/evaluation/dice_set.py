"""The dice of one evening: one maker's, a colour for each player."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.palette import SRGB
from companion.evaluation.cutout import Cutout, Lamp, encoded
from vision.drawn.compose import to_linear
from vision.drawn.die import DieModel, Light, Rgb, Shape, render_die
from vision.drawn.faces import Texture
from vision.reading import Box
from vision.training.bank import MakersMaterial
from vision.training.emblems import EMBLEMS, EmblemStyle, emblem_faces

MATERIALS: Final = ("plain", "plain", "plain", "marbled", "clear")
"""What dice are made of; a plain die three times as often as each other."""
_SMALL: Final = 20.0
"""Half an edge, in pixels, below which a die is drawn finer and shrunk."""

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class DieLook:
    """A drawn die."""

    cutout: Cutout
    box: Box
    """The visible die: x, y from the cutout's middle, width and height in pixels."""


@dataclass(frozen=True, slots=True)
class DiceSet:
    """One maker's dice."""

    faces: tuple[Texture, ...]
    emblem: str
    """On the one; `pip` if it has an ordinary pip."""
    material: str
    """One of `MATERIALS`."""
    shape: Shape
    gloss: float
    depth: float
    gold: bool
    """Whether the pips of dark dice are golden."""
    bodies: dict[str, Rgb]
    """Colour -> linear light, red first."""

    @classmethod
    def random(cls, colours: Sequence[str], rng: Rng) -> DiceSet:
        """Dice as some maker might sell them."""
        cut = float(rng.uniform(1.28, 1.6))
        reach = min(1.0, float(np.sqrt(cut**2 - 1)) + 0.1)
        emblem = str(rng.choice(EMBLEMS[1:])) if rng.uniform() < 0.6 else "pip"
        style = EmblemStyle(
            pip_radius=float(rng.uniform(0.15, 0.2)),
            spread=float(min(rng.uniform(0.42, 0.52), 0.72 * reach)),
            one_scale=float(rng.uniform(1.0, 1.6)),
            emblem=emblem,
            stroke=float(rng.uniform(0.08, 0.12)),
            emblem_scale=float(rng.uniform(0.85, 1.05) * reach),
            flipped=bool(rng.uniform() < 0.5),
            seed=int(rng.integers(2**31)),
        )
        return cls(
            faces=emblem_faces(style),
            emblem=emblem,
            material=str(rng.choice(MATERIALS)),
            shape=Shape(radius=float(rng.uniform(0.15, 0.35)), cut=cut),
            gloss=float(rng.uniform(0.1, 1.0)),
            gold=bool(rng.uniform() < 0.15),
            depth=float(rng.uniform(0.2, 0.8)) if rng.uniform() < 0.7 else 0.0,
            bodies={colour: _body(colour, rng) for colour in colours},
        )

    def draw(
        self, colour: str, face: int, yaw: float, away: tuple[float, float], edge: float, lamp: Lamp, seed: int
    ) -> DieLook:
        """A die with `face` on top, turned by `yaw` radians.

        away: how far the die lies from the middle of the picture, right and down, per height of the camera; edge: in
        pixels; seed: of its marbling.
        """
        half = edge / 2
        up = float(np.sqrt(1 + lamp.sun[0] ** 2 + lamp.sun[1] ** 2))
        sprite = render_die(
            DieModel(self._material(colour, seed), self.shape, self.faces),
            face,
            half_edge=half,
            yaw=yaw,
            tilt=float(np.arctan(np.hypot(*away))),
            azimuth=float(np.arctan2(away[1], -away[0])),  # the picture's y runs down, the world's up
            light=Light(direction=(-lamp.sun[0] / up, lamp.sun[1] / up, 1 / up), ambient=1 - 0.6 * lamp.shade),
            oversample=2 if half < _SMALL else 1,
        )
        ys, xs = np.nonzero(sprite.alpha > 0.5)
        side = sprite.alpha.shape[0] / 2
        box = (float(xs.min()) - side, float(ys.min()) - side, float(np.ptp(xs)) + 1, float(np.ptp(ys)) + 1)
        rgb, alpha = sprite.rgb, sprite.alpha
        if half >= _SMALL:  # drawn without oversampling: its outline has steps
            alpha = np.asarray(cv2.GaussianBlur(alpha, (0, 0), 0.6), np.float32)
            rgb = np.asarray(cv2.GaussianBlur(rgb * sprite.alpha[..., None], (0, 0), 0.6), np.float32)
            rgb = np.asarray(rgb / np.maximum(alpha, np.float32(0.02))[..., None], np.float32)
        return DieLook(Cutout.of(encoded(rgb), alpha, lamp, 0.8 * edge), box)

    def _material(self, colour: str, seed: int) -> MakersMaterial:
        rng = np.random.default_rng(seed)
        body = self.bodies[colour]
        r, g, b = body
        return MakersMaterial(
            rng=rng,
            body=body,
            ink=_ink(colour, gold=self.gold),
            gloss=self.gloss,
            depth=self.depth,
            second=(0.7 * r + 0.06, 0.7 * g + 0.06, 0.7 * b + 0.06) if self.material == "marbled" else None,
            clear=0.4 if self.material == "clear" and colour not in ("black", "white") else 0.0,
        )


def _ink(colour: str, *, gold: bool) -> Rgb:
    if gold and colour not in ("yellow", "orange", "white"):
        return to_linear((226, 188, 92))
    return to_linear((26, 25, 28) if colour in ("yellow", "orange", "white") else (240, 234, 212))


def _body(colour: str, rng: Rng) -> Rgb:
    """The colour as this maker mixes it; always told apart from the others."""
    r, g, b = (level / 255 for level in SRGB[colour])
    hue, saturation, value = colorsys.rgb_to_hsv(r, g, b)
    if colour not in ("black", "white"):
        hue = (hue + rng.uniform(-0.01, 0.01)) % 1
        saturation = min(1.0, saturation * rng.uniform(0.85, 1.05))
        value = min(1.0, value * rng.uniform(0.8, 1.15))
    red, green, blue = colorsys.hsv_to_rgb(hue, saturation, value)
    return to_linear((round(red * 255), round(green * 255), round(blue * 255)))
