"""New versions as the page sees them: a real signed release on a real web server; root is played."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.box.release.versions import Versions
from companion.features.updates.service import Updates, UpdateState
from tests.fakes.releases import key, publish, put, release, signers, versions
from tests.fakes.root import FakeRoot

__all__ = ["key", "publish", "put", "release", "signers", "versions"]

pytestmark = pytest.mark.programs("ssh-keygen")

Boxes = Callable[[str], Updates]
Publish = Callable[..., str]


@pytest.fixture
def root() -> FakeRoot:
    return FakeRoot()


@pytest.fixture
def box(
    versions: Versions, root: FakeRoot, signers: Path, put: Callable[[str], str], tmp_path: Path
) -> Callable[[str], Updates]:
    """A box on which version `one` is in use, and whose updates are at an address."""
    versions.use(put("one"))
    return lambda address: Updates(address, root, versions, tmp_path, signers, spawn=lambda job: job())


def now(updates: Updates) -> UpdateState:
    state = updates.state()
    assert state is not None
    return state


def test_a_newer_version_is_found_with_what_is_new_and_taken(box: Boxes, publish: Publish, root: FakeRoot) -> None:
    address = publish("two", made="2026-12-24T03:00:00+00:00")
    updates = box(address)
    assert now(updates).newer is None
    updates.look()
    found = now(updates).newer
    assert (found.name, found.notes) == ("two", ("What is new.",))
    updates.update()
    assert root.asked == [{"do": "update", "address": address}]


def test_an_older_one_is_not_offered(box: Boxes, publish: Publish) -> None:
    updates = box(publish("two", made="2020-12-24T03:00:00+00:00"))
    updates.look()
    assert (now(updates).newer, now(updates).looked, now(updates).trouble) == (None, True, None)


def test_an_update_that_fails_says_why_and_can_be_tried_again(box: Boxes, root: FakeRoot) -> None:
    updates = box("http://127.0.0.1:9/")
    updates.look()
    trouble = now(updates).trouble
    assert "Looking for updates failed" in trouble.sentence
    root.refuse = "Only 3 MB are free."
    updates.update()
    updates.update()
    trouble = now(updates).trouble
    assert trouble.sentence == "The update failed: Only 3 MB are free."
    assert len(root.asked) == 2
    assert not now(updates).working


def test_without_an_address_the_box_says_where_it_goes(box: Boxes) -> None:
    updates = box("")
    updates.look()
    trouble = now(updates).trouble
    assert "[update]" in trouble.sentence


@pytest.mark.parametrize(
    ("reads", "lost"),
    [
        ((9, 4), 0),
        ((9,), 1),
        ((9, 2), 1),  # one is cut short
        ((), 2),
        (None, 2),  # it gives up
    ],
)
def test_the_version_before_is_not_used_without_a_word_of_the_games_it_does_not_read(
    box: Boxes, versions: Versions, put: Callable[[str], str], root: FakeRoot, reads: tuple[int, ...] | None, lost: int
) -> None:
    """Each version tells of its games, by their rounds."""
    updates = box("")
    versions.use(put("two"))
    for link, told in (("current", (9, 4)), ("before", reads)):
        lines = [
            json.dumps({"game": str(n), "rounds": rounds, "of its own": link})
            for n, rounds in enumerate((9, 4) if told is None else told)
        ]
        program = versions.place / link / "bin" / "perudo"
        program.write_text("".join(f"echo '{line}'\n" for line in lines) + f"exit {int(told is None)}\n")
        program.write_text(f"#!/bin/sh\n{program.read_text()}")
    updates.go_back()
    assert (root.asked, now(updates).lost, now(updates).working) == ([{"do": "go-back"}] * (not lost), lost, False)
    if trouble := now(updates).trouble:
        assert lost
        assert "cannot read all games" in trouble.sentence
        updates.go_back(lose=True)
        assert (root.asked, now(updates).trouble) == ([{"do": "go-back"}], None)


def test_a_program_installed_in_another_way_is_not_updated_from_the_page(tmp_path: Path, root: FakeRoot) -> None:
    assert Updates("", root, Versions(tmp_path), tmp_path).state() is None
