"""Decides what a command does: a function from a history and a command to events or a refusal. Pure.

The engine decides the rules of the game; this module decides the rest.
"""

from __future__ import annotations

from typing import Final, NoReturn

import msgspec
from msgspec import UNSET

from companion import engine
from companion.engine.shortest_bids import shortest_bids
from companion.messages.message import Message
from companion.table import commands
from companion.table.errors import NotAllowedNowError, UnreadableCommandError
from companion.table.game import events, sentences
from companion.table.game.events import Events
from companion.table.game.history import History
from companion.table.game.new_game import STANDARD_DEFAULTS, GameDefaults, check_names, open_game
from companion.table.game.table_position import Phase, TablePosition, evolve
from companion.table.game.table_reading import by_player, reading_taken

SMALLEST_BOX: Final = 1.0
"""Least width and height of a die's box in pixels."""

_IN_A_BREAK: Final = (commands.Resume, commands.EndGame, commands.OpenGame, commands.Undo, commands.Redo)
"""The commands allowed during a break."""
_IN_A_ROUND: Final = (Phase.BIDDING, Phase.ASKING, Phase.READING, Phase.CHECKING, Phase.TELLING)
"""The phases of a round before its verdict."""


def decide(history: History, command: commands.Command, defaults: GameDefaults = STANDARD_DEFAULTS) -> Events:
    """The events that execute `command`.

    Raises `UnreadableCommandError`, `NotAllowedNowError` or an `EngineError` if it is refused.
    """
    position = history.position
    if position.paused and not isinstance(command, _IN_A_BREAK):
        raise NotAllowedNowError("paused", Message("The game is paused. Go on with it first."))
    _check_names(position, command)
    match command:
        case commands.OpenGame():
            return (open_game(position, command, defaults),)
        case commands.MakeBid(accepted=True):
            return (_let_pass(_game_in_bidding(position), command),)
        case commands.MakeBid(player, count, face, direction):
            made = events.BidMade(player, count, face, direction=direction)
            _game_in_bidding(position).apply(made.bid)
            return (made,)
        case commands.CallDudo(player):
            return _dudo(_game_in_bidding(position), player)
        case commands.CallCalza(player):
            return _calza(_game_in_bidding(position), player)
        case commands.NameCaller(player):
            _require_phase(position, Phase.ASKING)
            call = _dudo if position.asked_call == "dudo" else _calza
            return call(_game_in_bidding(position), player)
        case commands.TakeReading():
            return _take_reading(position, command)
        case commands.SetDie() | commands.AddDie() | commands.StrikeDie():
            return _correct(position, command)
        case commands.AskReading():
            _require_phase(position, Phase.ROLLING, Phase.READING, Phase.CHECKING, Phase.TELLING)
            return (events.ReadingAsked(),)
        case commands.CountByHand(dice):
            return _count_by_hand(position, engine.Reveal({player: tuple(faces) for player, faces in dice.items()}))
        case commands.OpenRound():
            _require_phase(position, Phase.VERDICT)
            return (events.RoundOpened(),)
        case commands.AskCount(call):
            _call(_game_in_bidding(position), call)
            return (events.CountAsked(call),)
        case commands.AskCountInstead(call, step):
            _require_last_step(history, step)
            return _replace_last_step(history, commands.AskCount(call))
        case commands.TellCall():
            return _tell_call(position, command)
        case commands.Undo(step):
            _require_last_step(history, step)
            return (events.Undone(),)
        case commands.Redo(step):
            _require_last_undone(history, step)
            return (events.Redone(),)
        case _:
            return _decide_company(position, command)


def _check_names(position: TablePosition, command: commands.Command) -> None:
    """Refuse an unknown name before anything else, as the record's rules do."""
    match command:
        case commands.MakeBid() | commands.CallDudo() | commands.CallCalza() | commands.NameCaller():
            names: tuple[str | None, ...] = (command.player,)
        case commands.CountByHand(dice):
            names = tuple(dice)
        case commands.TellCall():
            names = (command.bidder, command.caller)
        case _:
            return
    for name in names:
        if position.colours and name is not None and name not in position.colours:
            raise engine.UnknownPlayerError("there is no {player} in this game", player=name)


