"""Numbers, faces and dice in English, for the sentences of errors and of what is said.

A page in another language takes the messages and their parameters instead (`said`), and says the numbers itself.
"""

from __future__ import annotations

from collections.abc import Sequence

PACO = 1
"""The face that is wild: it counts as the bid's face, and stands outside the order 2 < 3 < 4 < 5 < 6."""

FACES = range(1, 7)

_NUMBERS = (
    *("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
    "twenty",
)
_FACES = ("paco", "two", "three", "four", "five", "six")
_MANY = 1_000_000


def number(value: int) -> str:
    """`value` (0 or more) as a word up to twenty, in digits up to a million.

    Beyond that it stays vague: a record may hold a count so long that Python refuses to print it.
    """
    if value < len(_NUMBERS):
        return _NUMBERS[value]
    return str(value) if value <= _MANY else "over a million"


def face_name(face: int, count: int = 2) -> str:
    """The name of `face` (1 to 6) for `count` dice: "four" for one, "fours" for any other number, "sixes"."""
    name = _FACES[face - 1]
    if count == 1:
        return name
    return name + ("es" if face == 6 else "s")


def a(word: str) -> str:
    """The word with the article before it."""
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def dice(count: int, colour: str = "") -> str:
    """ "1 red die", "4 red dice"."""
    words = [str(count), colour, "die" if count == 1 else "dice"]
    return " ".join(word for word in words if word)


def faces(count: int, face: int) -> str:
    """ "no fours", "1 paco", "5 sixes"."""
    said = str(count or "no") if count <= _MANY else "over a million"  # Python refuses to print some numbers
    return f"{said} {face_name(face, count)}"


def listed(names: Sequence[str], last: str = "and") -> str:
    """ "Ana", "Ana and Ben", "Ana, Ben and Cid"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"
