"""Whole games by random players, through phones, panel and camera, against a second implementation of the rules.

One game is one seed: its players, rules, dice and everything that goes wrong. The table, its journal on disk, the web
application and the panel are real; the camera's readings are made from the dice that lie on the virtual table, and are
wrong at times, as a camera's are. Players put right what they see wrong, but nobody touches a verdict that is right.

After every step the number of everybody's dice is that of the second implementation, which shares no code with the
engine, and every verdict is its verdict on the dice that really lay there.
"""

from __future__ import annotations

import copy
import random
import shutil
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from calibration.palette import COLOURS
from companion.engine.record import replay
from companion.panel.link import PanelLink
from companion.table import Journal, Table
from companion.table.game.new_game import GameDefaults
from companion.table.journal.saved_games import saved_games
from companion.table.presses import QUIET_SECONDS
from companion.table.state.state import CameraStatus
from companion.table.table import BETWEEN_BREAKS
from hardware.panel.debounce import HOLD_TIMES
from hardware.virtual.virtual_panel import VirtualPanel
from tests.companion.engine.test_oracle import BOOKS, HOUSE, WAYS, Oracle
from tests.fakes.clock import FakeClock
from tests.fakes.public_state import in_json
from tests.fakes.reader import laid_out
from tests.proof.report import Report
from vision.evaluation.document_section import write_between
from vision.reading import Die, Reading
from web.access.access import Access
from web.app import create_app
from web.parts import Parts

NAMES: Final = ("Ana", "Ben", "Cid", "Dora", "Émile", "Fay", "Gil", "Hugo", "Ida")
MOST_STEPS: Final = 4000
"""A game that is not over by then has stopped."""
PAUSE: Final = 3.0
"""Seconds between two steps: none is at the same instant as another."""
LEFT_OUT: Final = (
    "version", "waiting", "notice", "undone", "camera", "calibration", "journal", "panel", "demo", "learn",
)  # fmt: skip
"""What a restart may change in the public state."""


