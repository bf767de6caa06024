"""Which configuration the doctor reads, and which address of the page it looks at."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.box.doctor import Severity
from companion.box.doctor.configuration import configuration, web_config
from companion.box.service import Receipt


@pytest.fixture(autouse=True)
def empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("PERUDO_CONFIG", raising=False)
    monkeypatch.setattr("companion.box.service.RECEIPT_FILE", str(tmp_path / "not-installed"))


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The configuration named on the command line."""
    monkeypatch.setenv("PERUDO_CONFIG", str(tmp_path / "perudo.toml"))
    return tmp_path / "perudo.toml"


def test_the_doctor_looks_at_the_port_the_service_was_installed_with(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text('[web]\nhost = "127.0.0.1"\nport = 8001\n')
    assert (web_config().host, web_config().port) == ("127.0.0.1", 8001)
    receipt = tmp_path / "installed.json"
    receipt.write_text(Receipt("perudo", True, (), (), None).text())
    monkeypatch.setattr("companion.box.service.RECEIPT_FILE", str(receipt))
    assert (web_config().host, web_config().port) == ("127.0.0.1", 8001)
    receipt.write_text(Receipt("perudo", True, (), (), 80).text())
    assert (web_config().host, web_config().port) == ("127.0.0.1", 80)


def test_a_named_configuration_that_is_missing_is_a_mistake_as_in_perudo_run(file: Path) -> None:
    (check,) = configuration()
    assert check.severity is Severity.BAD
    assert "there is no such file" in check.sentence


def test_without_a_configuration_everything_has_its_default() -> None:
    (check,) = configuration()
    assert check.severity is Severity.GOOD
    assert "everything has its default" in check.sentence


def test_every_mistake_in_the_configuration_is_a_line(file: Path) -> None:
    file.write_text('[web]\nport = "x"\nhots = "127.0.0.1"\n')
    assert [check.severity for check in configuration()] == [Severity.BAD, Severity.BAD]
    file.write_text("[web]\nport = 8000\n")
    (check,) = configuration()
    assert check.sentence == f"The settings have no mistakes. {file}"


def test_an_unreadable_configuration_of_the_service_is_no_mistake(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text("")
    receipt = tmp_path / "installed.json"
    receipt.write_text(Receipt("perudo", True, (), ()).text())
    monkeypatch.setattr("companion.box.service.RECEIPT_FILE", str(receipt))
    monkeypatch.setattr(os, "access", lambda *_: False)
    (check,) = configuration()
    assert check.severity is Severity.ABSENT
    assert "sudo perudo doctor" in check.sentence
