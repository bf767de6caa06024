"""Plays an evening at a drawn table, through the real table and the real reveal, on a clock of its own.

Players throw dice, peek, bid, push objects and call; the reveal gets frames of it as from a camera. When the table
asks, players answer truthfully, so that the game continues. Only the processor time, which is measured, depends on the
machine.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, cast

import numpy as np

from calibration.palette import COLOURS, SEAT_COLOURS
from companion.camera.reveal import RETRY_PAUSE, RevealWorker
from companion.engine import DEFAULT_RULESET, RULESETS
from companion.evaluation.correction import answer, matched, not_asked_about
from companion.evaluation.instruments import DrawnCamera, EveningClock, MeteredReader
from companion.evaluation.layout import Layout
from companion.evaluation.props import CARRIED, CLOTH_KINDS, THINGS, CupLook, DiceSet, HandLook, View, cloth
from companion.evaluation.reveals import IN_THE_BIDDING, NEVER, WITH_THE_CUPS, JudgedPicture, RevealResult
from companion.evaluation.stage import CameraLook, Lamp, Stage
from companion.evaluation.tabletop import THING_SECONDS, Guest, Tabletop
from companion.table import Journal, Table, commands
from companion.table.commands import NewPlayer
from vision.evaluation.pairs import TrueDie
from vision.image_file import read_image
from vision.reader import Reader
from vision.stillness import StillnessCheck

MOST_ROUNDS: Final = 12
"""After this many rounds players go home, if nobody has won."""
GIVE_UP: Final = 120.0
PATIENCE: Final = 20.0
"""The default of `[table]` in the configuration."""
BETWEEN_CALLS: Final = 0.45
"""In seconds; if two calls came at the same instant, the table would decide which one counts."""
LAST_MOMENT: Final = 60.0
"""Seconds from the cups going up until players count by hand, if there is no reading."""

_NAMES: Final = ("Ana", "Ben", "Cid", "Dora", "Elise", "Fritz")
PICTURE_SIZES: Final = ((1280, 960), (1640, 1232))
_SMALLEST, _LARGEST = 1 / 49, 1 / 18
"""The width of dice as a share of the picture's width."""

CALM: Final = (3.4, 4.4)
"""The least and the most seconds of each round without a hand over the table; real rounds have many more."""

Rng = np.random.Generator
Happenings = dict[str, str | float | bool]
"""Name of a condition -> its value."""


def play_evening(
    seed: int, number: int, reader: Callable[[Tabletop], Reader], look: Callable[[JudgedPicture], None] = lambda _: None
) -> Iterator[RevealResult]:
    """Play evening `number` of this seed, reveal by reveal.

    reader: makes the reader for a table; look: called with every reveal.
    """
    rng = np.random.default_rng([seed, number])
    with TemporaryDirectory(prefix="perudo-evening-") as folder:
        clock = EveningClock()
        with closing(Table(Journal(Path(folder)), clock=clock)) as table:
            evening = Evening.begin(rng, number, table, clock, reader)
            for _ in range(MOST_ROUNDS):
                judged = evening.play_round()
                look(judged)
                yield judged.result
                if table.state().phase == "over":
                    return
                evening.end_round()


