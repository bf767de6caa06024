"""Backups as the page has them: made, sent back in pieces, checked, offered, and put in place at a restart."""

from __future__ import annotations

import json
import random
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from companion.box.restart import Restart
from companion.features.backup.description import BackupNotNowError
from companion.features.backup.exchange import RESTORE_DRAFT, before_folders, exchange
from companion.features.backup.service import BACKUP_FOLDER, KEEP_ARRIVAL, KEEP_READY, Backups, BackupStep, ReadyBackup
from companion.features.health.service import give_up_identity
from companion.table.journal.saved_games import saved_games
from tests.fakes.clock import FakeClock
from tests.fakes.played_box import played_box
from tests.fakes.root import FakeRoot

NOW = datetime(2026, 5, 3, 12, tzinfo=UTC)
PIECE = 4000


class Box:
    """A box of some name, with its state folder and its configuration."""

    def __init__(self, folder: Path, name: str, clock: FakeClock, root: FakeRoot | None = None) -> None:
        self.state, self.name, self.root = folder, name, root
        self.settings = folder.with_suffix(".toml")
        self.clock = clock
        self.start()

    def start(self) -> None:
        exchange(self.state)
        give_up_identity(self.state, random.Random(7))
        self.restart = Restart()
        self.backups = Backups(
            self.state,
            program="0.1.0",
            name=lambda: self.name,
            restart=self.restart,
            settings=self.settings,
            root=self.root,
            now=lambda: NOW,
            clock=self.clock,
        )
        self.backups.ask_root()
        self.backups.wait()

    def backup(self, secrets: bool = False) -> bytes:
        file, content = self.backups.open_file(secrets)
        with content:
            data = content.read()
        assert len(data) == file.bytes
        return data

    def send(self, data: bytes, together: str = "abcdefgh") -> None:
        pieces = [data[at : at + PIECE] for at in range(0, len(data), PIECE)]
        for number, piece in enumerate(pieces, 1):
            self.backups.take_piece(together, number, len(pieces), piece)
        self.backups.wait()

    @property
    def offer(self) -> Any:
        return self.backups.state().offer

    @property
    def games(self) -> int:
        return len(saved_games(self.state))

    def code(self) -> str:
        return str(json.loads((self.state / "access.json").read_text())["code"])


@pytest.fixture
def old(tmp_path: Path, clock: FakeClock) -> Box:
    played_box(tmp_path / "old", games=3)
    (tmp_path / "old.toml").write_text('[access]\ncode = "0271"\n[table]\ncalza = false\n')
    return Box(tmp_path / "old", "perudo-attic", clock)


@pytest.fixture
def root() -> FakeRoot:
    return FakeRoot()


@pytest.fixture
def new(tmp_path: Path, clock: FakeClock, root: FakeRoot) -> Box:
    played_box(tmp_path / "new", games=1, calibration="Kitchen")
    (tmp_path / "new.toml").write_text('[access]\ncode = "1111"\n')
    return Box(tmp_path / "new", "perudo", clock, root)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} if folder.exists() else set()


# Away


def test_a_backup_is_ready_to_be_taken_for_a_while(old: Box, clock: FakeClock) -> None:
    assert old.backups.state().file is None
    old.backups.make(secrets=False)
    old.backups.wait()
    file = old.backups.state().file
    assert file == ReadyBackup("perudo-attic-2026-05-03.zip", len(old.backup()), secrets=False)
    assert names(old.state / BACKUP_FOLDER) == {file.name}
    clock.now += KEEP_READY - 1
    old.backups.expire()
    assert old.backups.state().file == file
    old.backup()  # taken again: the time begins anew
    clock.now += KEEP_READY - 1
    old.backups.expire()
    assert old.backups.state().file == file
    clock.now += 2
    old.backups.expire()
    assert old.backups.state().file is None
    assert names(old.state / BACKUP_FOLDER) == set()


def test_one_with_secrets_is_another_file_than_one_without(old: Box) -> None:
    def has_code(data: bytes) -> bool:
        (old.state / "look.zip").write_bytes(data)
        with zipfile.ZipFile(old.state / "look.zip") as archive:
            return "access.json" in archive.namelist()

    assert [has_code(old.backup(secrets)) for secrets in (True, False, True)] == [True, False, True]


def test_what_a_killed_program_left_is_removed_at_the_next_start(old: Box) -> None:
    old.backup()
    data = (old.state / BACKUP_FOLDER / "perudo-attic-2026-05-03.zip").read_bytes()
    old.backups.take_piece("abcdefgh", 1, 2, data[:100])
    old.start()
    assert names(old.state / BACKUP_FOLDER) == set()
    assert old.backups.state().step is BackupStep.IDLE


