"""A table's place in a club. The club's own code is imported once the table is in one, or joins."""

from __future__ import annotations

import logging
import random
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.config.sections import ClubConfig
from companion.messages.message import Message
from companion.state_folder import CLUB_FILE
from companion.table import Table
from web.box.club_desk import ClubRefusal, ClubState

if TYPE_CHECKING:
    from companion.club.member.desk import MemberDesk

log = logging.getLogger(__name__)

NO_CLUB: Final = ClubState(title="", table="", online=False, names=())


def has_club_part() -> bool:
    """Whether the extra `club` is installed."""
    return find_spec("paho") is not None


class TableClub:
    """`web.box.club_desk.ClubDesk`, and what keeps it up to date. From any thread."""

    def __init__(self, folder: Path, table: Table, config: ClubConfig, rng: random.Random) -> None:
        """`folder` has the journal, and `CLUB_FILE` once the table is in a club."""
        self._folder, self._table, self._config, self._rng = folder, table, config, rng
        self._desk: MemberDesk | None = None
        self._complained = False

    def tidy(self) -> None:
        """Follow what `perudo club join` has done meanwhile. Call it every few seconds."""
        if self._desk is not None:
            self._desk.tidy()
        elif self._config.broker or (self._folder / CLUB_FILE).exists():
            if has_club_part():
                self._member_desk().tidy()
            elif not self._complained:
                self._complained = True
                log.warning("The part for clubs is not installed (the extra called club): the table tells no broker.")

    def close(self) -> None:
        """Say goodbye. Safe to call twice."""
        if self._desk is not None:
            self._desk.close()

    def state(self) -> ClubState:
        return NO_CLUB if self._desk is None else self._desk.state()

    def join(self, address: str, name: str) -> None:
        self._member_desk().join(address, name)

    def leave(self) -> None:
        if self._desk is None:
            raise ClubRefusal(Message("This table is in no club."))
        self._desk.leave()

    def set_names(self, names: tuple[str, ...]) -> None:
        if self._desk is None:
            raise ClubRefusal(Message("This table is in no club."))
        self._desk.set_names(names)

    def _member_desk(self) -> MemberDesk:
        from companion.club.member.desk import MemberDesk  # noqa: PLC0415 - a table in no club does without all of it

        if self._desk is None:
            self._desk = MemberDesk(self._folder, self._table, self._config, self._rng)
        return self._desk
