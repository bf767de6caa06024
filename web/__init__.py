"""The page and its HTTP API."""

from __future__ import annotations

from web.app import create_app
from web.parts import Parts

__all__ = ["Parts", "create_app"]
