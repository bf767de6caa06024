"""The pages and their files, read once when the server starts and sent compressed.

Every file is served under `/static/<build>/`, where the build is a hash of them all: a browser may cache a file
forever, and never mixes the modules of two versions. A page lists the files that it needs first, so that the browser
requests them together; rarely needed modules are imported later.
"""

from __future__ import annotations

import gzip
import hashlib
import html
import json
import mimetypes
import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final

from flask import Flask, Request, Response, render_template, request
from werkzeug.exceptions import NotFound

from companion.messages import languages

STATIC: Final = Path(__file__).parent / "static"
TEMPLATES: Final = Path(__file__).parent / "templates"
FOREVER: Final = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Page:
    template: str
    module: str
    """The module that starts the page."""
    styles: tuple[str, ...]
    """The style sheets, in order: a later one may override an earlier one."""
    words: tuple[str, ...] = ("page", "messages")
    """The language files that it needs first."""


_CALIBRATION = ("page", "calibration", "messages", "calibration-messages")
_BOX = ("page", "box", "messages", "box-messages", "club-messages")
_TABLE = ("core/tokens.css", "core/page.css", "game/game.css", "reveal/reveal.css")
PAGES: Final = {
    "/": Page("index.html", "game/app.js", (*_TABLE, "menu/menu.css")),
    "/board": Page("board.html", "board/board.js", (*_TABLE, "board/board.css")),
    "/overlay": Page("overlay.html", "board/board.js", (*_TABLE, "board/board.css", "board/overlay.css")),
    "/calibrate": Page(
        "app.html", "calibrate/calibrate.js", (*_TABLE, "menu/menu.css", "calibrate/calibrate.css"), _CALIBRATION
    ),
    "/box": Page("app.html", "box/box.js", (*_TABLE, "menu/menu.css", "box/box.css"), _BOX),
}
"""Address -> page. The service worker caches the files of all pages, and the words of every language."""

_LOBBY = ("core/tokens.css", "core/page.css", "game/game.css", "lobby/lobby.css")
_CLUB = ("page", "lobby", "tournaments", "messages", "club-messages")
_MANAGED = (*_LOBBY, "manager/manager.css")
LOBBY_PAGES: Final = {
    "/": Page("app.html", "lobby/lobby.js", (*_MANAGED, "tournament/tournament.css"), _CLUB),
    "/tournament": Page("app.html", "tournament/tournament.js", (*_MANAGED, "tournament/tournament.css"), _CLUB),
    "/player": Page("app.html", "lobby/player.js", _MANAGED, _CLUB),
    "/game": Page("app.html", "lobby/game.js", (*_MANAGED, "past/past.css"), _CLUB),
    "/join/<invitation>": Page("app.html", "lobby/invitation.js", _LOBBY, _CLUB),
}
"""The pages of a club's lobby: address -> page. The page's own code handles a part in <>."""

