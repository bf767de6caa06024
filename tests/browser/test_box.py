"""The page of the box in every language: nothing too wide, too small, or hard to read; and what the host does there."""

from __future__ import annotations

import logging
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from evdev import ecodes
from flask import Flask
from msgspec.structs import replace
from selenium import webdriver

from companion.box.doctor import machine
from companion.box.release.versions import Versions
from companion.box.restart import Restart
from companion.camera.supervised_camera import SupervisedCamera
from companion.config import load
from companion.config.settings_file import SettingsFile
from companion.features.camera.service import CameraSetup
from companion.features.health.recent_log import RecentLog
from companion.features.health.service import Maintenance
from companion.features.updates.service import Updates
from companion.features.wifi.own_network import OwnNetwork
from companion.features.wifi.service import Wifi
from companion.messages.message import Message
from companion.messages.shown_address import shown_address
from companion.table.game import sentences
from companion.table.state.state import CameraStatus
from hardware.camera.protocol import CameraError
from hardware.panel import usb_panel
from tests.browser import chromium
from tests.browser.box_page import BoxPage
from tests.browser.every_language import LANGUAGES
from tests.fakes.button_box import NEW, OLD, ButtonBox
from tests.fakes.club_desk import FakeClubDesk
from tests.fakes.networks import FakeNetworks
from tests.fakes.parts import box_parts
from tests.fakes.releases import key, publish, put, release, signers, versions
from tests.fakes.root import FakeRoot
from tests.fakes.states import STATES
from tests.fakes.table import FakeCamera, FakeTable
from tests.wait import wait_until
from web.access.access import Access
from web.app import create_app
from web.stream.server import Server

__all__ = ["key", "publish", "put", "release", "signers", "versions"]

pytestmark = [pytest.mark.browser, pytest.mark.programs("ssh-keygen")]

SIZES = ((360, 640), (820, 1180))
SHEETS = ("log", "restart", "othercamera", "ownwifi", "otherwifi", "leaveclub", "goback")
"""The class of the button that opens each sheet."""
SEEN = "const seen = document.querySelector('.sheet .seen'); return Boolean(seen) && seen.naturalWidth > 0"


def no_pictures(address: str) -> Message:
    return Message(
        "No pictures come from {address}. Is the camera, or its app, on and in this Wi-Fi? "
        "Try the address in a browser.",
        address=address,
    )


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(STATES["seating"])


@pytest.fixture
def recent() -> RecentLog:
    """The log of a box whose camera was unplugged for a moment."""
    recent = RecentLog()
    for level, name, text in (
        (logging.INFO, "hardware.camera.camera_choice", "no camera at pi: picamera2 is not installed"),
        (logging.WARNING, "companion.camera.supervised_camera", "camera: No answer. Trying again in {n} s."),
        (logging.INFO, "companion.table.table", "the panel was refused: It is Ana's turn."),
    ):
        for n in range(12):
            recent.handle(logging.LogRecord(name, level, "", 0, text.format(n=n), None, None))
    return recent


class Machine:
    """The machine under the box."""

    def __init__(self) -> None:
        self.throttled = "throttled=0x0"

    def answer(self, *command: str) -> str | None:
        return self.throttled if command[0] == "vcgencmd" else None


@pytest.fixture
def under(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A Raspberry Pi with room on its memory card, and no configuration."""
    under = Machine()
    monkeypatch.setattr(machine, "command_output", under.answer)
    monkeypatch.setattr(machine, "NEARLY_FULL", 0)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    return under


@pytest.fixture
def restart() -> Restart:
    return Restart()


@pytest.fixture
def maintenance(
    table: FakeTable, recent: RecentLog, restart: Restart, under: Machine, tmp_path: Path
) -> Iterator[Maintenance]:
    def plugged() -> FakeCamera:
        return FakeCamera()

    def tell(status: CameraStatus) -> None:
        table.show(replace(table.state(), camera=status))

    camera = SupervisedCamera(plugged, time.monotonic, tell)
    yield Maintenance(tmp_path, table.state, recent, restart, camera)
    camera.close()


@pytest.fixture
def networks() -> FakeNetworks:
    return FakeNetworks()


@pytest.fixture
def wifi(networks: FakeNetworks) -> Wifi:
    """A box that knows the house's network, and is on it."""
    networks.saved = {"Home"}
    networks.around |= {"Chez les voisins du troisième": "x"}
    wifi = Wifi(networks, OwnNetwork("Perudo-1A2B", "kmnpqrst23"), in_use=lambda: True)
    wifi.step()
    return wifi


@pytest.fixture
def club() -> FakeClubDesk:
    return FakeClubDesk()


@pytest.fixture
def updates(versions: Versions, put: Callable[[str], str], publish: Callable[..., str], signers: Path) -> Updates:
    """A box for which there is a newer version, and which has gone back from one that did not start."""
    for name in ("one", "bad"):
        versions.use(put(name))
    versions.use("one")
    (versions.place / "trial").rename(versions.place / "failed")
    address = publish("two", made="2026-12-24T03:00:00+00:00")
    return Updates(address, FakeRoot(), versions, Path(), signers, spawn=lambda _: None)


def let_everything_fail(table: FakeTable, under: Machine, tmp_path: Path) -> None:
    """A loose cable, a telephone charger and a journal that cannot be read."""
    reason = sentences.camera_failed(sentences.CAMERA_HANGS)
    table.show(replace(table.state(), camera=CameraStatus(ok=False, name="", sentence=reason)))
    under.throttled = "throttled=0x50005"
    (tmp_path / "journal.sqlite3").write_bytes(b"no journal at all " * 1000)


@pytest.fixture
def buttons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ButtonBox]:
    """A box with a button for DUDO, and another one plugged in."""
    monkeypatch.setattr(usb_panel, "LOOK_EVERY", 0.01)
    (tmp_path / "buttons").mkdir()
    with closing(ButtonBox(tmp_path / "buttons")) as buttons:
        buttons.open()
        yield buttons


