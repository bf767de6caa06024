"""Whether a command is carried out, and what happens then. Pure: a position and a command in, events out.

The engine is asked about everything that is a rule of the game; only what concerns the table itself is decided here.
"""

from __future__ import annotations

from typing import Final, NoReturn

from calibration.palette import COLOURS
from companion import engine
from companion.engine.rulebooks import changed, differences
from companion.table import commands, events, sentences
from companion.table.check import by_player
from companion.table.errors import NotAllowedNowError, UnreadableCommandError
from companion.table.position import Phase, TablePosition, evolve
from companion.table.seen import SMALLEST, SeenReading

LONGEST_NAME: Final = 24
"""Characters of a player's name, so that it fits on a phone beside the dice."""

RESERVED: Final = frozenset({"dudo", "calza"})
"""Names of lamps, which a player cannot have."""

Events = tuple[events.Event, ...]


def decide(position: TablePosition, command: commands.Command) -> Events:
    """The events by which `command` is carried out.

    Raises `UnreadableCommandError`, `NotAllowedNowError` or an `EngineError` when it is not; then nothing happened.
    """
    match command:
        case commands.NewGame():
            return _new_game(position, command)
        case commands.MakeBid(player, count, face):
            _bidding(position).apply(engine.Bid(player, count, face))
            return (events.BidMade(player, count, face),)
        case commands.CallDudo(player):
            game = _bidding(position)
            caller = player if player is not None else game.turn or game.starter
            game.apply(engine.Dudo(caller))
            return (events.DudoCalled(caller),)
        case commands.CallCalza(player):
            return _calza(_bidding(position), player)
        case commands.SayCaller(player):
            return _caller(position, player)
        case commands.TakeReading():
            return _take_reading(position, command)
        case commands.SetDie() | commands.AddDie() | commands.StrikeDie():
            return _correct(position, command)
        case commands.Again():
            if position.phase not in (Phase.READING, Phase.CHECKING):
                _refuse(position)
            return (events.ReadAgain(),)
        case commands.CountByHand(dice):
            return _by_hand(position, engine.Reveal({player: tuple(faces) for player, faces in dice.items()}))
        case commands.NextRound():
            if position.phase is not Phase.VERDICT:
                _refuse(position)
            return (events.RoundOpened(),)


def _new_game(position: TablePosition, command: commands.NewGame) -> Events:
    if position.phase not in (Phase.SEATING, Phase.OVER) and not command.abandon:
        raise NotAllowedNowError(
            "game-on", "A game is being played. Play it to its end, or say that it is to be abandoned."
        )
    if command.ruleset not in engine.RULESETS:
        known = sentences.listed(list(engine.RULESETS), "or")
        raise UnreadableCommandError("bad-ruleset", f"There is no ruleset {command.ruleset!r}; it can be {known}.")
    names = tuple(name for name, _ in command.players)
    colours = tuple(colour for _, colour in command.players)
    for name in names:
        if len(name) > LONGEST_NAME or name != name.strip() or not name.isprintable() or name in RESERVED:
            raise UnreadableCommandError(
                "bad-player",
                f"{name!r} is not a name for a player: one to {LONGEST_NAME} letters, no space at its ends.",
            )
    for colour in colours:
        _colour(colour)
    if len(set(colours)) != len(colours):
        raise UnreadableCommandError("bad-player", "Every player must have a different colour.")
    # The engine checks what is a rule of the game: the house rules, how many players, their names, the starter.
    ruleset = changed(engine.RULESETS[command.ruleset], command.rules)
    engine.GameStarted(ruleset, names, command.starter, command.calza)
    house = tuple(differences(ruleset).items())
    return (events.GameOpened(names, colours, command.ruleset, command.calza, command.starter, house),)


def _calza(game: engine.Position, player: str | None) -> Events:
    may = game.may_calza()
    if player is None and len(may) > 1:
        return (events.CallAsked(may),)
    # With nobody who may, the engine says why the player on turn may not.
    caller = player if player is not None else (may[0] if may else game.turn or game.starter)
    game.apply(engine.Calza(caller))
    return (events.CalzaCalled(caller),)


