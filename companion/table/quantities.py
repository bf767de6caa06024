"""Types of the public state's quantities, with their bounds. Those shared with commands are in `commands`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from companion.engine import RULESETS
from companion.table.commands import WIDEST_PICTURE

Count = Annotated[int, Meta(ge=0)]
Share = Annotated[float, Meta(ge=0, le=1)]
Pixels = Annotated[float, Meta(ge=-WIDEST_PICTURE, le=WIDEST_PICTURE)]
Box = Annotated[
    tuple[Pixels, Pixels, Pixels, Pixels], Meta(description="x, y, width, height in pixels of the picture.")
]
Book = Annotated[str, Meta(extra_json_schema={"enum": list(RULESETS)})]
