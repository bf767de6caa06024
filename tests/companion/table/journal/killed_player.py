"""Plays at a table and is killed, life after life: run by test_killed.py, which says what must be true.

    python killed_player.py FOLDER SEED LIVES      one journal, gone on with from life to life
    python killed_player.py FOLDER SEED LIVES OLD  each life opens a new copy of the folder OLD, and is killed early

Every life is a fork of this process, so that it starts in milliseconds. A line of JSON on standard output for each:
what it said up to its end, and by which signal it ended.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from companion.table import Journal, Table, commands
from companion.table.game.events import Event, to_json
from companion.table.state.state import State
from tests.fakes.journal_lines import lines_of
from tests.fakes.new_game import new_game
from tests.fakes.public_state import in_json
from tests.fakes.reader import laid_out

LASTING = (
    *("phase", "game", "round", "turn", "bid", "players", "call", "counting", "byhand"),
    *("verdict", "last", "paused"),
)
"""The fields of a state that must survive a restart, besides what `lasting` adds."""

POINTS = ("append", "COMMIT", "kept", "draft", "picture", "removed")
"""Where a life can kill itself: before a write, in the middle of it, and between the write and its announcement; and
the same for a picture."""


def lasting(of: State) -> dict[str, Any]:
    state = in_json(of)
    reading = state["reading"] or {}
    dice = [[die["id"], die["face"], die["corrected"]] for die in reading.get("dice", [])]
    steps = [state["undo"], state["redo"]]
    return {key: state[key] for key in LASTING} | {"reading": reading.get("id"), "dice": dice, "steps": steps}


def picture(number: int) -> bytes:
    return b"picture %d " % number + b"p" * (90_000 + 7_919 * number % 60_000) + b"whole"


def move(table: Table, luck: random.Random) -> State:
    state = table.state()
    chance = luck.random()
    if state.paused:
        return table.do(commands.Resume())
    if state.redo and chance < 0.5:
        return table.do(commands.Redo(state.redo.step))
    if state.undo and chance < 0.1:
        return table.do(commands.Undo(state.undo.step))
    match state.phase:
        case "seating" | "over":
            return table.do(new_game([("Ana", "red"), ("Ben", "blue"), ("Cid", "green")], starter="Ben"))
        case "bidding" if state.bid is None:
            return table.do(commands.MakeBid(state.turn, 2, 4))
        case "bidding" if chance < 0.2:
            return table.do(commands.Pause())
        case "bidding" if chance < 0.6:
            return table.do(commands.MakeBid(state.turn, state.bid.count + 1, state.bid.face))
        case "bidding":
            return table.do(commands.CallDudo())
        case "reading":
            request = table.reveal_wanted()
            assert request is not None, "the dice are not read again"
            if chance < 0.2:
                return table.do(commands.CountByHand({player.name: [3] * player.dice for player in request.players}))
            faces = {player.colour: [luck.randint(1, 6) for _ in range(player.dice)] for player in request.players}
            if chance < 0.3:
                max(faces.values(), key=len).pop()  # under a cup
            return table.take_reading(request.reveal, laid_out(faces), picture(table._position.readings + 1))
        case "checking":
            return table.do(commands.AskReading())
        case "verdict" if chance < 0.4 and state.reading:
            return table.do(commands.SetDie(luck.choice(state.reading.dice).id, luck.randint(1, 6)))
        case "verdict":
            return table.do(commands.OpenRound())
        case phase:
            raise AssertionError(phase)


def check_pictures(table: Table) -> None:
    for path in table.pictures.glob("*.jpg"):
        assert path.read_bytes() == picture(int(path.stem)), f"{path} is not whole"
    reading = table.state().reading
    assert reading is None or reading.picture is not None, "the picture on the table is gone"


def doom(journal: Journal, luck: random.Random) -> None:
    """Have this process kill itself at a random point, the first, second or third time it is reached."""
    point, passes = luck.choice(POINTS), luck.randint(1, 3)

    def passing(here: str) -> None:
        nonlocal passes
        passes -= here == point
        if here == point and passes == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def around(owner: Any, name: str, before: str, after: str) -> None:
        do: Callable[..., Any] = getattr(owner, name)

        def done(*values: Any) -> Any:
            passing(before)
            result = do(*values)
            passing(after)
            return result

        setattr(owner, name, done)

    around(journal, "append", "append", "kept")
    around(journal, "keep_picture", "", "picture")
    around(journal.pictures, "_make_room", "draft", "removed")
    journal._open().set_trace_callback(passing)


def live(folder: Path, luck: random.Random, say: Callable[[dict[str, Any]], None]) -> None:
    journal = Journal(folder, pictures=1)
    lines = len(lines_of(journal))
    append = journal.append

    def announced(events: Sequence[Event]) -> None:
        say({"about": [to_json(event) for event in events], "lines": lines + 1})
        append(events)

    journal.append = announced  # type: ignore[method-assign]
    with Table(journal, clock=itertools.count(0, 10).__next__) as table:
        check_pictures(table)
        state = table.state()
        say({"resumed": lasting(state), "lines": lines, "version": state.version})
        if luck.random() < 0.5:
            doom(journal, luck)
        for _ in range(100):
            state = move(table, luck)
            lines += 1
            assert state.journal.ok, state.journal
            say({"told": lasting(state), "lines": lines, "version": state.version})


def life(folder: Path, luck: random.Random, most: int) -> dict[str, Any]:
    """A life, killed shortly after at most `most` messages. Returns the messages."""
    listen, speak = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(listen)
        status = 1
        try:
            live(folder, luck, lambda said: os.write(speak, json.dumps(said).encode() + b"\n") and None)
        except BaseException:  # noqa: BLE001 - the parent is not to live on in two processes
            sys.excepthook(*sys.exc_info())
        finally:
            sys.stderr.flush()
            os._exit(status)
    os.close(speak)
    words = luck.randint(0, most)
    output = b""
    while output.count(b"\n") < words and (more := os.read(listen, 65536)):
        output += more
    time.sleep(luck.uniform(0, 0.02 if words == 0 else 0.004))
    os.kill(child, signal.SIGKILL)
    while more := os.read(listen, 65536):
        output += more
    os.close(listen)
    _, status = os.waitpid(child, 0)
    said = [json.loads(line) for line in output.split(b"\n")[:-1]]
    return {"said": said, "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else None}


def main(place: Path, seed: int, lives: int, old: Path | None = None) -> None:
    luck = random.Random(seed)
    for number in range(lives):
        folder = place
        if old is not None:
            folder = place / str(number)
            shutil.copytree(old, folder)
        print(json.dumps(life(folder, random.Random(luck.random()), 0 if old is not None else 18)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), *map(Path, sys.argv[4:]))
