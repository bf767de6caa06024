"""A second box with the files of another: its card was copied, or its backup was put back here, and both are used.

What only one box may have is given up at the next start, before anything uses it: the place in a club and the table's
id there, the name of the own Wi-Fi, the certificates. Each is made anew when it is wanted. The club is told nothing,
as the other box stays in it.
"""

from __future__ import annotations

import logging
import random
from pathlib import Path

from companion.box.https.certificates import remove_certificates
from companion.box.wifi.own_network import rename_own_network
from companion.state_folder import CLUB_FILE, CONSENT_FILE, SECOND_FILE, TABLE_ID_FILE

log = logging.getLogger(__name__)


def become_second(folder: Path) -> None:
    """Have the next start give up what is the other box's. `folder` is the state folder. Raises `OSError`."""
    (folder / SECOND_FILE).touch()


def give_up_identity(folder: Path, rng: random.Random) -> None:
    """At the start: give it up, if that was asked for. After a power cut the next start does it again."""
    if not (folder / SECOND_FILE).exists():
        return
    try:
        for name in (CLUB_FILE, CONSENT_FILE, TABLE_ID_FILE):
            (folder / name).unlink(missing_ok=True)
        remove_certificates(folder)
        rename_own_network(folder, rng)
        (folder / SECOND_FILE).unlink()
    except OSError as error:
        log.error("This box cannot become a second one (%s). The next start tries again.", error)  # noqa: TRY400 - no fault of the program's
    else:
        log.warning("This is a second box now: it is in no club, and its own Wi-Fi has another name.")
