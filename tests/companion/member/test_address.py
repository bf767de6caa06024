"""A broker's address, as people write it."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.member.address import BrokerAddress, parse_broker_address
from companion.member.errors import UnreadableInClubError

words = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=20)
hosts = st.one_of(
    st.from_regex(r"[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?(\.[a-z0-9]{1,10}){0,3}", fullmatch=True),
    st.ip_addresses(v=4).map(str),
    st.ip_addresses(v=6).map(str),
)


@pytest.mark.parametrize(
    ("text", "host", "port", "tls"),
    [
        ("mqtt://broker.local", "broker.local", 1883, False),
        ("mqtts://broker.local", "broker.local", 8883, True),
        ("MQTTS://Broker.Local:9000/", "broker.local", 9000, True),
        (" mqtt://192.168.1.5:1884\n", "192.168.1.5", 1884, False),
        ("mqtt://[fd00::0:1]", "fd00::1", 1883, False),
        ("mqtts://[::1]:8884", "::1", 8884, True),
    ],
)
def test_an_address_without_a_user(text: str, host: str, port: int, tls: bool) -> None:
    assert parse_broker_address(text) == BrokerAddress(host, port, tls)


@settings(max_examples=30)
@given(hosts, st.integers(1, 65535), st.booleans(), words, st.one_of(st.just(""), words))
def test_any_address_can_be_written_and_read(host: str, port: int, tls: bool, user: str, password: str) -> None:
    shown = f"[{host}]" if ":" in host else host
    secret = f":{quote(password, safe='')}" if password else ""
    read = parse_broker_address(f"mqtt{'s' * tls}://{quote(user, safe='')}{secret}@{shown}:{port}")
    assert read == BrokerAddress(host, port, tls, user, password)
    assert parse_broker_address(str(read)) == BrokerAddress(host, port, tls)


def test_the_password_is_never_shown() -> None:
    address = parse_broker_address("mqtts://hub:s%20e%2Fcret@broker")
    assert address.password == "s e/cret"
    assert str(address) == "mqtts://broker:8883"
    assert "cret" not in repr(address)
    assert str(BrokerAddress("/run/hub.sock", 0, tls=False, username="hub", password="cret")) == "unix:/run/hub.sock"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "mqtt://HOST"),
        ("broker.local", "mqtt://HOST"),
        ("broker.local:1883", "mqtt://HOST"),
        ("http://broker", "mqtt://HOST"),
        ("mqtt://", "needs a host"),
        ("mqtt://user@", "needs a host"),
        ("mqtt://:1883", "needs a host"),
        ("mqtt://..", "needs a host"),
        (f"mqtt://{'a' * 64}.local", "needs a host"),
        ("mqtt://a,b", "needs a host"),
        ("mqtt://broker:0", "1 to 65535"),
        ("mqtt://broker:65536", "1 to 65535"),
        ("mqtt://broker:mqtt", "1 to 65535"),
        ("mqtt://fd00::1", "brackets"),
        ("mqtt://[fd00::1", "brackets"),
        ("mqtt://[fd00::g]", "IPv6"),
        ("mqtt://[fe80::1%25eth0]", "IPv6|network card"),
        ("mqtt://broker/club", "ends after"),
        ("mqtt://broker?x", "ends after"),
        ("mqtt://u:tops/ecret@broker", "ends after|1 to 65535"),
        ("mqtt://u:tops#ecret@broker", "ends after|1 to 65535"),
        ("mqtt://u:tops ecret@broker", "%20"),
        ("mqtt://bro\nker", "spaces"),
        ("mqtt://:topsecret@broker", "has a user"),
        ("mqtt://u:topsecret%ff@broker", "UTF-8"),
        ("mqtt://u:topsecret%00@broker", "%00"),
    ],
)
def test_anything_else_is_refused_with_a_sentence(text: str, says: str) -> None:
    with pytest.raises(UnreadableInClubError, match=says) as refused:
        parse_broker_address(text)
    assert str(refused.value).endswith(".")
    assert "ecret" not in str(refused.value)


@given(st.text(max_size=40))
def test_no_text_breaks_it(text: str) -> None:
    for each in (text, f"mqtt://{text}"):
        try:
            read = parse_broker_address(each)
        except UnreadableInClubError:
            continue
        assert read.host
        assert 1 <= read.port <= 65535
