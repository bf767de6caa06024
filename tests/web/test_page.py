"""The page's files are complete, small, cached for ever by the browser, and have every word in one place."""

from __future__ import annotations

import gzip
import json
import posixpath
import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urljoin

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from web.page import LOBBY_PAGES, PAGES, STATIC, TEMPLATES, Page, StaticFile, imported, load, register

MODULES = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.js"))
LANGUAGES = sorted(path.parent.name for path in STATIC.glob("languages/*/page.json"))
MOST_BYTES = 80_000
"""Compressed, for everything a page loads before the first picture."""
PACKED = {"Accept-Encoding": "gzip"}


@pytest.fixture
def page(client: FlaskClient) -> str:
    answer = client.get("/")
    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    return answer.text


@pytest.fixture
def lobby() -> FlaskClient:
    """A client of an application that serves the pages of a club's lobby, and nothing else."""
    app = Flask(__name__, static_folder=None, template_folder=TEMPLATES)
    register(app, pages=LOBBY_PAGES)
    return app.test_client()


def loaded_at_first(client: FlaskClient, address: str) -> dict[str, int]:
    """What a browser asks for before it shows a page: address -> bytes that the server sends."""
    answer = client.get(address, headers=PACKED)
    sizes = {address: len(answer.data)}
    html = gzip.decompress(answer.data).decode()
    waiting = [
        re.search(r'(?:src|href)="([^"]+)"', tag)[1]  # type: ignore[index]
        for tag in re.findall(r"<(?:script|link|img)\b[^>]*>", html)
        if "apple-touch-icon" not in tag
    ]
    while waiting:
        name = waiting.pop()
        if name in sizes:
            continue
        answer = client.get(name, headers=PACKED)
        assert answer.status_code == 200, name
        sizes[name] = len(answer.data)
        text = gzip.decompress(answer.data).decode() if "Content-Encoding" in answer.headers else answer.text
        if name.endswith(".js"):
            waiting += [urljoin(name, other) for other in re.findall(r'(?:from|import) "(\.[^"]+)"', text)]
    return sizes


def words_of(files: Mapping[str, StaticFile], page: Page, language: str) -> dict[str, int]:
    """What a page loads of a language before it shows itself: file -> bytes that the server sends."""
    names = [f"languages/{language}/{name}.json" for name in page.words]
    catalogs = [name for name in names if name.endswith("messages.json") and language == "en"]
    assert not set(catalogs) & set(files), "the table speaks English"
    return {
        name: len(files[name].packed) for name in (f"languages/{language}/grammar.js", *names) if name not in catalogs
    }


def test_the_page_refers_to_existing_files_and_to_no_other_host(client: FlaskClient, page: str) -> None:
    named = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert len(named) > 10
    for address in named:
        answer = client.get(address)
        assert answer.status_code == 200
        if address != "/manifest.webmanifest":
            assert address.startswith("/static/")
            assert "immutable" in answer.headers["Cache-Control"]


def test_nobody_who_watches_a_lobby_reads_of_a_broker() -> None:
    words = {path: path.read_text() for path in STATIC.glob("languages/*/lobby.json")}
    assert len(words) == len(LANGUAGES)
    assert [path.parent.name for path, text in words.items() if "broker" in text.lower()] == []


def test_nothing_is_inline(page: str) -> None:
    assert re.findall(r"<script(?![^>]*\bsrc=)", page) == []
    assert "<style" not in page
    assert re.findall(r"\s(?:style|on\w+)=", page) == []


def test_every_imported_file_exists() -> None:
    for module in MODULES:
        for address in re.findall(r'(?:from |import |import\()"(\.[^"]+)"', (STATIC / module).read_text()):
            name = posixpath.normpath(posixpath.join(posixpath.dirname(module), address))
            assert name in MODULES, f"{module} imports {address}"