def _decide_company(position: TablePosition, command: commands.Command) -> Events:
    match command:
        case commands.LeaveGame(player, concede):
            _between_bids(position).without(player)
            return (events.GameLeft(player, concede),)
        case commands.ComeBack(player):
            return _come_back(position, player)
        case commands.VoidRound():
            _game_in_a_round(position)
            return (events.RoundVoided(),)
        case commands.SetPlayerDice(player, dice):
            game = _game_in_a_round(position, Phase.VERDICT)
            if player in position.away:
                raise engine.EliminatedPlayerError("{player} has left: say first that they are back", player=player)
            game.with_dice(player, dice)
            return _with_verdict(position, events.PlayerDiceSet(player, dice, palifico=True))
        case commands.JoinGame():
            return _join_game(position, command)
        case commands.Pause():
            _require_game(position)
            return (events.Paused(),)
        case commands.Resume():
            if not position.paused:
                raise NotAllowedNowError("not-paused", Message("The game is not paused."))
            return (events.Resumed(),)
        case commands.EndGame():
            _require_game(position)
            return (events.GameEnded(),)
    raise AssertionError(f"nothing decides {type(command).__name__}")


def decide_together(history: History, command: commands.Command) -> Events | None:
    """The events for a `command` given at the same instant as the bid or call of the last step; None if they do not
    conflict.

    A calza right after a bid counts as a call on the bid before it, if that is allowed. Raises `NotAllowedNowError` if
    by the rules the first call counts.
    """
    step, position = history.last, history.position
    if step is None or position.paused:
        return None
    first, game = _as_call(step.events[0]), step.before.game
    bidding = isinstance(first, engine.Bid)
    if first is None or game is None or position.phase is not (Phase.BIDDING if bidding else Phase.READING):
        return None
    match command:
        case commands.MakeBid(player, count, face, direction, accepted=False):
            second: engine.Call = events.BidMade(player, count, face, direction=direction).bid
        case commands.CallDudo(player) if player is not None or game.turn is not None:
            second = engine.Dudo(player or game.turn or "")
        case commands.CallCalza(player) if player is not None:
            second = engine.Calza(player)
        case commands.CallCalza() if bidding and game.may_calza():
            second = engine.Calza(game.may_calza()[0])
        case _:
            return None
    if first == second or (bidding and not (isinstance(second, engine.Calza) and game.check(second) is None)):
        return None
    after = game.apply(engine.Together((first, second)))
    if (after.call or after.bid) != second:
        raise NotAllowedNowError("together", sentences.other_call_stands(first.player, type(first).__name__.lower()))
    return _replace_last_step(history, command)


def speaker(command: commands.Command, new_events: Events = ()) -> str | None:
    """The player whose bid or call `command` is, if known from it or its events; else None.

    `TellCall` has no speaker: anyone who remembers the call may enter it.
    """
    match command:
        case (
            commands.MakeBid(player)
            | commands.CallDudo(str(player))
            | commands.CallCalza(str(player))
            | commands.NameCaller(player)
        ):
            return player
        case commands.CallDudo() | commands.CallCalza():
            calls = (call for call in map(_as_call, new_events) if call is not None)
            return next((call.player for call in calls), None)
        case _:
            return None


def _replace_last_step(history: History, command: commands.Command) -> Events:
    return (events.Undone(), *decide(history.after((events.Undone(),)), command))


def _require_last_undone(history: History, number: int) -> None:
    if history.undone is None or history.undone.number != number or history.position.paused:
        raise NotAllowedNowError("stale", Message("There is nothing to redo, or the game has changed."))


def _require_last_step(history: History, number: int) -> None:
    last = history.last
    if last is None or not last.undoable or last.number != number or history.position.paused:
        raise NotAllowedNowError("stale", Message("That is no longer the last thing that was done."))


def _as_call(event: events.Event) -> engine.Call | None:
    match event:
        case events.BidMade():
            return event.bid
        case events.DudoCalled(player):
            return engine.Dudo(player)
        case events.CalzaCalled(player):
            return engine.Calza(player)
        case _:
            return None


def _dudo(game: engine.Position, player: str | None) -> Events:
    if player is None and game.bid is None:
        return (events.CountAsked("dudo"),)
    may = game.may_dudo()
    if player is None and len(may) > 1:
        return (events.CallerAsked(may, "dudo"),)
    # If nobody may, the engine raises its error for the player on turn.
    caller = player if player is not None else (may[0] if may else game.turn or game.starter)
    game.apply(engine.Dudo(caller))
    return (events.DudoCalled(caller),)


