"""Phones that go away and come back, which phone is the host, and the file of phones on disk."""

from __future__ import annotations

import random
import sqlite3
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.table.state.state import PublicPlayer, State
from tests.fakes.clock import FakeClock
from tests.fakes.states import STATES
from web.access import keys
from web.access.access import Access
from web.access.phone_file import PHONES_FILE
from web.access.phones import AWAY_AFTER, MISSED_AFTER, READ_RETRY, REMEMBERED_PHONES, Phone, Phones, SeatTakenError

COMPANY = ("Ana", "Ben", "Cid")


def phones(folder: Path | None, clock: FakeClock, seed: int = 1) -> Phones:
    table = Phones(folder, rng=random.Random(seed), clock=clock)
    table.follow(show(1, 1, " ".join(COMPANY)))
    return table


@pytest.fixture
def table(clock: FakeClock) -> Phones:
    """The phones of a table at which it is Ben's turn."""
    return phones(None, clock)


def seated(table: Phones, player: str) -> Phone:
    phone = table.join()
    table.sit(phone, "player", player)
    return phone


def host(table: Phones) -> str:
    return next(str(each.phone) for each in table.presence().phones if each.host)


# Phones that have gone


def test_another_phone_can_take_the_seat_of_one_that_is_gone(table: Phones, clock: FakeClock) -> None:
    ghost, new = seated(table, "Ana"), table.join()
    clock.now += AWAY_AFTER - 1
    table.get(new.id, new.key)
    with pytest.raises(SeatTakenError):
        table.sit(new, "player", "Ana")
    clock.now += 1
    assert (table.on_seat("Ana"), table.seats()["Ana"]) == (None, None)
    table.sit(new, "player", "Ana")
    back = table.get(ghost.id, ghost.key)
    assert (table.on_seat("Ana"), back and back.role) == (new.id, None)


def test_a_phone_that_comes_back_has_its_seat_if_nobody_took_it(table: Phones, clock: FakeClock) -> None:
    ana = seated(table, "Ana")
    clock.now += 10 * AWAY_AFTER
    assert table.on_seat("Ana") is None
    news: list[dict[str, str | None]] = []
    table.on_change(lambda: news.append(table.seats()))
    table.get(ana.id, ana.key)
    assert table.on_seat("Ana") == ana.id
    assert [seats["Ana"] for seats in news] == [ana.id]


def test_a_phone_with_a_stream_is_present_however_long_it_sends_nothing(table: Phones, clock: FakeClock) -> None:
    ana = seated(table, "Ana")
    table.add_stream(ana.id)
    clock.now += 10 * AWAY_AFTER
    assert table.on_seat("Ana") == ana.id
    table.remove_stream(ana.id)
    assert table.on_seat("Ana") == ana.id
    clock.now += AWAY_AFTER
    assert table.on_seat("Ana") is None


def test_the_others_are_told_that_a_phone_is_gone(table: Phones, clock: FakeClock) -> None:
    seated(table, "Ana")
    news: list[dict[str, str | None]] = []
    table.on_change(lambda: news.append(table.seats()))
    table.look()
    assert news == []
    clock.now += AWAY_AFTER
    table.look()
    table.look()
    assert news == [dict.fromkeys(COMPANY)]


def test_others_act_for_a_phone_that_is_missed_for_ten_seconds_of_its_turn_until_it_is_back(
    table: Phones, clock: FakeClock
) -> None:
    ana, ben = seated(table, "Ana"), seated(table, "Ben")
    news: list[list[str]] = []
    table.on_change(lambda: news.append([str(each.player) for each in table.presence().phones if each.away]))
    table.add_stream(ben.id)
    clock.now += 2 * MISSED_AFTER
    table.look()
    table.remove_stream(ben.id)
    clock.now += MISSED_AFTER - 1
    table.look()
    assert (news, table.players_elsewhere(ana)) == ([], {"Ben"})
    clock.now += 1
    table.look()
    table.look()
    assert (news, table.players_elsewhere(ana), table.on_seat("Ben")) == ([["Ben"]], frozenset(), ben.id)
    table.get(ben.id, ben.key)
    assert (news, table.players_elsewhere(ana)) == ([["Ben"], []], {"Ben"})
    clock.now += MISSED_AFTER
    table.follow(replace(show(2, 1, " ".join(COMPANY)), turn="Ana"))
    assert table.players_elsewhere(ben) == {"Ana"}, "her turn has just begun"


def test_a_phone_not_heard_of_since_the_start_blocks_no_seat(tmp_path: Path, clock: FakeClock) -> None:
    ghost = seated(phones(tmp_path, clock), "Ana")
    table = phones(tmp_path, clock, seed=2)
    assert table.on_seat("Ana") is None
    assert table.is_host_absent()
    new = seated(table, "Ana")
    assert table.on_seat("Ana") == new.id != ghost.id


