"""Every sentence for players can be translated: it is a `Message` with a literal msgid.

These stay English:
- refusals of unreadable requests (400 of the API, `BadRecordError`, most of `UnreadableCommandError`, some of
  `UnreadableError`) and of a wrong method, address, type, length, key, version or token: the page sends none
  of these, only other programs do;
- the output of the command line, the log, mistakes in a configuration, and errors at start and exit: they are read by
  whoever runs the box or the club's hub;
- error messages of SQLite, Linux, libcamera, gpiozero and Python, quoted in a sentence;
- errors of saved games, backups and record files, and of a journal that keeps the program from starting
  (`companion.table.journal.schema`): they belong to the command line;
- errors of cameras that read files (`hardware.camera.folder`, the demo and the tests): nobody plays with them.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from companion.messages.message import ADie, Colour, Dice, Face, Faces, Message, Names, Param, Rounds
from companion.translation import source as messages
from tests.fakes.public_state import in_json
from tests.fakes.states import STATES
from web.errors import REFUSALS

ENGLISH_FILES = (
    *("companion/cli/", "companion/club/hub_program.py", "companion/club/mosquitto.py"),
    *("companion/member/address.py", "companion/member/connection.py"),
    *("companion/table/journal/backup.py", "companion/table/journal/saved_games.py"),
    *(
        "hardware/camera/folder.py",
        "tests/fakes/camera.py",
        "hardware/virtual/virtual_camera.py",
        "tests/fakes/table.py",
        "web/pictures.py",
    ),
)
"""Files whose errors no player reads, for the reasons above; `web.pictures` gives pictures, which show no text."""

NEVER_SENT = {"csrf", "idempotency-key", "version", "origin", "content_type", "too_large", "not_found"}
"""Codes of requests that the page does not make."""

AS_SAID = {
    "self._status.sentence",
    "self._status.sentence or sentences.CAMERA_STARTS",
    "self._failure or self._silence",
    "self._silence",
    "error.message",
    "fault",
    "str(error)",
}
"""What else an error may be made of: an earlier message."""

AT_THE_END = {"f'{self.name} is closed.'"}

OF_THE_COMMAND_LINE = {
    "f'There is no club in {folder}. Start its hub first: perudo club.'",
    'f"The club\'s database cannot be used: {_reason(error)}."',
    'f"A database\'s URL is {DATABASE_FORM}. In a password, write %40 for @ and %2F for /."',
    "'The hub sets no passwords on this broker: ask whoever runs it for one.'",  # perudo club home-assistant
}
NEVER_SENT_TO_A_TOURNAMENT = {
    "'This tournament has been opened already.'",
    "'Open the tournament first.'",
    "'Say who joins.'",
    "f'The number of {what} can be {fewest} to {most}.'",
    "'A result names at least the winner, and somebody at each place.'",
}
"""What the lobby's page lets nobody do."""

CLUB_ERRORS = ("ClubError", "UnreadableInClubError", "NotAllowedInClubError")


@functools.cache
def messages_by_name() -> set[str]:
    """Constants that are a `Message`, functions that return one, and parameters that have to be one."""
    names = set()
    for source in messages.sources():
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.AnnAssign) and node.value and ast.unparse(node.value).startswith("Message("):
                names.add(ast.unparse(node.target))
            elif isinstance(node, ast.FunctionDef):
                arguments = (*node.args.args, *node.args.kwonlyargs)
                names |= {
                    each.arg for each in arguments if each.annotation and ast.unparse(each.annotation) == "Message"
                }
                if node.returns and ast.unparse(node.returns) == "Message":
                    names.add(node.name)
    return names


def is_message(node: ast.expr) -> bool:
    """Whether this is a `Message`: made in place, by `sentences`, from a table, or known by its name."""
    if isinstance(node, ast.IfExp):
        return is_message(node.body) and is_message(node.orelse)
    text = ast.unparse(node.func if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else node)
    return text in messages_by_name() or ast.unparse(node).startswith(
        ("Message(", "sentences.", "error.sentence", "error.message", "_REFUSALS[")
    )


@pytest.fixture(scope="module", autouse=True)
def _parsed_once() -> Iterator[None]:
    """Every source is parsed for the first test alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ast, "parse", functools.cache(ast.parse))
        yield


def plain(*names: str, argument: int = 0) -> dict[str, ast.Call]:
    """The places where an error of one of `names` that players can meet gets anything but a message."""
    places = [place for place in messages.places(*names) if not place.file.startswith(ENGLISH_FILES)]
    return {str(place): place.call for place in places if not is_message(place.call.args[argument])}


def test_every_message_is_a_literal_whose_parameters_are_named() -> None:
    assert len(messages.messages()) > 200


def test_every_refusal_of_a_command_can_be_translated() -> None:
    assert plain("NotAllowedNowError", argument=1) == {}


def test_every_refusal_of_a_tap_can_be_translated() -> None:
    """A 400 is for programs. Players can meet the other refusals, except those of requests the page never sends."""

    def met(call: ast.Call) -> bool:
        given = {keyword.arg: ast.unparse(keyword.value).strip("'") for keyword in call.keywords}
        code = given.get("code", "unreadable")
        return REFUSALS[code][0] != 400 and code not in NEVER_SENT

    assert [where for where, call in plain("RequestError").items() if met(call)] == []


def test_every_failure_of_camera_and_panel_can_be_translated() -> None:
    failures = plain("CameraError", "PanelError")
    assert [where for where, call in failures.items() if ast.unparse(call.args[0]) not in AS_SAID | AT_THE_END] == []


def test_every_refusal_of_a_club_can_be_translated() -> None:
    said = {ast.unparse(call.args[0]) for call in plain(*CLUB_ERRORS).values()}
    assert said == OF_THE_COMMAND_LINE | NEVER_SENT_TO_A_TOURNAMENT


# English from messages


def back(message: Mapping[str, Any]) -> Message:
    return Message(message["msgid"], **{name: param(value) for name, value in message["params"].items()})


def param(value: Any) -> Param:
    match value:
        case {"msgid": _}:
            return back(value)
        case {"names": names}:
            return Names(tuple(str(part) if isinstance(part := param(name), str) else "" for name in names))
        case {"count": count, "face": face}:
            return Faces(count, face)
        case {"dice": count, "colour": colour}:
            return Dice(count, colour)
        case {"face": face}:
            return Face(face)
        case {"die": colour}:
            return ADie(colour)
        case {"colour": colour}:
            return Colour(colour)
        case {"rounds": count}:
            return Rounds(count)
        case _:
            return value  # type: ignore[no-any-return]


def sentences(value: Any, where: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    if isinstance(value, Mapping):
        if "sentence" in value:
            yield where, value
        for key, part in value.items():
            yield from sentences(part, f"{where}.{key}")
    elif isinstance(value, list):
        for part in value:
            yield from sentences(part, where)


@pytest.mark.parametrize("name", STATES)
def test_every_sentence_of_a_state_comes_with_its_message(name: str) -> None:
    for where, thing in sentences(in_json(STATES[name])):
        if not thing["sentence"]:
            assert "said" not in thing, where
            continue
        assert " ".join(map(back, thing["said"])) == thing["sentence"], where
