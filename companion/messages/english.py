"""Numbers, faces and dice in English. Pages in other languages build their own from a message's parameters."""

from __future__ import annotations

from collections.abc import Sequence

PACO = 1
"""The wild face. It counts as the bid's face, and has no place in the order 2 < 3 < 4 < 5 < 6."""

FACES = range(1, 7)

_NUMBERS = (
    *("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
    "twenty",
)
_FACES = ("paco", "two", "three", "four", "five", "six")
_MANY = 1_000_000


def number(value: int) -> str:
    """`value` (0 or more) as a word up to twenty, in digits up to a million, else "over a million".

    A count in a record may be too long for Python to print.
    """
    if value < len(_NUMBERS):
        return _NUMBERS[value]
    return str(value) if value <= _MANY else "over a million"


def face_name(face: int, count: int = 2) -> str:
    """The name of `face` (1 to 6) for `count` dice: "four" for one, "fours" for any other count."""
    name = _FACES[face - 1]
    if count == 1:
        return name
    return name + ("es" if face == 6 else "s")


def in_words(count: int, face: int) -> str:
    """ "five fours", "one paco"."""
    return f"{number(count)} {face_name(face, count)}"


def dice(count: int, colour: str = "") -> str:
    """ "1 red die", "4 red dice"."""
    words = [str(count), colour, "die" if count == 1 else "dice"]
    return " ".join(word for word in words if word)


def faces(count: int, face: int) -> str:
    """ "no fours", "1 paco", "5 sixes"."""
    amount = str(count or "no") if count <= _MANY else "over a million"
    return f"{amount} {face_name(face, count)}"


def listed(names: Sequence[str], last: str = "and") -> str:
    """ "Ana", "Ana and Ben", "Ana, Ben and Cid"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"
