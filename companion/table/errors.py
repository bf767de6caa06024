"""What can go wrong at the table, and whether it could not be read or is not allowed.

    TableError (Exception)                    has a code and a message
    ├── UnreadableCommandError (ValueError)   what was asked for makes no sense, at any time
    ├── NotAllowedNowError (RuntimeError)     it makes sense, but not now
    ├── NotYoursError (RuntimeError)          another phone is to say it
    ├── RecordFileError (ValueError)          a file to be brought in is no record and no exported journal
    └── JournalError (RuntimeError)           the journal cannot be opened or understood, or something not kept in it

The engine's own errors pass through as they are: `companion.engine` has the same two kinds. What a player may meet is a
`companion.messages.message.Message`, for pages in other languages; what only programs and operators meet is plain
English.
"""

from __future__ import annotations

from companion.messages.message import Message


class TableError(Exception):
    """A command that was not carried out. Nothing has changed."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        """A short name for programs."""
        self.message = message
        """A sentence in English."""

    @property
    def said(self) -> str:
        """The same, as the engine's errors have it."""
        return self.message


class UnreadableCommandError(TableError, ValueError):
    """The command could not be read."""


class RecordFileError(TableError, ValueError):
    """A file could not be read as the record of a game, or as an exported journal."""

    def __init__(self, message: str) -> None:
        super().__init__("bad-file", message)


class NotAllowedNowError(TableError, RuntimeError):
    """The command is not allowed now."""


class NotYoursError(TableError, RuntimeError):
    """A bid or a call of a player whose own phone is at the table."""

    def __init__(self, player: str) -> None:
        message = Message("That is {player}'s to say: {player}'s phone is at the table.", player=player)
        super().__init__("not-yours", message)


class JournalError(TableError, RuntimeError):
    """The journal cannot be opened, read or understood, or a picture not be kept.

    What happens at the table is never refused because of the disk: it goes on in memory, and the state says so.
    """

    def __init__(self, message: str) -> None:
        super().__init__("journal", message)
