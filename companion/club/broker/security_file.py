"""The file of mosquitto's dynamic-security plugin: who may do what on the broker.

`mosquitto_ctrl dynsec init` would write it, but takes the password on its command line, which everybody on the machine
can read, or from a terminal. The format is that of mosquitto 2.0; later ones read it. The plugin rewrites the file with
every change.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Final

from companion.club.broker.access import SecurityCommand

SECURITY_FILE: Final = "dynamic-security.json"
HUB_USER: Final = "perudo.hub"
"""The hub's user and role."""

SALT_BYTES: Final = 12
"""Of a password, as the plugin reads it."""
HASH_ROUNDS: Final = 101
"""As mosquitto's own. A password of 256 random bits needs none."""

_PUBLISHES: Final = ("#", "$CONTROL/dynamic-security/#")
_HEARS: Final = ("#", "$CONTROL/dynamic-security/#", "$SYS/#")


def with_hub(content: bytes | None, password: str, salt: bytes) -> bytes:
    """The file's content with the hub's user, who may do everything; tables' users stay. None: there was no file.

    Raises `ValueError` if the file is damaged.
    """
    old = {} if content is None else json.loads(content)
    if not isinstance(old, dict):
        raise ValueError("it is no JSON object")  # noqa: TRY004
    clients = _without(old.get("clients", []), "username")
    roles = _without(old.get("roles", []), "rolename")
    new = {
        "defaultACLAccess": {
            "publishClientSend": False,
            "publishClientReceive": False,
            "subscribe": False,
            "unsubscribe": True,
        },
        **old,
        "clients": [_hub_client(password, salt), *clients],
        "roles": [{"rolename": HUB_USER, "acls": _hub_rules()}, *roles],
    }
    return json.dumps(new, indent="\t").encode()


def _without(listed: object, key: str) -> list[Mapping[str, object]]:
    """The clients or roles that are not the hub's."""
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        raise ValueError("it has no list of clients and roles")
    return [each for each in listed if each.get(key) != HUB_USER]


def _hub_client(password: str, salt: bytes) -> Mapping[str, object]:
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, HASH_ROUNDS)
    return {
        "username": HUB_USER,
        "textname": "The club's hub",
        "roles": [{"rolename": HUB_USER}],
        "password": base64.b64encode(digest).decode(),
        "salt": base64.b64encode(salt).decode(),
        "iterations": HASH_ROUNDS,
    }


def _hub_rules() -> Sequence[SecurityCommand]:
    kinds = {"publishClientSend": _PUBLISHES, "publishClientReceive": _HEARS, "subscribePattern": _HEARS}
    return [
        {"acltype": kind, "topic": topic, "priority": 0, "allow": True}
        for kind, topics in kinds.items()
        for topic in topics
    ]
