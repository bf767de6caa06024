"""`perudo install-service`, as it is typed. Nothing is installed here."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.box.service import install_steps, installation, plans
from companion.box.service.installation import Installation, InstallError
from companion.cli import install_service, main

PROGRAM = Path("/opt/perudo/.venv/bin/perudo")


def perudo(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["install-service", *arguments])


@pytest.fixture(autouse=True)
def a_box_in_opt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A program in /opt that everybody may read, on a machine with a Pi's groups and Avahi."""
    monkeypatch.setattr(installation, "this_installation", lambda: Installation(PROGRAM, (Path("/opt/perudo"),), ()))
    monkeypatch.setattr(plans, "RECEIPT_FILE", str(tmp_path / "installed.json"))
    monkeypatch.setattr(plans, "AVAHI_FILE", str(tmp_path / "avahi" / "perudo.service"))
    monkeypatch.setattr(plans, "POLKIT_FILE", str(tmp_path / "polkit" / "perudo.rules"))
    monkeypatch.setattr(plans, "COMMAND_FILE", str(tmp_path / "bin" / "perudo"))
    for folder in ("avahi", "polkit", "bin"):
        (tmp_path / folder).mkdir()
    monkeypatch.setattr(install_steps.Machine, "groups", lambda _: {name: [] for name in ("gpio", "i2c", "video")})
    for what in ("write", "link", "remove", "run"):
        monkeypatch.setattr(install_steps.Machine, what, _never)


def _never(*_: object) -> None:
    raise AssertionError("this machine was to be left alone")


def test_the_dry_run_prints_everything_does_nothing_and_needs_no_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    result = perudo("--dry-run")
    assert result.exit_code == 0, result.output
    for words in (
        "useradd --system",
        "usermod --append --groups video,gpio,i2c perudo",
        f"ExecStart={PROGRAM} run",
        "    <port>8000</port>",
        "systemctl enable perudo.service",
        "Undo: userdel perudo",
        f"ln -sfn {PROGRAM} ",
        "org.freedesktop.login1.power-off",
        "# The configuration of perudo.",
    ):
        assert words in result.stdout


def test_another_port_is_in_the_unit_and_announced_on_the_network() -> None:
    out = perudo("--dry-run", "--port", "80").stdout
    assert "Environment=PERUDO_WEB_PORT=80\n" in out
    assert "<port>80</port>" in out
    assert "AmbientCapabilities=CAP_NET_BIND_SERVICE" in out


def test_the_port_of_https_may_be_a_low_one_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "perudo.toml"
    monkeypatch.setattr(install_service, "CONFIG_FILE", str(config))
    config.write_text("[web]\nhttps_port = 443\n")
    assert "AmbientCapabilities=CAP_NET_BIND_SERVICE" in perudo("--dry-run").stdout
    config.write_text("[web]\nhttps_port = 4430\n")
    assert "CAP_NET_BIND_SERVICE" not in perudo("--dry-run").stdout


def test_the_port_of_the_first_installation_is_kept(tmp_path: Path) -> None:
    receipt = plans.Receipt("perudo", True, ("video",), ("/etc/systemd/system/perudo.service",), 80)
    (tmp_path / "installed.json").write_text(receipt.text())
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


def test_without_avahi_it_says_that_nothing_announces_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "AVAHI_FILE", "/no/such/folder/perudo.service")
    result = perudo("--dry-run")
    assert "<port>" not in result.stdout
    assert "apt install avahi-daemon" in result.stderr


def test_what_would_be_removed_is_printed_too(tmp_path: Path) -> None:
    receipt = plans.Receipt("perudo", True, ("video",), ("/etc/systemd/system/perudo.service",))
    (tmp_path / "installed.json").write_text(receipt.text())
    plan = perudo("--remove", "--dry-run").stdout
    assert "rm -r /etc/systemd/system/perudo.service" in plan
    assert "userdel perudo" in plan
    assert "rm -r /var/lib/perudo" not in plan
    assert "rm -r /var/lib/perudo" in perudo("--remove", "--purge", "--dry-run").stdout


def test_what_an_earlier_removal_left_is_purged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "SERVICE_STATE", str(tmp_path))
    plan = perudo("--remove", "--purge", "--dry-run")
    assert f"rm -r {tmp_path}" in plan.stdout
    assert perudo("--remove", "--dry-run").exit_code == 2


def test_where_nothing_was_installed_nothing_is_removed() -> None:
    result = perudo("--remove", "--dry-run")
    assert result.exit_code == 2
    assert "nothing was installed here" in result.stderr
    assert perudo("--purge").exit_code == 2
