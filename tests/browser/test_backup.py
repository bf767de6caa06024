"""Backups on the page of the box: saved by one tap, put back by two, in every language and at every step."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from selenium import webdriver

from companion.box.restart import Restart
from companion.features.backup.exchange import exchange
from companion.features.backup.service import Backups, BackupStep
from companion.state_folder import SECOND_FILE
from tests.browser import chromium
from tests.browser.box_page import BoxPage
from tests.browser.every_language import LANGUAGES
from tests.browser.test_box import SIZES, theme
from tests.fakes.parts import box_parts
from tests.fakes.played_box import played_box
from tests.fakes.root import FakeRoot
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable
from web.access.access import Access
from web.app import create_app
from web.stream.server import Server

pytestmark = pytest.mark.browser


class BackupPage(BoxPage):
    """A phone at a box that does not look how it is."""

    def open(self, language: str = "en", *, joins: bool = False) -> None:
        self.load("box#join=1234" if joins else "box", language)
        self.wait(lambda: self.all(".backup .save"), "the host's part")


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(STATES["seating"])


@pytest.fixture
def backups(tmp_path: Path) -> Backups:
    """The backups of a box that was played on."""
    played_box(tmp_path / "state")
    return backups_of(tmp_path / "state", "perudo")


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A backup of another box, with its secrets."""
    assert played_box(tmp_path / "old", games=3, learns=True).code
    file, content = backups_of(tmp_path / "old", "perudo-attic").open_file(secrets=True)
    with content:
        tmp_path.joinpath(file.name).write_bytes(content.read())
    return tmp_path / file.name


def backups_of(folder: Path, name: str) -> Backups:
    settings = folder.with_suffix(".toml")
    settings.write_text(f"[web]\nport = {8000 + len(name)}\n")
    root = FakeRoot()
    return Backups(folder, program="0.1.0", name=lambda: name, restart=Restart(), root=root, settings=settings)


def put_in(backups: Backups, file: Path) -> None:
    """Send it, as a phone does in one piece."""
    backups.take_piece("abcdefgh", 1, 1, file.read_bytes())
    backups.wait()


@pytest.fixture
def box(
    table: FakeTable, backups: Backups, serve: Callable[[Flask], Server], open_browser: Callable[..., webdriver.Chrome]
) -> Iterator[BackupPage]:
    with serve(create_app(box_parts(table, access=Access(code="1234"), backups=backups))) as server:
        page = BackupPage(open_browser(), server.url)
        page.open(joins=True)
        yield page
        page.expects("/box/health")
        assert page.complaints() == []


def in_club(file: Path) -> None:
    """The backup is of a box that is in a club."""
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("club.json", '{"club": "club-1", "table": "t-0000000a"}')


def downloads(box: BackupPage, folder: Path) -> None:
    box.driver.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder), "eventsEnabled": False}
    )


def chosen(box: BackupPage, file: Path) -> None:
    box.all(".restore input[type=file]")[0].send_keys(str(file))


def test_a_backup_is_saved_by_one_tap_and_put_back_by_two(box: BackupPage, backups: Backups, tmp_path: Path) -> None:
    (tmp_path / "phone").mkdir()
    downloads(box, tmp_path / "phone")
    box.tap(".backup .save")
    box.wait(lambda: list((tmp_path / "phone").glob("perudo-*.zip")), "the file")
    (file,) = (tmp_path / "phone").glob("perudo-*.zip")
    assert file.name in box.all(".backup .ready")[0].text
    chosen(box, file)
    box.wait(lambda: box.all(".offer"), "what is in it")
    assert "2 games, until " in box.text
    assert "1 calibration" in box.text
    assert "the settings" in box.text
    assert "code and phones: " not in box.text
    box.tap(".offer .replace")
    box.wait(lambda: "and restarts" in box.text, "the start")
    assert backups.state().step is BackupStep.RESTARTING


