"""What the panel's lamps, buzzer and display show in each phase. Pure.

docs/reference/wiring.md contains these tables. Lamps are identified by position, and their meaning by pattern, never
by colour.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Final, NamedTuple

from companion.table.game.table_position import Phase
from companion.table.state.state import PublicVerdict, State
from hardware.panel.buzzer import Sound
from hardware.panel.lamp_patterns import LampPattern

Lines = tuple[str, ...]


class ButtonSign(NamedTuple):
    """A pattern of a button's lamp, and its condition."""

    lamp: LampPattern
    when: str
    """The condition in words; empty means always."""
    holds: Callable[[State], bool] = lambda _: True


class SeatSign(NamedTuple):
    """A pattern of the seats' lamps, and which seats show it."""

    lamp: LampPattern
    whose: str
    """The seats in words."""
    who: Callable[[State], Collection[str | None]]


class PhaseSigns(NamedTuple):
    """The signs of a phase. A lamp without an applicable sign is off."""

    dudo: ButtonSign | None
    calza: ButtonSign | None
    seats: tuple[SeatSign, ...]
    """If several apply to a player, the first is shown."""
    sound: Sound | None
    """Played when the phase begins."""
    shows: str
    """The display's lines, in words."""
    lines: Callable[[State], Lines]


# The display


def _rolling(state: State) -> Lines:
    return ("roll for the opening", "then DUDO", " ".join(_who_rolls(state)))


def _bid(state: State) -> str:
    return "" if state.bid is None else f"{state.bid.count} x {state.bid.face}"


def _bidding(state: State) -> Lines:
    special = ("palifico",) if state.palifico is not None else ()
    if state.bid is None:
        opens = f"{state.turn} opens"
        return ("round void", opens, *special) if state.voided else (opens, *special)
    return (f"{_bid(state)}  {state.bid.player}", f"{state.turn}?", *special)


_WAITING: Final = {
    "moving": "cups up, hands away",
    "missing": "dice are missing",
    "again": "reading again",
    "given-up": "press to look again",
    "camera": "no camera",
    "reader": "reading went wrong",
}


def _reading(state: State) -> Lines:
    called = (state.counting or "").upper() if state.call is None else f"{state.call.kind.upper()} {state.call.player}"
    waiting = _WAITING.get(state.waiting.code, "reading") if state.waiting is not None else "reading"
    return tuple(line for line in (_bid(state), called, waiting) if line)


def _checking(state: State) -> Lines:
    return ("look at a phone", " ".join(_who_is_asked(state)))


def _verdict(state: State) -> Lines:
    verdict = state.verdict
    if verdict is None:
        return ("game over",)
    count = str(verdict.count) if verdict.least == verdict.most else f"{verdict.least}-{verdict.most}"
    lines = (f"{count} x {verdict.bid.face}", f"bid {verdict.bid.count}: {_follows(verdict)}")
    return (f"{verdict.winner} wins", *lines) if verdict.winner is not None else lines


def _follows(verdict: PublicVerdict) -> str:
    if verdict.eliminated is not None:
        return f"{verdict.eliminated} is out"
    if verdict.loses is not None:
        return f"{verdict.loses} -{verdict.lost}"
    return f"{verdict.gains} +1" if verdict.gains is not None else f"{verdict.caller} is right"


# Conditions for seats


def _who_rolls(state: State) -> Collection[str]:
    return () if state.opening is None else state.opening.rolling


def _who_is_asked(state: State) -> Collection[str]:
    problems = () if state.reading is None else state.reading.problems
    return dict.fromkeys(problem.player for problem in problems if problem.player is not None)


def _in_verdict(who: Callable[[PublicVerdict], str | None]) -> Callable[[State], Collection[str | None]]:
    return lambda state: () if state.verdict is None else (who(state.verdict),)


def _asks(state: State, call: str) -> bool:
    return state.asking is not None and state.asking.call == call


def _calling(button: str) -> ButtonSign:
    """The sign of `button` after its call."""

    def calls(state: State) -> bool:
        return button in (state.counting, state.call.kind if state.call is not None else None)

    return ButtonSign(LampPattern.BLINK, f"after {button.upper()}", calls)


_HOW_TO_JOIN: Final = "the address and the code; before them the box's own Wi-Fi and its password, while it is open"

