"""Fit what the review knows of how people play to games of robots: `python -m companion.evaluation.review_fit`.

Multinomial logits, each fitted by Newton's method: which bid a player makes, by all strengths mixed, and who loses the
die after a raise, by the strongest ones among themselves. And a network: who wins, by the strongest ones, under the
default rules and under rules drawn for each game. `--winning` fits who wins alone: 10,000 games of each kind take
twenty minutes on two fast cores. The robots play by models of their own, which are not fitted again (`robots_models`).
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from companion.engine import FACES, RULESETS, Bid, Dudo, house_rules
from companion.review.beliefs import Beliefs
from companion.review.bid_model import FEATURES, BidModel, bids_after, worths
from companion.review.bid_probabilities import Floats, Numbers, at_least, softmax, tail
from companion.review.hands import matches_of
from companion.review.models import Models, fitted_models, write_models
from companion.review.rounds import PlayedRound, played_rounds
from companion.review.win_chance import INPUTS, MOST_FITTED, WinningModel, in_order, inputs
from companion.robots import ROBOTS, PlayedGame, Strength, play

RIDGE: Final = 1e-4
"""The weight of the squares, which keeps weights small that the games say nothing of."""
NEWTON_STEPS: Final = 12
UNITS: Final = 64
"""Of the network's hidden layer."""
SWEEPS: Final = 2
"""How often it is fitted again, each time from the start, to its own chances of the next round."""
PASSES: Final = 20
"""Over all rounds, each time."""
BATCH: Final = 2048
"""Rounds a step."""
RATE: Final = 4e-3
"""The longest step. Steps grow to it over the first half and shrink over the second."""
SLIP: Final = 0.03
"""How often a choice is taken to be random, to begin with."""
HERD: Final = 0.8
"""`BidModel.herd`. The dice of 800 games are likeliest at 0.85, and hardly less at 0.8, by which people are better
foretold."""
MOST_BIDS: Final = 40_000
SINGLE: Final = 0.5
"""In how many games under house rules one rule alone is changed."""
BOOKS: Final = 0.5
"""How many of the others are by any book, unchanged."""
RANDOM_DICE: Final = 0.8
"""In how many players begin with any number of dice."""
CHANGES: Final = (
    ("calza", False, 0.2),
    ("calza_by", "not-next", 0.15),
    ("calza_by", "on-turn", 0.15),
    ("calza_in_palifico", False, 0.1),
    ("calza_with_two", False, 0.12),
    ("pacos_wild", False, 0.25),
    ("palifico_rounds", "never", 0.12),
    ("palifico_rounds", "not-with-two", 0.12),
    ("calza_once", True, 0.12),
    ("calza_to_half", True, 0.12),
    ("right_calza", "bidder-loses", 0.2),
    ("dudo_by", "anyone", 0.15),
    ("dudo_costs", "difference", 0.25),
    ("opens_after_dudo", "winner", 0.2),
    ("dice_each", 3, 0.07),
    ("dice_each", 4, 0.05),
    ("dice_each", 6, 0.1),
    ("opens_on_pacos", True, 0.1),
    ("opened_on_pacos_wild", False, 0.05),
    ("leaving_pacos", "twice", 0.1),
    ("half_rounded", "down", 0.1),
    ("raises", "any-face", 0.1),
    ("raises", "higher-face", 0.1),
    ("palifico_opens_on_pacos", False, 0.05),
    ("locked_face_changed_by", "former-palifico", 0.05),
    ("palifico_again", False, 0.05),
    ("bids_above_dice", False, 0.1),
)
"""Rules that are changed, and in how many of the remaining games."""


class Chosen(NamedTuple):
    """One choice among several."""

    features: Numbers
    """Choices x features."""
    place: int


def logit(choices: Sequence[Chosen], *, slips: bool = False) -> tuple[Numbers, float]:
    """The weights under which `choices` are likeliest, and how often they are random (0 unless `slips`)."""
    most, count = max(len(each.features) for each in choices), choices[0].features.shape[1]
    table = np.zeros((len(choices), most, count), np.float32)
    able = np.zeros((len(choices), most), bool)
    for row, each in enumerate(choices):
        table[row, : len(each.features)] = each.features
        able[row, : len(each.features)] = True
    rows, places = np.arange(len(choices)), [each.place for each in choices]
    weights, slip = np.zeros(count), SLIP if slips else 0.0
    for _ in range(NEWTON_STEPS):
        chances = softmax(np.where(able, table @ weights.astype(np.float32), -np.inf))
        meant = (1 - slip) * chances[rows, places]
        meant = meant / (meant + slip / able.sum(axis=1))
        mean = np.einsum("nk,nkf->nf", chances, table)
        slope = (meant[:, None] * (table[rows, places] - mean)).sum(axis=0) - RIDGE * len(choices) * weights
        curve = np.einsum("nk,nkf,nkg->fg", chances * meant[:, None], table, table, optimize=True)
        curve += RIDGE * len(choices) * np.eye(count) - np.einsum("nf,ng->fg", mean * meant[:, None], mean)
        weights = weights + np.linalg.solve(curve, slope)
        slip = 1 - float(meant.mean()) if slips else 0.0
    return weights, slip


