"""Choosing a Wi-Fi on a phone; and the box's own network, where every address leads to that page, or to a game's.

Who is on the box's own network knows its password. So while it is open and nobody plays, any phone there may choose,
without the table's code; otherwise the host's phone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final

from flask import Blueprint, Response, jsonify, request
from msgspec import Meta, Struct

from companion.box.service.unit import HOTSPOT_ADDRESS
from companion.box.wifi.wifi import Wifi
from companion.messages.message import Message
from companion.table import Table
from web import body
from web.access.access import Access
from web.box.box import BoxState, check_host
from web.errors import RequestError
from web.headers import no_store

TABLE: Final = f"http://{HOTSPOT_ADDRESS}/"
CHOOSING: Final = f"{TABLE}box#wifi"

LONGEST_SSID: Final = 32
"""Bytes of a Wi-Fi's name; a letter with an accent has two."""


class ChooseWifi(Struct, frozen=True, forbid_unknown_fields=True):
    """A network for the box to join."""

    name: Annotated[str, Meta(min_length=1, max_length=LONGEST_SSID)]
    password: Annotated[str, Meta(max_length=63, description='"" for an open network, or one that the box knows.')]
    hidden: Annotated[bool, Meta(description="Whether it does not say its name, so that no list has it.")] = False


def leading(table: Table, wifi: Wifi | None) -> str | None:
    """Where a phone is led that asks for any name on the box's own network; None while that is not open.

    Phones ask for a name of their maker's to see whether they are online, and show their owner what answers.
    """
    if wifi is None or not wifi.hotspot:
        return None
    return TABLE if table.state().playing else CHOOSING


def register(api: Blueprint, table: Table, access: Access, wifi: Wifi | None, now: Callable[[], BoxState]) -> None:
    """Add `/box/wifi` and `/box/wifi/own`. `wifi`: None where NetworkManager looks after no Wi-Fi for us."""

    def there() -> Wifi:
        if wifi is None:
            raise RequestError(Message("This box does not look after Wi-Fi."), code="wifi")
        return wifi

    @api.post("/box/wifi")
    def choose_wifi() -> Response:
        if wifi is None or table.state().playing or not wifi.hotspot:
            check_host(access)
        desk = there()
        chosen = body.read(request, ChooseWifi)
        if chosen.password and len(chosen.password) < 8:
            raise RequestError(Message("A Wi-Fi password has at least eight characters."), code="wifi")
        if len(chosen.name.encode()) > LONGEST_SSID:
            raise RequestError(Message("This name is too long for a Wi-Fi."), code="wifi")
        desk.choose(chosen.name, chosen.password, hidden=chosen.hidden)
        return no_store(jsonify(now()))

    @api.post("/box/wifi/own")
    def open_own_wifi() -> Response:
        desk = there()
        check_host(access)
        body.read(request, body.Nothing)
        desk.open_own()
        return no_store(jsonify(now()))
