"""Translatable messages, in the style of gettext.

The `msgid` is the English text with `{placeholders}`. Parameters are values, not words, so that each language can use
its own grammar.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from companion.messages import english

PLAIN_TEXT = "{text}"
"""The msgid of untranslatable text, such as an error message of the operating system."""


@dataclass(frozen=True, slots=True)
class Faces:
    """A number of dice that show a face: "no fours", "1 paco", "5 sixes"."""

    count: int
    face: int

    def __str__(self) -> str:
        return english.faces(self.count, self.face)


@dataclass(frozen=True, slots=True)
class Face:
    """One face: "paco", "four"."""

    face: int

    def __str__(self) -> str:
        return english.face_name(self.face, 1)


@dataclass(frozen=True, slots=True)
class Dice:
    """A number of dice, with or without a colour: "1 die", "4 red dice"."""

    dice: int
    colour: str | None = None

    def __str__(self) -> str:
        return english.dice(self.dice, self.colour or "")


@dataclass(frozen=True, slots=True)
class ADie:
    """A die of a colour: "an orange die"."""

    die: str

    def __str__(self) -> str:
        return f"{'an' if self.die[0] in 'aeiou' else 'a'} {self.die} die"


@dataclass(frozen=True, slots=True)
class Colour:
    """The colour of one die: "orange"."""

    colour: str

    def __str__(self) -> str:
        return self.colour


@dataclass(frozen=True, slots=True)
class Rounds:
    """ "1 round", "3 rounds"."""

    rounds: int

    def __str__(self) -> str:
        return f"{self.rounds} {'round' if self.rounds == 1 else 'rounds'}"


@dataclass(frozen=True, slots=True)
class Part:
    """One message and its parameters, as the API gives them."""

    msgid: str
    params: Mapping[str, object]
    """Each is a `Param`; a `Message` is stored as its `Part`."""


@dataclass(frozen=True, slots=True)
class Names:
    """A list of names or messages: "Ana", "Ana and Ben", "Ana, Ben and Cid"."""

    names: Sequence[str | Part]

    def __str__(self) -> str:
        return english.listed(list(map(str, self.names)))


Param = int | str | Part | Faces | Face | Dice | ADie | Colour | Rounds | Names
"""A parameter, whose `str` is English. A plain `str` is a name and stays unchanged; a `Message` is translated."""


class Message(str):
    """English text that keeps the parts it was made from. Results of `str` methods are plain strings.

    `Message("I see {seen} of {dice}.", seen=3, dice=Dice(4, "red"))` is "I see 3 of 4 red dice.". A sentence is
    capitalized unless it begins with a name. As a parameter of another message it loses its full stop, and also its
    capital unless it comes first.
    """

    __slots__ = ("parts",)

    parts: tuple[Part, ...]
    """To be joined with spaces; empty for an empty text."""

    def __new__(cls, msgid: str, /, **params: Param) -> Self:
        words = {name: str(value) for name, value in params.items()}
        for name, value in params.items():
            if isinstance(value, Message):
                words[name] = value.removesuffix(".")
                if _is_sentence(value) and not msgid.startswith(f"{{{name}}}"):
                    words[name] = words[name][:1].lower() + words[name][1:]
        text = msgid.format(**words)
        if _is_sentence(msgid) and not _begins_with_name(msgid, params):
            text = text[:1].upper() + text[1:]
        return cls.with_text(text, msgid, params)

    @classmethod
    def with_text(cls, text: str, msgid: str, params: Mapping[str, Param]) -> Self:
        """A message whose English text differs from its msgid."""
        return cls.from_parts(text, (Part(msgid, {name: _value(value) for name, value in params.items()}),))

    @classmethod
    def sequence(cls, *texts: str) -> Self:
        """Several messages joined with spaces, without empty ones. Plain text is not translated."""
        return cls.from_parts(" ".join(filter(None, texts)), tuple(part for text in texts for part in parts_of(text)))

    @classmethod
    def from_parts(cls, text: str, parts: tuple[Part, ...]) -> Self:
        """A message that another program sent as `text` with its parts."""
        self = super().__new__(cls, text)
        self.parts = parts
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return type(self).from_parts, (str(self), self.parts)


def parts_of(text: str) -> tuple[Part, ...]:
    """The parts of a message; plain text has one part, an empty text none."""
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


def _is_sentence(text: str) -> bool:
    return text.endswith((".", "!", "?"))


def _begins_with_name(msgid: str, params: Mapping[str, Param]) -> bool:
    name, _, _ = msgid.removeprefix("{").partition("}")
    return msgid.startswith("{") and isinstance(params[name], str) and not isinstance(params[name], Message)
