"""Trains the classifier on single dice cut out of scenes and photographs."""

from __future__ import annotations

import copy

import numpy as np
import torch
from torch.nn import functional as F

from vision.training.learner import Learner
from vision.training.networks import Classifier
from vision.training.pictures import (
    WORLDS,
    Course,
    crop_side_of,
    die_cutouts,
    read_photographs,
    read_worlds,
    sample_die,
    sample_empty,
)

BATCH = 96
EMPTY_SHARE = 0.2
"""The share of crops without a die, half of them die-like."""
HIDDEN_SHARE = 0.4
"""The share of partly hidden dice if only faces are learned."""
SOMETIMES_HIDDEN = 0.15
"""The share of partly hidden dice if everything is learned."""
PHOTO_SHARE = 0.45
"""Weight of photographs compared with `WORLDS`."""
SCENES_PER_SEED = 1000
"""Scenes per seed to cut dice out of; five seeds take some 4 GB."""


def train_classifier(course: Course, *, second: bool = False, hidden: bool = False) -> None:
    """Train the first classifier, or the second, which sees the surroundings of the die.

    hidden: learn only faces, of often partly hidden dice; the rest is taught by the network itself as it was.
    Otherwise, if training continues from earlier weights, those teach half of the faces, so that nothing is forgotten.
    """
    side = crop_side_of(second=second)
    torch.manual_seed(2)
    rng = np.random.default_rng(2)
    learn, watch = read_photographs(course.photos)
    real, watched = die_cutouts(learn), die_cutouts(watch)
    rendered = {world: die_cutouts(pictures) for world, pictures in read_worlds(course.worlds, SCENES_PER_SEED).items()}
    sources = [(*real, True), *((*cuts, False) for cuts in rendered.values())]
    shares = np.array([PHOTO_SHARE, *(WORLDS[world] for world in rendered)])
    sizes = {"real": len(real[0]), "watched": len(watched[0])} | {name: len(cuts[0]) for name, cuts in rendered.items()}
    print(sizes, flush=True)
    with np.load(course.work / "empties.npz") as data:
        nothing, like = data["crops"], np.flatnonzero(data["like"])
    net = Classifier(wide=second)
    learner, mean = Learner(net, "classifier", course, decay=5e-4), 0.0
    teacher = copy.deepcopy(net).eval() if course.start else None
    share = HIDDEN_SHARE if hidden else SOMETIMES_HIDDEN
    samples = [sample_die(*watched, False, np.random.default_rng(k), side) for k in range(400)]
    check = [(crop, want) for crop, want in samples if want[2]]
    cx = torch.from_numpy(np.stack([c for c, _ in check])).permute(0, 3, 1, 2).float().div(255)
    cy = torch.tensor([want[0] for _, want in check])
    while learner.share < 1:
        crops, wants = [], []
        for _ in range(BATCH):
            if rng.uniform() < EMPTY_SHARE:
                k = rng.choice(like) if len(like) and rng.uniform() < 0.5 else rng.integers(len(nothing))
                crop, want = sample_empty(nothing[k], rng, side)
            else:
                source = sources[int(rng.choice(len(sources), p=shares / shares.sum()))]
                crop, want = sample_die(*source, rng, side, share)
            crops.append(crop)
            wants.append(want)
        x = torch.from_numpy(np.stack(crops)).permute(0, 3, 1, 2).float().div(255)
        face, colour, whole = (torch.tensor(column) for column in zip(*wants, strict=True))
        out = learner.forward(x)
        faces, colours, wholes = F.one_hot(face, 6).float(), colour.clamp(min=0), whole.float()
        if teacher is not None:
            with torch.no_grad():
                before = teacher(x)
            if hidden:
                colours, wholes = before[:, 6:14].softmax(1), before[:, 14].sigmoid()
            else:
                faces = (faces + before[:, :6].softmax(1)) / 2
        face_loss = (F.cross_entropy(out[:, :6], faces, reduction="none", label_smoothing=0.02) * whole).mean()
        colour_weight = (whole if hidden else whole * (colour >= 0)).float()
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
