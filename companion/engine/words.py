"""Numbers and faces in English, for the sentences of errors and accounts.

A page in another language takes the message id and the parameters of an error instead, and says the numbers itself.
"""

from __future__ import annotations

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
