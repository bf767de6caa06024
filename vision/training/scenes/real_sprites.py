"""Cut real dice out of the training photographs, into a bank like the rendered one.

python -m vision.training.scenes.real_sprites --photos DIR --out DIR

The photographs show dice on white or grey; `vision.training.scenes.scene` lays them on felt, wood and cloth, of which
there are no photographs. The outline is found by GrabCut (Rother et al. 2004).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.scenes.sprites import Bank

SPRITE_SIDE = 132
SPRITE_SPAN = 1.7
"""Side of the cut-out in die widths, so that every die of the bank has the same width."""
SPRITE_DIE_WIDTH = SPRITE_SIDE / SPRITE_SPAN


def matte(crop: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32] | None:
    """The die's outline in its cut-out, 0 to 1, or None when there is no plausible one."""
    mask = np.full((SPRITE_SIDE, SPRITE_SIDE), cv2.GC_BGD, np.uint8)
    half, centre = SPRITE_DIE_WIDTH / 2, (SPRITE_SIDE // 2, SPRITE_SIDE // 2)
    cv2.circle(mask, centre, int(half * 1.12), cv2.GC_PR_BGD, -1)
    cv2.circle(mask, centre, int(half * 0.95), cv2.GC_PR_FGD, -1)
    cv2.circle(mask, centre, int(half * 0.55), cv2.GC_FGD, -1)
    cv2.grabCut(crop, mask, None, np.zeros((1, 65)), np.zeros((1, 65)), 3, cv2.GC_INIT_WITH_MASK)
    die = np.isin(mask, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8)
    outlines, _ = cv2.findContours(die, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(max(outlines, key=cv2.contourArea))
    share = cv2.contourArea(hull) / SPRITE_DIE_WIDTH**2
    solid = cv2.contourArea(max(outlines, key=cv2.contourArea)) / max(cv2.contourArea(hull), 1)
    if not 0.3 < share < 1.05 or solid < 0.88:
        return None
    out = np.zeros((SPRITE_SIDE, SPRITE_SIDE), np.uint8)
    cv2.fillPoly(out, [hull], 255, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(cv2.erode(out, np.ones((3, 3), np.uint8)), (0, 0), 0.8), np.float32) / 255


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    labels = json.loads((args.photos / "mixed_d6" / "train.json").read_text(encoding="utf-8"))
    rgba, faces, boxes = [], [], []
    for name in sorted(labels)[:-30]:  # not those to validate on
        frame = cv2.imread(str(args.photos / "mixed_d6" / name))
        for die in labels[name]:
            x, y, w, h = die["box"]
            scale = SPRITE_DIE_WIDTH / max(w, h)
            move = np.array(
                [[scale, 0, SPRITE_SIDE / 2 - (x + w / 2) * scale], [0, scale, SPRITE_SIDE / 2 - (y + h / 2) * scale]],
                np.float32,
            )
            crop = cv2.warpAffine(
                frame, move, (SPRITE_SIDE, SPRITE_SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
            )
            alpha = matte(crop)
            if alpha is None:
                continue
            ys, xs = np.nonzero(alpha > 0.5)
            rgba.append(np.dstack([crop[..., ::-1], (alpha * 255).astype(np.uint8)]))
            faces.append(die["value"])
            boxes.append((xs.min(), ys.min(), np.ptp(xs) + 1, np.ptp(ys) + 1))
    n = sum(len(dice) for dice in labels.values())
    print(f"{len(rgba)} of {n} dice cut out")
    unknown = np.full(len(faces), 255, np.uint8)
    Bank(np.stack(rgba), np.array(faces, np.uint8), unknown, np.array(boxes, np.float32)).save(
        args.out / "sprites-real.npz"
    )


if __name__ == "__main__":
    main()
