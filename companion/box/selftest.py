"""The self-test: a round played on this machine, by this program, while nothing of the real table is touched.

`perudo doctor` looks at the parts; this uses them. The round is played at the virtual table of `perudo demo`, in a
process of its own and over its own addresses, with a journal in a temporary folder beside the real one.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any, Final, Self
from urllib.parse import urlsplit

from companion.box.doctor.diagnosis import Diagnosis, absent, bad, good, poor
from hardware.camera.protocol import Camera, CameraError

_START_TIMEOUT: Final = 60.0
"""Seconds of wall time, as the next two: generous for a Pi with a slow card."""
_ANSWER_TIMEOUT: Final = 15.0
_VERDICT_TIMEOUT: Final = 60.0
_SLOW_VERDICT: Final = 8.0
"""Seconds from DUDO to the verdict, of which the virtual players take `companion.demo.virtual_table.LIFT_SECONDS`."""
_WRITES: Final = 20
_SLOW_WRITE: Final = 0.25
"""Seconds for a change to be on the disk, above which a tap is felt to be late."""
_FRAMES: Final = 10
_SLOW_FRAME: Final = 0.5
"""Seconds between two frames of a camera that sees the hands go."""


Answer = dict[str, Any]
"""The JSON of an answer of the program."""


class SelftestError(Exception):
    """The program did not do what it should. The message says what."""


def selftest(state: Path, camera: Camera | CameraError) -> Iterator[Diagnosis]:
    """Every diagnosis, as soon as it is made.

    `state` is the folder of the games; `camera` is the real one, which is closed, or why it is left out.
    """
    try:
        state.mkdir(parents=True, exist_ok=True)
        yield disk(state)
        with TemporaryDirectory(prefix="selftest-", dir=state) as folder:
            yield from game(Path(folder))
    except OSError as error:
        yield bad("disk", f"Nothing can be written in {state}: {error.strerror or error}.")
    yield real_camera(camera)


def disk(folder: Path) -> Diagnosis:
    """How long a change takes to be on the disk, as every bid has to be before it is acknowledged."""
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


def game(folder: Path) -> Iterator[Diagnosis]:
    """A round with a verdict, a correction that is undone, a power cut, and the next round."""
    try:
        begun = time.perf_counter()
        with _Box(folder) as box:
            yield good("start", f"The program answered {time.perf_counter() - begun:.1f} s after its start.")
            yield _verdict(box)
            yield _correction(box)
            before = box.state()
            box.process.kill()
            box.process.wait()
        begun = time.perf_counter()
        with _Box(folder) as box:
            yield _nothing_lost(before, box.state(), time.perf_counter() - begun)
            box.post("next")
            yield _end(box)
    except (SelftestError, OSError, http.client.HTTPException, ValueError, subprocess.TimeoutExpired) as error:
        yield bad("game", f"The round could not be played to its end: {error}")


def _verdict(box: _Box) -> Diagnosis:
    """A bid and a dudo; the reader reads the drawn dice."""
    bidder = str(box.state()["turn"])
    caller = str(box.post("bid", player=bidder, count=4, face=5)["turn"])
    begun = time.perf_counter()
    state = box.post("dudo", player=caller)
    while state["verdict"] is None:
        if time.perf_counter() - begun > _VERDICT_TIMEOUT or state["phase"] == "checking":
            raise SelftestError(f"no verdict {time.perf_counter() - begun:.0f} s after DUDO ({state['phase']}).")
        time.sleep(0.05)
        state = box.state()
    seconds = time.perf_counter() - begun
    dice = len(state["reading"]["dice"])
    found = (
        f"{dice} drawn dice were read and judged {seconds:.1f} s after DUDO; the virtual players take 1.5 s of that."
    )
    if seconds <= _SLOW_VERDICT:
        return good("verdict", found)
    return poor("verdict", f"{found} That is slow: does something else use the processor, or is it hot?")


def _correction(box: _Box) -> Diagnosis:
    before = box.state()
    die = before["reading"]["dice"][0]
    corrected = box.post(f"dice/{die['id']}", face=die["face"] % 6 + 1)
    if corrected["reading"]["dice"][0]["face"] == die["face"]:
        raise SelftestError("the correction of a die had no effect.")
    undone = box.post("undo", step=corrected["undo"]["step"])
    if undone["verdict"] != before["verdict"]:
        raise SelftestError("undoing the correction of a die did not restore the verdict.")
    return good("correction", "A die was corrected, and the correction undone.")


def _nothing_lost(before: Answer, after: Answer, seconds: float) -> Diagnosis:
    kept = [name for name in ("players", "round", "verdict", "bid", "reading") if before[name] != after[name]]
    if kept:
        raise SelftestError(f"after a power cut these were not as before: {', '.join(kept)}.")
    return good("power cut", f"Killed in mid-game, the program went on {seconds:.1f} s later with nothing lost.")


def _end(box: _Box) -> Diagnosis:
    box.process.terminate()
    status = box.process.wait(_START_TIMEOUT)
    if status:
        raise SelftestError(f"asked to stop, the program ended with status {status}: {box.log()}")
    return good("stop", "Asked to stop, the program closed everything.")


def real_camera(camera: Camera | CameraError) -> Diagnosis:
    """Whether the real camera gives frames as fast as the box needs them."""
    if isinstance(camera, CameraError):
        return absent("camera", str(camera))
    try:
        camera.frame()  # the first takes longer
        times = []
        for _ in range(_FRAMES):
            begun = time.perf_counter()
            camera.frame(after=time.monotonic())
            times.append(time.perf_counter() - begun)
    except CameraError as error:
        return bad("camera", str(error))
    finally:
        camera.close()
    found = f"{camera.name}: a new picture every {1000 * statistics.median(times):.0f} ms."
    if statistics.median(times) <= _SLOW_FRAME:
        return good("camera", found)
    return poor("camera", f"{found} That is slow: more light lets it expose for a shorter time.")


class _Box:
    """`perudo demo` in a process of its own, with one phone that has joined, until the end of a `with`."""

    def __init__(self, folder: Path) -> None:
        self._open = contextlib.ExitStack()
        self._log = self._open.enter_context((folder / "log").open("w+", encoding="utf-8", errors="replace"))
        command = [sys.executable, "-m", "companion.cli", "demo", "--host", "127.0.0.1", "--port", "0", "--seed", "7"]
        self.process = subprocess.Popen(
            [*command, "--state", str(folder / "state")], stdout=subprocess.PIPE, stderr=self._log, text=True
        )
        self._keys = 0
        self._token = ""
        self._version = 0

    def __enter__(self) -> Self:
        assert self.process.stdout is not None
        address, code = (self.process.stdout.readline().strip() for _ in range(2))
        if not address.startswith("http"):
            said = self.log()
            self.__exit__()
            raise SelftestError(f"the program did not start: {said}")
        at = urlsplit(address)
        self._http = http.client.HTTPConnection(str(at.hostname), at.port or 80, timeout=_ANSWER_TIMEOUT)
        self._open.callback(self._http.close)
        self._token = str(self.post("join", code=code.rpartition(" ")[2])["token"])
        self.state()
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.communicate()
        self._open.close()

    def state(self) -> Answer:
        return self._ask("GET", "state", None)

    def post(self, path: str, **body: object) -> Answer:
        return self._ask("POST", path, body)

    def log(self) -> str:
        """The last line that the program logged."""
        self._log.seek(0)
        return (self._log.read().strip().splitlines() or ["it said nothing"])[-1]

    def _ask(self, method: str, path: str, body: dict[str, object] | None) -> Answer:
        self._keys += 1
        headers = {"Content-Type": "application/json", "Idempotency-Key": f"selftest-{os.getpid()}-{self._keys:04}"}
        if self._token:
            headers |= {"Authorization": f"Bearer {self._token}", "X-Perudo-Version": str(self._version)}
        self._http.request(method, f"/api/v1/{path}", None if body is None else json.dumps(body), headers)
        answer = self._http.getresponse()
        content = json.loads(answer.read())
        if answer.status != http.HTTPStatus.OK:
            raise SelftestError(str(content.get("message", content)))
        self._version = content.get("version", self._version)
        return dict(content)
