"""The page and its HTTP API."""

from __future__ import annotations

from web.app import create_app

__all__ = ["create_app"]
