"""Train the classifier on single dice cut out of scenes and photographs, and keep checkpoints.

python -m vision.training.train_classifier --scenes DIR --photos DIR --work DIR --minutes 30
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional as F

from vision.models.networks import CROP_MARGIN, CROP_SIDE, crop_side_of
from vision.training.data import FOLD, ROOM, Picture, cut_out, look, phone, photographs, rendered, spoil, traced
from vision.training.learner import Learner
from vision.training.nets import Classifier
from vision.training.options import options

LIMIT = 1000
"""Scenes a seed to cut dice out of: five seeds' take some 4 GB."""


def pieces(pictures: Iterable[Picture]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """Every readable die with its surroundings: n x FOLD x FOLD x 3, and n x 3: face, colour, die width / FOLD."""
    cuts, rows = [], []
    for picture in pictures:
        frame = picture.frame
        for cx, cy, w, h, face, colour, ignore in picture.dice:
            if ignore:
                continue
            cuts.append(cut_out(frame, cx, cy, max(w, h)))
            rows.append((face - 1, colour, 1 / ROOM))
    return np.stack(cuts), np.array(rows, np.float32)


def sample(
    cuts: npt.NDArray[np.uint8],
    rows: npt.NDArray[np.float32],
    real: bool,
    rng: np.random.Generator,
    side: int = CROP_SIDE,
) -> tuple[npt.NDArray[np.uint8], tuple[int, int, int]]:
    """One crop as the detector's boxes would cut it, or, one time in eight, badly aimed: then it is "no die".

    side: of the crop; the die is as large in a wider one.
    """
    i = int(rng.integers(len(cuts)))
    face, colour, width = int(rows[i, 0]), int(rows[i, 1]), rows[i, 2] * FOLD
    aimed = rng.uniform() > 0.12
    off = rng.normal(0, 0.045, 2) if aimed else rng.choice([-1, 1], 2) * rng.uniform(0.0, 0.6, 2)
    if not aimed and np.abs(off).max() < 0.33:
        off[int(rng.integers(2))] = rng.choice([-1, 1]) * rng.uniform(0.33, 0.6)
    shown = width * CROP_MARGIN * np.exp(rng.normal(0, 0.07))
    if not aimed and rng.uniform() < 0.4:  # a pip and what is round it, which a look that is too close takes for a die
        shown, off = width * CROP_MARGIN * rng.uniform(0.2, 0.5), rng.uniform(-0.4, 0.4, 2)
    scale = CROP_SIDE / shown
    turn = cv2.getRotationMatrix2D((FOLD / 2, FOLD / 2), float(rng.uniform(0, 360)), scale)
    turn[:, 2] += side / 2 - FOLD / 2 - off * width * scale
    if rng.uniform() < 0.5:
        turn[0] = -turn[0]
        turn[0, 2] += side - 1
    picture = cuts[i]
    if rng.uniform() < 0.35:  # as from further away
        n = round(float(rng.uniform(15, 41)) * ROOM)
        small = cv2.resize(picture, (n, n), interpolation=cv2.INTER_AREA)
        picture = cv2.resize(small, (FOLD, FOLD), interpolation=cv2.INTER_LINEAR)
    crop = cv2.warpAffine(picture, turn, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    if not real and rng.uniform() < 0.15:  # any hue at all: then nobody can say whose it is
        real, colour = True, -1
    return phone(look(spoil(crop, rng), rng, strong=real), rng), (face, colour, int(aimed))


def sample_empty(
    place: npt.NDArray[np.uint8], rng: np.random.Generator, side: int = CROP_SIDE
) -> tuple[npt.NDArray[np.uint8], tuple[int, int, int]]:
    """A place without a die (FOLD x FOLD x 3), turned and a little larger or smaller."""
    scale = CROP_SIDE / (FOLD * CROP_MARGIN / ROOM) * float(np.exp(rng.normal(0, 0.15)))
    turn = cv2.getRotationMatrix2D((FOLD / 2, FOLD / 2), float(rng.uniform(0, 360)), scale)
    turn[:, 2] += side / 2 - FOLD / 2
    crop = cv2.warpAffine(place, turn, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return phone(look(crop, rng, strong=bool(rng.uniform() < 0.5)), rng), (0, -1, 0)


def main() -> None:
    parser = options(__doc__, minutes=30, batch=96)
    parser.add_argument("--second", action="store_true", help="the wide one, which sees what lies round the die")
    args = parser.parse_args()
    side = crop_side_of(second=args.second)
    torch.manual_seed(2)
    rng = np.random.default_rng(2)
    learn, watch = photographs(args.photos)
    real, drawn, watched = pieces(learn), pieces(rendered(args.scenes, LIMIT)), pieces(watch)
    lit = pieces(chain.from_iterable(traced(folder) for folder in args.traced)) if args.traced else drawn
    sizes = {"real": len(real[0]), "drawn": len(drawn[0]), "traced": len(lit[0]), "watched": len(watched[0])}
    print(sizes, flush=True)
    with np.load(args.work / "empties.npz") as data:
        nothing, like = data["crops"], np.flatnonzero(data["like"])
    learner, mean = Learner(Classifier(wide=args.second), "classifier", args, decay=5e-4), 0.0
    tried = [sample(*watched, False, np.random.default_rng(k), side) for k in range(400)]
    check = [(crop, want) for crop, want in tried if want[2]]
    cx = torch.from_numpy(np.stack([c for c, _ in check])).permute(0, 3, 1, 2).float().div(255)
    cy = torch.tensor([want[0] for _, want in check])
    while learner.share < 1:
        crops, wants = [], []
        for _ in range(args.batch):
            kind = rng.uniform()
            if kind < 0.2:
                k = rng.choice(like) if len(like) and kind < 0.1 else rng.integers(len(nothing))
                crop, want = sample_empty(nothing[k], rng, side)
            elif kind < 0.46:
                crop, want = sample(*real, True, rng, side)
            elif kind < 0.8:
                crop, want = sample(*lit, False, rng, side)
            else:
                crop, want = sample(*drawn, False, rng, side)
            crops.append(crop)
            wants.append(want)
        x = torch.from_numpy(np.stack(crops)).permute(0, 3, 1, 2).float().div(255)
        face, colour, whole = (torch.tensor(column) for column in zip(*wants, strict=True))
        out = learner.think(x)
        face_loss = (F.cross_entropy(out[:, :6], face, reduction="none", label_smoothing=0.02) * whole).mean()
        known = (whole * (colour >= 0)).float()
        colour_loss = (F.cross_entropy(out[:, 6:14], colour.clamp(min=0), reduction="none") * known).sum() / known.sum()
        whole_loss = F.binary_cross_entropy_with_logits(out[:, 14], whole.float())
        loss = face_loss + 0.4 * colour_loss + 0.4 * whole_loss
        learner.learn(loss)
        mean = face_loss.item() if learner.step == 1 else 0.98 * mean + 0.02 * face_loss.item()
        if learner.step % 200 == 0:
            with torch.no_grad():
                got = learner.mean()(cx)[:, :6].argmax(1)
            right = (got == cy).float().mean().item()
            print(f"step {learner.step} {100 * learner.share:.1f}% face {mean:.4f} colour {colour_loss.item():.3f} "
                  f"whole {whole_loss.item():.3f} watched {right:.4f}", flush=True)  # fmt: skip
            learner.save()
    learner.save(done=True)


if __name__ == "__main__":
    main()
