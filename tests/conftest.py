"""What tests of several packages share."""

from __future__ import annotations

import fcntl
import functools
import hashlib
import itertools
import json
import os
import shutil
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from hypothesis import settings
from jinja2 import FileSystemBytecodeCache

from companion.bootstrap.apt import needs_of_tests
from tests.fakes.clock import FakeClock
from web import page

# No test depends on time or luck: the same examples in every run. `--hypothesis-profile=search` draws others.
settings.register_profile("search", deadline=None)
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")

REPOSITORY = Path(__file__).resolve().parent.parent
MEMORY = Path("/dev/shm")
"""A file system without a disk. Most of what a table does ends with waiting until a disk has it."""
MEMORY_NEEDED = 2 * 2**30
"""Bytes; browsers take most of it."""


def pytest_configure() -> None:
    """Have temporary files in memory, where there is enough and programs may run from there; and no Avahi asked for the
    name of the machine.
    """
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=/nowhere"
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK):
        room = os.statvfs(MEMORY)
        if room.f_bavail * room.f_frsize >= MEMORY_NEEDED and not room.f_flag & os.ST_NOEXEC:
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose programs are not here, or fail it where `PERUDO_REQUIRE_PROGRAMS` is 1."""
    wanted = {name for mark in item.iter_markers("programs") for name in mark.args}
    if item.get_closest_marker("browser"):
        wanted |= {"chromium", "chromedriver"}
    if missing := [need for need in needs_of_tests() if need.what in wanted and not need.present()]:
        refuse("; ".join(f"{need.what} is not here (apt install {need.packages[0]})" for need in missing))


def refuse(sentence: str) -> None:
    """Skip the test, or fail it where everything is required."""
    if os.environ.get("PERUDO_REQUIRE_PROGRAMS") == "1":
        pytest.fail(sentence)
    pytest.skip(sentence)


@pytest.hookimpl(tryfirst=True)  # xdist reads the groups in the same hook
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Where several run at a time: those that drive a browser in three parts, the rest file by file.

    A file's tests share what takes long to make, and the tests of a part share a browser. One of these that fails only
    in waiting is run once more, and named at the end ("rerun"); with `PERUDO_RUN_ONCE=1` it fails.
    """
    files = sorted({item.path for item in items if item.get_closest_marker("browser")})
    parts = {path: f"browser {number % 3}" for number, path in enumerate(files)}
    for item in items:
        group = parts[item.path] if item.get_closest_marker("browser") else str(item.path.relative_to(REPOSITORY))
        item.add_marker(pytest.mark.xdist_group(group))
        if item.get_closest_marker("browser") and os.environ.get("PERUDO_RUN_ONCE") != "1":
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=["WaitedInVainError", "TimeoutException"]))


@pytest.fixture
def clock() -> FakeClock:
    """A clock that stands still unless the test moves it."""
    return FakeClock()


@pytest.fixture(scope="session", autouse=True)
def _read_once() -> Iterator[None]:
    """The files of the page are read and packed, and its templates compiled, once for all applications."""
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr("web.page.load", functools.cache(page.load))
        patch.setattr(Flask, "jinja_options", {"bytecode_cache": FileSystemBytecodeCache(folder)})
        yield


@pytest.fixture(scope="session")
def photos() -> Path:
    """The folder of real photographs; they are not part of the repository."""
    named = os.environ.get("PERUDO_PHOTOS")
    folder = Path(named) if named else REPOSITORY.parent / "shared" / "photos"
    if not folder.is_dir():
        pytest.skip(f"no photographs here: {folder} is not a folder (PERUDO_PHOTOS names another)")
    return folder


@pytest.fixture(scope="session")
def node_modules() -> Path:
    """The packages of tests/page/package-lock.json, installed by npm where they are not there yet."""
    folder = REPOSITORY / "tests" / "page"
    lock = folder / "package-lock.json"
    modules = folder / "node_modules"
    stamp = modules / "installed"
    wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
    with lock.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # two runs of the tests would tread on each other's feet
        if not (stamp.is_file() and stamp.read_text() == wanted) and (trouble := _npm_ci(folder)):
            refuse(trouble)
        stamp.write_text(wanted)
    return modules


def _npm_ci(folder: Path) -> str:
    """Install what the lock file of `folder` names; why that failed, or nothing."""
    npm = shutil.which("npm")
    if npm is None:
        return "no npm here, which brings what checks the page (Debian: apt install npm)"
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    try:
        result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"npm did not install what checks the page: {error}"
    said = "\n".join((result.stdout + result.stderr).strip().splitlines()[-15:])
    return f"npm did not install what checks the page. It said:\n{said}" if result.returncode else ""


class RemotePhone:
    """A program at the table, over HTTP: it joins by the table's code and makes every change as docs/reference/api.md
    says.
    """

    _keys = itertools.count(10_000_000)

    def __init__(self, url: str, code: str, token: str | None = None) -> None:
        self.url = url
        self._http = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        self.token = token
        self.token = token or self.send("join", {"code": code})["token"]

    def get(self, path: str) -> bytes:
        with self._http.open(self._request(path), timeout=60) as answer:
            return bytes(answer.read())

    @property
    def state(self) -> dict[str, Any]:
        return dict(json.loads(self.get("api/v1/state")))

    @property
    def me(self) -> dict[str, Any]:
        return dict(json.loads(self.get("api/v1/me")))

    def post(self, path: str, body: object = None) -> dict[str, Any]:
        """Make a change, on the state as it is now."""
        return self.send(path, {} if body is None else body, version=self.state["version"])

    def send(self, path: str, body: object, **more: object) -> dict[str, Any]:
        """Make a change; `version` of what state, and `key` when it is to be another than ever before."""
        request = self._request(f"api/v1/{path}")
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
        request.add_header("Idempotency-Key", str(more.get("key") or next(self._keys)))
        if "version" in more:
            request.add_header("X-Perudo-Version", str(more["version"]))
        with self._http.open(request, timeout=60) as answer:
            return dict(json.load(answer))

    def _request(self, path: str) -> urllib.request.Request:
        headers = {} if self.token is None else {"Authorization": f"Bearer {self.token}"}
        return urllib.request.Request(f"{self.url}{path}", headers=headers)


@pytest.fixture(scope="session")
def remote_phone() -> type[RemotePhone]:
    """`RemotePhone`, for tests of programs that run by themselves."""
    return RemotePhone