ORIGIN: Final = "{origin}"
"""In a page, replaced by the origin of the request: a link preview's picture needs an absolute address."""
_SERVICE_WORKER = "service-worker.js"
_COMPRESSED = {".png", ".woff2"}
_MIMETYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
_COMMENTS = {".js": re.compile(rb"^[ \t]*//.*\n", re.MULTILINE), ".css": re.compile(rb"/\*.*?\*/[ \t]*", re.DOTALL)}
"""Comments are not sent; in a module, only whole-line ones."""
_FIRST_WORDS = ("grammar.js", "page.json", "messages.json")
"""The language files that every page needs. A phone keeps them, to say in its language that the box is off."""
_IMPORT = re.compile(r'^(?:import|export)\b[^"\n;]*(?:\n[^"\n;]*)*?"(\.\.?/[^"]+)";', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class StaticFile:
    data: bytes
    packed: bytes
    """The content, gzipped; empty for pictures, which are compressed already."""
    mimetype: str


def packed(data: bytes, mimetype: str) -> StaticFile:
    """A compressed text file."""
    return StaticFile(data, gzip.compress(data, 9, mtime=0), mimetype)


def load(folder: Path = STATIC) -> tuple[str, dict[str, StaticFile]]:
    """The build, and every file in `folder` by its relative path."""
    files: dict[str, StaticFile] = {}
    build = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not any(part.startswith(".") for part in name.split("/")):
            data = path.read_bytes()
            if path.suffix in _COMMENTS:
                data = _COMMENTS[path.suffix].sub(b"", data)
            kind = _MIMETYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
            files[name] = StaticFile(data, b"", kind) if path.suffix in _COMPRESSED else packed(data, kind)
            build.update(name.encode() + b"\0" + data + b"\0")
    _fill(files, folder)
    return build.hexdigest()[:12], files


def _fill(files: dict[str, StaticFile], folder: Path) -> None:
    """Use English words where an offered language has none. A message without translation is shown as the table sends
    it.
    """
    own = f"languages/{languages.ENGLISH}/"
    english = {name.removeprefix(own): file for name, file in files.items() if name.startswith(own)}
    catalogs = {name.rpartition("/")[2] for name in files if name.endswith("messages.json")}
    english |= dict.fromkeys(catalogs, packed(b"{}", "application/json"))
    for language in languages.offered(folder / "languages")[1:] if own + "language.json" in files else ():
        for name, file in english.items():
            other = f"languages/{language.id}/{name}"
            if other not in files:
                files[other] = file
            elif name.endswith(".json"):
                words = languages.read(files[other].data, other)
                whole = languages.filled(words, json.loads(file.data))
                if whole != words or not words:
                    files[other] = packed(json.dumps(whole, ensure_ascii=False).encode(), file.mimetype)


def imported(files: Mapping[str, StaticFile], entry: str) -> tuple[str, ...]:
    """The modules that a browser loads before `entry` runs, `entry` first: its imports, their imports, and so on.

    Modules imported by a call, `import("./x.js")`, are not included.
    """
    found = [entry]
    for name in found:  # grows during the loop
        text = files[name].data.decode()
        others = [posixpath.normpath(posixpath.join(posixpath.dirname(name), at)) for at in _IMPORT.findall(text)]
        found += [other for other in dict.fromkeys(others) if other not in found]
    return tuple(found)


def service_worker(build: str, files: Mapping[str, StaticFile]) -> str:
    """The service worker's code, preceded by constants for the build and the addresses to cache.

    It differs in every build, which is how a browser notices a new one.
    """
    words = [f"languages/{language.id}/{name}" for language in languages.offered() for name in _FIRST_WORDS]
    styles = chain.from_iterable(page.styles for page in PAGES.values())
    modules = chain.from_iterable(imported(files, page.module) for page in PAGES.values())
    english = [f"languages/{languages.ENGLISH}/{name}.json" for page in PAGES.values() for name in page.words]
    first = ("core/before-drawing.js", "core/too-old.js", "icons/icon.svg")
    names = sorted({*modules, *styles, *({*words, *english} & set(files)), *first})
    shell = [*PAGES, *(f"/static/{build}/{name}" for name in names)]
    constants = f"const BUILD = {json.dumps(build)};\nconst SHELL = {json.dumps(shell)};\n"
    return constants + files[_SERVICE_WORKER].data.decode()


def register(
    app: Flask,
    language: str = "",
    pages: Mapping[str, Page] = PAGES,
    code_for: Callable[[Request], str] = lambda _: "",
    *,
    demo: bool = False,
) -> None:
    """Serve `pages` and their files under `/static/<build>/`; with a table's pages, also the manifest and service
    worker.

    `language`: used until somebody chooses one; "" means the browser's. `code_for` returns the table's code for a phone
    that has joined: opened from its home screen, where it may have no cookie, it joins again by itself. `demo`: the
    table is green on phones too. The templates of `app` are those in `TEMPLATES`.
    """
    build, files = load()
    offered = languages.offered()
    choice = json.dumps([{"id": each.id, "name": each.name, "tags": each.tags} for each in offered], ensure_ascii=False)
    app.jinja_env.globals["languages"] = offered

    def serve(address: str, text: str, mimetype: str) -> None:
        file = packed(text.encode(), mimetype)

        def answer(**_: str) -> Response:
            if ORIGIN not in text:
                return _answer(file, "no-cache")
            here = text.replace(ORIGIN, html.escape(request.host_url.rstrip("/")))
            return _answer(packed(here.encode(), mimetype), "no-cache")

        app.add_url_rule(address, address.partition(".")[0], answer)

    with app.app_context():
        for address, page in pages.items():
            modules = imported(files, page.module)
            text = render_template(
                page.template,
                build=build,
                language=language,
                choice=choice,
                words=" ".join(page.words),
                modules=modules,
                styles=page.styles,
                demo=demo,
            )
            serve(address, text, "text/html")
        if pages is PAGES:  # only these can be installed
            manifest = json.loads(render_template("manifest.json", build=build))

            @app.get("/manifest.webmanifest")
            def manifest_file() -> Response:
                code = code_for(request)
                text = json.dumps(manifest | ({"start_url": f"/?join={code}"} if code else {}))
                return _answer(packed(text.encode(), "application/manifest+json"), "private, no-cache")

            serve("/sw.js", service_worker(build, files), "text/javascript")

    @app.get("/static/<version>/<path:name>")
    def static_file(version: str, name: str) -> Response:
        file = files.get(name)
        if file is None:
            raise NotFound
        return _answer(file, FOREVER if version == build else "no-cache")

    @app.get("/favicon.ico")
    def favicon() -> Response:
        return static_file(build, "icons/icon.svg")

    @app.after_request
    def _build(response: Response) -> Response:
        # A page that reconnects to a newer program sees the difference and reloads.
        response.headers["X-Perudo-Build"] = build
        return response


def _answer(file: StaticFile, caching: str) -> Response:
    small = bool(file.packed) and "gzip" in request.headers.get("Accept-Encoding", "")
    response = Response(file.packed if small else file.data, mimetype=file.mimetype)
    if small:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding"
    response.headers["Cache-Control"] = caching
    return response
