"""When the box opens its own network, how it joins another, and that it always comes back."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.features.wifi.own_network import OwnNetwork, own_network
from companion.features.wifi.service import (
    FEW_MOMENTS,
    JOIN_PATIENCE,
    LOOK_PATIENCE,
    OWN_FOR,
    REFUSED_PATIENCE,
    WIFI_PATIENCE,
    Wifi,
)
from companion.repeated_errors import RepeatedErrors
from tests.fakes.clock import FakeClock
from tests.fakes.networks import FakeNetworks

OWN = OwnNetwork("Perudo-1A2B", "kmnpqrst23")


class Box:
    """A box whose seconds the test counts."""

    def __init__(self, clock: FakeClock) -> None:
        self.networks = FakeNetworks()
        self.clock = clock
        self.in_use = False
        self.wifi = Wifi(self.networks, OWN, in_use=lambda: self.in_use, clock=clock)

    def after(self, seconds: float) -> str:
        """The phase after so many seconds, a step in each."""
        for _ in range(int(seconds)):
            self.clock.sleep(1)
            self.wifi.step()
        return self.wifi.state().phase.value


@pytest.fixture
def box(clock: FakeClock) -> Box:
    return Box(clock)


@pytest.fixture
def own(box: Box) -> Box:
    """A box whose own network is open."""
    box.after(WIFI_PATIENCE + 2)
    return box


def test_without_a_known_network_the_own_one_is_open_after_a_minute(box: Box) -> None:
    assert box.after(WIFI_PATIENCE - 2) == "waiting"
    assert box.networks.hotspot is None
    assert box.after(3) == "own"
    assert box.networks.hotspot == ("Perudo-1A2B", "kmnpqrst23")
    assert box.wifi.state().own == "Perudo-1A2B"


def test_on_a_known_network_or_a_cable_it_stays_closed(box: Box) -> None:
    box.networks.saved = {"Home"}
    assert box.after(5 * WIFI_PATIENCE) == "joined"
    assert box.wifi.state().network == "Home"
    box.networks.saved, box.networks.joined, box.networks.cable = set(), "", True
    assert box.after(5 * WIFI_PATIENCE) == "joined"
    assert box.networks.done == ["scan"] * box.networks.done.count("scan")


def test_a_network_that_goes_away_is_waited_for_a_minute(box: Box) -> None:
    box.networks.saved = {"Home"}
    assert box.after(5) == "joined"
    box.networks.around, box.networks.joined = {}, ""
    assert box.after(WIFI_PATIENCE - 2) == "waiting"
    assert box.after(4) == "own"


def test_a_phone_chooses_a_network_and_the_box_joins_it(own: Box) -> None:
    own.wifi.choose("Home", "achtung1")
    assert own.wifi.state().phase == "joining"
    assert own.wifi.state().network == "Home"
    own.after(1)
    assert own.networks.hotspot is not None, "the phone has to hear the answer first"
    assert own.after(FEW_MOMENTS + 2) == "joined"
    assert (own.networks.hotspot, own.networks.joined) == (None, "Home")
    assert own.wifi.state().trouble is None


def test_after_a_wrong_password_the_own_network_is_back_and_says_so(own: Box) -> None:
    own.wifi.choose("Home", "falsch12")
    assert own.after(FEW_MOMENTS + 3) == "own"
    assert own.networks.hotspot is not None
    trouble = own.wifi.state().trouble
    assert "did not take the password" in trouble.sentence
    assert "forget Home" in own.networks.done
    own.wifi.choose("Home", "achtung1")
    assert own.wifi.state().trouble is None
    assert own.after(FEW_MOMENTS + 3) == "joined"


def test_a_network_that_does_not_say_its_name_is_joined_by_it(own: Box) -> None:
    assert "Attic" not in {each.name for each in own.wifi.state().networks}
    own.wifi.choose("Attic", "achtung2")
    assert own.after(FEW_MOMENTS + 3) == "own", "nobody has called it"
    own.wifi.choose("Attic", "achtung2", hidden=True)
    assert own.after(FEW_MOMENTS + 3) == "joined"
    assert own.wifi.state().network == "Attic"


def test_a_network_that_never_answers_is_given_up(box: Box) -> None:
    box.networks.slow = True
    box.after(WIFI_PATIENCE + 2)
    box.wifi.choose("Home", "achtung1")
    assert box.after(JOIN_PATIENCE - 3) == "joining"
    assert box.after(5) == "own"
    trouble = box.wifi.state().trouble
    assert "could not be joined" in trouble.sentence


def test_a_known_network_needs_no_password(own: Box) -> None:
    own.networks.saved = {"Home"}
    own.after(1)
    own.wifi.choose("Home", "")
    assert own.after(FEW_MOMENTS + 3) == "joined"
    assert "join Home" not in own.networks.done


def test_a_known_network_whose_password_has_changed_asks_for_the_new_one(box: Box) -> None:
    box.networks.saved, box.networks.changed = {"Home"}, {"Home"}
    assert box.after(WIFI_PATIENCE + 2) == "own"
    trouble = box.wifi.state().trouble
    assert trouble.sentence.startswith("Home could not be joined.")
    assert [each.known for each in box.wifi.state().networks if each.name == "Home"] == [False]
    box.wifi.choose("Home", "achtung1")
    assert box.after(FEW_MOMENTS + 3) == "joined"
    assert [each.known for each in box.wifi.state().networks if each.name == "Home"] == [True]


def test_a_known_network_that_is_chosen_and_does_not_answer_is_told_soon(own: Box) -> None:
    own.networks.saved, own.networks.changed = {"Home"}, {"Home"}
    own.after(1)
    own.wifi.choose("Home", "")
    assert own.after(FEW_MOMENTS + LOOK_PATIENCE - 2) == "waiting"
    assert own.after(5) == "own"
    assert own.wifi.state().trouble is not None


def test_a_network_that_is_chosen_while_another_is_tried_is_joined(box: Box) -> None:
    box.networks.slow = True
    box.after(WIFI_PATIENCE + 2)
    box.wifi.choose("Home", "achtung1")
    box.after(FEW_MOMENTS + 2)
    box.wifi.choose("Café", "")
    assert "forget Home" in box.networks.done
    box.networks.slow = False
    assert box.after(FEW_MOMENTS + 3) == "joined"
    assert box.networks.joined == "Café"


def test_each_choice_has_its_own_time(box: Box) -> None:
    box.networks.slow = True
    box.after(WIFI_PATIENCE + 2)
    box.wifi.choose("Home", "achtung1")
    box.after(JOIN_PATIENCE - 5)
    box.wifi.choose("Café", "")
    assert box.after(JOIN_PATIENCE - 5) == "joining"
    assert box.after(10) == "own"


def test_an_own_network_that_somebody_else_closed_is_opened_again_but_not_at_once(own: Box) -> None:
    own.networks.hotspot = None
    opened = own.networks.done.count(f"open {OWN.name}")
    own.after(JOIN_PATIENCE - 5)
    assert own.networks.done.count(f"open {OWN.name}") == opened
    own.after(10)
    assert own.networks.hotspot is not None


def test_an_own_network_that_is_refused_is_tried_at_times_and_said_once(
    box: Box, caplog: pytest.LogCaptureFixture
) -> None:
    box.networks.refusal = "NetworkManager refuses: no"
    caplog.handler.addFilter(RepeatedErrors())
    with caplog.at_level("INFO"):
        box.after(WIFI_PATIENCE + 600)
    assert box.networks.done.count(f"open {OWN.name}") <= 1 + 600 / REFUSED_PATIENCE
    assert len(caplog.records) == 2
    trouble = box.wifi.state().trouble
    assert trouble.sentence == "The box's own Wi-Fi could not be opened: NetworkManager refuses: no"
    box.networks.refusal = ""
    assert box.after(REFUSED_PATIENCE + 2) == "own"
    assert box.networks.hotspot is not None
    assert box.wifi.state().trouble is None


def test_with_a_cable_the_own_network_is_closed_unless_it_was_asked_for(own: Box) -> None:
    own.networks.cable = True
    assert own.after(2) == "joined"
    assert own.networks.hotspot is None
    own.wifi.open_own()
    own.after(5)
    assert own.networks.hotspot is not None


def test_the_house_comes_back_after_a_power_cut_and_the_box_joins_it(box: Box) -> None:
    box.networks.saved, around, box.networks.around = {"Home"}, box.networks.around, {}
    assert box.after(WIFI_PATIENCE + 2) == "own"
    box.networks.around = around
    box.in_use = True
    assert box.after(2 * OWN_FOR) == "own", "somebody plays on it"
    box.in_use = False
    assert box.after(5) == "joined"


def test_a_look_for_a_known_network_that_is_not_there_is_short(box: Box) -> None:
    box.networks.saved, box.networks.around = {"Home"}, {}
    box.after(WIFI_PATIENCE + 2)
    assert box.after(OWN_FOR + 2) == "waiting"
    assert box.networks.hotspot is None
    assert box.after(LOOK_PATIENCE + 2) == "own"
    assert box.networks.hotspot is not None


def test_a_box_that_knows_no_network_keeps_its_own_open(box: Box) -> None:
    assert box.after(WIFI_PATIENCE + 3 * OWN_FOR) == "own"
    assert "close" not in box.networks.done


def test_an_evening_on_the_own_network_needs_no_known_one(box: Box) -> None:
    box.networks.saved = {"Home"}
    box.after(3)
    box.in_use = True
    box.wifi.open_own()
    assert box.after(OWN_FOR) == "own"


def test_the_networks_that_were_seen_are_offered_while_the_own_one_is_open(own: Box) -> None:
    assert own.networks.access_points() == [], "it sees none now"
    assert [(each.name, each.secured, each.known) for each in own.wifi.state().networks] == [
        ("Home", True, False),
        ("Café", False, False),
    ]


def test_the_own_network_keeps_its_name_and_password(tmp_path: Path) -> None:
    own = own_network(tmp_path, random.Random(1), "0123")
    assert own.name.startswith("Perudo-")
    assert len(own.password) >= 10
    assert own_network(tmp_path, random.Random(2), "0123") == own
    assert (tmp_path / "wifi.json").stat().st_mode & 0o777 == 0o600
    assert own_network(tmp_path / "none", random.Random(2), "0123").name == own.name, "of the machine"


@pytest.mark.parametrize(
    ("content", "damaged"),
    [
        ('{"name": "Küche", "password": "with the cups"}', True),
        ('{"name": "Küche", "password": "withthecups"}', False),
        ('{"name": "%s", "password": "withthecups"}' % ("ü" * 17), True),
        ('{"name": "", "password": "withthecups"}', True),
        ('{"name": "Küche", "password": "cups"}', True),
        ("{", True),
    ],
)
def test_a_damaged_file_of_the_own_network_is_set_aside(tmp_path: Path, content: str, damaged: bool) -> None:
    (tmp_path / "wifi.json").write_text(content)
    own = own_network(tmp_path, random.Random(2), "0123")
    assert own.name.startswith("Perudo-") == damaged
    assert (tmp_path / "wifi.damaged-1.json").exists() == damaged
