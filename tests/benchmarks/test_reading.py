"""`python -m tests.benchmarks reading`, with known figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.benchmarks.pi_estimate import pi_markdown
from tests.benchmarks.reading import reading
from tests.benchmarks.reading_cost import BenchmarkError, ReadingBenchmark, ReadingCost, SettleCost


def cost(width: int, height: int, dice: int, ratio: float) -> ReadingCost:
    return ReadingCost(width, height, dice, 38.0, dice, 90 * ratio, ratio, ratio - 0.1, ratio + 0.1)


FRAME = cost(2304, 1296, 30, 1.5)
KNOWN = ReadingBenchmark(
    opencv="4.10.0", machine="aarch64", cores=4, rounds=7, weights=3_151_888, gflop=8.743, yard_ms=90.0,
    heights=(cost(2304, 1296, 30, 1.0), FRAME, cost(2304, 1296, 30, 2.6)),
    dice=(cost(2304, 1296, 0, 1.2), FRAME),
    pixels=(cost(640, 480, 30, 0.9), FRAME),
    checks=(SettleCost(640, 480, 1.7), SettleCost(1280, 720, 2.4)),
    memory_mb=233.0,
)  # fmt: skip


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> ReadingBenchmark:
    monkeypatch.setattr("tests.benchmarks.reading.benchmark_reader", lambda *_: KNOWN)
    return KNOWN


def test_people_see_the_ratios_and_which_limits_are_exceeded(measured: ReadingBenchmark) -> None:
    result = CliRunner().invoke(reading, [])
    assert result.exit_code == 0, result.output
    assert "8.74 GFLOP): 90 ms" in result.stdout
    assert "2.60 passes, OVER 2.5 passes" in result.stdout
    assert "settle check: 2.40 ms, within 5 ms" in result.stdout
    assert "memory: 233.00 MB, within 300 MB" in result.stdout


def test_json_is_one_object(measured: ReadingBenchmark) -> None:
    record = json.loads(CliRunner().invoke(reading, ["--json"]).stdout)
    assert [(bar["value"], bar["within"]) for bar in record["bars"]] == [(2.6, False), (2.4, True), (233.0, True)]
    assert [row["ratio"] for row in record["heights"]] == [1.0, 1.5, 2.6]
    assert record["dice"][0]["dice"] == 0
    assert record["yard_ms"] == 90


def test_figures_are_written_between_the_markers(measured: ReadingBenchmark, tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("# A\n<!-- cost -->\nold\n<!-- /cost -->\nrest\n")
    assert CliRunner().invoke(reading, ["--figures", str(readme)]).exit_code == 0
    text = readme.read_text()
    assert text.count("| 2304 x 1296 | 30 | 38 px | 30 | 135 ms | 1.50 |") == 1  # measured once, shown once
    assert "| 640 x 480 | 30 |" in text
    assert "233 MB" in text
    assert "| a verdict on 30 dice, 1.50 passes | 135 ms | 0.9 to 1.1 s | 0.3 s |" in text

    assert "old" not in text
    assert text.endswith("<!-- /cost -->\nrest\n")


def test_a_failed_measurement_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> ReadingBenchmark:
        raise BenchmarkError("memory is read from /proc, which this system has not: measure on Linux")

    monkeypatch.setattr("tests.benchmarks.reading.benchmark_reader", fail)
    result = CliRunner().invoke(reading, [])
    assert result.exit_code == 1
    assert "measure on Linux" in result.stderr


def test_the_estimate_for_a_pi_is_the_passes_here_times_what_a_pass_takes_there() -> None:
    text = pi_markdown([cost(2304, 1296, 10, 2.0)], 44.0)
    assert "| a forward pass on four threads, by others | | 349 to 420 ms | 115 to 118 ms |" in text
    assert "(assumed) | 44 ms (one thread) | 594 to 714 ms | 196 to 200 ms |" in text
    assert "| a verdict on 10 dice, 2.00 passes | 180 ms | 1.2 to 1.4 s | 0.4 s |" in text
