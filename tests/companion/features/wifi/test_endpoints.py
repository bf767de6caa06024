"""The box's Wi-Fi from a phone: who may choose, and that every address leads there on the box's own network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.features.wifi.own_network import OwnNetwork
from companion.features.wifi.service import WIFI_PATIENCE, Wifi
from tests.fakes.clock import FakeClock
from tests.fakes.networks import FakeNetworks
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable

HOME = {"name": "Home", "password": "achtung1"}


@pytest.fixture
def networks() -> FakeNetworks:
    return FakeNetworks()


@pytest.fixture
def wifi(networks: FakeNetworks, clock: FakeClock) -> Wifi:
    return Wifi(networks, OwnNetwork("Perudo-1A2B", "kmnpqrst23"), in_use=lambda: False, clock=clock)


@pytest.fixture
def app(table: FakeTable, wifi: Wifi, make_app: Callable[..., Any]) -> Any:
    table.show(STATES["seating"])
    return make_app(table, wifi=wifi)


def own_opens(wifi: Wifi, clock: FakeClock) -> None:
    for _ in range(int(WIFI_PATIENCE) + 3):
        clock.sleep(1)
        wifi.step()


def test_on_the_own_network_any_phone_chooses_without_the_tables_code(app: Any, wifi: Wifi, clock: FakeClock) -> None:
    stranger = app.test_client()
    assert stranger.post("/api/v1/box/wifi", json=HOME).status_code == 401
    own_opens(wifi, clock)
    answer = stranger.post("/api/v1/box/wifi", json=HOME)
    assert answer.status_code == 200
    assert answer.json["wifi"]["phase"] == "joining"
    for _ in range(5):
        clock.sleep(1)
        wifi.step()
    assert stranger.get("/api/v1/box").json["wifi"]["network"] == "Home"


def test_during_a_game_only_the_host_chooses(app: Any, table: FakeTable, wifi: Wifi, clock: FakeClock) -> None:
    own_opens(wifi, clock)
    host, guest = app.test_client().join(seat="table"), app.test_client().join(seat="table")
    table.show(STATES["bidding"])
    assert app.test_client().post("/api/v1/box/wifi", json=HOME).status_code == 401
    assert guest.post("/api/v1/box/wifi", json=HOME).json["error"] == "not-host"
    assert host.post("/api/v1/box/wifi", json=HOME).status_code == 200


@pytest.mark.parametrize(
    ("maker", "path"),
    [
        ("http://connectivitycheck.gstatic.com", "/generate_204"),
        ("http://captive.apple.com", "/hotspot-detect.html"),
        ("http://www.msftconnecttest.com", "/connecttest.txt"),
    ],
)
def test_on_the_own_network_every_address_leads_to_the_choice_and_during_a_game_to_the_table(
    app: Any, table: FakeTable, wifi: Wifi, clock: FakeClock, maker: str, path: str
) -> None:
    phone = app.test_client()

    def led() -> tuple[int, str | None]:
        answer = phone.get(path, base_url=maker)
        return answer.status_code, answer.headers.get("Location")

    assert led() == (403, None)
    own_opens(wifi, clock)
    assert led() == (302, "http://10.42.0.1/box#wifi")
    table.show(STATES["bidding"])
    assert led() == (302, "http://10.42.0.1/")
    table.show(STATES["over"])
    assert led() == (302, "http://10.42.0.1/box#wifi")
    assert phone.get("/box", base_url="http://10.42.0.1").status_code == 200
    refused = phone.post("/api/v1/box/wifi", json=HOME, base_url="http://evil.example")
    assert refused.status_code == 403, "another site's page gets nowhere"


def test_another_sites_page_cannot_choose(app: Any, wifi: Wifi, clock: FakeClock) -> None:
    own_opens(wifi, clock)
    answer = app.test_client().post("/api/v1/box/wifi", json=HOME, headers={"Origin": "http://evil.example"})
    assert answer.json["error"] == "origin"


def test_a_network_in_no_list_is_chosen_by_name(app: Any, networks: FakeNetworks, wifi: Wifi, clock: FakeClock) -> None:
    own_opens(wifi, clock)
    attic = {"name": "Attic", "password": "achtung2", "hidden": True}
    assert app.test_client().post("/api/v1/box/wifi", json=attic).status_code == 200
    for _ in range(6):
        clock.sleep(1)
        wifi.step()
    assert networks.joined == "Attic"


def test_a_name_that_no_wifi_can_have_is_refused(app: Any, wifi: Wifi, clock: FakeClock) -> None:
    own_opens(wifi, clock)
    answer = app.test_client().post("/api/v1/box/wifi", json={"name": "é" * 17, "password": "", "hidden": True})
    assert (answer.status_code, answer.json["error"]) == (409, "wifi")
    assert answer.json["message"] == "This name is too long for a Wi-Fi."
    assert wifi.state().phase == "own"


@pytest.mark.parametrize("password", ["short", "x" * 64])
def test_a_password_that_cannot_be_one_is_refused(app: Any, wifi: Wifi, clock: FakeClock, password: str) -> None:
    own_opens(wifi, clock)
    answer = app.test_client().post("/api/v1/box/wifi", json={"name": "Home", "password": password})
    assert answer.status_code in (400, 409)
    assert wifi.state().phase == "own"


def test_the_host_opens_the_own_network_for_an_evening(app: Any, networks: FakeNetworks, wifi: Wifi) -> None:
    networks.saved = {"Home"}
    wifi.step()
    host = app.test_client().join(seat="table")
    assert host.post("/api/v1/box/wifi/own", json={}).json["wifi"]["phase"] == "own"
    assert networks.hotspot == ("Perudo-1A2B", "kmnpqrst23")


def test_a_box_that_looks_after_no_wifi_says_so(table: FakeTable, make_app: Callable[..., Any]) -> None:
    phone = make_app(table).test_client().join(seat="table")
    assert phone.post("/api/v1/box/wifi", json=HOME).json["error"] == "wifi"
    assert phone.get("/api/v1/box").json["wifi"] is None
