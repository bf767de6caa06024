"""The box's own network: its name and password, which are printed on the seat cards."""

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
"""In the state folder: name and password."""

_ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""For passwords typed from a card: no characters that look alike."""


@dataclass(frozen=True, slots=True)
class OwnNetwork:
    name: str
    password: str


def own_network(state: Path, rng: random.Random, machine: str) -> OwnNetwork:
    """The name and password saved in `state`, or else new ones. `machine`: unique to this machine, for the name."""
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
    """The name and password saved in `state`; None if they are missing or damaged. Raises `OSError`."""
    return read_kept(state / WIFI_KEY_FILE, _own, "A new network is drawn.")


def _own(content: bytes) -> OwnNetwork:
    found = json.loads(content)
    own = OwnNetwork(str(found["name"]), str(found["password"]))
    if not 1 <= len(own.name.encode()) <= 32 or not re.fullmatch(r"[!-~]{8,63}", own.password):
        raise ValueError("it names no network")
    return own


def rename_own_network(state: Path, rng: random.Random) -> None:
    """Rename the own network. Its password, which is on the cards, stays. Raises `OSError`."""
    drawn = draw_own_network(rng, f"{rng.getrandbits(64)}")
    before = own_network(state, rng, "")
    write_atomically(state / WIFI_KEY_FILE, key_text(replace(before, name=drawn.name)).encode(), mode=0o600)


def draw_own_network(rng: random.Random, machine: str) -> OwnNetwork:
    """A new name and password. `machine`: a text unique to this machine, for the name."""
    digits = hashlib.sha256(f"perudo {machine}".encode()).hexdigest()[:4].upper()
    return OwnNetwork(f"Perudo-{digits}", "".join(rng.choices(_ALPHABET, k=10)))


def key_text(own: OwnNetwork) -> str:
    """The text of `WIFI_KEY_FILE`."""
    return json.dumps(asdict(own))


def wifi_text(own: OwnNetwork) -> str:
    """The text of the QR code with which phones join. Name and password need no escaping."""
    return f"WIFI:T:WPA;S:{own.name};P:{own.password};;"
