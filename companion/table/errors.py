"""The errors of the table.

    TableError (Exception)                    has a code and a message
    ├── UnreadableCommandError (ValueError)   the command never makes sense
    ├── NotAllowedNowError (RuntimeError)     the command makes sense, but not now
    │   └── TooSoonError                      it has to wait some seconds
    ├── NotYoursError (RuntimeError)          the command is for a player on another phone
    ├── RecordFileError (ValueError)          a file is neither a record nor an exported journal
    └── JournalError (RuntimeError)           the journal cannot be read or written
        └── DamagedJournalError               the file's content cannot be read

The engine's errors pass through unchanged. Errors that players can meet have a `companion.messages.message.Message`,
which pages can translate; errors for programs and operators are plain English.
"""

from __future__ import annotations

from typing import Final

from companion.messages.message import Message

REPAIR_HINT: Final = (
    "`perudo doctor --repair` sets the journal aside and goes on with all of it that can be read; "
    "--state names another folder."
)
"""What to do about a damaged journal."""


class TableError(Exception):
    """A command was refused. Nothing has changed."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        """A short name for programs."""
        self.message = message
        """An English sentence."""

    @property
    def sentence(self) -> str:
        """`message`, under the name that the engine's errors use."""
        return self.message


class UnreadableCommandError(TableError, ValueError):
    """The command could not be read."""


class RecordFileError(TableError, ValueError):
    """A file is neither a record nor an exported journal."""

    def __init__(self, message: str) -> None:
        super().__init__("bad-file", message)


class NotAllowedNowError(TableError, RuntimeError):
    """The command is not allowed now."""


class TooSoonError(NotAllowedNowError):
    """The command is allowed again in `seconds`."""

    def __init__(self, message: str, seconds: int) -> None:
        super().__init__("slow-down", message)
        self.seconds = seconds


class NotYoursError(TableError, RuntimeError):
    """A bid or call for a player who has a phone at the table."""

    def __init__(self, player: str) -> None:
        message = Message("Only {player}'s own phone can say that.", player=player)
        super().__init__("not-yours", message)


class RobotsTurnError(NotYoursError):
    """A bid or call for a player whom a robot plays."""

    def __init__(self, player: str) -> None:
        TableError.__init__(self, "not-yours", Message("{player} is a robot, and plays alone.", player=player))


class JournalError(TableError, RuntimeError):
    """The journal cannot be opened or read, or a picture cannot be saved.

    A failing disk never causes a command to be refused: the game goes on in memory, and the state says so.
    """

    def __init__(self, message: str) -> None:
        super().__init__("journal", message)


class DamagedJournalError(JournalError):
    """The content of the journal's file cannot be read. The file was left as it is."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} It was left as it is. {REPAIR_HINT}")
        self.what = what
        """The sentence that says what is damaged, without the others."""
