"""The self-test: this machine plays a game with this program, without touching the real table.

`perudo doctor` looks at the parts; this uses them. The game is played at the virtual table of `perudo demo`, in a
separate process and over HTTP, with a journal in a temporary folder beside the real one.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import statistics
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Final

import numpy as np

from calibration.grade import Grade
from calibration.image import grey_of
from calibration.quality.picture_quality import light, sharp
from companion.box.doctor import Diagnosis, absent, bad, good, poor
from companion.box.process import Answer, Phone, ServedProcess
from companion.demo.virtual_table import LIFT_SECONDS, throw
from companion.engine import DEFAULT_RULESET
from companion.panel.walk import PanelWalk
from companion.state_folder import as_owner_of
from companion.table.game.table_reading import PlayerDice
from hardware.camera.dead_frames import FROZEN_PICTURE
from hardware.camera.protocol import Camera, CameraError
from hardware.panel.panel import Panel, PanelError
from vision.reader import Reader

_START_TIMEOUT: Final = 60.0
"""Seconds of wall time on a quick board, like the next three; a slow board gets more: see `slowness`."""
_STOP_TIMEOUT: Final = 60.0
_ANSWER_TIMEOUT: Final = 15.0
_VERDICT_TIMEOUT: Final = 60.0
_QUICK: Final = 0.5
"""Seconds that a quick board needs to load the networks and read a frame."""
_SLOW_VERDICT: Final = 8.0
"""Seconds from DUDO to the verdict, including the `LIFT_SECONDS` of the virtual players."""
_SEED: Final = 7
"""Seed of the throws: the test knows what the reader should see."""
_WRITES: Final = 20
_SLOW_WRITE: Final = 0.25
"""Seconds to write a change to disk, above which a tap feels slow."""
_FRAMES: Final = 10
_SLOW_FRAME: Final = 0.5
"""Seconds between frames that still let a camera see the hands leave."""
_KEPT: Final = ("game", "round", "phase", "players", "turn", "bid", "undo")
"""The fields of the state that must survive a power cut."""


class SelftestError(RuntimeError):
    """The program did not behave as it should. The message says how."""


def selftest(
    state: Path, camera: Camera | CameraError, panel: Panel | PanelError, say: Callable[[str], None]
) -> Iterator[Diagnosis]:
    """Yield every diagnosis as soon as it is made.

    `state` is the folder with the games. `camera` and `panel` are the real ones, which are closed at the end, or the
    errors that explain why they are left out. `say` tells a person what to press.
    """
    try:
        with as_owner_of(state):
            state.mkdir(parents=True, exist_ok=True)
            yield disk(state)
            with TemporaryDirectory(prefix="selftest-", dir=state) as folder:
                yield from game(Path(folder))
    except OSError as error:
        sentence = f"{state} cannot be written ({error.strerror or error}). Name another with --state, or use sudo."
        yield bad("disk", sentence)
    yield real_camera(camera)
    yield real_panel(panel, say)


def disk(folder: Path) -> Diagnosis:
    """How long it takes to write a change to disk, which every bid waits for before it is acknowledged."""
    seconds = []
    with TemporaryFile(dir=folder) as file:
        for _ in range(_WRITES):
            begun = time.perf_counter()
            file.write(b"x" * 4096)
            file.flush()
            os.fsync(file.fileno())
            seconds.append(time.perf_counter() - begun)
    usual = statistics.median(seconds)
    found = f"A change is on the disk after {1000 * usual:.0f} ms, at worst {1000 * max(seconds):.0f} ms."
    if usual <= _SLOW_WRITE:
        return good("disk", found)
    return poor("disk", f"{found} Taps will be slow: a better card, or a USB disk, helps.")


def slowness() -> float:
    """How much longer than a quick board this one takes to read a frame, at least 1."""
    begun = time.perf_counter()
    Reader.load().read(np.zeros((960, 1280, 3), np.uint8))
    return max(1.0, (time.perf_counter() - begun) / _QUICK)


def game(folder: Path) -> Iterator[Diagnosis]:
    """Play a round with a verdict, an undone correction, a power cut in the next round, and a game to its end."""
    try:
        slow = slowness()
        begun = time.perf_counter()
        with _demo(folder, slow) as (_, phone):
            yield good("start", f"The program answered {time.perf_counter() - begun:.1f} s after its start.")
            yield _verdict(phone, slow)
            yield _correction(phone)
            phone.change("next", {})
            before = phone.change("bid", {"player": phone.state()["turn"], "count": 3, "face": 4})
        begun = time.perf_counter()
        with _demo(folder, slow) as (box, phone):
            yield _nothing_lost(before, phone.state(), time.perf_counter() - begun)
            yield _whole_game(phone, slow)
            yield _end(box, slow)
    except (RuntimeError, OSError, http.client.HTTPException, ValueError, subprocess.TimeoutExpired) as error:
        yield bad("game", f"The game could not be played to its end: {error}")


@contextlib.contextmanager
def _demo(folder: Path, slow: float) -> Iterator[tuple[ServedProcess, Phone]]:
    """Run `perudo demo` with a phone that has joined. It is killed at the end, as by a power cut."""
    command = ("demo", "--seed", str(_SEED))
    with ServedProcess(command, folder / "state", folder / "log", timeout=_START_TIMEOUT * slow) as box:
        phone = Phone(box, timeout=_ANSWER_TIMEOUT * slow)
        with contextlib.closing(phone):
            phone.join(box.code)
            yield box, phone


def _judged(phone: Phone, count: int, face: int, slow: float) -> tuple[Answer, float]:
    """Bid and call dudo: the state with the verdict, and the seconds it took. The dice must be read correctly."""
    bidding = phone.state()
    dice = tuple(PlayerDice(each["name"], each["colour"], each["dice"]) for each in bidding["players"])
    thrown = throw((bidding["game"], bidding["round"]), dice, _SEED).dice
    caller = str(phone.change("bid", {"player": bidding["turn"], "count": count, "face": face})["turn"])
    begun = time.perf_counter()
    state = phone.change("dudo", {"player": caller})
    while state["verdict"] is None:
        if time.perf_counter() - begun > _VERDICT_TIMEOUT * slow or state["phase"] == "checking":
            raise SelftestError(f"no verdict {time.perf_counter() - begun:.0f} s after DUDO ({state['phase']}).")
        time.sleep(0.05)
        state = phone.state()
    seconds = time.perf_counter() - begun
    drawn = Counter((die.colour, die.face) for die in thrown)
    read = Counter((die["colour"], die["face"]) for die in state["reading"]["dice"])
    if drawn != read:
        raise SelftestError(f"there lay {_dice(drawn - read)}, where {_dice(read - drawn)} was read.")
    matching = sum(die.face in (face, 1) for die in thrown)
    if (state["verdict"]["count"], state["verdict"]["correct"]) != (matching, matching < count):
        raise SelftestError(f"{matching} dice matched the bid, but {state['verdict']['count']} were counted.")
    return state, seconds


def _dice(dice: Counter[tuple[str, int]]) -> str:
    return ", ".join(f"{colour} {face}" for colour, face in sorted(dice.elements())) or "no die"


def _verdict(phone: Phone, slow: float = 1.0) -> Diagnosis:
    state, seconds = _judged(phone, 4, 5, slow)
    found = (
        f"{len(state['reading']['dice'])} drawn dice were read rightly and judged {seconds:.1f} s after DUDO; the "
        f"virtual players take {LIFT_SECONDS} s of that."
    )
    if seconds <= _SLOW_VERDICT:
        return good("verdict", found)
    return poor("verdict", f"{found} That is slow: does something else use the processor, or is it hot?")


def _whole_game(phone: Phone, slow: float = 1.0) -> Diagnosis:
    """Play a game of two players with one die each, which one dudo decides."""
    players = [{"name": "Ana", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    dice = dict.fromkeys(("Ana", "Ben"), 1)
    phone.change("game", {"players": players, "dice": dice, "ruleset": DEFAULT_RULESET.id, "abandon": True})
    state, _ = _judged(phone, 1, 6, slow)
    if state["phase"] != "over" or state["winner"] == state["verdict"]["loses"]:
        raise SelftestError(f"the last die was lost, but the game went on ({state['phase']}).")
    return good("game", f"A short game was played to its end: {state['winner']} won.")


def _correction(phone: Phone) -> Diagnosis:
    before = phone.state()
    die = before["reading"]["dice"][0]
    corrected = phone.change(f"dice/{die['id']}", {"face": die["face"] % 6 + 1})
    if corrected["reading"]["dice"][0]["face"] == die["face"]:
        raise SelftestError("the correction of a die had no effect.")
    undone = phone.change("undo", {"step": corrected["undo"]["step"]})
    if undone["verdict"] != before["verdict"]:
        raise SelftestError("undoing the correction of a die did not restore the verdict.")
    return good("correction", "A die was corrected, and the correction undone.")


def _nothing_lost(before: Answer, after: Answer, seconds: float) -> Diagnosis:
    lost = [name for name in _KEPT if before[name] != after[name]]
    if lost:
        raise SelftestError(f"after a power cut these were not as before: {', '.join(lost)}.")
    return good("power cut", f"Killed in mid-game, the program went on {seconds:.1f} s later with nothing lost.")


def _end(box: ServedProcess, slow: float) -> Diagnosis:
    box.process.terminate()
    status = box.process.wait(_STOP_TIMEOUT * slow)
    if status:
        raise SelftestError(f"asked to stop, the program ended with status {status}: {box.log()}")
    return good("stop", "Asked to stop, the program closed everything.")


def real_camera(camera: Camera | CameraError) -> Diagnosis:
    """Check that the real camera gives sharp, changing frames as fast as the box needs them."""
    if isinstance(camera, CameraError):
        return absent("camera", str(camera))
    try:
        frames, times = [camera.frame()], []  # the first takes longer
        for _ in range(_FRAMES):
            begun = time.perf_counter()
            frames.append(camera.frame(after=time.monotonic()))
            times.append(time.perf_counter() - begun)
    except CameraError as error:
        return bad("camera", str(error))
    finally:
        camera.close()
    if frames[0].noise and all(np.array_equal(frames[0].image, each.image) for each in frames):
        return bad("camera", f"{camera.name}: {FROZEN_PICTURE} Plug it in again.")
    found = f"{camera.name}: a new picture every {1000 * statistics.median(times):.0f} ms."
    greys = [grey_of(each.image) for each in frames[1:]]
    for judge in (light, sharp):
        faults = [finding.sentence for grey in greys if (finding := judge(grey)).grade is Grade.BAD]
        if faults:
            return poor("camera", f"{found} {len(faults)} of {_FRAMES} are not good. {faults[-1]}")
    if statistics.median(times) <= _SLOW_FRAME:
        return good("camera", found)
    return poor("camera", f"{found} That is slow: more light lets it expose for a shorter time.")


def real_panel(panel: Panel | PanelError, say: Callable[[str], None]) -> Diagnosis:
    """Check that somebody can press every button when its lamp blinks."""
    if isinstance(panel, PanelError):
        return absent("panel", str(panel))
    with contextlib.closing(panel):
        missed = PanelWalk(panel, say, time.sleep).go()
    if missed:
        return bad("panel", f"Not felt: {', '.join(missed)}. `perudo panel --test` says what to look at.")
    return good("panel", "Every button was felt.")