class Evening:
    """One game, from one seed."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.rng = random.Random(seed)
        self.folder = folder
        self.count: Counter[str] = Counter()
        self.clock = FakeClock(1000.0)
        self.stack = ExitStack()
        self.oracle = Oracle()
        self.steps: list[tuple[int, dict[str, Any]]] = []
        """The table's number of each step, and the oracle before it."""
        self.made = 0
        """Steps of players, those undone and redone too."""
        self.away: dict[str, int] = {}
        """Who has stepped out, and with how many dice."""
        self.left_palifico: tuple[str, int] | None = None
        """The palifico who stepped out last, and in which round."""
        self.dice: dict[str, list[int]] = {}
        """What lies under the cups in this round."""
        self.power_on()

    # The box

    def power_on(self) -> None:
        self.folder.mkdir(exist_ok=True)
        defaults = GameDefaults(draw=lambda names: names[0])
        self.table = self.stack.enter_context(Table(Journal(self.folder), defaults=defaults, clock=self.clock))
        self.table.set_camera(CameraStatus(ok=True, name="virtual table"))
        access = Access(self.folder, rng=random.Random(self.rng.random()), clock=self.clock)
        self.app = create_app(Parts(self.table, access=access, clock=self.clock))
        self.panel = VirtualPanel(clock=self.clock)
        self.stack.callback(self.panel.close)
        self.link = PanelLink(self.table, self.panel)
        self.stack.callback(self.link.close)
        self.sleeper = self.join(access.code)
        self.client, self.token = self.join(access.code)
        self.asleep: tuple[int, int] | None = None
        """The version that a sleeping phone shows, and how many steps players had made by then."""

    def join(self, code: str) -> tuple[Any, str]:
        """A new phone that may act for everybody, and its token."""
        phone = self.app.test_client()
        joined = phone.post("/api/v1/join", json={"code": code})
        assert joined.status_code == 200, joined.get_data()
        self.client, self.token = phone, joined.json["token"]
        seat = self.post("seat", {"role": "table"})
        assert seat.status_code == 200, seat.get_data()
        return phone, str(self.token)

    def power_cut(self) -> None:
        """What is on disk at this moment, in another box."""
        before = self.public()
        copied = self.folder.with_name(f"{self.folder.name}+")
        shutil.copytree(self.folder, copied)
        self.stack.close()
        self.folder = copied
        self.stack = ExitStack()
        self.power_on()
        after = self.public()
        assert after == before, f"after a power cut: {difference(before, after)}"
        self.count["power cuts"] += 1

    def public(self) -> dict[str, Any]:
        state = in_json(self.table.state())
        return {name: value for name, value in state.items() if name not in LEFT_OUT}

    def post(self, path: str, body: dict[str, Any] | None = None, version: int | None = None) -> Any:
        self.count["requests"] += 1
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Idempotency-Key": f"tap-number-{self.count['requests']}",
            "X-Perudo-Version": str(self.table.state().version if version is None else version),
        }
        return self.client.post(f"/api/v1/{path}", json=body or {}, headers=headers)

    def press(self, button: str, times: int = 1) -> None:
        for _ in range(times):
            for _ in range(self.rng.choice([1, 1, 3])):  # a contact that bounces
                self.panel.press(button)
                self.panel.release(button)
            self.clock.now += 0.06
            self.panel.tick()
            self.panel.flush()
        self.count["presses"] += times

    # The truth

    @property
    def truth(self) -> dict[str, Any]:
        assert self.oracle.s is not None
        return self.oracle.s

    def done(self, before: dict[str, Any]) -> None:
        """A step was made, before which the oracle was like this."""
        undo = self.table.state().undo
        assert undo is not None
        self.steps.append((undo.step, before))
        self.made += 1

    def say(self, event: dict[str, Any], path: str, body: dict[str, Any]) -> None:
        """Post a bid or call; the table and the oracle must agree on whether it is allowed."""
        before, error = copy.deepcopy(self.truth), self.oracle.wrong(event)
        if path == "calza" and not self.truth["calza"]:
            error = "calza-not-allowed"  # whoever says it
        answer = self.post(path, body)
        if error is None:
            assert answer.status_code == 200, (path, body, answer.get_data())
            self.oracle.play(event)
            self.done(before)
        else:
            assert answer.status_code in (400, 409), (path, body, error, answer.get_data())
            assert answer.json["error"] == error, (path, body, error, answer.get_data())
            self.count["refusals"] += 1

    def check(self) -> None:
        """The table agrees with the oracle."""
        state, truth = self.table.state_with_all_dice(), self.truth
        shown = {player.name: player.dice for player in state.players}
        assert shown == truth["dice"], (shown, truth["dice"])
        if state.phase == "bidding":
            bid = state.bid and {"player": state.bid.player, "count": state.bid.count, "face": state.bid.face}
            assert (state.turn, bid, state.palifico) == (truth["turn"], truth["bid"], truth["palifico"])
            assert (state.round, state.direction) == (truth["round"], truth["way"])
        if state.winner is not None or truth["phase"] == "over":
            assert state.winner == truth["winner"]

    # A game

    def play(self) -> Counter[str]:
        """The whole game, and what happened in it."""
        try:
            self.open()
            for _ in range(MOST_STEPS):
                self.clock.now += PAUSE
                self.step()
                self.check()
                if self.table.state().phase == "over":
                    break
            else:
                raise AssertionError(f"not over after {MOST_STEPS} steps: {self.public()}")
            self.finish()
        finally:
            self.stack.close()
        self.count["games"] += 1
        return self.count

    def open(self) -> None:
        rng = self.rng
        book = rng.choice(BOOKS)
        rules = {rule: rng.choice(values) for rule, values in HOUSE.items() if rng.random() < 0.3}
        if rng.random() < 0.5:
            rules = {}
        players = list(NAMES[: rng.randint(2, rules.get("most_players", 6))])
        rng.shuffle(players)
        self.colours = dict(zip(players, rng.sample(COLOURS, len(players)), strict=True))
        each = rules.get("dice_each", 5)
        dice = {name: rng.randint(1, each) for name in players if rng.random() < 0.2}
        starter, calza, hidden = rng.choice(players), rng.random() < 0.85, rng.random() < 0.4
        answer = self.post("game", {
            "players": [{"name": name, "colour": self.colours[name]} for name in players],
            "ruleset": book, "rules": rules, "starter": starter, "calza": calza, "dice": dice, "open_lost": not hidden,
        })  # fmt: skip
        assert answer.status_code == 200, answer.get_data()
        event = {"event": "game", "ruleset": book, "players": players, "starter": starter, "calza": calza}
        self.oracle.play(event | {"rules": rules, "dice": {name: dice.get(name, each) for name in players}})
        self.count[f"players {len(players)}"] += 1
        self.count["house rules"] += bool(rules)

    def step(self) -> None:
        """Something that players do, or that happens to the box."""
        state, luck = self.table.state(), self.rng.random()
        if luck < 0.02:
            self.power_cut()
        elif luck < 0.05:
            self.go_back()
        elif luck < 0.06 and state.phase != "over":
            self.clock.now += BETWEEN_BREAKS
            assert self.post("pause").status_code == 200
            assert self.post("resume").status_code == 200
            self.count["breaks"] += 1
        elif luck < 0.08:
            self.doze()
        elif state.phase in ("bidding", "reading", "checking") and luck < 0.1:
            self.put_right()
        elif state.phase == "bidding":
            self.talk()
        elif state.phase == "reading":
            self.reveal()
        elif state.phase == "checking":
            self.correct(self.shown())
        elif state.phase == "verdict":
            self.go_on()
        elif state.phase == "asking":
            self.name_caller()

    def doze(self) -> None:
        """A phone falls asleep; or it wakes, and is tapped before it has heard of what was done in the meantime."""
        if self.asleep is None:
            self.asleep = self.table.state().version, self.made
            return
        (version, made), self.asleep = self.asleep, None
        before = self.public()
        if made != self.made:  # a reading alone is nobody's decision
            awake = self.client, self.token
            self.client, self.token = self.sleeper
            tapped = self.post("end", version=version)
            self.client, self.token = awake
            assert (tapped.status_code, tapped.json["error"]) == (409, "stale"), tapped.get_data()
        assert self.public() == before
        shown = self.sleeper[0].get("/api/v1/state").json
        assert {name: value for name, value in shown.items() if name not in LEFT_OUT} == before
        self.count["phones that woke"] += 1

    def go_back(self) -> None:
        """Undo the last step, and perhaps redo it."""
        if len(self.steps) < 2:
            return
        number, before = self.steps[-1]
        undo = self.table.state().undo
        if undo is None or undo.step != number:
            return  # a correction, which is put right by correcting again
        assert self.post("undo", {"step": number}).status_code == 200
        self.count["undos"] += 1
        self.made += 1
        self.steps.pop()
        after, self.oracle.s = self.oracle.s, before
        self.check()
        if self.rng.random() < 0.5:
            redo = self.table.state().redo
            assert redo is not None
            assert self.post("redo", {"step": redo.step}).status_code == 200
            self.steps.append((number, before))
            self.oracle.s = after
            self.count["redos"] += 1

    def talk(self) -> None:
        """A bid or a call, allowed or not, on a phone or by a button."""
        rng, truth = self.rng, self.truth
        turn, bid, names = truth["turn"], truth["bid"], list(truth["dice"])
        luck = rng.random()
        if bid is None and self.away and luck < 0.3:
            self.come_back(rng.choice(list(self.away)))
            return
        if bid is None and truth["phase"] == "bidding":
            self.dice = {name: [rng.randint(1, 6) for _ in range(count)] for name, count in truth["dice"].items()}
        if bid is not None and luck < 0.25:
            self.call("dudo", turn if rng.random() < 0.8 else rng.choice(names))
        elif bid is not None and luck < 0.4:
            self.call("calza", rng.choice(names))
        elif luck < 0.45:
            player, count, face = rng.choice(names), rng.randint(1, 12), rng.randint(1, 6)
            event = {"event": "bid", "player": player, "count": count, "face": face}
            self.say(event, "bid", {"player": player, "count": count, "face": face})
        elif luck < 0.47 and bid is not None:
            self.let_pass()
        else:
            self.bid(turn)

    def bid(self, turn: str) -> None:
        legal = sorted(self.oracle.legal())
        if not legal:  # no bid is above the dice in play
            self.call("dudo", turn)
            return
        low = [bid for bid in legal if bid[0] <= sum(self.truth["dice"].values()) + 1] or legal[:1]
        count, face = self.rng.choice(low[:8])
        way = {}
        if self.truth["house"]["opener_chooses_direction"] and self.truth["bid"] is None and self.rng.random() < 0.5:
            way = {"direction": self.rng.choice(WAYS)}
        body = {"player": turn, "count": count, "face": face, **way}
        self.say({"event": "bid", **body}, "bid", body)
        if self.rng.random() < 0.1:  # tapped twice
            again = self.post("bid", body)
            assert again.status_code in (400, 409), again.get_data()
            self.count["double taps"] += 1
        self.count["bids"] += 1

    def let_pass(self) -> None:
        """A bid out of turn or too low, which everybody accepts."""
        player = self.rng.choice([name for name, dice in self.truth["dice"].items() if dice])
        count, face = self.rng.randint(1, 8), self.rng.randint(1, 6)
        before = copy.deepcopy(self.truth)
        answer = self.post("bid", {"player": player, "count": count, "face": face, "accepted": True})
        assert answer.status_code == 200, answer.get_data()
        self.truth["bid"] = {"player": player, "count": count, "face": face}
        self.truth["turn"] = self.oracle.left_of(player)
        self.done(before)
        self.count["bids let pass"] += 1

    def call(self, kind: str, player: str) -> None:
        """Dudo or calza, by the phone or the button."""
        event = {"event": kind, "player": player}
        if self.rng.random() < 0.6 or self.oracle.wrong(event) is not None:
            self.say(event, kind, {"player": player})
            return
        before = copy.deepcopy(self.truth)
        self.clock.now += QUIET_SECONDS
        self.press(kind)
        state = self.table.state()
        if state.phase == "asking":
            self.done(before)
            self.name_caller(player)
        elif state.phase == "reading":
            assert state.call is not None
            self.oracle.play({"event": kind, "player": state.call.player})
            self.done(before)
        self.count["calls by button"] += 1

    def name_caller(self, player: str | None = None) -> None:
        asking = self.table.state().asking
        assert asking is not None
        caller = player if player in asking.players else self.rng.choice(asking.players)
        event = {"event": str(asking.call), "player": caller}
        self.say(event, "caller", {"player": caller})

    # The reveal

    def shown(self) -> dict[str, list[int]]:
        """What really lies there, by colour."""
        return {self.colours[name]: faces for name, faces in self.dice.items() if faces}

    def reveal(self) -> None:
        rng, truth = self.rng, self.truth
        if {name: len(faces) for name, faces in self.dice.items()} != truth["dice"]:  # put right, or back in time
            self.dice = {name: [rng.randint(1, 6) for _ in range(count)] for name, count in truth["dice"].items()}
        luck = rng.random()
        if luck < 0.1:  # the camera sees nothing: count by hand
            self.table.set_camera(CameraStatus(ok=False, name="virtual table", sentence="It hangs."))
            answer = self.post("byhand", {"dice": {name: faces for name, faces in self.dice.items() if faces}})
            self.table.set_camera(CameraStatus(ok=True, name="virtual table"))
            assert answer.status_code == 200, answer.get_data()
            self.judged("by hand")
            return
        if luck < 0.15:
            answer = self.post("byhand", {"dice": {name: [*faces, 1] for name, faces in self.dice.items() if faces}})
            assert answer.status_code == 409, answer.get_data()
            return
        request = self.table.reveal_wanted()
        assert request is not None
        self.table.take_reading(request.reveal, self.misread(laid_out(self.shown())), b"a picture")
        if self.table.state().phase == "checking":
            self.count["questions"] += 1
        self.settle("camera")

    def misread(self, reading: Reading) -> Reading:
        """As the camera saw it: a die wrong, doubtful, missing or too many, now and then."""
        rng, dice = self.rng, list(reading.dice)
        for _ in range(rng.choice([0, 0, 0, 1, 2])):
            at, how = rng.randrange(len(dice)) if dice else 0, rng.randrange(4)
            if not dice:
                break
            if how == 0:
                dice[at] = replace(dice[at], face=dice[at].face % 6 + 1)
            elif how == 1:
                dice[at] = replace(dice[at], confidence=0.3)
            elif how == 2:
                del dice[at]
            else:
                dice.append(Die(rng.randint(1, 6), dice[at].colour, (900.0, 20.0 + 50 * len(dice), 40.0, 40.0), 0.9))
        return replace(reading, dice=tuple(dice))

    def settle(self, how: str) -> None:
        """Players look at the dice, and put right what is wrong."""
        state = self.table.state()
        if state.phase == "checking":
            self.correct(self.shown())
        elif state.reading is not None and state.phase in ("verdict", "over"):
            self.judged(how)
            self.correct(self.shown())

    def correct(self, truth: dict[str, list[int]]) -> None:
        """Put right one die after the other, as players do who see the picture beside the table."""
        for _ in range(60):
            state = self.table.state()
            if state.reading is None:
                return
            wrong = next(self.mistakes(truth), None)
            if wrong is None:
                break
            path, body = wrong
            answer = self.post(path, body)
            assert answer.status_code == 200, (path, body, answer.get_data())
            self.count["corrections"] += 1
            self.steps.clear()  # what is undone now is the correction
        else:
            raise AssertionError("corrections without end")
        assert self.table.state().phase in ("verdict", "over"), self.public()
        self.judged("corrected")

    def mistakes(self, truth: dict[str, list[int]]) -> Iterator[tuple[str, dict[str, Any]]]:
        """What is wrong in the reading, as the request that puts it right."""
        reading = self.table.state().reading
        assert reading is not None
        for colour in {*truth, *(die.colour for die in reading.dice)}:
            left = Counter(truth.get(colour, ()))
            spare = []
            for die in (die for die in reading.dice if die.colour == colour):
                if left[die.face]:
                    left[die.face] -= 1
                    if die.uncertain:
                        yield f"dice/{die.id}", {"face": die.face}
                else:
                    spare.append(die.id)
            missing = list(left.elements())
            for number, face in zip(spare, missing, strict=False):
                yield f"dice/{number}", {"face": face}
            for number in spare[len(missing) :]:
                yield f"dice/{number}/strike", {}
            for face in missing[len(spare) :]:
                yield "dice", {"face": face, "colour": colour, "box": [600, 600, 40, 40]}

    def judged(self, how: str) -> None:
        """The verdict stands: it must be the oracle's on the dice that lie there, once they are read right."""
        state = self.table.state()
        assert state.verdict is not None, self.public()
        if how == "camera" and next(self.mistakes(self.shown()), None) is not None:
            return  # the players have yet to put it right
        if self.truth["phase"] == "reveal":
            outcome = self.oracle.play({"event": "reveal", "dice": {n: f for n, f in self.dice.items() if f}})
            assert outcome is not None
            verdict = state.verdict
            said = {name: getattr(verdict, name) for name in outcome if name not in ("call", "lost")}
            assert said == {name: value for name, value in outcome.items() if name not in ("call", "lost")}
            assert str(verdict.call) == outcome["call"]
            assert verdict.loses is None or verdict.lost == outcome.get("lost", 1)
            self.steps.clear()
            self.count["verdicts"] += 1
            self.count[f"verdicts {how}"] += 1

    def go_on(self) -> None:
        before = copy.deepcopy(self.truth)
        if self.rng.random() < 0.5:
            self.press("dudo")
            if self.table.state().phase != "bidding":
                return  # too soon after the verdict
        else:
            assert self.post("next").status_code == 200
        self.steps.clear()
        self.done(before)

    # Putting things right

    def put_right(self) -> None:
        rng, truth, state = self.rng, self.truth, self.table.state()
        playing = [name for name, dice in truth["dice"].items() if dice]
        luck = rng.random()
        if luck < 0.3:
            self.void()
            opener = truth["starter"]
            truth.update(phase="bidding", turn=opener, bid=None, call=None)
            self.count["rounds voided"] += 1
        elif luck < 0.6:
            name, dice = rng.choice(playing), rng.randint(1, truth["house"]["dice_each"])
            answer = self.post("player-dice", {"player": name, "dice": dice})
            assert answer.status_code == 200, answer.get_data()
            truth["dice"][name] = dice
            if truth["palifico"] == name and dice != 1:
                truth["palifico"] = None
            self.count["dice put right"] += 1
            if self.table.state().phase in ("verdict", "over"):  # the reading fits now
                self.steps.clear()
                self.dice = {**self.dice, name: self.read_faces(name)}
                self.settle("put right")
            elif name in self.dice:
                more = [rng.randint(1, 6) for _ in range(dice)]
                self.dice = {**self.dice, name: (self.dice[name] + more)[:dice]}
        elif luck < 0.9 and state.phase == "bidding" and len(playing) > 2:
            self.step_out(rng.choice([*playing, truth["palifico"] or truth["turn"]]))
        elif state.phase == "bidding" and truth["bid"] is None:
            self.seat_newcomer()
        self.steps.clear()

    def void(self) -> None:
        """On a phone, or by holding both buttons."""
        if self.rng.random() < 0.5:
            assert self.post("void").status_code == 200
            return
        self.clock.now += QUIET_SECONDS
        for button in ("dudo", "calza"):
            self.panel.press(button)
            self.clock.now += 0.1
        self.clock.now += HOLD_TIMES[0]
        self.panel.tick()
        self.panel.flush()
        for button in ("dudo", "calza"):
            self.panel.release(button)
        self.clock.now += PAUSE
        self.panel.tick()
        self.panel.flush()
        assert self.table.state().voided, self.public()
        self.count["rounds voided by the buttons"] += 1

    def step_out(self, name: str) -> None:
        """Leave the table, perhaps as the palifico of this round, and perhaps for good."""
        truth, concedes = self.truth, self.rng.random() < 0.2
        answer = self.post("leave", {"player": name, "concede": concedes})
        assert answer.status_code == 200, answer.get_data()
        if not concedes:
            self.away[name] = truth["dice"][name]
        if truth["palifico"] == name:
            self.left_palifico = (name, truth["round"])
            truth["palifico"] = None
        opener = self.oracle.left_of(name) if truth["starter"] == name else truth["starter"]
        truth["dice"][name] = 0
        truth.update(starter=opener, turn=opener, bid=None)
        self.count["players who stepped out"] += 1

    def come_back(self, name: str) -> None:
        truth = self.truth
        answer = self.post("back", {"player": name})
        assert answer.status_code == 200, answer.get_data()
        truth["dice"][name] = self.away.pop(name)
        if self.left_palifico == (name, truth["round"]):
            truth.update(palifico=name, starter=name, turn=name)
            self.count["palificos who came back"] += 1
        self.steps.clear()
        self.count["players who came back"] += 1

    def read_faces(self, name: str) -> list[int]:
        reading = self.table.state().reading
        assert reading is not None
        return [die.face for die in reading.dice if die.colour == self.colours[name]]

    def seat_newcomer(self) -> None:
        truth = self.truth
        free = [name for name in NAMES if name not in truth["dice"]]
        colours = [colour for colour in COLOURS if colour not in self.colours.values()]
        if not free or not colours or len(truth["dice"]) >= truth["house"]["most_players"]:
            return
        name, after, dice = (
            free[0],
            self.rng.choice(list(truth["dice"])),
            self.rng.randint(1, truth["house"]["dice_each"]),
        )
        body = {"player": name, "colour": colours[0], "dice": dice, "after": after}
        answer = self.post("newcomer", body)
        assert answer.status_code == 200, answer.get_data()
        self.colours[name] = colours[0]
        seated: dict[str, int] = {}
        for other, count in truth["dice"].items():
            seated[other] = count
            if other == after:
                seated[name] = dice
        truth["dice"] = seated
        if dice == 1:
            truth["once"].add(name)
        self.count["newcomers"] += 1

    # The end

    def finish(self) -> None:
        """The journal replays to the same end, and its records without a refused line."""
        self.power_cut()
        self.check()
        (game,) = saved_games(self.folder)
        for part in game.game.record:
            steps = list(replay(part))
            assert all(step.error is None for step in steps), [step.error for step in steps if step.error]
        alive = {name: dice for name, dice in self.truth["dice"].items() if dice}
        last = steps[-1].position
        assert last is not None
        assert {name: dice for name, dice in last.dice.items() if dice} == alive
        assert self.client.get("/api/v1/story").status_code == 200


