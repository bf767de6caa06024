"""A fake of the phone that the self-test plays by: a bid and a dudo over some drawn dice, with faults on demand."""

from __future__ import annotations

from collections.abc import Sequence

from companion.box.process import Phone
from companion.box.selftest import Answer

DRAWN = (("red", 5), ("red", 1), ("blue", 6), ("blue", 2))


class FakeSelftestPhone(Phone):
    """A phone at a box with two players of two dice. What it does wrongly is among `faults`."""

    def __init__(self, seen: Sequence[tuple[str, int]] = DRAWN, faults: str = "") -> None:
        self._faults = faults
        self._dice = [{"id": n, "colour": colour, "face": face} for n, (colour, face) in enumerate(seen)]
        players = [{"name": name, "colour": colour, "dice": 2} for name, colour in (("Ana", "red"), ("Ben", "blue"))]
        self._now: Answer = {
            "game": 1, "round": 1, "phase": "bidding", "players": players, "turn": "Ana", "verdict": None,
            "reading": None, "winner": None, "undo": {"step": 3},
        }  # fmt: skip

    def state(self) -> Answer:
        return self.change("", None)

    def change(self, path: str, body: dict[str, object] | None, version: int | None = None) -> Answer:
        now, first = self._now, self._dice[0]
        if path == "bid":
            now |= {"turn": "Ben", "bid": body}
        elif path == "dudo":
            matching = sum(die["face"] in (1, now["bid"]["face"]) for die in self._dice) + ("miscounts" in self._faults)
            correct = matching < now["bid"]["count"]
            now |= {"verdict": {"count": matching, "correct": correct, "loses": "Ana" if correct else "Ben"}}
            now |= {"reading": {"dice": self._dice}, "phase": "verdict" if "goes on" in self._faults else "over"}
            now |= {"winner": "Ben" if correct else "Ana"}
        elif path == "game":
            now |= {"phase": "bidding", "verdict": None, "reading": None}
        elif path.startswith("dice/") and "ignores corrections" not in self._faults:
            face, verdict = first["face"], now["verdict"]
            first |= body or {}
            now |= {"verdict": verdict | {"count": verdict["count"] - 1}, "before": (face, verdict)}
        elif path == "undo" and "ignores undo" not in self._faults:
            first["face"], now["verdict"] = now.pop("before")
        return {**now, "reading": now["reading"] and {"dice": [dict(die) for die in self._dice]}}
