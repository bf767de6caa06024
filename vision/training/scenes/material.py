"""What dice are made of besides plain plastic: marbled, clear, glittering, worn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from vision.drawn.die import Material, Rgb, Surface, Vec, ink_at
from vision.drawn.faces import Texture

_SEE_THROUGH: Final = 0.45
"""Share of the ground that shows through a fully clear die."""
_FLAKES: Final = 14.0
"""Flakes along half an edge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MakersMaterial(Material):
    """A material as some maker might sell it, after some years."""

    rng: np.random.Generator = field(compare=False)
    """Draws marbling, wear and flakes."""
    second: Rgb | None = None
    """A second body colour, for marbled dice."""
    clear: float = 0.0
    """0 opaque to 1 clear: how much the far faces and the ground show through."""
    glitter: float = 0.0
    """0 none to 1: flakes in the body that reflect the lamp."""
    wear: float = 0.0

    def surface(self, p: Vec, ray: Vec, ink: Vec, faces: tuple[Texture, ...]) -> Surface:
        """The surface at points of the die, as `Material` has it."""
        body = np.broadcast_to(np.array(self.body, np.float32), p.shape)
        if self.second is not None:
            mix = _noise(p, self.rng)[:, None]
            body = body * (1 - mix) + np.array(self.second, np.float32) * mix
        if self.clear > 0:  # the far face, faintly through the body
            far, _ = ink_at(np.clip(p + 1.75 * ray, -1, 1).astype(np.float32), faces)
            lit = 0.7 + 0.6 * self.clear * (1 - np.abs(p).max(-1))[:, None] + 0.3
            body = np.asarray(body * (1 - 0.55 * self.clear * far[:, None]) * lit, dtype=np.float32)
        if self.wear > 0:
            scuff = (_noise(p * 3, self.rng) > 1 - 0.35 * self.wear) & (ink > 0.3)
            ink = np.where(scuff, ink * 0.45, ink)
        sparkle = self.glitter * 1.2 * _flakes(p, self.rng) * (1 - ink) if self.glitter > 0 else 0.0
        return Surface(body, ink, sparkle, _SEE_THROUGH * self.clear)


def _noise(p: Vec, rng: np.random.Generator) -> Vec:
    """Smooth marbling, 0..1, from a few random waves."""
    total = np.zeros(len(p), np.float32)
    for octave in range(4):
        wave = rng.normal(0, 1.4 * 1.7**octave, 3).astype(np.float32)
        total += np.sin(p @ wave + rng.uniform(0, 6.28) + 1.5 * total).astype(np.float32) / (1 + octave)
    return np.asarray(1 / (1 + np.exp(-2.5 * total)), dtype=np.float32)


def _flakes(p: Vec, rng: np.random.Generator) -> Vec:
    """How brightly the flake at each point reflects the lamp; 0 for most."""
    cell = np.floor(p * _FLAKES + 512).astype(np.uint32)
    mixed = cell @ rng.integers(1, 2**31, 3).astype(np.uint32)
    mixed = (mixed ^ (mixed >> np.uint32(15))) * np.uint32(0x2C1B3C6D)
    chance = ((mixed ^ (mixed >> np.uint32(13))) & np.uint32(0xFFFF)).astype(np.float32) / 0xFFFF
    return np.asarray(np.clip((chance - 0.75) * 4, 0, 1) ** 3, dtype=np.float32)
