"""The game record: one game as JSON Lines in UTF-8, one event per line. Reading files is up to the caller."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from companion.engine.errors import BadRecordError, EngineError
from companion.engine.events import Bid, Call, Calza, Direction, Dudo, Event, GameStarted, Reveal, Together
from companion.engine.judging import Outcome
from companion.engine.position import Position
from companion.engine.rulebooks import RULESETS, differences, with_changes
from companion.engine.ruleset import Ruleset

_EVENTS = ("game", "bid", "dudo", "calza", "together", "reveal")
_OUTCOME = ("call", "caller", "count", "correct", "loses", "gains", "eliminated")
"""The fields of an outcome in the record."""

LONGEST_LINE = 16 * 1024 * 1024
"""Bytes. Longer lines are refused unread, so that a file without line breaks cannot fill the memory."""


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """The result of one line of a record."""

    line: int
    """From 1."""
    event: Event | None
    """None if the line could not be read."""
    error: EngineError | None
    """Why the line was refused; None if it was accepted."""
    position: Position | None
    """The position after the line; None until a game begins. A refused line changes nothing."""

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the call, if the line was an accepted reveal."""
        if self.error is not None or self.position is None:
            return None
        return self.position.outcome

    def to_json(self) -> dict[str, object]:
        """The line printed by `perudo replay --json`."""
        answer: dict[str, object] = {"line": self.line, "ok": self.error is None}
        if self.error is not None:
            answer["error"] = self.error.code
            answer["message"] = self.error.message
        answer["state"] = None if self.position is None else _state(self.position)
        if (outcome := self.outcome) is not None:
            more = {"lost": outcome.lost} if outcome.lost > 1 else {}
            answer["outcome"] = {name: getattr(outcome, name) for name in _OUTCOME} | more
        return answer


def replay(lines: Iterable[bytes | str], *, kept: bool = False) -> Iterator[ReplayStep]:
    """Play the lines of one record, lazily: only the last position stays in memory.

    `kept`: it was accepted before, perhaps by an older program, whose rules hold (`Position.apply_kept`).
    """
    position: Position | None = None
    for number, line in enumerate(lines, start=1):
        event = None
        try:
            event = parse_line(line)
            if position is not None:
                position = position.apply_kept(event) if kept else position.apply(event)
            elif isinstance(event, GameStarted):
                position = Position.start(event)
            else:
                raise BadRecordError("a record begins with a game line")
        except EngineError as error:
            # A traceback would keep this frame and everything in it alive.
            yield ReplayStep(number, event, error.with_traceback(None), position)
        else:
            yield ReplayStep(number, event, None, position)


def _state(position: Position) -> dict[str, object]:
    """The `state` of the record."""
    bid = position.bid
    chosen = {"direction": position.direction} if position.ruleset.opener_chooses_direction else {}
    return {
        "phase": position.phase,
        "round": position.round,
        "turn": position.turn,
        "starter": position.starter,
        "palifico": position.palifico,
        "wild": position.wild,
        "bid": None if bid is None else {"player": bid.player, "count": bid.count, "face": bid.face},
        "dice": position.dice,
        "winner": position.winner,
        **chosen,
    }


def to_line(event: Event) -> str:
    """`event` as a line of a record, without a line break."""
    fields = _fields(event)
    line = json.dumps(fields, ensure_ascii=False)
    try:
        line.encode()
    except UnicodeEncodeError:  # a lone surrogate in a name has no UTF-8: write it as an escape
        return json.dumps(fields)
    return line


def _fields(event: Event) -> dict[str, object]:
    match event:
        case GameStarted():
            return _game_fields(event)
        case Bid(player, count, face, direction, accepted):
            more: dict[str, object] = {} if direction is None else {"direction": direction}
            if accepted:
                more["accepted"] = True
            return {"event": "bid", "player": player, "count": count, "face": face, **more}
        case Dudo(player) | Calza(player):
            return {"event": event.kind, "player": player}
        case Together(calls):
            return {"event": "together", "calls": list(map(_fields, calls))}
        case Reveal(dice, uncertain):
            doubt = {"uncertain": dict(uncertain)} if uncertain else {}
            return {"event": "reveal", "dice": dict(dice), **doubt}


def _game_fields(game: GameStarted) -> dict[str, object]:
    fields: dict[str, object] = {
        "event": "game",
        "ruleset": game.ruleset.id,
        "players": game.players,
        "starter": game.starter,
        "calza": game.calza,
    }
    if changes := differences(game.ruleset):
        fields["rules"] = changes
    if game.dice is not None:
        fields["dice"] = dict(game.dice)
    if game.palifico is not None:
        fields["palifico"] = game.palifico
    if game.direction is not Direction.CLOCKWISE:
        fields["direction"] = game.direction
    if game.calza_said:
        fields["calza_said"] = [player for player in game.players if player in game.calza_said]
    if game.first_round != 1:
        fields["first_round"] = game.first_round
    if game.all_dice is not None:
        fields["all_dice"] = game.all_dice
    if game.seen is not None:
        fields["seen"] = dict(game.seen)
    if game.former_palificos is not None:
        fields["former_palificos"] = [player for player in game.players if player in game.former_palificos]
    return fields


