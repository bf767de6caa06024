"""The public state of docs/reference/api.md: what every phone is told. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from companion import engine
from companion.engine import Ruleset
from companion.engine.rulebooks import base, differences, with_changes
from companion.engine.rules_in_words import describe
from companion.messages.message import Message, spoken
from companion.table.game import sentences
from companion.table.game.history import History, Step
from companion.table.game.position import Opening, Phase, TablePosition, Verdict
from companion.table.game.step_name import step_kind, step_name
from companion.table.game.table_reading import TableDie
from companion.table.state.signs import Now, button_lamps, seat_lamps, status_lamp

State = dict[str, Any]
"""The state as JSON values. It is shared by everyone who was told of it: never change one."""


@dataclass(frozen=True, slots=True)
class CameraStatus:
    """Whether the camera answers."""

    ok: bool
    name: str
    sentence: str = ""
    """What is wrong and what to do, empty when all is well."""


@dataclass(frozen=True, slots=True)
class CalibrationStatus:
    """What the readings rest on."""

    profile: str = ""
    """The name of the profile in use; empty where the camera was not calibrated."""
    code: str = ""
    """"moved" or "other-camera"; empty when all is well."""
    sentence: str = ""
    """What is wrong and what to do; empty when all is well, or when the players have said to go on."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """What a reveal waits for."""

    code: str
    """"moving", "reading", "missing", "again", "given-up", "camera" or "reader"."""
    sentence: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that was refused on the panel, which has no other way to say it."""

    code: str
    sentence: str
    number: int
    """Another one for every refusal: the version of the state that tells it first."""


@dataclass(frozen=True, slots=True)
class Live:
    """What is true only now, and is not journalled."""

    camera: CameraStatus = CameraStatus(False, "", sentences.NO_CAMERA)
    calibration: CalibrationStatus = CalibrationStatus()
    waiting: Waiting | None = None
    notice: Notice | None = None
    panel: bool | None = None
    """Whether the panel is a virtual one; None when there is none."""
    panel_sentence: str = ""
    journal: str = ""
    """Why what happens is not kept on disk; empty while it is."""
    pictured: bool = True
    """Whether the picture of the reading on the table is there (still)."""
    demo: bool = False
    house: Ruleset = engine.DEFAULT_RULESET
    """What is played at this table unless something else is asked for."""
    calza: bool = True
    open_lost: bool = True


def public_state(history: History, live: Live, version: int) -> State:
    """The whole public state."""
    position = history.position
    game, bidding = position.game, position.phase is Phase.BIDDING
    open_to_calls = position.phase in (Phase.BIDDING, Phase.ASKING)
    lamps = {**button_lamps(position), **seat_lamps(position)}
    call = position.called.call if position.called is not None else None
    opened = position.opened
    ruleset = with_changes(engine.RULESETS[opened.ruleset], dict(opened.rules)) if opened else live.house
    return {
        "version": version,
        "phase": position.phase.value,
        "game": position.games,
        "ruleset": base(ruleset).id,
        **_house(ruleset),
        "calza": opened.calza if opened else live.calza,
        "round": game.round if game else None,
        "turn": game.turn if game and open_to_calls else None,
        "starter": game.starter if game else None,
        "palifico": game.palifico if game else None,
        "wild": game.wild if game else None,
        "bid": _bid(position, game),
        "players": players(position),
        "away": [{"name": name, "dice": None if _secret(position) else count} for name, count in position.away.items()],
        "company": _company(position),
        "open_lost": opened.open_lost if opened else live.open_lost,
        "opening": _opening(position.opening),
        "paused": position.paused,
        "winner": game.winner if game else None,
        "lowest": _limits(position, game if open_to_calls else None, highest=False),
        "highest": _limits(position, game if open_to_calls else None, highest=True),
        "may": {
            "bid": [game.turn] if game and open_to_calls and game.turn is not None else [],
            "dudo": list(game.may_dudo()) if game and open_to_calls else [],
            "calza": list(game.may_calza()) if game and bidding else [],
        },
        "call": {"kind": type(call).__name__.lower(), "player": call.player} if call else None,
        "counting": position.counting,
        "asking": {"kind": "caller", "players": list(position.asking)} if position.asking else None,
        "cups": list(game.reveal_order()) if game and position.phase is Phase.READING else [],
        "waiting": _waiting(position, live.waiting),
        "reading": _reading(position, live.pictured),
        "byhand": {name: list(faces) for name, faces in position.by_hand.items()} if position.by_hand else None,
        "tally": _tally(position),
        "verdict": _verdict(position.verdict, ruleset),
        "last": _verdict(position.last, ruleset),
        "undo": None if position.paused else _step(history.last),
        "redo": None if position.paused else _step(history.undone),
        "notice": _spoken(live.notice),
        "camera": {"ok": live.camera.ok, "name": live.camera.name, **spoken(live.camera.sentence)},
        "calibration": _calibration(live.calibration),
        "journal": {"ok": not live.journal, **spoken(live.journal)},
        "panel": {
            "present": live.panel is not None,
            "virtual": bool(live.panel),
            **spoken(live.panel_sentence),
            "lamps": {name: lamp.value for name, lamp in lamps.items()},
            "status": status_lamp(position, now(live)).value,
        },
        "demo": live.demo,
    }


