"""Removing secrets from a text that goes to strangers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

REMOVED: Final = "(removed)"
"""Stands for a secret. A value may have these characters, so redacting twice changes nothing."""

_VALUE: Final = r"(?:\"{3}[\s\S]*?\"{3}|'{3}[\s\S]*?'{3}|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|(?:Bearer\s+)?[^\s,}\]]+)"

_KEYED: Final = re.compile(
    r"(?P<key>[\w.-]*(?:code|secret|token|passw(?:or)?d|passphrase|psk|ssid|csrf|cookie|authorization|perudo_phone_\d+)"
    rf"[\w.-]*[\"']?\s*[=:]\s*){_VALUE}",
    re.IGNORECASE,
)
"""A word that names a secret, an equals sign or a colon, and the value."""

_NAMED: Final = re.compile(
    rf"(?P<key>\b(?:ssid|psk|passphrase|password|bearer)\s+|\bcode\b\W{{0,3}}(?:is\W+)?(?=\d{{4}}\b)){_VALUE}",
    re.IGNORECASE,
)
"""A word that names a secret, and the value, in a sentence."""

_LOGIN: Final = re.compile(r"(?P<scheme>\b[a-z]+://)[^\s/@\"']+@")
"""Name and password in an address, as that of a broker."""
_INVITED: Final = re.compile(r"#join=\w+")
_DRAWN: Final = re.compile(r"^.*[█▀▄].*\n?", re.MULTILINE)
"""A line of a QR code, in which the code stands too."""
_LONG: Final = re.compile(r"\b[0-9a-fA-F]{32,}\b|\b[\w-]{20,}\.[\w-]{6,}\.[\w-]{20,}\b")
"""A key in hexadecimal, or a signed token."""


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """`text` without these `secrets`, and without anything that looks like one."""
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", REMOVED, text)
    text = _DRAWN.sub("", text)
    text = _LOGIN.sub(lambda found: f"{found['scheme']}{REMOVED}@", text)
    text = _INVITED.sub(f"#join={REMOVED}", text)
    for pattern in (_KEYED, _NAMED):
        text = pattern.sub(lambda found: f"{found['key']}{REMOVED}", text)
    return _LONG.sub(REMOVED, text)
