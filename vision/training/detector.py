"""Trains the detector."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional as F

from vision.models.networks import DETECTOR_STRIDE
from vision.training.learner import Learner
from vision.training.networks import Detector
from vision.training.pictures import WORLDS, Course, Picture, Rows, random_crop, read_photographs, read_worlds

TRAIN_SIDE = 384
BATCH = 8
PHOTO_SHARE = 0.2
"""Weight of photographs compared with `WORLDS`."""


def targets(rows: Rows, side: int) -> npt.NDArray[np.float32]:
    """Channels at stride 4: heat, weight, dx, dy, log w, log h, face 0-5, colour -1..7, ignore."""
    n = side // DETECTOR_STRIDE
    out = np.zeros((9, n, n), np.float32)
    out[7] = -1
    ys, xs = np.mgrid[0:n, 0:n].astype(np.float32)
    for cx, cy, w, h, face, colour, ignore in rows:
        x, y = cx / DETECTOR_STRIDE - 0.5, cy / DETECTOR_STRIDE - 0.5
        size = max(w, h) / DETECTOR_STRIDE
        if ignore:
            out[8][((xs - x) ** 2 + (ys - y) ** 2) < (0.75 * size) ** 2] = 1
            continue
        spread = max(0.7, 0.11 * size)
        heat = np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * spread**2))
        peak = (round(float(np.clip(y, 0, n - 1))), round(float(np.clip(x, 0, n - 1))))
        heat[peak] = 1.0
        near = (heat > 0.35) & (heat > out[1])
        out[1][near] = heat[near]
        for channel, value in ((2, x - xs), (3, y - ys), (4, np.log(w / 32)), (5, np.log(h / 32))):
            out[channel][near] = value[near] if isinstance(value, np.ndarray) else value
        out[6][near], out[7][near] = face - 1, colour
        out[0] = np.maximum(out[0], heat)
    return out


def loss_of(out: Tensor, want: Tensor) -> tuple[Tensor, dict[str, float]]:
    """Focal loss on the heat map (CenterNet), L1 on geometry, cross-entropy on face and colour."""
    heat, weight = want[:, 0], want[:, 1] * (1 - want[:, 8])
    logit = out[:, 0]
    p = torch.sigmoid(logit).clamp(1e-4, 1 - 1e-4)
    hit = (heat > 0.999).float() * (1 - want[:, 8])
    miss = (1 - hit) * (1 - want[:, 8])
    pos = -((1 - p) ** 2 * torch.log(p) * hit).sum()
    neg = -((1 - heat) ** 4 * p**2 * torch.log(1 - p) * miss).sum()
    dice = hit.sum().clamp(min=1)
    total = weight.sum().clamp(min=1)
    geometry = (F.smooth_l1_loss(out[:, 1:5], want[:, 2:6], reduction="none", beta=0.1) * weight[:, None]).sum() / total
    face = (F.cross_entropy(out[:, 5:11], want[:, 6].long(), reduction="none") * weight).sum() / total
    colour_weight = weight * (want[:, 7] >= 0).float()
    colour = F.cross_entropy(out[:, 11:19], want[:, 7].long().clamp(min=0), reduction="none") * colour_weight
    colour_loss = colour.sum() / colour_weight.sum().clamp(min=1)
    heat_loss = (pos + neg) / dice
    loss = heat_loss + geometry + face + 0.5 * colour_loss
    return loss, {"heat": heat_loss.item(), "geo": geometry.item(), "face": face.item(), "colour": colour_loss.item()}


def batch_of(sources: list[tuple[float, list[Picture]]], size: int, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    shares = np.array([share for share, _ in sources])
    frames, wants = [], []
    for _ in range(size):
        pictures = sources[int(rng.choice(len(sources), p=shares / shares.sum()))][1]
        frame, rows = random_crop(pictures[int(rng.integers(len(pictures)))], TRAIN_SIDE, rng)
        frames.append(frame)
        wants.append(targets(rows, TRAIN_SIDE))
    x = torch.from_numpy(np.stack(frames)).permute(0, 3, 1, 2).float().div(255).contiguous()
    return x, torch.from_numpy(np.stack(wants))


def train_detector(course: Course) -> None:
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    learn, watch = read_photographs(course.photos)
    rendered = [(WORLDS[world], list(pictures)) for world, pictures in read_worlds(course.worlds).items()]
    sources = [(PHOTO_SHARE, learn), *rendered]
    print({"pictures": [len(pictures) for _, pictures in sources], "watched": len(watch)}, flush=True)
    learner, sums = Learner(Detector(), "detector", course, decay=1e-4), dict[str, float]()
    while learner.share < 1:
        x, want = batch_of(sources, BATCH, rng)
        loss, parts = loss_of(learner.forward(x), want)
        learner.learn(loss)
        for key, value in parts.items():
            sums[key] = sums.get(key, 0.0) * 0.98 + value * 0.02 if key in sums else value
        if learner.step % 50 == 0:
            means = {k: round(v, 4) for k, v in sums.items()}
            print(f"step {learner.step} {100 * learner.share:.1f}%", means, flush=True)
        if learner.step % 300 == 0:
            learner.save()
    learner.save(final=True)
