"""The game record: one game as JSON Lines in UTF-8, one event per line. The caller reads the files."""

from __future__ import annotations

import codecs
import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from companion.engine.errors import BadRecordError, EngineError
from companion.engine.events import Bid, Call, Calza, Direction, Dudo, Event, GameStarted, Reveal, Together
from companion.engine.judging import Outcome
from companion.engine.position import Position
from companion.engine.rulebooks import RULESETS, differences, with_changes
from companion.engine.ruleset import Ruleset

_CALLS = ("bid", "dudo", "calza")
_OUTCOME = ("call", "caller", "count", "correct", "loses", "gains", "eliminated")
"""The fields of an outcome in the record."""

LONGEST_LINE = 16 * 1024 * 1024
"""In bytes; longer lines are refused unread, so that a file without line breaks cannot fill the memory."""


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
    """Replay the lines of one record, lazily: only the last position stays in memory.

    `kept`: it was accepted before, perhaps by an older program, whose rules count (`Position.apply_kept`).
    """
    position: Position | None = None
    for number, line in enumerate(lines, start=1):
        event = None
        if number == 1:  # some editors put a byte order mark before the text
            line = line.removeprefix(codecs.BOM_UTF8) if isinstance(line, bytes) else line.removeprefix("\ufeff")  # noqa: PLW2901
        try:
            event = parse_line(line)
            if position is not None:
                position = position.apply_kept(event) if kept else position.apply(event)
            elif isinstance(event, GameStarted):
                position = Position.start(event)
            else:
                raise BadRecordError("a record begins with a game line")
        except EngineError as error:
            # The traceback would keep this frame, and everything in it, alive.
            yield ReplayStep(number, event, error.with_traceback(None), position)
        else:
            yield ReplayStep(number, event, None, position)


def canonical(lines: Iterable[bytes | str]) -> tuple[str, ...]:
    """The lines of a valid record in a form that is the same for all records of the same game.

    It omits what need not be said: the order of players in a reveal, a number of dice that is the default, calls that
    did not count.
    """
    found: list[str] = []
    before: Position | None = None
    for step in replay(lines, kept=True):
        if step.event is not None and step.position is not None:
            found.append(to_line(_canonical(step.event, before, step.position)))
        before = step.position
    return tuple(found)


def _canonical(event: Event, before: Position | None, after: Position) -> Event:
    if isinstance(event, Together):
        event = after.call or after.bid or event
    match event:
        case Reveal(dice, uncertain):
            return Reveal(_in_order(dice, after.players), _in_order(uncertain, after.players))
        case Bid() if before is not None:
            said = None if event.direction == before.direction else event.direction
            return replace(event, direction=said, accepted=not before.is_legal(replace(event, accepted=False)))
        case GameStarted():
            each = event.ruleset.dice_each
            unsaid: dict[str, None] = {}
            if event.dice is not None and set(event.dice.values()) == {each}:
                unsaid["dice"] = None
            if event.seen == (event.dice or dict.fromkeys(event.players, each)):
                unsaid["seen"] = None
            if event.all_dice == len(event.players) * each:
                unsaid["all_dice"] = None
            plain = replace(event, **unsaid)  # type: ignore[arg-type]
            forgets = replace(plain, former_palificos=None)
            return forgets if Position.start(forgets) == Position.start(plain) else plain
        case _:
            return event


