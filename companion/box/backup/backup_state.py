"""What the page shows of backups. The fields are the keys of its JSON."""

from __future__ import annotations

from enum import StrEnum

from companion.box.backup.description import BackupDescription, Number
from companion.messages.sentence import Sentence, Value


class BackupStep(StrEnum):
    """What is under way."""

    IDLE = "idle"
    MAKING = "making"
    """A backup is being written."""
    SAVING = "saving"
    """It is being written to the USB stick."""
    LOOKING = "looking"
    """The box looks which backups are on the USB stick."""
    ARRIVING = "arriving"
    """One is being sent."""
    CHECKING = "checking"
    """It is being unpacked and checked."""
    OFFERED = "offered"
    """It may be put in place of what is here."""
    RESTARTING = "restarting"
    """The program ends, and puts it in place as it starts."""


class ReadyBackup(Value, frozen=True):
    """A backup that can be taken."""

    name: str
    """The file's."""
    bytes: Number
    secrets: bool


class RestoreOffer(Value, frozen=True):
    """A backup that was checked."""

    description: BackupDescription
    may_rename: bool
    """Whether this box can take over its name."""
    may_configure: bool
    """Whether this box can take over its configuration."""
    place: bool = False
    """Whether it has another box's place in a club, which only one box can have."""


class RestoredBackup(Value, frozen=True):
    """What was put in place last."""

    description: BackupDescription
    back: bool
    """Whether it was what had been here before a backup."""
    undo: bool
    """Whether what was there before it can be put back."""


class StickFile(Value, frozen=True):
    """A backup on the USB stick."""

    name: str
    bytes: Number


class BackupState(Value, frozen=True, kw_only=True):
    """Backups of this box, now."""

    step: BackupStep
    trouble: Sentence | None
    """What went wrong last."""
    file: ReadyBackup | None
    offer: RestoreOffer | None
    restored: RestoredBackup | None
    stick: bool
    """Whether this box can use a USB stick."""
    sticks: tuple[StickFile, ...] | None
    """The backups on it, once they were asked for."""
    on_stick: str | None
    """The file that was saved on it last."""
