"""Keeping the screen awake: the guide on the page of the box, and a device that trusts the box."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import shutil
import ssl
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from selenium import webdriver

from companion.box.restart import Restart
from companion.features.health.recent_log import RecentLog
from companion.features.health.service import Maintenance
from companion.features.https.secure_site import SecureSite
from companion.features.https.service import SecurePage
from tests.browser import chromium
from tests.browser.box_page import BoxPage
from tests.browser.every_language import LANGUAGES
from tests.fakes.parts import box_parts
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable
from web.access.access import Access
from web.app import create_app
from web.stream.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.programs("openssl")]

DEVICES = ("ios", "android", "androidtv", "tv", "windows", "mac", "linux", "chromebook")
SIZES = ((360, 640), (820, 1180))
AGENTS = {
    "ios": "Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 Version/16.6 Mobile/15E148 Safari/604.1",
    "android": "Mozilla/5.0 (Linux; Android 13; SM-T510) AppleWebKit/537.36 Chrome/120.0.0.0 Safari/537.36",
    "androidtv": "Mozilla/5.0 (Linux; Android 12; BRAVIA 4K VH2) AppleWebKit/537.36 Chrome/120.0.0.0 Safari/537.36",
    "tv": "Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) AppleWebKit/537.36 76.0.3809.146/6.0 TV Safari/537.36",
    "windows": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/120.0.0.0 Safari/537.36",
    "mac": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.1 Safari/605.1.15",
    "chromebook": "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/120.0.0.0 Safari/537.36",
}


@pytest.fixture
def https(tmp_path: Path) -> SecurePage:
    return SecurePage(SecureSite(tmp_path, "box", lambda: ["127.0.0.1", "box.local"]), "127.0.0.1", 0)


@pytest.fixture
def server(https: SecurePage, serve: Callable[[Flask], Server], tmp_path: Path) -> Iterator[Server]:
    table = FakeTable(STATES["seating"])
    maintenance = Maintenance(tmp_path, table.state, RecentLog(), Restart())  # the page asks every box how it is
    app = create_app(box_parts(table, access=Access(code="1234"), https=https, maintenance=maintenance))
    with serve(app) as server:
        https.start(server)
        yield server
        https.stop()


@pytest.fixture
def box(server: Server, open_browser: Callable[..., webdriver.Chrome]) -> Iterator[BoxPage]:
    page = BoxPage(open_browser(), server.url)
    yield page
    page.expects("ERR_CERT_AUTHORITY_INVALID")
    assert page.complaints() == []


def choose(box: BoxPage, device: str) -> None:
    """Choose a device, and wait until its steps are drawn."""
    box.driver.execute_async_script(
        "const e = document.querySelector('.sheet select'); e.value = arguments[0];"
        "e.dispatchEvent(new Event('change')); requestAnimationFrame(() => requestAnimationFrame(arguments[1]))",
        device,
    )


def test_the_host_makes_the_certificate_and_everybody_gets_the_steps(box: BoxPage, https: SecurePage) -> None:
    box.open(joins=True)
    box.open_sheet("https")
    assert box.all(".sheet ol") == []
    box.tap(".sheet .make")
    box.wait(lambda: box.all(".fingerprint"), "the certificate")
    state = https.state()
    assert box.all(".fingerprint")[0].text == state.fingerprint
    assert box.all("a.open")[0].get_attribute("href") == f"https://127.0.0.1:{state.port}/"
    assert box.all("a.get")[0].get_attribute("href") == f"{box.url}perudo-ca.crt"
    box.driver.execute_script("localStorage.clear()")
    box.driver.delete_all_cookies()
    box.open()
    box.open_sheet("https")
    assert box.all(".fingerprint")


def test_a_guest_may_not_make_one(box: BoxPage) -> None:
    box.open()
    box.open_sheet("https")
    assert "The host can make one here" in box.text
    assert box.all(".sheet .make") == []


def test_a_device_that_does_not_trust_the_box_is_told_so(box: BoxPage, https: SecurePage) -> None:
    https.make()
    box.open()
    box.open_sheet("https")
    box.tap(".sheet .check")
    box.wait(lambda: "does not trust the box yet" in box.text, "the check")


@pytest.mark.parametrize(("device", "agent"), AGENTS.items())
def test_the_steps_are_those_of_the_device_and_can_be_changed(
    box: BoxPage, https: SecurePage, device: str, agent: str
) -> None:
    https.make()
    box.driver.execute_cdp_cmd("Emulation.setUserAgentOverride", {"userAgent": agent})
    box.open()
    box.open_sheet("https")
    chosen = "return document.querySelector('.sheet select').value"
    assert box.driver.execute_script(chosen) == device
    assert bool(box.all("a.get")) is (device not in ("tv", "androidtv")), "a television cannot install one"
    choose(box, "windows" if device != "windows" else "mac")
    box.wait(lambda: ("Keychain" if device == "windows" else "Trusted Root") in box.text, "the other steps")


def test_the_guide_fits_in_every_language(box: BoxPage, https: SecurePage, axe: Callable[..., list[str]]) -> None:
    https.make()
    faults: dict[str, list[str]] = {}
    titles = set()
    box.open()
    box.open_sheet("https")
    for language in LANGUAGES:
        box.now_in(language)
        for size in SIZES:
            chromium.resize(box.driver, size)
            box.wear("light" if (language in ("fr", "it")) == (size == SIZES[0]) else "dark")
            steps = set()
            for device in DEVICES:
                choose(box, device)
                steps.add(box.texts(".sheet ol")[0])
                lines = box.misfits()
                if size == SIZES[0] and (language, device) in (("fr", "ios"), ("nl", "android")):
                    lines += axe(box.driver)
                if lines:
                    faults[f"{language} {size} {device}"] = lines
                box.picture(f"https-{device}-{language}-{size[0]}")
            assert len(steps) == len(DEVICES)
            titles.add(box.texts(".sheet h2")[0])
    assert faults == {}
    assert len(titles) == len(LANGUAGES)


COUNT_LOCKS = """
    window.locks = [];
    if (window.WakeLock) {
      const request = WakeLock.prototype.request;
      WakeLock.prototype.request = async function (kind) {
        const lock = await request.call(this, kind);
        window.locks.push(lock.type);
        return lock;
      };
    }"""
"""Runs before the page, and notes every lock that the browser gives it."""


def test_over_http_the_page_is_as_it_was(box: BoxPage) -> None:
    box.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": COUNT_LOCKS})
    box.driver.get(box.url)
    box.wait(lambda: box.all(".seatchip, .firstscreen"), "the table")
    box.driver.execute_async_script("setTimeout(arguments[0], 300)")
    assert box.driver.execute_script("return window.locks") == []


@contextlib.contextmanager
def trusting_browser(authority: bytes, port: int, folder: Path) -> Iterator[webdriver.Chrome]:
    """A Chromium in which the authority is installed; where certutil is missing, one that takes the server's key."""
    flags: tuple[str, ...] = ()
    if certutil := shutil.which("certutil"):
        database = folder / ".pki" / "nssdb"
        database.mkdir(parents=True)
        (folder / "ca.crt").write_bytes(authority)
        for command in (("-N", "--empty-password"), ("-A", "-n", "box", "-t", "C,,", "-i", folder / "ca.crt")):
            subprocess.run((certutil, "-d", f"sql:{database}", *command), check=True)
    else:
        served = ssl.get_server_certificate(("127.0.0.1", port)).encode()
        key = subprocess.run(("openssl", "x509", "-noout", "-pubkey"), input=served, capture_output=True, check=True)
        der = base64.b64decode(b"".join(key.stdout.splitlines()[1:-1]))
        flags = (f"--ignore-certificate-errors-spki-list={base64.b64encode(hashlib.sha256(der).digest()).decode()}",)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))  # where Chromium looks for what its user installed
        driver = chromium.start(whole=True, flags=flags)
    try:
        yield driver
    finally:
        driver.quit()


