"""Ten of the games of `python -m tests.proof games`."""

from __future__ import annotations

import pytest

from companion.engine import position
from tests.proof.games import failures


@pytest.mark.parametrize("seeds", [range(1, 6), range(6, 11)], ids=["1-5", "6-10"])
def test_whole_games_end_as_the_rules_and_the_dice_have_it(seeds: range) -> None:
    assert failures(seeds) == []


def test_a_wrong_verdict_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = position.judge

    def without_pacos(*what: object, wild: bool) -> object:
        return judge(*what, wild=False)  # type: ignore[arg-type]

    monkeypatch.setattr(position, "judge", without_pacos)
    assert failures(range(1, 4))