@pytest.fixture
def cameras(tmp_path: Path, restart: Restart) -> CameraSetup:
    """A box with two cameras, and an address at which nothing answers."""

    def open_camera(source: str) -> FakeCamera:
        if "://" in source:
            raise CameraError(no_pictures(shown_address(source)))
        return FakeCamera()

    found = {"pi": "", "webcam:/dev/v4l/by-id/usb-046d_HD_Pro_Webcam_C920-video-index0": "HD Pro Webcam C920"}
    return CameraSetup(None, open_camera, SettingsFile(tmp_path / "camera.toml"), restart, found=lambda: found)


@pytest.fixture
def box(
    table: FakeTable,
    maintenance: Maintenance,
    cameras: CameraSetup,
    buttons: ButtonBox,
    wifi: Wifi,
    updates: Updates,
    club: FakeClubDesk,
    serve: Callable[[Flask], Server],
    open_browser: Callable[..., webdriver.Chrome],
) -> Iterator[BoxPage]:
    app = create_app(
        box_parts(
            table,
            access=Access(code="1234"),
            maintenance=maintenance,
            camera_setup=cameras,
            buttons=buttons.panel,
            wifi=wifi,
            updates=updates,
            club=club,
        )
    )
    with serve(app) as server:
        page = BoxPage(open_browser(), server.url)
        yield page
        assert page.complaints() == []


def test_the_page_of_the_box_fits_a_phone_in_every_language(
    box: BoxPage,
    axe: Callable[..., list[str]],
    table: FakeTable,
    club: FakeClubDesk,
    under: Machine,
    tmp_path: Path,
) -> None:
    faults: list[str] = []

    def look(name: str, language: str) -> None:
        for size in SIZES:
            chromium.resize(box.driver, size)
            box.picture(f"box {name} {language} {size[0]}")
            found = box.misfits()
            found += axe(box.driver) if language in ("nl", "it") and size == SIZES[0] else []
            faults.extend(f"{name} {language} {size[0]}: {fault}" for fault in found)

    def unfold() -> str:
        text = box.text
        box.tap(".health summary")
        box.wait(lambda: box.all(".health details[open]"), "the details")
        return text

    box.open(joins=True)
    texts = set()
    for language in LANGUAGES:
        box.wear(theme(language))
        box.open(language)
        texts.add(unfold())
        look("well", language)
    assert len(texts) == len(LANGUAGES)

    let_everything_fail(table, under, tmp_path)
    club.join("http://192.168.1.5/join/1a2b3c4d", "Window")
    club.set_names(("Ana", "Dorothea-Valentina"))
    box.open()
    unfold()
    for sheet in ("", *SHEETS):
        if sheet:
            box.open_sheet(sheet)
        texts = set()
        for language in LANGUAGES:
            box.wear(theme(language))
            box.now_in(language)
            texts.add(box.texts(".sheet" if sheet else "main")[0])
            look(sheet or "failing", language)
        assert len(texts) == len(LANGUAGES), sheet
        if sheet:
            box.tap(".sheet > header .icon")
    assert faults == []


def theme(language: str) -> str:
    return "light" if language in ("fr", "it") else "dark"


def test_a_stranger_is_told_to_join_and_the_host_is_not(box: BoxPage) -> None:
    box.open()
    assert "Join with the table" in box.text
    box.open(joins=True)
    box.wait(lambda: "Join with the table" not in box.text, "being the host")
    assert "Only the host" not in box.text