# Back


def test_the_new_box_has_all_of_the_old_one_and_can_go_back(old: Box, new: Box) -> None:
    data, code = old.backup(), new.code()
    new.send(data)
    offer = new.offer
    assert (offer.description.name, offer.description.games, offer.may_rename, offer.may_configure) == (
        "perudo-attic", 3, True, True
    )  # fmt: skip
    assert new.games == 1, "nothing is changed yet"
    new.backups.replace(rename=False, configure=False)
    assert (new.backups.state().step, new.restart.due) == (BackupStep.RESTARTING, True)
    new.start()
    assert new.games == 3
    assert names(new.state / "profiles") == names(old.state / "profiles")
    assert new.code() == code, "phones stay joined"
    restored = new.backups.state().restored
    assert (restored.description.games, restored.back, restored.undo) == (3, False, True)
    new.backups.go_back()
    new.start()
    assert new.games == 1
    assert "kitchen.json" in names(new.state / "profiles")
    restored = new.backups.state().restored
    assert (restored.description.games, restored.back) == (1, True)
    assert len(before_folders(new.state)) == 1


def test_with_its_secrets_its_phones_are_joined_to_the_new_box(old: Box, new: Box) -> None:
    code, own = old.code(), new.code()
    new.send(old.backup(secrets=True))
    new.backups.replace(rename=False, configure=False)
    new.start()
    assert (new.code(), code != own) == (code, True)
    new.backups.go_back()
    new.start()
    assert new.code() == own


def test_with_the_secrets_the_code_of_the_backup_comes_too(old: Box, new: Box, root: FakeRoot) -> None:
    new.send(old.backup(secrets=True))
    new.backups.replace(rename=False, configure=True)
    new.start()
    (configure,) = root.asked
    assert '"0271"' in configure["text"]
    assert "1111" not in configure["text"]


def test_name_and_configuration_are_asked_of_root_once_it_is_in_place(old: Box, new: Box, root: FakeRoot) -> None:
    new.send(old.backup())
    new.backups.replace(rename=True, configure=True)
    assert root.asked == [], "a kill here loses nothing: the plan has them"
    new.start()
    rename, configure = root.asked
    assert rename == {"do": "rename", "name": "perudo-attic"}
    assert "calza = false" in configure["text"]
    assert '"1111"' in configure["text"], "the code of this box stays"
    assert "0271" not in configure["text"]
    assert new.restart.due, "to read the configuration"
    new.start()
    assert (len(root.asked), new.restart.due) == (2, False)
    new.name = "perudo-attic"
    new.backups.go_back()
    new.start()
    assert root.asked[2:] == [{"do": "rename", "name": "perudo"}, {"do": "configure", "text": new.settings.read_text()}]


def test_root_that_refuses_is_no_reason_to_ask_for_ever(old: Box, new: Box, root: FakeRoot) -> None:
    new.send(old.backup())
    new.backups.replace(rename=True, configure=True)
    root.refuse = "This name is taken."
    new.start()
    trouble = new.backups.state().trouble
    assert trouble.sentence == "This name is taken."
    new.start()
    assert len(root.asked) == 1
    assert new.games == 3


def test_an_address_that_neither_backup_nor_box_has_whole_is_named(old: Box, new: Box, tmp_path: Path) -> None:
    broker = '[club]\nbroker = "mqtt://ha.local"\n'
    (tmp_path / "old.toml").write_text(f'[camera]\nsource = "http://cam:8080/video"\n{broker}')
    shortened = []
    for settings, secrets in (("", False), ('[camera]\nsource = "http://cam:8080/video"\n', False), ("", True)):
        new.settings.write_text(settings)
        new.send(old.backup(secrets))
        shortened.append(new.offer.shortened)
        new.backups.cancel()
    assert shortened == [("http://cam",), (), ()]


def test_a_box_without_root_offers_neither(old: Box, new: Box) -> None:
    new.root = None
    new.start()
    new.send(old.backup())
    assert (new.offer.may_rename, new.offer.may_configure) == (False, False)
    new.backups.replace(rename=True, configure=True)
    new.start()
    assert new.games == 3


def test_a_file_that_is_no_backup_is_told_and_forgotten(new: Box) -> None:
    new.send(b"a picture" * 1000)
    state = new.backups.state()
    assert (state.step, state.offer) == (BackupStep.IDLE, None)
    assert state.trouble.sentence == "This file is not a backup of a Perudo box."
    assert names(new.state / BACKUP_FOLDER) == set()
    assert RESTORE_DRAFT not in names(new.state)
    with pytest.raises(BackupNotNowError, match="no backup to restore"):
        new.backups.replace(rename=False, configure=False)
    new.backups.cancel()
    assert new.backups.state().trouble is None


