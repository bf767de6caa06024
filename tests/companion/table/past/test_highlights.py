"""What is remembered of a game, of a record that one can reckon by hand."""

from __future__ import annotations

from companion.engine import CallKind
from companion.table.past.games import game_of_record
from companion.table.past.highlights import Bluff, LuckyCall, Taking, highlights

RECORD = [
    '{"event":"game","ruleset":"asmodee-fr","players":["ana","ben"],"starter":"ana","dice":{"ana":2,"ben":1}}',
    '{"event":"bid","player":"ana","count":1,"face":4}',
    '{"event":"bid","player":"ben","count":2,"face":4}',
    '{"event":"dudo","player":"ana"}',
    '{"event":"reveal","dice":{"ana":[2,3],"ben":[5]}}',
]
LONGER = [
    '{"event":"game","ruleset":"asmodee-fr","players":["ana","ben"],"starter":"ana","dice":{"ana":2,"ben":2}}',
    '{"event":"bid","player":"ana","count":2,"face":4}',
    '{"event":"bid","player":"ben","count":2,"face":5}',
    '{"event":"calza","player":"ana"}',
    '{"event":"reveal","dice":{"ana":[5,3],"ben":[5,2]}}',
    '{"event":"bid","player":"ana","count":3,"face":2}',
    '{"event":"dudo","player":"ben"}',
    '{"event":"reveal","dice":{"ana":[2,2,6],"ben":[2,2]}}',
]


def test_the_bluff_that_nobody_called() -> None:
    found = highlights(game_of_record(1, RECORD))
    # One four among Ben's one die: a four or a paco, 1/3. The bid that was called is no bluff that came through.
    assert found.bluff == Bluff(player="ana", round=1, count=1, face=4, likely=0.333)
    assert found.call is None, "Ana sees no four: two among one die cannot be, so her dudo was no luck"
    assert found.winner == "ana"
    assert found.takings == (Taking("ana", "ben", 1),)
    assert [(curve.name, curve.dice) for curve in found.curves] == [("ana", (2, 2)), ("ben", (1, 0))]


def test_what_is_likelier_than_not_is_no_bluff_and_no_luck() -> None:
    game = RECORD[0].replace('"ana":2,"ben":1', '"ana":1,"ben":3')
    raised = '{"event":"bid","player":"ben","count":2,"face":4}'
    # That Ben's three dice have a four or a paco is 1 - (2/3)**3 = 0.704; that they have not two, 0.741.
    found = highlights(
        game_of_record(1, [game, RECORD[1], raised, RECORD[3], '{"event":"reveal","dice":{"ana":[2],"ben":[3,3,5]}}'])
    )
    assert (found.bluff, found.call) == (None, None)


def test_the_luckiest_call_and_the_dice_round_by_round() -> None:
    found = highlights(game_of_record(1, LONGER))
    # Ana holds a five; of Ben's two dice exactly one must be a five or a paco: 2 * 1/3 * 2/3.
    assert found.call == LuckyCall(
        player="ana", kind=CallKind.CALZA, bidder="ben", round=1, count=2, face=5, likely=0.444
    )
    # Two fours, with none of one's own: both of Ben's dice, 1/9.
    assert found.bluff == Bluff(player="ana", round=1, count=2, face=4, likely=0.111)
    assert found.takings == (Taking("ana", "ben", 1),)  # his dudo was wrong
    assert [curve.dice for curve in found.curves] == [(2, 3, 3), (2, 2, 1)]


def test_in_a_round_opened_on_pacos_that_are_not_wild_then_no_paco_is_a_four() -> None:
    game = RECORD[0].replace('"dice"', '"rules":{"opens_on_pacos":true,"opened_on_pacos_wild":false},"dice"')
    bids = ['{"event":"bid","player":"ana","count":1,"face":1}', '{"event":"bid","player":"ben","count":1,"face":4}']
    raised = '{"event":"bid","player":"ana","count":1,"face":5}'
    found = highlights(
        game_of_record(1, [game, *bids, raised, RECORD[3].replace("ana", "ben"), RECORD[4].replace("[2,3]", "[2,1]")])
    )
    assert found.bluff == Bluff(player="ben", round=1, count=1, face=4, likely=0.306)  # 1 - (5/6)**2


def test_a_game_without_either() -> None:
    found = highlights(game_of_record(1, RECORD[:1]))
    assert (found.bluff, found.call, found.takings) == (None, None, ())
