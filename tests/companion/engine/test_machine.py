"""Random games played by a state machine, with invariants that hold in every position."""

from __future__ import annotations

import re

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.engine import RULESETS, Bid, Calza, Dudo, GamePhase, GameStarted, Position, Reveal, Together
from companion.engine.events import Direction
from companion.engine.record import parse_line, replay, to_line
from companion.engine.rulebooks import RULE_FIELDS, with_changes
from companion.engine.ruleset import BOUNDS
from tests.companion.engine.legal_bids import legal_bids

NAMES = ("ana", "ben", "cid", "dora", "emil", "fay", "gil", "hugo")


def values(rule):
    """Every value of a rule."""
    value = getattr(RULESETS["asmodee-fr"], rule)
    return (False, True) if isinstance(value, bool) else tuple(BOUNDS.get(rule) or type(value))


HOUSE_RULES = st.fixed_dictionaries({}, optional={rule: st.sampled_from(values(rule)) for rule in RULE_FIELDS})


class Table(RuleBasedStateMachine):
    """Six friends, any book, any events in any order."""

    now: Position

    @initialize(
        book=st.sampled_from(sorted(RULESETS)),
        changes=HOUSE_RULES | st.just({}),
        calza=st.booleans(),
        palifico=st.booleans(),
        data=st.data(),
    )
    def begin(self, book, changes, calza, palifico, data):
        rules = with_changes(RULESETS[book], changes)
        left = data.draw(st.lists(st.integers(1, rules.dice_each), min_size=2, max_size=rules.most_players))
        players = NAMES[: len(left)]
        starter = data.draw(st.sampled_from(players))
        dice = dict(zip(players, left, strict=True))
        first = starter if palifico and dice[starter] == 1 and rules.has_palifico_rounds(len(players)) else None
        game = GameStarted(rules, players, starter, calza, dice, first)
        self.now, self.written = Position.start(game), [to_line(game)]

    def play(self, event):
        """Apply `event`, or see it refused and nothing changed."""
        before = self.now
        error = before.check(event)
        assert parse_line(to_line(event)) == event
        if error is not None:
            with pytest.raises(type(error), match=re.escape(error.message)):
                before.apply(event)
            return
        self.now = before.apply(event)
        self.written.append(to_line(event))

    @precondition(lambda self: self.now.phase is GamePhase.BIDDING)
    @rule(data=st.data())
    def bid_legally(self, data):
        bids = list(legal_bids(self.now, most=2 * sum(self.now.dice_by_seat) + 1))
        if bids:
            before = self.now
            bid = data.draw(st.sampled_from(bids))
            self.play(bid)
            assert self.now.bid == bid
            assert self.now.dice_by_seat == before.dice_by_seat

    @rule(
        player=st.sampled_from((*NAMES, "zoe")),
        count=st.integers(1, 40),
        face=st.integers(1, 6),
        direction=st.sampled_from((None, *Direction)),
    )
    def bid_anything(self, player, count, face, direction):
        self.play(Bid(player, count, face, direction))

    @precondition(lambda self: self.now.turn is not None and self.now.bid is None)
    @rule(data=st.data(), direction=st.sampled_from(Direction))
    def choose_the_direction(self, data, direction):
        opening = data.draw(st.sampled_from(list(legal_bids(self.now, most=9))))
        self.play(Bid(opening.player, opening.count, opening.face, direction))

    @rule(player=st.sampled_from((*NAMES, "zoe")), kind=st.sampled_from([Dudo, Calza]))
    def call_anything(self, player, kind):
        self.play(kind(player))

    @precondition(lambda self: self.now.may_dudo())
    @rule(data=st.data())
    def dudo(self, data):
        self.play(Dudo(data.draw(st.sampled_from(self.now.may_dudo()))))
        assert self.now.phase is GamePhase.REVEAL

    @precondition(lambda self: self.now.may_calza())
    @rule(data=st.data())
    def calza(self, data):
        self.play(Calza(data.draw(st.sampled_from(self.now.may_calza()))))
        assert self.now.phase is GamePhase.REVEAL

    @rule(
        calls=st.lists(
            st.builds(Dudo, st.sampled_from(NAMES))
            | st.builds(Calza, st.sampled_from(NAMES))
            | st.builds(Bid, st.sampled_from(NAMES), st.integers(1, 30), st.integers(1, 6)),
            min_size=1,
            max_size=4,
        )
    )
    def together(self, calls):
        self.play(Together(tuple(calls)))

    @precondition(lambda self: self.now.phase is GamePhase.REVEAL)
    @rule(data=st.data())
    def reveal(self, data):
        before = self.now
        faces = st.integers(1, 6) | st.just(before.bid.face)
        revealed = {name: tuple(data.draw(faces) for _ in range(count)) for name, count in before.dice.items()}
        self.play(Reveal(revealed))
        self.judged(before)

    def judged(self, before):
        outcome, now = self.now.outcome, self.now
        changed = {name: now.dice[name] - count for name, count in before.dice.items() if now.dice[name] != count}
        expected = {}
        if outcome.loses:
            expected[outcome.loses] = -outcome.lost
            assert outcome.lost >= 1
        if outcome.gains:
            expected[outcome.gains] = 1
        assert changed == expected
        assert len(expected) <= 1
        assert outcome.eliminated in (None, outcome.loses)
        assert (outcome.eliminated is not None) == (outcome.loses is not None and now.dice[outcome.loses] == 0)
        if now.phase is GamePhase.BIDDING:
            assert now.round == before.round + 1
            if now.palifico:
                assert now.palifico == outcome.loses == now.starter

    @rule(
        revealed=st.dictionaries(st.sampled_from((*NAMES, "zoe")), st.lists(st.integers(1, 6), max_size=6).map(tuple))
    )
    def reveal_anything(self, revealed):
        self.play(Reveal(revealed))

    @rule()
    def begin_again(self):
        self.play(GameStarted(RULESETS["web-fr"], NAMES[:6], "ana"))

    @invariant()
    def nobody_has_dice_from_nowhere(self):
        assert all(0 <= count <= self.now.ruleset.dice_each for count in self.now.dice_by_seat)
        assert any(self.now.dice_by_seat)

    @invariant()
    def exactly_one_player_is_on_turn_in_bidding_and_has_dice(self):
        now = self.now
        assert (now.turn is not None) == (now.phase is GamePhase.BIDDING)
        if now.turn is not None:
            assert now.dice[now.turn] > 0
            assert now.dice[now.starter] > 0

    @invariant()
    def the_game_is_over_exactly_when_one_player_has_dice(self):
        alive = [name for name, count in self.now.dice.items() if count]
        assert (self.now.phase is GamePhase.OVER) == (len(alive) == 1)
        assert self.now.winner == (alive[0] if len(alive) == 1 else None)

    @invariant()
    def the_phases_hold_what_they_should(self):
        now = self.now
        assert (now.call is not None) == (now.phase is GamePhase.REVEAL)
        assert now.phase is not GamePhase.REVEAL or now.bid is not None
        assert now.wild is (now.palifico is None and now.ruleset.pacos_wild and not now.tame)
        if now.phase is GamePhase.BIDDING and now.palifico:
            assert now.dice[now.palifico] == 1

    @invariant()
    def there_is_always_something_to_say(self):
        if self.now.phase is GamePhase.BIDDING:
            stuck = self.now.bid is not None and not self.now.ruleset.bids_above_dice
            assert stuck or any(lowest is not None for lowest in self.now.lowest_bids().values())
            assert bool(self.now.may_dudo()) == (self.now.bid is not None)

    def teardown(self):
        if hasattr(self, "written"):
            *_, last = replay(self.written)
            assert last.position == self.now


Table.TestCase.settings = settings(max_examples=60, stateful_step_count=40)
TestTable = Table.TestCase