def test_pieces_come_in_order_and_of_one_file(old: Box, new: Box) -> None:
    data = old.backup()
    new.backups.take_piece("abcdefgh", 1, 3, data[:10])
    for together, number, of in (("abcdefgh", 3, 3), ("abcdefgh", 2, 4), ("other678", 2, 3), ("abcdefgh", 1 + 2, 3)):
        with pytest.raises(BackupNotNowError, match="did not arrive whole"):
            new.backups.take_piece(together, number, of, data)
    assert new.backups.state().step is BackupStep.ARRIVING
    new.send(data)  # begun anew
    assert new.offer is not None


def test_what_nobody_puts_back_is_removed_after_an_hour(old: Box, new: Box, clock: FakeClock) -> None:
    data = old.backup()
    for send in (lambda: new.backups.take_piece("abcdefgh", 1, 2, data[:10]), lambda: new.send(data)):
        send()
        clock.now += KEEP_ARRIVAL - 1
        new.backups.expire()
        assert new.backups.state().step is not BackupStep.IDLE
        clock.now += 2
        new.backups.expire()
        assert new.backups.state().step is BackupStep.IDLE
        assert names(new.state / BACKUP_FOLDER) == set()
        assert RESTORE_DRAFT not in names(new.state)


def test_without_room_not_even_the_first_piece_is_taken(new: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.features.backup.archive.DISK_RESERVE", 2**62)
    with pytest.raises(BackupNotNowError, match="MB more room"):
        new.backups.take_piece("abcdefgh", 1, 100, bytes(1000))
    assert new.backups.state().step is BackupStep.IDLE


def test_a_file_that_is_far_too_large_is_refused_at_once(new: Box) -> None:
    with pytest.raises(BackupNotNowError, match="too large"):
        new.backups.take_piece("abcdefgh", 1, 4096, bytes(2**20))


def test_two_things_at_once_are_refused(old: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    errors: list[Any] = []

    def meanwhile(*_: Any, **__: Any) -> None:
        for act in (
            lambda: old.backups.make(True),
            old.backups.cancel,
            lambda: old.backups.take_piece("abcdefgh", 1, 1, b"x"),
        ):
            with pytest.raises(BackupNotNowError, match="busy") as error:
                act()
            errors.append(error)
        raise BackupNotNowError("the disk is gone")

    monkeypatch.setattr("companion.features.backup.service.write_archive", meanwhile)
    old.backups.make(secrets=False)
    old.backups.wait()
    assert len(errors) == 3
    with pytest.raises(BackupNotNowError, match="the disk is gone"):
        old.backup()


# Two boxes


def in_club(box: Box, table: str = "t-0000000a") -> str:
    """The box is in a club; its place there."""
    place = json.dumps({"club": "club-1", "title": "Club", "table": table, "name": "Attic", "broker": "mqtt://:1883"})
    (box.state / "club.json").write_text(place)
    return place


@pytest.mark.parametrize("second", [False, True])
def test_a_backup_with_a_place_in_a_club_gives_it_to_a_box_that_is_no_second_one(
    old: Box, new: Box, root: FakeRoot, second: bool
) -> None:
    place = in_club(old)
    new.send(old.backup(secrets=True))
    assert (new.offer.place, new.offer.may_rename) == (True, True)
    new.backups.replace(rename=True, configure=False, second=second)
    new.start()
    assert (new.games, new.code()) == (3, old.code())
    assert (new.state / "club.json").exists() is not second
    assert second or (new.state / "club.json").read_text() == place
    assert [each["do"] for each in root.asked] == ([] if second else ["rename"])


def test_a_second_box_that_goes_back_has_its_own_place_again(old: Box, new: Box) -> None:
    in_club(old)
    place = in_club(new, "t-0000000b")
    new.send(old.backup(secrets=True))
    new.backups.replace(rename=False, configure=False, second=True)
    new.start()
    assert not (new.state / "club.json").exists()
    new.backups.go_back()
    new.start()
    assert (new.state / "club.json").read_text() == place


def test_the_boxs_own_backup_or_one_without_a_club_asks_nothing(old: Box, new: Box) -> None:
    in_club(old)
    old.send(old.backup(secrets=True))
    in_club(new, "t-0000000b")
    new.send(old.backup(secrets=False))
    for box in (old, new):
        assert not box.offer.place


@pytest.mark.parametrize("spoilt", ["[1]", '"club"'])
def test_a_backup_whose_place_in_a_club_cannot_be_read_is_offered_without_one(old: Box, new: Box, spoilt: str) -> None:
    (old.state / "club.json").write_text(spoilt)
    new.send(old.backup(secrets=True))
    assert not new.offer.place