def test_new_keys_forget_the_phones_of_the_old_ones(tmp_path: Path) -> None:
    before = Access(tmp_path, rng=random.Random(1))
    old = before.phones.join()
    (tmp_path / keys.KEYS_FILE).unlink()
    after = Access(tmp_path, rng=random.Random(2))
    assert after.phones.get(old.id, old.key) is None
    assert after.phones.is_host(after.phones.join())
    restarted = Access(tmp_path, rng=random.Random(3))
    assert restarted.phones.get(old.id, old.key) is None


# The host's part


def test_a_slip_does_not_cost_the_hosts_part(table: Phones) -> None:
    first = table.join()
    table.sit(first, "watching")
    other = seated(table, "Ben")
    assert host(table) == other.id, "whoever only watches is no host for the others"
    table.sit(first, "player", "Ana")
    assert host(table) == first.id


def test_a_host_who_watches_for_a_while_stays_the_host(table: Phones, clock: FakeClock) -> None:
    first, other = seated(table, "Ana"), seated(table, "Ben")
    table.sit(first, "watching")
    table.sit(other, "table")
    assert host(table) == first.id
    clock.now += AWAY_AFTER  # and now it is gone, too
    table.get(other.id, other.key)
    table.sit(other, "player", "Ben")
    assert host(table) == other.id


def test_a_host_who_handed_over_the_part_does_not_get_it_back_automatically(table: Phones) -> None:
    first = table.join()
    table.sit(first, "watching")
    seated(table, "Ben")
    third = seated(table, "Cid")
    table.hand_host(third.id)
    table.sit(first, "player", "Ana")
    assert host(table) == third.id


def test_the_host_survives_a_restart(tmp_path: Path, clock: FakeClock) -> None:
    table = phones(tmp_path, clock)
    first = table.join()
    table.sit(first, "watching")
    seated(table, "Ben")
    table = phones(tmp_path, clock)
    table.get(first.id, first.key)
    table.sit(first, "player", "Ana")
    assert host(table) == first.id


# A game that is undone


@pytest.fixture
def access() -> Access:
    return Access(rng=random.Random(1), clock=FakeClock())


def show(version: int, game: int, names: str, state: str = "bidding") -> State:
    players = tuple(PublicPlayer(name, "red", 5) for name in names.split())
    return replace(STATES[state], version=version, game=game, players=players)


def test_undoing_a_new_game_costs_nobody_a_seat(access: Access) -> None:
    access.phones.follow(show(1, 1, "Ana Ben"))
    ana = seated(access.phones, "Ana")
    access.phones.follow(show(2, 2, "Ben Cid", "opening"))
    (entry,) = access.phones.presence().phones
    assert (entry.role, entry.player) == (None, None)  # so that its page asks for a seat
    access.phones.follow(show(3, 1, "Ana Ben"))
    assert access.phones.on_seat("Ana") == ana.id


def test_a_seat_ends_when_the_next_game_has_begun_without_its_player(access: Access) -> None:
    access.phones.follow(show(1, 1, "Ana Ben"))
    ana, ben = seated(access.phones, "Ana"), seated(access.phones, "Ben")
    access.phones.follow(show(2, 2, "Ben Cid", "opening"))
    access.phones.follow(show(3, 2, "Ben Cid"))
    access.phones.follow(show(4, 3, "Ana Ben"))
    assert access.phones.seats() == {"Ana": None, "Ben": ben.id}
    phone = access.phones.get(ana.id, ana.key)
    assert phone.role is None


def test_a_late_state_ends_no_seat(access: Access) -> None:
    access.phones.follow(show(1, 1, "Ana Ben"))
    access.phones.follow(show(9, 3, "Cid Ana"))
    cid = seated(access.phones, "Cid")
    access.phones.follow(show(5, 2, "Ana Ben"))
    assert access.phones.on_seat("Cid") == cid.id


# Too many


def test_phones_that_chose_no_role_are_forgotten_before_a_shared_tablet(table: Phones) -> None:
    host, tablet, watching, silent = (table.join() for _ in range(4))
    ana = seated(table, "Ana")
    table.sit(tablet, "table")
    table.sit(watching, "watching")
    for _ in range(REMEMBERED_PHONES - 3):
        table.join()
    assert table.get(silent.id, silent.key) is None
    assert table.get(watching.id, watching.key) is not None
    for _ in range(REMEMBERED_PHONES):
        table.join()
    assert all(table.get(each.id, each.key) for each in (tablet, host, ana))
    assert len(table.presence().phones) == REMEMBERED_PHONES


