"""Guessed codes, altered tokens, and what survives a restart."""

from __future__ import annotations

import dataclasses
import itertools
import json
import random
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.table.state.state import PublicPlayer, State
from tests.fakes.clock import FakeClock
from tests.fakes.states import STATES
from web.access import keys, wrong_codes
from web.access.access import Access
from web.access.phones import Phones, SeatTakenError
from web.access.wrong_codes import WrongCodes

COMPANY = ("Ana", "Ben", "Cid")


# Guessing the code


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(0.0)


@pytest.fixture
def table(clock: FakeClock) -> WrongCodes:
    return WrongCodes(clock)


ATTACK = st.lists(
    st.tuples(st.integers(0, 3), st.floats(0, 900, allow_nan=False), st.booleans()), min_size=1, max_size=120
)
"""Guesses: the address, the seconds before it, and whether it waits as long as it was told to."""


@given(ATTACK)
def test_no_sequence_of_guesses_gets_more_tries_than_the_limit(attack: list[tuple[int, float, bool]]) -> None:
    clock = FakeClock()
    table = WrongCodes(clock)
    tries: dict[int, list[float]] = {}
    pauses: dict[int, float] = {}
    wrong_before: list[float] = []
    for address, pause, obedient in attack:
        clock.now += pause
        if obedient:
            clock.now = max(clock.now, pauses.get(address, 0.0))
        wait = table.wait(str(address), right=False)
        if wait == 0.0:
            if address in tries:
                wrong_before.append(clock.now)
            tries.setdefault(address, []).append(clock.now)
        else:
            pauses[address] = clock.now + wait
    for times in tries.values():
        for number, (before, after) in enumerate(itertools.pairwise(times), start=1):
            least = (
                wrong_codes.FIRST_WAIT * 2.0 ** (number - wrong_codes.FREE_CODES)
                if number >= wrong_codes.FREE_CODES
                else 0.0
            )
            assert after - before >= min(wrong_codes.LONGEST_CODE_WAIT, least) - 1e-6
    everything = sorted(time for times in tries.values() for time in times)
    newcomers = sorted(times[0] for times in tries.values())
    for times, most, seconds in (
        (wrong_before, wrong_codes.SHARED_CODES, wrong_codes.SHARED_WAIT),
        (newcomers, wrong_codes.NEWCOMER_CODES, wrong_codes.NEWCOMER_WAIT),
    ):
        for first in range(len(times)):
            for last in range(first, len(times)):
                allowed = most + (times[last] - times[first]) / seconds
                assert last - first + 1 <= allowed + 1 + 1e-6
    for first in range(len(everything)):
        assert sum(0 <= time - everything[first] < 3600 for time in everything) <= wrong_codes.CODES_AN_HOUR


@given(st.lists(st.floats(0, 30, allow_nan=False), max_size=200))
def test_one_address_that_guesses_locks_out_nobody_else(pauses: list[float]) -> None:
    clock = FakeClock()
    table = WrongCodes(clock)
    for pause in pauses:
        clock.now += pause
        table.wait("an attacker", right=False)
        assert table.wait("Ana", right=True) == 0.0


@given(st.integers(1, 600), st.floats(0, 15, allow_nan=False))
def test_many_addresses_that_guess_lock_nobody_out_for_long(addresses: int, pause: float) -> None:
    clock = FakeClock()
    table = WrongCodes(clock)
    for address in range(addresses):
        clock.now += pause
        table.wait(str(address), right=False)
    wait = table.wait("Ana", right=True)
    assert wait <= wrong_codes.NEWCOMER_WAIT
    clock.now += wait + 0.001
    assert table.wait("Ana", right=True) == 0.0


