"""`/metrics`, over a real table and a clock that the test moves: what counts, and what does not count twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from companion.box.doctor.machine import processor_temperature
from companion.table import Journal, Table
from companion.table.commands import (
    AskReading,
    CallDudo,
    CountByHand,
    EndGame,
    MakeBid,
    OpenRound,
    Pause,
    Redo,
    Resume,
    SetDie,
    StrikeDie,
    Undo,
)
from companion.table.game import sentences
from companion.table.state.state import Waiting
from tests.fakes.clock import FakeClock
from tests.fakes.new_game import new_game
from tests.fakes.parts import box_parts
from tests.fakes.reader import laid_out
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable
from web.app import create_app

DICE = {"red": (5, 5, 1, 2, 3), "blue": (5, 2, 2, 3, 6)}
Scrape = Callable[[], dict[str, float]]


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Table]:
    with Table(Journal(tmp_path)) as table:
        yield table


@pytest.fixture
def scrape(real: Table, clock: FakeClock, described: Any) -> Callable[[], dict[str, float]]:
    """Every figure by its name and labels."""
    app = create_app(box_parts(real, clock=clock))
    app.after_request(described.check)
    return lambda: figures(app)


def figures(app: Flask) -> dict[str, float]:
    answer = app.test_client().get("/metrics")
    assert answer.status_code == 200
    assert answer.content_type == "text/plain; version=0.0.4; charset=utf-8"
    return {
        sample.name + "".join(f"[{value}]" for name, value in sample.labels.items()): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def call(table: Table) -> None:
    table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"))
    table.do(MakeBid("Ana", 4, 5))
    table.do(CallDudo())


def lie_still(table: Table) -> None:
    table.set_waiting(wanted(table), Waiting(code="reading", sentence=sentences.READING))


def wanted(table: Table) -> int:
    request = table.reveal_wanted()
    return request.reveal


def undo(table: Table) -> None:
    step = table.state().undo
    table.do(Undo(step.step))


def redo(table: Table) -> None:
    step = table.state().redo
    table.do(Redo(step.step))


def test_a_round_by_the_camera_is_counted_and_timed(real: Table, clock: FakeClock, scrape: Scrape) -> None:
    call(real)
    clock.sleep(1.2)
    lie_still(real)
    real.set_waiting(wanted(real), Waiting(code="moving", sentence=sentences.MOVING))
    clock.sleep(0.6)
    lie_still(real)
    real.take_reading(wanted(real), laid_out(DICE), None)
    found = scrape()
    assert (found["perudo_readings_total"], found["perudo_dice_read_total"]) == (1, 10)
    assert (found["perudo_dice_asked_total"], found["perudo_dice_corrected_total"]) == (0, 0)
    assert found["perudo_call_to_still_seconds_sum"] == pytest.approx(1.2)
    assert found["perudo_call_to_still_seconds_bucket[1.0]"] == 0
    assert found["perudo_call_to_still_seconds_bucket[1.5]"] == 1
    assert found["perudo_call_to_verdict_seconds_sum[camera]"] == pytest.approx(1.8)
    assert found["perudo_call_to_verdict_seconds_count[players]"] == 0


def test_dice_are_asked_about_and_corrected_once_whatever_is_undone(
    real: Table, clock: FakeClock, scrape: Scrape
) -> None:
    call(real)
    real.take_reading(wanted(real), laid_out(DICE, uncertain=[("red", 0), ("blue", 1)]), None)
    clock.sleep(9)
    real.do(SetDie(0, face=5))
    real.do(SetDie(6, face=3))
    found = scrape()
    assert (found["perudo_dice_asked_total"], found["perudo_dice_corrected_total"]) == (1, 1)  # it decided
    assert found["perudo_call_to_verdict_seconds_sum[players]"] == pytest.approx(9)
    undo(real)
    redo(real)
    real.do(SetDie(6, face=6))  # the same die again
    real.do(StrikeDie(9))
    undo(real)
    for _ in range(3):
        undo(real)
    for _ in range(3):
        redo(real)
    found = scrape()
    assert (found["perudo_readings_total"], found["perudo_dice_asked_total"]) == (1, 1)
    assert found["perudo_dice_corrected_total"] == 2
    assert found["perudo_call_to_verdict_seconds_count[players]"] == 1


def test_a_second_reading_counts_and_a_count_by_hand_is_the_players(
    real: Table, clock: FakeClock, scrape: Scrape
) -> None:
    call(real)
    real.take_reading(wanted(real), laid_out({"red": (5,)}), None)
    clock.sleep(5)
    real.do(AskReading())
    real.take_reading(wanted(real), laid_out({"red": (5, 5)}), None)
    real.do(StrikeDie(0))
    for change in (undo, undo, redo, redo):  # to the first reading and back
        change(real)
    clock.sleep(15)
    real.do(CountByHand({"Ana": (5, 5, 1, 2, 3), "Ben": (5, 2, 2, 3, 6)}))
    found = scrape()
    assert (found["perudo_readings_total"], found["perudo_dice_read_total"]) == (2, 3)
    assert found["perudo_dice_corrected_total"] == 1
    assert found["perudo_call_to_verdict_seconds_sum[players]"] == pytest.approx(20)
    assert found["perudo_call_to_verdict_seconds_count[camera]"] == 0


def test_a_count_by_hand_without_a_reading_is_the_players(real: Table, scrape: Scrape) -> None:
    call(real)
    real.do(CountByHand({"Ana": (5, 5, 1, 2, 3), "Ben": (5, 2, 2, 3, 6)}))
    found = scrape()
    assert found["perudo_call_to_verdict_seconds_count[players]"] == 1
    assert found["perudo_readings_total"] == 0


def test_a_game_that_is_ended_and_taken_up_again_is_no_wait(real: Table, clock: FakeClock, scrape: Scrape) -> None:
    call(real)
    real.do(EndGame())
    clock.sleep(600)
    undo(real)
    real.take_reading(wanted(real), laid_out(DICE), None)
    assert scrape()["perudo_call_to_verdict_seconds_count[camera]"] == 0


def test_a_call_that_is_undone_and_a_break_are_no_wait(real: Table, clock: FakeClock, scrape: Scrape) -> None:
    call(real)
    undo(real)
    clock.sleep(60)
    redo(real)
    clock.sleep(2)
    lie_still(real)
    real.do(Pause())
    clock.sleep(600)
    real.do(Resume())
    real.take_reading(wanted(real), laid_out(DICE), None)
    found = scrape()
    assert found["perudo_call_to_still_seconds_sum"] == pytest.approx(2)
    assert found["perudo_call_to_verdict_seconds_count[camera]"] == 0
    assert found["perudo_readings_total"] == 1


def test_what_was_read_before_the_program_started_does_not_count(tmp_path: Path, clock: FakeClock) -> None:
    with Table(Journal(tmp_path)) as table:
        call(table)
        table.take_reading(wanted(table), laid_out(DICE, uncertain=[("red", 0)]), None)
        table.do(SetDie(0, face=5))
        table.do(OpenRound())
    with Table(Journal(tmp_path)) as table:
        app = create_app(box_parts(table, clock=clock))
        undo(table)
        found = figures(app)
    assert (found["perudo_readings_total"], found["perudo_dice_asked_total"]) == (0, 0)


def test_each_scrape_measures_it(app: Flask, table: FakeTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zones = tmp_path / "thermal"
    monkeypatch.setattr(processor_temperature, "__defaults__", (zones,))
    found = figures(app)
    assert (found["perudo_camera_ok"], found["perudo_journal_ok"], found["perudo_open_streams"]) == (1, 1, 0)
    assert "perudo_processor_temperature_celsius" not in found
    assert [value for name, value in found.items() if name.startswith("perudo_build_info[")] == [1]
    table.show(STATES["journal-full"])
    for number, (kind, text) in enumerate((("acpitz", "27800\n"), ("cpu-thermal", "48312\n"))):
        zone = zones / f"thermal_zone{number}"
        zone.mkdir(parents=True)
        (zone / "type").write_text(f"{kind}\n")
        (zone / "temp").write_text(text)
    found = figures(app)
    assert found["perudo_journal_ok"] == 0
    assert found["perudo_processor_temperature_celsius"] == 48.312
    table.show(STATES["reading-no-camera"])
    assert figures(app)["perudo_camera_ok"] == 0


def test_two_tables_in_one_process_do_not_share_figures(real: Table, scrape: Scrape) -> None:
    other = create_app(box_parts(FakeTable(STATES["bidding"])))
    call(real)
    real.take_reading(wanted(real), laid_out(DICE), None)
    assert scrape()["perudo_readings_total"] == 1
    assert figures(other)["perudo_readings_total"] == 0


def test_strangers_may_scrape_it_as_they_may_ask_for_the_health(stranger: FlaskClient) -> None:
    assert stranger.get("/metrics").status_code == stranger.get("/healthz").status_code == 200
