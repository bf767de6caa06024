"""Two rendered tables, read on two machines, compared die by die: what tests/pi/arm64.sh ends with.

python -m tests.pi.readings draw FOLDER              paint the tables as PNG
python -m tests.pi.readings read FOLDER FILE.json    read them, and write down every die
python -m tests.pi.readings compare ONE OTHER        status 1 when two such files do not say the same
"""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path
from typing import Any

SIDE = 0.5
"""Pixels that a box may differ: the same sums in another order."""
SURE = 0.01
"""How much a confidence may differ."""


def draw(folder: Path) -> None:
    """Thirty dice of six colours, twice, with cups beside them the second time."""
    import numpy as np

    from calibration.palette import SEAT_COLOURS
    from vision.drawn.table_scene import SceneCup, SceneDie, TableScene, render_table
    from vision.image_file import write_image

    seats = ((-200, -120), (0, -130), (200, -120), (200, 120), (0, 130), (-200, 120))
    for seed in (1, 2):
        rng = np.random.default_rng(seed)
        dice = tuple(
            SceneDie(x + 27 * (k % 3) - 27, y + 28 * (k // 3) - 14, rng.uniform(0, 6.28), int(rng.integers(1, 7)), c)
            for c, (x, y) in zip(SEAT_COLOURS, seats, strict=True)
            for k in range(5)
        )
        cups = tuple(SceneCup(x, 0, SEAT_COLOURS[0]) for x in (-100, 100)) if seed == 2 else ()
        write_image(folder / f"table{seed}.png", render_table(TableScene(dice, cups, seed=seed)))


def read(folder: Path, file: Path) -> None:
    """Read every PNG of `folder`; write machine and dice down."""
    import cv2

    from vision.image_file import read_image
    from vision.reader import Reader

    reader = Reader.load()
    said = {
        picture.name: [
            {"face": die.face, "colour": die.colour, "box": list(die.box), "confidence": die.confidence}
            for die in reader.read(read_image(picture)).dice
        ]
        for picture in sorted(folder.glob("*.png"))
    }
    file.write_text(json.dumps({"machine": platform.machine(), "cv2": cv2.__version__, "tables": said}, default=float))


def compare(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """In what two files differ, as sentences."""
    wrong = [f"{name} was read on one machine only" for name in set(one["tables"]) ^ set(other["tables"])]
    for name in sorted(set(one["tables"]) & set(other["tables"])):
        ours, theirs = one["tables"][name], other["tables"][name]
        if len(ours) != len(theirs) or not ours:
            wrong.append(f"{name}: {len(ours)} dice against {len(theirs)}")
            continue
        for a in ours:
            b = min(theirs, key=lambda die: abs(die["box"][0] - a["box"][0]) + abs(die["box"][1] - a["box"][1]))
            if (a["face"], a["colour"]) != (b["face"], b["colour"]):
                wrong.append(f"{name}: {a['colour']} {a['face']} against {b['colour']} {b['face']}")
            if max(abs(p - q) for p, q in zip(a["box"], b["box"], strict=True)) > SIDE:
                wrong.append(f"{name}: boxes {a['box']} and {b['box']}")
            if abs(a["confidence"] - b["confidence"]) > SURE:
                wrong.append(f"{name}: confidences {a['confidence']:.4f} and {b['confidence']:.4f}")
    return wrong


def main(command: str, *files: str) -> int:
    """The three commands above; gives the exit status."""
    if command == "draw":
        draw(Path(files[0]))
    elif command == "read":
        read(Path(files[0]), Path(files[1]))
    else:
        one, other = (json.loads(Path(file).read_text()) for file in files)
        wrong = compare(one, other)
        for each in wrong:
            print(each)
        dice = sum(map(len, one["tables"].values()))
        machines = f"{one['machine']} (OpenCV {one['cv2']}) and {other['machine']} (OpenCV {other['cv2']})"
        print(f"{dice} dice, {machines}: " + (f"{len(wrong)} differences" if wrong else "the same"))
        return 1 if wrong else 0
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
