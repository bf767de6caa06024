"""The box's own network: its name and password, which are printed on the seat cards."""

from __future__ import annotations

import hashlib
import logging
import random
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from calibration.atomic_write import write_atomically
from companion.kept_file import read_kept
from companion.messages.sentence import TEXT_END, json_bytes, read_json

log = logging.getLogger(__name__)

WIFI_KEY_FILE: Final = "wifi.json"
"""In the state folder: name and password."""

_ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""For passwords typed from a card: no characters that look alike."""


class OwnNetwork(Struct, frozen=True):
    """The content of `WIFI_KEY_FILE`."""

    name: Annotated[str, Meta(min_length=1)]
    password: Annotated[str, Meta(pattern=f"^[!-~]{{8,63}}{TEXT_END}")]

    def __post_init__(self) -> None:
        if len(self.name.encode()) > 32:
            raise ValueError("the name is too long for a network")


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
        write_atomically(path, json_bytes(own), mode=0o600)
    except OSError as error:
        log.warning("%s cannot be written (%s): the own network has another password at the next start.", path, error)
    return own


def read(state: Path) -> OwnNetwork | None:
    """The name and password saved in `state`; None if they are missing or damaged. Raises `OSError`."""
    return read_kept(state / WIFI_KEY_FILE, lambda content: read_json(content, OwnNetwork), "A new network is drawn.")


def rename_own_network(state: Path, rng: random.Random) -> None:
    """Rename the own network. Its password, which is on the cards, stays. Raises `OSError`."""
    drawn = draw_own_network(rng, f"{rng.getrandbits(64)}")
    before = own_network(state, rng, "")
    write_atomically(state / WIFI_KEY_FILE, json_bytes(replace(before, name=drawn.name)), mode=0o600)


def draw_own_network(rng: random.Random, machine: str) -> OwnNetwork:
    """A new name and password. `machine`: a text unique to this machine, for the name."""
    digits = hashlib.sha256(f"perudo {machine}".encode()).hexdigest()[:4].upper()
    return OwnNetwork(f"Perudo-{digits}", "".join(rng.choices(_ALPHABET, k=10)))


def wifi_text(own: OwnNetwork) -> str:
    """The text of the QR code with which phones join. Name and password need no escaping."""
    return f"WIFI:T:WPA;S:{own.name};P:{own.password};;"
