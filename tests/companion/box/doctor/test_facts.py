"""The facts as they are gathered here: files, ports and devices that the tests make themselves."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import socket
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from companion.box.doctor import examination, facts
from companion.box.doctor.diagnosis import Severity
from companion.box.service.plans import Receipt
from vision.models import integrity

ME = pwd.getpwuid(os.geteuid()).pw_name


@pytest.fixture(autouse=True)
def nobodys_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("PERUDO_CONFIG", raising=False)
    monkeypatch.setattr(facts, "RECEIPT_FILE", str(tmp_path / "not-installed"))


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that another program has."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening.getsockname()[1]


def test_a_port_that_is_taken_is_seen_with_who_has_it(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERUDO_WEB_PORT", str(taken))
    monkeypatch.setenv("PERUDO_WEB_HOST", "127.0.0.1")
    monkeypatch.setattr(facts, "page_answers", lambda _: False)
    found = facts.port()
    assert (found.number, found.ours) == (taken, False)
    assert found.refused
    assert f"(process {os.getpid()})" in found.holder


def test_the_port_that_the_service_was_installed_with_is_the_one_that_is_looked_at(
    taken: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    receipt = tmp_path / "installed.json"
    receipt.write_text(Receipt("perudo", True, (), (), taken).text())
    monkeypatch.setattr(facts, "RECEIPT_FILE", str(receipt))
    monkeypatch.setattr(facts, "page_answers", lambda number: number == taken)
    monkeypatch.setenv("PERUDO_CONFIG", str(tmp_path / "perudo.toml"))
    (tmp_path / "perudo.toml").write_text('[web]\nhost = "127.0.0.1"\nport = 0\n')
    found = facts.port()
    assert (found.number, found.ours) == (taken, True)


def test_a_configuration_that_was_named_and_is_not_there_is_a_mistake_as_it_is_for_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PERUDO_CONFIG", str(tmp_path / "perudo.toml"))
    (check,) = examination.configuration()
    assert check.severity is Severity.BAD
    assert "there is no such file" in check.sentence


def test_where_numpy_or_cv2_does_not_import_the_report_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("hardware.camera.camera_choice", "hardware.panel.panel"):
        monkeypatch.setitem(sys.modules, module, None)
    assert "No camera can be asked for" in facts.camera("pi").absent
    assert "The pins cannot be asked for" in facts.pins().refused


def test_a_library_that_hangs_when_it_is_imported_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: object())
    monkeypatch.setattr(facts, "IMPORT_TOGETHER", "import time; time.sleep(60)")
    monkeypatch.setattr(facts, "COMMAND_TIMEOUT", 0.2)
    assert facts.import_together() == (1, "nothing came of it within 0.2 seconds")


def test_a_page_of_ours_at_the_port_is_known_by_its_answer() -> None:
    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = b'{"ok": false, "reasons": ["no camera"], "phase": "seating"}'
            self.send_response(503)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - http.server's name
            """Nothing."""

    with HTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        assert facts.page_answers(server.server_port)
        server.shutdown()
        thread.join()


def test_nobody_at_the_port_is_not_ours() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        assert not facts.page_answers(free.getsockname()[1])


def test_devices_are_usable_by_mode_owner_and_group(tmp_path: Path) -> None:
    owner = "nobody" if os.geteuid() == 0 else ME  # root may use every device
    for name, mode in (("gpiochip0", 0o600), ("gpiochip1", 0o000), ("gpiochip4", 0o006)):
        (tmp_path / name).touch()
        shutil.chown(tmp_path / name, owner)
        (tmp_path / name).chmod(mode)
    found = {Path(node.path).name: node.usable for node in facts.device_nodes(("gpiochip*",), owner, tmp_path)}
    assert found == {"gpiochip0": True, "gpiochip1": False, "gpiochip4": True}


def test_a_user_without_the_group_may_not_use_a_device_and_everybody_may_use_an_open_one(tmp_path: Path) -> None:
    for name, mode in (("video0", 0o660), ("video1", 0o666)):
        (tmp_path / name).touch()
        (tmp_path / name).chmod(mode)
    found = facts.device_nodes(("video*",), "nobody", tmp_path)
    assert [node.usable for node in found] == [False, True]
    assert facts.device_nodes(("video*",), "no-such-user", tmp_path)[0].usable is False


def test_a_folder_that_is_not_there_yet_is_judged_by_the_one_above(tmp_path: Path) -> None:
    found = facts.disk(tmp_path / "state" / "perudo")
    assert not found.refused
    assert found.free > 0
    assert not (tmp_path / "state").exists()


def test_a_library_that_breaks_when_it_is_imported_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_library.py").write_text("raise ValueError('numpy.dtype size changed')")
    (tmp_path / "half_there.py").write_text("import not_there_at_all")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert facts.import_library("broken_library").error == "numpy.dtype size changed"
    assert "not_there_at_all" in facts.import_library("half_there").error
    assert facts.import_library("not_there_at_all").missing


def test_a_command_that_is_not_there_or_fails_answers_nothing() -> None:
    assert facts.command_output("no-such-command-here") is None
    assert facts.command_output("false") is None
    assert facts.command_output("echo", "yes") == "yes\n"


def test_the_networks_are_as_their_hashes_say() -> None:
    assert integrity.model_faults() == {}, "new weights? `python -m vision.models.integrity` writes their hashes"


def test_a_network_that_changed_or_is_missing_is_named(tmp_path: Path) -> None:
    shutil.copytree(integrity.MODELS_FOLDER, tmp_path / "models")
    damaged = tmp_path / "models" / "detector.onnx"
    content = bytearray(damaged.read_bytes())
    content[1000] ^= 1
    damaged.write_bytes(content)
    (tmp_path / "models" / "classifier.onnx").unlink()
    found = integrity.model_faults(tmp_path / "models")
    assert list(found) == ["classifier.onnx", "detector.onnx"]
    assert found["classifier.onnx"] == "is missing"
    (tmp_path / "models" / integrity.HASH_FILE).write_text("{")
    assert list(integrity.model_faults(tmp_path / "models")) == [integrity.HASH_FILE]