def test_the_host_reads_the_log_from_its_end_and_a_guest_is_not_offered_it(box: BoxPage) -> None:
    box.open(joins=True)
    box.open_sheet("log")
    said = box.all("pre.log")[0].get_attribute("textContent")
    assert said.count("\n") == 36
    assert said.rstrip().endswith("the panel was refused: It is Ana's turn.")
    top, inside, whole = box.driver.execute_script(
        "const e = document.querySelector('pre.log'); return [e.scrollTop, e.clientHeight, e.scrollHeight];"
    )
    assert whole > inside, "it scrolls"
    assert top + inside >= whole - 2, "the newest line is in sight"
    box.driver.execute_script("localStorage.clear()")
    box.driver.delete_all_cookies()
    box.open()
    assert box.all("button.log") == []


def test_the_log_is_saved_as_a_text_file(box: BoxPage, tmp_path: Path) -> None:
    box.open(joins=True)
    box.open_sheet("log")
    box.driver.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path), "eventsEnabled": False}
    )
    box.tap(".sheet .go")
    box.wait(lambda: list(tmp_path.glob("perudo-*.txt")), "the file")
    (file,) = tmp_path.glob("perudo-*.txt")
    assert file.read_text().count("camera: No answer.") == 12


def test_a_box_that_is_well_says_so_and_what_was_looked_at(box: BoxPage) -> None:
    box.open(joins=True)
    assert "Everything is well." in box.text
    assert box.all(".findings li") == []
    assert "The clock says" not in box.text, "details are folded"
    box.tap(".health summary")
    box.wait(lambda: "The clock says" in box.text, "the details")
    assert "GB are free on the memory card" in box.text


def test_what_is_not_well_stands_first_and_the_box_mends_what_it_can(
    box: BoxPage, table: FakeTable, under: Machine, tmp_path: Path, restart: Restart
) -> None:
    let_everything_fail(table, under, tmp_path)
    box.open(joins=True)
    assert "Everything is well." not in box.text
    parts = box.texts(".findings h3")
    assert parts == ["Camera", "Saved games", "Power and heat"], "what does not work stands first"
    box.tap(".findings li:first-child .mend")
    box.wait(lambda: box.texts(".findings h3") == parts[1:], "the camera that is there again")
    box.tap(".findings li:first-child .mend")
    box.wait(lambda: "kept under another name" in box.text, "the question")
    assert not restart.due
    box.tap(".sheet .go")
    box.wait(lambda: restart.due, "the start")
    box.wait(lambda: "Restarting." in box.text, "the answer")
    (tmp_path / "journal.sqlite3").unlink()
    box.wait(lambda: box.texts(".findings h3") == parts[2:], "the saved games that are well again")


def test_during_a_game_the_program_is_not_started_again(box: BoxPage, table: FakeTable, restart: Restart) -> None:
    table.show(STATES["bidding"])
    box.open(joins=True)
    box.open_sheet("restart")
    box.tap(".sheet .go")
    box.wait(lambda: "A game is going on" in box.text, "the refusal")
    assert not restart.due
    (refusal,) = box.complaints()
    assert "409" in refusal


def test_the_host_learns_the_buttons_from_presses(box: BoxPage, buttons: ButtonBox) -> None:
    box.open(joins=True)
    assert box.texts(".places dd") == [f"KEY_ENTER on {OLD}"]
    box.tap("button.learn")
    box.wait(lambda: box.texts(".heard .latest") == ["Press the button, pedal or key for DUDO."], "DUDO")
    assert box.all(".places") == []
    buttons.tap(buttons.new, ecodes.KEY_B)
    box.wait(lambda: box.texts(".heard .latest") == ["Press DUDO once more."], "the second push")
    buttons.tap(buttons.new, ecodes.KEY_B)
    box.wait(lambda: box.texts(".heard .latest") == ["Press the button, pedal or key for CALZA."], "CALZA")
    buttons.tap(buttons.old)
    box.wait(lambda: box.texts(".heard .latest") == ["Press CALZA once more."], "the second push")
    buttons.tap(buttons.old)
    box.wait(lambda: box.texts(".places dd") == [f"KEY_B on {NEW}", f"KEY_ENTER on {OLD}"], "the new buttons")
    assert box.texts(".heard li")[-1] == "They work now: try them."
    assert load(buttons.file, {}).panel.input == "usb"
    buttons.inputs.pull(1)
    box.wait(lambda: box.texts(".places .gone") == ["not plugged in"], "the button that was pulled out")


def test_learning_can_be_stopped(box: BoxPage, buttons: ButtonBox) -> None:
    box.open(joins=True)
    box.tap("button.learn")
    box.wait(lambda: "key for DUDO" in box.text, "DUDO")
    box.tap("button.stop")
    box.wait(lambda: "Nothing was changed." in box.text, "the end")
    assert box.texts(".places dd") == [f"KEY_ENTER on {OLD}"]
    assert not buttons.file.exists()


