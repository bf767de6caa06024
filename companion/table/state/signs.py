"""What the panel's lamps, buzzer and display show in each phase. Pure.

`in_words` writes the same tables for docs/reference/wiring.md. Lamps are told apart by position and their meaning by
their pattern, never by colour.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from companion.table.game.table_position import Phase, TablePosition
from hardware.panel.buzzer import Sound
from hardware.panel.lamp_patterns import LampPattern

Lines = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Now:
    """What the panel shows besides the game."""

    camera: bool = True
    """Whether the camera works."""
    journal: bool = True
    """Whether the journal can be written."""
    waiting: str = ""
    """The `code` of `companion.table.state.state.Waiting`."""
    refusal: str = ""
    """Why the last press was refused."""
    address: str = ""
    """The address of the page, without `http://`."""
    code: str = ""
    """The code with which phones join."""


@dataclass(frozen=True, slots=True)
class Signs:
    """Everything that the panel shows."""

    lamps: Mapping[str, LampPattern]
    """"dudo", "calza", "status" and, clockwise, "seat0", "seat1", ..."""
    colours: tuple[str, ...]
    """The players' colours, by seat."""
    lines: Lines


class ButtonSign(NamedTuple):
    """A pattern of a button's lamp, and its condition."""

    lamp: LampPattern
    when: str
    """The condition in words; empty means always."""
    holds: Callable[[TablePosition], bool] = lambda _: True


class SeatSign(NamedTuple):
    """A pattern of the seats' lamps, and whose lamps show it."""

    lamp: LampPattern
    whose: str
    """In words."""
    who: Callable[[TablePosition], Collection[str | None]]


class PhaseSigns(NamedTuple):
    """The signs of a phase. A lamp shows the first of its signs that holds, and is off if none does."""

    dudo: tuple[ButtonSign, ...]
    calza: tuple[ButtonSign, ...]
    seats: tuple[SeatSign, ...]
    sound: Sound | None
    """Played when the phase begins."""
    shows: str
    """The display's lines, in words."""
    lines: Callable[[TablePosition, Now], Lines]


# The display


def _seating(_: TablePosition, now: Now) -> Lines:
    return tuple(line for line in (now.address, f"code {now.code}" if now.code else "") if line) or ("Perudo",)


def _rolling(position: TablePosition, _: Now) -> Lines:
    rolling = position.rolling
    return ("roll for the opening", "then DUDO", " ".join(rolling.rolling if rolling else ()))


def _bid(position: TablePosition) -> str:
    game = position.game_at_call or position.game
    return "" if game is None or game.bid is None else f"{game.bid.count} x {game.bid.face}"


def _bidding(position: TablePosition, _: Now) -> Lines:
    game = position.game
    if game is None or game.turn is None:
        return ()
    special = ("palifico",) if game.palifico is not None else ()
    if game.bid is None:
        return (f"{game.turn} opens", *special)
    return (f"{_bid(position)}  {game.bid.player}", f"{game.turn}?", *special)


def _called(position: TablePosition) -> str:
    call = position.game_at_call.call if position.game_at_call is not None else None
    if call is None:
        return (position.counting or "").upper()
    return f"{call.kind.upper()} {call.player}"


_WAITING: Final = {
    "moving": "cups up, hands away",
    "missing": "dice are missing",
    "again": "reading again",
    "given-up": "press to look again",
    "camera": "no camera",
    "reader": "reading went wrong",
}


def _reading(position: TablePosition, now: Now) -> Lines:
    lines = (_bid(position), _called(position), _WAITING.get(now.waiting, "reading"))
    return tuple(line for line in lines if line)


def _checking(position: TablePosition, _: Now) -> Lines:
    return ("look at a phone", " ".join(_asked(position)))


def _verdict(position: TablePosition, _: Now) -> Lines:
    verdict = position.verdict
    if verdict is None:
        return ("game over",) if position.phase is Phase.OVER else ()
    outcome = verdict.outcome
    if outcome.eliminated is not None:
        follows = f"{outcome.eliminated} is out"
    elif outcome.loses is not None:
        follows = f"{outcome.loses} -1"
    else:
        follows = f"{outcome.gains} +1" if outcome.gains is not None else f"{outcome.caller} is right"
    lines = (f"{outcome.count} x {outcome.bid.face}", f"bid {outcome.bid.count}: {follows}")
    return (f"{verdict.winner} wins", *lines) if verdict.winner is not None else lines