def _calibration(status: CalibrationStatus) -> dict[str, Any]:
    notice = {"code": status.code, **spoken(status.sentence)} if status.sentence else None
    return {"profile": status.profile or None, "notice": notice}


def now(live: Live) -> Now:
    """What the panel tells of it."""
    return Now(
        camera=live.camera.ok,
        kept=not live.journal,
        waiting=live.waiting.code if live.waiting is not None else "",
        refused=str(live.notice.sentence) if live.notice is not None else "",
    )


def hides_dice(position: TablePosition) -> bool:
    """Whether dice lie under cups, and how many is not everybody's to know.

    Once they lie open, everybody sees them; so they do at the start of a game, when they are dealt out.
    """
    unseen = position.phase is Phase.OVER and position.verdict is None and _winner(position) is None
    return _secret(position) and (position.phase in (Phase.BIDDING, Phase.ASKING) or unseen)


def players(position: TablePosition, *, all_dice: bool = False) -> list[State]:
    """The players in the order of the seats. `all_dice` gives the number of their dice also where it is hidden."""
    opened = position.opened
    dice: Mapping[str, int | None]
    if position.game is not None:
        dice = position.game.public_dice(lost_dice_open=all_dice or not hides_dice(position))
    elif opened is not None:
        dice = dict(zip(opened.players, opened.dice or [engine.MOST_DICE] * len(opened.players), strict=True))
    else:
        dice = {}
    return [{"name": name, "colour": position.colours[name], "dice": count} for name, count in dice.items()]


def _secret(position: TablePosition) -> bool:
    return position.opened is not None and not position.opened.open_lost


def _winner(position: TablePosition) -> str | None:
    return position.game.winner if position.game is not None else None


def _company(position: TablePosition) -> State | None:
    """Who played last, where nobody plays now: they may want to play again."""
    opened = position.opened
    if opened is None or position.phase is not Phase.OVER:
        return None
    return {
        "players": [
            {"name": name, "colour": colour} for name, colour in zip(opened.players, opened.colours, strict=True)
        ],
        "ruleset": opened.ruleset,
        "calza": opened.calza,
        "open_lost": opened.open_lost,
        "dice": dict(zip(opened.players, opened.dice, strict=True)) if opened.dice else None,
        "roll": opened.roll > 0,
    }


def _opening(opening: Opening | None) -> State | None:
    if opening is None:
        return None
    return {
        "dice": opening.dice,
        "rolling": list(opening.rolling),
        "rolls": [{name: list(faces) for name, faces in roll.items()} for roll in opening.rolls],
    }


def _tally(position: TablePosition) -> list[State] | None:
    """How many dice show each face, alone and with the pacos, once they are counted; None before."""
    if position.phase not in (Phase.TELLING, Phase.VERDICT, Phase.OVER):
        return None
    if position.by_hand is not None:
        shown = [face for faces in position.by_hand.values() for face in faces]
    elif position.reading is not None:
        shown = [die.face for die in position.reading.dice]
    else:
        return None
    pacos = shown.count(engine.PACO)
    return [
        {"face": face, "alone": shown.count(face), "with_pacos": shown.count(face) + (pacos if face > 1 else 0)}
        for face in engine.FACES
    ]


