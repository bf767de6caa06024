"""The names of players in the club: their own only with their consent, else their colours."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Final

from companion.engine import Outcome, Position
from companion.member.payloads import ClubBid, ClubPlayer, ClubVerdict, TableState
from companion.table.game import sentences
from companion.table.game.table_position import TablePosition
from companion.table.state.state import State

NOBODY: Final = "(?)"
"""For a player who has left the table and not agreed to be named."""


class PlayerNames:
    """The names in one game."""

    def __init__(self, colours: Mapping[str, str], consent: Collection[str]) -> None:
        """`colours`: player -> colour; `consent`: players who may be named."""
        self._colours = colours
        self._consent = consent

    def of(self, player: str) -> str:
        """The club's name for `player`."""
        if player in self._consent:
            return player
        colour = self._colours.get(player)
        return NOBODY if colour is None else f"({colour})"

    def maybe(self, player: str | None) -> str | None:
        return None if player is None else self.of(player)

    def all(self, players: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(self.of, players))

    def player(self, name: str, dice: int | None) -> ClubPlayer:
        return ClubPlayer(self.of(name), self._colours[name], dice, name in self._consent)

    def verdict(self, after: Position | None) -> ClubVerdict | None:
        """The verdict that led to the position `after`."""
        if after is None or after.outcome is None:
            return None
        outcome = self._outcome(after.outcome)
        going_on = after.winner is None
        opener = self.of(after.starter) if going_on else None
        palifico = self.maybe(after.palifico) if going_on else None
        winner = self.maybe(after.winner)
        sentence = sentences.verdict(outcome, after.ruleset, opener, palifico, winner)
        return ClubVerdict(
            call=outcome.call,
            caller=outcome.caller,
            bid=ClubBid(outcome.bid.player, outcome.bid.count, outcome.bid.face),
            wild=outcome.wild,
            count=outcome.count,
            least=outcome.least,
            most=outcome.most,
            correct=outcome.correct,
            loses=outcome.loses,
            lost=outcome.lost,
            gains=outcome.gains,
            eliminated=outcome.eliminated,
            palifico=palifico,
            winner=winner,
            sentence=str(sentence),
            said=sentence.parts,
        )

    def _outcome(self, outcome: Outcome) -> Outcome:
        return replace(
            outcome,
            caller=self.of(outcome.caller),
            bid=replace(outcome.bid, player=self.of(outcome.bid.player)),
            loses=self.maybe(outcome.loses),
            gains=self.maybe(outcome.gains),
            eliminated=self.maybe(outcome.eliminated),
        )


def table_state(position: TablePosition, state: State, consent: Collection[str]) -> TableState:
    """The part of `state`, the public state of `position`, that the club may see."""
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