def parse_line(line: bytes | str) -> Event:
    """The event in one line of a record, with or without its line break.

    Unknown fields are ignored; if a field occurs twice, the last one counts. Raises `BadRecordError`.
    """
    return _event(_object(line))


def _object(line: bytes | str) -> dict[str, object]:
    if len(line) > LONGEST_LINE:
        raise BadRecordError("this line is too long to be read")
    try:
        text = line.decode() if isinstance(line, bytes) else line
    except UnicodeDecodeError:
        raise BadRecordError("this line is not UTF-8 text") from None
    if not text.strip():
        raise BadRecordError("this line is empty")
    try:
        value = _DECODER.decode(text)
    except BadRecordError:
        raise
    except json.JSONDecodeError as error:
        raise BadRecordError("this line is not JSON (at its character {column})", column=str(error.colno)) from None
    except RecursionError:
        raise BadRecordError("this line is nested too deeply to be read") from None
    except ValueError:  # Python's limit on the digits of a number
        raise BadRecordError("this line holds a number too long to be read") from None
    if not isinstance(value, dict):
        raise BadRecordError("this line is not an event: an event stands in braces")
    return value


def _no_constant(name: str) -> NoReturn:
    raise BadRecordError("this line is not JSON: {name} is no number", name=name)


_DECODER = json.JSONDecoder(parse_constant=_no_constant)


def _event(fields: Mapping[str, Any]) -> Event:
    match _field(fields, "event"):
        case "game":
            return _game(fields)
        case "bid" | "dudo" | "calza":
            call: Call = _call(fields)
            return call
        case "together":
            calls = _field(fields, "calls")
            return Together(tuple(map(_call, calls)) if isinstance(calls, list) else calls)
        case "reveal":
            return Reveal(_field(fields, "dice"), fields.get("uncertain", {}))
    raise BadRecordError("this line is not an event of the record; those are {known}", known=", ".join(_EVENTS))


def _call(fields: Any) -> Any:
    """The bid, dudo or calza in `fields`; anything else is returned as it is, for `Together` to refuse."""
    match fields:
        case {"event": "bid"}:
            _check_given(fields, "direction")
            player, count, face = (_field(fields, name) for name in ("player", "count", "face"))
            return Bid(player, count, face, fields.get("direction"), fields.get("accepted", False))
        case {"event": "dudo"}:
            return Dudo(_field(fields, "player"))
        case {"event": "calza"}:
            return Calza(_field(fields, "player"))
    return fields


def _field(fields: Mapping[str, Any], name: str) -> Any:
    try:
        return fields[name]
    except KeyError:
        raise BadRecordError("the field {name} is missing", name=name) from None


def _check_given(fields: Mapping[str, Any], *names: str) -> None:
    """Raise `BadRecordError` for a null: the events take None for a missing field."""
    for name in names:
        if name in fields and fields[name] is None:
            raise BadRecordError("the field {name} may be left out, but not be null", name=name)


def _game(fields: Mapping[str, Any]) -> GameStarted:
    _check_given(fields, "dice", "palifico", "direction", "calza_said", "former_palificos", "all_dice", "seen")
    former = fields.get("former_palificos")
    for names, what in ((fields.get("calza_said", []), "said calza"), (former or [], "been palifico")):
        if not isinstance(names, list) or not all(isinstance(player, str) for player in names):
            raise BadRecordError("who has {what} must be a list of names", what=what)
    return GameStarted(
        ruleset=_ruleset(fields),
        players=_field(fields, "players"),
        starter=_field(fields, "starter"),
        calza=fields.get("calza", True),
        dice=fields.get("dice"),
        palifico=fields.get("palifico"),
        direction=fields.get("direction", Direction.CLOCKWISE),
        calza_said=frozenset(fields.get("calza_said", [])),
        former_palificos=None if former is None else frozenset(former),
        first_round=fields.get("first_round", 1),
        all_dice=fields.get("all_dice"),
        seen=fields.get("seen"),
    )


def _ruleset(fields: Mapping[str, Any]) -> Ruleset:
    name = _field(fields, "ruleset")
    book = RULESETS.get(name) if isinstance(name, str) else None
    if book is None:
        raise BadRecordError("there is no such ruleset; the rulesets are {known}", known=", ".join(RULESETS))
    changes = fields.get("rules", {})
    if not isinstance(changes, dict):
        raise BadRecordError("rules must say which rules of the book are changed")
    return with_changes(book, changes)
