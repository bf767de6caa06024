"""`perudo demo` as a player meets it: a process, an address, a game that is played to its end over HTTP.

The test has the seed, so it knows every throw and checks each verdict. The program does not.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.cli.demo import DEMO_PLAYERS
from companion.demo.virtual_table import throw
from companion.table.game.table_reading import PlayerDice
from tests.wait import wait_until

SEED = 1
START_WITHIN = 60.0
"""Seconds; a slow machine that tests other things at the same time needs some of them."""

State = dict[str, Any]


class Demo:
    """A running `perudo demo`, and a phone on it."""

    folder: Path

    def __init__(self, phone: Callable[..., Any], *options: str, temporary: Path | None = None) -> None:
        environment = {**os.environ, "COLUMNS": "100"}
        if temporary is not None:
            environment["TMPDIR"] = str(temporary)
        command = [sys.executable, "-m", "companion.cli", "demo", "--host", "127.0.0.1", *options]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )
        self.url = self.process.stdout.readline().strip()
        assert self.url.startswith("http://127.0.0.1:"), self.process.communicate(timeout=60)
        self.code = self.process.stdout.readline().strip().removeprefix("Table code: ")
        self.phone = phone(self.url, self.code)
        self.get, self.post = self.phone.get, self.phone.post

    @property
    def state(self) -> State:
        return dict(json.loads(self.get("api/v1/state")))

    def wait(self, until: Callable[[State], bool]) -> State:
        """The first state for which `until` is true."""
        return wait_until(lambda: state if until(state := self.state) else None)

    def stop(self, by: int = signal.SIGTERM) -> tuple[int, str, str]:
        self.process.send_signal(by)
        status = self.process.wait(timeout=START_WITHIN)  # its output goes into a pipe
        with self.process.stdout as out, self.process.stderr as err:
            # Not `communicate`, which knows nothing of what `readline` has already taken out of the pipe.
            return status, out.read(), err.read()


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory, remote_phone: Callable[..., Any]) -> Iterator[Demo]:
    """A demo of the tests that begin games of their own, in `demo.folder`."""
    folder = tmp_path_factory.mktemp("state")
    demo = Demo(remote_phone, "--port", "0", "--seed", str(SEED), "--state", str(folder))
    demo.folder = folder
    yield demo
    demo.stop()


@pytest.fixture
def start(tmp_path: Path, remote_phone: Callable[..., Any]) -> Iterator[Callable[..., Demo]]:
    running: list[Demo] = []

    def started(*options: str, **more: Path) -> Demo:
        running.append(
            Demo(remote_phone, *(options or ("--port", "0", "--seed", str(SEED), "--state", str(tmp_path))), **more)
        )
        return running[-1]

    yield started
    for demo in running:
        if demo.process.poll() is None:
            demo.stop(signal.SIGKILL)


def truth(state: State) -> Counter[tuple[str, int]]:
    """The dice on the table in this state's round, as (colour, face); the state has the counts from before the call."""
    players = tuple(PlayerDice(p["name"], p["colour"], p["dice"]) for p in state["players"])
    return Counter((die.colour, die.face) for die in throw((state["game"], state["round"]), players, SEED).dice)


def reveal(demo: Demo, button: str = "dudo") -> State:
    """Press a button of the panel and wait for the verdict, answering any question as attentive players would."""
    dice = truth(demo.state)
    demo.post(f"panel/{button}/press")
    demo.post(f"panel/{button}/release")
    state = demo.state
    if state["phase"] == "asking":
        state = demo.post("caller", {"player": state["asking"]["players"][0]})
    state = demo.wait(lambda s: s["phase"] != "reading")
    if state["phase"] == "checking":
        sure = Counter((d["colour"], d["face"]) for d in state["reading"]["dice"] if not d["uncertain"])
        assert not sure - dice, "a die was read wrong and surely"
        demo.post("byhand", {"dice": hand(state, dice)})
        state = demo.state
    elif state["reading"] is not None:
        assert Counter((d["colour"], d["face"]) for d in state["reading"]["dice"]) == dice, "read wrong and surely"
    verdict = state["verdict"]
    bid = verdict["bid"]
    counting = (bid["face"], 1) if verdict["wild"] else (bid["face"],)
    assert verdict["count"] == sum(n for (_, face), n in dice.items() if face in counting)
    return state


def settled(demo: Demo) -> State:
    state = demo.wait(lambda s: s["phase"] != "reading")
    while state["phase"] == "checking":
        die = next(die for die in state["reading"]["dice"] if die["uncertain"])
        state = demo.post(f"dice/{die['id']}", {"face": die["face"]})
    return state


def hand(state: State, dice: Counter[tuple[str, int]]) -> dict[str, list[int]]:
    """The true dice by player, as they would count them."""
    return {
        player["name"]: [face for (colour, face), n in dice.items() for _ in range(n) if colour == player["colour"]]
        for player in state["players"]
    }


def open_bid(demo: Demo, count: int) -> State:
    state = demo.state
    return demo.post("bid", {"player": state["turn"], "count": count, "face": 2})


def company(players: int, **more: object) -> dict[str, Any]:
    names = [{"name": name, "colour": colour} for name, colour in DEMO_PLAYERS[:players]]
    return {"players": names, "ruleset": "asmodee-fr", "abandon": True, **more}