def test_who_guesses_from_all_of_a_home_network_keeps_no_newcomer_waiting(table: WrongCodes, clock: FakeClock) -> None:
    tried = []
    for second in range(0, 3 * 3600, 60):
        clock.now = float(second)
        tried += [clock.now for host in range(1, 254) if table.wait(f"192.168.1.{host}", right=False) == 0.0]
        assert table.wait("192.168.1.254", right=True) == 0.0
    first_hour = sum(at < 3600 for at in tried)
    assert 253 < first_hour <= 253 + wrong_codes.SHARED_CODES + 60
    assert len(tried) <= 253 + wrong_codes.SHARED_CODES + 180, "a chance of 4.5 % in three hours"


def test_any_number_of_addresses_can_try_only_so_many_codes_an_hour(table: WrongCodes, clock: FakeClock) -> None:
    tries = 0
    for second in range(0, 3600, 2):
        clock.now = float(second)
        for address in range(5):  # new addresses, and the same ones again
            tries += table.wait(f"10.{second // 250}.{second % 250}.{address}", right=False) == 0.0
            tries += table.wait(f"10.255.{second % 250}.{address}", right=False) == 0.0
    assert 700 < tries <= wrong_codes.CODES_AN_HOUR == 820


def test_addresses_that_go_on_guessing_lock_nobody_else_out_for_long(table: WrongCodes, clock: FakeClock) -> None:
    for second in range(0, 7200, 10):
        clock.now = float(second)
        for address in range(30):
            table.wait(f"10.0.0.{address}", right=False)
    assert table.wait("10.0.0.99", right=True) == 0.0


def test_addresses_that_guessed_wrong_leave_guesses_for_new_ones(table: WrongCodes, clock: FakeClock) -> None:
    for _ in range(2):
        clock.now += wrong_codes.SHARED_CODES * wrong_codes.SHARED_WAIT
        for address in range(wrong_codes.SHARED_CODES):
            assert table.wait(f"10.0.0.{address}", right=False) == 0.0
    assert table.wait("Ana", right=True) == 0.0


def test_a_guest_on_ipv6_keeps_nobody_else_in_the_house_waiting(table: WrongCodes) -> None:
    for _ in range(wrong_codes.FREE_CODES):
        assert table.wait("2001:db8:0:1::66", right=False) == 0.0
    assert table.wait("2001:db8:0:1:0::66", right=True) == 2.0, "the same address, written otherwise"
    assert table.wait("2001:db8:0:1::7", right=True) == 0.0
    for address in range(wrong_codes.NETWORK_CODES - 1):
        assert table.wait(f"2001:db8:0:1:1::{address:x}", right=False) == 0.0
    assert table.wait("2001:db8:0:1:2::1", right=False) == wrong_codes.NEWCOMER_WAIT, "a new address for each guess"
    assert table.wait("2001:db8:0:2::1", right=True) == 0.0
    assert table.wait("10.0.0.7", right=True) == 0.0
    assert wrong_codes.network_of("::ffff:10.0.0.7") == wrong_codes.network_of("10.0.0.7")
    assert wrong_codes.network_of("fe80::1%eth0") == wrong_codes.network_of("fe80::2")


def test_a_guess_before_the_pause_is_over_tells_and_costs_nothing(table: WrongCodes, clock: FakeClock) -> None:
    for _ in range(wrong_codes.FREE_CODES):
        assert table.wait("Ana", right=False) == 0.0
    assert [table.wait("Ana", right) for right in (True, False, True)] == [2.0, 2.0, 2.0]
    clock.now += 2.0
    assert table.wait("Ana", right=True) == 0.0
    assert table.wait("Ana", right=False) == 0.0  # a right code resets the pauses


def test_only_a_limited_number_of_addresses_is_remembered(table: WrongCodes, clock: FakeClock) -> None:
    for address in range(3 * wrong_codes.REMEMBERED_ADDRESSES):
        clock.now += wrong_codes.SHARED_WAIT
        table.wait(str(address), right=False)
    assert len(table) == wrong_codes.REMEMBERED_ADDRESSES


# Tokens


