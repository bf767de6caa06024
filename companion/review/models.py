"""The review's models of how people play: weights fitted to games and stored in this package."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from companion.review.bid_model import BidModel
from companion.review.bid_probabilities import Numbers
from companion.review.win_chance import WinningModel

MODELS_FILE: Final = Path(__file__).with_name("models.json")
WEIGHT_DIGITS: Final = 4


LoserModel = Mapping[int, Numbers]
"""Number of players with dice -> a logit for who loses the die after a bid, in q, the probability that the bid holds as
the player before the bidder sees it. For each player, in playing order from the bidder, the weights of 1, q and q^2."""


@dataclass(frozen=True, slots=True, eq=False)
class Models:
    """The review's models of how people play."""

    bids: BidModel
    losers: LoserModel
    winning: WinningModel


@cache
def fitted_models() -> Models:
    """The models that were fitted to games of robots."""
    return read_models(MODELS_FILE)


def read_models(file: Path) -> Models:
    """Read the models from `file`, as written by `write_models`."""
    stored = json.loads(file.read_text(encoding="utf-8"))
    bids, winning = stored["bids"], stored["winning"]
    return Models(
        BidModel(np.array(bids["opening"]), np.array(bids["raising"]), tuple(bids["slips"]), bids["herd"]),
        _by_players(stored["losers"]),
        WinningModel(np.array(winning["hidden"]), np.array(winning["output"])),
    )


def _by_players(stored: Mapping[str, object]) -> dict[int, Numbers]:
    return {int(players): np.array(weights) for players, weights in stored.items()}


def write_models(models: Models) -> None:
    """Write `models` into this package."""

    def listed(table: Mapping[int, Numbers]) -> dict[int, object]:
        return {players: weights.round(WEIGHT_DIGITS).tolist() for players, weights in sorted(table.items())}

    stored = {
        "bids": {
            "opening": models.bids.opening.round(WEIGHT_DIGITS).tolist(),
            "raising": models.bids.raising.round(WEIGHT_DIGITS).tolist(),
            "slips": [round(each, WEIGHT_DIGITS) for each in models.bids.slips],
            "herd": models.bids.herd,
        },
        "losers": listed(models.losers),
        "winning": {
            "hidden": models.winning.hidden.round(WEIGHT_DIGITS).tolist(),
            "output": models.winning.output.round(WEIGHT_DIGITS).tolist(),
        },
    }
    MODELS_FILE.write_text(json.dumps(stored) + "\n", encoding="utf-8")
