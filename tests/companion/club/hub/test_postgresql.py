"""The books on PostgreSQL, for who has one: PERUDO_POSTGRESQL is the URL of an empty database."""

from __future__ import annotations

import os
import random
from datetime import timedelta
from pathlib import Path

import pytest

from companion.club.hub.store import Store
from companion.member.errors import NotAllowedInClubError
from tests.companion.member.test_outbox import messages
from tests.fakes.club_store import stored_keys

URL = os.environ.get("PERUDO_POSTGRESQL", "")
pytestmark = pytest.mark.skipif(not URL, reason="PERUDO_POSTGRESQL names no database")


def test_the_books_are_the_same_there(tmp_path: Path) -> None:
    every = messages(3)
    store = Store(tmp_path, URL)
    assert len(store.take([("t-1", each) for each in (*every, *every)]).new) == 3
    store.close()
    store = Store(tmp_path, URL)
    taken = store.take([("t-1", every[2]), ("t-2", every[1])])
    assert taken.new == ()
    assert {table: (ack.key, ack.missing) for table, ack in taken.acks.items()} == {
        "t-1": (every[2].key, False),
        "t-2": (None, True),
    }
    assert stored_keys(store, "t-1") == [each.key for each in every]
    invitation = store.invite("http://10.0.0.1:8100", random.Random(1))
    store.admit(invitation.id, "t-3", "Window")
    with pytest.raises(NotAllowedInClubError):
        store.admit(invitation.id, "t-4", "Door")
    assert store.setting("title", lambda: "Crown") == "Crown"
    store.add_tournament_events(1, [b"{}", b"{}"])
    assert store.tournament_events() == [(1, b"{}"), (1, b"{}")]
    assert list(store.recent_tournaments(timedelta(hours=1))) == [1]
    assert store.recent_tournaments(-timedelta(hours=1)) == {}
    store.close()
