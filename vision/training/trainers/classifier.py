"""Train the classifier on single dice cut out of scenes and photographs, with checkpoints.

python -m vision.training.trainers.classifier --scenes DIR --photos DIR --work DIR --minutes 30

With --hidden, only faces are learned, of dice a part of which is often hidden; the rest is taught by the network as it
was.
"""

from __future__ import annotations

import copy
from itertools import chain

import numpy as np
import torch
from torch.nn import functional as F

from vision.training.data.die_crops import crop_side_of, die_cutouts, sample_die, sample_empty
from vision.training.data.labelled_pictures import read_photographs, read_scenes, read_traced
from vision.training.networks.architectures import Classifier
from vision.training.trainers.learner import Learner
from vision.training.trainers.trainer_options import options

EMPTY_SHARE = 0.2
"""Share of crops without a die, half of them like one."""
HIDDEN_SHARE = 0.4
"""Share of the dice a part of which is hidden, where only faces are learned."""
SCENES_PER_SEED = 1000
"""Scenes per seed to cut dice out of: those of five seeds take some 4 GB."""


def main() -> None:
    parser = options(__doc__, minutes=30, batch=96)
    parser.add_argument("--second", action="store_true", help="the wide one, which sees what lies round the die")
    parser.add_argument("--hidden", action="store_true", help="learn only faces, of dice that are partly hidden")
    args = parser.parse_args()
    if args.hidden and not args.start:
        parser.error("--hidden goes on from a checkpoint: name it with --start")
    side = crop_side_of(second=args.second)
    torch.manual_seed(2)
    rng = np.random.default_rng(2)
    learn, watch = read_photographs(args.photos)
    real, drawn, watched = (
        die_cutouts(learn),
        die_cutouts(read_scenes(args.scenes, SCENES_PER_SEED)),
        die_cutouts(watch),
    )
    lit = die_cutouts(chain.from_iterable(read_traced(folder) for folder in args.traced)) if args.traced else drawn
    sizes = {"real": len(real[0]), "drawn": len(drawn[0]), "traced": len(lit[0]), "watched": len(watched[0])}
    print(sizes, flush=True)
    with np.load(args.work / "empties.npz") as data:
        nothing, like = data["crops"], np.flatnonzero(data["like"])
    net = Classifier(wide=args.second)
    learner, mean = Learner(net, "classifier", args, decay=5e-4), 0.0
    teacher = copy.deepcopy(net).eval() if args.hidden else None
    hidden = HIDDEN_SHARE if args.hidden else 0.0
    samples = [sample_die(*watched, False, np.random.default_rng(k), side) for k in range(400)]
    check = [(crop, want) for crop, want in samples if want[2]]
    cx = torch.from_numpy(np.stack([c for c, _ in check])).permute(0, 3, 1, 2).float().div(255)
    cy = torch.tensor([want[0] for _, want in check])
    while learner.share < 1:
        crops, wants = [], []
        for _ in range(args.batch):
            if rng.uniform() < EMPTY_SHARE:
                k = rng.choice(like) if len(like) and rng.uniform() < 0.5 else rng.integers(len(nothing))
                crop, want = sample_empty(nothing[k], rng, side)
            elif (kind := rng.uniform()) < 0.33:
                crop, want = sample_die(*real, True, rng, side, hidden)
            elif kind < 0.75:
                crop, want = sample_die(*lit, False, rng, side, hidden)
            else:
                crop, want = sample_die(*drawn, False, rng, side, hidden)
            crops.append(crop)
            wants.append(want)
        x = torch.from_numpy(np.stack(crops)).permute(0, 3, 1, 2).float().div(255)
        face, colour, whole = (torch.tensor(column) for column in zip(*wants, strict=True))
        out = learner.forward(x)
        colours, wholes = colour.clamp(min=0), whole.float()
        if teacher is not None:
            with torch.no_grad():
                before = teacher(x)
            colours = before[:, 6:14].softmax(1)
            wholes = before[:, 14].sigmoid()
        face_loss = (F.cross_entropy(out[:, :6], face, reduction="none", label_smoothing=0.02) * whole).mean()
        colour_weight = (whole * (colour >= 0) if teacher is None else whole).float()
        colour_loss = (
            F.cross_entropy(out[:, 6:14], colours, reduction="none") * colour_weight
        ).sum() / colour_weight.sum()
        whole_loss = F.binary_cross_entropy_with_logits(out[:, 14], wholes)
        loss = face_loss + 0.4 * colour_loss + 0.4 * whole_loss
        learner.learn(loss)
        mean = face_loss.item() if learner.step == 1 else 0.98 * mean + 0.02 * face_loss.item()
        if learner.step % 200 == 0:
            with torch.no_grad():
                answers = learner.mean()(cx)[:, :6].argmax(1)
            right = (answers == cy).float().mean().item()
            print(f"step {learner.step} {100 * learner.share:.1f}% face {mean:.4f} colour {colour_loss.item():.3f} "
                  f"whole {whole_loss.item():.3f} watched {right:.4f}", flush=True)  # fmt: skip
            learner.save()
    learner.save(final=True)


if __name__ == "__main__":
    main()
