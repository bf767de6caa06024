"""`python -m tests.benchmarks start`, with known figures, and one real start."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from tests.benchmarks.start import markdown, start
from tests.benchmarks.start_cost import CostError, StartCost, n_body, run_once
from vision.image_file import write_image

KNOWN = StartCost(
    machine="aarch64", import_s=0.5, ready_s=1.0, idle_percent=4.0, idle_for=60.0, peak_mb=143.2,
    idle_mb=131.0, factor=7.0,
)  # fmt: skip


def test_an_exceeded_limit_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.benchmarks.start.measure_start", lambda *_: KNOWN)
    result = CliRunner().invoke(start, [])
    assert result.exit_code == 0, result.output
    assert "import of the program: 0.50 s of processor time, within 1.5" in result.stdout
    assert "idle: 4.00 % of one core, OVER 3" in result.stdout
    assert "a Pi 4 takes 7.0 times as long, 7 s" in result.stdout
    assert json.loads(CliRunner().invoke(start, ["--json"]).stdout)["idle_percent"] == 4.0


def test_the_figures_are_written_between_the_markers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tests.benchmarks.start.measure_start", lambda *_: KNOWN)
    docs = tmp_path / "appliance.md"
    docs.write_text("# A\n<!-- start -->\nold\n<!-- /start -->\nrest\n")
    assert CliRunner().invoke(start, ["--figures", str(docs)]).exit_code == 0
    text = docs.read_text()
    assert "| memory, at most | 143 MB | 250 MB |" in text
    assert "\nold\n" not in text
    assert text.endswith("<!-- /start -->\nrest\n")


def test_the_estimate_for_a_pi_includes_processor_and_memory_card() -> None:
    assert "7 s of processor time, and about 6 s for reading 60 MB" in markdown(KNOWN, None)
    assert ": 13 s after systemd starts it" in markdown(KNOWN, None)
    assert "exposure of 1.6 of 10" in markdown(KNOWN, 1.6)


def test_a_failed_start_is_reported_with_its_output(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "perudo.toml").write_text("[web]\nport = 'x'\n")
    with pytest.raises(CostError, match="port is a whole number") as caught:
        run_once(tmp_path / "pictures", 1.0, ("--config", str(tmp_path / "perudo.toml")))
    assert "exit status 2" in str(caught.value)


def test_a_real_start_is_measured_while_nobody_plays(tmp_path: Path) -> None:
    write_image(tmp_path / "table.png", np.full((90, 160, 3), 90, np.uint8))
    ready, percent, peak, idle = run_once(tmp_path, 1.0)
    assert ready > 0
    assert percent >= 0
    assert peak >= idle > 20


def test_the_n_body_benchmark_takes_time() -> None:
    assert n_body(2000) > 0
