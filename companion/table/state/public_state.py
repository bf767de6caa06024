"""Makes the public state from the table's history. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Final

import msgspec

from companion import engine
from companion.engine import CallKind, Ruleset
from companion.engine.bidding import Counts
from companion.engine.rulebooks import differences
from companion.engine.rules_in_words import describe
from companion.messages.message import Message, Names
from companion.table.game import sentences
from companion.table.game.corrections import corrections
from companion.table.game.events import TableDie
from companion.table.game.history import History, Step
from companion.table.game.new_game import STANDARD_DEFAULTS, GameDefaults
from companion.table.game.step_name import step_kind, step_name
from companion.table.game.table_position import Phase, TablePosition
from companion.table.game.table_reading import in_play
from companion.table.state.signs import STARTING, lamps, status_lamp
from companion.table.state.state import (
    Asking,
    AwayPlayer,
    CalibrationStatus,
    CameraStatus,
    Clip,
    ClubStatus,
    Company,
    CompanySeat,
    FaceCount,
    FaceTally,
    HouseRule,
    JournalStatus,
    May,
    Notice,
    PanelStatus,
    PublicBid,
    PublicCall,
    PublicDie,
    PublicPlayer,
    PublicReading,
    PublicStep,
    PublicVerdict,
    RobotStrength,
    State,
    Waiting,
)

PICTURES: Final = "/api/v1/pictures"
WITHOUT_CAMERA: Final = CameraStatus(ok=False, name="", sentence=sentences.NO_CAMERA)
NO_PROFILE: Final = CalibrationStatus()


@dataclass(frozen=True, slots=True)
class RuntimeStatus:
    """What the journal does not contain: the state of the hardware, and the defaults of a new game."""

    camera: CameraStatus = WITHOUT_CAMERA
    calibration: CalibrationStatus = NO_PROFILE
    waiting: Waiting | None = None
    notice: Notice | None = None
    undone: Notice | None = None
    panel: bool | None = None
    """True if the panel is virtual; None if there is none."""
    panel_sentence: str = ""
    journal: str = ""
    """Why events are not written to disk; empty if they are."""
    clip: tuple[int, Clip] | None = None
    """The number of a reading, and its clip."""
    pictured: bool = True
    """True if the picture of the reading is still on disk."""
    demo: bool = False
    robots: Mapping[str, RobotStrength] = field(default_factory=dict)
    learn: bool = False
    club: ClubStatus | None = None
    defaults: GameDefaults = STANDARD_DEFAULTS


def public_state(history: History, status: RuntimeStatus, version: int) -> State:
    position = history.position
    game, opened = position.game, position.opened
    to_bid = game if position.phase in (Phase.BIDDING, Phase.ASKING) else None
    counts = _counts(position, to_bid)
    call = position.game_at_call.call if position.game_at_call is not None else None
    ruleset = opened.rulebook if opened else status.defaults.house
    state = State(
        version=version,
        phase=position.phase,
        game=position.games,
        ruleset=ruleset.id,
        rules=_house_rules(ruleset),
        rules_name=opened.rules_name if opened else "",
        calza=opened.calza if opened else status.defaults.calza,
        series=position.series,
        turn_seconds=opened.turn_seconds if opened else 0,
        round=game.round if game else None,
        turn=to_bid.turn if to_bid else None,
        starter=game.starter if game else None,
        palifico=game.palifico if game else None,
        wild=game.wild if game else None,
        bid=_bid(position),
        bids=tuple(map(_public, position.bids)),
        direction=game.direction if game else engine.Direction.CLOCKWISE,
        voided=position.voided and position.phase is Phase.BIDDING,
        players=players(position),
        away=tuple(AwayPlayer(name, None if _secret(position) else dice) for name, dice in position.away.items()),
        company=_company(position),
        open_lost=opened.open_lost if opened else status.defaults.open_lost,
        opening=position.opening,
        paused=position.paused,
        winner=game.winner if game else None,
        lowest={face: each.lowest for face, each in counts.items()},
        highest={face: each.highest for face, each in counts.items()},
        may=_may(position, to_bid),
        call=PublicCall(call.kind, call.player) if call else None,
        counting=CallKind(position.counting) if position.counting else None,
        asking=_asking(position),
        cups=game.reveal_order() if game and position.phase is Phase.READING else (),
        waiting=_waiting(position, status.waiting),
        reading=_reading(position, status),
        byhand=position.by_hand or None,
        tally=_tally(position),
        verdict=_verdict(position.verdict),
        last=_verdict(position.last),
        undo=_step(history.last) if history.last and history.last.undoable and not position.paused else None,
        redo=None if position.paused else _step(history.undone),
        undone=status.undone,
        corrections=tuple(
            PublicStep(step=step.number, kind=step_kind(step.events), sentence=sentence)
            for step, sentence in corrections(history)
        ),
        notice=status.notice,
        camera=status.camera,
        calibration=status.calibration,
        club=status.club,
        journal=JournalStatus(ok=not status.journal, sentence=status.journal),
        panel=PanelStatus(
            present=status.panel is not None,
            virtual=bool(status.panel),
            sentence=status.panel_sentence,
            lamps={},
            status=STARTING,
        ),
        demo=status.demo,
        robots=dict(status.robots),
        learn=status.learn,
    )
    panel = msgspec.structs.replace(state.panel, lamps=lamps(state), status=status_lamp(state))
    return msgspec.structs.replace(state, panel=panel)


def players(position: TablePosition, *, all_dice: bool = False) -> tuple[PublicPlayer, ...]:
    """The players, clockwise. `all_dice`: include numbers of dice that are hidden."""
    opened, game = position.opened, position.game
    if opened is None:
        return ()
    if game is None:
        return tuple(
            map(PublicPlayer, opened.players, opened.colours, opened.dice or repeat(opened.rulebook.dice_each))
        )
    hidden = position.hides_dice and not all_dice
    return tuple(
        # Everybody knows who is out, and that the palifico has one die.
        PublicPlayer(name, position.colours[name], None if hidden and count and name != game.palifico else count)
        for name, count in game.dice.items()
    )


def _secret(position: TablePosition) -> bool:
    return position.opened is not None and not position.opened.open_lost


def _house_rules(ruleset: Ruleset) -> tuple[HouseRule, ...]:
    values = differences(ruleset)
    return tuple(
        HouseRule(rule=rule.name, value=values[rule.name], sentence=rule.sentence)
        for rule in describe(ruleset)
        if rule.changed
    )


def _bid(position: TablePosition) -> PublicBid | None:
    """The last bid of the round, which is shown until the next round."""
    game = position.game_at_call or position.game
    bid = game.bid if game is not None else None
    return None if bid is None else _public(bid)


def _public(bid: engine.Bid) -> PublicBid:
    return PublicBid(bid.player, bid.count, bid.face, bid.accepted)


def _asking(position: TablePosition) -> Asking | None:
    callers = position.possible_callers
    return Asking(callers, call=CallKind(position.asked_call)) if callers else None


def _company(position: TablePosition) -> Company | None:
    """The players and rules of a game that is over, to play again."""
    opened = position.opened
    if opened is None or position.phase is not Phase.OVER:
        return None
    return Company(
        players=tuple(CompanySeat(name, colour) for name, colour in position.colours.items()),
        ruleset=opened.ruleset,
        calza=opened.calza,
        open_lost=opened.open_lost,
        dice=dict(zip(opened.players, opened.dice, strict=True)) if opened.dice else None,
        roll=opened.roll > 0,
        rules=dict(opened.rules),
        rules_name=opened.rules_name,
        first_to=opened.first_to,
        turn_seconds=opened.turn_seconds,
    )


def _may(position: TablePosition, game: engine.Position | None) -> May:
    if game is None:
        return May()
    return May(
        bid=() if game.turn is None else (game.turn,),
        dudo=game.may_dudo(),
        calza=game.may_calza() if position.phase is Phase.BIDDING else (),
    )


def _counts(position: TablePosition, game: engine.Position | None) -> dict[int, Counts]:
    """The counts that may be bid on each face."""
    if game is None:
        return dict.fromkeys(engine.FACES, Counts())
    if position.hides_dice:
        # In some books only a player with one die may change the face of a palifico round, so the counts would tell
        # how many dice the player on turn has. Show those of a player with one die.
        return {face: game.counts(face, one_die=True) for face in engine.FACES}
    return {face: game.counts(face) for face in engine.FACES}


def _waiting(position: TablePosition, waiting: Waiting | None) -> Waiting | None:
    """`waiting` with the order in which the cups are lifted; None if nothing is being read."""
    if waiting is None or position.phase is not Phase.READING:
        return None
    if waiting.code == "missing" and position.hides_dice:
        return Waiting(code=waiting.code, sentence=sentences.SOME_MISSING)
    cups = position.game.reveal_order() if position.game and waiting.code == "moving" else ()
    if not cups:
        return waiting
    order = Message("Lift the cups one after the other: {players}.", players=Names(cups))
    return Waiting(code=waiting.code, sentence=Message.sequence(order, waiting.sentence), place=waiting.place)


def _reading(position: TablePosition, status: RuntimeStatus) -> PublicReading | None:
    reading = position.reading
    if reading is None:
        return None
    owners = {colour: name for name, colour in position.colours.items()}
    counted = None if position.verdict is None else _counted(position)
    return PublicReading(
        id=reading.id,
        picture=f"{PICTURES}/{reading.id}.jpg" if reading.picture and status.pictured else None,
        width=reading.width,
        height=reading.height,
        dice=tuple(
            _die(position, die, owners.get(die.colour) if counted is None or die in counted else None)
            for die in reading.dice
        ),
        problems=position.problems(),
        clip=status.clip[1] if status.clip is not None and status.clip[0] == reading.id and status.pictured else None,
    )


def _die(position: TablePosition, die: TableDie, owner: str | None) -> PublicDie:
    called = position.game_at_call
    counts = (
        called is not None
        and called.bid is not None
        and owner is not None
        and called.bid.matches(die.face, wild=called.wild)
    )
    return PublicDie(
        id=die.id,
        face=die.face,
        colour=die.colour,
        player=owner,
        box=die.box,
        confidence=round(die.confidence, 3),
        uncertain=die.uncertain,
        likeliest=tuple((face, round(share, 3)) for face, share in die.likeliest),
        corrected=die.corrected,
        counts=counts,
    )


def _tally(position: TablePosition) -> tuple[FaceTally, ...] | None:
    """How many dice show each face, alone and with the pacos; None until they are counted."""
    if position.phase not in (Phase.TELLING, Phase.VERDICT, Phase.OVER):
        return None
    if position.by_hand is not None:
        shown = [face for faces in position.by_hand.values() for face in faces]
    elif position.reading is not None:
        shown = [die.face for die in _counted(position)]
    else:
        return None
    pacos = shown.count(engine.PACO)
    return tuple(
        FaceTally(face, shown.count(face), shown.count(face) + (pacos if face > 1 else 0)) for face in engine.FACES
    )


def _counted(position: TablePosition) -> tuple[TableDie, ...]:
    """The dice of the reading that are counted, once it has no problems."""
    assert position.reading is not None
    return tuple(chain.from_iterable(in_play(position.reading, position.expected()).values()))


def _verdict(after: engine.Position | None) -> PublicVerdict | None:
    """The verdict that led to the position `after`."""
    if after is None or after.outcome is None:
        return None
    outcome = after.outcome
    opener, palifico = (after.starter, after.palifico) if after.winner is None else (None, None)
    sentence = sentences.verdict(outcome, after.ruleset, opener, palifico, after.winner)
    if palifico is not None:
        sentence = Message.sequence(sentence, sentences.palifico(after.ruleset))
    return PublicVerdict(
        call=outcome.call,
        caller=outcome.caller,
        bidder=outcome.bid.player,
        bid=FaceCount(outcome.bid.count, outcome.bid.face),
        wild=outcome.wild,
        faces=outcome.faces,
        pacos=outcome.pacos,
        count=outcome.count,
        least=outcome.least,
        most=outcome.most,
        correct=outcome.correct,
        loses=outcome.loses,
        gains=outcome.gains,
        eliminated=outcome.eliminated,
        opener=opener,
        palifico=palifico,
        winner=after.winner,
        lost=outcome.lost,
        accepted=outcome.bid.accepted,
        sentence=sentence,
    )


def _step(step: Step | None) -> PublicStep | None:
    if step is None:
        return None
    sentence = step_name(step.events, step.before.reading)
    return PublicStep(step=step.number, kind=step_kind(step.events), sentence=sentence)
