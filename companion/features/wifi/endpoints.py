"""The box's Wi-Fi, from a phone. On the box's own network any phone may choose another network."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from companion.box.network_manager import HOTSPOT_ADDRESS
from companion.features.wifi.service import Wifi, WifiState
from companion.messages.message import Message
from web.endpoints import Who
from web.errors import RequestError
from web.feature import Feature, change

LONGEST_SSID: Final = 32
"""Bytes of a Wi-Fi's name; an accented letter takes two."""
TABLE: Final = f"http://{HOTSPOT_ADDRESS}/"
CHOOSING: Final = f"{TABLE}box#wifi"


class ChooseWifi(Struct, frozen=True, forbid_unknown_fields=True):
    """A network for the box to join."""

    name: Annotated[str, Meta(min_length=1, max_length=LONGEST_SSID)]
    password: Annotated[str, Meta(max_length=63, description='"" for an open network, or one that the box knows.')]
    hidden: Annotated[bool, Meta(description="Whether it does not say its name, so that no list has it.")] = False


class WifiFeature(Feature[Wifi]):
    """The Wi-Fi of the box."""

    key, shows = "wifi", WifiState

    def absence(self) -> RequestError:
        return RequestError(Message("This box does not look after Wi-Fi."), code="wifi")

    def lead(self) -> str | None:
        """The path that answers a phone's check for internet access, which the phone shows to its owner; else None."""
        if self.service is None or not self.service.hotspot:
            return None
        return TABLE if self.table.state().playing else CHOOSING

    @change("box/wifi", who=Who.SETUP)
    def choose_wifi(self, body: ChooseWifi) -> None:
        """Join a Wi-Fi. On the box's own Wi-Fi any phone may do this without a token while nobody plays."""
        wifi = self.there
        if body.password and len(body.password) < 8:
            raise RequestError(Message("A Wi-Fi password has at least eight characters."), code="wifi")
        if len(body.name.encode()) > LONGEST_SSID:
            raise RequestError(Message("This name is too long for a Wi-Fi."), code="wifi")
        wifi.choose(body.name, body.password, hidden=body.hidden)

    @change("box/wifi/own")
    def open_own_wifi(self) -> None:
        """Open the box's own Wi-Fi."""
        self.there.open_own()
