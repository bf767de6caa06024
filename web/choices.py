"""What a new game may be: what `GET /api/v1/choices` answers. Pure."""

from __future__ import annotations

from calibration.palette import COLOURS
from companion.engine import DEFAULT_RULESET, FEWEST_PLAYERS, MOST_PLAYERS, RULESETS
from companion.messages.message import Message
from companion.messages.sentence import Sentence, Value
from companion.table.commands import DieColour
from companion.table.quantities import Book


class BookChoice(Sentence, frozen=True):
    """A rulebook, and how it is called in a list of them."""

    id: Book
    title: str
    edition: str


class Choices(Value, frozen=True, kw_only=True):
    """What a new game may be."""

    rulesets: tuple[BookChoice, ...]
    ruleset: Book
    colours: tuple[DieColour, ...]
    players: tuple[int, int]
    """The fewest and the most."""


def choices() -> Choices:
    """The rulebooks, the one that is usual here, the dice's colours and the number of players."""
    return Choices(
        rulesets=tuple(
            BookChoice(
                id=book.id,
                title=book.title,
                edition=book.edition,
                sentence=Message("{title} ({edition})", title=book.title, edition=book.edition),
            )
            for book in RULESETS.values()
        ),
        ruleset=DEFAULT_RULESET.id,
        colours=COLOURS,
        players=(FEWEST_PLAYERS, MOST_PLAYERS),
    )
