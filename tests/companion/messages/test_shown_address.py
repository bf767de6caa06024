"""Of an address scheme and host are shown, however the rest of it is written."""

from __future__ import annotations

import pytest

from companion.messages.shown_address import shown_address, without_addresses

FORMS = [
    "http://admin:SECRET@cam:8111/ok",
    "http://cam/ok?user=admin&pwd=SECRET",
    "rtsp://cam:554/user=admin&password=SECRET&channel=1&stream=0.sdp",
    "HTTP://admin:SECRET@cam/ok",
    "http://admin:it'sSECRET@cam/ok",
    "http://admin:p@SECRET@cam/ok",
    "http://cam/ok#SECRET",
    "http://cam/SECRET/ok",
    "Rtsp://admin:SECRET@cam/x",
    "http://SECRET@cam",
    "http://admin:SEC/SECRET@cam/",
    "http://admin:SEC?SECRET@cam/",
    "http://admin:[SECRET@cam/",
    'http://admin:a\\"SECRET@cam/',
    "http://cam:SECRET",
    "mqtts://box:SECRET@cam",
    "mqtt://cam/;SECRET",
    "http://admin:SECRET@cam:99999/ok",
    "http://admin:%53ECRET%40SECRET@cam/",
    "http://:SECRET@cam/",
    "http://cam/?SECRET",
    "http://cam:80/a/../SECRET",
    "http://cam//SECRET@other/",
    "rtsp://admin:(SECRET)@cam/1",
    "rtsp://admin:<SECRET>@cam/1",
    "rtsp://admin:a,SECRET;b@cam/1",
    "rtsp://admin:é🎲SECRET@cam/1",
    "http://cam/ok?a=b#SECRET",
    "http://cam\\SECRET/",
    "mqtts://box:a'b:SECRET@cam",
]


@pytest.mark.parametrize("address", FORMS)
def test_only_scheme_and_host_are_shown(address: str) -> None:
    assert "SECRET" not in shown_address(address)
    assert shown_address(address).lower().removesuffix("cam") in (
        "http://",
        "rtsp://",
        "mqtt://",
        "mqtts://",
        "http://admin",
    )
    for text in (f'source = "{address}"', f"no pictures from {address}: it hangs", f"({address})"):
        assert "SECRET" not in without_addresses(text)


@pytest.mark.parametrize("text", ["as http://ADDRESS, or rtsp://ADDRESS.", "(http://[fe80::1]:8000/)", "pi:0", "a: b"])
def test_what_has_no_secret_stays(text: str) -> None:
    assert without_addresses(text) == text
