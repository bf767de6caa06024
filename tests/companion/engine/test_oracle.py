"""Random games, with illegal, untimely and malformed lines, compared with a second implementation of the rules.

The second implementation is written from the text of the rules, simple and slow. It shares no code with the engine.
"""

from __future__ import annotations

import itertools
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from companion.engine import Bid, Position, record
from tests.companion.engine.legal_bids import BIDDING_RULES, legal_bids

BOOKS = ("asmodee-fr", "asmodee-nl", "asmodee-nl-2", "asmodee-it", "hasbro-1994", "web-fr")
PLAYERS = ("ana", "ben", "cid", "dora", "emil", "fay", "gil", "hugo")
HOUSE: dict[str, list[Any]] = {
    "raises": ["one-of-two", "any-face", "higher-face"],
    "opens_on_pacos": [False, True],
    "opened_on_pacos_wild": [True, False],
    "pacos_wild": [True, False],
    "leaving_pacos": ["twice-plus-one", "twice"],
    "half_rounded": ["up", "down"],
    "bids_above_dice": [True, False],
    "palifico_rounds": ["always", "not-with-two", "never"],
    "calza_once": [False, True],
    "calza_to_half": [False, True],
    "right_calza": ["takes-back", "bidder-loses"],
    "dudo_by": ["on-turn", "anyone"],
    "dudo_costs": ["one", "difference"],
    "opens_after_dudo": ["loser", "winner"],
    "opener_chooses_direction": [False, True],
    "dice_each": [5, 3, 4, 6],
    "most_players": [6, 7, 8],
    "palifico_opens_on_pacos": [True, False],
    "locked_face_changed_by": ["nobody", "former-palifico"],
    "palifico_again": [True, False],
    "calza_by": ["anyone", "not-next", "on-turn"],
    "calza_in_palifico": [True, False],
    "calza_with_two": [True, False],
    "first_starter": ["random", "one-die", "two-dice"],
    "cups": ["together", "in-order"],
    "lost_dice": ["lid", "aside", "box", "bag-or-lid"],
    "lost_dice_may_be_open": [False, True],
}
"""The rules; the first value holds, unless the book has another in `BOOK_RULES`."""
BOOK_RULES: dict[str, dict[str, Any]] = {
    "asmodee-it": {"calza_by": "not-next", "calza_in_palifico": False, "calza_with_two": False},
    "hasbro-1994": {
        "raises": "any-face",
        "locked_face_changed_by": "former-palifico",
        "palifico_again": False,
        "calza_by": "not-next",
    },
    "web-fr": {"raises": "any-face", "palifico_opens_on_pacos": False, "calza_by": "on-turn"},
}
WAYS = ("clockwise", "counterclockwise")
CEILING = 80
"""Counts above this are never bid here, so that the legal bids can be enumerated."""


class Refused(Exception):
    pass