def test_the_host_tries_cameras_and_keeps_the_one_that_sees_the_table(
    box: BoxPage, cameras: CameraSetup, restart: Restart, tmp_path: Path
) -> None:
    box.open(joins=True)
    assert "The first that answers" in box.texts(".card.camera")[0]
    box.open_sheet("othercamera")
    assert box.texts(".sheet .network bdi")[1:] == ["HD Pro Webcam C920", "A player’s phone, after dudo or calza"]  # noqa: RUF001
    box.write(".sheet input", "ana:s3cret@192.168.1.20:8080/video")
    box.tap("button.tryaddress")
    box.wait(lambda: box.texts(".sheet .problem") == [no_pictures("http://192.168.1.20")], "the failure")
    box.tap("button.another")
    box.tap(".sheet [data-source^=webcam]")
    box.wait(lambda: box.driver.execute_script(SEEN), "the picture")
    assert not restart.due
    box.tap("button.keepcamera")
    box.wait(lambda: restart.due, "the start")
    box.wait(lambda: "Restarting." in box.text, "the answer")
    source = load(tmp_path / "camera.toml", {}).camera.source
    assert source == cameras.state().found[1].source


def test_a_guest_chooses_neither_camera_nor_buttons(box: BoxPage) -> None:
    box.open()
    assert len(box.all(".card.camera, .card.buttons")) == 2
    assert box.all(".card.camera button, .card.buttons button") == []


def test_during_a_game_neither_is_chosen(box: BoxPage, table: FakeTable) -> None:
    table.show(STATES["bidding"])
    box.open(joins=True)
    for name in ("othercamera", "learn"):
        assert box.one(f"button.{name}").get_attribute("disabled")


def test_the_report_is_saved_as_a_zip(box: BoxPage, tmp_path: Path) -> None:
    box.open(joins=True)
    saved = tmp_path / "saved"
    box.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(saved)})
    box.tap("button.report")
    box.wait(lambda: list(saved.glob("*.zip")), "the report")
    with zipfile.ZipFile(next(saved.glob("*.zip"))) as report:
        assert "doctor.txt" in report.namelist()


def test_a_guest_is_not_told_how_the_box_is(box: BoxPage) -> None:
    box.open()
    assert box.all("section.health") == []


def test_the_host_updates_the_box_in_one_tap_and_reads_what_is_new(box: BoxPage, table: FakeTable) -> None:
    box.open(joins=True)
    box.wait(lambda: "New version: " in box.text, "the look")
    assert "the previous version is back" in box.text, "of the one that failed"
    box.tap(".update summary")
    box.wait(lambda: "What is new." in box.text, "the notes")
    box.tap(".update .go")
    box.wait(lambda: "Fetching and trying" in box.text, "the update")
    assert box.all(".update button") == []


def test_during_a_game_there_is_no_update(box: BoxPage, table: FakeTable) -> None:
    table.show(STATES["bidding"])
    box.open(joins=True)
    box.wait(lambda: "A game is going on: end it first." in box.text, "the reason")
    assert box.one(".update .go").get_attribute("disabled")


def test_a_network_that_does_not_say_its_name_is_typed(box: BoxPage, wifi: Wifi, networks: FakeNetworks) -> None:
    networks.saved = set()
    wifi.open_own()
    wifi.step()
    box.open()
    box.open_sheet("otherwifi")
    name, password, *_ = box.all(".sheet input")
    assert box.all(".sheet .go:disabled"), "no name yet"
    name.send_keys("Attic")
    box.one(".sheet .go:not(:disabled)")  # an open network
    password.send_keys("acht")
    box.one(".sheet .go:disabled")  # too short
    password.send_keys("ung2")
    box.tap(".sheet .go:not(:disabled)")
    box.wait(lambda: "Joining Attic" in box.text, "the choice")
    wait_until(lambda: wifi.step() or (wifi.state().phase, wifi.state().network) == ("joined", "Attic"))
    box.wait(lambda: "On Attic" in box.text, "the network")


def test_on_its_own_network_a_phone_that_has_not_joined_chooses_the_wifi(
    box: BoxPage, wifi: Wifi, networks: FakeNetworks
) -> None:
    box.open()
    assert "On Home" in box.text
    assert box.all(".network") == []
    networks.saved = set()
    wifi.open_own()
    wifi.step()
    box.wait(lambda: "On its own network, Perudo-1A2B" in box.text, "the own network")
    box.tap(".network")
    box.wait(lambda: "Join Home" in box.text, "the question")
    assert box.all(".sheet .go")[0].get_attribute("disabled"), "no password yet"
    box.all(".sheet input")[0].send_keys("achtung1")
    box.tap(".sheet .go:not(:disabled)")
    box.wait(lambda: "Joining Home" in box.text, "the choice")
