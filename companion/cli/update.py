"""`perudo update`: sets up the newest version and restarts the service."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

import click

from companion.cli.output import fail

CLONE: Final = Path(__file__).resolve().parents[2]


@click.command()
def update() -> None:
    """Update the clone that this program runs from, and restart the service.

    If the new version cannot be set up, the previous one is restored. The last lines say how to go back to it later.
    """
    if not (CLONE / "companion" / "bootstrap").is_dir():
        fail("this program was not installed from a clone: install the newest version as you installed this one.")
    # Run by the Python that the virtual environment was made from, because the environment may be rebuilt.
    python = getattr(sys, "_base_executable", None) or sys.executable
    os.chdir(CLONE)
    os.execv(python, [python, "-m", "companion.bootstrap", "update"])
