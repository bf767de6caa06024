"""`/api/v1/box`, for the page `/box`: everybody may see what the box is."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Final
from urllib.parse import urlsplit

from companion.box.network_name import network_name
from web.endpoints import get
from web.feature import BoxState, box_state
from web.parts import Parts

PROGRAM_VERSION: Final = version("perudo-companion")


def _shown(addresses: Sequence[str]) -> str:
    """The address to type, from the page's addresses: the machine's name, which comes last, or else the best, the
    first.
    """
    named = (urlsplit(addresses[-1]).hostname or "").endswith(".local")
    return urlsplit(addresses[-1 if named else 0]).netloc


class BoxEndpoints:
    def __init__(self, parts: Parts) -> None:
        self._table, self._addresses = parts.table, parts.addresses
        self._features = [feature for feature in parts.features if feature.key]
        self._state = box_state(self._features)

    @get("box")
    def box(self) -> BoxState:
        """What the box is: its version, its name."""
        return self._state(
            version=PROGRAM_VERSION,
            name=network_name(),
            address=_shown(self._addresses()),
            playing=self._table.state().playing,
            **{feature.key: feature.state() for feature in self._features},
        )