@given(st.data(), st.integers(0, 2**32))
def test_a_token_changed_in_any_byte_is_refused(data: st.DataObject, seed: int) -> None:
    access = Access(rng=random.Random(seed))
    phone = access.phones.join()
    token = access.token(phone)
    assert access.whose(token) == phone
    at = data.draw(st.integers(0, len(token) - 1))
    other = data.draw(st.characters().filter(lambda letter: letter != token[at]))
    assert access.whose(token[:at] + other + token[at + 1 :]) is None
    assert access.whose(token[:at] + token[at + 1 :]) is None
    assert access.whose(token[:at] + other + token[at:]) is None


@given(st.text(max_size=300))
def test_an_invalid_token_belongs_to_no_phone(text: str) -> None:
    access = Access(rng=random.Random(1))
    access.phones.join()
    assert access.whose(text) is None


def test_another_tables_token_is_refused() -> None:
    one, other = Access(rng=random.Random(1)), Access(rng=random.Random(2))
    phone = one.phones.join()
    assert other.whose(one.token(phone)) is None


def test_the_token_of_a_forgotten_phone_is_not_valid_for_a_later_one() -> None:
    access = Access(rng=random.Random(1))
    phone = access.phones.join()
    assert access.whose(access.token(phone)) == phone
    assert access.whose(access.token(dataclasses.replace(phone, key="somebody"))) is None


def test_the_csrf_token_is_not_the_token() -> None:
    access = Access(rng=random.Random(1))
    phone = access.phones.join()
    assert access.csrf(phone) not in access.token(phone)
    assert access.whose(f"{phone.id}.{phone.key}.{access.csrf(phone)}") is None


# On disk


def load(folder: Path, seed: int = 1) -> keys.Keys:
    return keys.load(folder, random.Random(seed))


def test_the_code_is_drawn_once_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    first = load(tmp_path)
    assert keys.is_code(first.code)
    assert load(tmp_path, 2) == first
    for file in tmp_path.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0, file
    assert not any(secret in repr(first) for secret in (first.code, first.invitation, first.secret.hex()))


@pytest.mark.parametrize("more", [{}, {"invitation": 7}, {"invitation": "short"}])
def test_an_older_versions_keys_get_an_invitation_and_stay_as_they_are(tmp_path: Path, more: dict[str, Any]) -> None:
    access = Access(tmp_path)
    phone = access.phones.join()
    file = tmp_path / keys.KEYS_FILE
    saved = json.loads(file.read_text())
    file.write_text(json.dumps({"code": saved["code"], "secret": saved["secret"], **more}))
    later = Access(tmp_path)
    assert (later.code, later.whose(access.token(phone))) == (access.code, phone)
    assert len(later.invitation) == 32
    assert later.invitation != access.invitation
    assert Access(tmp_path).invitation == later.invitation
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_configured_code_wins_and_the_drawn_one_is_not_lost(tmp_path: Path) -> None:
    without = load(tmp_path)
    phone = Access(tmp_path).phones.join()
    configured = Access(tmp_path, "0271")
    assert configured.code == "0271"
    assert configured.whose(Access(tmp_path).token(phone)) == phone
    assert load(tmp_path, 2) == without
    assert Access(tmp_path).code == without.code


@pytest.mark.parametrize(
    "damaged", ["", "{", "[]", '{"code": "12", "secret": "00"}', '{"code": 1, "secret": 2}', "\x00"]
)
def test_damaged_keys_are_replaced(tmp_path: Path, damaged: str, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / keys.KEYS_FILE).write_text(damaged)
    new = load(tmp_path)
    assert "join again" in caplog.text
    assert load(tmp_path, 2) == new


