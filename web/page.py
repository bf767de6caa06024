"""The page and its files, read once when the server starts and handed out compressed.

Everything lives under `/static/<build>/`, where the build is a hash of all of it: a browser may keep a file
for ever, and never mixes the modules of two versions.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from pathlib import Path

from flask import Flask, Response, make_response, render_template, request
from werkzeug.exceptions import NotFound

STATIC = Path(__file__).parent / "static"
TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
FOREVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class StaticFile:
    """One file of the page."""

    data: bytes
    packed: bytes
    """The same, gzipped."""
    mimetype: str


def load(folder: Path = STATIC) -> tuple[str, dict[str, StaticFile]]:
    """(build, name -> file) of everything in `folder`."""
    files: dict[str, StaticFile] = {}
    whole = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.is_file() and not path.name.startswith("."):
            data = path.read_bytes()
            kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
            files[path.name] = StaticFile(data, gzip.compress(data, 9, mtime=0), kind)
            whole.update(path.name.encode() + b"\0" + data + b"\0")
    return whole.hexdigest()[:12], files


def register(app: Flask, *, demo: bool) -> None:
    """Serve the page at `/` and its files under `/static/<build>/`."""
    build, files = load()
    modules = sorted(name for name in files if name.endswith(".js"))

    @app.get("/")
    def index() -> Response:
        response = make_response(render_template("index.html", build=build, modules=modules, demo=demo))
        response.headers["Cache-Control"] = "no-cache"
        return response

    @app.get("/static/<version>/<name>")
    def static_file(version: str, name: str) -> Response:
        file = files.get(name)
        if file is None:
            raise NotFound
        packed = "gzip" in request.headers.get("Accept-Encoding", "")
        response = Response(file.packed if packed else file.data, mimetype=file.mimetype)
        if packed:
            response.headers["Content-Encoding"] = "gzip"
        response.headers["Vary"] = "Accept-Encoding"
        response.headers["Cache-Control"] = FOREVER if version == build else "no-cache"
        return response

    @app.get("/favicon.ico")
    def favicon() -> Response:
        return static_file(build, "icon.svg")

    @app.after_request
    def _build(response: Response) -> Response:
        # A page that comes back to a newer program sees it here and loads itself anew.
        response.headers["X-Perudo-Build"] = build
        return response
