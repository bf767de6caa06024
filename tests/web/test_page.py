"""The page's files: complete, light, kept for ever by the browser, and with every word in one place."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from web.page import STATIC, load

MODULES = sorted(path.name for path in STATIC.glob("*.js"))
MOST_BYTES = 80_000
"""Compressed, for everything the page loads before the first picture."""


@pytest.fixture
def page(client: FlaskClient) -> str:
    answer = client.get("/")
    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    return answer.text


def test_the_page_names_files_that_are_there_and_no_other_host(client: FlaskClient, page: str) -> None:
    named = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert len(named) > len(MODULES)
    for address in named:
        assert address.startswith("/static/")
        answer = client.get(address)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["Cache-Control"]


def test_nothing_is_inline(page: str) -> None:
    assert re.findall(r"<script(?![^>]*\bsrc=)", page) == []
    assert "<style" not in page
    assert re.findall(r"\s(?:style|on\w+)=", page) == []


def test_every_import_is_of_a_file_that_is_there() -> None:
    for module in MODULES:
        for name in re.findall(r'from "\./([^"]+)"', (STATIC / module).read_text()):
            assert name in MODULES, f"{module} imports {name}"


def test_everything_together_is_light(page: str) -> None:
    _, files = load()
    assert sum(len(file.packed) for file in files.values()) + len(page) < MOST_BYTES


def test_files_come_compressed_to_those_who_understand_it(client: FlaskClient) -> None:
    build, files = load()
    packed = client.get(f"/static/{build}/app.js", headers={"Accept-Encoding": "gzip, br"})
    plain = client.get(f"/static/{build}/app.js")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data == files["app.js"].data
    assert plain.mimetype == "text/javascript"


def test_another_build_has_another_address(client: FlaskClient, tmp_path: Path) -> None:
    (tmp_path / "app.js").write_text("1")
    before, _ = load(tmp_path)
    (tmp_path / "app.js").write_text("2")
    after, _ = load(tmp_path)
    assert before != after
    old = client.get(f"/static/{before}/app.js")
    assert (old.status_code, old.headers["Cache-Control"]) == (200, "no-cache")


@pytest.mark.parametrize("path", ["/static/x/nothing.js", "/static/x/..%2fapp.py", "/static/x/%2e%2e", "/static/"])
def test_only_the_pages_files_are_handed_out(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_every_word_is_used_and_every_used_word_is_there() -> None:
    words = (STATIC / "words-en.js").read_text().split("export const words = {")[1]
    defined = set(re.findall(r"^  (\w+)[:,]", words, re.MULTILINE))
    used: set[str] = set()
    for module in MODULES:
        used |= set(re.findall(r"\bsay\.(\w+)", (STATIC / module).read_text()))
    assert used - defined == set()
    assert defined - used == set()
