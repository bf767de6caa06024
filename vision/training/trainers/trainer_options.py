"""The command line options of the trainers."""

from __future__ import annotations

import argparse
from pathlib import Path


def options(about: str | None, *, minutes: float, batch: int) -> argparse.ArgumentParser:
    """The options of one trainer with its default `minutes` and `batch`."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--scenes", type=Path, required=True)
    parser.add_argument("--traced", type=Path, nargs="*", default=[], help="folders by vision.training.traced")
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=minutes)
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--start", type=Path, help="a checkpoint to go on from")
    return parser
