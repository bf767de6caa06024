"""`python -m docs.parts [FOLDER]`: write numbers.scad and the picture in docs/pictures; into FOLDER every part as STL.

OpenSCAD draws the picture on a display; without one, type `xvfb-run -a` before.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from PIL import Image

from docs.parts import FOLDER, PARTS, render, scad

PICTURE = FOLDER.parent / "pictures" / "parts.webp"
VIEWS = {"camera-bracket": "-25,30,0", "pi-case": "50,0,20", "button-box": "215,0,20"}
"""What is in the picture: part to the angles it is seen at."""
SIZE = (340, 260)


def main(folder: Path | None) -> None:
    (FOLDER / "numbers.scad").write_text(scad(), encoding="utf-8")
    for name in PARTS if folder else ():
        assert folder
        folder.mkdir(parents=True, exist_ok=True)
        render(name, folder / f"{name}.stl")
        print(folder / f"{name}.stl")
    if folder is None:
        draw()
        print(PICTURE)


def draw() -> None:
    """Write the picture, of twice the size made smaller."""
    picture = Image.new("RGB", (SIZE[0] * len(VIEWS), SIZE[1]))
    with tempfile.TemporaryDirectory() as work:
        for place, (name, angles) in enumerate(VIEWS.items()):
            file = Path(work, f"{name}.png")
            camera = ["--viewall", "--autocenter", f"--camera=0,0,0,{angles},500", "--colorscheme=Tomorrow"]
            render(name, file, "--render", f"--imgsize={2 * SIZE[0]},{2 * SIZE[1]}", *camera)
            with Image.open(file) as large:
                picture.paste(large.convert("RGB").resize(SIZE), (place * SIZE[0], 0))
    picture.save(PICTURE, quality=80, method=6)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser("python -m docs.parts", description="Write the parts' numbers and picture.")
    arguments.add_argument("folder", nargs="?", type=Path, help="write every part into it, as STL, and nothing else")
    main(arguments.parse_args().folder)
