"""What a card tells cloud-init, and the kernel."""

from __future__ import annotations

import json

import pytest

from companion.card.cloud_init import HomeWifi, command_line, firmware_config, meta_data, network_config, user_data


def values(text: str) -> dict[str, object]:
    """A seed as cloud-init reads it: JSON is YAML."""
    found = json.loads(text.removeprefix("#cloud-config\n"))
    assert isinstance(found, dict)
    return found


def test_nobody_may_log_in_without_a_key() -> None:
    text = user_data("perudo", ssh_key=None, timezone=None, read_only=False)
    assert text.startswith("#cloud-config\n")
    seed = values(text)
    assert seed["ssh_pwauth"] is False
    assert seed["users"] == [{"name": "perudo-admin", "shell": "/bin/bash", "lock_passwd": True}]
    assert "systemctl disable --now ssh" in json.dumps(seed["runcmd"])


def test_a_key_logs_in_and_no_password_does() -> None:
    seed = values(user_data("perudo", ssh_key="ssh-ed25519 AAAA ana", timezone="Europe/Paris", read_only=False))
    (admin,) = seed["users"]  # type: ignore[misc]
    assert admin["ssh_authorized_keys"] == ["ssh-ed25519 AAAA ana"]
    assert admin["lock_passwd"] is True
    assert seed["ssh_pwauth"] is False
    assert seed["timezone"] == "Europe/Paris"
    assert "systemctl enable --now ssh" in json.dumps(seed["runcmd"])


def test_a_card_that_is_only_read_leaves_room_for_the_games() -> None:
    assert "growpart" not in values(user_data("perudo", ssh_key=None, timezone=None, read_only=False))
    assert values(user_data("perudo", ssh_key=None, timezone=None, read_only=True))["growpart"] == {"mode": "off"}
    line = "console=tty1 root=PARTUUID=1-02 rootwait resize ds=nocloud;i=rpi-imager-1"
    assert command_line(line, "perudo-1", "FR", read_only=True).split() == [
        *("console=tty1", "root=PARTUUID=1-02", "rootwait", "cfg80211.ieee80211_regdom=FR", "ds=nocloud;i=perudo-1")
    ]
    assert " resize " in command_line(line, "perudo-1", "FR", read_only=False)


KEY = "f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e"


@pytest.mark.parametrize(
    ("password", "points"),
    [
        ("", [{}]),
        (KEY, [{"password": KEY}]),
        # WPA2 and mixed networks first; NetworkManager tries the first one on no network of WPA3 alone.
        ("achtung!", [{"password": "achtung!"}, {"auth": {"key-management": "sae", "password": "achtung!"}}]),
    ],
)
@pytest.mark.parametrize("hidden", [True, False])
def test_open_networks_keys_wpa2_and_wpa3_are_joined(
    password: str, points: list[dict[str, object]], hidden: bool
) -> None:
    (network,) = values(network_config(HomeWifi("Küche", password, hidden), "DE")).values()
    profiles = list(network["wifis"].values())  # type: ignore[index]
    for profile in profiles:
        assert profile["regulatory-domain"] == "DE"
        assert profile["match"] == {"name": "wlan0"}
        assert profile["dhcp4"] is profile["dhcp6"] is profile["optional"] is True
    found = [profile["access-points"]["Küche"] for profile in profiles]
    shown = [point.pop("networkmanager") for point in found]
    assert [each["name"] for each in shown] == ["Küche"] * len(points), "which the page shows"
    later = {"connection.autoconnect-priority": "-1"}
    assert [each.get("passthrough") for each in shown] == [None, later][: len(points)]
    assert found == [point | ({"hidden": True} if hidden else {}) for point in points]


@pytest.mark.parametrize(
    ("name", "password"), [("", "12345678"), ("x" * 33, "12345678"), ("a", "short"), ("a", "ü" * 9), ("a", "g" * 64)]
)
def test_a_wifi_that_cannot_be_is_refused(name: str, password: str) -> None:
    with pytest.raises(ValueError, match=r"has \d+ to"):
        HomeWifi(name, password)


@pytest.mark.parametrize("name", ["del\x7f", "nel\x85", "c1\x9b", "ls\u2028x", "bom\ufeffx", "\uffff", "🎲", '"'])
def test_any_name_of_a_wifi_is_read_as_it_is(name: str) -> None:
    """As cloud-init and netplan read it."""
    text = network_config(HomeWifi(name, ""), "FR")
    assert all(char.isprintable() or char == "\n" for char in text)
    assert list(json.loads(text)["network"]["wifis"]["wlan0"]["access-points"]) == [name]


def test_a_box_without_wifi_takes_a_cable() -> None:
    (network,) = values(network_config(None, "FR")).values()
    assert "wifis" not in network  # type: ignore[operator]
    cable = network["ethernets"]["eth0"]  # type: ignore[index]
    assert cable["dhcp4"] is cable["dhcp6"] is cable["optional"] is True


def test_every_card_is_a_first_start() -> None:
    assert values(meta_data("perudo-1"))["instance-id"] == "perudo-1"


def test_the_buses_of_displays_are_switched_on_once() -> None:
    text = firmware_config("# firmware\ncamera_auto_detect=1\n")
    assert text.endswith("[all]\ndtparam=spi=on\ndtparam=i2c_arm=on\n")
    assert firmware_config(text) == text
