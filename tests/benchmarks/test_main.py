"""The command of the benchmarks can run every one of them."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from tests.benchmarks.__main__ import main


@pytest.mark.parametrize("name", main.commands)
def test_every_benchmark_says_what_it_measures(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0, result.output
    assert result.output.startswith("Usage:")


def test_no_line_of_the_list_is_cut_short() -> None:
    assert "..." not in CliRunner().invoke(main, ["--help"], terminal_width=80).output.partition("Commands:")[2]
