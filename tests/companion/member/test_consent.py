"""Who might be named when: by row of the journal, whatever happens to the files."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.member import consent
from companion.member.consent import ConsentHistory
from companion.member.errors import ClubError
from companion.member.membership import Membership, forget_membership
from companion.state_folder import CONSENT_FILE

HERE = Membership(club="club-1", title="Club", table="t-1", name="Window", broker="", since=3)


class Rows:
    """A journal that has only numbers."""

    def __init__(self, last: int) -> None:
        self.last, self.run = last, "1-20261124T200000000"
        self.runs: dict[str, int] = {}

    def start(self, time: str = "20261124T210000000") -> None:
        self.runs[self.run] = self.last
        self.run = f"{len(self.runs) + 1}-{time}"


@pytest.fixture
def rows() -> Rows:
    return Rows(3)


def history(folder: Path, rows: Rows, membership: Membership = HERE) -> ConsentHistory:
    return ConsentHistory(folder, membership, lambda: rows.last, rows.run, dict(rows.runs))


def agree(kept: ConsentHistory, *names: str) -> None:
    kept.agree(names, lambda: None)


def named(kept: ConsentHistory, rows: Rows) -> list[str]:
    """Who agreed, row by row, in a word."""
    return ["".join(each[0] for each in kept.at(row).names) for row in range(1, rows.last + 1)]


def test_names_hold_from_the_next_row_on(tmp_path: Path, rows: Rows) -> None:
    kept = history(tmp_path, rows)
    rows.last = 5
    agree(kept, "Ana")
    rows.last = 7
    agree(kept, "Ben")
    agree(kept, "Ana", "Ben")
    rows.last = 9
    assert named(kept, rows) == ["", "", "", "", "", "A", "A", "AB", "AB"]
    assert named(history(tmp_path, rows, replace(HERE, consent=("Ana", "Ben"))), rows) == named(kept, rows)
    assert (tmp_path / CONSENT_FILE).stat().st_mode & 0o777 == 0o600


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from(["agree", "enter", "start"]), st.sets(st.sampled_from("ABC")))
    )
)
def test_every_row_keeps_what_held_when_it_was_written(tmp_path_factory: pytest.TempPathFactory, doings: list) -> None:
    folder, rows = tmp_path_factory.mktemp("table"), Rows(3)
    kept, here = history(folder, rows), HERE
    written: dict[int, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    names: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    for count, doing, who in doings:
        if doing == "agree":
            names = tuple(sorted(who))
            agree(kept, *names)
            here = replace(here, consent=names)
        elif doing == "enter":
            players = tuple(sorted(who))
            kept.enter(players)
        else:
            rows.start()
            kept = history(folder, rows, here)
        for _ in range(count):
            rows.last += 1
            written[rows.last] = names, players
    assert {row: (kept.at(row).names, kept.at(row).entered) for row in written} == written


def test_a_table_that_joined_before_there_was_a_history_names_as_it_did(tmp_path: Path) -> None:
    rows, old = Rows(4), replace(HERE, since=0, consent=("Ana",))
    assert named(history(tmp_path, rows, old), rows) == ["A", "A", "A", "A"]
    kept = history(tmp_path, rows, replace(old, consent=("Ben",)))
    rows.last = 5
    assert named(kept, rows) == ["A", "A", "A", "A", "B"]


@pytest.mark.parametrize("spoil", [lambda path: path.write_text("{"), lambda path: path.unlink()])
def test_a_history_that_is_lost_names_nobody(tmp_path: Path, rows: Rows, spoil: object) -> None:
    agree(history(tmp_path, rows), "Ana")
    rows.start()
    rows.last = 8
    spoil(tmp_path / CONSENT_FILE)  # type: ignore[operator]
    kept = history(tmp_path, rows, replace(HERE, consent=("Ana",)))
    rows.last = 9
    assert named(kept, rows) == [""] * 8 + ["A"]


def test_that_of_another_club_is_none(tmp_path: Path, rows: Rows) -> None:
    agree(history(tmp_path, rows), "Ana")
    rows.last = 5
    assert named(history(tmp_path, rows, replace(HERE, club="club-2")), rows) == [""] * 5


def test_names_that_another_program_wrote_hold_from_now_on(tmp_path: Path, rows: Rows) -> None:
    agree(history(tmp_path, rows), "Ana")
    rows.last = 5
    kept = history(tmp_path, rows, replace(HERE, consent=("Ben",)))
    rows.last = 6
    assert named(kept, rows) == ["", "", "", "A", "A", "B"]


def test_rows_of_a_journal_that_was_put_back_are_others(tmp_path: Path, rows: Rows) -> None:
    """What was agreed in rows that are gone holds for none that is written in their place, and again if they return."""
    kept = history(tmp_path, rows)
    agree(kept, "Ana")
    rows.last = 5
    backup = copy.deepcopy(rows)
    rows.last = 7
    agree(kept, "Ana", "Ben")  # in the same start of the program, but after the backup
    rows.start()
    rows.last = 9
    agree(history(tmp_path, rows, replace(HERE, consent=("Ana", "Ben"))), "Cid")

    backup.start("20261125T200000000")
    kept = history(tmp_path, backup)
    backup.last = 12
    assert named(kept, backup) == ["", "", "", "A", "A"] + [""] * 7
    agree(kept, "Dora")

    rows.start("20261126T200000000")
    kept = history(tmp_path, rows, replace(HERE, consent=("Dora",)))
    rows.last = 10
    assert named(kept, rows) == ["", "", "", "A", "A", "A", "A", "AB", "AB", "D"]


def test_what_was_agreed_in_one_row_keeps_its_order(tmp_path: Path, rows: Rows) -> None:
    kept = history(tmp_path, rows)
    rows.last = 5
    agree(kept, "Ana")
    backup = copy.deepcopy(rows)
    rows.start()
    agree(history(tmp_path, rows, replace(HERE, consent=("Ana",))), "Ben")
    backup.start("20261125T200000000")
    history(tmp_path, backup, replace(HERE, consent=("Ben",))).enter(("Cid",))
    rows.last = 6
    rows.start("20261126T200000000")
    assert named(history(tmp_path, rows, replace(HERE, consent=("Ben",))), rows) == ["", "", "", "", "", "B"]


def test_a_hub_that_changes_its_mind_fills_no_disk(tmp_path: Path, rows: Rows) -> None:
    kept = history(tmp_path, rows)
    for each in range(100):
        kept.enter((f"Player {each}",))
    assert len(json.loads((tmp_path / CONSENT_FILE).read_text())["history"]) == 2


def test_a_history_that_is_lost_with_the_journal_begins_now(tmp_path: Path, rows: Rows) -> None:
    assert history(tmp_path, rows, replace(HERE, since=30)).since == 3


def test_a_journal_from_before_the_joining_has_nothing_for_the_club(tmp_path: Path, rows: Rows) -> None:
    backup = copy.deepcopy(rows)
    rows.start()
    rows.last = 30
    here = replace(HERE, since=30)
    assert history(tmp_path, rows, here).since == 30
    rows.last = 40
    backup.start("20261125T200000000")
    assert history(tmp_path, backup, here).since == 3
    backup.last = 35
    rows.start("20261126T200000000")
    assert history(tmp_path, rows, here).since == 30
    rows.start("20261127T200000000")
    assert history(tmp_path, rows, replace(here, since=40)).since == 40, "it has joined again"


def test_what_is_written_elsewhere_in_vain_is_not_agreed(tmp_path: Path, rows: Rows) -> None:
    def full() -> None:
        raise ClubError("The disk is full.")

    kept = history(tmp_path, rows)
    with pytest.raises(ClubError):
        kept.agree(("Ana",), full)
    rows.last = 5
    assert named(kept, rows) == [""] * 5
    assert named(history(tmp_path, rows), rows) == [""] * 5
    assert "Ana" not in (tmp_path / CONSENT_FILE).read_text()


def test_a_full_disk_refuses_consent_and_keeps_what_the_hub_said(
    tmp_path: Path, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    kept = history(tmp_path, rows)
    with monkeypatch.context() as patched:
        patched.setattr(consent, "write_atomically", full)
        with pytest.raises(ClubError, match="No space left"):
            agree(kept, "Ana")
        kept.enter(("Ben",))
    assert (kept.now.names, kept.now.entered) == ((), ("Ben",))
    assert "Ben" not in (tmp_path / CONSENT_FILE).read_text()
    kept.save()
    assert json.loads((tmp_path / CONSENT_FILE).read_text())["history"][-1]["entered"] == ["Ben"]


def test_who_leaves_leaves_no_names_behind(tmp_path: Path, rows: Rows) -> None:
    agree(history(tmp_path, rows), "Ana")
    forget_membership(tmp_path)
    assert list(tmp_path.iterdir()) == []
