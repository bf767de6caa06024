"""The drawings in docs/drawings, made from the code's own numbers: `python -m docs.drawings`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from docs.drawings import circuits, glare, lenses, mast, plan, wiring
from docs.drawings.svg import Drawing

DRAWINGS_FOLDER: Final = Path("docs") / "drawings"
"""In the repository."""

DRAWINGS: Final[Mapping[str, Callable[[], Drawing]]] = MappingProxyType(
    {
        "panel.svg": wiring.draw_panel,
        "panel-extras.svg": wiring.draw_extras,
        "panel-coloured.svg": wiring.draw_coloured,
        "button.svg": circuits.draw,
        "mast.svg": mast.draw,
        "mast-head.svg": mast.draw_head,
        "table.svg": plan.draw,
        "glare.svg": glare.draw,
        "lenses.svg": lenses.draw,
    }
)
"""File name to function."""
