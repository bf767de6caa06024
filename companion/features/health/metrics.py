"""`/metrics`: figures in Prometheus' text format, for watching several boxes, or one over time.

The players' waiting times are measured on the published states, as a phone sees them, without the reveal's help.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Final

from flask import Response
from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics
from prometheus_client.exposition import generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from companion.box.doctor.machine import processor_temperature
from companion.table import State, Table
from companion.table.game.table_position import Phase
from companion.table.state.state import PublicReading
from web.endpoints import get
from web.errors import no_store
from web.feature import Feature
from web.stream.stream import Feed

WAIT_BUCKETS: Final = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 20.0, 30.0)
"""Seconds. A verdict takes 1.5 to 4; the page changes its words after 8."""

TEXT_FORMAT: Final = "text/plain; version=0.0.4; charset=utf-8"
"""The content type of Prometheus' text format."""

_CALLED_FROM: Final = frozenset({Phase.BIDDING, Phase.ASKING})
_PLAYERS_TURN: Final = frozenset({Phase.CHECKING, Phase.TELLING})
_JUDGING: Final = _PLAYERS_TURN | {Phase.READING}


class TableMeter:
    """A listener that counts what the table publishes since the program started.

    A reading counts when its dice reach the table; an uncertain die when its reading arrives; a corrected die when a
    player first changes its face or colour, adds or removes it. Each counts once: undoing subtracts nothing, and
    redoing adds nothing.

    A wait begins with a dudo or calza, also a redone one. It ends when the table first lies still, and at the verdict,
    and is discarded if the call is undone or the players take a break. Opening rolls do not count.
    """

    def __init__(self, registry: CollectorRegistry, clock: Callable[[], float]) -> None:
        """`clock` returns monotonic seconds."""
        self._clock = clock
        self._readings = Counter("perudo_readings", "Readings by the camera.", registry=registry)
        self._dice = Counter("perudo_dice_read", "Dice in these readings.", registry=registry)
        self._asked = Counter("perudo_dice_asked", "Dice that the players were asked about.", registry=registry)
        self._corrected = Counter(
            "perudo_dice_corrected", "Dice that players changed, added or removed.", registry=registry
        )
        self._still = Histogram(
            "perudo_call_to_still_seconds",
            "From a call until the table lies still.",
            registry=registry,
            buckets=WAIT_BUCKETS,
        )
        self._verdict = Histogram(
            "perudo_call_to_verdict_seconds",
            "From a call to its verdict, by the camera alone or with the help of players.",
            ("by",),
            registry=registry,
            buckets=WAIT_BUCKETS,
        )
        for by in ("camera", "players"):
            self._verdict.labels(by)  # creates both, so that they are listed from the start
        self._phase: Phase | None = None
        self._called: float | None = None
        self._lay_still = self._helped = False
        self._reading = 0
        """The highest number of a reading so far."""
        self._read: dict[int, tuple[int, str]] = {}
        """Die -> face and colour, as read by the camera in that reading."""
        self._changed: set[int] = set()
        """The dice of that reading that count as corrected."""
        self._asked_about: set[int] = set()
        """The dice of that reading that players are known to have been asked about."""

    def put(self, state: State) -> None:
        """Count a new state. The first one is only the starting point."""
        if state.reading is not None and not (state.opening and state.opening.rolling):
            self._see(state.reading)
        if self._phase is not None:
            self._time(state)
        self._phase = state.phase

    def close(self) -> None:
        """Nothing to do: no more states follow."""

    def _see(self, reading: PublicReading) -> None:
        dice = {die.id: (die.face, die.colour) for die in reading.dice}
        if reading.id > self._reading:
            self._reading, self._read, self._changed, self._asked_about = reading.id, dice, set(), set(dice)
            if self._phase is Phase.READING:  # otherwise the call was made before the program started
                self._readings.inc()
                self._dice.inc(len(dice))
                self._asked_about = set()
        if reading.id == self._reading:
            changed = {die for die in self._read.keys() | dice.keys() if self._read.get(die) != dice.get(die)}
            self._corrected.inc(len(changed - self._changed))
            self._changed |= changed
            asked = {die for problem in reading.problems if problem.code == "uncertain" for die in problem.dice}
            self._asked.inc(len(asked - self._asked_about))
            self._asked_about |= asked

    def _time(self, state: State) -> None:
        if state.phase is Phase.READING and self._phase in _CALLED_FROM:
            self._called, self._lay_still, self._helped = self._clock(), False, False
        if self._called is None:
            return
        self._helped |= state.phase in _PLAYERS_TURN or state.byhand is not None
        judged = state.verdict is not None
        if state.paused or not (judged or state.phase in _JUDGING):
            self._called = None
        elif judged:
            self._verdict.labels("players" if self._helped else "camera").observe(self._clock() - self._called)
            self._called = None
        elif not self._lay_still and state.waiting is not None and state.waiting.code == "reading":
            self._lay_still = True
            self._still.observe(self._clock() - self._called)


class BoxGauges(Collector):
    """Gauges, read whenever they are collected."""

    def __init__(self, table: Table, feed: Feed) -> None:
        self._table = table
        self._feed = feed

    def collect(self) -> Iterator[Metric]:
        state = self._table.state()
        yield GaugeMetricFamily("perudo_camera_ok", "Whether the camera gives pictures.", int(state.camera.ok))
        yield GaugeMetricFamily("perudo_journal_ok", "Whether events are saved on disk.", int(state.journal.ok))
        yield GaugeMetricFamily("perudo_open_streams", "Streams to phones.", self._feed.count)
        yield GaugeMetricFamily(
            "perudo_processor_temperature_celsius", "Of the processor; absent where unknown.", processor_temperature()
        )
        build = GaugeMetricFamily("perudo_build_info", "The version of the program.", labels=("version",))
        build.add_metric((version("perudo-companion"),), 1)
        yield build


class MetricsFeature(Feature[CollectorRegistry]):
    def __init__(self, table: Table, feed: Feed, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` returns monotonic seconds."""
        disable_created_metrics()  # type: ignore[no-untyped-call]  # Prometheus sees by itself that a box was restarted
        registry = CollectorRegistry()
        super().__init__(registry, table)
        registry.register(BoxGauges(table, feed))
        table.attach(TableMeter(registry, clock))

    @get("/metrics", answers="text/plain")
    def metrics(self) -> Response:
        """Metrics for Prometheus."""
        return no_store(Response(generate_latest(self.there), content_type=TEXT_FORMAT))
