"""A box that becomes another one than the box whose files it has."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion import station
from companion.box.https.certificates import AUTHORITY_FILE, HTTPS_FOLDER, SERVER_FILE
from companion.box.second_box import become_second, give_up_identity
from companion.box.wifi import own_network as own_networks
from companion.box.wifi.own_network import own_network
from companion.member.membership import table_id

MACHINE = "0123456789abcdef"
"""The same on both, since the card was copied."""
OF_ONE_BOX = (
    "club.json",
    "consent.json",
    "table-id",
    f"{HTTPS_FOLDER}/{AUTHORITY_FILE}",
    f"{HTTPS_FOLDER}/{SERVER_FILE}",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / HTTPS_FOLDER).mkdir()
    for name in (*OF_ONE_BOX, "access.json", "journal.sqlite3"):
        (tmp_path / name).write_text("of the first box")
    (tmp_path / "table-id").write_text("t-0000000a")
    return tmp_path


def there(folder: Path) -> list[str]:
    return [name for name in OF_ONE_BOX if (folder / name).exists()]


def test_a_box_keeps_what_it_is_unless_it_was_asked(folder: Path) -> None:
    before = own_network(folder, random.Random(1), MACHINE)
    give_up_identity(folder, random.Random(2))
    assert there(folder) == [*OF_ONE_BOX]
    assert own_network(folder, random.Random(3), MACHINE) == before


def test_a_second_box_has_no_place_of_the_other_and_keeps_the_games(folder: Path) -> None:
    before = own_network(folder, random.Random(1), MACHINE)
    become_second(folder)
    give_up_identity(folder, random.Random(2))
    now = own_network(folder, random.Random(3), MACHINE)
    assert now.name.startswith("Perudo-")
    assert (now.name == before.name, now.password) == (False, before.password)
    assert there(folder) == []
    assert table_id(folder, random.Random(4)) != "t-0000000a"
    assert {"access.json", "journal.sqlite3"} <= {each.name for each in folder.iterdir()}
    give_up_identity(folder, random.Random(5))
    assert own_network(folder, random.Random(6), MACHINE) == now, "once"


def test_a_second_box_that_had_no_own_network_yet_does_not_get_the_name_of_the_other(folder: Path) -> None:
    become_second(folder)
    give_up_identity(folder, random.Random(2))
    other = own_network(folder / "other", random.Random(1), MACHINE)
    assert own_network(folder, random.Random(3), MACHINE).name != other.name


def test_what_could_not_be_given_up_is_at_the_next_start(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    before = own_network(folder, random.Random(1), MACHINE)
    become_second(folder)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(own_networks, "write_atomically", full)
        give_up_identity(folder, random.Random(2))
    assert "No space left on device" in caplog.text
    assert own_network(folder, random.Random(3), MACHINE) == before
    give_up_identity(folder, random.Random(4))
    assert own_network(folder, random.Random(5), MACHINE).name != before.name


def test_the_program_gives_it_up_before_it_does_anything_else(folder: Path) -> None:
    become_second(folder)
    station._put_in_place(folder)
    assert there(folder) == []