# Whose lamps


def _asked(position: TablePosition) -> tuple[str, ...]:
    return tuple(dict.fromkeys(problem.player for problem in position.problems() if problem.player is not None))


def _caller(position: TablePosition) -> tuple[str, ...]:
    call = position.game_at_call.call if position.game_at_call is not None else None
    return () if call is None else (call.player,)


def _turn(position: TablePosition) -> tuple[str | None, ...]:
    return () if position.game is None else (position.game.turn,)


def _loses(position: TablePosition) -> tuple[str | None, ...]:
    return () if position.verdict is None else (position.verdict.outcome.loses,)


def _gains(position: TablePosition) -> tuple[str | None, ...]:
    return () if position.verdict is None else (position.verdict.outcome.gains,)


def _opens(position: TablePosition) -> tuple[str | None, ...]:
    return () if position.verdict is None else (position.verdict.opener,)


def _winner(position: TablePosition) -> tuple[str | None, ...]:
    return () if position.game is None else (position.game.winner,)


def _calling(button: str) -> Callable[[TablePosition], bool]:
    """A test whether the current call is the one of `button`."""

    def calls(position: TablePosition) -> bool:
        call = position.game_at_call.call if position.game_at_call is not None else None
        return position.counting == button or (call is not None and call.kind == button)

    return calls


_CALLED: Final = {
    name: (ButtonSign(LampPattern.BLINK, f"after {name.upper()}", _calling(name)),) for name in ("dudo", "calza")
}
_ON: Final = "it goes on to the next round"

SIGNS_BY_PHASE: Final[Mapping[Phase, PhaseSigns]] = {
    Phase.SEATING: PhaseSigns((), (), (), None, "the address and the code", _seating),
    Phase.ROLLING: PhaseSigns(
        (ButtonSign(LampPattern.ON, "it has the roll read"),),
        (),
        (
            SeatSign(
                LampPattern.BLINK, "who rolls for the opening", lambda it: it.rolling.rolling if it.rolling else ()
            ),
        ),
        None,
        "who rolls",
        _rolling,
    ),
    Phase.BIDDING: PhaseSigns(
        (
            ButtonSign(
                LampPattern.ON, "there is a bid to doubt", lambda it: it.game is not None and bool(it.game.may_dudo())
            ),
        ),
        (
            ButtonSign(
                LampPattern.ON, "somebody may say calza", lambda it: it.game is not None and bool(it.game.may_calza())
            ),
        ),
        (SeatSign(LampPattern.ON, "the player on turn", _turn),),
        None,
        "the bid, and whose turn it is",
        _bidding,
    ),
    Phase.ASKING: PhaseSigns(
        (),
        (ButtonSign(LampPattern.BLINK, ""),),
        (SeatSign(LampPattern.BLINK, "who may have said calza", lambda it: it.possible_callers),),
        Sound.ASKED,
        "that it is asked who called",
        lambda _, __: ("CALZA", "who?"),
    ),
    Phase.READING: PhaseSigns(
        _CALLED["dudo"],
        _CALLED["calza"],
        (SeatSign(LampPattern.ON, "who called", _caller),),
        Sound.LOOK,
        "the bid, the call, and what the camera waits for",
        _reading,
    ),
    Phase.CHECKING: PhaseSigns(
        _CALLED["dudo"],
        _CALLED["calza"],
        (SeatSign(LampPattern.BLINK, "whose dice are asked about", _asked),),
        Sound.ASKED,
        "to look at a phone, and whose dice are asked about",
        _checking,
    ),
    Phase.TELLING: PhaseSigns(
        _CALLED["dudo"],
        _CALLED["calza"],
        (),
        Sound.ASKED,
        "that it is asked who called",
        lambda _, __: ("counted", "who called?"),
    ),
    Phase.VERDICT: PhaseSigns(
        (ButtonSign(LampPattern.ON, _ON),),
        (),
        (
            SeatSign(LampPattern.DOUBLE, "who loses a die", _loses),
            SeatSign(LampPattern.PULSE, "who takes one back", _gains),
            SeatSign(LampPattern.ON, "who opens the next round, if somebody else", _opens),
        ),
        Sound.JUDGED,
        "the dice counted, the bid, and who pays",
        _verdict,
    ),
    Phase.OVER: PhaseSigns(
        (),
        (),
        (SeatSign(LampPattern.PULSE, "the winner", _winner),),
        Sound.WON,
        "the winner and the last verdict",
        _verdict,
    ),
}

