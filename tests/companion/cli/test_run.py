"""`perudo run` on a machine without any of the hardware, and `perudo doctor` on the same."""

from __future__ import annotations

import contextlib
import http.client
import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

from calibration.profile import Profile
from calibration.profiles import Profiles
from companion.camera.example_file import EXAMPLE_FILE, ExampleFile
from companion.camera.examples import DieExample
from companion.cli import main
from companion.config import Config, load
from companion.page_address import Interface, PageAddress, for_phones, interfaces
from companion.state_folder import state_folder
from companion.table.game.events import TableDie
from companion.table.game.judged_dice import Feedback
from tests.wait import wait_until
from vision.drawn.table_scene import SceneDie, TableScene, render_table
from vision.image_file import write_image
from vision.models.integrity import networks_id
from vision.reader import Reader

DICE = (
    *(SceneDie(-120 + 30 * n, -60, 0.4 * n, face, "red") for n, face in enumerate((4, 4, 2, 6, 5))),
    *(SceneDie(-120 + 30 * n, 60, 0.5 * n, face, "blue") for n, face in enumerate((4, 3, 3, 2, 6))),
)
COMPANY = [{"name": "Ana", "colour": "red"}, {"name": "Ben", "colour": "blue"}]

State = dict[str, Any]


@pytest.fixture
def run(tmp_path: Path, remote_phone: Callable[..., Any]) -> Iterator[Callable[..., Any]]:
    running: list[subprocess.Popen[str]] = []

    def started(*options: str) -> Any:
        command = [sys.executable, "-m", "companion.cli", "run", "--host", "127.0.0.1", "--port", "0", *options]
        environment = {**os.environ, "STATE_DIRECTORY": f"{tmp_path / 'state'}:/nowhere"}
        environment["XDG_CONFIG_HOME"] = str(tmp_path)  # not the configuration of the user who runs the tests
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        running.append(process)
        address, code = (process.stdout.readline().strip() for _ in range(2))
        return remote_phone(address, code.removeprefix("Table code: "))

    yield started
    for process in running:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        assert process.returncode == 0


def judged(phone: Any) -> State:
    return wait_until(lambda: state if (state := phone.state)["phase"] != "reading" else None)


def test_pictures_from_a_folder_are_read_and_judged(run: Callable[..., Any], tmp_path: Path) -> None:
    write_image(tmp_path / "table.png", render_table(TableScene(DICE)))
    phone = run("--camera", f"folder:{tmp_path}", "--no-panel")
    phone.post("game", {"players": COMPANY, "ruleset": "asmodee-fr", "starter": "Ana"})
    phone.post("bid", {"player": "Ana", "count": 3, "face": 4})
    phone.post("dudo", {})
    state = judged(phone)
    assert state["phase"] == "verdict", state["reading"]
    assert state["verdict"]["sentence"].startswith("3 fours and no pacos make 3. The bid was 3 fours: that is right.")
    assert (tmp_path / "state" / "journal.sqlite3").exists()
    phone.post("next")
    assert not (tmp_path / "state" / EXAMPLE_FILE).exists()
    assert not state["learn"]