class Oracle:
    """The second implementation of the rules."""

    def __init__(self) -> None:
        self.s: dict[str, Any] | None = None
        self.lines = 0

    def line(self, text: bytes) -> tuple[str | None, dict[str, Any] | None]:
        """(error or None, outcome or None) of one line."""
        self.lines += 1
        if self.lines == 1:
            text = text.removeprefix(b"\xef\xbb\xbf")
        try:
            return None, self.play(self.read(text))
        except Refused as refused:
            return str(refused), None

    def read(self, text: bytes) -> dict[str, Any]:
        try:
            event = json.loads(text.decode())
        except (ValueError, RecursionError):
            raise Refused("bad-record") from None
        if not well_formed(event) or (event["event"] == "game") != (self.s is None):
            raise Refused("bad-record")
        return event

    def play(self, event: dict[str, Any]) -> dict[str, Any] | None:
        kind = event["event"]
        if kind == "game":
            self.begin(event)
            return None
        if kind == "together":
            return self.play(self.heard(event["calls"]))
        if (error := self.wrong(event)) is not None:
            raise Refused(error)
        s = self.s
        if kind == "bid":
            if s["bid"] is None and event["face"] == 1 and not s["house"]["opened_on_pacos_wild"]:
                s["tame"] = True
            s["said_on"]["pacos" if event["face"] == 1 else "others"] = (event["count"], event["face"])
            s["bid"] = {"player": event["player"], "count": event["count"], "face": event["face"]}
            s["way"] = event.get("direction", s["way"])
            s["turn"] = self.left_of(event["player"])
        elif kind in ("dudo", "calza"):
            s.update(phase="reveal", turn=None, call=event)
        else:
            return self.reveal(event["dice"])
        return None

    def begin(self, event: dict[str, Any]) -> None:
        house = {rule: values[0] for rule, values in HOUSE.items()}
        house |= BOOK_RULES.get(event["ruleset"], {}) | event.get("rules", {})
        dice = {name: event.get("dice", {}).get(name, house["dice_each"]) for name in event["players"]}
        self.s = {
            "house": house,
            "way": event.get("direction", "clockwise"),
            "said": set(event.get("calza_said", [])),
            "calza": event.get("calza", True),
            "phase": "bidding",
            "round": event.get("first_round", 1),
            "turn": event["starter"],
            "starter": event["starter"],
            "palifico": event.get("palifico"),
            "bid": None,
            "said_on": {},
            "tame": False,
            "dice": dice,
            "all_dice": event.get("all_dice", len(dice) * house["dice_each"]),
            "winner": None,
            "once": set(event.get("former_palificos", [name for name in dice if dice[name] == 1])),
            "call": None,
        }
        if "palifico" in event:
            self.s["once"].add(event["palifico"])

    def left_of(self, name: str) -> str:
        names = list(self.s["dice"])
        if self.s["way"] == "counterclockwise":
            names.reverse()
        at = names.index(name)
        return next(other for other in names[at + 1 :] + names[: at + 1] if self.s["dice"][other] > 0)

    def wrong(self, event: dict[str, Any]) -> str | None:
        s, kind = self.s, event["event"]
        names = [*event["dice"], *event.get("uncertain", {})] if kind == "reveal" else [event["player"]]
        if any(name not in s["dice"] for name in names):
            return "unknown-player"
        if s["phase"] == "over" or (s["phase"] == "reveal") != (kind == "reveal"):
            return "wrong-phase"
        if kind == "reveal":
            same = all(len(event["dice"].get(name, [])) == count for name, count in s["dice"].items())
            return None if same else "dice-mismatch"
        name = event["player"]
        if s["dice"][name] == 0:
            return "eliminated-player"
        passed = event.get("accepted", False)
        if (
            not passed
            and name != s["turn"]
            and (kind == "bid" or (kind == "dudo" and s["house"]["dudo_by"] == "on-turn"))
        ):
            return "not-your-turn"
        if kind in ("dudo", "calza") and s["bid"] is None:
            return "no-bid"
        if kind == "dudo" and name == s["bid"]["player"]:
            return "not-your-turn"
        if kind == "bid" and not passed and (event["count"], event["face"]) not in self.legal():
            return "illegal-bid"
        if kind == "bid" and "direction" in event and (s["bid"] or not s["house"]["opener_chooses_direction"]):
            return "illegal-bid"
        if kind == "calza" and not self.calza_allowed(name):
            return "calza-not-allowed"
        return None

    def legal(self) -> set[tuple[int, int]]:
        s = self.s
        most = CEILING if s["house"]["bids_above_dice"] else sum(s["dice"].values())
        every = {(count, face) for count in range(1, most + 1) for face in range(1, 7)}
        plain_pacos = not s["house"]["pacos_wild"]
        if s["bid"] is None:
            pacos = s["palifico"] is not None and s["house"]["palifico_opens_on_pacos"]
            pacos = pacos or plain_pacos or s["house"]["opens_on_pacos"]
            return {bid for bid in every if bid[1] != 1 or pacos}
        n, on = s["bid"]["count"], s["bid"]["face"]
        raises = s["house"]["raises"]
        plain = {
            (c, f)
            for c, f in every
            if (c > n and (f == on or raises == "any-face")) or (f > on and (c == n or raises == "higher-face"))
        }
        if s["palifico"] is not None:
            changes = s["house"]["locked_face_changed_by"] == "former-palifico"
            former = changes and s["dice"][s["turn"]] == 1 and s["turn"] != s["palifico"]
            return plain if former else {(c, f) for c, f in plain if f == on}
        if plain_pacos or s["tame"]:
            return plain
        twice, down = s["house"]["leaving_pacos"] == "twice", s["house"]["half_rounded"] == "down"
        if on == 1:
            found = {(c, f) for c, f in every if (f == 1 and c > n) or (f != 1 and c >= 2 * n + (not twice))}
        else:
            found = {(c, f) for c, f in plain if f != 1} | {(c, 1) for c, _ in every if 2 * c >= n - down}
        if not twice and not down and raises != "higher-face":
            return found
        order = (lambda c, f: (f, c)) if raises == "higher-face" else (lambda c, f: (c, f))
        pacos, others = s["said_on"].get("pacos", (0, 0)), s["said_on"].get("others", (0, 0))
        return {(c, f) for c, f in found if order(c, f) > order(*(pacos if f == 1 else others))}

    def calza_allowed(self, name: str) -> bool:
        s = self.s
        if not s["calza"] or name == s["bid"]["player"] or (s["house"]["calza_once"] and name in s["said"]):
            return False
        if s["house"]["calza_to_half"] and sum(s["dice"].values()) < s["all_dice"] / 2:
            return False
        by = s["house"]["calza_by"]
        if (by == "on-turn" and name != s["turn"]) or (by == "not-next" and name == s["turn"]):
            return False
        if s["palifico"] is not None and not s["house"]["calza_in_palifico"]:
            return False
        return s["house"]["calza_with_two"] or len([count for count in s["dice"].values() if count]) > 2

    def heard(self, calls: list[dict[str, Any]]) -> dict[str, Any]:
        errors = [self.wrong(call) for call in calls]
        good = [call for call, error in zip(calls, errors, strict=True) if error is None]
        if not good:
            raise Refused(errors[0])
        for call in good:
            on_turn = call["event"] in ("bid", "dudo") and call["player"] == self.s["turn"]
            if on_turn and self.wrong({**call, "accepted": False}) is None:
                return call
        if all(call["event"] == "bid" for call in good):
            names = {call["player"]: call for call in reversed(good)}
            name = self.s["turn"]
            while name not in names:
                name = self.left_of(name)
            return names[name]
        kind = "dudo" if any(call["event"] == "dudo" for call in good) else "calza"
        callers = {call["player"]: call for call in good if call["event"] == kind}
        name = self.left_of(self.s["bid"]["player"])
        while name not in callers:
            name = self.left_of(name)
        return callers[name]

    def reveal(self, dice: dict[str, list[int]]) -> dict[str, Any]:
        s = self.s
        bid, caller, kind = s["bid"], s["call"]["player"], s["call"]["event"]
        shown = [face for faces in dice.values() for face in faces]
        count = len([f for f in shown if f == bid["face"] or (f == 1 and self.wild())])
        loses = gains = eliminated = None
        if kind == "dudo":
            correct = count < bid["count"]
            loses = bid["player"] if correct else caller
        else:
            correct = count == bid["count"]
            if not correct:
                loses = caller
            elif s["house"]["right_calza"] == "bidder-loses":
                loses = bid["player"]
            elif s["dice"][caller] < s["house"]["dice_each"]:
                gains = caller
            s["said"].add(caller)
        lost = 1
        if kind == "dudo" and s["house"]["dudo_costs"] == "difference":
            lost = max(1, bid["count"] - count, count - bid["count"])
        if gains:
            s["dice"][gains] += 1
        if loses:
            lost = min(lost, s["dice"][loses])
            s["dice"][loses] -= lost
            eliminated = None if s["dice"][loses] else loses
        outcome = {
            "call": kind, "caller": caller, "count": count, "correct": correct,
            "loses": loses, "gains": gains, "eliminated": eliminated,
        }  # fmt: skip
        if loses and lost > 1:
            outcome["lost"] = lost
        alive = [name for name, left in s["dice"].items() if left]
        if len(alive) == 1:
            s.update(phase="over", winner=alive[0], turn=None)
            return outcome
        opener = caller
        if kind == "dudo":
            opener = loses
            if s["house"]["opens_after_dudo"] == "winner":
                opener = bid["player"] if loses == caller else caller
        palifico = None
        rounds = s["house"]["palifico_rounds"]
        none = rounds == "never" or (rounds == "not-with-two" and len(alive) == 2)
        if not none and loses and s["dice"][loses] == 1 and (s["house"]["palifico_again"] or loses not in s["once"]):
            palifico = opener = loses
            s["once"].add(loses)
        if s["dice"][opener] == 0:
            opener = self.left_of(opener)
        s.update(phase="bidding", round=s["round"] + 1, turn=opener, starter=opener, palifico=palifico, bid=None)
        s.update(said_on={}, tame=False)
        return outcome

    def state(self) -> dict[str, Any] | None:
        if self.s is None:
            return None
        names = ("phase", "round", "turn", "starter", "palifico", "bid", "dice", "winner")
        way = {"direction": self.s["way"]} if self.s["house"]["opener_chooses_direction"] else {}
        return {name: self.s[name] for name in names} | {"wild": self.wild()} | way

    def wild(self) -> bool:
        return self.s["palifico"] is None and self.s["house"]["pacos_wild"] and not self.s["tame"]


