"""`perudo club`: what it says where it cannot begin; a hub that really serves; a table that really joins."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.box.process import ServedProcess
from companion.cli import main
from companion.club.hub_program import announce
from companion.member.address import parse_broker_address
from companion.member.connection import Connection
from companion.member.membership import Membership, read_membership, write_membership
from companion.member.topics import hub_topic
from companion.page_address import PageAddress
from tests.companion.club.mosquitto import mosquitto
from tests.wait import wait_until

START_SECONDS = 60.0


def club(*arguments: object, **environ: str) -> Result:
    return CliRunner().invoke(main, ["club", *map(str, arguments)], env=environ)


def test_without_a_broker_it_says_how_to_get_one(tmp_path: Path) -> None:
    found = club("--state", tmp_path)
    assert found.exit_code == 2
    assert "sudo apt install mosquitto" in found.output
    assert "--broker mqtt://HOST" in found.output
    assert len(found.output.splitlines()) > 3, "each on a line of its own"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--embedded", "--broker", "mqtt://127.0.0.1"), "cannot use --broker too"),
        (("--broker", "http://127.0.0.1"), "A broker's address is mqtt://HOST"),
        (("--broker", "mqtt://127.0.0.1", "--title", "x" * 61), "at most 60 characters"),
        (("--broker", "mqtts://127.0.0.1", "--authority", "{tmp}/none.pem"), "No such file"),
        (("--broker", "mqtts://127.0.0.1", "--authority", sys.executable), "is no certificate"),
        (("--embedded", "--database", "postgresql+psycopg://hub:sec@ret@host:port/club"), "A database's URL is"),
        (("--embedded", "--database", "club.sqlite3"), "A database's URL is"),
        (("invite", "--database", "oracle9://hub:secret@host/club"), "A database's URL is"),
    ],
)
def test_options_that_cannot_be_used_are_a_sentence(tmp_path: Path, arguments: tuple[str, ...], says: str) -> None:
    found = club(*(each.format(tmp=tmp_path) for each in arguments), "--state", tmp_path / "club")
    assert found.exit_code == 2
    assert says in found.output
    assert "ret@host" not in found.output, "a password is not repeated"


def test_addresses_may_be_in_the_environment(tmp_path: Path) -> None:
    """Every user of a machine can read a command, and so a password in it."""
    found = club("--state", tmp_path, PERUDO_BROKER="http://broker")
    assert "A broker's address is mqtt://HOST" in found.output
    found = club("invite", "--state", tmp_path, PERUDO_DATABASE="books")
    assert "A database's URL is" in found.output


def test_options_win_over_the_environment(tmp_path: Path) -> None:
    """A broker's address is looked at before a database's."""
    found = club("--embedded", "--database", "books", "--state", tmp_path, PERUDO_BROKER="http://broker")
    assert "A database's URL is" in found.output


@pytest.mark.parametrize("arguments", [("--embedded",), ("invite",), ("home-assistant",)])
def test_without_the_extra_it_says_how_to_get_it(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = without(("paho", "sqlalchemy", "openskill"), *arguments, tmp_path=tmp_path)
    assert done.returncode == 2
    assert "pip install 'perudo-companion[club]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_else_is_missing_is_no_matter_of_the_extra(tmp_path: Path) -> None:
    done = without(("companion.club.hub.store",), "invite", tmp_path=tmp_path)
    assert "ModuleNotFoundError" in done.stderr
    assert "pip install" not in done.stderr


def without(modules: tuple[str, ...], *arguments: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """The command where these modules are not installed."""
    code = f"import sys; sys.modules.update(dict.fromkeys({modules})); from companion.cli import main; main()"
    command = [sys.executable, "-c", code, "club", *arguments]
    environ = {**os.environ, "STATE_DIRECTORY": str(tmp_path)}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environ)


def test_an_invitation_needs_a_hub(tmp_path: Path) -> None:
    found = club("invite", "--state", tmp_path)
    assert found.exit_code == 2
    assert "Start its hub first: perudo club" in found.output


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("nonsense", "An invitation is an address like"),
        ("http://127.0.0.1:9/join/12345678", "copy all of it"),
        (f"http://127.0.0.1:9/join/12345678#{'0' * 32}", "does not answer"),
    ],
)
def test_a_bad_invitation_is_a_sentence(tmp_path: Path, address: str, says: str) -> None:
    found = club("join", address, "--state", tmp_path)
    assert found.exit_code == 2
    assert says in found.output
    assert read_membership(tmp_path) is None


def test_leaving_says_what_was_left_and_twice_does_no_harm(tmp_path: Path) -> None:
    write_membership(tmp_path, Membership(club="c", title="Crown", table="t-1", name="W", broker="mqtt://127.0.0.1:9"))
    assert "has left Crown" in club("leave", "--state", tmp_path).output
    assert "is in no club" in club("leave", "--state", tmp_path).output
    (tmp_path / "club.json").write_text("{")
    assert club("leave", "--state", tmp_path).exit_code == 0
    assert not (tmp_path / "club.json").exists()


def test_a_table_in_no_club_imports_nothing_of_it() -> None:
    """Not even where the extra is installed: the start of a Pi is slow enough."""
    loaded = "[name for name in sys.modules if 'paho' in name or 'companion.club.' in name]"
    code = f"import companion.app, sys; print({loaded})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.programs("mosquitto")
def test_a_demo_that_has_joined_is_in_the_lobby(tmp_path: Path) -> None:
    with (
        mosquitto(tmp_path / "broker") as broker,
        ServedProcess(
            ("club", "--broker", str(broker), "--title", "Crown"),
            tmp_path / "hub",
            tmp_path / "hub.log",
            timeout=START_SECONDS,
        ) as hub,
    ):
        invitation = club("invite", "--state", tmp_path / "hub").output.strip()
        assert invitation.startswith(f"http://127.0.0.1:{hub.port}/join/")
        joined = club("join", invitation, "--state", tmp_path / "table", "--name", "Window")
        assert f"The table of {tmp_path / 'table'} is Window in Crown" in joined.output
        with ServedProcess(("demo",), tmp_path / "table", tmp_path / "table.log", timeout=START_SECONDS):
            wait_until(lambda: shown(hub.port), START_SECONDS)
        table = shown(hub.port)
        assert [each["colour"] for each in table["players"]] == ["red", "blue", "green", "yellow"]


@pytest.mark.programs("mosquitto")
def test_nobody_ends_the_hubs_connection_and_a_killed_hub_is_away(tmp_path: Path) -> None:
    """By its client id, which nobody knows; the broker knows the hub by it when it is started again."""
    online: list[bool] = []
    with mosquitto(tmp_path / "broker") as broker, contextlib.ExitStack() as stack:
        command, log = ("club", "--broker", str(broker)), tmp_path / "hub.log"
        with ServedProcess(command, tmp_path / "hub", log, timeout=START_SECONDS) as hub:
            name = ask(hub.port, "club")["club"]
            other = Connection(broker, client_id=f"hub-{name}")
            stack.callback(other.close)
            other.open(
                lambda _, payload: online.append(json.loads(payload)["online"]),
                lambda up: up and other.subscribe(hub_topic(name)),
            )
            wait_until(lambda: online == [True])
            assert ask(hub.port, "club")["connected"]
        wait_until(lambda: online == [True, False])
        with ServedProcess(command, tmp_path / "hub", log, timeout=START_SECONDS):
            wait_until(lambda: online == [True, False, True])
    logged = (tmp_path / "broker" / "mosquitto.log").read_text()
    ids = [each for each in re.findall(r"connected from \S+ as (\S+)", logged) if each != f"hub-{name}"]
    assert ids == [ids[0]] * 2
    assert re.fullmatch(r"hub-[0-9a-f]{16}", ids[0])
    assert name.removeprefix("club-") not in ids[0]


def ask(port: int, path: str) -> dict:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", f"/api/v1/{path}")
    found = json.loads(connection.getresponse().read())
    connection.close()
    return dict(found)


def test_the_address_comes_first_and_on_a_terminal_its_qr_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    here, elsewhere = PageAddress("127.0.0.1", 8100), PageAddress("192.168.1.5", 8100)
    announce(elsewhere, "4711")
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["http://192.168.1.5:8100/", "Code for running the tournaments: 4711"]
    assert len(lines) == 3, "a log is no place for a QR code"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    announce(here, "4711")
    assert "▀" not in capsys.readouterr().out, "no phone can open it"
    announce(elsewhere, "4711")
    printed = capsys.readouterr().out
    assert printed.startswith("http://192.168.1.5:8100/\n")
    assert "▀" in printed
    assert "or open http://192.168.1.5:8100/" in printed


def shown(port: int) -> dict | None:
    tables = ask(port, "tables")["tables"]
    return tables[0]["state"] if tables else None


@pytest.mark.programs("mosquitto")
def test_home_assistant_gets_a_password_on_the_hubs_own_broker_with_which_the_hub_ends(tmp_path: Path) -> None:
    """It may hear what tables say to it and press their buttons, and nothing else; a table's own is of no use to it."""
    command = ("club", "--embedded", "--broker-port", "0")
    with ServedProcess(command, tmp_path / "hub", tmp_path / "hub.log", timeout=START_SECONDS) as hub:
        made = club("home-assistant", "--state", tmp_path / "hub")
        assert made.exit_code == 0, made.output
        told = made.output
        values = dict(line.split(": ", 1) for line in told.splitlines()[:5])
        broker = parse_broker_address(f"mqtts://{values['Broker']}:{values['Port']}")
        broker = replace(broker, username=values["User name"], password=values["Password"])
        authority = Path(values["CA certificate"]).read_text()
        heard: list[str] = []
        up = threading.Event()
        home = Connection(broker, client_id="anything", authority=authority)
        home.open(lambda topic, _: heard.append(topic), lambda _: up.set())
        assert up.wait(START_SECONDS)
        for topic in ("homeassistant/#", "perudo/#", "#"):
            home.subscribe(topic)
        invitation = club("invite", "--state", tmp_path / "hub").output.strip()
        club("join", invitation, "--state", tmp_path / "table")
        (tmp_path / "perudo.toml").write_text("[club]\nhome_assistant = true\n")
        with ServedProcess(("demo", "--config", str(tmp_path / "perudo.toml")), tmp_path / "table",
                           tmp_path / "table.log", timeout=START_SECONDS):  # fmt: skip
            wait_until(lambda: any(topic.startswith("homeassistant/device/perudo-") for topic in heard), START_SECONDS)
        home.close()
        children = Path(f"/proc/{hub.process.pid}/task/{hub.process.pid}/children").read_text().split()
        os.kill(int(children[0]), signal.SIGKILL)
        assert hub.process.wait(START_SECONDS) == 2
    assert "mosquitto has ended (SIGKILL), and the hub with it." in (tmp_path / "hub.log").read_text()
    assert all(topic.startswith("homeassistant/") for topic in heard), "it may not hear everything"
