"""What a table may do on the broker, as the commands of mosquitto's dynamic-security plugin. Pure.

https://mosquitto.org/documentation/dynamic-security/ describes the commands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from companion.club.topics import TableTopics, hub_topic

SecurityCommand = Mapping[str, object]
"""One command of the plugin, or a part of one."""

ALLOWED_PRIORITY: Final = 10
REFUSED_PRIORITY: Final = 0
"""The plugin tries rules with a higher priority first."""

_EVERYTHING: Final = ("#", "$CONTROL/#", "$SYS/#")
"""# leaves out what begins with $."""


@dataclass(frozen=True, slots=True)
class BrokerUser:
    """Somebody with a password on the broker."""

    name: str
    client_id: str
    """The only one by which this user may connect; empty: any, also another user's, whose connection that ends."""
    password: str = field(repr=False)
    publish: tuple[str, ...]
    subscribe: tuple[str, ...]
    """May have wildcards."""


def table_username(club: str, table: str) -> str:
    """The name of a table's user: one that nobody else on the broker has, whatever the table calls itself."""
    return f"perudo.{club}.{table}"


def table_client_id(club: str, table: str) -> str:
    """The client id with which a table connects."""
    return f"{club}-{table}"


def table_user(topics: TableTopics, password: str) -> BrokerUser:
    """A table's user: it writes only what is its own, and hears only what is for it."""
    club, table = topics.club, topics.table
    discovery = f"homeassistant/device/perudo-{club}-{table}/config"
    # A table that takes no commands does not listen to them.
    hears = (topics.ack, topics.assign, hub_topic(club), topics.command)
    return BrokerUser(
        name=table_username(club, table),
        client_id=table_client_id(club, table),
        password=password,
        publish=(topics.online, topics.state, topics.event, topics.home, topics.home_event, discovery),
        subscribe=hears,
    )


def home_user(club: str, password: str) -> BrokerUser:
    """Home Assistant, on the club's own broker: it hears what tables say to it, presses their buttons, forgets them."""
    tables = TableTopics(club, "+")
    return BrokerUser(
        name=f"perudo.{club}.home-assistant",
        client_id="",
        password=password,
        publish=(tables.command, "homeassistant/status", "homeassistant/device/+/config"),
        subscribe=("homeassistant/#", tables.online, tables.home, tables.home_event),
    )


def put_commands(user: BrokerUser) -> list[SecurityCommand]:
    """Create or replace a user, and the role of the same name. The first and the third may fail: then they exist."""
    role: SecurityCommand = {"rolename": user.name, "acls": access_rules(user.publish, user.subscribe)}
    client: SecurityCommand = {
        "username": user.name,
        **({"clientid": user.client_id} if user.client_id else {}),
        "password": user.password,
        "roles": [{"rolename": user.name}],
    }
    return [
        {"command": "createRole", **role},
        {"command": "modifyRole", **role},
        {"command": "createClient", **client},
        {"command": "modifyClient", **client},
    ]


def remove_commands(username: str) -> list[SecurityCommand]:
    """Remove a user and the role. The last command looks for the user, and is to fail."""
    return [
        {"command": "deleteClient", "username": username},
        {"command": "deleteRole", "rolename": username},
        {"command": "getClient", "username": username},
    ]


def access_rules(publish: Iterable[str], subscribe: Iterable[str]) -> list[SecurityCommand]:
    """The rules of a role that may do this and nothing else, whatever the broker allows by default."""
    hears = tuple(subscribe)
    patterns = tuple(each for each in hears if "+" in each or "#" in each)
    single = tuple(each for each in hears if each not in patterns)
    return [
        *_rules(ALLOWED_PRIORITY, True, publishClientSend=publish),
        *_rules(ALLOWED_PRIORITY, True, publishClientReceive=hears, subscribeLiteral=single, unsubscribeLiteral=single),
        *_rules(ALLOWED_PRIORITY, True, subscribePattern=patterns, unsubscribePattern=patterns),
        *_rules(
            REFUSED_PRIORITY,
            False,
            publishClientSend=_EVERYTHING,
            publishClientReceive=_EVERYTHING,
            subscribePattern=_EVERYTHING,
        ),
    ]


def _rules(priority: int, allow: bool, **topics: Iterable[str]) -> list[SecurityCommand]:
    return [
        {"acltype": kind, "topic": topic, "priority": priority, "allow": allow}
        for kind, each in topics.items()
        for topic in each
    ]