def well_formed(event: Any) -> bool:
    """Whether `event` has every field it needs, of the right type and range."""
    if type(event) is not dict or type(event.get("event")) is not str:
        return False
    kind = event["event"]
    if kind == "game":
        return good_game(event)
    if kind == "together":
        calls = event.get("calls")
        single = ("bid", "dudo", "calza")
        return type(calls) is list and calls != [] and all(well_formed(c) and c["event"] in single for c in calls)
    if kind == "reveal":
        dice, doubt = event.get("dice"), event.get("uncertain", {})
        if not good_dice(dice) or not good_dice(doubt):
            return False
        return all(
            shown.count(face) <= dice.get(name, []).count(face) for name, shown in doubt.items() for face in shown
        )
    named = kind in ("bid", "dudo", "calza") and type(event.get("player")) is str
    if kind == "bid" and event.get("direction", "clockwise") not in WAYS:
        return False
    if kind == "bid" and type(event.get("accepted", False)) is not bool:
        return False
    return named and (kind != "bid" or (whole(event.get("count"), 1) and whole(event.get("face"), 1, 6)))


def good_dice(dice: Any) -> bool:
    return type(dice) is dict and all(
        type(shown) is list and all(whole(face, 1, 6) for face in shown) for shown in dice.values()
    )


