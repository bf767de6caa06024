"""`perudo install-service`, as it is typed. Nothing is installed here."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.box import installation
from companion.box.installation import Installation, InstallError
from companion.box.service import CONFIG_FILE, RECEIPT_FILE, STATE, Machine, Receipt
from companion.cli import install_service, main
from tests.fakes.machine import IN_OPT, machine


def perudo(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["install-service", *arguments])


@pytest.fixture(autouse=True)
def box(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Machine:
    """A program in /opt that everybody may read, on a machine with a Pi's groups and Avahi."""
    here, system = machine(tmp_path, "avahi", "polkit-1", groups=("gpio", "i2c", "video"))
    monkeypatch.setattr(installation, "this_installation", lambda: IN_OPT)
    monkeypatch.setattr(installation, "check_installation", lambda _: None)
    monkeypatch.setattr(install_service, "Machine", lambda: here)
    monkeypatch.setattr(install_service, "carry_out", _never)
    system.fails = " "
    return here


def _never(*_: object) -> None:
    raise AssertionError("this machine was to be left alone")


def put_receipt(box: Machine, port: int | None = None) -> None:
    receipt = Receipt("perudo", True, ("video",), ("/etc/systemd/system/perudo.service",), port)
    box.at(RECEIPT_FILE).parent.mkdir()
    box.at(RECEIPT_FILE).write_text(receipt.text())


def test_the_dry_run_prints_everything_does_nothing_and_needs_no_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    result = perudo("--dry-run")
    assert result.exit_code == 0, result.output
    for words in (
        "useradd --system",
        "usermod --append --groups video,gpio,i2c perudo",
        f"ExecStart={IN_OPT.program} run",
        "    <port>8000</port>",
        "systemctl enable perudo.service",
        f"ln -sfn {IN_OPT.program} ",
        "org.freedesktop.login1.power-off",
        "# The configuration of perudo.",
    ):
        assert words in result.stdout


def test_another_port_is_in_the_unit_and_announced_on_the_network() -> None:
    out = perudo("--dry-run", "--port", "80").stdout
    assert "Environment=PERUDO_WEB_PORT=80\n" in out
    assert "<port>80</port>" in out
    assert "AmbientCapabilities=CAP_NET_BIND_SERVICE" in out


def test_the_port_of_https_may_be_a_low_one_too(box: Machine) -> None:
    box.at(CONFIG_FILE).parent.mkdir()
    box.at(CONFIG_FILE).write_text("[web]\nhttps_port = 443\n")
    assert "AmbientCapabilities=CAP_NET_BIND_SERVICE" in perudo("--dry-run").stdout
    box.at(CONFIG_FILE).write_text("[web]\nhttps_port = 4430\n")
    assert "CAP_NET_BIND_SERVICE" not in perudo("--dry-run").stdout


def test_the_port_of_the_first_installation_is_kept(box: Machine) -> None:
    put_receipt(box, 80)
    assert "<port>80</port>" in perudo("--dry-run").stdout
    assert "<port>8080</port>" in perudo("--dry-run", "--port", "8080").stdout


def test_without_root_it_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    result = perudo()
    assert result.exit_code == 2
    assert "only root may" in result.stderr
    assert "sudo /" in result.stderr
    assert "--dry-run" in result.stderr


def test_without_systemd_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    if Path("/run/systemd/system").is_dir():
        pytest.skip("there is one here")
    assert "no systemd runs here" in perudo().stderr


def test_in_an_unsuitable_place_it_names_a_suitable_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Installation:
        raise InstallError(f"it is not there. {installation.ELSEWHERE}")

    monkeypatch.setattr(installation, "this_installation", nowhere)
    result = perudo("--dry-run")
    assert result.exit_code == 2
    assert "/opt/perudo" in result.stderr


def test_without_avahi_it_says_that_nothing_announces_the_page(box: Machine) -> None:
    box.at("/etc/avahi").rmdir()
    result = perudo("--dry-run")
    assert "<port>" not in result.stdout
    assert "apt install avahi-daemon" in result.stderr


def test_what_would_be_removed_is_printed_too(box: Machine) -> None:
    put_receipt(box)
    plan = perudo("--remove", "--dry-run").stdout.replace(str(box.root), "")
    assert "rm -r /etc/systemd/system/perudo.service" in plan
    assert "userdel perudo" in plan
    assert "rm -r /var/lib/perudo" not in plan
    assert "rm -r /var/lib/perudo" in perudo("--remove", "--purge", "--dry-run").stdout.replace(str(box.root), "")


def test_what_an_earlier_removal_left_is_purged(box: Machine) -> None:
    box.at(STATE).mkdir(parents=True)
    plan = perudo("--remove", "--purge", "--dry-run")
    assert f"rm -r {box.at(STATE)}" in plan.stdout
    assert perudo("--remove", "--dry-run").exit_code == 2


def test_where_nothing_was_installed_nothing_is_removed() -> None:
    result = perudo("--remove", "--dry-run")
    assert result.exit_code == 2
    assert "nothing was installed here" in result.stderr
    assert perudo("--purge").exit_code == 2