def _step(step: Step | None) -> State | None:
    if step is None:
        return None
    return {"step": step.number, "kind": step_kind(step.events), **spoken(step_name(step.events))}


def _house(ruleset: Ruleset) -> State:
    """The house rules, where there are any: what is changed in the book, and how it is said."""
    values = differences(ruleset)
    rules = [
        {
            "rule": rule.name,
            "value": values[rule.name],
            **spoken(rule.sentence),
        }
        for rule in describe(ruleset)
        if rule.changed
    ]
    return {"rules": rules} if rules else {}


def _bid(position: TablePosition, game: engine.Position | None) -> State | None:
    """The bid that stands, or that was called: it stays to be seen until the next round."""
    bid = position.called.bid if position.called is not None else game.bid if game is not None else None
    return None if bid is None else {"player": bid.player, "count": bid.count, "face": bid.face}


def _limits(position: TablePosition, game: engine.Position | None, *, highest: bool) -> dict[str, int | None]:
    if game is not None and hides_dice(position):
        # In some books only who has one die may change the face of a palifico round. What may be bid would say so;
        # as if the player on turn had one, it does not, and a bid that is refused is refused to who made it.
        game = replace(game, dice_by_seat=tuple(1 if name == game.turn else have for name, have in game.dice.items()))
    limits: dict[str, int | None] = {}
    for face in engine.FACES:
        counts = game.counts(face) if game is not None else None
        limits[str(face)] = None if counts is None else counts.highest if highest else counts.lowest
    return limits


def _waiting(position: TablePosition, waiting: Waiting | None) -> State | None:
    if waiting is None or position.phase is not Phase.READING:
        return None
    cups = position.game.reveal_order() if position.game and waiting.code == "moving" else ()
    return {"code": waiting.code, **spoken(sentences.in_order(cups, waiting.sentence))}


def _spoken(said: Notice | None) -> State | None:
    return None if said is None else {"code": said.code, "number": said.number, **spoken(said.sentence)}


PICTURES: Final = "/api/v1/pictures"


def _reading(position: TablePosition, pictured: bool) -> State | None:
    reading = position.reading
    if reading is None:
        return None
    owners = {colour: name for name, colour in position.colours.items()}
    return {
        "id": reading.id,
        "picture": f"{PICTURES}/{reading.id}.jpg" if reading.picture and pictured else None,
        "width": reading.width,
        "height": reading.height,
        "dice": [_die(position, die, owners.get(die.colour)) for die in reading.dice],
        "problems": [
            {
                "code": problem.code,
                "player": problem.player,
                **spoken(problem.sentence),
                "dice": list(problem.dice),
            }
            for problem in position.problems()
        ],
    }


def _die(position: TablePosition, die: TableDie, owner: str | None) -> State:
    called = position.called
    counts = (
        called is not None
        and called.bid is not None
        and owner is not None
        and bool(engine.matches(called.bid, {owner: (die.face,)}, called.wild))
    )
    return {
        "id": die.id,
        "face": die.face,
        "colour": die.colour,
        "player": owner,
        "box": list(die.box),
        "confidence": round(die.confidence, 3),
        "uncertain": die.uncertain,
        "likeliest": [[face, round(share, 3)] for face, share in die.likeliest],
        "corrected": die.corrected,
        "counts": counts,
    }


def _verdict(verdict: Verdict | None, ruleset: Ruleset) -> State | None:
    if verdict is None:
        return None
    outcome = verdict.outcome
    said = [sentences.verdict(outcome, verdict.opener, verdict.palifico, verdict.winner)]
    if verdict.palifico is not None:
        said.append(sentences.palifico(ruleset))
    return {
        "call": outcome.call.value,
        "caller": outcome.caller,
        "bidder": outcome.bidder,
        "bid": {"count": outcome.bid.count, "face": outcome.bid.face},
        "wild": outcome.wild,
        "faces": outcome.faces,
        "pacos": outcome.pacos,
        "count": outcome.count,
        "correct": outcome.correct,
        "loses": outcome.loses,
        "gains": outcome.gains,
        "eliminated": outcome.eliminated,
        "opener": verdict.opener,
        "palifico": verdict.palifico,
        "winner": verdict.winner,
        **spoken(Message.joined(*said)),
    }
