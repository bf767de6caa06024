"""The file of the plugin: the hub gets its user, everybody else stays."""

from __future__ import annotations

import json

import pytest

from companion.club.credentials import HUB_USER, SALT_BYTES, with_hub

SALT = bytes(range(SALT_BYTES))


def test_a_new_file_lets_the_hub_do_everything_and_nobody_else_anything() -> None:
    made = json.loads(with_hub(None, "secret", SALT))
    assert not any(
        made["defaultACLAccess"][kind] for kind in ("publishClientSend", "publishClientReceive", "subscribe")
    )
    assert [client["username"] for client in made["clients"]] == [HUB_USER]
    assert b"secret" not in with_hub(None, "secret", SALT)


def test_what_the_plugin_has_written_stays() -> None:
    table = {"username": "perudo.crown.t-1", "roles": [{"rolename": "perudo.crown.t-1"}], "encoded_password": "x"}
    role = {"rolename": "perudo.crown.t-1", "acls": []}
    old = json.loads(with_hub(None, "old", SALT)) | {"groups": [], "later": 1}
    old["clients"].append(table)
    old["roles"].append(role)
    new = json.loads(with_hub(json.dumps(old).encode(), "new", SALT))
    assert new["later"] == 1
    assert [client["username"] for client in new["clients"]] == [HUB_USER, "perudo.crown.t-1"]
    assert table in new["clients"]
    assert role in new["roles"]
    assert new["clients"][0]["password"] != old["clients"][0]["password"]
    assert len(new["roles"]) == 2


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b'{"clients": {}}', b'{"roles": [1]}'])
def test_a_damaged_file(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        with_hub(content, "secret", SALT)
