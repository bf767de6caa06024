"""Records of games that were never played, as a club's tables send them."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.palette import COLOURS
from companion.club.payloads import ClubPlayer, RecordEvent
from companion.table.past.games import Ending


def club_record(
    game: str,
    *places: str,
    ending: Ending | None = None,
    players: Sequence[str] | None = None,
    unnamed: Sequence[str] = (),
    began: str = "2026-11-24T19:30:00Z",
) -> RecordEvent:
    """The record of `game`, such as "a/10", with these places: "Ben", or "Ben Cid" for a shared one.

    Without places nobody has won. `players` are clockwise; the default is by place.
    """
    shared = tuple(tuple(place.split()) for place in places)
    names = [name for place in shared for name in place] if players is None else players
    return RecordEvent(
        game=game,
        began=began,
        ended=began,
        ending=ending or (Ending.WON if places else Ending.ENDED),
        players=tuple(
            ClubPlayer(name, COLOURS[seat % len(COLOURS)], None, name not in unnamed) for seat, name in enumerate(names)
        ),
        places=shared,
        rounds=12,
        ruleset="asmodee-fr",
        rules={},
        calza=True,
        record=(),
    )
