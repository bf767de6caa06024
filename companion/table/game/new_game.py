"""Opens a game: checks the command, and applies the table's defaults."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from msgspec import UNSET

from calibration.palette import COLOURS
from companion import engine
from companion.engine import Ruleset
from companion.engine.rulebooks import differences, with_changes
from companion.messages.english import listed
from companion.messages.message import Message
from companion.table import commands
from companion.table.errors import NotAllowedNowError, UnreadableCommandError
from companion.table.game import events
from companion.table.game.table_position import Phase, TablePosition, game_started

RESERVED: Final = frozenset({"dudo", "calza"})
"""Names that players cannot have, because they are names of lamps."""
MOST_MARKS: Final = 3
"""The most accents on one letter; more would cover the lines above."""
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Characters that are letters, marks or signs by their Unicode category but show nothing."""
JOINERS: Final = frozenset("\u200c\u200d")
"""Characters that join or separate their neighbours, as in emoji and in Persian."""
_VARIATIONS: Final = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
"""They select a variant of the letter before them."""


@dataclass(frozen=True, slots=True)
class GameDefaults:
    """The defaults for everything that the command for a new game leaves out."""

    house: Ruleset = engine.DEFAULT_RULESET
    """A book, or a book with house rules, which then apply to every game by that book."""
    calza: bool = True
    """What pages suggest; a command always says whether calza is allowed."""
    open_lost: bool = True
    draw: Callable[[Sequence[str]], str] = random.SystemRandom().choice
    """Draws the starter."""
    clock_set: Callable[[], bool] = lambda: True
    """Returns True if the time of day is right."""


STANDARD_DEFAULTS: Final = GameDefaults()


def open_game(position: TablePosition, command: commands.OpenGame, defaults: GameDefaults) -> events.GameOpened:
    """The event that opens the game. Raises the same errors as `companion.table.game.decide.decide`."""
    if position.phase not in (Phase.SEATING, Phase.OVER) and not command.abandon:
        raise NotAllowedNowError("game-on", Message("A game is being played. Play it to its end, or end it early."))
    if command.ruleset not in engine.RULESETS:
        rulesets = listed(list(engine.RULESETS), "or")
        raise UnreadableCommandError("bad-ruleset", f"There is no ruleset {command.ruleset!r}; it can be {rulesets}.")
    names = tuple(player.name for player in command.players)
    colours = tuple(player.colour for player in command.players)
    ruleset = engine.RULESETS[command.ruleset]
    if command.rules is not UNSET:
        ruleset = with_changes(ruleset, command.rules)
    elif command.ruleset == defaults.house.id:
        ruleset = defaults.house
    check_names(names, ruleset.most_players)
    for colour in colours:
        if colour not in COLOURS:
            raise UnreadableCommandError(
                "bad-colour", f"{colour!r} is no colour of dice; it can be {listed(COLOURS, 'or')}."
            )
    if len(set(colours)) != len(colours):
        raise UnreadableCommandError("bad-player", Message("Every player needs a different colour."))
    for name in command.dice:
        if name not in names:
            raise UnreadableCommandError("bad-player", f"{name!r} has dice, but does not play.")
    open_lost = defaults.open_lost if command.open_lost is UNSET else command.open_lost
    if not open_lost:  # the highest bid would reveal the number of dice
        ruleset = replace(ruleset, bids_above_dice=True)
    starter = defaults.draw(names) if command.starter is None else command.starter
    opened = events.GameOpened(
        names,
        colours,
        command.ruleset,
        command.calza,
        "" if command.roll else starter,
        tuple(differences(ruleset).items()),
        tuple(command.dice.get(name, ruleset.dice_each) for name in names) if command.dice else (),
        open_lost,
        (ruleset.first_starter.dice or 1) if command.roll else 0,
        "" if command.rules_name is UNSET else command.rules_name,
        command.first_to,
        command.turn_seconds,
        defaults.clock_set(),
    )
    # The engine checks the house rules, the players' dice and the starter.
    game_started(opened, names[0] if command.roll else starter)
    return opened


def check_names(names: Sequence[str], most: int) -> None:
    """Raise `UnreadableCommandError` for names that cannot play together, or more than `most`."""
    fewest = engine.FEWEST_PLAYERS
    if not fewest <= len(names) <= most:
        raise UnreadableCommandError(
            "bad-player", Message("A game is for {fewest} to {most} players.", fewest=fewest, most=most)
        )
    if len(set(map(_look, names))) != len(names):
        raise UnreadableCommandError("bad-player", Message("Every player needs a different name."))
    for name in names:
        if name in RESERVED:
            message = Message("'{name}' is the name of a button: choose another one.", name=name)
            raise UnreadableCommandError("bad-player", message)
        if not is_name(name):
            message = Message(
                "{name} is not a name for a player: one to {longest} letters, no space at its ends.",
                name=repr(name),
                longest=commands.LONGEST_NAME,
            )
            raise UnreadableCommandError("bad-player", message)


def is_name(name: str) -> bool:
    """True if `name` can be a player's: not too long, no space at its ends, and only visible characters."""
    if len(name) > commands.LONGEST_NAME or name != name.strip():
        return False
    marks = 0
    for at, letter in enumerate(name):
        is_mark = unicodedata.category(letter).startswith("M")
        marks = marks + 1 if is_mark else 0
        joins = letter in JOINERS and 0 < at < len(name) - 1
        if not (letter.isprintable() or joins) or letter in _BLANK or marks > MOST_MARKS or (is_mark and at == 0):
            return False
    return True


def _look(name: str) -> str:
    """A key that is equal for names that look alike: it ignores case, wide letters and useless joiners."""
    letters = unicodedata.normalize("NFKC", name.casefold())
    return "".join(letter for letter in letters if letter not in JOINERS | _VARIATIONS)
