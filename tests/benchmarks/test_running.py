"""`python -m tests.benchmarks running`, with known figures, and one real game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.benchmarks.running import CostError, Costs, RunningCost, markdown, measure_game, n_body, running

KNOWN = Costs(
    machine="aarch64",
    pass_s=0.5,
    pi_factor=7.0,
    sizes=(
        RunningCost(2304, 1296, ready_s=1.0, no_game=0.5, cups_down=5.0, waiting=7.0, between=0.5, idle_mb=131.0,
                    reveals_mb=240.0, most_mb=280.0),
        RunningCost(1280, 960, ready_s=1.0, no_game=0.5, cups_down=2.0, waiting=6.0, between=0.5, idle_mb=120.0,
                    reveals_mb=230.0, most_mb=250.0),
    ),
)  # fmt: skip


@pytest.fixture
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.benchmarks.running.measure", lambda *_: KNOWN)


@pytest.mark.usefixtures("_known")
def test_a_limit_that_is_exceeded_is_told() -> None:
    result = CliRunner().invoke(running, [])
    assert result.exit_code == 0, result.output
    assert "start, until the page answers: 1.00 s, 1.00 s, within 2 s" in result.stdout
    assert "a minute with the cups down: 10.0 passes (5.0 s), 4.0 passes (2.0 s), OVER 8 passes" in result.stdout
    assert json.loads(CliRunner().invoke(running, ["--json"]).stdout)["sizes"][1]["cups_down"] == 2.0


@pytest.mark.usefixtures("_known")
def test_the_figures_are_written_between_the_markers(tmp_path: Path) -> None:
    docs = tmp_path / "install.md"
    docs.write_text("# A\n<!-- running -->\nold\n<!-- /running -->\nrest\n")
    assert CliRunner().invoke(running, ["--figures", str(docs)]).exit_code == 0
    text = docs.read_text()
    assert "| memory after 10 reveals | 240 MB | 230 MB | 260 MB |" in text
    assert "\nold\n" not in text
    assert text.endswith("<!-- /running -->\nrest\n")


def test_the_estimate_for_a_pi_includes_processor_and_memory_card() -> None:
    assert "7 s of processor time, and about 6 s for reading 60 MB" in markdown(KNOWN, None)
    assert ": 13 s after systemd starts it" in markdown(KNOWN, None)
    assert "exposure of 1.6 of 10" in markdown(KNOWN, 1.6)


def test_a_failed_start_is_told_with_what_the_program_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.benchmarks.running.CONFIGURATION", "[web]\nport = 'x'\n")
    with pytest.raises(CostError, match="port is a whole number"):
        measure_game((320, 180), 0.1, 1, lambda _: None)


def test_a_real_round_is_measured() -> None:
    steps: list[str] = []
    cost = measure_game((1280, 960), 0.5, 1, steps.append)
    assert steps == [
        f"1280 x 960, {state}" for state in ("no game", "cups down", "waiting for a die", "between rounds")
    ]
    assert cost.ready_s > 0
    assert min(cost.no_game, cost.cups_down, cost.waiting, cost.between) >= 0
    assert cost.most_mb >= cost.reveals_mb > 20


def test_the_n_body_benchmark_takes_time() -> None:
    assert n_body(2000) > 0
