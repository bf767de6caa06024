"""The pages and their files, read once when the server starts and sent compressed.

Every file is served under `/static/<build>/`, where the build is a hash of them all: a browser may keep a file for
ever, and never mixes the modules of two versions. A page names the files that it needs at once, so that the browser
requests them together; what is seldom needed is imported later.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final

from flask import Flask, Response, render_template, request
from werkzeug.exceptions import NotFound

STATIC: Final = Path(__file__).parent / "static"
FOREVER: Final = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Page:
    """One page."""

    template: str
    module: str
    """The module that it starts."""
    styles: tuple[str, ...]
    """In this order: a later one may override an earlier one."""


_TABLE = ("core/page.css", "game/game.css", "reveal/reveal.css")
PAGES: Final = {
    "/": Page("index.html", "game/app.js", (*_TABLE, "menu/menu.css")),
    "/board": Page("board.html", "board/board.js", (*_TABLE, "board/board.css")),
    "/calibrate": Page(
        "calibrate.html", "calibrate/calibrate.js", (*_TABLE, "menu/menu.css", "calibrate/calibrate.css")
    ),
}
"""Address -> page. The service worker keeps all that these need, and the words of every language."""

_SERVICE_WORKER = "service-worker.js"
_COMPRESSED = {".png"}
_MIMETYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
_LANGUAGE = re.compile(r"languages/\w+/(?:page|messages)\.js$")
_IMPORT = re.compile(r'^(?:import|export)\b[^"\n;]*(?:\n[^"\n;]*)*?"(\.\.?/[^"]+)";', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class StaticFile:
    """One file of the page."""

    data: bytes
    packed: bytes
    """The same, gzipped; empty where that would not make it smaller."""
    mimetype: str


def packed(data: bytes, mimetype: str) -> StaticFile:
    """A file of text."""
    return StaticFile(data, gzip.compress(data, 9, mtime=0), mimetype)


def load(folder: Path = STATIC) -> tuple[str, dict[str, StaticFile]]:
    """(build, path within `folder` -> file) of every file there."""
    files: dict[str, StaticFile] = {}
    build = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not any(part.startswith(".") for part in name.split("/")):
            data = path.read_bytes()
            kind = _MIMETYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
            files[name] = StaticFile(data, b"", kind) if path.suffix in _COMPRESSED else packed(data, kind)
            build.update(name.encode() + b"\0" + data + b"\0")
    return build.hexdigest()[:12], files


def imported(files: Mapping[str, StaticFile], entry: str) -> tuple[str, ...]:
    """The modules that a browser loads before `entry` runs, `entry` first: what it imports, what those import, ...

    What is imported by a call, `import("./x.js")`, is not among them.
    """
    found = [entry]
    for name in found:  # grows while it is walked
        text = files[name].data.decode()
        others = [posixpath.normpath(posixpath.join(posixpath.dirname(name), at)) for at in _IMPORT.findall(text)]
        found += [other for other in dict.fromkeys(others) if other not in found]
    return tuple(found)


def manifest(build: str) -> dict[str, object]:
    """What a phone needs to know to put the page among its own programs."""

    def icon(name: str, size: int, purpose: str) -> dict[str, str]:
        src = f"/static/{build}/icons/{name}"
        return {"src": src, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}

    return {
        "id": "/",
        "name": "Perudo",
        "short_name": "Perudo",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#06130e",
        "theme_color": "#0d2a20",
        "icons": [
            icon("icon-192.png", 192, "any"),
            icon("icon-512.png", 512, "any"),
            icon("icon-maskable-512.png", 512, "maskable"),
        ],
    }


def service_worker(build: str, files: Mapping[str, StaticFile]) -> str:
    """The service worker, preceded by its build and by the addresses it keeps.

    It differs with every build, which is how a browser notices a newer one.
    """
    languages = [name for name in files if _LANGUAGE.match(name)]
    styles = chain.from_iterable(page.styles for page in PAGES.values())
    modules = chain.from_iterable(imported(files, page.module) for page in PAGES.values())
    names = sorted({*modules, *styles, *languages, "core/theme.js", "icons/icon.svg"})
    shell = [*PAGES, *(f"/static/{build}/{name}" for name in names)]
    constants = f"const BUILD = {json.dumps(build)};\nconst SHELL = {json.dumps(shell)};\n"
    return constants + files[_SERVICE_WORKER].data.decode()


def register(app: Flask) -> None:
    """Serve the pages, their files under `/static/<build>/`, and what makes them installable."""
    build, files = load()

    def answer(file: StaticFile, caching: str) -> Response:
        small = bool(file.packed) and "gzip" in request.headers.get("Accept-Encoding", "")
        response = Response(file.packed if small else file.data, mimetype=file.mimetype)
        if small:
            response.headers["Content-Encoding"] = "gzip"
        response.headers["Vary"] = "Accept-Encoding"
        response.headers["Cache-Control"] = caching
        return response

    def serve(address: str, endpoint: str, text: str, mimetype: str) -> None:
        made = packed(text.encode(), mimetype)
        app.add_url_rule(address, endpoint, lambda: answer(made, "no-cache"))

    with app.app_context():
        for address, page in PAGES.items():
            modules = imported(files, page.module)
            text = render_template(page.template, build=build, modules=modules, styles=page.styles)
            serve(address, page.module, text, "text/html")
    serve("/manifest.webmanifest", "manifest", json.dumps(manifest(build)), "application/manifest+json")
    serve("/sw.js", "service_worker", service_worker(build, files), "text/javascript")

    @app.get("/static/<version>/<path:name>")
    def static_file(version: str, name: str) -> Response:
        file = files.get(name)
        if file is None:
            raise NotFound
        return answer(file, FOREVER if version == build else "no-cache")

    @app.get("/favicon.ico")
    def favicon() -> Response:
        return static_file(build, "icons/icon.svg")

    @app.after_request
    def _build(response: Response) -> Response:
        # A page that comes back to a newer program sees it here and loads itself anew.
        response.headers["X-Perudo-Build"] = build
        return response