def test_a_file_that_is_no_backup_is_refused_with_a_sentence(box: BackupPage, tmp_path: Path) -> None:
    (tmp_path / "holiday.zip").write_bytes(b"pictures" * 600_000)  # three pieces
    chosen(box, tmp_path / "holiday.zip")
    box.wait(lambda: "This file is not a backup of a Perudo box." in box.text, "the refusal")
    assert box.all(".restore .choose")


def test_a_backup_of_another_box_can_be_left(box: BackupPage, table: FakeTable, backups: Backups, other: Path) -> None:
    chosen(box, other)
    box.wait(lambda: box.all(".offer"), "what is in it")
    for said in ("“perudo-attic”", "3 games", "3 pictures", "has learned from", "code and phones: "):
        assert said in box.text
    assert [each.is_selected() for each in box.all(".offer input")] == [True, True]
    table.show(STATES["bidding"])
    box.wait(lambda: "A game is going on: end it first." in box.text, "that a game is going on")
    assert not box.all(".offer .replace")[0].is_enabled()
    box.tap(".offer .cancel")
    box.wait(lambda: box.all(".restore .choose"), "the choice again")
    assert backups.state().offer is None


def test_a_backup_with_a_place_in_a_club_asks_whose_it_is(box: BackupPage, other: Path, tmp_path: Path) -> None:
    in_club(other)
    chosen(box, other)
    box.wait(lambda: box.all(".offer .place"), "the question")
    assert not box.all(".offer .replace")[0].is_enabled()
    assert "Also name it “perudo-attic”" in box.text
    box.tap(".offer input[value='true']")
    box.wait(lambda: "Call this box" not in box.text, "no name of the other box")
    box.tap(".offer .replace")
    box.wait(lambda: "and restarts" in box.text, "the start")
    assert (tmp_path / "state" / "restore" / "state" / SECOND_FILE).exists()


def test_after_a_backup_was_put_back_the_host_can_go_back(
    box: BackupPage, backups: Backups, other: Path, tmp_path: Path
) -> None:
    put_in(backups, other)
    backups.replace(rename=False, configure=False)
    exchange(tmp_path / "state")
    backups.__init__(tmp_path / "state", program="0.1.0", name=lambda: "perudo", restart=Restart())  # type: ignore[misc]
    box.open()
    box.wait(lambda: "Restored: the backup of “perudo-attic”" in box.text, "that it was put back")
    box.tap(".undo-restore")
    box.wait(lambda: box.all(".sheet.for-undoRestore .go"), "the question")
    box.picture("box-undo-restore")
    box.tap(".sheet .go")
    box.wait(lambda: backups.state().step is BackupStep.RESTARTING, "the start")


def test_every_step_of_a_backup_fits_in_every_language(
    box: BackupPage, table: FakeTable, backups: Backups, other: Path, tmp_path: Path, axe: Callable[..., list[str]]
) -> None:
    def made() -> None:
        backups.make(secrets=True)
        backups.wait()

    def offered() -> None:
        put_in(backups, other)

    def refused() -> None:
        backups.take_piece("abcdefgh", 1, 1, b"a picture")
        backups.wait()

    def restarted() -> None:
        backups.replace(rename=True, configure=False)

    def restored() -> None:
        exchange(tmp_path / "state")
        backups.__init__(tmp_path / "state", program="0.1.0", name=lambda: "perudo", restart=Restart())  # type: ignore[misc]

    faults: dict[str, list[str]] = {}
    in_club(other)
    for number, step in enumerate((lambda: None, made, refused, offered, restarted, restored)):
        step()
        texts = set()
        for language in LANGUAGES:
            box.wear(theme(language))
            box.now_in(language)
            texts.add(box.text)
            for size in SIZES if language == "fr" else SIZES[:1]:
                chromium.resize(box.driver, size)
                lines = box.misfits()
                lines += axe(box.driver) if language in ("fr", "en") and size == SIZES[0] else []
                box.picture(f"backup-{number}-{language}-{size[0]}")
                if lines:
                    faults[f"{number} {language} {size}"] = lines
        assert len(texts) == len(LANGUAGES), number
    assert faults == {}