def _caller(position: TablePosition, player: str) -> Events:
    if position.phase is not Phase.ASKING:
        _refuse(position)
    _bidding(position).apply(engine.Calza(player))
    return (events.CalzaCalled(player),)


def _take_reading(position: TablePosition, command: commands.TakeReading) -> Events:
    if position.phase is not Phase.READING or command.reveal != position.reveals:
        raise NotAllowedNowError("late-reading", "This reading comes too late: nobody waits for it any more.")
    reading = SeenReading.of(command.reading, position.readings + 1, command.picture)
    taken = events.ReadingTaken(reading.id, reading.dice, reading.width, reading.height, reading.picture)
    return _judging(position, taken)


def _correct(position: TablePosition, command: commands.SetDie | commands.AddDie | commands.StrikeDie) -> Events:
    if position.phase not in (Phase.CHECKING, Phase.VERDICT, Phase.OVER):
        _refuse(position)
    reading = position.reading
    if reading is None:
        raise NotAllowedNowError("no-reading", "The dice were counted by hand: count them by hand again.")
    if not isinstance(command, commands.AddDie) and reading.die(command.die) is None:
        raise UnreadableCommandError("unknown-die", f"There is no die number {command.die} in this picture.")
    match command:
        case commands.SetDie(die, face, colour):
            if face is None and colour is None:
                raise UnreadableCommandError("bad-die", "Say the die's face, its colour or both.")
            if face is not None:
                _face(face)
            if colour is not None:
                _colour(colour)
            return _judging(position, events.DieSet(die, face, colour))
        case commands.AddDie(box, face, colour):
            _face(face)
            _colour(colour)
            x, y, width, height = box
            fits = x >= 0 and y >= 0 and x + width <= reading.width and y + height <= reading.height
            if not (fits and width >= SMALLEST and height >= SMALLEST):
                raise UnreadableCommandError("bad-die", "The box must lie within the picture.")
            return _judging(position, events.DieAdded(face, colour, box))
        case commands.StrikeDie(die):
            return _judging(position, events.DieStruck(die))


def _judging(position: TablePosition, event: events.Event) -> Events:
    """The event, and the verdict with it when it leaves nothing to ask."""
    after = evolve(position, event)
    if after.reading is None or after.problems():
        return (event,)
    return (event, events.Judged(tuple(by_player(after.reading, after.expected()).items())))


def _by_hand(position: TablePosition, reveal: engine.Reveal) -> Events:
    if position.phase not in (Phase.READING, Phase.CHECKING, Phase.VERDICT, Phase.OVER) or position.called is None:
        _refuse(position)
    position.called.apply(reveal)
    dice = tuple(reveal.dice.items())
    return (events.CountedByHand(dice), events.Judged(dice))


def _bidding(position: TablePosition) -> engine.Position:
    """The game, when it is the moment for bids and calls.

    That includes the moment when it is asked who said calza: a bid or dudo of the player on turn stands against a
    calza of the same instant (all six books), and it is the way back from a press nobody meant.
    """
    if position.game is None or position.phase not in (Phase.BIDDING, Phase.ASKING):
        _refuse(position)
    return position.game


def _face(face: int) -> None:
    if type(face) is not int or face not in engine.FACES:
        raise UnreadableCommandError("bad-die", "The face of a die is a whole number from one to six.")


def _colour(colour: str) -> None:
    if colour not in COLOURS:
        known = sentences.listed(COLOURS, "or")
        raise UnreadableCommandError("bad-colour", f"{colour!r} is no colour of dice; it can be {known}.")


def _refuse(position: TablePosition) -> NoReturn:
    raise NotAllowedNowError("wrong-phase", sentences.wrong_phase(_WANTED[position.phase]))


_WANTED: Final = {
    Phase.SEATING: "nobody plays yet",
    Phase.BIDDING: "bids are being made",
    Phase.ASKING: "first say who called",
    Phase.READING: "the dice are being read",
    Phase.CHECKING: "the dice are being checked",
    Phase.VERDICT: "the round is judged, go on to the next one",
    Phase.OVER: "the game is over",
}
