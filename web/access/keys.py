"""The table's code, which people say aloud; the invitation, which is in its QR code; the secret that signs tokens.

All are saved in `access.json` in the state folder, which only this program's user may read, so that phones stay joined
across restarts.
"""

from __future__ import annotations

import json
import logging
import random
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from calibration.atomic_write import write_atomically
from companion.kept_file import read_kept
from companion.state_folder import KEYS_FILE

log = logging.getLogger(__name__)

_CODE: Final = re.compile(r"[0-9]{4}")
_INVITATION: Final = re.compile(r"[0-9a-f]{32}")
_SECRET_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Keys:
    """The table's code and its secrets. They must not be logged."""

    code: str = field(repr=False)
    """Four digits."""
    secret: bytes = field(repr=False)
    invitation: str = field(repr=False)
    """32 hexadecimal digits, which nobody can guess."""
    drawn: bool = field(default=False, compare=False)
    """True if the keys are new: old tokens are invalid."""


def is_code(text: object) -> bool:
    """True if `text` is four digits."""
    return isinstance(text, str) and _CODE.fullmatch(text) is not None


def draw(rng: random.Random) -> Keys:
    secret, code = rng.randbytes(_SECRET_BYTES), f"{rng.randrange(10_000):04}"
    return Keys(code, secret, _draw_invitation(rng), drawn=True)


def load(folder: Path, rng: random.Random) -> Keys:
    """The keys saved in `folder`. Missing keys, or a missing invitation, are drawn and saved.

    A damaged file is set aside. If the file cannot be read now, it stays as it is, and new keys are used until the
    program stops. Both are logged; phones have to join again.
    """
    path = folder / KEYS_FILE
    try:
        keys = read(folder)
    except OSError as error:
        log.warning(
            "The keys in %s cannot be read (%s): until the next start every phone has to join again.",
            path,
            error.strerror,
        )
        return replace(draw(rng), drawn=False)
    if keys is None:
        keys = draw(rng)
        _save(path, keys)
    elif not keys.invitation:  # written by an older version
        keys = replace(keys, invitation=_draw_invitation(rng))
        _save(path, keys)
    return keys


def _draw_invitation(rng: random.Random) -> str:
    return rng.randbytes(16).hex()


def read(folder: Path) -> Keys | None:
    """The keys saved in `folder`, with "" for a missing invitation; None if they are missing or damaged.

    Raises `OSError` if the file cannot be read now.
    """
    return read_kept(folder / KEYS_FILE, _keys, "Every phone has to join again.")


def _keys(content: bytes) -> Keys:
    found = json.loads(content)
    code, secret, invitation = found["code"], bytes.fromhex(found["secret"]), found.get("invitation")
    if not is_code(code) or len(secret) != _SECRET_BYTES:
        raise ValueError("there are no keys in it")  # the error is logged, so it quotes nothing from the file
    known = isinstance(invitation, str) and _INVITATION.fullmatch(invitation)
    return Keys(code, secret, invitation if known else "")


def keys_text(keys: Keys) -> str:
    """The text of the file."""
    return json.dumps({"code": keys.code, "secret": keys.secret.hex(), "invitation": keys.invitation})


def _save(path: Path, keys: Keys) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, keys_text(keys).encode(), mode=0o600)
    except OSError as error:
        log.warning("The keys cannot be kept in %s (%s): new ones are drawn at the next start.", path, error.strerror)
