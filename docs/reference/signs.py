"""The reference of the panel's signs."""

from __future__ import annotations

from companion.table.state.signs import SIGNS_BY_PHASE, STARTING, STATUS, ButtonSign
from hardware.panel.buzzer import Sound

_PLAYS = {
    Sound.LOOK: "two rising tones",
    Sound.ASKED: "two even tones",
    Sound.JUDGED: "three rising tones",
    Sound.WON: "four rising tones",
}


def markdown() -> str:
    """What every lamp, the buzzer and the display say in each phase, and what the status lamp says."""
    lines = ["| phase | DUDO | CALZA | the seats | the buzzer, once | the display |", "|---|---|---|---|---|---|"]
    for phase, row in SIGNS_BY_PHASE.items():
        seats = "; ".join(f"{sign.lamp}: {sign.whose}" for sign in row.seats) or "off"
        plays = "" if row.sound is None else _PLAYS[row.sound]
        lines.append(f"| `{phase}` | {_words(row.dudo)} | {_words(row.calza)} | {seats} | {plays} | {row.shows} |")
    lines += ["", "| status lamp | meaning |", "|---|---|", "| off | the program does not run |"]
    lines.append(f"| {STARTING} | it is starting |")
    lines += [f"| {lamp} | {meaning} |" for lamp, meaning, _ in STATUS]
    return "\n".join(lines)


def _words(sign: ButtonSign | None) -> str:
    if sign is None:
        return "off"
    return f"{sign.lamp}: {sign.when}" if sign.when else str(sign.lamp)
