"""What every lamp of the panel says in every phase. Pure; the table in docs/wiring.md is the same thing in words.

A lamp is told from its neighbour by its place and by whether it blinks, never by its colour alone.
"""

from __future__ import annotations

from companion.table.position import Phase, TablePosition
from hardware.panel import Lamp


def button_lamps(position: TablePosition) -> dict[str, Lamp]:
    """The lamps in the buttons, "dudo" and "calza"."""
    lamps = {"dudo": Lamp.OFF, "calza": Lamp.OFF}
    game = position.game
    if position.paused:
        return lamps
    if position.phase is Phase.BIDDING and game is not None:
        if game.may_dudo():
            lamps["dudo"] = Lamp.ON
        if game.may_calza():
            lamps["calza"] = Lamp.ON
    elif position.phase is Phase.ASKING:
        lamps["calza"] = Lamp.BLINK
    elif position.phase in (Phase.ROLLING, Phase.VERDICT):
        lamps["dudo"] = Lamp.ON
    elif position.counting is not None:
        lamps[position.counting] = Lamp.BLINK
    elif position.phase in (Phase.READING, Phase.CHECKING) and position.called is not None:
        call = position.called.call
        if call is not None:
            lamps[type(call).__name__.lower()] = Lamp.BLINK
    return lamps


def seat_lamps(position: TablePosition) -> dict[str, Lamp]:
    """The lamp of each player's seat."""
    lamps = dict.fromkeys(position.colours, Lamp.OFF)
    game = position.game
    if position.paused:
        return lamps
    if position.rolling is not None:
        lamps.update(dict.fromkeys(position.rolling.rolling, Lamp.BLINK))
    if game is None:
        return lamps
    if position.phase is Phase.OVER:
        if game.winner is not None:
            lamps[game.winner] = Lamp.BLINK
        return lamps
    if position.phase is Phase.BIDDING and game.turn is not None:
        lamps[game.turn] = Lamp.ON
    elif position.phase is Phase.ASKING:
        lamps.update(dict.fromkeys(position.asking, Lamp.BLINK))
    elif position.phase is Phase.READING and position.called is not None and position.called.call is not None:
        lamps[position.called.call.player] = Lamp.ON
    elif position.phase is Phase.CHECKING:
        asked = {problem.player for problem in position.problems() if problem.player is not None}
        lamps.update(dict.fromkeys(asked, Lamp.BLINK))
    elif position.verdict is not None:
        outcome = position.verdict.outcome
        if position.verdict.opener is not None:
            lamps[position.verdict.opener] = Lamp.ON
        concerned = outcome.loses or outcome.gains
        if concerned is not None:
            lamps[concerned] = Lamp.BLINK
    return lamps


def panel_lamps(position: TablePosition) -> dict[str, Lamp]:
    """All of them by the panel's names: "dudo", "calza", "seat0" and on, clockwise."""
    seats = seat_lamps(position)
    return {**button_lamps(position), **{f"seat{n}": lamp for n, lamp in enumerate(seats.values())}}
