"""A configuration is on trial until the page has answered with it; the last one that did is the one to go back to."""

from __future__ import annotations

import contextlib
import socket
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion import app
from companion.app import Setup, StationError
from companion.box.last_configuration import keep_configuration, last_configuration
from companion.box.restart import Restart
from companion.cli import main
from companion.config import Config, parse
from companion.config.settings_file import SettingsFile
from hardware.virtual.virtual_camera import VirtualCamera
from hardware.virtual.virtual_panel import VirtualPanel
from tests.wait import wait_until

GOOD = '[access]\ncode = "0271"\n[web]\nhost = "127.0.0.1"\nport = 0\n'


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    keep_configuration(tmp_path, GOOD)
    return tmp_path


def setup_of(box: Path, text: str) -> Setup:
    file = box / "perudo.toml"
    file.write_text(text)
    return Setup(parse(text), box, lambda *_: VirtualCamera(None), lambda _: VirtualPanel(), settings=file)


def started_with(box: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> list[Setup]:
    """The setups that a start tries; each listens where its configuration says."""
    tried: list[Setup] = []

    def start(setup: Setup, _stack: contextlib.ExitStack, _restart: Restart) -> tuple[int, int]:
        tried.append(setup)
        app._listening(setup.config.web.host, setup.config.web.port).close()
        return 0, 0

    monkeypatch.setattr(app, "_run", start)
    assert app.run(setup_of(box, text)) == 0
    return tried


@pytest.mark.parametrize("host", ["192.0.2.9", "perudo.invalid", "::ffff:192.0.2.1", "no host", "a" * 64])
def test_an_address_that_this_machine_does_not_have_is_taken_back(
    box: Path, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = GOOD.replace("127.0.0.1", host) if host != "no host" else GOOD.replace("127.0.0.1", "256.1.1.1")
    first, second = started_with(box, text, monkeypatch)
    assert (first.taken_back, second.config) == ("", parse(GOOD))
    assert "cannot be served" in second.taken_back


def test_however_a_start_fails_the_configuration_is_taken_back(box: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(host: str, port: int) -> socket.socket:
        if host == "192.0.2.9":
            raise ZeroDivisionError
        return socket.create_server((host, port))

    monkeypatch.setattr(app, "_listening", fail)
    _, second = started_with(box, GOOD.replace("127.0.0.1", "192.0.2.9"), monkeypatch)
    assert second.config == parse(GOOD)


def test_a_port_that_is_taken_is_taken_back(box: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        _, second = started_with(box, GOOD.replace("port = 0", f"port = {taken.getsockname()[1]}"), monkeypatch)
    assert second.config == parse(GOOD)


def test_without_an_earlier_one_and_away_from_a_box_the_start_fails(box: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = GOOD.replace("127.0.0.1", "192.0.2.9")
    keep_configuration(box, bad)
    with pytest.raises(StationError, match="cannot be served"):
        started_with(box, bad, monkeypatch)
    keep_configuration(box, GOOD)
    monkeypatch.delenv("NOTIFY_SOCKET")
    with pytest.raises(StationError, match="cannot be served"):
        started_with(box, bad, monkeypatch)


def test_what_has_answered_is_kept_and_what_has_not_is_put_back(box: Path) -> None:
    put: list[Any] = []
    better = GOOD + "[table]\ncalza = false\n"
    setup = setup_of(box, better)
    settings = SettingsFile(box / "perudo.toml", parse, put.append)
    app._settle(setup, settings)
    assert last_configuration(box) == better
    by_hand = "# a note\n[web]\nhost = 'nowhere'\n"
    (box / "perudo.toml").write_text(by_hand)
    app._settle(app.replace(setup, config=Config(), taken_back="It fails."), settings)
    wait_until(lambda: put == [better])
    assert (box / "refused.toml").read_text() == by_hand, "what somebody wrote by hand is not lost"


def test_a_wrong_variable_is_no_mistake_of_the_configuration(box: Path) -> None:
    environment = {"PERUDO_WEB_PORT": "many", "PERUDO_CONFIG": str(box / "perudo.toml")}
    (box / "perudo.toml").write_text(GOOD)
    result = CliRunner().invoke(main, ["run", "--state", str(box)], env=environment)
    assert (result.exit_code, "PERUDO_WEB_PORT" in result.output) == (2, True)


def test_a_damaged_one_is_none(box: Path) -> None:
    (box / "answered.toml").write_bytes(b"\xf3")
    assert last_configuration(box) is None
