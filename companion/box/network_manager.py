"""The box's one Wi-Fi device, controlled through NetworkManager's D-Bus interface.

See https://networkmanager.dev/docs/api/latest/spec.html. polkit must allow it: companion/box/files, 60-perudo.rules.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from jeepney import DBusAddress, DBusErrorResponse, MessageType, Properties, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from jeepney.wrappers import unwrap_msg

log = logging.getLogger(__name__)

NM: Final = "org.freedesktop.NetworkManager"
_ROOT: Final = "/org/freedesktop/NetworkManager"
_SETTINGS: Final = f"{_ROOT}/Settings"
_WIFI_DEVICE: Final = 2
"""NM_DEVICE_TYPE_WIFI."""
_ACTIVATED: Final = 100
_FAILED: Final = 120
"""NM_DEVICE_STATE_ACTIVATED and NM_DEVICE_STATE_FAILED."""
_ACTIVE: Final = 2
"""NM_ACTIVE_CONNECTION_STATE_ACTIVATED."""
_GONE: Final = 4
"""NM_ACTIVE_CONNECTION_STATE_DEACTIVATED."""
_NO_SECRETS: Final = (7, 8, 9, 10, 11)
"""NM_DEVICE_STATE_REASON_NO_SECRETS, and the reasons given when a supplicant is refused."""
REPLY_TIMEOUT: Final = 25.0
"""Seconds."""

_OF_THE_HOUSE: Final = ("802-11-wireless", "802-3-ethernet")
"""The connection types by which a phone in the house can reach the box, unlike a tunnel's or a container's."""
_PSK: Final = 0x100
_SAE: Final = 0x400
"""NM_802_11_AP_SEC_KEY_MGMT_PSK and _SAE: a password alone opens the network. WEP and enterprise networks lack both."""

HOTSPOT: Final = "perudo-hotspot"
"""The name of the box's own network among NetworkManager's connections."""
HOTSPOT_ADDRESS: Final = "10.42.0.1"
"""The box's address on its own network, to which every name resolves there: companion/box/files, perudo.conf."""

Variant = tuple[str, Any]


class WifiError(RuntimeError):
    """NetworkManager is not running, or refuses a request. The message says why."""


class AccessPoint(NamedTuple):
    """A network in range."""

    name: str
    strength: int
    """Percent."""
    secured: bool


class Link(NamedTuple):
    """How the box is connected now."""

    online: bool
    """True if it is on another network, by Wi-Fi or by cable."""
    network: str
    """The name of the Wi-Fi; "" without one."""
    hotspot: bool
    """True if the box's own network is open."""