@pytest.mark.parametrize("address", PAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_load_is_small_and_requested_at_once(client: FlaskClient, address: str, language: str) -> None:
    _, files = load()
    sizes = loaded_at_first(client, address)
    html = client.get(address).text
    assert [name for name in sizes if name != address and f'"{name}"' not in html] == []
    sizes |= words_of(files, PAGES[address], language)
    assert sum(sizes.values()) <= MOST_BYTES, sizes


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("address", ["/", "/player", "/game", "/tournament", "/join/<invitation>"])
def test_the_lobbys_first_load_is_small_and_requested_at_once(lobby: FlaskClient, address: str, language: str) -> None:
    _, files = load()
    opened = address.replace("<invitation>", "1a2b3c4d")
    sizes = loaded_at_first(lobby, opened)
    html = lobby.get(opened).text
    assert [name for name in sizes if name != opened and f'"{name}"' not in html] == []
    assert sum((sizes | words_of(files, LOBBY_PAGES[address], language)).values()) <= MOST_BYTES


@pytest.mark.parametrize(("demo", "table"), [(False, "table"), (True, "demo")])
def test_the_table_is_green_on_a_television_and_in_the_demo(demo: bool, table: str) -> None:
    app = Flask(__name__, static_folder=None, template_folder=TEMPLATES)
    register(app, demo=demo)
    pages = [app.test_client().get(address).text for address in ("/", "/board", "/overlay", "/box")]
    greens = [re.findall(r'data-green="([^"]*)"', page) for page in pages]
    assert greens == [[table], ["television"], ["television"], []]


def test_the_lobby_is_no_app_of_a_table(lobby: FlaskClient) -> None:
    """A table's service worker would show the table's pages at the lobby's address."""
    assert [lobby.get(address).status_code for address in ("/sw.js", "/manifest.webmanifest", "/board")] == [404] * 3


def test_dynamic_imports_are_loaded_later() -> None:
    _, files = load()
    first = imported(files, "game/app.js")
    assert first[0] == "game/app.js"
    assert {"core/dom.js", "languages/language.js"} <= set(first)
    later = {"past/past.js", "past/charts.js", "menu/rules.js", "menu/preferences.js", "speech/voice.js"}
    assert later <= set(MODULES)
    assert not later & set(first)
    assert {name for module in MODULES for name in imported(files, module)} == set(MODULES)


def test_files_are_compressed_for_clients_that_accept_it(client: FlaskClient) -> None:
    build, files = load()
    packed = client.get(f"/static/{build}/game/app.js", headers={"Accept-Encoding": "gzip, br"})
    plain = client.get(f"/static/{build}/game/app.js")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data == files["game/app.js"].data
    assert plain.mimetype == "text/javascript"
    picture = client.get(f"/static/{build}/icons/icon-192.png", headers=PACKED)
    assert "Content-Encoding" not in picture.headers
    assert picture.mimetype == "image/png"


def test_another_build_has_another_address(client: FlaskClient, tmp_path: Path) -> None:
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "app.js").write_text("1")
    before, files = load(tmp_path)
    assert list(files) == ["game/app.js"]
    (tmp_path / "game" / "app.js").write_text("2")
    after, _ = load(tmp_path)
    assert before != after
    (tmp_path / "game").rename(tmp_path / "table")
    moved, _ = load(tmp_path)
    assert moved not in {before, after}
    old = client.get(f"/static/{before}/game/app.js")
    assert (old.status_code, old.headers["Cache-Control"]) == (200, "no-cache")


@pytest.mark.parametrize(
    "path",
    [
        *("/static/x/nothing.js", "/static/x/..%2fapp.py", "/static/x/%2e%2e", "/static/", "/static/x/", "/static/x"),
        *("/static/x/app.js", "/static/x/core", "/static/x/core/", "/static/x//core/dom.js", "/static/x/core//dom.js"),
        *("/static/x/../app.py", "/static/x/core/../../app.py", "/static/x/core/..%2f..%2fapp.py"),
        *(
            "/static/x/core/%2e%2e/core/dom.js",
            "/static/x/./core/dom.js",
            "/static/x/..%5capp.py",
            "/static/x/%2fetc%2fpasswd",
        ),
    ],
)
def test_only_the_pages_own_files_are_served(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_the_page_can_be_installed_and_a_phone_that_has_joined_joins_by_its_icon(
    client: FlaskClient, stranger: FlaskClient, page: str
) -> None:
    assert '<link rel="manifest" href="/manifest.webmanifest" crossorigin="use-credentials">' in page
    answer = client.get("/manifest.webmanifest")
    assert (answer.mimetype, answer.headers["Cache-Control"]) == ("application/manifest+json", "private, no-cache")
    manifest = json.loads(answer.data)
    assert (manifest["name"], manifest["id"], manifest["display"]) == ("Perudo", "/", "standalone")
    assert re.fullmatch(r"/\?join=\d{4}", manifest["start_url"])
    assert json.loads(stranger.get("/manifest.webmanifest").data)["start_url"] == "/"
    assert {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]} == {
        ("192x192", "any"),
        ("512x512", "any"),
        ("512x512", "maskable"),
    }
    for icon in manifest["icons"]:
        data = client.get(icon["src"]).data
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
        assert "{1}x{0}".format(*image.shape) == icon["sizes"]
        edge = image[0, 0, 3] if image.shape[2] == 4 else 255
        assert (edge == 255) == (icon["purpose"] == "maskable")