def _calza(game: engine.Position, player: str | None) -> Events:
    if player is None:
        _require_calza(game)  # a bid would not help
    if player is None and game.bid is None:
        return (events.CountAsked("calza"),)
    may = game.may_calza()
    if player is None and len(may) > 1:
        return (events.CallerAsked(may),)
    # If nobody may, the engine raises its error for the player on turn.
    caller = player if player is not None else (may[0] if may else game.turn or game.starter)
    game.apply(engine.Calza(caller))
    return (events.CalzaCalled(caller),)


def _let_pass(game: engine.Position, command: commands.MakeBid) -> events.BidMade:
    """The bid, marked if it is against the rules."""
    made = events.BidMade(command.player, command.count, command.face, direction=command.direction)
    if not game.is_legal(made.bid):
        made = msgspec.structs.replace(made, accepted=True)
    game.apply(made.bid)
    return made


def _join_game(position: TablePosition, command: commands.JoinGame) -> Events:
    game = _between_bids(position)
    if command.after not in game.players:
        raise engine.UnknownPlayerError("there is no {player} in this game", player=command.after)
    if command.colour in position.colours.values():
        raise UnreadableCommandError("bad-player", Message("Every player needs a different colour."))
    seat = game.players.index(command.after) + 1
    check_names((*game.players, command.player), game.ruleset.most_players)
    game.with_newcomer(command.player, command.dice, seat)
    return (events.NewcomerSeated(command.player, command.colour, command.dice, seat),)


def _come_back(position: TablePosition, player: str) -> Events:
    game = _between_bids(position)
    if player not in position.away:
        if game.dice.get(player):
            raise NotAllowedNowError("not-away", Message("{player} is playing already.", player=player))
        raise NotAllowedNowError(
            "not-away",
            Message(
                "{player} gave up or lost all dice, and cannot come back. If that is wrong, correct their number of "
                "dice.",
                player=player,
            ),
        )
    game.with_player(player, position.away[player])
    return (events.CameBack(player),)


def _take_reading(position: TablePosition, command: commands.TakeReading) -> Events:
    if position.phase is not Phase.READING or command.reveal != position.reveals:
        raise NotAllowedNowError("late-reading", Message("This reading comes too late: nobody is waiting for it."))
    return _with_verdict(position, reading_taken(position.readings + 1, command.reading, picture=command.picture))


def _correct(position: TablePosition, command: commands.SetDie | commands.AddDie | commands.StrikeDie) -> Events:
    _require_phase(position, Phase.CHECKING, Phase.TELLING, Phase.VERDICT, Phase.OVER)
    _require_not_ended(position)
    reading = position.reading
    if reading is None:
        raise NotAllowedNowError("no-reading", Message("The dice were counted by hand: count them by hand again."))
    if not isinstance(command, commands.AddDie) and reading.die(command.die) is None:
        raise UnreadableCommandError(
            "unknown-die", Message("There is no die number {die} in this picture.", die=command.die)
        )
    match command:
        case commands.SetDie(die, face, colour):
            return _with_verdict(
                position, events.DieSet(die, None if face is UNSET else face, None if colour is UNSET else colour)
            )
        case commands.AddDie(box, face, colour):
            x, y, width, height = box
            fits = x >= 0 and y >= 0 and x + width <= reading.width and y + height <= reading.height
            if not (fits and width >= SMALLEST_BOX and height >= SMALLEST_BOX):
                raise UnreadableCommandError("bad-die", "The box must lie within the picture.")
            return _with_verdict(position, events.DieAdded(face, colour, box))
        case commands.StrikeDie(die):
            return _with_verdict(position, events.DieStruck(die))


def _with_verdict(position: TablePosition, event: events.Event) -> Events:
    """`event`, followed by the verdict or the opening roll if no questions are left."""
    after = evolve(position, event)
    if after.reading is None or after.problems() or after.phase is not Phase.CHECKING:
        return (event,)
    judged = _judged(after)
    return (event, events.Rolled(judged.dice) if after.rolling is not None else judged)


def _judged(position: TablePosition) -> events.Judged:
    """The verdict, from each player's faces as counted by hand or read."""
    if position.by_hand is not None:
        return events.Judged(tuple(position.by_hand.items()))
    assert position.reading is not None
    dice, uncertain = (by_player(position.reading, position.expected(), uncertain=only) for only in (False, True))
    return events.Judged(tuple(dice.items()), tuple((name, faces) for name, faces in uncertain.items() if faces))


