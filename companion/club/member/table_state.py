"""The public state of a table, as the club sees it. Pure."""

from __future__ import annotations

from collections.abc import Collection

from companion.club.member.player_names import PlayerNames
from companion.club.payloads import ClubBid, TableState
from companion.table.game.table_position import TablePosition
from companion.table.state.state import State


def table_state(position: TablePosition, state: State, consent: Collection[str]) -> TableState:
    """What the club may see of `state`, which is the public state of `position`."""
    names = PlayerNames({player.name: player.colour for player in state.players}, consent)
    bid = state.bid
    return TableState(
        version=state.version,
        phase=state.phase,
        paused=state.paused,
        game=state.game,
        ruleset=state.ruleset,
        rules_name=state.rules_name,
        calza=state.calza,
        round=state.round,
        turn=names.maybe(state.turn),
        opener=names.maybe(state.starter),
        palifico=names.maybe(state.palifico),
        wild=state.wild,
        bid=None if bid is None else ClubBid(names.of(bid.player), bid.count, bid.face),
        players=tuple(names.player(player.name, player.dice) for player in state.players),
        verdict=names.verdict(position.verdict or position.last),
        winner=names.maybe(state.winner),
        journal_ok=state.journal.ok,
        camera_ok=state.camera.ok,
    )