def _in_order(dice: Mapping[str, tuple[int, ...]], players: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
    return {name: tuple(sorted(dice[name])) for name in players if dice.get(name)}


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


@dataclass(frozen=True, slots=True)
class _FieldType:
    """The possible values of a field."""

    words: str
    fits: Callable[[object], bool]

    def list(self, words: str) -> _FieldType:
        """A list of these values."""
        return _FieldType(words, lambda value: isinstance(value, list) and all(map(self.fits, value)))

    def by_name(self, words: str) -> _FieldType:
        """One of these values for each name."""
        return _FieldType(words, lambda value: isinstance(value, dict) and all(map(self.fits, value.values())))


_NAME = _FieldType("a name", lambda value: isinstance(value, str))
_NAMES = _NAME.list("a list of names")
_WORD = _FieldType("a word", lambda value: isinstance(value, str))
_FLAG = _FieldType("true or false", lambda value: isinstance(value, bool))
_NUMBER = _FieldType("a whole number", lambda value: type(value) is int)  # True is an int in Python
_NUMBERS = _NUMBER.by_name("an object that gives whole numbers of dice by name")
_FACES = _NUMBER.list("a list of faces").by_name("an object that gives lists of faces by name")
_OBJECT = _FieldType("an object", lambda value: isinstance(value, dict))
_OBJECTS = _OBJECT.list("a list of objects")

_NEEDED: Mapping[str, Mapping[str, _FieldType]] = {
    "game": {"ruleset": _WORD, "players": _NAMES, "starter": _NAME},
    "bid": {"player": _NAME, "count": _NUMBER, "face": _NUMBER},
    "dudo": {"player": _NAME},
    "calza": {"player": _NAME},
    "together": {"calls": _OBJECTS},
    "reveal": {"dice": _FACES},
}
"""The required fields of each event."""
_OPTIONAL: Mapping[str, Mapping[str, _FieldType]] = {
    "game": {
        "calza": _FLAG,
        "rules": _OBJECT,
        "dice": _NUMBERS,
        "palifico": _NAME,
        "direction": _WORD,
        "calza_said": _NAMES,
        "former_palificos": _NAMES,
        "first_round": _NUMBER,
        "all_dice": _NUMBER,
        "seen": _NUMBERS,
    },
    "bid": {"direction": _WORD, "accepted": _FLAG},
    "reveal": {"uncertain": _FACES},
}
"""The fields that may be omitted, but not null."""


_Fields = dict[str, Any]
"""The fields of one event, each of its type."""


def _typed(fields: Mapping[str, object]) -> _Fields:
    """The known fields, including `event`, each of its type. Raises `BadRecordError`."""
    kind = fields.get("event")
    if "event" not in fields:
        raise BadRecordError("the field {name} is missing", name="event")
    if not isinstance(kind, str) or kind not in _NEEDED:
        raise BadRecordError("this line is not an event of the record; those are {known}", known=", ".join(_NEEDED))
    needed = _NEEDED[kind]
    for name in needed:
        if name not in fields:
            raise BadRecordError("the field {name} is missing", name=name)
    found: _Fields = {"event": kind}
    for name, field in {**needed, **_OPTIONAL.get(kind, {})}.items():
        if name in fields:
            if not field.fits(fields[name]):
                raise BadRecordError("the field {name} must be {words}", name=name, words=field.words)
            found[name] = _composed(fields[name])
    return found


def _composed(value: object) -> object:
    """`value` with its names in one encoding: an accent may be part of its letter or a separate character."""
    match value:
        case str():
            return unicodedata.normalize("NFC", value)
        case list():
            return [_composed(each) if isinstance(each, str) else each for each in value]
        case dict():
            return {_composed(name): each for name, each in value.items()}
        case _:
            return value


def _event(line: Mapping[str, object]) -> Event:
    fields = _typed(line)
    match fields.pop("event"):
        case "game":
            return _game(fields)
        case "bid":
            return Bid(**fields)
        case "dudo":
            return Dudo(**fields)
        case "calza":
            return Calza(**fields)
        case "reveal":
            return Reveal(**fields)
        case _:
            return Together(_calls(fields["calls"]))


def _calls(lines: Iterable[Mapping[str, object]]) -> tuple[Call, ...]:
    # Checked before any is parsed, because deeply nested lines would overflow the stack.
    if not all(line.get("event") in _CALLS for line in lines):
        raise BadRecordError("calls are bids, dudos and calzas")
    return tuple(map(_event, lines))  # type: ignore[arg-type]


def _game(fields: _Fields) -> GameStarted:
    book, changes = fields.pop("ruleset"), fields.pop("rules", {})
    for name in ("calza_said", "former_palificos"):
        if name in fields:
            fields[name] = frozenset(fields[name])
    return GameStarted(ruleset=_ruleset(book, changes), **fields)


def _ruleset(name: str, changes: Mapping[str, object]) -> Ruleset:
    if name not in RULESETS:
        raise BadRecordError("there is no such ruleset; the rulesets are {known}", known=", ".join(RULESETS))
    return with_changes(RULESETS[name], changes)