def test_a_box_that_learns_keeps_judged_dice_and_asks_by_its_own_threshold(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = render_table(TableScene(DICE))
    write_image(tmp_path / "table.png", scene)
    (tmp_path / "perudo.toml").write_text("[camera]\nlearn = true\n")
    box = (10.0, 10.0, 40.0, 40.0)
    wrong = DieExample(
        word=Feedback.CORRECTED, face=5, colour="red", box=box, read=TableDie(0, 4, "red", box, 0.9, False), share=0.95
    )
    examples = ExampleFile(tmp_path / "state" / EXAMPLE_FILE)
    examples.keep([(wrong, b"")] * 200, networks_id())
    monkeypatch.setenv("WATCHDOG_USEC", "600000")  # it looks after the examples as often as after the watchdog
    phone = run("--camera", f"folder:{tmp_path}", "--no-panel", "--config", str(tmp_path / "perudo.toml"))
    phone.post("game", {"players": COMPANY, "ruleset": "asmodee-fr", "starter": "Ana"})
    assert phone.state["learn"]
    phone.post("bid", {"player": "Ana", "count": 3, "face": 4})
    phone.post("dudo", {})
    state = judged(phone)
    shipped = [die.confidence for die in Reader.load().read(scene).dice]
    assert min(die["confidence"] for die in state["reading"]["dice"]) < min(shipped) - 0.02
    for problem in state["reading"]["problems"]:
        for die in problem["dice"]:
            state = phone.post(f"dice/{die}", {"face": state["reading"]["dice"][die]["face"]})
    phone.post("next")
    wait_until(lambda: examples.summary().dice >= 210)


def test_without_camera_and_panel_it_says_so_and_the_game_goes_on(run: Callable[..., Any], tmp_path: Path) -> None:
    profiles = Profiles.of(tmp_path / "state")
    profiles.save(Profile("Home", "2026-05-01T18:30:00+02:00"))
    profiles.use("Home")
    (profiles.folder / "home.json").write_text("{", encoding="utf-8")
    phone = run("--camera", f"folder:{tmp_path / 'nothing'}")
    state = phone.state
    assert not state["camera"]["ok"]
    assert "count by hand" in state["camera"]["sentence"]
    assert not state["panel"]["present"]
    assert "from a phone" in state["panel"]["sentence"]
    phone.post("game", {"players": COMPANY, "ruleset": "asmodee-fr", "starter": "Ana"})
    phone.post("bid", {"player": "Ana", "count": 3, "face": 4})
    phone.post("dudo", {})
    state = phone.post("byhand", {"dice": {"Ana": [4, 4, 2, 6, 5], "Ben": [4, 3, 3, 2, 6]}})
    assert state["verdict"]["loses"] == "Ben"
    frozen = json.loads((Path(__file__).parents[3] / "docs/reference/openapi.json").read_text(encoding="utf-8"))
    served = json.loads(phone.get("api/v1/openapi.json"))
    assert served["paths"].keys() == frozen["paths"].keys(), "every box has every feature"
    assert served["components"]["schemas"].keys() == frozen["components"]["schemas"].keys()
    assert (profiles.folder / "home.damaged-1.json").read_text(encoding="utf-8") == "{", "set aside"


def test_the_camera_that_the_host_chooses_is_in_use_after_the_restart(run: Callable[..., Any], tmp_path: Path) -> None:
    config = tmp_path / "mine.toml"
    config.write_text(f'# mine\n[camera]\nsource = "folder:{tmp_path / "nothing"}"\n')
    phone = run("--no-panel", "--config", str(config))
    assert not phone.state["camera"]["ok"]
    assert phone.send("box/camera/try", {"source": "phone"})["camera"]["trial"]["step"] == "tried"
    phone.send("box/camera/keep", {})
    wait_until(lambda: now_or_none(phone, "camera", "phone"))
    assert config.read_text().startswith("# mine\n[camera]\n")
    assert load(config, {}).camera.source == "phone"


def now_or_none(phone: Any, part: str, key: str) -> Any:
    """The state's value; None while the program starts."""
    try:
        return phone.state[part][key]
    except OSError:
        return None


def test_the_page_is_on_ipv6_and_ipv4_goes_by_the_names_of_the_configuration_and_changes_no_option(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    config = tmp_path / "box.toml"
    config.write_text(names := '[web]\nnames = ["Perudo.example.org"]\n')
    everywhere = ("--host", Config().web.host)
    phone = run("--no-panel", "--camera", f"folder:{tmp_path}", "--config", str(config), *everywhere)
    url = urlsplit(phone.url)
    assert (url.hostname or "") not in ("", "::", "0.0.0.0")

    def status(address: str, host: str) -> int:
        with contextlib.closing(http.client.HTTPConnection(address, url.port, timeout=60)) as page:
            page.request("GET", "/api/v1/state", headers={"Host": host})
            return page.getresponse().status

    for address in ("127.0.0.1", "::1"):
        assert [status(address, host) for host in ("perudo.example.org", "example.org")] == [200, 403]
    for path, body in (("camera/try", {"source": "phone"}), ("buttons/learn", {})):
        with pytest.raises(urllib.error.HTTPError) as refused:
            phone.send(f"box/{path}", body)
        assert "overrides" in json.load(refused.value)["message"]
    assert config.read_text() == names


def test_systemd_is_told_of_ready_watchdog_and_stopping(tmp_path: Path) -> None:
    write_image(tmp_path / "table.png", render_table(TableScene(DICE)))
    environment = {**os.environ, "NOTIFY_SOCKET": str(tmp_path / "systemd"), "WATCHDOG_USEC": "3000000"}
    environment["XDG_CONFIG_HOME"] = str(tmp_path)
    command = [sys.executable, "-m", "companion.cli", "run", "--host", "127.0.0.1", "--port", "0", "--no-panel"]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(environment["NOTIFY_SOCKET"])
        systemd.settimeout(60)
        with subprocess.Popen(
            [*command, "--camera", f"folder:{tmp_path}", "--state", str(tmp_path / "state")],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
        ) as process:  # fmt: skip
            ready = systemd.recv(4096).decode()
            assert ready.startswith("READY=1\nSTATUS=http://127.0.0.1:")
            assert "pictures from" in ready
            with urllib.request.urlopen(ready.split("=")[2].split()[0]) as page:
                assert page.status == 200  # the page answers already
            assert systemd.recv(4096) == b"WATCHDOG=1"
            assert systemd.recv(4096) == b"WATCHDOG=1"
            process.send_signal(signal.SIGTERM)
            while (message := systemd.recv(4096)) == b"WATCHDOG=1":
                pass
            assert message == b"STOPPING=1"
            output, _ = process.communicate(timeout=60)
        assert process.returncode == 0
    assert "Table code: " in output
    assert len(output.splitlines()) == 2  # a log is no place for a QR code


def test_an_unknown_camera_is_refused_with_the_names_of_the_known_ones() -> None:
    result = CliRunner().invoke(main, ["run", "--camera", "kinect"])
    assert result.exit_code == 2
    assert "folder:PATH" in result.output


def test_the_help_shows_the_defaults_of_the_configuration() -> None:
    text = " ".join(CliRunner().invoke(main, ["run", "--help"]).stdout.split())
    config = Config()
    assert f"[default: {config.table.patience}; x>=0]" in text
    assert f"[default: {config.web.port}; 0<=x<=65535]" in text
    assert f"[default: {config.web.host}]" in text


def test_the_state_folder_is_systemds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/perudo:/var/lib/other")
    assert state_folder() == Path("/var/lib/perudo")
    monkeypatch.delenv("STATE_DIRECTORY")
    monkeypatch.setenv("XDG_STATE_HOME", "/home/ana/.state")
    assert state_folder() == Path("/home/ana/.state/perudo")


@pytest.mark.parametrize(
    ("host", "address"),
    [("127.0.0.1", "http://127.0.0.1:80/"), ("::1", "http://[::1]:80/"), ("box.local", "http://box.local:80/")],
)
def test_the_address_of_a_named_host(host: str, address: str) -> None:
    assert PageAddress(host, 80).urls[0] == address


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_the_address_for_phones_is_never_unspecified(host: str) -> None:
    assert not any(urlsplit(address).hostname == host for address in PageAddress(host, 80).urls)


def test_phones_get_the_addresses_of_the_home_network_and_no_others() -> None:
    up, loop, tunnel = 0x1, 0x8, 0x10
    addresses = [
        Interface("lo", "127.0.0.1", up | loop),
        Interface("wlan0", "192.168.1.5", up),
        Interface("eth0", "10.0.0.5", up),
        Interface("docker0", "172.17.0.1", up),
        Interface("wg0", "10.8.0.2", up | tunnel),
        Interface("eth1", "169.254.7.7", up),
        Interface("eth2", "10.9.9.9", 0),
    ]
    assert for_phones(addresses, "10.0.0.5") == ["10.0.0.5", "192.168.1.5"]
    assert for_phones(addresses, None) == ["192.168.1.5", "10.0.0.5"]
    assert for_phones([], None) == []
    full_tunnel = ["192.168.1.5", "10.0.0.5", "10.8.0.2"]
    assert for_phones(addresses, "10.8.0.2") == full_tunnel, "phones are not in the VPN"
    addresses[4] = Interface("ztabcdef", "10.8.0.2", up)  # ZeroTier's, like a cable
    assert for_phones(addresses, "10.8.0.2") == full_tunnel
    assert for_phones(addresses[4:5], "10.8.0.2") == ["10.8.0.2"], "better than none"


def test_of_ipv6_phones_get_addresses_that_last_where_there_are_no_others() -> None:
    up = 0x1
    ipv6 = [Interface("wlan0", "fe80::1", up), Interface("wlan0", "fd00::5", up), Interface("lo", "::1", up | 0x8)]
    assert for_phones(ipv6, None) == ["fd00::5"]
    assert for_phones([*ipv6, Interface("eth0", "10.0.0.5", up)], None) == ["10.0.0.5"]
    assert for_phones([*ipv6, Interface("wg0", "10.8.0.2", up | 0x10)], "10.8.0.2") == ["fd00::5", "10.8.0.2"]


def test_addresses_of_ipv6_are_in_brackets_and_only_where_the_page_is_on_ipv6(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = socket.if_nameindex()[0][1]
    listed = tmp_path / "if_inet6"
    listed.write_text(
        f"fd000000000000000000000000000005 01 40 00 80 {name}\n"
        f"fd000000000000000000000000000006 01 40 00 01 {name}\n"  # temporary
        "fd000000000000000000000000000007 02 40 00 80 gone0\n"
    )
    monkeypatch.setattr("companion.page_address.IPV6_ADDRESSES", listed)
    found = [each for each in interfaces() if ":" in each.address]
    assert [(each.name, each.address) for each in found] == [(name, "fd00::5")]
    flagged = [each._replace(flags=0x1) for each in found]
    monkeypatch.setattr("companion.page_address.interfaces", lambda: flagged)
    monkeypatch.setattr("companion.page_address.lan_address", lambda: None)
    assert PageAddress("::", 80).urls[0] == "http://[fd00::5]:80/"
    assert PageAddress("0.0.0.0", 80).urls[0] == "http://127.0.0.1:80/"


def test_the_name_of_the_machine_is_shown_beside_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.page_address.avahi_name", lambda: "box")
    assert PageAddress("192.168.1.5", 80).urls == ["http://192.168.1.5:80/", "http://box.local:80/"]
    assert PageAddress("127.0.0.1", 80).urls == ["http://127.0.0.1:80/"]  # no phone can reach it by any name


def test_a_phone_is_sent_only_to_an_address_that_it_can_reach(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("companion.page_address.avahi_name", lambda: "box")
    PageAddress("192.168.1.5", 80).announce("1234", "secret")
    printed = capsys.readouterr().out
    assert "same Wi-Fi" in printed
    assert printed.endswith("Open this on this computer (it asks for no code):\nhttp://192.168.1.5:80/#join=secret\n")
    assert "open http://192.168.1.5:80/ or http://box.local:80/ there and type the table code." in printed
    PageAddress("::1", 80).announce("1234", "secret")
    printed = capsys.readouterr().out
    assert "same Wi-Fi" not in printed
    assert printed.endswith("the only one that reaches it (it asks for no code):\nhttp://[::1]:80/#join=secret\n")


def test_the_doctor_reports_every_part(tmp_path: Path) -> None:
    environment = {"XDG_CONFIG_HOME": str(tmp_path), "PERUDO_WEB_PORT": "0"}
    result = CliRunner().invoke(main, ["doctor", "--state", str(tmp_path)], env=environment)
    assert result.exit_code == 0, result.output
    severities = {line.split()[1]: line.split()[0] for line in result.output.splitlines()}
    assert {severities[part] for part in ("Python", "companion", "web", "numpy", "cv2", "model", "reader", "disk")} == {
        "ok"
    }
    assert set(severities.values()) <= {"ok", "--", "!!"}


def test_the_doctor_finds_a_package_of_another_program(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec

    def elsewhere(name: str, package: str | None = None) -> ModuleSpec | None:
        if name == "web":
            return ModuleSpec("web", None, origin="/usr/lib/python3/dist-packages/web/__init__.py")
        return find(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", elsewhere)
    result = CliRunner().invoke(main, ["doctor"])
    assert result.exit_code == 1
    assert "Python finds another package of this name, /usr/lib/python3/dist-packages/web" in result.output


HANGING_BOX = """
import sys
from companion.camera import hang_restart
from companion.cli import main
from hardware.camera import camera_choice
from tests.fakes.hanging_camera import HangingCamera
hang_restart.HANG_PATIENCE = 0.0
camera_choice.choose_camera = lambda *_: HangingCamera()
main(["run", "--host", "127.0.0.1", "--port", "0", "--no-panel"])
"""
"""`perudo run` with a fake camera whose driver never returns."""


def test_a_camera_that_hangs_ends_the_program_once_and_then_the_page_says_to_switch_the_box_off(
    tmp_path: Path, remote_phone: Callable[..., Any]
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        environment = {
            **os.environ,
            "STATE_DIRECTORY": str(tmp_path / "state"),
            "XDG_CONFIG_HOME": str(tmp_path),
            "NOTIFY_SOCKET": str(tmp_path / "notify"),
            "WATCHDOG_USEC": "900000",
        }

        def start() -> tuple[subprocess.Popen[str], Any]:
            process = subprocess.Popen(
                [sys.executable, "-c", HANGING_BOX], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                env=environment,
            )  # fmt: skip
            address, code = (process.stdout.readline().strip() for _ in range(2))
            return process, remote_phone(address, code.removeprefix("Table code: "))

        process, phone = start()
        phone.post("game", {"players": COMPANY, "ruleset": "asmodee-fr", "starter": "Ana"})
        _, errors = process.communicate(timeout=60)
        assert process.returncode == os.EX_TEMPFAIL, errors
        process, phone = start()
        try:
            wait_until(lambda: "Switch the box off and on again" in phone.state["camera"]["sentence"])
            phone.post("bid", {"player": "Ana", "count": 3, "face": 4})  # the game was kept
            phone.post("dudo", {})
            assert (
                phone.post("byhand", {"dice": {"Ana": [4, 4, 2, 6, 5], "Ben": [4, 3, 3, 2, 6]}})["phase"] == "verdict"
            )
            assert process.poll() is None
        finally:
            process.kill()
            process.communicate(timeout=60)


def test_the_host_starts_the_program_anew_under_systemd(tmp_path: Path, remote_phone: Callable[..., Any]) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        environment = {
            **os.environ,
            "STATE_DIRECTORY": str(tmp_path / "state"),
            "XDG_CONFIG_HOME": str(tmp_path),
            "NOTIFY_SOCKET": str(tmp_path / "notify"),
        }
        command = [sys.executable, "-m", "companion.cli", "run", "--host", "127.0.0.1", "--port", "0", "--no-panel"]
        process = subprocess.Popen(
            [*command, "--camera", f"folder:{tmp_path}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=environment,
        )  # fmt: skip
        try:
            address, code = (process.stdout.readline().strip() for _ in range(2))
            phone = remote_phone(address, code.removeprefix("Table code: "))
            well = json.loads(phone.get("api/v1/box/health"))
            assert {"disk", "journal", "camera"} <= {each["part"] for each in well["findings"]}
            lines = json.loads(phone.get("api/v1/box/log"))["lines"]
            assert any("no panel with buttons" in line for line in lines)
            assert phone.send("box/restart", {})["playing"] is False
            _, errors = process.communicate(timeout=60)
            assert process.returncode == os.EX_TEMPFAIL, errors
        finally:
            process.kill()