def difference(before: dict[str, Any], after: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    return {name: (before[name], after.get(name)) for name in before if before[name] != after.get(name)}


def played(seed: int) -> tuple[int, Counter[str], str]:
    """The seed, what happened in its game, and why it failed; empty if it held."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as place:
        evening = None
        try:
            evening = Evening(seed, Path(place) / "box")
            return seed, evening.play(), ""
        except Exception:  # noqa: BLE001 - whatever it is, the seed finds it again
            return seed, evening.count if evening else Counter(), traceback.format_exc()


def table_of(count: Counter[str]) -> str:
    """What happened, as a table."""
    rows = [("games", "games"), ("verdicts", "verdicts, each as the rules and the dice on the table have it"),
            ("corrections", "dice corrected, added or struck"), ("questions", "readings that needed a question"),
            ("verdicts by hand", "rounds counted by hand"), ("undos", "steps undone"), ("redos", "of them redone"),
            ("power cuts", "power cuts"), ("phones that woke", "phones that slept through steps and were tapped"),
            ("presses", "presses of the panel's buttons, a third of them bouncing"),
            ("requests", "requests of phones"), ("refusals", "of them refused, as the rules have it"),
            ("house rules", "games with house rules"), ("rounds voided", "rounds voided"),
            ("rounds voided by the buttons", "of them by both buttons held"),
            ("dice put right", "numbers of dice put right"), ("newcomers", "players who joined late"),
            ("players who stepped out", "players who stepped out"),
            ("players who came back", "of them back in the game"),
            ("bids let pass", "bids let pass against the rules")]  # fmt: skip
    lines = ["| | |", "|---|---|", *(f"| {words} | {count[name]:,} |" for name, words in rows)]
    return "\n".join(lines)


@click.command()
@click.option("--games", default=100, show_default=True, help="How many.")
@click.option("--seed", default=1, show_default=True, help="Of the first game; each of the others has the next one.")
@click.option("--figures", type=click.Path(path_type=Path), help="Write the figures into this document.")
@click.option("--processes", default=2, show_default=True, help="How many play at a time.")
def attack(games: int, seed: int, figures: Path | None, processes: int) -> None:
    """Play whole games with everything that goes wrong, and judge every verdict a second time."""
    report, total = Report(), Counter[str]()
    with ProcessPoolExecutor(processes) as pool:
        for number, count, error in pool.map(played, range(seed, seed + games), chunksize=5):
            total += count
            if error:
                report.check(f"game of seed {number}", good=False, figures=error)
    report.check("games", good=not report.failed, figures=table_of(total))
    if figures is not None and not report.failed:
        write_between(figures, "<!-- games -->", "<!-- /games -->", table_of(total))
    report.end()


def failures(seeds: Sequence[int]) -> list[str]:
    """The games of these seeds that do not hold, in words."""
    return [f"seed {seed}: {error}" for seed, _, error in map(played, seeds) if error]