class NetworkManager:
    """The networks of one box. Thread-safe; every method raises `WifiError`."""

    def __init__(self, bus: str = "SYSTEM") -> None:
        """`bus`: SYSTEM, or a bus address for tests. Raises `WifiError` if there is no Wi-Fi device."""
        self._bus = bus
        self._lock = threading.RLock()
        self._connection: DBusConnection | None = None
        self._seen: dict[str, tuple[bytes, str]] = {}
        """Network -> its name as raw bytes, which may not be UTF-8, and its key management."""
        try:
            self.device, self.interface = self._find_device()
        except WifiError:
            self.close()
            raise

    def close(self) -> None:
        """Close the connection to the bus; the next call opens another."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    # Status

    def link(self) -> Link:
        hotspot, network, online = False, "", False
        for path in self._get(_ROOT, NM, "ActiveConnections"):
            active = self._get_all(path, f"{NM}.Connection.Active")
            if active.get("State") != _ACTIVE or active.get("Type") not in _OF_THE_HOUSE:
                continue
            if active.get("Id") == HOTSPOT:
                hotspot = True
            else:
                online = True
                if active.get("Type") == "802-11-wireless":
                    network = str(active.get("Id", ""))
        return Link(online, network, hotspot)

    def radio_on(self) -> bool:
        """True if Wi-Fi is switched on. Raspberry Pi OS keeps it off until a country is set."""
        return bool(self._get(_ROOT, NM, "WirelessEnabled"))

    def scan(self) -> None:
        """Ask for a new scan. The networks appear some seconds later."""
        self._switch_on()
        with_options: tuple[dict[str, Variant]] = ({},)
        try:
            self._call(self.device, f"{NM}.Device.Wireless", "RequestScan", "a{sv}", with_options)
        except WifiError:
            return  # it has just scanned, or cannot while its own network is open: keep the last results

    def access_points(self) -> list[AccessPoint]:
        """The networks in range, strongest first, each name once."""
        found: dict[str, AccessPoint] = {}
        paths = self._call(self.device, f"{NM}.Device.Wireless", "GetAllAccessPoints")[0]
        for path in paths:
            try:
                seen = self._get_all(path, f"{NM}.AccessPoint")
            except WifiError:
                continue  # no longer in range
            name = bytes(seen.get("Ssid", b"")).decode("utf-8", "replace")
            keys = seen.get("WpaFlags", 0) | seen.get("RsnFlags", 0)
            secured = bool(keys or seen.get("Flags", 0) & 1)
            if secured and not keys & (_PSK | _SAE):
                continue
            self._seen[name] = bytes(seen.get("Ssid", b"")), "wpa-psk" if keys & _PSK else "sae"
            point = AccessPoint(name, int(seen.get("Strength", 0)), secured)
            if name and (name not in found or found[name].strength < point.strength):
                found[name] = point
        return sorted(found.values(), key=lambda each: -each.strength)

    def known(self) -> frozenset[str]:
        """The names of the networks whose password the box knows."""
        names = set()
        for path in self._call(_SETTINGS, f"{NM}.Settings", "ListConnections")[0]:
            settings = self._call(path, f"{NM}.Settings.Connection", "GetSettings")[0]
            wireless = settings.get("802-11-wireless")
            if wireless and _value(wireless, "mode", "infrastructure") == "infrastructure":
                names.add(bytes(_value(wireless, "ssid", b"")).decode("utf-8", "replace"))
        return frozenset(names - {""})

    # Changes

    def open_hotspot(self, name: str, password: str) -> None:
        """Open the box's own network (WPA2). It is forgotten when it is closed or the box is switched off."""
        security: dict[str, Variant] = {
            "key-mgmt": ("s", "wpa-psk"),
            "psk": ("s", password),
            # Without these, nobody can join a network opened by a Pi: raspberrypi/linux issue 7247.
            "proto": ("as", ["rsn"]),
            "pairwise": ("as", ["ccmp"]),
            "group": ("as", ["ccmp"]),
            "pmf": ("i", 1),
        }
        address: dict[str, Variant] = {"address": ("s", HOTSPOT_ADDRESS), "prefix": ("u", 24)}
        settings: dict[str, dict[str, Variant]] = {
            "connection": {
                "id": ("s", HOTSPOT),
                "type": ("s", "802-11-wireless"),
                "interface-name": ("s", self.interface),
                "autoconnect": ("b", False),
            },
            "802-11-wireless": {"ssid": ("ay", name.encode()), "mode": ("s", "ap"), "band": ("s", "bg")},
            "802-11-wireless-security": security,
            "ipv4": {"method": ("s", "shared"), "address-data": ("aa{sv}", [address])},
            "ipv6": {"method": ("s", "disabled")},
        }
        self._activate(settings, {"persist": ("s", "volatile")})

    def close_hotspot(self) -> None:
        """Close the box's own network. NetworkManager then joins a known network if one is in range."""
        for path in self._get(_ROOT, NM, "ActiveConnections"):
            if self._get_all(path, f"{NM}.Connection.Active").get("Id") == HOTSPOT:
                self._call(_ROOT, NM, "DeactivateConnection", "o", (path,))

    def join(self, name: str, password: str, *, hidden: bool) -> Attempt:
        """Begin to join a network; `password` is "" for an open one. The network is saved only if that succeeds.

        A `hidden` network does not broadcast its name, so it is probed by name.
        """
        ssid, keys = self._seen.get(name, (name.encode(), "wpa-psk"))  # WPA2 and WPA3
        settings: dict[str, dict[str, Variant]] = {
            "connection": {
                "id": ("s", name),
                "type": ("s", "802-11-wireless"),
                "interface-name": ("s", self.interface),
            },
            "802-11-wireless": {"ssid": ("ay", ssid), "mode": ("s", "infrastructure"), "hidden": ("b", hidden)},
        }
        if password:
            settings["802-11-wireless-security"] = {"key-mgmt": ("s", keys), "psk": ("s", password)}
        connection, active = self._activate(settings, {})
        return Attempt(self, connection, active)

    def _switch_on(self) -> None:
        """Switch the radio on and unblock it in the kernel. It can be used some seconds later."""
        if not self.radio_on():
            log.info("switching the Wi-Fi on")
            self._send(Properties(DBusAddress(_ROOT, NM, NM)).set("WirelessEnabled", "b", True))

    # D-Bus

    def _find_device(self) -> tuple[str, str]:
        for path in self._call(_ROOT, NM, "GetDevices")[0]:
            device = self._get_all(path, f"{NM}.Device")
            if device.get("DeviceType") == _WIFI_DEVICE and device.get("Managed", True):
                return path, str(device["Interface"])
        raise WifiError("This machine has no Wi-Fi that NetworkManager looks after.")

    def _activate(
        self, settings: Mapping[str, Mapping[str, Variant]], options: Mapping[str, Variant]
    ) -> tuple[str, str]:
        self._switch_on()
        made = self._call(
            _ROOT, NM, "AddAndActivateConnection2", "a{sa{sv}}ooa{sv}", (settings, self.device, "/", options)
        )
        return str(made[0]), str(made[1])

    def _get(self, path: str, interface: str, name: str) -> Any:
        return self._send(Properties(DBusAddress(path, NM, interface)).get(name))[0][1]

    def _get_all(self, path: str, interface: str) -> Mapping[str, Any]:
        found = self._send(Properties(DBusAddress(path, NM, interface)).get_all())[0]
        return {name: value for name, (_, value) in found.items()}

    def _call(
        self, path: str, interface: str, method: str, signature: str | None = None, body: tuple[Any, ...] = ()
    ) -> tuple[Any, ...]:
        return self._send(new_method_call(DBusAddress(path, NM, interface), method, signature, body))

    def _send(self, message: Any) -> tuple[Any, ...]:
        with self._lock:
            try:
                if self._connection is None:
                    self._connection = open_dbus_connection(self._bus)
                reply = self._connection.send_and_get_reply(message, timeout=REPLY_TIMEOUT)
                assert reply.header.message_type in (MessageType.method_return, MessageType.error)
                answer: tuple[Any, ...] = unwrap_msg(reply)
            except DBusErrorResponse as error:
                raise WifiError(f"NetworkManager refuses: {error.data[0] if error.data else error.name}") from error
            except (OSError, TimeoutError, KeyError) as error:
                self.close()
                raise WifiError(f"NetworkManager cannot be asked: {error}") from error
            return answer


class Attempt:
    """An attempt to join a network."""

    def __init__(self, manager: NetworkManager, connection: str, active: str) -> None:
        self._manager = manager
        self._connection = connection
        self._active = active

    def state(self) -> bool | None:
        """True: joined. False: refused. None: not known yet."""
        try:
            state = self._manager._get(self._active, f"{NM}.Connection.Active", "State")
        except WifiError:
            return False  # already gone
        return True if state == _ACTIVE else False if state == _GONE else None

    def wrong_password(self) -> bool:
        """True if it failed because the password was refused, as far as NetworkManager says."""
        _, reason = self._manager._get(self._manager.device, f"{NM}.Device", "StateReason")
        return reason in _NO_SECRETS

    def forget(self) -> None:
        """Delete the network's settings."""
        try:
            self._manager._call(self._connection, f"{NM}.Settings.Connection", "Delete")
        except WifiError:
            return  # already gone


def _value(settings: Mapping[str, Variant], name: str, default: object) -> Any:
    return settings[name][1] if name in settings else default