def good_game(event: dict[str, Any]) -> bool:
    players, rules = event.get("players"), event.get("rules", {})
    if type(rules) is not dict or not all(good_rule(*each) for each in rules.items()):
        return False
    if event.get("ruleset") not in BOOKS or type(players) is not list:
        return False
    if not 2 <= len(players) <= rules.get("most_players", 6):
        return False
    if not all(type(name) is str and name for name in players) or len(set(players)) < len(players):
        return False
    each = rules.get("dice_each", 5)
    dice = event.get("dice", dict.fromkeys(players, each))
    good = type(dice) is dict and set(dice) == set(players) and all(whole(n, 1, each) for n in dice.values())
    if not good or event.get("starter") not in players or type(event.get("calza", True)) is not bool:
        return False
    none = rules.get("palifico_rounds", "always") == "never"
    if "first_round" in event and not whole(event["first_round"], 1):
        return False
    if "all_dice" in event and not whole(event["all_dice"], len(players) * each):
        return False
    for field in ("calza_said", "former_palificos"):
        listed = event.get(field, [])
        if type(listed) is not list or not all(type(name) is str and name in players for name in listed):
            return False
    seen = event.get("seen", dice)
    if type(seen) is not dict or set(seen) != set(players) or not all(whole(n, 1, each) for n in seen.values()):
        return False
    if event.get("direction", "clockwise") not in WAYS:
        return False
    opens = event.get("palifico") == event["starter"] and dice[event["starter"]] == 1 and not none
    return "palifico" not in event or opens


