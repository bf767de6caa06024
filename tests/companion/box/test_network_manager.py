"""What is asked of NetworkManager, on a real bus: python-dbusmock answers in its place.

The real one, with real radios of mac80211_hwsim, is asked by tests/pi/wifi.py.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jeepney import DBusAddress, DBusErrorResponse, new_method_call
from jeepney.io.blocking import open_dbus_connection
from jeepney.wrappers import unwrap_msg

from companion.box.doctor import machine
from companion.box.network_manager import NM, NetworkManager, WifiError
from tests.wait import wait_until

ROOT = "/org/freedesktop/NetworkManager"
MOCK = "org.freedesktop.DBus.Mock"
ACTIVATE = """
mode = args[0]['802-11-wireless']['mode']
ret = (dbus.ObjectPath('/org/freedesktop/NetworkManager/Settings/1'), dbus.ObjectPath('/made/' + mode), {})
"""

pytestmark = pytest.mark.programs("python3-dbusmock")


@pytest.fixture
def bus() -> Iterator[str]:
    """The address of a bus with a mock of NetworkManager."""
    daemon = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE, text=True
    )
    address = daemon.stdout.readline().strip()
    environment = {**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": address}
    command = ["/usr/bin/python3", "-m", "dbusmock", "--system", "--template", "networkmanager"]
    mock = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield address
    finally:
        mock.kill()
        daemon.kill()
        mock.wait()
        daemon.wait()
        daemon.stdout.close()


@pytest.fixture
def tell(bus: str) -> Iterator[Callable[..., Any]]:
    """Calls a method of the mock, once it is there."""
    with open_dbus_connection(bus) as connection:

        def tell(interface: str, method: str, signature: str = "", *body: object, path: str = ROOT) -> Any:
            message = new_method_call(DBusAddress(path, NM, interface), method, signature or None, body)
            return unwrap_msg(connection.send_and_get_reply(message))

        def answers() -> bool:
            try:
                tell(NM, "GetDevices")
            except DBusErrorResponse:
                return False
            return True

        wait_until(answers)
        yield tell


@pytest.fixture
def manager(bus: str, tell: Callable[..., Any]) -> Iterator[NetworkManager]:
    """A machine with one radio and two networks around; it knows one of them."""
    (device,) = tell(MOCK, "AddWiFiDevice", "ssi", "wlan0", "wlan0", 30)
    for name, ssid, strength, flags in (("near", "Küche", 90, 0x100), ("far", "Home", 40, 0), ("twice", "Home", 60, 0)):
        tell(MOCK, "AddAccessPoint", "ssssuuuyu", device, name, ssid, "00:11:22:33:44:55", 2, 2412, 54, strength, flags)
    tell(MOCK, "AddWiFiConnection", "ssss", device, "near", "Küche", "wpa-psk")
    tell(MOCK, "AddMethod", "sssss", NM, "AddAndActivateConnection2", "a{sa{sv}}ooa{sv}", "ooa{sv}", ACTIVATE)
    manager = NetworkManager(bus)
    yield manager
    manager.close()


def test_networks_are_seen_once_each_the_strongest_first(manager: NetworkManager) -> None:
    assert [(each.name, each.strength) for each in manager.access_points()] == [("Küche", 90), ("Home", 60)]
    assert manager.known() == {"Küche"}
    assert manager.interface == "wlan0"


def test_only_what_a_password_alone_opens_is_offered_and_it_is_asked_as_the_network_does(
    manager: NetworkManager, tell: Callable[..., Any]
) -> None:
    for name, strength, flags in (("Office", 99, 0x200), ("Attic", 30, 0x400), ("Both", 20, 0x500)):
        where = (manager.device, name.lower(), name, "00:11:22:33:44:66", 2, 2412, 54, strength, flags)
        tell(MOCK, "AddAccessPoint", "ssssuuuyu", *where)
    assert [each.name for each in manager.access_points()] == ["Küche", "Home", "Attic", "Both"]
    for name in ("Attic", "Both"):
        manager.join(name, "achtung1", hidden=False)
    made = tell(MOCK, "GetMethodCalls", "s", "AddAndActivateConnection2")[0]
    keys = [each[1][0][1]["802-11-wireless-security"]["key-mgmt"] for each in made]
    assert keys == [("s", "sae"), ("s", "wpa-psk")]


def test_online_is_where_a_phone_of_the_house_reaches_the_box(
    manager: NetworkManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    def online(kind: str) -> bool:
        monkeypatch.setattr(manager, "_get_all", lambda *_: {"State": 2, "Type": kind, "Id": "it"})
        return manager.link().online

    monkeypatch.setattr(manager, "_get", lambda *_: ["/active/1"])
    of_the_house = {"802-3-ethernet": True, "802-11-wireless": True}
    others = ("wireguard", "vpn", "veth", "vlan", "bridge", "tun", "loopback", "gsm")
    expected = of_the_house | dict.fromkeys(others, False)
    assert {kind: online(kind) for kind in expected} == expected


def test_a_name_that_is_no_text_is_joined_as_it_is_sent(
    manager: NetworkManager, tell: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = manager._get_all
    monkeypatch.setattr(manager, "_get_all", lambda *at: {**real(*at), "Ssid": b"Caf\xe9"})
    (name,) = {each.name for each in manager.access_points()}
    manager.join(name, "", hidden=False)
    ((_, (settings, *_)),) = tell(MOCK, "GetMethodCalls", "s", "AddAndActivateConnection2")[0]
    assert bytes(settings[1]["802-11-wireless"]["ssid"][1]) == b"Caf\xe9"


def test_the_own_network_is_wpa2_as_a_pi_can_and_is_not_kept(manager: NetworkManager, tell: Callable[..., Any]) -> None:
    manager.open_hotspot("Perudo-1A2B", "kmnpqrst23")
    ((_, (settings, device, _, options)),) = tell(MOCK, "GetMethodCalls", "s", "AddAndActivateConnection2")[0]
    settings, options = settings[1], options[1]
    assert device[1] == manager.device
    assert settings["802-11-wireless"]["mode"] == ("s", "ap")
    assert bytes(settings["802-11-wireless"]["ssid"][1]) == b"Perudo-1A2B"
    assert settings["802-11-wireless-security"]["proto"] == ("as", ["rsn"])
    assert settings["ipv4"]["method"] == ("s", "shared")
    assert options["persist"] == ("s", "volatile")


@pytest.mark.parametrize("needs_it", ["scan", "open_hotspot"])
def test_a_radio_that_is_off_is_switched_on_where_it_is_needed(
    bus: str, manager: NetworkManager, tell: Callable[..., Any], needs_it: str
) -> None:
    tell("org.freedesktop.DBus.Properties", "Set", "ssv", NM, "WirelessEnabled", ("b", False))
    manager.access_points()
    assert "wlan0 is switched off" in machine.wifi(bus).sentence, "a look at what is there does not need it"
    getattr(manager, needs_it)(*(("Perudo-1A2B", "kmnpqrst23") if needs_it == "open_hotspot" else ()))
    assert machine.wifi(bus).sentence == "wlan0 is switched on"


def test_a_network_that_is_joined_is_kept_an_open_one_has_no_password_and_a_hidden_one_is_called(
    manager: NetworkManager, tell: Callable[..., Any]
) -> None:
    manager.join("Home", "achtung1", hidden=False)
    manager.join("Café", "", hidden=False)
    manager.join("Attic", "achtung2", hidden=True)
    made = tell(MOCK, "GetMethodCalls", "s", "AddAndActivateConnection2")[0]
    home, cafe, attic = (each[1][0][1] for each in made)
    assert home["802-11-wireless-security"]["psk"] == ("s", "achtung1")
    assert "802-11-wireless-security" not in cafe
    assert made[0][1][3][1] == {}
    assert [each["802-11-wireless"]["hidden"] for each in (home, attic)] == [("b", False), ("b", True)]
    assert attic["802-11-wireless-security"]["key-mgmt"] == ("s", "wpa-psk"), "NetworkManager's for WPA2 and WPA3"


def test_without_a_radio_that_is_said(bus: str, tell: Callable[..., Any]) -> None:
    with pytest.raises(WifiError, match="no Wi-Fi"):
        NetworkManager(bus)


def test_without_a_bus_that_is_said(tmp_path: Path) -> None:
    with pytest.raises(WifiError, match="cannot be asked"):
        NetworkManager(f"unix:path={tmp_path}/none")
