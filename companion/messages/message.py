"""What is said to players, in English, together with what it was made of: so a page can say it in another language.

It is gettext's habit, as the errors of the engine have it: `msgid` is the English with `{names}` in it, and its
parameters are values and never words, so that every language builds its own grammar from them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Self, runtime_checkable

from companion.messages import english

PLAIN_TEXT = "{text}"
"""The message of what was only ever words, such as the reason that the system gave for a failure."""


@runtime_checkable
class CountAndFace(Protocol):
    """A bid, or whatever else has both."""

    @property
    def count(self) -> int: ...
    @property
    def face(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Faces:
    """So many dice that show a face: "no fours", "1 paco", "5 sixes"."""

    count: int
    face: int


@dataclass(frozen=True, slots=True)
class Face:
    """One face: "paco", "four"."""

    face: int


@dataclass(frozen=True, slots=True)
class Dice:
    """So many dice, of one colour or of any: "1 die", "4 red dice"."""

    dice: int
    colour: str | None = None


@dataclass(frozen=True, slots=True)
class ADie:
    """Some die of a colour: "an orange die"."""

    die: str


@dataclass(frozen=True, slots=True)
class Colour:
    """The colour of one die: "orange"."""

    colour: str


@dataclass(frozen=True, slots=True)
class Rounds:
    """ "1 round", "3 rounds"."""

    rounds: int


@dataclass(frozen=True, slots=True)
class Part:
    """One message and its parameters, as the API gives them."""

    msgid: str
    params: Mapping[str, object]
    """Each a `Param`; a `Message` is there as its `Part`."""


@dataclass(frozen=True, slots=True)
class Names:
    """ "Ana", "Ana and Ben", "Ana, Ben and Cid"; each a name or a `Message`."""

    names: Sequence[str | Part]


Param = int | str | Part | Faces | Face | Dice | ADie | Colour | Rounds | Names
"""What a parameter can be. A plain `str` is a name, and the same in every language; a `Message` is said in each."""


class Message(str):
    """A text in English that remembers its messages. A `str` like any other; what is made from it is only that.

    `Message("I see {seen} of {dice}.", seen=3, dice=Dice(4, "red"))` is "I see 3 of 4 red dice.". A sentence begins
    with a capital, unless it begins with a name. Within another sentence it loses its full stop, and its capital too
    unless the other begins with it.
    """

    __slots__ = ("parts",)

    parts: tuple[Part, ...]
    """The messages, parted by spaces; none of an empty text."""

    def __new__(cls, msgid: str, /, **params: Param) -> Self:
        said = {name: _english(value) for name, value in params.items()}
        for name, value in params.items():
            if isinstance(value, Message) and _is_sentence(value) and not msgid.startswith(f"{{{name}}}"):
                said[name] = said[name][:1].lower() + said[name][1:]
        text = msgid.format(**said)
        if _is_sentence(msgid) and not _begins_with_name(msgid, params):
            text = text[:1].upper() + text[1:]
        return cls.worded(text, msgid, params)

    @classmethod
    def worded(cls, text: str, msgid: str, params: Mapping[str, Param]) -> Self:
        """A message that has English words of its own."""
        return cls._of(text, (Part(msgid, {name: _value(value) for name, value in params.items()}),))

    @classmethod
    def joined(cls, *texts: str) -> Self:
        """Several, one after the other; empty ones are left out, and plain text stays as it is in every language."""
        return cls._of(" ".join(filter(None, texts)), tuple(part for text in texts for part in parts_of(text)))

    @classmethod
    def _of(cls, text: str, parts: tuple[Part, ...]) -> Self:
        self = super().__new__(cls, text)
        self.parts = parts
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return type(self)._of, (str(self), self.parts)


def parts_of(text: str) -> tuple[Part, ...]:
    """The messages of `text`; of plain text only that, of an empty one none."""
    if isinstance(text, Message):
        return text.parts
    return (Part(PLAIN_TEXT, {"text": text}),) if text else ()


def _value(value: Param) -> Param:
    match value:
        case str():
            return _single(value)
        case Names(names):
            return Names(tuple(_single(name) if isinstance(name, str) else name for name in names))
        case _:
            return value


def _single(text: str) -> str | Part:
    if not isinstance(text, Message):
        return text
    (only,) = text.parts
    return only


def _english(value: Param) -> str:
    match value:
        case Message():
            return value.removesuffix(".")
        case Faces(count, face):
            return english.faces(count, face)
        case Face(face):
            return english.face_name(face, 1)
        case Dice(count, colour):
            return english.dice(count, colour or "")
        case ADie(colour):
            return f"{english.a(colour)} die"
        case Colour(colour):
            return colour
        case Rounds(count):
            return f"{count} {'round' if count == 1 else 'rounds'}"
        case Names(names):
            return english.listed(list(map(str, names)))
        case _:
            return str(value)


def _is_sentence(text: str) -> bool:
    return text.endswith((".", "!", "?"))


def _begins_with_name(msgid: str, params: Mapping[str, Param]) -> bool:
    name, _, _ = msgid.removeprefix("{").partition("}")
    return msgid.startswith("{") and isinstance(params[name], str) and not isinstance(params[name], Message)