def test_the_service_worker_caches_the_shell_of_this_build_and_is_not_cached_itself(client: FlaskClient) -> None:
    build, _ = load()
    answer = client.get("/sw.js")
    assert answer.mimetype == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert f'const BUILD = "{build}";' in answer.text
    shell = json.loads(re.search(r"const SHELL = (\[.*\]);", answer.text)[1])  # type: ignore[index]
    for address in PAGES:
        needed = set(loaded_at_first(client, address)) - {"/manifest.webmanifest"}
        assert needed <= set(shell)
    words = {
        f"/static/{build}/{file.relative_to(STATIC).as_posix()}"
        for name in ("grammar.js", "page.json", "messages.json")
        for file in STATIC.glob(f"languages/*/{name}")
    }
    assert len(words) == 3 * len(LANGUAGES) - 1
    assert words <= set(shell), "that the box is off is said in the language of the phone"
    assert not [address for address in shell if address.startswith("/api")]
    for address in shell:
        assert client.get(address).status_code == 200


def test_every_theme_is_a_class_that_the_settings_can_set() -> None:
    for style in STATIC.rglob("*.css"):
        assert "prefers-color-scheme" not in style.read_text(), style


@pytest.mark.parametrize(
    ("catalog", "as_what"),
    [
        ("page", "say"),
        ("calibration", r"word\.calibration"),
        ("club", r"word\.club"),
        ("demo", r"word\.demo"),
        ("lesson", r"word\.lesson"),
        ("past", r"word\.past"),
        ("box", r"word\.box"),
        ("https", "httpsWord"),
        ("lobby", r"word\.lobby"),
        ("tournaments", r"word\.tournaments"),
    ],
)
def test_every_word_is_used_and_every_used_word_exists(catalog: str, as_what: str) -> None:
    words = json.loads((STATIC / "languages" / "en" / f"{catalog}.json").read_text())
    defined = {word.partition("(")[0] for word in words}
    used: set[str] = set()
    for module in MODULES:
        used |= set(re.findall(rf"\b{as_what}\.(\w+)", (STATIC / module).read_text()))
    assert used - defined == set()
    assert defined - used == set()


def test_every_style_is_linked_by_a_page_or_loaded_beside_its_module() -> None:
    linked = {style for page in (*PAGES.values(), *LOBBY_PAGES.values()) for style in page.styles}
    for module in MODULES:
        named = re.findall(r'new URL\("([\w.-]+\.css)", import\.meta\.url\)', (STATIC / module).read_text())
        linked |= {posixpath.join(posixpath.dirname(module), name) for name in named}
    assert linked == {path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.css")}


def test_a_link_to_the_box_has_a_picture_under_the_address_that_was_asked_for(client: FlaskClient) -> None:
    answer = client.get("/", base_url="http://192.168.1.20:8000")
    found = re.search(r'property="og:image" content="([^"]+)"', answer.text)
    assert found[1].startswith("http://192.168.1.20:8000/static/")
    picture = client.get(found[1].removeprefix("http://192.168.1.20:8000"))
    assert cv2.imdecode(np.frombuffer(picture.data, np.uint8), cv2.IMREAD_COLOR).shape == (630, 1200, 3)
    assert len(picture.data) < 60_000
