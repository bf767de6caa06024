"""`python -m hardware.drawings [FOLDER]`: write every drawing, to docs/drawings where none is named."""

from __future__ import annotations

import sys
from pathlib import Path

from hardware.drawings import DRAWINGS, FOLDER


def main(folder: Path) -> None:
    """Write the drawings into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in DRAWINGS.items():
        (folder / name).write_text(draw().svg(), encoding="utf-8")
        print(folder / name)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2] / FOLDER)
