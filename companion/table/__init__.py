"""The table: the only owner of the game, its journal and its public state."""

from companion.table.errors import JournalError, NotAllowedNowError, TableError, UnreadableCommandError
from companion.table.journal.journal import Journal
from companion.table.state.state import CameraStatus, State
from companion.table.table import Table

__all__ = [
    "CameraStatus",
    "Journal",
    "JournalError",
    "NotAllowedNowError",
    "State",
    "Table",
    "TableError",
    "UnreadableCommandError",
]
