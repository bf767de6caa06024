"""The page and its files, read once when the server starts and handed out compressed.

Everything lives under `/static/<build>/`, where the build is a hash of all of it: a browser may keep a file
for ever, and never mixes the modules of two versions. What a page needs at once is named in it, so that the browser
asks for all of it at the same time; what is seldom needed is imported when it is.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from flask import Flask, Response, render_template, request
from werkzeug.exceptions import NotFound

STATIC = Path(__file__).parent / "static"
TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}
FOREVER = "public, max-age=31536000, immutable"
ALREADY_SMALL = {".png"}

PAGES = {
    "/": ("index.html", "app.js"),
    "/board": ("board.html", "board.js"),
    "/calibrate": ("calibrate.html", "calibrate.js"),
}
"""Address -> (template, the module it starts)."""
KEPT = ("/", "/board")
"""The pages whose shell the service worker keeps; the others are seldom opened, and nothing without the box."""

_WORDS = re.compile(r"(?:words|told)-\w+\.js$")
_IMPORT = re.compile(r'^(?:import|export)\b[^"\n;]*(?:\n[^"\n;]*)*?"\./([^"]+)";', re.MULTILINE)


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
    """(build, name -> file) of everything in `folder`."""
    files: dict[str, StaticFile] = {}
    whole = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.is_file() and not path.name.startswith("."):
            data = path.read_bytes()
            kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
            files[path.name] = StaticFile(data, b"", kind) if path.suffix in ALREADY_SMALL else packed(data, kind)
            whole.update(path.name.encode() + b"\0" + data + b"\0")
    return whole.hexdigest()[:12], files


def imported(files: Mapping[str, StaticFile], entry: str) -> tuple[str, ...]:
    """The modules that a browser loads before `entry` runs, `entry` first: what it imports, what those import, ...

    What is imported by a call, `import("./x.js")`, is not among them.
    """
    found = [entry]
    for name in found:  # grows while it is walked
        text = files[name].data.decode()
        found += [other for other in dict.fromkeys(_IMPORT.findall(text)) if other not in found]
    return tuple(found)


def manifest(build: str) -> dict[str, object]:
    """What a phone needs to know to put the page among its own programs."""

    def icon(name: str, size: int, purpose: str) -> dict[str, str]:
        return {"src": f"/static/{build}/{name}", "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}

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


def worker(build: str, files: Mapping[str, StaticFile], shell: Iterable[str]) -> str:
    """The service worker, that keeps `shell` and what lies beside it.

    It differs with every build, which is how a browser knows that there is a newer one.
    """
    names = sorted({*shell, *_beside(files)})
    kept = [*PAGES, *(f"/static/{build}/{name}" for name in names)]
    known = f"const BUILD = {json.dumps(build)};\nconst SHELL = {json.dumps(kept)};\n"
    return known + files["sw.js"].data.decode()


def register(app: Flask) -> None:
    """Serve the pages, their files under `/static/<build>/`, and what makes them installable."""
    build, files = load()
    shell = {address: imported(files, entry) for address, (_, entry) in PAGES.items()}

    def answer(file: StaticFile, keep: str) -> Response:
        small = bool(file.packed) and "gzip" in request.headers.get("Accept-Encoding", "")
        response = Response(file.packed if small else file.data, mimetype=file.mimetype)
        if small:
            response.headers["Content-Encoding"] = "gzip"
        response.headers["Vary"] = "Accept-Encoding"
        response.headers["Cache-Control"] = keep
        return response

    def serve(address: str, name: str, text: str, mimetype: str) -> None:
        made = packed(text.encode(), mimetype)
        app.add_url_rule(address, name, lambda: answer(made, "no-cache"))

    with app.app_context():
        for address, (template, entry) in PAGES.items():
            text = render_template(template, build=build, modules=shell[address])
            serve(address, entry, text, "text/html")
    serve("/manifest.webmanifest", "manifest", json.dumps(manifest(build)), "application/manifest+json")
    serve("/sw.js", "worker", worker(build, files, chain.from_iterable(shell.values())), "text/javascript")

    @app.get("/static/<version>/<name>")
    def static_file(version: str, name: str) -> Response:
        file = files.get(name)
        if file is None:
            raise NotFound
        return answer(file, FOREVER if version == build else "no-cache")

    @app.get("/favicon.ico")
    def favicon() -> Response:
        return static_file(build, "icon.svg")

    @app.after_request
    def _build(response: Response) -> Response:
        # A page that comes back to a newer program sees it here and loads itself anew.
        response.headers["X-Perudo-Build"] = build
        return response


def _beside(files: Mapping[str, StaticFile]) -> list[str]:
    """What is kept beside the modules that pages load at once: styles, and the words of every language."""
    at_once = {"style.css", "board.css", "theme.js", "icon.svg"}
    return [name for name in files if name in at_once or _WORDS.match(name)]
