"""`python -m docs.drawings [FOLDER]`: write every drawing, to docs/drawings by default."""

from __future__ import annotations

import argparse
from pathlib import Path

from docs.drawings import DRAWINGS, DRAWINGS_FOLDER


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in DRAWINGS.items():
        (folder / name).write_text(draw().svg(), encoding="utf-8")
        print(folder / name)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser("python -m docs.drawings", description="Write every drawing anew.")
    arguments.add_argument(
        "folder", nargs="?", type=Path, default=Path(__file__).resolve().parents[2] / DRAWINGS_FOLDER
    )
    main(arguments.parse_args().folder)