def network(table: Floats, able: npt.NDArray[np.bool_], shares: Floats, seed: int) -> WinningModel:
    """The network whose chances are nearest to `shares`: Adam (Kingma and Ba 2015), on cross-entropy.

    `table`: choices x alternatives x inputs; `able`: which alternatives there are; `shares` sums to 1 over them.
    """
    luck = np.random.default_rng(seed)
    shapes = (table.shape[2], UNITS), (UNITS,)
    weights = [(luck.uniform(-1, 1, shape) / np.sqrt(shape[0])).astype(np.float32) for shape in shapes]
    means, squares = [[np.zeros_like(each) for each in weights] for _ in range(2)]
    orders = (luck.permutation(len(table)) for _ in range(PASSES))
    batches = (order[first : first + BATCH] for order in orders for first in range(0, len(table), BATCH))
    steps = PASSES * -(-len(table) // BATCH)
    for step, batch in enumerate(batches):
        known, (hidden, output) = table[batch], weights
        units = np.maximum(known @ hidden, 0)
        wrong = (softmax(np.where(able[batch], units @ output, -np.inf)) - shares[batch]) / len(batch)
        back = wrong[..., None] * (units > 0) * output
        slopes = [np.tensordot(known, back, ((0, 1), (0, 1))), np.tensordot(wrong, units, 2)]
        rate = np.float32(RATE * np.sin(np.pi * (step + 0.5) / steps))
        for layer, slope in enumerate(slopes):
            means[layer] += 0.1 * (slope - means[layer])
            squares[layer] += 0.001 * (slope**2 - squares[layer])
            spread = np.sqrt(squares[layer] / (1 - 0.999 ** (step + 1))) + 1e-8
            weights[layer] -= rate * means[layer] / (1 - 0.9 ** (step + 1)) / spread
    return WinningModel(*weights)


def fit_bids(rounds: Iterable[PlayedRound], model: BidModel) -> BidModel:
    """How the players of `rounds` bid; what they knew of each other's dice is reckoned with `model`."""
    found: dict[bool, list[Chosen]] = {False: [], True: []}
    for played in rounds:
        beliefs = Beliefs.start(played.start, model)
        for decision in played.decisions:
            call, player = decision.call, decision.call.player
            if isinstance(call, Bid | Dudo):
                bids = bids_after(
                    played.start, beliefs.previous, call if isinstance(call, Bid) else None, beliefs.other_sort
                )
                dice = played.dice[player]
                seen = worths(
                    played.start,
                    beliefs.previous,
                    len(dice),
                    matches_of(dice, wild=played.start.wild)[None],
                    at_least(beliefs.matches(without=(player,))),
                    bids,
                    np.eye(len(FEATURES)),
                )[0]
                chosen = bids.place(call) if isinstance(call, Bid) else len(seen) - 1
                found[beliefs.previous is not None].append(Chosen(seen, chosen))
            if isinstance(call, Bid):
                beliefs = beliefs.after(call)
        if len(found[True]) >= MOST_BIDS:
            break
    (opening, slips), (raising, later) = (logit(found[later], slips=True) for later in (False, True))
    return BidModel(opening, raising, (slips, later), HERD)


def fit_losers(rounds: Iterable[PlayedRound], model: BidModel) -> dict[int, Numbers]:
    """Who lost the die in `rounds` after each raise, given how it looked to the player who was raised."""
    found: defaultdict[int, list[Chosen]] = defaultdict(list)
    for played in rounds:
        beliefs = Beliefs.start(played.start, model)
        for decision, raised in zip(played.decisions, played.decisions[1:], strict=False):
            player, bid = decision.call.player, raised.call
            assert isinstance(decision.call, Bid)  # a round's last call alone is none
            beliefs = beliefs.after(decision.call)
            if not isinstance(bid, Bid) or played.outcome.loses is None:
                continue
            column = FACES.index(bid.face)
            own = int(matches_of(played.dice[player], wild=played.start.wild)[column])
            seen = beliefs.after(bid)
            holds = tail(at_least(seen.matches(without=(player,)))[column], bid.count - own)
            order = played.start.order_of_play(bid.player)
            terms_of = np.kron(np.eye(len(order)), np.array([1.0, holds, holds**2])).astype(np.float64)
            found[min(len(order), MOST_FITTED)].append(Chosen(terms_of, order.index(played.outcome.loses)))
    return {players: logit(chosen)[0].reshape(players, 3) for players, chosen in sorted(found.items())}


def fit_winning(games: Iterable[tuple[Sequence[PlayedRound], str]], seed: int) -> WinningModel:
    """Who wins, from how many dice each player has and the rules. `games`: rounds, and the winner.

    Fitted to who won; then to the chances at the start of the next round and to who won, half each (temporal
    differences, Sutton 1988): the luck of all later rounds would hide what one round decides.
    """
    starts, winners, last = [], [], []
    for rounds, winner in games:
        starts += [played.start for played in rounds]
        winners += [winner] * len(rounds)
        last += [False] * (len(rounds) - 1) + [True]
    table = np.zeros((len(starts), MOST_FITTED, len(INPUTS)), np.float32)
    able, shares = (np.zeros(table.shape[:2], kind) for kind in (bool, np.float32))
    for row, (start, winner) in enumerate(zip(starts, winners, strict=True)):
        seats = in_order(start)
        table[row, seats] = inputs(start, seats)
        able[row, seats] = True
        shares[row, start.players.index(winner)] = 1
    for _ in range(SWEEPS):
        chances = softmax(np.where(able, network(table, able, shares, seed).worth(table), -np.inf))
        shares = half_foretold(shares, chances, last)
    return network(table, able, shares, seed)


def half_foretold(shares: Floats, chances: Floats, last: Sequence[bool]) -> Floats:
    """What each round is fitted to: half the `chances` of the next round, half what that is fitted to; a `last` round
    keeps its `shares`."""
    found = shares.copy()
    for row in reversed(range(len(found) - 1)):
        if not last[row]:
            found[row] = (chances[row + 1] + found[row + 1]) / 2
    return found


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m companion.evaluation.review_fit", description=__doc__)
    arguments.add_argument("--games", type=int, default=4000, help="of each kind")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--winning", action="store_true", help="only who wins, and what house rules change in it")
    wanted = arguments.parse_args()
    seeds = range(wanted.seed, wanted.seed + wanted.games)
    models = fitted_models()
    bids, losers = models.bids, models.losers
    with ProcessPoolExecutor() as pool:
        strong: Iterable[tuple[list[PlayedRound], str]] = pool.map(strong_game, seeds, chunksize=20)
        if not wanted.winning:
            strong = list(strong)
            mixed = pool.map(mixed_game, seeds, chunksize=20)
            bids = fit_bids((each for record in mixed for each in played_rounds(record.splitlines())), models.bids)
            losers = fit_losers((each for rounds, _ in strong for each in rounds), bids)
        winning = fit_winning(chain(strong, pool.map(changed_game, seeds, chunksize=20)), wanted.seed)
    write_models(Models(bids, losers, winning))


def strong_game(seed: int) -> tuple[list[PlayedRound], str]:
    """The rounds of a game of the strongest robots, and the winner."""
    luck = random.Random(f"{seed}/strong")
    names = "ABCDEF"[: luck.choice([2, 2, 3, 3, 4, 4, 5, 6])]
    dice = {name: luck.randint(1, 5) for name in names} if luck.random() < 0.5 else None
    return _rounds(play(dict.fromkeys(names, ROBOTS[Strength.HARD]), seed, dice=dice))


def changed_game(seed: int) -> tuple[list[PlayedRound], str]:
    """The same under house rules."""
    luck = random.Random(f"{seed}/winning")
    if luck.random() < SINGLE:
        changes: dict[str, object] = dict([luck.choice(CHANGES)[:2]])
    elif luck.random() < BOOKS:
        changes = {"ruleset": luck.choice(list(RULESETS))}
    else:
        changes = {rule: value for rule, value, chance in CHANGES if luck.random() < chance}
    if "opened_on_pacos_wild" in changes:
        changes["opens_on_pacos"] = True
    calza = bool(changes.pop("calza", True))
    names = "ABCDEF"[: luck.choice([2, 2, 2, 3, 3, 4, 4, 5, 6])]
    rules = house_rules(changes)
    dice = {name: luck.randint(1, rules.dice_each) for name in names} if luck.random() < RANDOM_DICE else None
    return _rounds(play(dict.fromkeys(names, ROBOTS[Strength.HARD]), seed, ruleset=rules, calza=calza, dice=dice))


def _rounds(game: PlayedGame) -> tuple[list[PlayedRound], str]:
    return list(played_rounds(game.record.splitlines())), game.winner


def mixed_game(seed: int) -> str:
    """The record of a game of robots of all strengths, under any of the six books."""
    luck = random.Random(f"{seed}/mixed")
    names = "ABCDEF"[: luck.choice([2, 2, 3, 3, 4, 4, 5, 6])]
    robots = {name: ROBOTS[luck.choice(list(Strength))] for name in names}
    return play(robots, seed, ruleset=RULESETS[luck.choice(list(RULESETS))]).record


if __name__ == "__main__":
    main()