def test_keys_that_cannot_be_read_now_stay_as_they_are(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    original = load(tmp_path)
    away, there = tmp_path / "away", tmp_path / keys.KEYS_FILE
    there.rename(away)
    there.mkdir()  # this program must not repair such a file
    meanwhile = load(tmp_path, 2)
    assert keys.is_code(meanwhile.code)
    assert not meanwhile.drawn  # the phones are not forgotten
    assert "cannot be read" in caplog.text
    there.rmdir()
    away.rename(there)
    assert load(tmp_path, 2) == original


def test_keys_that_cannot_be_saved_work_until_a_restart(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / f"{keys.KEYS_FILE}.part").mkdir()
    assert keys.is_code(load(tmp_path).code)
    assert "cannot be kept" in caplog.text


def playing(names: Iterable[str], game: int = 1) -> State:
    """A state of a game in which `names` play."""
    players = tuple(PublicPlayer(name, "red", 5) for name in names)
    return replace(STATES["bidding"], version=game, game=game, players=players)


def phones(folder: Path | None) -> Phones:
    result = Phones(folder, rng=random.Random(1), clock=FakeClock())
    result.follow(playing(COMPANY))
    return result


def test_seats_and_host_survive_a_restart(tmp_path: Path) -> None:
    before = phones(tmp_path)
    ana, ben, tablet, watching = (before.join() for _ in range(4))
    before.sit(ana, "player", "Ana")
    before.sit(ben, "player", "Ben")
    before.sit(tablet, "table")
    before.sit(watching, "watching")
    before.hand_host(ben.id)
    before.hold(watching.id, True)
    after = phones(tmp_path)
    assert (kept := after.get(watching.id, watching.key)) is not None
    assert kept.held, "the host lets it only watch"
    roles = [(phone.role, phone.player) for each in (ana, tablet, watching) if (phone := after.get(each.id, each.key))]
    assert roles == [("player", "Ana"), ("table", None), ("watching", None)]
    assert after.is_host(ben)
    assert after.get(ben.id, ben.key)
    assert after.seats() == {"Ana": ana.id, "Ben": ben.id, "Cid": None}


def test_phones_that_cannot_be_saved_work_until_a_restart(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = phones(tmp_path)
    tmp_path.joinpath("phones.sqlite3").mkdir()
    ana = store.join()
    assert store.get(ana.id, ana.key) == ana
    assert "join again after a restart" in caplog.text


def test_a_damaged_file_of_phones_is_put_aside(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "phones.sqlite3").write_bytes(b"no database at all, " * 200)
    ana = phones(tmp_path).join()
    assert "join again" in caplog.text
    assert phones(tmp_path).get(ana.id, ana.key) is not None
    assert (tmp_path / "phones.damaged-1.sqlite3").exists()


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("sit"), st.integers(0, 3), st.sampled_from(COMPANY)),
        st.tuples(st.just("hand"), st.integers(0, 3), st.sampled_from(COMPANY)),
        st.tuples(st.sampled_from(["watching", "table"]), st.integers(0, 3), st.none()),
        st.tuples(st.just("leaves"), st.integers(0, 3), st.sampled_from(COMPANY)),
    ),
    max_size=30,
)


@settings(max_examples=40)
@given(STEPS)
def test_no_seat_ever_has_two_phones_and_no_phone_two_seats(steps: list[tuple[str, int, str | None]]) -> None:
    store = phones(None)
    joined = [store.join() for _ in range(4)]
    company = list(COMPANY)
    for game, (what, number, player) in enumerate(steps, start=2):
        if what == "leaves" and len(company) > 1 and player in company:
            company.remove(player)
            store.follow(playing(company, game))
        elif what == "hand" and player in company:
            store.hand(str(player), joined[number].id)
        elif what == "sit" and player in company:
            owner = store.on_seat(str(player))
            try:
                store.sit(joined[number], "player", player)
            except SeatTakenError:
                assert owner not in (None, joined[number].id)
        elif player is None:
            store.sit(joined[number], what)
        listed = {each.phone: each.player for each in store.presence().phones}
        seats = store.seats()
        assert list(seats) == company
        assert {phone: name for name, phone in seats.items() if phone} == {p: n for p, n in listed.items() if n}
        assert sum(each.host for each in store.presence().phones) == 1