@dataclass(slots=True)
class Evening:
    """An evening in progress."""

    number: int
    table: Table
    clock: EveningClock
    rng: Rng
    tabletop: Tabletop
    camera: DrawnCamera
    reveal: RevealWorker
    reader: MeteredReader
    conditions: Happenings
    """Conditions of the whole evening."""
    middle: bool
    """Lost dice are laid in the middle."""
    faces: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Player -> the dice of this round."""
    early: bool = False
    """The round was opened while the last one's dice lay open."""

    @classmethod
    def begin(
        cls, rng: Rng, number: int, table: Table, clock: EveningClock, reader: Callable[[Tabletop], Reader]
    ) -> Evening:
        """Seat guests at a new table, and open a game."""
        size = PICTURE_SIZES[int(rng.integers(len(PICTURE_SIZES)))]
        players = int(rng.integers(2, DEFAULT_RULESET.most_players + 1))
        middle = bool(rng.uniform() < 0.5)
        palette = SEAT_COLOURS if rng.uniform() < 0.75 else COLOURS
        colours = [str(colour) for colour in rng.permutation(palette)[:players]]
        layout = _layout(size, players, middle, rng)
        width = size[0]
        # The mast stands beside the table, so the camera is not above the middle of what it sees.
        right, down = rng.normal(0, 0.08 * width, 2).tolist()
        view = View((width / 2 + right, size[1] / 2 + down), width * float(rng.uniform(1.0, 1.5)))
        turn, flat = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.1, 0.8))
        lamp = Lamp((flat * float(np.cos(turn)), flat * float(np.sin(turn))), float(rng.uniform(0.25, 0.65)))
        kind = str(rng.choice(CLOTH_KINDS))
        dim = bool(rng.uniform() < 0.3)
        look = _camera_look(dim, rng)
        dice_set = DiceSet.random(colours, rng)
        leather = bool(rng.uniform() < 0.5)
        guests = {
            name: Guest(
                name, colour, seat, CupLook.random(layout.edge, colour, rng, leather=leather), HandLook.random(rng),
                (seat.x, seat.y),
            )
            for name, colour, seat in zip(_NAMES, colours, layout.seats, strict=False)
        }  # fmt: skip
        stage = Stage(cloth(kind, size, colours, rng), look, np.random.default_rng(int(rng.integers(2**31))))
        stage.brightness = 0.75 if dim else float(rng.uniform(0.85, 1.2))
        tabletop = Tabletop(stage, layout, view, lamp, dice_set, rng, guests)
        for _ in range(int(rng.integers(0, 6))):
            tabletop.lay_thing(str(rng.choice(list(THINGS))))
        camera = DrawnCamera(stage, clock)
        metered = MeteredReader(reader(tabletop), clock)
        reveal = RevealWorker(
            table, camera, cast("Reader", metered), StillnessCheck(), patience=PATIENCE, give_up=GIVE_UP,
            clock=clock, sleep=clock.sleep,
        )  # fmt: skip
        conditions: Happenings = {
            "cloth": kind,
            "light": "dim" if dim else "bright",
            "players": players,
            "die width": round(layout.edge),
            "picture": f"{size[0]} x {size[1]}" + (" JPEG" if look.quality is not None else ""),
            "die material": dice_set.material,
            "one": "pip" if dice_set.emblem == "pip" else "emblem",
            "lost dice": "in the middle" if middle else "away",
        }
        evening = cls(number, table, clock, rng, tabletop, camera, reveal, metered, conditions, middle)
        evening._open_game(colours)
        return evening

    # A round

    def play_round(self) -> JudgedPicture:
        """Play from the cups going down to the verdict."""
        number = self.table.state().round or 0
        happened = self._quiet_time()
        self._call()
        seconds, readings, processor = self._reveal(self._lift_cups(happened))
        return self._judged(number, happened, seconds, readings, processor)

    def end_round(self) -> None:
        """Lay the loser's die in the middle or take it away, and open the next round."""
        verdict = self.table.state().verdict
        assert verdict is not None
        self.reveal.step()  # while players look at the verdict
        colours = {guest.name: guest.colour for guest in self.tabletop.guests.values()}
        late = None
        if verdict.loses and self.middle:
            late = self.tabletop.lose(colours[verdict.loses], int(self.rng.integers(1, 7)))
        if verdict.gains:
            self.tabletop.regain(colours[verdict.gains])
        if self.rng.uniform() < 0.2:
            self.tabletop.push_lost(None)
        self.early = bool(self.rng.uniform() < 0.35)
        self.table.do(commands.OpenRound())
        self._throw()
        if not self.early:
            self.clock.sleep(8.0)
            self.tabletop.stage.advance(self.clock.now)
            self.tabletop.throw(self.faces)
            return
        now = self.clock.now
        playing = [name for name in self.tabletop.guests if name in self.faces]
        for name in [guest.name for guest in self.tabletop.guests.values() if guest.name not in self.faces]:
            self._leave(name)
        ends = [
            self.tabletop.collect(name, self.faces[name], now + 0.3 + float(self.rng.uniform(0, 2.0)))
            for name in playing
        ]
        if late is not None and self.rng.uniform() < 0.5:
            self.tabletop.lose_by_hand(str(verdict.loses), late, now + 0.5)
        self._wait_until(max(ends))

    def _leave(self, name: str) -> None:
        """Let a player without dice take the cup away."""
        guest = self.tabletop.guests[name]
        self.tabletop.stage.take_all([*guest.dice, f"cup {name}"])
        guest.dice, guest.in_picture = (), False

    def _open_game(self, colours: list[str]) -> None:
        names = list(self.tabletop.guests)
        book = str(self.rng.choice(list(RULESETS)))
        dice = {}
        if self.rng.uniform() < 0.5:  # some play with fewer dice, to finish sooner
            dice = {name: int(self.rng.integers(1, DEFAULT_RULESET.dice_each + 1)) for name in names}
        self.table.do(
            commands.OpenGame(
                [NewPlayer(name, colour) for name, colour in zip(names, colours, strict=True)],
                book,
                starter=str(self.rng.choice(names)),
                dice=dice,
            )
        )
        for name, colour in zip(names, colours, strict=True):
            for _ in range(DEFAULT_RULESET.dice_each - dice.get(name, DEFAULT_RULESET.dice_each) if self.middle else 0):
                self.tabletop.lose(colour, int(self.rng.integers(1, 7)))
        self._throw()
        self.tabletop.throw(self.faces)

    def _throw(self) -> None:
        """Throw the dice of the next round."""
        counts = {player.name: player.dice or 0 for player in self.table.state_with_all_dice().players}
        self.faces = {
            name: tuple(int(face) for face in self.rng.integers(1, 7, count)) for name, count in counts.items() if count
        }

    def _quiet_time(self) -> Happenings:
        """Play the bids and what happens meanwhile; return the unusual events."""
        rng, tabletop = self.rng, self.tabletop
        happened: Happenings = {"opened early": self.early, "peeked": False, "thing moved": NEVER,
                                "lost dice pushed": NEVER, "nudged mast": NEVER, "lamp changed": False}  # fmt: skip
        begin = self.clock.now + 0.1
        busy, calm = float(rng.uniform(3.0, 4.5)), float(rng.uniform(*CALM))
        end = begin + busy + calm
        if rng.uniform() < 0.2:  # hands come only later
            begin += calm

        def moment(seconds: float) -> float:
            return begin + float(rng.uniform(0, busy - seconds))

        for name in self.faces:
            if rng.uniform() < 0.5:
                seconds = float(rng.uniform(1.4, 2.8))
                tabletop.peek(name, moment(seconds), seconds)
                happened["peeked"] = True
        for _ in range(int(rng.integers(0, 3))):
            seconds = float(rng.uniform(1.0, 2.8))
            tabletop.visit(moment(seconds), seconds)
        if rng.uniform() < 0.15 and self._move_thing(moment(THING_SECONDS)):
            happened["thing moved"] = IN_THE_BIDDING
        if rng.uniform() < 0.15 and tabletop.push_lost(moment(THING_SECONDS)):
            happened["lost dice pushed"] = IN_THE_BIDDING
        nudge = moment(0) if rng.uniform() < 0.08 else None
        lamp = moment(0) if rng.uniform() < 0.06 else None
        bids = np.sort(rng.uniform(self.clock.now, end - BETWEEN_CALLS, int(rng.integers(1, 5))))
        times = sorted([*((float(at), "bid") for at in bids), *((at, "nudge") for at in [nudge] if at is not None),
                        *((at, "lamp") for at in [lamp] if at is not None)])  # fmt: skip
        for at, what in times:
            self._wait_until(at)
            if what == "nudge":
                self._nudge()
                happened["nudged mast"] = IN_THE_BIDDING
            elif what == "lamp":
                tabletop.stage.brightness *= float(rng.uniform(0.8, 1.2))
                happened["lamp changed"] = True
            else:
                self._wait_until(self.clock.now + BETWEEN_CALLS)
                self._bid()
        self._wait_until(end)
        return happened

    def _move_thing(self, begin: float) -> bool:
        """Push an object, or put down another one. Returns True if there was room."""
        if self.rng.uniform() < 0.5:
            return self.tabletop.push_thing(begin)
        return self.tabletop.lay_thing(str(self.rng.choice(CARRIED)), begin=begin)

    def _nudge(self) -> None:
        turn, far = self.rng.uniform(0, 2 * np.pi), self.rng.uniform(1.0, 2.0)
        self.tabletop.stage.nudge(float(far * np.cos(turn)), float(far * np.sin(turn)))

    def _bid(self) -> None:
        state = self.table.state()
        legal = [face for face in range(1, 7) if state.lowest[face] is not None]
        if not legal or state.turn is None:
            return
        face = int(self.rng.choice(legal))
        lowest, highest = state.lowest[face], state.highest[face]
        assert lowest is not None
        count = lowest + int(self.rng.integers(0, 3)) if highest is None else lowest
        self.table.do(commands.MakeBid(state.turn, count, face))

    def _call(self) -> None:
        self._wait_until(self.clock.now + BETWEEN_CALLS)
        state = self.table.state()
        if state.may.calza and self.rng.uniform() < 0.2:
            self.table.do(commands.CallCalza(str(self.rng.choice(state.may.calza))))
        else:
            self.table.do(commands.CallDudo())

    def _lift_cups(self, happened: Happenings) -> float:
        """Lift the cups one after the other. Returns the time when the last hand is gone."""
        rng, tabletop = self.rng, self.tabletop
        order = list(self.table.state().cups) or [str(name) for name in rng.permutation(list(self.faces))]
        begin, ends = self.clock.now + 0.2, []
        if rng.uniform() < 0.05 and tabletop.push_lost(begin + 0.2):
            happened["lost dice pushed"] = WITH_THE_CUPS
            ends.append(begin + 0.2 + THING_SECONDS)
        if rng.uniform() < 0.03 and self._move_thing(begin + 0.2):
            happened["thing moved"] = WITH_THE_CUPS
            ends.append(begin + 0.2 + THING_SECONDS)
        if rng.uniform() < 0.04:
            self._nudge()
            happened["nudged mast"] = WITH_THE_CUPS
        for name in order:
            ends.append(tabletop.lift(name, begin, float(rng.uniform(1.2, 2.0))))
            begin += float(rng.uniform(0.1, 0.5))
        happened["hand rests"] = bool(rng.uniform() < 0.12) and tabletop.rest(begin, 8.0)
        happened["hand comes back"] = bool(rng.uniform() < 0.12)
        if happened["hand comes back"]:
            tabletop.visit(max(ends) + float(rng.uniform(0.2, 1.5)), float(rng.uniform(0.9, 1.6)))
        return max(ends)

    def _reveal(self, up: float) -> tuple[float, int, float]:
        """Step until there is a reading. Returns seconds, readings and processor time since the table lies still.

        up: when the cups are up.
        """
        stage = self.tabletop.stage
        still, readings, processor = self.clock.now, 0, 0.0
        while self.table.state().phase == "reading" and self.clock.now < up + LAST_MOMENT:
            if stage.moved_at != still:  # since the last frame
                still, readings, processor = stage.moved_at, 0, 0.0
            read, began = self.reader.readings, time.process_time() - self.camera.spent
            self.reveal.step()
            processor += time.process_time() - self.camera.spent - began
            readings += self.reader.readings - read
        return self.clock.now - still, readings, processor

    def _judged(
        self, number: int, happened: Happenings, seconds: float, readings: int, processor: float
    ) -> JudgedPicture:
        stage = self.tabletop.stage
        dice = tuple(stage.dice())
        state, codes, question = self.table.state(), tuple[str, ...](), tuple[str, ...]()
        found, image, lost = dict[int, TrueDie](), stage.picture(self.clock.now), 0
        taps: int | None = 0
        needed, other = taps, False
        if state.reading is None:
            codes, question, taps = ("given-up",), ("There was no reading.",), None
        else:
            found = matched(state.reading.dice, dice)
            codes = tuple(problem.code for problem in state.reading.problems)
            codes += ("uncertain",) * len(not_asked_about(state))
            told = state.reading.problems if state.verdict is None else (state.verdict,)
            question = tuple(str(each.sentence) for each in told) if codes else ()
            lost = sum(true.lost for true in found.values()) if not codes else 0
            if state.reading.picture is not None:
                image = read_image(self.table.pictures / f"{state.reading.id}.jpg")
            if codes:
                needed = answer(self.table, dice)
                first = self.table.state().verdict
                more = None if needed is None else answer(self.table, dice, all_uncertain=True)
                taps = None if needed is None or more is None else needed + more
                last = self.table.state().verdict
                other = first is not None and last is not None and first.correct != last.correct
        if taps is None:
            self.table.do(commands.CountByHand({name: list(faces) for name, faces in self.faces.items()}))
        wrong = taps is not None and self._counted() != {name: Counter(faces) for name, faces in self.faces.items()}
        wrong |= other
        if wrong:  # the game continues with the true dice
            self.table.do(commands.CountByHand({name: list(faces) for name, faces in self.faces.items()}))
        conditions = self.conditions | happened | {"lost dice on the table": len(self.tabletop.lost)}
        result = RevealResult(
            self.number, number, conditions, codes, question, taps, needed, wrong, lost, seconds,
            readings, processor,
        )  # fmt: skip
        return JudgedPicture(result, image, state, dice, found)

    def _counted(self) -> dict[str, Counter[int]]:
        """Each player's dice as judged."""
        reading = self.table.state().reading
        assert reading is not None
        counted: dict[str, Counter[int]] = {}
        for die in reading.dice:
            if die.player is not None:
                counted.setdefault(die.player, Counter())[die.face] += 1
        return counted

    def _wait_until(self, at: float) -> None:
        """Let the reveal look now and then while nothing is to be read."""
        while self.clock.now < at:
            self.reveal.step()
            self.clock.sleep(min(RETRY_PAUSE, max(at - self.clock.now, 0.01)))
        self.tabletop.stage.advance(self.clock.now)


def _layout(size: tuple[int, int], players: int, middle: bool, rng: Rng) -> Layout:
    """Seats for dice as large as there is room for, and often smaller."""
    edge = size[0] * float(np.exp(rng.uniform(np.log(_SMALLEST), np.log(_LARGEST))))
    turn = float(rng.uniform(0, 2 * np.pi))
    while True:
        layout = Layout.of(size, edge, players, turn)
        if layout.fits and (layout.has_middle or not middle):
            return layout
        edge *= 0.93


def _camera_look(dim: bool, rng: Rng) -> CameraLook:
    warm = float(rng.normal(0, 0.08))
    return CameraLook(
        gains=(1 - warm, 1.0, 1 + warm),
        noise=float(rng.uniform(3.5, 7.5) if dim else rng.uniform(0.8, 3.0)),
        blur=float(rng.uniform(0.45, 1.1)),
        falloff=float(rng.uniform(0.0, 0.4)),
        slope=(float(rng.normal(0, 0.12)), float(rng.normal(0, 0.12))),
        quality=int(rng.integers(70, 95)) if rng.uniform() < 0.4 else None,
        drift=(float(rng.uniform(0.0, 0.05)), float(rng.uniform(8, 40))),
    )
