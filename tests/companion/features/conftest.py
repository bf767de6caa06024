"""Features over HTTP: phones and their page are those of `tests.web`."""

from tests.web.conftest import access, app, camera, client, described, make_app, panel, stranger, table

__all__ = ["access", "app", "camera", "client", "described", "make_app", "panel", "stranger", "table"]
