"""The command of the proof finds every attack."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from tests.proof.__main__ import main


def test_attacks_are_found_by_their_modules() -> None:
    assert "load" in main.commands
    assert {"box", "report"}.isdisjoint(main.commands)


@pytest.mark.parametrize("name", main.commands)
def test_every_attack_says_what_it_tries(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0, result.output
    assert result.output.startswith("Usage:")