STARTING: Final = LampPattern.PULSE
"""The status lamp while the program starts."""

STATUS: Final[tuple[tuple[LampPattern, str, Callable[[TablePosition, Now], bool]], ...]] = (
    (
        LampPattern.FLICKER,
        "an error: what happens cannot be kept on disk, or reading goes wrong",
        lambda it, now: not now.journal or (it.phase is Phase.READING and now.waiting == "reader"),
    ),
    (LampPattern.DOUBLE, "no camera answers; count by hand", lambda _, now: not now.camera),
    (LampPattern.BLINK, "the camera reads the dice", lambda it, _: it.phase is Phase.READING and not it.paused),
    (LampPattern.ON, "ready", lambda _, __: True),
)
"""The status lamp shows the first line that holds."""


def button_lamps(position: TablePosition) -> dict[str, LampPattern]:
    row = SIGNS_BY_PHASE[position.phase]
    return {name: _first(says, position) for name, says in (("dudo", row.dudo), ("calza", row.calza))}


def _first(signs: tuple[ButtonSign, ...], position: TablePosition) -> LampPattern:
    if position.paused:
        return LampPattern.OFF
    return next((sign.lamp for sign in signs if sign.holds(position)), LampPattern.OFF)


def seat_lamps(position: TablePosition) -> dict[str, LampPattern]:
    """Each player's lamp."""
    lamps = dict.fromkeys(position.colours, LampPattern.OFF)
    if not position.paused:
        for sign in reversed(SIGNS_BY_PHASE[position.phase].seats):
            lamps.update({name: sign.lamp for name in sign.who(position) if name is not None})
    return lamps


def status_lamp(position: TablePosition, now: Now) -> LampPattern:
    return next(lamp for lamp, _, holds in STATUS if holds(position, now))


def display_lines(position: TablePosition, now: Now) -> Lines:
    """The display's lines, most important first."""
    if now.refusal:
        return (now.refusal,)
    if position.paused:
        return ("a break",)
    return SIGNS_BY_PHASE[position.phase].lines(position, now)


def sound_at(phase: Phase, winner: str | None) -> Sound | None:
    """What the buzzer plays when a phase begins. A game that ends without a winner ends in silence."""
    return None if phase is Phase.OVER and winner is None else SIGNS_BY_PHASE[phase].sound


def signs(position: TablePosition, now: Now) -> Signs:
    lamps = {**button_lamps(position), "status": status_lamp(position, now)}
    lamps |= {f"seat{n}": lamp for n, lamp in enumerate(seat_lamps(position).values())}
    return Signs(lamps, tuple(position.colours.values()), display_lines(position, now))


# In words

_PLAYS: Final = {
    Sound.LOOK: "two rising tones",
    Sound.ASKED: "two even tones",
    Sound.JUDGED: "three rising tones",
    Sound.WON: "four rising tones",
}


def in_words() -> str:
    """The tables of docs/reference/wiring.md."""
    lines = ["| phase | DUDO | CALZA | the seats | the buzzer, once | the display |", "|---|---|---|---|---|---|"]
    for phase, row in SIGNS_BY_PHASE.items():
        seats = "; ".join(f"{sign.lamp}: {sign.whose}" for sign in row.seats) or "off"
        plays = "" if row.sound is None else _PLAYS[row.sound]
        lines.append(f"| `{phase}` | {_words(row.dudo)} | {_words(row.calza)} | {seats} | {plays} | {row.shows} |")
    lines += ["", "| status lamp | meaning |", "|---|---|", "| off | the program does not run |"]
    lines.append(f"| {STARTING} | it is starting |")
    lines += [f"| {lamp} | {meaning} |" for lamp, meaning, _ in STATUS]
    return "\n".join(lines)


def _words(signs: tuple[ButtonSign, ...]) -> str:
    return "; ".join(f"{sign.lamp}: {sign.when}" if sign.when else str(sign.lamp) for sign in signs) or "off"