SIGNS_BY_PHASE: Final[Mapping[Phase, PhaseSigns]] = {
    Phase.SEATING: PhaseSigns(None, None, (), None, _HOW_TO_JOIN, lambda _: ("Perudo",)),
    Phase.ROLLING: PhaseSigns(
        ButtonSign(LampPattern.ON, "it has the roll read"),
        None,
        (SeatSign(LampPattern.BLINK, "who rolls for the opening", _who_rolls),),
        None,
        "who rolls",
        _rolling,
    ),
    Phase.BIDDING: PhaseSigns(
        ButtonSign(LampPattern.ON, "there is a bid to doubt", lambda state: bool(state.may.dudo)),
        ButtonSign(LampPattern.ON, "somebody may say calza", lambda state: bool(state.may.calza)),
        (SeatSign(LampPattern.ON, "the player on turn", lambda state: (state.turn,)),),
        None,
        "the bid, and whose turn it is",
        _bidding,
    ),
    Phase.ASKING: PhaseSigns(
        ButtonSign(LampPattern.BLINK, "it was pressed", lambda state: _asks(state, "dudo")),
        ButtonSign(LampPattern.BLINK, "it was pressed", lambda state: _asks(state, "calza")),
        (
            SeatSign(
                LampPattern.BLINK, "who may have called", lambda state: state.asking.players if state.asking else ()
            ),
        ),
        Sound.ASKED,
        "that it is asked who called",
        lambda state: (state.asking.call.upper() if state.asking else "", "who?"),
    ),
    Phase.READING: PhaseSigns(
        _calling("dudo"),
        _calling("calza"),
        (SeatSign(LampPattern.ON, "who called", lambda state: (state.call.player,) if state.call else ()),),
        Sound.LOOK,
        "the bid, the call, and what the camera waits for",
        _reading,
    ),
    Phase.CHECKING: PhaseSigns(
        _calling("dudo"),
        _calling("calza"),
        (SeatSign(LampPattern.BLINK, "whose dice are asked about", _who_is_asked),),
        Sound.ASKED,
        "to look at a phone, and whose dice are asked about",
        _checking,
    ),
    Phase.TELLING: PhaseSigns(
        _calling("dudo"),
        _calling("calza"),
        (),
        Sound.ASKED,
        "that it is asked who called",
        lambda _: ("counted", "who called?"),
    ),
    Phase.VERDICT: PhaseSigns(
        ButtonSign(LampPattern.ON, "it goes on to the next round"),
        None,
        (
            SeatSign(LampPattern.DOUBLE, "who loses a die", _in_verdict(lambda verdict: verdict.loses)),
            SeatSign(LampPattern.PULSE, "who takes one back", _in_verdict(lambda verdict: verdict.gains)),
            SeatSign(
                LampPattern.ON,
                "who opens the next round, if somebody else",
                _in_verdict(lambda verdict: verdict.opener),
            ),
        ),
        Sound.JUDGED,
        "the dice counted, the bid, and who pays",
        _verdict,
    ),
    Phase.OVER: PhaseSigns(
        None,
        None,
        (SeatSign(LampPattern.PULSE, "the winner", lambda state: (state.winner,)),),
        Sound.WON,
        "the winner and the last verdict",
        _verdict,
    ),
}

STARTING: Final = LampPattern.PULSE
"""The status lamp while the program starts."""

SWITCHING_OFF: Final = LampPattern.PULSE
"""The lamps of both buttons, and the status lamp, while the box switches off."""

STATUS: Final[tuple[tuple[LampPattern, str, Callable[[State], bool]], ...]] = (
    (
        LampPattern.FLICKER,
        "an error: what happens cannot be kept on disk, or reading goes wrong",
        lambda state: not state.journal.ok or (state.waiting is not None and state.waiting.code == "reader"),
    ),
    (LampPattern.DOUBLE, "no camera answers; count by hand", lambda state: not state.camera.ok),
    (
        LampPattern.BLINK,
        "the camera reads the dice",
        lambda state: state.phase is Phase.READING and not state.paused,
    ),
    (LampPattern.ON, "ready", lambda _: True),
)
"""The status lamp shows the first line that applies."""


def lamps(state: State) -> dict[str, LampPattern]:
    """Lamp -> pattern, for the buttons "dudo" and "calza" and each player."""
    row = SIGNS_BY_PHASE[state.phase]
    shown = dict.fromkeys(("dudo", "calza", *(player.name for player in state.players)), LampPattern.OFF)
    if not state.paused:
        for button, button_sign in (("dudo", row.dudo), ("calza", row.calza)):
            if button_sign is not None and button_sign.holds(state):
                shown[button] = button_sign.lamp
        for sign in reversed(row.seats):
            shown.update({name: sign.lamp for name in sign.who(state) if name is not None})
    return shown


def status_lamp(state: State) -> LampPattern:
    return next(lamp for lamp, _, holds in STATUS if holds(state))


def join_lines(address: str, code: str, wifi: tuple[str, str] | None = None) -> Lines:
    """How phones join: with `code` at `address`, which is without `http://`.

    `wifi`: name and password of the box's own network while it is open, since a phone must join that first.
    """
    own = () if wifi is None else (f"Wi-Fi {wifi[0]}", wifi[1])
    return (*own, address, f"code {code}")


def display_lines(state: State, join: Lines = ()) -> Lines:
    """The display's lines, most important first. `join`: how phones join, shown until there is a game."""
    if state.paused:
        return ("a break",)
    if state.phase is Phase.SEATING and join:
        return join
    return SIGNS_BY_PHASE[state.phase].lines(state)


def sound_at(phase: Phase, winner: str | None) -> Sound | None:
    """What the buzzer plays when a phase begins. A game without a winner ends in silence."""
    return None if phase is Phase.OVER and winner is None else SIGNS_BY_PHASE[phase].sound
