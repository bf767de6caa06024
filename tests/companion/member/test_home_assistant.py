"""What Home Assistant makes of a table: its entities, from the discovery payload and the templates in it.

The templates are rendered as Home Assistant renders them: jinja2 in a sandbox, with the payload as `value` and its JSON
as `value_json`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from companion.member.home_assistant import HOME_BUTTONS, HomeAssistant, discovery, removal
from companion.member.home_state import HomeEvent, HomeEventType, HomeState
from companion.member.membership import Membership
from companion.member.payloads import Online, PayloadError, encode
from companion.member.topics import SLUG, TableTopics
from companion.table.commands import CallCalza, CallDudo, Command, EndGame, MakeBid, OpenRound, Pause, Resume
from tests.companion.member.home_table import COMPANY, GAME, HomeTable
from tests.fakes.new_game import new_game

TOPICS = TableTopics("home", "kitchen")
HOW_TO = Path(__file__).resolve().parents[3] / "docs" / "how-to" / "home-assistant.md"

# The keys that the pages of each platform at https://www.home-assistant.io/integrations/ have, such as sensor.mqtt,
# of those that are used here. Home Assistant refuses the whole device for an unknown key outside "cmps".
ROOT_KEYS = {"dev", "o", "avty_t", "avty_tpl", "stat_t", "cmps"}
ENTITY_KEYS = {"p", "name", "uniq_id", "val_tpl"}
PLATFORM_KEYS = {
    "sensor": ENTITY_KEYS | {"dev_cla", "ops", "unit_of_meas", "stat_cla", "json_attr_t", "json_attr_tpl"},
    "binary_sensor": ENTITY_KEYS | {"dev_cla", "ent_cat", "json_attr_t", "json_attr_tpl"},
    "event": ENTITY_KEYS | {"evt_typ", "stat_t"},
    "button": (ENTITY_KEYS - {"val_tpl"}) | {"cmd_t", "pl_prs"},
}


def payload(topics: TableTopics = TOPICS, **more: Any) -> dict[str, Any]:
    return json.loads(discovery(topics, "Kitchen", "1.2.3", **more)[1])


DEVICE = payload()
REMOVED = {"p": "button"}
"""A component that has nothing but its platform is none, and is taken away where it was one."""
ENTITIES: dict[str, dict[str, Any]] = {key: each for key, each in DEVICE["cmps"].items() if each != REMOVED}


def render(template: str, value: bytes) -> str:
    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined)
    return environment.from_string(template).render(value=value.decode(), value_json=json.loads(value))


def states(home: HomeState) -> dict[str, str]:
    sent = encode(home)
    return {key: render(each["val_tpl"], sent) for key, each in ENTITIES.items() if each["p"] != "event"}


def attributes(home: HomeState) -> dict[str, dict[str, Any]]:
    sent = encode(home)
    return {
        key: json.loads(render(each["json_attr_tpl"], sent))
        for key, each in ENTITIES.items()
        if "json_attr_tpl" in each
    }


def fired(event: HomeEvent) -> dict[str, dict[str, Any]]:
    """The event of each event entity; an empty text is no event."""
    texts = {key: render(each["val_tpl"], encode(event)) for key, each in ENTITIES.items() if each["p"] == "event"}
    return {key: json.loads(text) for key, text in texts.items() if text}


def judged() -> HomeTable:
    table = HomeTable()
    table.do(GAME, MakeBid("Ana", 5, 4), CallDudo("Ben"))
    table.count(Ana=4)
    return table


def test_it_is_one_payload_of_a_device_at_its_topic() -> None:
    topic, sent = discovery(TOPICS, "Kitchen", "1.2.3")
    assert topic == "homeassistant/device/perudo-home-kitchen/config"
    assert len(sent) < 4096
    assert set(DEVICE) == ROOT_KEYS
    assert DEVICE["dev"]["ids"] == ["perudo-home-kitchen"]
    assert (DEVICE["dev"]["name"], DEVICE["dev"]["sw"]) == ("Perudo Kitchen", "1.2.3")
    assert DEVICE["o"] == {"name": "perudo-companion", "sw": "1.2.3"}


@pytest.mark.parametrize(
    ("name", "device"),
    [("", "Perudo kitchen"), ("Perudo in the attic", "Perudo in the attic"), ("Küche", "Perudo Küche")],
)
def test_the_device_is_recognised_as_the_game(name: str, device: str) -> None:
    assert json.loads(discovery(TOPICS, name, "1")[1])["dev"]["name"] == device


def test_it_stays_small_with_long_names_and_buttons() -> None:
    topics = TableTopics("the-golden-lion-at-the-b", "table-twelve-by-the-door")
    assert len(discovery(topics, "ü" * 40, "0.1.0+20261001-g0123456789ab", commands=True)[1]) < 4800
    assert len(discovery(topics, "ü" * 40, "0.1.0+20261001-g0123456789ab")[1]) < 4096


def test_there_are_eight_entities_and_six_events() -> None:
    assert [key for key, each in ENTITIES.items() if each["p"] != "event"] == [
        *("phase", "round", "turn", "bid", "dice", "verdict", "game", "problem")
    ]
    types = [event_type for each in ENTITIES.values() for event_type in each.get("evt_typ", ())]
    assert sorted(types) == sorted(HomeEventType)
    assert len(types) == 6


def test_every_key_is_one_of_home_assistants() -> None:
    for each in payload(commands=True)["cmps"].values():
        assert set(each) <= PLATFORM_KEYS[each["p"]]
        assert {"p", "name", "uniq_id"} <= set(each)
        assert "val_tpl" in each or each["p"] == "button"


def test_the_ids_stay_what_they_are() -> None:
    """Home Assistant keeps names, rooms and automations by them."""
    assert [each["uniq_id"] for each in payload(commands=True)["cmps"].values()] == [
        *("perudo_home_kitchen_phase", "perudo_home_kitchen_round", "perudo_home_kitchen_turn"),
        *("perudo_home_kitchen_bid", "perudo_home_kitchen_dice", "perudo_home_kitchen_verdict"),
        *("perudo_home_kitchen_game", "perudo_home_kitchen_problem", "perudo_home_kitchen_call_event"),
        *("perudo_home_kitchen_round_event", "perudo_home_kitchen_game_event", "perudo_home_kitchen_next"),
        *("perudo_home_kitchen_pause", "perudo_home_kitchen_resume"),
    ]


SLUGS = st.from_regex(SLUG, fullmatch=True)


@settings(max_examples=30)
@given(SLUGS, SLUGS, SLUGS, SLUGS)
def test_no_two_tables_share_an_id(club: str, table: str, other_club: str, other_table: str) -> None:
    one, other = TableTopics(club, table), TableTopics(other_club, other_table)
    ids = [each["uniq_id"] for topics in {one, other} for each in payload(topics, commands=True)["cmps"].values()]
    assert len(ids) == len(set(ids))


def test_no_two_tables_share_an_id_where_the_hyphens_could_be_either() -> None:
    one, other = (payload(TableTopics(*ids), commands=True)["cmps"] for ids in (("a-b", "c"), ("a", "b-c")))
    assert {each["uniq_id"] for each in one.values()}.isdisjoint(each["uniq_id"] for each in other.values())


def test_the_entities_read_the_tables_own_topics() -> None:
    assert DEVICE["stat_t"] == TOPICS.home == "perudo/v1/home/t/kitchen/home"
    assert DEVICE["avty_t"] == TOPICS.online
    assert TOPICS.home_event == "perudo/v1/home/t/kitchen/home/event"
    for each in ENTITIES.values():
        assert each.get("stat_t", TOPICS.home) == (TOPICS.home_event if each["p"] == "event" else TOPICS.home)
        assert ("json_attr_t" in each) == ("json_attr_tpl" in each)
        assert each.get("json_attr_t", TOPICS.home) == TOPICS.home


@pytest.mark.parametrize(("online", "shown"), [(True, "online"), (False, "offline")])
def test_it_is_there_while_the_table_is(online: bool, shown: str) -> None:
    assert render(DEVICE["avty_tpl"], encode(Online(online=online))) == shown


def bidding() -> HomeTable:
    table = HomeTable()
    table.do(GAME, MakeBid("Ana", 5, 4))
    return table


@pytest.mark.parametrize(
    ("table", "shown"),
    [
        (HomeTable, ["seating", "None", "None", "None", "None", "None", "OFF", "OFF"]),
        (bidding, ["bidding", "1", "Ben", "5 fours", "15", "None", "ON", "OFF"]),
        (judged, ["verdict", "1", "None", "5 fours", "14", "dudo_wrong", "ON", "OFF"]),
    ],
)
def test_the_states_of_the_entities(table: Callable[[], HomeTable], shown: list[str]) -> None:
    keys = ("phase", "round", "turn", "bid", "dice", "verdict", "game", "problem")
    assert states(table().home) == dict(zip(keys, shown, strict=True))


def test_the_attributes_of_the_entities() -> None:
    assert attributes(HomeTable().home) == {"bid": {}, "dice": {"players": []}, "verdict": {}, "game": {"winner": None}}
    now = attributes(bidding().home)
    assert now["bid"] == {"player": "Ana", "count": 5, "face": 4, "words": "5 fours"}
    assert now["dice"]["players"][0] == {"name": "Ana", "colour": "red", "dice": 5, "named": True}
    verdict = attributes(judged().home)["verdict"]
    assert verdict["loses"] == "Ben"
    assert verdict["sentence"] == (
        "5 fours and no pacos make 5. The bid was 5 fours: that is right. Ben loses a die and opens the next round."
    )


@pytest.mark.parametrize(
    ("call", "bid", "shown"),
    [("dudo", 6, "dudo_right"), ("dudo", 5, "dudo_wrong"), ("calza", 5, "calza_right"), ("calza", 6, "calza_wrong")],
)
def test_the_verdict_is_one_of_its_options(call: str, bid: int, shown: str) -> None:
    table = HomeTable()
    table.do(GAME, MakeBid("Ana", bid, 4), CallDudo("Ben") if call == "dudo" else CallCalza("Cid"))
    table.count(Ana=4)
    assert states(table.home)["verdict"] == shown
    assert shown in ENTITIES["verdict"]["ops"]
    assert table.home.phase in ENTITIES["phase"]["ops"]


def test_the_winner_and_the_end() -> None:
    table = HomeTable()
    table.do(new_game(COMPANY[:2], starter="Ana", dice={"Ana": 1, "Ben": 1}), MakeBid("Ana", 2, 6), CallDudo("Ben"))
    table.count()
    assert (states(table.home)["phase"], states(table.home)["game"]) == ("over", "OFF")
    assert attributes(table.home)["game"] == {"winner": "Ben"}


def test_the_phases_of_a_break_and_of_an_ended_game() -> None:
    table = HomeTable()
    table.do(GAME, Pause())
    assert states(table.home)["phase"] == "paused"
    table.do(EndGame())
    assert states(table.home)["phase"] == "over"
    assert {"paused", "over", "rolling"} <= set(ENTITIES["phase"]["ops"])


def test_hidden_dice_are_unknown() -> None:
    table = HomeTable()
    table.do(new_game(COMPANY, starter="Ana", open_lost=False))
    assert states(table.home)["dice"] == "None"
    assert {player["dice"] for player in attributes(table.home)["dice"]["players"]} == {None}


@pytest.mark.parametrize("broken", ["camera", "journal"])
def test_a_problem_is_the_cameras_or_the_journals(broken: str) -> None:
    table = HomeTable()
    if broken == "camera":
        table.camera(ok=False)
    else:
        table.live = replace(table.live, journal="the disk is full")
        table.look()
    assert states(table.home)["problem"] == "ON"


def test_names_are_no_markup_and_no_template() -> None:
    names = ('"O\'Brien" & <b>', "{{ 7 * 7 }}")
    table = HomeTable(consent=names)
    table.do(new_game(zip(names, ("red", "blue"), strict=True), starter=names[0]), MakeBid(names[0], 5, 4))
    assert states(table.home)["turn"] == "{{ 7 * 7 }}"
    assert [player["name"] for player in attributes(table.home)["dice"]["players"]] == list(names)
    assert fired(table.events[1])["round_event"]["player"] == names[0]


def test_who_has_not_agreed_to_be_named_is_called_by_the_colour() -> None:
    table = HomeTable(consent=("Ana",))
    table.do(GAME, MakeBid("Ana", 5, 4))
    assert states(table.home)["turn"] == "(blue)"
    assert table.events[0].sentence == "A game begins: Ana, (blue) and (green)."


def test_each_event_fires_on_one_entity_with_its_sentence() -> None:
    table = judged()
    table.do(OpenRound())
    assert [list(fired(event)) for event in table.events] == [
        ["game_event"],
        ["round_event"],
        ["call_event"],
        ["round_event"],
        ["round_event"],
    ]
    for event in table.events:
        ((key, sent),) = fired(event).items()
        assert sent["event_type"] in ENTITIES[key]["evt_typ"]
        assert sent["sentence"] == event.sentence
    call = fired(table.events[2])["call_event"]
    assert (call["event_type"], call["player"], call["verdict"]["correct"]) == ("dudo", "Ben", False)


def test_every_type_of_event_fires() -> None:
    for event_type in HomeEventType:
        assert len(fired(HomeEvent(event_type=event_type, game=1, sentence="Said."))) == 1


def test_without_commands_nothing_can_be_sent_to_the_table() -> None:
    sent = discovery(TOPICS, "Kitchen", "1")[1]
    assert b"cmd_t" not in sent
    assert b"command" not in sent
    assert sent.count(b"button") == len(HOME_BUTTONS)
    assert {key: each for key, each in json.loads(sent)["cmps"].items() if key not in ENTITIES} == dict.fromkeys(
        HOME_BUTTONS, REMOVED
    )


def test_with_commands_there_are_buttons_that_do_something() -> None:
    buttons = {key: each for key, each in payload(commands=True)["cmps"].items() if each["p"] == "button"}
    assert [each["name"] for each in buttons.values()] == ["Next round", "Take a break", "End the break"]
    for each in buttons.values():
        assert each["cmd_t"] == TOPICS.command == "perudo/v1/home/t/kitchen/command"
        assert each["pl_prs"] in HOME_BUTTONS
    assert {key: each for key, each in payload(commands=True)["cmps"].items() if key not in buttons} == ENTITIES


def test_it_is_removed_by_empty_payloads() -> None:
    assert removal(TOPICS) == (("homeassistant/device/perudo-home-kitchen/config", b""), (TOPICS.home, b""))
    assert removal(TOPICS)[0][0] == discovery(TOPICS, "", "")[0]


def test_the_how_to_has_every_entity_and_every_event() -> None:
    text = HOW_TO.read_text(encoding="utf-8")
    for each in payload(commands=True)["cmps"].values():
        assert f"| {each['name']} |" in text
        assert all(f"`{event_type}`" in text for event_type in each.get("evt_typ", ()))
        assert all(f"`{option}`" in text for option in each.get("ops", ()))


def test_the_automations_of_the_how_to_name_entities_that_exist() -> None:
    text = HOW_TO.read_text(encoding="utf-8")
    slug = DEVICE["dev"]["name"].lower().replace(" ", "_")
    existing = {f"{each['p']}.{slug}_{each['name'].lower().replace(' ', '_')}" for each in ENTITIES.values()}
    named = set(re.findall(r"\b(?:binary_sensor|sensor|event)\.perudo_\w+", text))
    assert named
    assert named <= existing
    assert set(re.findall(r"event_type == '(\w+)'", text)) <= set(HomeEventType)


# Buttons


class Pressed:
    def __init__(self) -> None:
        self.commands: list[Command] = []

    def do_at_panel(self, command: Command) -> None:
        self.commands.append(command)


def press(payload: bytes, *, commands: bool = True) -> list[Command]:
    table = Pressed()
    member = Membership(club="home", title="", table="kitchen", name="Kitchen", broker="mqtt://h")
    HomeAssistant(member, commands=commands).press(payload, table)  # type: ignore[arg-type]
    return table.commands


@pytest.mark.parametrize(("payload", "command"), [(b"next", OpenRound()), (b"pause", Pause()), (b"resume", Resume())])
def test_a_button_does_its_command(payload: bytes, command: Command) -> None:
    assert press(payload) == [command]
    with pytest.raises(PayloadError):
        press(payload, commands=False)


@pytest.mark.parametrize("payload", [b"", b"dudo", b"\xff\xfe", b"NEXT", b"next ", b'{"call": "dudo"}', b"x" * 100_000])
def test_anything_else_is_no_command(payload: bytes) -> None:
    with pytest.raises(PayloadError, match="is no command"):
        press(payload)
