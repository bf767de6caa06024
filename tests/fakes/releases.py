"""Small releases, really signed, of a fake program: fixtures for who installs them with the real pip."""

from __future__ import annotations

import base64
import ensurepip
import functools
import hashlib
import http.server
import os
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.box.release.release import MANIFEST, Release, Wheel, sign, signers_text, wheel_of
from companion.box.release.versions import Versions

WHEELS = (Path(ensurepip.__file__).with_name("_bundled"), Path("/usr/share/python-wheels"))
"""Where Python and Debian have the wheel of pip."""
LIBRARIES = ("cv2", "flask", "gpiozero", "ncnn", "numpy")


@pytest.fixture(scope="session")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A private key."""
    path = tmp_path_factory.mktemp("key") / "release-key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)
    return path


@pytest.fixture
def signers(tmp_path: Path, key: Path) -> Path:
    """The file of those whose releases the box takes."""
    path = tmp_path / "release-signers"
    path.write_text(signers_text(key.with_name("release-key.pub").read_text()))
    return path


def wheel(folder: Path, name: str, modules: dict[str, str], script: str = "") -> Wheel:
    """A small wheel, as PEP 427 has it."""
    about = f"{name}-1.dist-info"
    files = {
        **modules,
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: 1\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    if script:
        files[f"{about}/entry_points.txt"] = f"[console_scripts]\nperudo = {script}\n"
    rows = []
    path = folder / f"{name}-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in files.items():
            archive.writestr(file, text)
            digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
            rows.append(f"{file},sha256={digest},{len(text.encode())}")
        archive.writestr(f"{about}/RECORD", "\n".join([*rows, f"{about}/RECORD,,", ""]))
    data = path.read_bytes()
    return Wheel(path.name, hashlib.sha256(data).hexdigest(), len(data))


@pytest.fixture
def release(tmp_path: Path, key: Path) -> Callable[..., Path]:
    """Makes a release of a program that prints its name; the folder of it."""

    def make(
        name: str,
        made: str = "2026-11-24T03:00:00+00:00",
        machine: str = "",
        broken: bool = False,
        pip: bool = False,
    ) -> Path:
        folder = tmp_path / f"release-{name}"
        folder.mkdir()
        source = f"def main():\n    print({name!r})\n" + ("    raise SystemExit(1)\n" if broken else "")
        wheels: tuple[Wheel, ...] = (
            wheel(folder, "perudo_companion", {"perudo_program.py": source}, "perudo_program:main"),
            wheel(folder, "libraries", {f"{each}.py": "" for each in LIBRARIES}),
        )
        if pip:
            at = next(each for place in WHEELS for each in place.glob("pip-*.whl"))
            wheels = (*wheels, wheel_of(Path(shutil.copy(at, folder))))
        python = f"{sys.version_info[0]}.{sys.version_info[1]}"
        machine = machine or os.uname().machine
        found = Release(name, "1", made, python, machine, ("What is new.",), wheels)
        (folder / MANIFEST).write_text(found.text())
        sign(folder / MANIFEST, key)
        return folder

    return make


@pytest.fixture
def versions(tmp_path: Path) -> Versions:
    return Versions(tmp_path / "opt")


@pytest.fixture
def put(versions: Versions, release: Callable[..., Path]) -> Callable[[str], str]:
    """Puts a version there as `install` would, without pip, which takes seconds. Returns its name."""

    def put(name: str) -> str:
        home = versions.place / "versions" / name
        (home / "bin").mkdir(parents=True)
        (home / "bin" / "perudo").write_text(f"#!/bin/sh\necho {name}\n")
        (home / "bin" / "perudo").chmod(0o755)
        (home / MANIFEST).write_text((release(name) / MANIFEST).read_text())
        return name

    return put


@pytest.fixture
def publish(release: Callable[..., Path]) -> Iterator[Callable[..., str]]:
    """Puts a release on a web server, and gives its address."""
    servers = []

    def publish(*name: str, **how: object) -> str:
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(release(*name, **how)))
        handler.log_message = lambda *_: None  # type: ignore[attr-defined]
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}/"

    yield publish
    for server in servers:
        server.shutdown()
        server.server_close()
