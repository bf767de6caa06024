"""The box's own network: its name and its password, which are on the cards for the seats."""

from __future__ import annotations

import hashlib
import json
import logging
import random
import re
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from calibration.atomic_write import write_atomically
from companion.kept_file import read_kept

log = logging.getLogger(__name__)

WIFI_KEY_FILE: Final = "wifi.json"
"""Name and password, in the state folder."""

_ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""For passwords that are typed from a card: nothing that looks like something else."""


@dataclass(frozen=True, slots=True)
class OwnNetwork:
    """The box's own network."""

    name: str
    password: str


def own_network(state: Path, rng: random.Random, machine: str) -> OwnNetwork:
    """The name and password kept in `state`, else new ones. `machine`: what no other machine has, for the name."""
    path = state / WIFI_KEY_FILE
    try:
        if kept := read(state):
            return kept
    except OSError as error:
        log.warning("%s cannot be read (%s): a new network is drawn.", path, error)
    own = draw_own_network(rng, machine)
    try:
        write_atomically(path, key_text(own).encode(), mode=0o600)
    except OSError as error:
        log.warning("%s cannot be written (%s): the own network has another password at the next start.", path, error)
    return own


def read(state: Path) -> OwnNetwork | None:
    """The name and password kept in `state`; None if there are none, or they were damaged. Raises `OSError`."""
    return read_kept(state / WIFI_KEY_FILE, _own, "A new network is drawn.")


def _own(content: bytes) -> OwnNetwork:
    found = json.loads(content)
    own = OwnNetwork(str(found["name"]), str(found["password"]))
    if not 1 <= len(own.name.encode()) <= 32 or not re.fullmatch(r"[!-~]{8,63}", own.password):
        raise ValueError("it names no network")
    return own


def rename_own_network(state: Path, rng: random.Random) -> None:
    """Give the own network another name. Its password, which is on the cards, stays. Raises `OSError`."""
    drawn = draw_own_network(rng, f"{rng.getrandbits(64)}")
    before = own_network(state, rng, "")
    write_atomically(state / WIFI_KEY_FILE, key_text(replace(before, name=drawn.name)).encode(), mode=0o600)


def draw_own_network(rng: random.Random, machine: str) -> OwnNetwork:
    """A new one. `machine`: what no other machine has, for the name."""
    digits = hashlib.sha256(f"perudo {machine}".encode()).hexdigest()[:4].upper()
    return OwnNetwork(f"Perudo-{digits}", "".join(rng.choices(_ALPHABET, k=10)))


def key_text(own: OwnNetwork) -> str:
    """The text of `WIFI_KEY_FILE`."""
    return json.dumps(asdict(own))


def wifi_text(own: OwnNetwork) -> str:
    """What a QR code says by which phones join it: neither name nor password has a character to be escaped."""
    return f"WIFI:T:WPA;S:{own.name};P:{own.password};;"