def _count_by_hand(position: TablePosition, reveal: engine.Reveal) -> Events:
    _require_phase(position, Phase.ROLLING, Phase.READING, Phase.CHECKING, Phase.TELLING, Phase.VERDICT, Phase.OVER)
    _require_not_ended(position)
    dice = tuple(reveal.dice.items())
    if position.game_at_call is None and position.counting is None and position.rolling is None:
        _refuse(position)
    _check_dice(position, reveal)
    if position.game_at_call is not None:
        position.game_at_call.apply(reveal)
        return (events.CountedByHand(dice), events.Judged(dice))
    if position.rolling is not None:
        return (events.CountedByHand(dice), events.Rolled(dice))
    return (events.CountedByHand(dice),)


def _check_dice(position: TablePosition, reveal: engine.Reveal) -> None:
    """Check the number of dice as the engine would, even without a call to judge."""
    expected = {player.name: player.dice for player in position.expected()}
    for name in position.colours:
        shown, have = len(reveal.dice.get(name, ())), expected.get(name, 0)
        if shown != have and position.hides_dice:
            raise engine.DiceMismatchError("somebody has another number of dice")  # not saying whose guess was wrong
        if shown != have:
            raise engine.DiceMismatchError(
                "dice of {player}: {shown} shown, {left} expected", player=name, shown=shown, left=have
            )


def _tell_call(position: TablePosition, command: commands.TellCall) -> Events:
    """The bids, the call and the verdict, as if entered in order."""
    _require_phase(position, Phase.TELLING)
    game = position.game
    assert game is not None
    bid, caller = engine.Bid(command.bidder, command.count, command.face), command.caller
    bids = shortest_bids(game, bid)
    for each in bids:
        game = game.apply(each)
    call = _call(game, command.call, caller)
    game.apply(call)
    bids_made = tuple(events.BidMade(each.player, each.count, each.face, assumed=each != bid) for each in bids)
    call_made = events.DudoCalled(caller) if isinstance(call, engine.Dudo) else events.CalzaCalled(caller)
    return (*bids_made, call_made, _judged(position))


def _call(game: engine.Position, call: str, player: str = "") -> engine.Dudo | engine.Calza:
    if call == "dudo":
        return engine.Dudo(player)
    if call != "calza":
        raise UnreadableCommandError("bad-call", f"{call!r} is no call; it can be dudo or calza.")
    if not player:
        _require_calza(game)
    return engine.Calza(player)


def _require_calza(game: engine.Position) -> None:
    if not game.calza:
        raise engine.CalzaNotAllowedError("this game is played without calza")


def _require_game(position: TablePosition) -> None:
    if position.phase in (Phase.SEATING, Phase.OVER):
        _refuse(position)


def _require_not_ended(position: TablePosition) -> None:
    if position.phase is Phase.OVER and (position.game is None or position.game.winner is None):
        raise NotAllowedNowError("ended", Message("The game was ended. Undo that first."))


def _require_phase(position: TablePosition, *phases: Phase) -> None:
    if position.phase not in phases:
        _refuse(position)


def _game_in_bidding(position: TablePosition) -> engine.Position:
    """The game, in a phase in which players may bid, call, leave and come back.

    That includes the question who called: a bid or dudo by the player on turn beats a calza at the same instant (in all
    six books). The table refuses later ones.
    """
    if position.game is None or position.phase not in (Phase.BIDDING, Phase.ASKING):
        _refuse(position)
    return position.game


def _game_in_a_round(position: TablePosition, *more: Phase) -> engine.Position:
    """The game, before the round's verdict or in one of `more` phases."""
    _require_phase(position, *_IN_A_ROUND, *more)
    if position.game is None:  # the players roll for the opening
        _refuse(position)
    return position.game


def _between_bids(position: TablePosition) -> engine.Position:
    """The game in bidding, or after a verdict, before the next round."""
    if position.phase is Phase.VERDICT and position.game is not None:
        return position.game
    return _game_in_bidding(position)


def _refuse(position: TablePosition) -> NoReturn:
    raise NotAllowedNowError("wrong-phase", _REFUSALS[position.phase])


_REFUSALS: Final = {
    Phase.SEATING: Message("Not now: nobody is playing yet."),
    Phase.ROLLING: Message("Not now: the players are rolling for the opening."),
    Phase.BIDDING: Message("Not now: bids are being made."),
    Phase.ASKING: Message("Not now: first say who called."),
    Phase.READING: Message("Not now: the dice are being read."),
    Phase.CHECKING: Message("Not now: the dice are being checked."),
    Phase.TELLING: Message("Not now: first say who called, and on what bid."),
    Phase.VERDICT: Message("Not now: the round is judged, go on to the next one."),
    Phase.OVER: Message("Not now: the game is over."),
}
