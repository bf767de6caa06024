"""The journal: whether every game in it can be read."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

from companion.box.doctor.configuration import is_private
from companion.box.doctor.diagnosis import Diagnosis, absent, bad, good
from companion.messages.message import Message
from companion.state_folder import as_owner_of

DAMAGED_HINT: Final = Message(
    "A part of the saved games can no longer be read. The damaged file can be set aside; all games that can be read "
    "stay."
)


def journal(state: Path) -> Diagnosis:
    """Whether the file is whole, every event can be understood, and all of them give a table."""
    from companion.table.errors import REPAIR_HINT, TableError
    from companion.table.journal.repair import damage_in
    from companion.table.journal.saved_games import journal_file, saved_games

    path = journal_file(state)
    if is_private(state):
        return absent("journal", f"Only the service and root may look into {state}.")
    try:
        if not path.exists():
            return absent("journal", f"Nobody has played in {state} yet.", Message("Nobody has played here yet."))
        with as_owner_of(state):
            damage = damage_in(state)
            games = 0 if damage else len(saved_games(state))
        if damage:
            return bad("journal", f"{' '.join(damage)} {REPAIR_HINT}", DAMAGED_HINT, mend="journal")
    except (TableError, OSError, sqlite3.Error) as error:
        reason = str(error).rstrip(".")
        return bad(
            "journal",
            f"{path} cannot be read: {reason}.",
            Message("The saved games cannot be read: {reason}.", reason=reason),
        )
    return good(
        "journal",
        f"{path}: whole, {games} {'game' if games == 1 else 'games'}, every event can be read",
        Message("All saved games can be read."),
    )
