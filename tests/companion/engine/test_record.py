"""Reading and writing the game record."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine import (
    RULESETS,
    BadRecordError,
    Bid,
    Calza,
    Dudo,
    GameStarted,
    Raises,
    Reveal,
    Together,
    house_rules,
)
from companion.engine.record import LONGEST_LINE, canonical, parse_line, replay, to_line

GAME = {"event": "game", "ruleset": "web-fr", "players": ["ana", "ben", "cid"], "starter": "ana"}


def line(**fields):
    return json.dumps(fields).encode()


def refused(text):
    with pytest.raises(BadRecordError) as caught:
        parse_line(text)
    assert caught.value.code == "bad-record"
    return caught.value.message


# Every kind of line


@pytest.mark.parametrize(
    ("text", "event"),
    [
        (
            '{"event":"game","ruleset":"hasbro-1994","players":["ana","ben"],"starter":"ana","calza":false}',
            GameStarted(RULESETS["hasbro-1994"], ("ana", "ben"), "ana", calza=False),
        ),
        (
            '{"event":"game","ruleset":"web-fr","players":["ana","ben"],"starter":"ana","dice":{"ana":1,"ben":4},'
            '"palifico":"ana"}',
            GameStarted(RULESETS["web-fr"], ("ana", "ben"), "ana", dice={"ana": 1, "ben": 4}, palifico="ana"),
        ),
        ('{"event":"bid","player":"ana","count":5,"face":4}', Bid("ana", 5, 4)),
        ('{"event":"dudo","player":"ben"}', Dudo("ben")),
        ('{"event":"calza","player":"cid"}', Calza("cid")),
        (
            '{"event":"together","calls":[{"event":"calza","player":"cid"},{"event":"dudo","player":"ben"}]}',
            Together((Calza("cid"), Dudo("ben"))),
        ),
        ('{"event":"reveal","dice":{"ana":[1,2],"ben":[]}}', Reveal({"ana": (1, 2), "ben": ()})),
    ],
)
def test_a_line_and_its_event_convert_into_each_other(text, event):
    assert parse_line(text) == event
    assert parse_line(text.encode() + b"\r\n") == event
    assert parse_line(to_line(event)) == event


def test_unknown_fields_are_ignored():
    assert parse_line(line(event="dudo", player="ben", at=12.5, note={"x": [None]})) == Dudo("ben")


names = st.text(min_size=1).map(lambda text: unicodedata.normalize("NFC", text))
bids = st.builds(Bid, names, st.integers(min_value=1), st.integers(1, 6))
calls = bids | st.builds(Dudo, names) | st.builds(Calza, names)


@st.composite
def games(draw):
    players = tuple(draw(st.lists(names, min_size=2, max_size=6, unique=True)))
    starter = draw(st.sampled_from(players))
    dice = draw(st.none() | st.fixed_dictionaries({player: st.integers(1, 5) for player in players}))
    palifico = starter if dice is not None and dice[starter] == 1 and draw(st.booleans()) else None
    table = {"ruleset": draw(st.sampled_from(sorted(RULESETS)))}
    if draw(st.booleans()):
        table |= {"raises": draw(st.sampled_from(Raises)).value, "palifico_again": draw(st.booleans())}
    return GameStarted(house_rules(table), players, starter, draw(st.booleans()), dice, palifico)


events = (
    games()
    | calls
    | st.builds(Together, st.lists(calls, min_size=1, max_size=5).map(tuple))
    | st.builds(Reveal, st.dictionaries(names, st.lists(st.integers(1, 6), max_size=5).map(tuple)))
)


@given(events)
def test_every_event_survives_writing_and_reading(event):
    line = to_line(event)
    assert "\n" not in line
    assert parse_line(line.encode()) == event


def test_house_rules_are_in_the_record():
    rules = house_rules({"ruleset": "asmodee-fr", "raises": "any-face"})
    line = to_line(GameStarted(rules, ("ana", "ben"), "ana"))
    assert json.loads(line)["ruleset"] == "asmodee-fr"
    assert json.loads(line)["rules"] == {"raises": "any-face"}
    assert parse_line(line).ruleset == rules


def test_names_are_written_unescaped_except_lone_surrogates():
    assert '"Zoë"' in to_line(Dudo("Zoë"))
    assert to_line(Dudo("\ud800")).encode() == b'{"event": "dudo", "player": "\\ud800"}'


# Malformed lines


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"", "empty"),
        (b" \t", "empty"),
        (b"\r\n", "empty"),
        (b"{", "not JSON"),
        (b'{"event":"dudo","player":"ben"},', "not JSON"),
        (b'{"event":"dudo","player":"ben"}{}', "not JSON"),
        (b'{"event":"dudo","player":"ben","x":NaN}', "NaN"),
        (b'{"event":"dudo","player":"ben","x":-Infinity}', "Infinity"),
        (b"\xef\xbb\xbf" + line(event="dudo", player="ben"), "not JSON"),
        (b'{"event":"dudo","player":"\xff"}', "UTF-8"),
        (line(event="dudo", player="ben").decode().encode("utf-16"), "UTF-8"),
        (b"[" * 10_000, "nested"),
        (b'{"event":' * 10_000 + b"1" + b"}" * 10_000, "nested"),
        (b'{"event":"bid","player":"ana","face":2,"count":' + b"9" * 5000 + b"}", "number too long"),
        (b" " * LONGEST_LINE + b"{}", "too long"),
        (b"x" * 1_000_000, "not JSON"),
        (b"3", "braces"),
        (b"null", "braces"),
        (b'"\\ud800"', "braces"),
        (b"[]", "braces"),
        (b"{}", "event is missing"),
    ],
    ids=lambda value: repr(value[:24]),
)
def test_bytes_that_are_no_event_are_refused(text, sentence):
    assert sentence in refused(text)


NOT_A_COUNT = [None, True, False, 0, -1, 1.0, 1.5, "1", [1], {}]
BAD_NAMES = [None, True, 1, ["ana"], {"ana": 1}]


@pytest.mark.parametrize("kind", ["game", "bid", "dudo", "calza", "together", "reveal"])
def test_a_missing_field_is_refused(kind):
    assert "is missing" in refused(line(event=kind))


BAD_CALLS = [
    *(None, {}, "dudo", [], [None], ["dudo"], [{}], [{"event": "dudo"}], [{"event": ["dudo"], "player": "ana"}]),
    [{"event": "reveal", "dice": {}}],
    [GAME],
    [{"event": "together", "calls": [{"event": "dudo", "player": "ana"}]}],
    [{"event": "dudo", "player": "ana"}, {"event": "bid", "player": "ana", "count": 0, "face": 2}],
]


BAD_GAMES = [
    *({"ruleset": name} for name in ("Web-fr", "", None, 3, ["web-fr"])),
    *({"players": names} for names in (None, "ab", {"ana": 1, "ben": 2}, [], ["ana"], ["ana", "ben", "ana"])),
    *({"players": ["ana", other]} for other in ("", None, 3, True, ["ben"])),
    {"players": ["ana", "b", "c", "d", "e", "f", "g"]},
    *({"starter": name} for name in ("zoe", "", None, 0, ["ana"])),
    *({"calza": value} for value in (None, 0, 1, "true", [])),
    *({"dice": dice} for dice in (None, [], 5, {}, {"ana": 5}, "ana")),
    *({"dice": {"ana": count, "ben": 5, "cid": 5}} for count in (0, 6, -1, True, 5.0, "5", None)),
    {"dice": {"ana": 5, "ben": 5, "cid": 5, "zoe": 5}},
    *({"palifico": name} for name in ("zoe", None, 1, ["ana"], "ana")),
    {"dice": {"ana": 2, "ben": 1, "cid": 5}, "palifico": "ana"},
    {"dice": {"ana": 1, "ben": 1, "cid": 5}, "palifico": "ben"},
    *({"rules": rules} for rules in (None, [], "raises", {"raises": "x"}, {"raise": "any-face"}, {"title": "x"})),
    *({"former_palificos": former} for former in (None, "ana", ["zoe"], [1])),
    *({"seen": seen} for seen in (None, {"ana": 5, "ben": 1}, {"ana": 5, "ben": 1, "cid": 0}, [5, 1, 2])),
    *({"first_round": number} for number in (0, "4", True, 2.0, None)),
]
BAD_FACES = [*NOT_A_COUNT, 7]
BAD_DICE = [None, [], "123", 5, {"ana": 5}, {"ana": "123"}, {"ana": {"1": 2}}, {"ana": [[1]]}]
BAD_LINES = [
    *({"event": kind, "player": "ana"} for kind in ("", "raise", "Bid", None, 1, True, ["bid"], {})),
    *({"event": "bid", "player": "ana", "count": count, "face": 2} for count in NOT_A_COUNT),
    *({"event": "bid", "player": "ana", "count": 1, "face": face} for face in BAD_FACES),
    *({"event": "bid", "player": player, "count": 1, "face": 2} for player in BAD_NAMES),
    *({"event": kind, "player": player} for kind in ("dudo", "calza") for player in BAD_NAMES),
    *({"event": "reveal", "dice": dice} for dice in [*BAD_DICE, *({"ana": [2, face]} for face in BAD_FACES)]),
    *({"event": "together", "calls": calls} for calls in BAD_CALLS),
    *(GAME | changes for changes in BAD_GAMES),
]


@pytest.mark.parametrize("fields", BAD_LINES, ids=repr)
def test_a_line_with_an_impossible_value_is_refused(fields):
    refused(line(**fields))


WHOLE_RECORD = (
    GAME
    | {
        "calza": True,
        "rules": {"raises": "any-face", "opener_chooses_direction": True, "dice_each": 4},
        "dice": {"ana": 1, "ben": 2, "cid": 2},
        "palifico": "ana",
        "direction": "clockwise",
        "calza_said": ["ben"],
        "former_palificos": ["cid"],
        "first_round": 3,
        "all_dice": 12,
        "seen": {"ana": 1, "ben": 2, "cid": 3},
    },
    {"event": "bid", "player": "ana", "count": 1, "face": 3, "direction": "counterclockwise", "accepted": False},
    {"event": "bid", "player": "ben", "count": 1, "face": 2, "accepted": True},
    {"event": "together", "calls": [{"event": "calza", "player": "ana"}, {"event": "dudo", "player": "ana"}]},
    {"event": "reveal", "dice": {"ana": [3], "ben": [3, 2], "cid": [4, 5]}, "uncertain": {"cid": [4]}},
)
"""A record with every field there is."""


def places(value, before=()):
    """The way to `value` and to every value in it."""
    yield before
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from places(each, (*before, key))


def with_value(line, way, value):
    """`line` with another value at the end of `way`."""
    if not way:
        return value
    changed = dict(line) if isinstance(line, dict) else list(line)
    changed[way[0]] = with_value(line[way[0]], way[1:], value)
    return changed


def test_a_value_of_another_type_is_refused_in_every_field_of_every_line():
    lines = [json.dumps(each).encode() for each in WHOLE_RECORD]
    assert [step.error for step in replay(lines)] == [None] * len(lines)
    tried = 0
    for fields in WHOLE_RECORD:
        for way in places(fields):
            value = fields
            for key in way:
                value = value[key]
            for wrong in (None, False, 0, 1.0, "", "1", "ana", [], ["ana"], [[]], {}, {"ana": None}):
                if type(wrong) is not type(value):
                    text = json.dumps(with_value(fields, way, wrong)).encode()
                    # `replay` raises what is no EngineError.
                    steps = list(replay([text] if fields["event"] == "game" else [lines[0], text]))
                    assert (steps[-1].error and steps[-1].error.code) == "bad-record", text
                    tried += 1
    assert tried > 500


@pytest.mark.parametrize("depth", [200, 800, 990])
def test_lines_nested_in_lines_are_refused(depth):
    text = '{"event":"together","calls":[' * depth + '{"event":"dudo","player":"ana"}' + "]}" * depth
    refused(text)


def test_who_stands_twice_in_a_list_counts_once():
    game = parse_line(line(**GAME, calza_said=["ben", "ben"], former_palificos=["cid", "cid"]))
    assert (game.calza_said, game.former_palificos) == ({"ben"}, {"cid"})


def test_all_records_of_one_game_have_one_canonical_form():
    game = GAME | {"ruleset": "asmodee-fr"}
    plain = [
        line(**game),
        line(event="bid", player="ana", count=2, face=3),
        line(event="dudo", player="ben"),
        line(event="reveal", dice={name: [2, 3, 4, 5, 6] for name in ("ana", "ben", "cid")}),
    ]
    other = [
        line(**game, calza=True, rules={"raises": "one-of-two"}, dice=dict.fromkeys(("cid", "ben", "ana"), 5),
             seen=dict.fromkeys(("ana", "ben", "cid"), 5), all_dice=15, former_palificos=[], first_round=1,
             direction="clockwise", calza_said=[]),
        line(accepted=True, face=3, count=2, player="ana", event="bid"),
        line(event="together", calls=[{"event": "calza", "player": "cid"}, {"event": "dudo", "player": "ben"}]),
        line(event="reveal", uncertain={}, dice={name: [6, 5, 4, 3, 2] for name in ("cid", "ana", "ben")}),
    ]  # fmt: skip
    assert canonical(other) == canonical(plain)
    assert canonical(canonical(other)) == canonical(other)
    assert canonical([*plain[:1], line(event="bid", player="ana", count=2, face=4)]) != canonical(plain[:2])


def test_a_name_in_two_encodings_is_one_person():
    fields = GAME | {"players": ["Jose\u0301", "ben"], "starter": "Jos\u00e9", "dice": {"Jos\u00e9": 2, "ben": 2}}
    lines = [
        line(**fields),
        line(event="bid", player="Jos\u00e9", count=1, face=3),
        line(event="together", calls=[{"event": "dudo", "player": "ben"}]),
        line(event="reveal", dice={"ben": [3, 3], "Jose\u0301": [2, 2]}),
    ]
    steps = list(replay(lines))
    assert [step.error for step in steps] == [None] * 4
    assert steps[0].position.players == ("Jos\u00e9", "ben")
    assert "different name" in refused(line(**GAME | {"players": ["Jose\u0301", "Jos\u00e9"]}))


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", "\ufeff"])
def test_a_byte_order_mark_before_the_first_line_is_no_part_of_it(mark):
    first, later = line(**GAME), line(event="bid", player="ana", count=1, face=3)
    text = (first, later) if isinstance(mark, bytes) else (first.decode(), later.decode())
    assert [step.error for step in replay([mark + text[0], text[1]])] == [None, None]
    assert list(replay([text[0], mark + text[1]]))[1].error.code == "bad-record"


# Any bytes at all


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_any_bytes_are_an_event_or_a_bad_record(data):
    for step in replay(data.split(b"\n")):
        assert step.position is None
        assert step.error.code == "bad-record"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 8) | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=8,
)
FIELDS = ("event", "player", "count", "face", "dice", "calls", "ruleset", "players", "starter", "calza", "palifico")
KINDS = st.sampled_from(["game", "bid", "dudo", "calza", "together", "reveal"])


@given(st.lists(st.dictionaries(st.sampled_from(FIELDS), json_values, max_size=6) | st.builds(dict, event=KINDS)))
def test_any_json_is_played_or_refused(lines):
    steps = list(replay([line(**GAME), *(json.dumps(fields).encode() for fields in lines)]))
    assert [step.line for step in steps] == list(range(1, len(lines) + 2))
    assert steps[0].error is None
    for step in steps:
        json.dumps(step.to_json())


# The replay


def test_a_refused_line_changes_nothing_and_the_replay_goes_on():
    steps = list(replay([b"", line(event="dudo", player="ana"), line(**GAME | {"starter": 3}), line(**GAME), b"{"]))
    assert [step.error and step.error.code for step in steps] == [*["bad-record"] * 3, None, "bad-record"]
    assert [step.position is None for step in steps] == [True, True, True, False, False]
    assert steps[3].position == steps[4].position


def test_the_printed_form_of_a_replayed_line():
    lines = [
        line(**GAME | {"dice": {"ana": 1, "ben": 2, "cid": 2}}),
        line(event="bid", player="ana", count=2, face=3),
        line(event="bid", player="ben", count=2, face=3),
        line(event="dudo", player="ben"),
        line(event="reveal", dice={"ana": [3], "ben": [2, 5], "cid": [4, 4]}),
    ]
    printed = [step.to_json() for step in replay(lines)]
    bidding = {
        **{"phase": "bidding", "round": 1, "turn": "ben", "starter": "ana", "palifico": None, "wild": True},
        **{"bid": {"player": "ana", "count": 2, "face": 3}, "dice": {"ana": 1, "ben": 2, "cid": 2}, "winner": None},
    }
    after = bidding | {"round": 2, "starter": "ben", "bid": None, "dice": {"ana": 0, "ben": 2, "cid": 2}}
    refusal = "after two threes the same face needs at least three dice"
    assert printed[1:4] == [
        {"line": 2, "ok": True, "state": bidding},
        {"line": 3, "ok": False, "error": "illegal-bid", "message": refusal, "state": bidding},
        {"line": 4, "ok": True, "state": bidding | {"phase": "reveal", "turn": None}},
    ]
    outcome = {"call": "dudo", "caller": "ben", "count": 1, "correct": True, "loses": "ana", "gains": None}
    assert printed[4] == {"line": 5, "ok": True, "state": after, "outcome": outcome | {"eliminated": "ana"}}
    assert list(printed[2]) == ["line", "ok", "error", "message", "state"]


def test_an_absurd_count_is_refused_with_a_sentence():
    huge = b"9" * 4300
    bid = b'{"event":"bid","player":"%s","count":%s,"face":%d}'
    steps = list(replay([line(**GAME), bid % (b"ana", huge, 2), bid % (b"ben", huge, 1), bid % (b"cid", huge, 3)]))
    assert [step.error is None for step in steps] == [True, True, True, False]
    assert "over a million" in steps[3].error.message
    json.dumps(steps[3].to_json())


def test_a_game_line_may_say_who_has_been_palifico():
    fields = GAME | {"ruleset": "hasbro-1994", "dice": {"ana": 2, "ben": 1, "cid": 2}, "former_palificos": ["ana"]}
    game = parse_line(line(**fields))
    assert game.former_palificos == {"ana"}
    assert json.loads(to_line(game))["former_palificos"] == ["ana"]
    lines = [
        line(**fields),
        line(event="bid", player="ana", count=9, face=2),
        line(event="dudo", player="ben"),
        line(event="reveal", dice={"ana": [3, 3], "ben": [3], "cid": [3, 3]}),
    ]
    assert [step.position.palifico for step in replay(lines)][-1] is None
    del fields["former_palificos"]
    assert [step.position.palifico for step in replay([line(**fields), *lines[1:]])][-1] == "ana"


def test_a_game_line_may_say_what_was_seen_of_hidden_dice():
    fields = GAME | {"seen": {"ana": 5, "ben": 1, "cid": 2}}
    game = parse_line(line(**fields))
    assert (game.seen, game.dice) == (fields["seen"], None)
    assert json.loads(to_line(game))["seen"] == fields["seen"]
    assert "seen" not in json.loads(to_line(parse_line(line(**GAME))))


def test_a_record_may_begin_with_a_later_round():
    lines = [
        line(**GAME, first_round=4),
        line(event="bid", player="ana", count=16, face=2),
        line(event="dudo", player="ben"),
        line(event="reveal", dice=dict.fromkeys(("ana", "ben", "cid"), [3] * 5)),
    ]
    assert [step.position.round for step in replay(lines)] == [4, 4, 4, 5]
    assert json.loads(to_line(parse_line(lines[0])))["first_round"] == 4
    assert "first_round" not in json.loads(to_line(parse_line(line(**GAME))))