def test_a_device_that_trusts_the_box_keeps_its_screen_awake(
    server: Server, https: SecurePage, tmp_path: Path, open_browser: Callable[..., webdriver.Chrome]
) -> None:
    open_browser()  # skips the test where there is no Chromium
    https.make()
    authority, state = https.certificate(), https.state()
    assert authority is not None
    assert state.port is not None
    with trusting_browser(authority, state.port, tmp_path) as driver:
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": COUNT_LOCKS})
        box = BoxPage(driver, server.url)
        box.open(joins=True)
        box.wait(lambda: "Join with the table" not in box.text, "being the host")
        box.open_sheet("https")
        box.tap(".sheet .check")
        box.wait(lambda: "This device trusts the box." in box.text, "the check")
        box.tap(".sheet a.open")
        box.wait(lambda: driver.current_url.startswith(f"https://127.0.0.1:{state.port}/"), "the safe address")
        box.wait(lambda: driver.execute_script("return window.isSecureContext"), "a page that is safe")
        box.wait(lambda: box.all("[data-item='game']"), "the phone that has joined over http")
        assert "host" in driver.execute_script("return fetch('/api/v1/me').then((r) => r.text())")
        box.wait(lambda: driver.execute_script("return window.locks") == ["screen"], "the screen that stays on")
        box.url = f"https://127.0.0.1:{state.port}/"
        box.open()
        box.wait(lambda: "This page came over https" in box.text, "the page of the box over https")
        assert box.complaints() == []
