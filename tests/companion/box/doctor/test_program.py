"""Packages, libraries and networks: those of this machine, and broken ones."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from companion.box.doctor import Severity, program
from vision.models import integrity
from vision.reader import Reader


def test_a_package_of_another_program_is_named_with_its_path(monkeypatch: pytest.MonkeyPatch) -> None:
    home = Path("/opt/perudo")
    places = {"vision": home / "vision", "web": Path("/usr/lib/python3/dist-packages/web")}

    def spec(name: str) -> ModuleSpec | None:
        return ModuleSpec(name, None, origin=str(places[name] / "__init__.py")) if name in places else None

    monkeypatch.setattr(importlib.util, "find_spec", spec)
    vision, web, hardware = (program.package(name, home) for name in ("vision", "web", "hardware"))
    assert vision.severity is Severity.GOOD
    assert web.severity is hardware.severity is Severity.BAD
    assert "another package of this name, /usr/lib/python3/dist-packages/web" in web.sentence


def test_the_doctor_starts_where_a_library_is_broken() -> None:
    libraries = (*program.LIBRARIES, "click", "msgspec", "jeepney")
    code = f"import sys, companion.box.doctor.examination; print([n for n in {libraries} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_library_that_fails_on_import_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_library.py").write_text("raise ValueError('numpy.dtype size changed')")
    (tmp_path / "half_there.py").write_text("import not_there_at_all")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name, reason in (("broken_library", "numpy.dtype size changed"), ("half_there", "not_there_at_all")):
        check = program.library(name, name)
        assert check.severity is Severity.BAD
        assert "does not import" in check.sentence
        assert reason in check.sentence


def test_a_library_of_the_system_that_is_missing_is_named_as_the_demo_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = "libGL.so.1: cannot open shared object file: No such file or directory"
    (tmp_path / "opens_windows.py").write_text(f"raise ImportError({error!r})")
    monkeypatch.syspath_prepend(str(tmp_path))
    said = program.missing_library(ImportError(error))
    assert said is not None
    assert program.library("opens_windows", "x").sentence == f"It is installed, but does not import: {said}"


def test_every_library_must_be_installed_except_picamera2(monkeypatch: pytest.MonkeyPatch) -> None:
    assert program.library("numpy", "numpy").severity is Severity.GOOD
    missing = program.library("not_there_at_all", "not-there-at-all")
    assert (missing.severity, "It is not installed" in missing.sentence) == (Severity.BAD, True)
    monkeypatch.setitem(sys.modules, "picamera2", None)
    camera = program.library("picamera2", "picamera2")
    assert (camera.severity, "apt install python3-picamera2" in camera.sentence) == (Severity.ABSENT, True)


@pytest.mark.parametrize(
    ("code", "severity", "words"),
    [
        ("class Picamera2:\n    captured_request = None\n", Severity.GOOD, ""),
        ("class Picamera2:\n    capture_request = None\n", Severity.BAD, "0.3.21"),
        ("import libcamera_that_is_not_there", Severity.BAD, "does not import"),
    ],
    ids=["new enough", "too old", "it fails"],
)
def test_a_picamera2_that_is_too_old_or_fails_is_bad(
    code: str, severity: Severity, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "picamera2.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    found = program.library("picamera2", "picamera2")
    assert (found.severity, words in found.sentence) == (severity, True)


@pytest.mark.parametrize(
    ("code", "severity", "words"),
    [
        ("", Severity.GOOD, "import in one process"),
        ("raise ValueError('numpy.dtype size changed')", Severity.BAD, "numpy.dtype size changed"),
        ("import os; os.abort()", Severity.BAD, "exit status -6"),  # it took the interpreter with it
        ("import time; time.sleep(60)", Severity.BAD, "nothing came of it within 5 seconds"),
    ],
)
def test_a_numpy_too_new_for_picamera2_is_reported_with_the_cure(
    code: str, severity: Severity, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: object())
    monkeypatch.setattr(program, "IMPORT_TOGETHER", code)
    monkeypatch.setattr(program, "IMPORT_TIMEOUT", 5)
    (check,) = program.together()
    assert check.severity is severity
    assert words in check.sentence
    assert "Traceback" not in check.sentence
    assert ("remove .venv" in check.sentence) == (severity is Severity.BAD)


def test_without_picamera2_any_numpy_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert list(program.together()) == []


def test_a_damaged_network_is_named_even_when_it_still_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(integrity, "model_faults", lambda: {"detector.bin": "is not what was published"})
    (model,) = program.networks()
    assert model.severity is Severity.BAD
    assert "detector.bin is not what was published" in model.sentence
    reader = program.reader()
    assert (reader.severity, "reads an empty frame in" in reader.sentence) == (Severity.GOOD, True)


def test_a_reader_that_does_not_work_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> Reader:
        raise RuntimeError("no such layer")

    monkeypatch.setattr(Reader, "load", broken)
    check = program.reader()
    assert check.severity is Severity.BAD
    assert check.sentence == "The dice cannot be read: no such layer."


def test_the_networks_match_their_hashes() -> None:
    assert integrity.model_faults() == {}, "new weights? `python -m vision.models.integrity` writes their hashes"
    assert [check.severity for check in program.networks()] == [Severity.GOOD]


def test_a_network_that_changed_or_is_missing_is_named(tmp_path: Path) -> None:
    shutil.copytree(integrity.MODELS_FOLDER, tmp_path / "models")
    damaged = tmp_path / "models" / "detector.bin"
    content = bytearray(damaged.read_bytes())
    content[1000] ^= 1
    damaged.write_bytes(content)
    (tmp_path / "models" / "classifier.bin").unlink()
    faults = integrity.model_faults(tmp_path / "models")
    assert list(faults) == ["classifier.bin", "detector.bin"]
    assert faults["classifier.bin"] == "is missing"
    (tmp_path / "models" / integrity.HASH_FILE).write_text("{")
    assert list(integrity.model_faults(tmp_path / "models")) == [integrity.HASH_FILE]