def test_the_first_host_that_lent_its_part_is_not_forgotten_and_gets_it_back(table: Phones) -> None:
    first = table.join()
    table.sit(first, "watching")
    assert seated(table, "Ben").id == host(table)
    for _ in range(REMEMBERED_PHONES):
        table.sit(table.join(), "watching")
    assert table.get(first.id, first.key) is not None
    table.sit(first, "player", "Ana")
    assert host(table) == first.id


# On disk


@pytest.fixture
def locked(tmp_path: Path, clock: FakeClock) -> Iterator[tuple[Phone, sqlite3.Connection]]:
    """Ana's phone is in the file, which another program has locked."""
    ana = seated(phones(tmp_path, clock), "Ana")
    other = sqlite3.connect(tmp_path / PHONES_FILE, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    yield ana, other
    other.close()


def test_a_file_that_another_program_has_locked_is_read_later(
    tmp_path: Path,
    clock: FakeClock,
    locked: tuple[Phone, sqlite3.Connection],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("web.access.phone_file._PATIENCE", 0.0)
    ana, other = locked
    table = phones(tmp_path, clock, seed=2)
    assert "stays as it is" in caplog.text
    assert table.get(ana.id, ana.key) is None
    new = table.join()
    other.execute("ROLLBACK")
    clock.now += READ_RETRY
    assert table.get(ana.id, ana.key) is not None
    assert table.on_seat("Ana") == ana.id
    assert (host(table), table.get(new.id, new.key)) == (ana.id, new)
    assert list(tmp_path.glob("*damaged*")) == []
    table.sit(new, "watching")
    again = phones(tmp_path, clock)
    assert again.get(ana.id, ana.key)
    assert again.get(new.id, new.key)


def test_only_its_owner_may_read_the_file_of_phones(tmp_path: Path, clock: FakeClock) -> None:
    phones(tmp_path, clock).join()
    (tmp_path / PHONES_FILE).chmod(0o644)  # as made by an older version
    phones(tmp_path, clock).join()
    assert stat.S_IMODE((tmp_path / PHONES_FILE).stat().st_mode) == 0o600


def test_a_file_of_an_older_version_is_read_and_continued(tmp_path: Path, clock: FakeClock) -> None:
    with sqlite3.connect(tmp_path / PHONES_FILE) as old:
        old.execute(
            "CREATE TABLE phone (place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, key TEXT NOT NULL, role TEXT, "
            "player TEXT UNIQUE, host INTEGER)"
        )
        old.execute("INSERT INTO phone VALUES (0, 'k3f9', 'abcdefgh', 'player', 'Ana', 1)")
        old.execute("INSERT INTO phone VALUES (1, 'm4x7', 'stuvwxyz', 'table', NULL, 0)")
    old.close()
    table = phones(tmp_path, clock)
    ana = table.get("k3f9", "abcdefgh")
    assert ana.acted
    assert table.is_host(ana)
    table.sit(ana, "player", "Ben")
    assert table.on_seat("Ben") == "k3f9"
    again = phones(tmp_path, clock)
    ben, tablet = again.get("k3f9", "abcdefgh"), again.get("m4x7", "stuvwxyz")
    assert ben.player == "Ben"
    assert tablet.acted


def test_an_exchange_of_seats_is_saved(tmp_path: Path, clock: FakeClock) -> None:
    table = phones(tmp_path, clock)
    ana, ben = seated(table, "Ana"), seated(table, "Ben")
    table.hand("Ana", ben.id)
    table.hand("Ben", ana.id)
    loaded = [phones(tmp_path, clock).get(phone.id, phone.key) for phone in (ana, ben)]
    assert [phone and phone.player for phone in loaded] == ["Ben", "Ana"]


def test_only_what_changed_is_written(tmp_path: Path, clock: FakeClock) -> None:
    table = phones(tmp_path, clock)
    ana, ben = seated(table, "Ana"), seated(table, "Ben")

    def places() -> dict[str, int]:
        database = sqlite3.connect(tmp_path / PHONES_FILE)
        rows = dict(database.execute("SELECT id, place FROM phone"))
        database.close()
        return rows

    before = places()
    table.sit(ana, "watching")
    after = places()
    assert after[ben.id] == before[ben.id]
    assert after[ana.id] > before[ana.id]


def test_a_slow_disk_delays_nobody(tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    table = phones(tmp_path, clock)
    ana = seated(table, "Ana")
    writing, go_on = threading.Event(), threading.Event()

    def slowly(*_: object) -> None:
        writing.set()
        assert go_on.wait(60)

    monkeypatch.setattr("web.access.phone_file.write", slowly)
    joining = threading.Thread(target=table.join)
    joining.start()
    assert writing.wait(60)
    lookups = threading.Thread(target=lambda: (table.get(ana.id, ana.key), table.seats(), table.add_stream(ana.id)))
    lookups.start()
    lookups.join(60)
    assert not lookups.is_alive()
    go_on.set()
    joining.join(60)