def test_a_game_is_played_from_photographed_dice_until_somebody_has_won(demo: Demo) -> None:
    demo.post("game", company(2, starter="Ana"))
    state = demo.state
    assert state["camera"] == {"ok": True, "name": "virtual table", "sentence": "", "phone": False}
    assert json.loads(demo.get("healthz"))["ok"]

    open_bid(demo, 7)
    state = reveal(demo)
    assert state["verdict"]["call"] == "dudo"
    assert sum(player["dice"] for player in state["players"]) == 9
    assert demo.get(state["reading"]["picture"].lstrip("/"))[:2] == b"\xff\xd8"
    demo.post("next")
    open_bid(demo, 5)
    assert reveal(demo, "calza")["verdict"]["call"] == "calza"

    # The rest is played with fewer dice, which is quicker.
    demo.post("game", company(2, starter="Ana", dice={"Ana": 2, "Ben": 3}))
    open_bid(demo, 11)
    rounds = 1
    while (state := reveal(demo))["phase"] == "verdict":
        demo.post("next")
        open_bid(demo, 11)  # more dice than there are: whoever opens loses
        rounds += 1
    assert state["phase"] == "over"
    assert state["winner"] == "Ben"
    assert rounds == 2
    assert "Ben has won the game." in state["verdict"]["sentence"]


def test_the_opening_is_rolled_under_the_camera_and_a_round_is_played_without_entering_bids(demo: Demo) -> None:
    demo.post("game", company(3, ruleset="web-fr", roll=True))
    while (state := demo.state)["phase"] != "bidding":
        assert state["phase"] == "rolling"
        demo.post("panel/dudo/press")
        demo.post("panel/dudo/release")
        settled(demo)
    rolls = state["opening"]["rolls"]
    assert all(len(faces) == 2 for roll in rolls for faces in roll.values())
    assert max(rolls[-1], key=lambda name: sum(rolls[-1][name])) == state["turn"]

    dice = truth(state)
    demo.post("dudo")
    state = settled(demo)
    assert state["phase"] == "telling"
    fives = sum(n for (_, face), n in dice.items() if face in (1, 5))
    assert state["tally"][4]["with_pacos"] == fives
    opener = state["starter"]
    after = DEMO_PLAYERS[([name for name, _ in DEMO_PLAYERS[:3]].index(opener) + 1) % 3][0]
    call = {"call": "dudo", "caller": after, "bidder": opener, "count": fives + 1, "face": 5}
    state = demo.post("tell", call)
    assert state["verdict"]["loses"] == opener
    state = demo.post("undo", {"step": state["undo"]["step"]})
    assert state["phase"] == "telling"
    assert demo.post("tell", {**call, "count": fives})["verdict"]["loses"] == after


def test_a_wrong_request_is_answered_with_a_sentence(demo: Demo) -> None:
    demo.post("game", company(2))
    with pytest.raises(urllib.error.HTTPError) as refused:
        demo.post("calza", {"player": "Ana"})
    assert refused.value.code == 409
    refusal = json.load(refused.value)
    assert (refusal["error"], refusal["message"]) == ("no-bid", "There is no bid in this round yet.")
    refused.value.close()


def test_killed_in_the_middle_of_a_reveal_the_same_game_goes_on_until_ctrl_c(
    start: Callable[..., Demo], remote_phone: Callable[..., Any]
) -> None:
    demo = start()
    players = demo.state["players"]
    assert [(p["name"], p["colour"], p["dice"]) for p in players] == [(*player, 5) for player in DEMO_PLAYERS]
    demo.post("game", company(2))
    open_bid(demo, 4)
    demo.post("dudo")
    before, token = demo.state, demo.phone.token
    seat, code = demo.phone.send("seat", {"role": "player", "player": "Ana"}), demo.code
    demo.stop(signal.SIGKILL)
    demo = start()
    assert demo.state["version"] > before["version"]
    assert demo.code == code
    ana = remote_phone(demo.url, code, token=token)
    after = ana.me
    assert (after["phone"], after["player"], after["host"]) == (seat["phone"], "Ana", True)
    assert after["csrf"] == seat["csrf"]
    assert ana.send("pause", {}, version=ana.state["version"])["paused"]
    ana.post("resume")
    state = demo.wait(lambda s: s["phase"] != "reading")
    assert state["call"] == before["call"]
    assert state["reading"] is not None
    status, _, err = demo.stop(signal.SIGINT)
    assert (status, err) == (0, "")


def test_the_address_comes_first_and_sigterm_stops_it(start: Callable[..., Demo], tmp_path: Path) -> None:
    demo = start("--port", "0", temporary=tmp_path)
    assert [path.name.startswith("perudo-demo-") for path in tmp_path.iterdir()] == [True]
    status, out, err = demo.stop()
    assert (status, err) == (0, "")
    assert re.fullmatch("[0-9]{4}", demo.code)
    assert "█" in out or "▀" in out  # the same address
    assert f"(it asks for no code):\n{demo.url}#join=" in out
    assert "the only one that reaches it" in out  # no phone reaches 127.0.0.1
    assert "same Wi-Fi" not in out
    assert list(tmp_path.iterdir()) == []


def test_a_port_in_use_is_reported_in_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        result = CliRunner().invoke(main, ["demo", "--host", "127.0.0.1", "--port", str(listener.getsockname()[1])])
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert "--port 0 takes a free one" in result.stderr


def test_a_folder_in_use_is_reported_in_one_sentence(demo: Demo) -> None:
    result = CliRunner().invoke(main, ["demo", "--port", "0", "--state", str(demo.folder)])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Another perudo is using the folder" in result.stderr
