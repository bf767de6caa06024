"""One picture: put together, rendered, developed, saved, labelled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.training.blender.develop import develop
from vision.training.blender.labels import dice_labels
from vision.training.blender.render import render
from vision.training.blender.scene import make_scene


def make_picture(kind: str, seed: int, index: int, path: Path, samples: int | None = None) -> dict[str, Any]:
    """Save the picture, and say what is true of it. `samples` are paths a pixel."""
    made = make_scene(kind, seed, index)
    view, rng = made.view, made.rng
    samples = samples or int(np.clip(round(10e6 / (view.width * view.height)), 5, 10))
    rendered = render(samples)
    frame, facts = develop(rng, rendered.light, made.dim, made.glare)
    quality = int(rng.integers(75, 96))
    _, data = cv2.imencode(".jpg", frame[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    path.write_bytes(data.tobytes())
    saved = np.ascontiguousarray(cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1])
    conditions = {**made.conditions, **facts, "samples": samples, "jpeg": quality}
    return {"conditions": conditions, "dice": dice_labels(made.dice, view, rendered.shown, rendered.ink, saved)}