def good_rule(rule: Any, value: Any) -> bool:
    return rule in HOUSE and any(type(value) is type(choice) and value == choice for choice in HOUSE[rule])


def whole(value: Any, least: int, most: int | None = None) -> bool:
    return type(value) is int and value >= least and (most is None or value <= most)


# Random records


class Games:
    """Writes random lines that make interesting games. It follows the state with an oracle of its own."""

    def __init__(self, book: str, seed: int, *, house: bool) -> None:
        self.rng = random.Random(f"{book} {seed}")
        self.book, self.house, self.oracle = book, house, Oracle()

    def lines(self, count: int) -> list[bytes]:
        lines = []
        while len(lines) < count:
            line = self.one()
            self.oracle.line(line)
            lines.append(line)
            if self.oracle.s is not None and self.oracle.s["phase"] == "over" and self.rng.random() < 0.3:
                break
        return lines

    def one(self) -> bytes:
        rng, state = self.rng, self.oracle.s
        if rng.random() < 0.06:
            return self.junk()
        if state is None:
            return dumped(self.game() if rng.random() < 0.9 else self.sensible_or_not("bid"))
        if rng.random() < 0.08:
            return dumped(self.sensible_or_not(rng.choice(["game", "bid", "dudo", "calza", "reveal", "together"])))
        if state["phase"] == "reveal":
            return dumped(self.reveal())
        return dumped(self.call())

    def game(self) -> dict[str, Any]:
        rng = self.rng
        rules = {rule: rng.choice(values) for rule, values in HOUSE.items() if rng.random() < 0.4} if self.house else {}
        players = list(PLAYERS[: rng.randint(2, rules.get("most_players", 6))])
        rng.shuffle(players)
        event = {"event": "game", "ruleset": self.book, "players": players, "starter": rng.choice(players)}
        if rules:
            event["rules"] = rules
        if rng.random() < 0.1:
            event["first_round"] = rng.randint(0, 9)
        for field in ("calza_said", "former_palificos"):
            if rng.random() < 0.1:
                event[field] = [rng.choice(players) for _ in range(rng.randint(0, 3))]
        if rng.random() < 0.1:
            event["seen"] = {name: rng.randint(1, 3) for name in players}
        if rng.random() < 0.1:
            event["direction"] = rng.choice(WAYS)
        if rng.random() < 0.6:
            event["calza"] = rng.random() < 0.85
        if rng.random() < 0.7:
            event["dice"] = {name: rng.choice([1, 1, 2, 2, 3, rules.get("dice_each", 5)]) for name in players}
            if "calza_to_half" in rules and rng.random() < 0.4:
                event["all_dice"] = rng.choice([5, 10, 15, 20, 25, 30, 48])
            if rng.random() < 0.4:
                event["palifico"] = event["starter"]
                if rng.random() < 0.9:
                    event["dice"][event["starter"]] = 1
        return event

    def call(self) -> dict[str, Any]:
        rng, state = self.rng, self.oracle.s
        turn = state["turn"] or rng.choice(list(state["dice"]))
        if rng.random() < 0.12:
            calls = [
                self.sensible_or_not(rng.choice(["bid", "dudo", "calza", "calza"])) for _ in range(rng.randint(1, 4))
            ]
            return {"event": "together", "calls": calls}
        choice = rng.random()
        if state["bid"] is not None and choice < 0.25:
            return {"event": "dudo", "player": turn if rng.random() < 0.7 else rng.choice(list(state["dice"]))}
        if state["bid"] is not None and choice < 0.5:
            return {"event": "calza", "player": rng.choice(list(state["dice"]))}
        if choice < 0.9 and state["phase"] == "bidding":
            low = sorted(bid for bid in self.oracle.legal() if bid[0] <= 2 * sum(state["dice"].values()) + 2)
            if low:
                count, face = rng.choice(low[:12])
                return {"event": "bid", "player": turn, "count": count, "face": face} | self.way()
        return self.sensible_or_not("bid")

    def way(self) -> dict[str, Any]:
        wanted = self.house and self.rng.random() < (0.5 if self.oracle.s and self.oracle.s["bid"] is None else 0.05)
        return {"direction": self.rng.choice(WAYS)} if wanted else {}

    def sensible_or_not(self, kind: str) -> dict[str, Any]:
        rng, state = self.rng, self.oracle.s
        names = [*(PLAYERS if state is None else state["dice"])]
        if rng.random() < 0.05:
            names = ["zoe", "", "Ana"]
        name = rng.choice(names)
        if state is not None and state["turn"] and rng.random() < 0.5:
            name = state["turn"]
        if kind == "game":
            return self.game()
        if kind == "reveal":
            return self.reveal()
        if kind == "together":
            return {"event": "together", "calls": [self.sensible_or_not("calza"), self.sensible_or_not("dudo")]}
        event: dict[str, Any] = {"event": kind, "player": name}
        if kind == "bid":
            on = state["bid"] if state is not None and state["bid"] else {"count": 2}
            near = [on["count"] + step for step in (-1, 0, 0, 1, 2)] + [on["count"] // 2, on["count"] // 2 + 1]
            count = rng.choice([*near, 2 * on["count"], 2 * on["count"] + 1])
            event.update(count=max(1, min(count, CEILING)), face=rng.randint(1, 6), **self.way())
            if rng.random() < 0.3:
                event["accepted"] = rng.random() < 0.8
        return event

    def reveal(self) -> dict[str, Any]:
        rng, state = self.rng, self.oracle.s
        left = state["dice"] if state is not None else {}
        face = state["bid"]["face"] if state is not None and state["bid"] else 1
        dice = {name: [rng.choice([1, face, 2, 3, 4, 5, 6]) for _ in range(count)] for name, count in left.items()}
        for name in [name for name in dice if not dice[name] and rng.random() < 0.5]:
            del dice[name]
        if dice and rng.random() < 0.1:
            name = rng.choice(list(dice))
            dice[name] = dice[name][1:] if rng.random() < 0.5 else [*dice[name], 3]
        if rng.random() < 0.05:
            dice["zoe"] = []
        doubt = {}
        if dice and rng.random() < 0.1:
            name = rng.choice(list(dice))
            doubt = {
                "uncertain": {name: rng.sample(dice[name], rng.randint(0, len(dice[name]))) or [face] * (face == 2)}
            }
        return {"event": "reveal", "dice": dice, **doubt}

    def junk(self) -> bytes:
        rng = self.rng
        good = self.sensible_or_not(rng.choice(["bid", "dudo", "reveal", "game", "together"]))
        if rng.random() < 0.7:
            key = rng.choice(list(good))
            if rng.random() < 0.3:
                del good[key]
            else:
                good[key] = rng.choice([None, True, 0, -1, 2.0, 7, "", "4", "zoe", [], ["ana"], {}, {"ana": [0]}, [[]]])
            return dumped(good)
        line = bytearray(dumped(good))
        line[rng.randrange(len(line))] = rng.choice(b'"{}[],:0\xff\x00 x')
        return rng.choice(
            [bytes(line), b"", b"\r", b"null", b"[]", b"3", b"[" * 10_000, b"\xef\xbb\xbf" + dumped(good)]
        )


def dumped(event: dict[str, Any]) -> bytes:
    return json.dumps(event).encode()


def compare(book: str, seed: int, count: int = 120, *, house: bool = False) -> int:
    """Replay one random record with both, and compare every line. Returns the number of accepted lines."""
    lines = Games(book, seed, house=house).lines(count)
    oracle, accepted = Oracle(), 0
    for step, line in zip(record.replay(lines), lines, strict=True):
        error, outcome = oracle.line(line)
        actual = json.loads(json.dumps(step.to_json()))
        assert actual.pop("line") == step.line
        assert ("message" in actual) == (error is not None)
        actual.pop("message", None)
        expected: dict[str, Any] = {"ok": error is None, "state": oracle.state()}
        if error is not None:
            expected["error"] = error
        if outcome is not None:
            expected["outcome"] = outcome
        assert actual == expected, f"{book}, game {seed}, line {step.line}: {line!r}"
        if (now := step.position) is not None and now.phase == "bidding":
            for kind, may in (("dudo", now.may_dudo()), ("calza", now.may_calza())):
                assert set(may) == {name for name in now.dice if oracle.wrong({"event": kind, "player": name}) is None}
        accepted += error is None
    return accepted


# The cases of the documents

DOCUMENT = Path(__file__).parents[3] / "docs" / "reference" / "record.md"
CASES = re.findall(
    r"^### `(\w+) = ([^`\n]+)`$.*?^```\n(.*?)^```$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
)


def answered(judge: str, lines: list[bytes]) -> list[dict[str, Any]]:
    """Error, or state and outcome in one, of each line."""
    if judge == "engine":
        steps = [json.loads(json.dumps(step.to_json())) for step in record.replay(lines)]
        return [step["state"] | step.get("outcome", {}) | {"error": step.get("error")} for step in steps]
    oracle, found = Oracle(), []
    for line in lines:
        error, outcome = oracle.line(line)
        found.append((oracle.state() or {}) | (outcome or {}) | {"error": error})
    return found


@pytest.mark.parametrize("judge", ["engine", "second implementation"])
@pytest.mark.parametrize("case", CASES, ids=[f"{rule}={value}" for rule, value, _ in CASES])
def test_the_cases_of_the_documents_are_judged_as_they_say(case: tuple[str, str, str], judge: str) -> None:
    rule, value, text = case
    lines, _, expected = zip(*(line.partition(" -> ") for line in text.splitlines()), strict=True)
    assert json.loads(lines[0])["rules"][rule] == json.loads(value)
    for line, wanted, found in zip(lines, expected, answered(judge, [line.encode() for line in lines]), strict=True):
        parts = json.loads(wanted or "{}")
        parts = {"error": parts} if isinstance(parts, str) else {"error": None} | parts
        assert {name: found[name] for name in parts} == parts, line


# Bids

HIGHEST = 24


def compare_bids(luck: random.Random, book: str, rules: dict[str, Any], *, palifico: bool) -> None:
    """Bid at random, rather low, and compare the legal bids before each with the second implementation's."""
    dice = {"ana": 1 if palifico else 5, "ben": luck.choice([1, 3]), "cid": 2}
    line = {"event": "game", "ruleset": book, "players": list(dice), "starter": "ana", "rules": rules, "dice": dice}
    line |= {"palifico": "ana"} if palifico else {}
    oracle, now = Oracle(), Position.start(record.parse_line(dumped(line)))
    for _ in range(7):
        assert oracle.line(dumped(line)) == (None, None)
        legal = {bid for bid in oracle.legal() if bid[0] <= HIGHEST}
        assert {(bid.count, bid.face) for bid in legal_bids(now, HIGHEST)} == legal, (rules, oracle.s)
        any_bid = luck.randint(1, 10), luck.randint(1, 6)
        assert now.is_legal(Bid(now.turn, *any_bid)) is (any_bid in legal), (rules, oracle.s)
        bids = sorted(legal)[:10]
        if not bids:
            break
        count, face = luck.choice([*bids, *(bid for bid in bids if bid[1] == 1)])
        line = {"event": "bid", "player": now.turn, "count": count, "face": face}
        now = now.apply(record.parse_line(dumped(line)))


@pytest.mark.parametrize("palifico", [False, True])
def test_legal_bids_are_the_second_implementations(palifico: bool) -> None:
    luck = random.Random(7)
    for book in BOOKS:
        for _ in range(20):
            compare_bids(luck, book, {}, palifico=palifico)
    bidding = ("bids_above_dice", *BIDDING_RULES[palifico])
    for values in itertools.product(*(HOUSE[rule] for rule in bidding)):
        compare_bids(luck, luck.choice(BOOKS), dict(zip(bidding, values, strict=True)), palifico=palifico)


@pytest.mark.parametrize("book", BOOKS)
def test_random_records_replay_as_the_text_of_the_rules_says(book: str) -> None:
    accepted = sum(compare(book, seed) for seed in range(20))
    assert accepted > 400  # most lines are legal


@pytest.mark.parametrize("book", BOOKS)
def test_random_records_replay_as_the_house_rules_say(book: str) -> None:
    accepted = sum(compare(book, seed, house=True) for seed in range(20))
    assert accepted > 400
