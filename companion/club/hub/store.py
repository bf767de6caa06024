"""The club on disk: each event exactly once, in order. One hub writes, to SQLite or, by its URL, PostgreSQL."""

from __future__ import annotations

import json
import logging
import random
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

import sqlalchemy as sql
from msgspec.structs import replace
from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, String, Table, Text, UniqueConstraint
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from companion.club.books.books import Places, proven
from companion.member.errors import ClubError, NotAllowedInClubError
from companion.member.invitation import ClubInvitation
from companion.member.payloads import Acknowledgement, EventKey, EventMessage, RecordEvent, encode
from companion.messages.message import Message
from companion.messages.sentence import read_json

log = logging.getLogger(__name__)

DATABASE_FILE: Final = "club.sqlite3"
DATABASE_FORM: Final = "postgresql+psycopg://USER:PASSWORD@HOST:PORT/NAME"
INVITATION_HOURS: Final = 24
"""Hours for which an invitation is valid."""
_PLACES_AT_ONCE: Final = 50
_REMOVED: Final = "removed"
"""The setting with the tables that were in the club and have left it."""

# The tables. Columns are added, never changed.

METADATA: Final = MetaData()

_COUNTED: Final = BigInteger().with_variant(Integer, "sqlite")

EVENTS: Final = Table(
    "event",
    METADATA,
    Column("id", _COUNTED, primary_key=True, autoincrement=True),  # the order of the books
    Column("table_id", String(32), nullable=False),
    Column("run", String(64), nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("arrived", String(40), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("game", String(128), nullable=False),
    Column("body", Text, nullable=False),  # the whole message, as JSON
    UniqueConstraint("table_id", "run", "seq"),
    Index("event_by_game", "table_id", "game", "kind"),
    Index("event_by_kind", "kind", "id"),
    sqlite_autoincrement=True,
)
"""Everything the tables said, each event once, in order of arrival."""

PLACES_VERSION: Final = 1
"""Changed when the lines of a record prove other places than before."""

PLACES: Final = Table(
    "proven_places",
    METADATA,
    Column("event", _COUNTED, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),
    Column("places", Text, nullable=False),  # as JSON
)
"""The places that the lines of each record prove: a cache, because replaying an event takes longer."""

MEMBERS: Final = Table(
    "member",
    METADATA,
    Column("table_id", String(32), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("joined", String(40), nullable=False),
    Column("run", String(64)),
    Column("seq", BigInteger),
)
"""The tables, and the last event taken from each."""

INVITATIONS: Final = Table(
    "invitation",
    METADATA,
    Column("id", String(8), primary_key=True),
    Column("secret", String(32), nullable=False),
    Column("expires", String(40), nullable=False),
    Column("table_id", String(32)),  # the table that used it
)

SETTINGS: Final = Table(
    "setting", METADATA, Column("name", String(32), primary_key=True), Column("value", Text, nullable=False)
)

TOURNAMENT_EVENTS: Final = Table(
    "tournament_event",
    METADATA,
    Column("id", _COUNTED, primary_key=True, autoincrement=True),
    Column("tournament", Integer, nullable=False),
    Column("at", String(40), nullable=False),
    Column("body", Text, nullable=False),
    sqlite_autoincrement=True,
)
"""The events of each tournament, as JSON."""


@dataclass(frozen=True, slots=True)
class TakenEvents:
    """What became of some messages; everything is on disk."""

    new: tuple[tuple[str, EventMessage], ...]
    """Each message that was not there before, with its table."""
    acks: Mapping[str, Acknowledgement]
    """What to tell each table."""


class StoredRecord(NamedTuple):
    number: int
    """Grows in order of arrival."""
    table: str
    record: RecordEvent


def utc_moment(moved: timedelta = timedelta()) -> str:
    """The present time plus `moved`, in ISO 8601, UTC."""
    return (datetime.now(UTC) + moved).isoformat(timespec="milliseconds")


class Store:
    """The club's database. For one writing thread at a time; any thread may read."""

    def __init__(
        self,
        folder: Path,
        url: str | None = None,
        *,
        create: bool = True,
        now: Callable[[timedelta], str] = utc_moment,
    ) -> None:
        """Open the database at `url`, an SQLAlchemy URL, by default a file in `folder`. `create` makes a missing one.

        Raises `ClubError`.
        """
        if not create and url is None and not (folder / DATABASE_FILE).exists():
            raise ClubError(f"There is no club in {folder}. Start its hub first: perudo club.")
        self._now = now
        self._lock = threading.Lock()
        """Held while events are taken or a table is admitted."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._engine = _engine(url or f"sqlite:///{folder / DATABASE_FILE}")
            if self._engine.dialect.name == "sqlite":
                sql.event.listen(self._engine, "connect", _durable)
            if url is None:
                folder.chmod(0o700)
            METADATA.create_all(self._engine)
            with self._engine.begin() as connection:
                rows = connection.execute(sql.select(MEMBERS.c.table_id, MEMBERS.c.run, MEMBERS.c.seq))
                self._cursors = {row.table_id: _key(row) for row in rows}
            self._removed: tuple[str, ...] = tuple(json.loads(self.setting(_REMOVED, lambda: "[]")))
        except (SQLAlchemyError, OSError, ImportError, sqlite3.Error) as error:
            raise ClubError(f"The club's database cannot be used: {_reason(error)}.") from error

    def close(self) -> None:
        self._engine.dispose()

    # Events

    def cursors(self) -> dict[str, EventKey | None]:
        """Table -> the last event taken from it."""
        return dict(self._cursors)

    def take(self, messages: Sequence[tuple[str, EventMessage]]) -> TakenEvents:
        """Write the messages that can be added, each with its table: all of them or, if the disk fails, none.

        A message can be added if it is not there yet and its predecessor is. Messages of removed tables are skipped.
        Raises `ClubError`.
        """
        with self._lock:
            return self._take([each for each in messages if each[0] not in self._removed])

    def _take(self, messages: Sequence[tuple[str, EventMessage]]) -> TakenEvents:
        cursors = dict(self._cursors)
        new: list[tuple[str, EventMessage]] = []
        acks: dict[str, Acknowledgement] = {}
        with self._writing() as connection:
            for table, message in messages:
                if message.key == cursors.get(table) or self._has(connection, table, message.key):
                    acks[table] = Acknowledgement(key=message.key)
                elif message.before in (None, cursors.get(table)) or self._has(connection, table, message.before):
                    self._add(connection, table, message, known=table in cursors)
                    new.append((table, message))
                    cursors[table] = message.key
                    acks[table] = Acknowledgement(key=message.key)
                else:
                    acks[table] = Acknowledgement(key=cursors.get(table), missing=True)
        self._cursors = cursors
        return TakenEvents(tuple(new), acks)

    def records(self, after: int = 0) -> Iterator[StoredRecord]:
        """Every record, including replaced ones, in order of arrival. `after`: the number of a record.

        Its places are those that its lines prove, from the cache.
        """
        known = sql.and_(PLACES.c.event == EVENTS.c.id, PLACES.c.version == PLACES_VERSION)
        columns = (EVENTS.c.id, EVENTS.c.table_id, EVENTS.c.body, PLACES.c.places)
        query = sql.select(*columns).join(PLACES, known, isouter=True)
        query = query.where(EVENTS.c.kind == "record", EVENTS.c.id > after).order_by(EVENTS.c.id)
        new: dict[int, Places] = {}
        with self._engine.connect() as connection:
            for row in connection.execute(query):
                places = _places(row.places)
                if (record := _record(row.body, places)) is not None:
                    if places is None:
                        new[row.id] = record.places
                    if len(new) >= _PLACES_AT_ONCE:
                        self._keep_places(new)
                    yield StoredRecord(row.id, row.table_id, record)
        self._keep_places(new)

    def _keep_places(self, new: dict[int, Places]) -> None:
        rows = [{"event": number, "version": PLACES_VERSION, "places": json.dumps(new[number])} for number in new]
        try:
            with self._writing() as connection:
                if rows:
                    connection.execute(PLACES.delete().where(PLACES.c.event.in_(list(new))))
                    connection.execute(PLACES.insert(), rows)
        except ClubError as error:
            log.warning("the places in %d games are not kept, and are proven again: %s", len(rows), error)
        new.clear()

    def last_number(self) -> int:
        """The number of the last event of any kind; 0 if there is none."""
        return int(self._rows(sql.select(sql.func.max(EVENTS.c.id)))[0][0] or 0)

    def record(self, table: str, game: str) -> RecordEvent | None:
        """The last record of a game."""
        query = sql.select(EVENTS.c.body).where(
            EVENTS.c.table_id == table, EVENTS.c.game == game, EVENTS.c.kind == "record"
        )
        rows = self._rows(query.order_by(EVENTS.c.id.desc()).limit(1))
        return _record(rows[0].body) if rows else None

    def last_record(self) -> tuple[str, str] | None:
        """The game whose record arrived last, and when."""
        query = sql.select(EVENTS.c.game, EVENTS.c.arrived).where(EVENTS.c.kind == "record")
        rows = self._rows(query.order_by(EVENTS.c.id.desc()).limit(1))
        return (rows[0].game, rows[0].arrived) if rows else None

    def _has(self, connection: sql.Connection, table: str, key: EventKey | None) -> bool:
        if key is None:
            return False
        query = sql.select(EVENTS.c.id).where(
            EVENTS.c.table_id == table, EVENTS.c.run == key.run, EVENTS.c.seq == key.seq
        )
        return connection.execute(query).first() is not None

    def _add(self, connection: sql.Connection, table: str, message: EventMessage, *, known: bool) -> None:
        connection.execute(
            EVENTS.insert().values(
                table_id=table,
                run=message.run,
                seq=message.seq,
                arrived=self._now(timedelta()),
                kind=message.what.__struct_config__.tag,
                game=message.what.game,
                body=encode(message).decode(),
            )
        )
        cursor = {"run": message.run, "seq": message.seq}
        if known:
            connection.execute(MEMBERS.update().where(MEMBERS.c.table_id == table).values(**cursor))
        else:  # on a broker without passwords a table may come without an invitation
            joined = self._now(timedelta())
            connection.execute(MEMBERS.insert().values(table_id=table, name=table, joined=joined, **cursor))

    # Tables

    def members(self) -> dict[str, str]:
        """The club's tables and their names, in the order in which they joined."""
        query = sql.select(MEMBERS.c.table_id, MEMBERS.c.name).order_by(MEMBERS.c.joined)
        return {row.table_id: row.name for row in self._rows(query)}

    @property
    def removed(self) -> tuple[str, ...]:
        """The tables that were removed and have not joined again; their messages are ignored."""
        return self._removed

    def remove(self, table: str, *, games: bool = False) -> None:
        """Remove a table from the club, and its games only if `games`. Raises `ClubError`."""
        with self._lock:
            removed = (*(each for each in self._removed if each != table), table)
            with self._writing() as connection:
                connection.execute(MEMBERS.delete().where(MEMBERS.c.table_id == table))
                connection.execute(INVITATIONS.delete().where(INVITATIONS.c.table_id == table))
                if games:
                    theirs = sql.select(EVENTS.c.id).where(EVENTS.c.table_id == table)
                    connection.execute(PLACES.delete().where(PLACES.c.event.in_(theirs)))
                    connection.execute(EVENTS.delete().where(EVENTS.c.table_id == table))
                _set(connection, _REMOVED, json.dumps(removed))
            self._removed = removed
            self._cursors.pop(table, None)

    # Invitations

    def invite(self, hub: str, rng: random.Random) -> ClubInvitation:
        """Create an invitation by the hub at the address `hub`. Raises `ClubError`."""
        invitation = ClubInvitation(hub, f"{rng.getrandbits(32):08x}", f"{rng.getrandbits(128):032x}")
        expires = self._now(timedelta(hours=INVITATION_HOURS))
        with self._writing() as connection:
            connection.execute(INVITATIONS.delete().where(INVITATIONS.c.expires < self._now(timedelta())))
            values = {"id": invitation.id, "secret": invitation.secret, "expires": expires}
            connection.execute(INVITATIONS.insert().values(**values))
        return invitation

    def invitation_secret(self, number: str) -> str:
        """The secret of an invitation. Raises `NotAllowedInClubError` if there is none or it has expired."""
        rows = self._rows(sql.select(INVITATIONS).where(INVITATIONS.c.id == number))
        if not rows or rows[0].expires < self._now(timedelta()):
            raise NotAllowedInClubError(Message("This invitation is wrong or has expired. Ask for a new one."))
        return str(rows[0].secret)

    def admit(self, number: str, table: str, name: str, *, heard: bool = False) -> None:
        """Use up an invitation. A table may do so again until it has been `heard`, because the answer may be lost.

        Raises `NotAllowedInClubError` if another table has used it or has that id, and `ClubError`.
        """
        with self._lock, self._writing() as connection:
            removed = tuple(each for each in self._removed if each != table)
            row = connection.execute(sql.select(INVITATIONS).where(INVITATIONS.c.id == number)).first()
            if row is None or row.table_id not in (None, table) or (row.table_id is not None and heard):
                raise NotAllowedInClubError(Message("This invitation has been used. Every table needs one of its own."))
            if row.table_id is None and table in self._cursors:
                raise NotAllowedInClubError(
                    Message("This table is in the club already. Remove it in the lobby first, under Tournaments.")
                )
            connection.execute(INVITATIONS.update().where(INVITATIONS.c.id == number).values(table_id=table))
            if table in self._cursors:
                connection.execute(MEMBERS.update().where(MEMBERS.c.table_id == table).values(name=name))
            else:
                joined = self._now(timedelta())
                connection.execute(MEMBERS.insert().values(table_id=table, name=name, joined=joined))
            _set(connection, _REMOVED, json.dumps(removed))
        with self._lock:
            self._cursors.setdefault(table, None)
            self._removed = removed

    # Settings and tournaments

    def setting(self, name: str, default: Callable[[], str]) -> str:
        """A setting; `default` computes it the first time. Raises `ClubError`."""
        with self._writing() as connection:
            found = connection.execute(sql.select(SETTINGS.c.value).where(SETTINGS.c.name == name)).scalar()
            if found is None:
                found = default()
                connection.execute(SETTINGS.insert().values(name=name, value=found))
        return str(found)

    def club(self, rng: random.Random) -> str:
        """The club's id, drawn at random the first time."""
        return self.setting("club", lambda: f"club-{rng.getrandbits(32):08x}")

    def set(self, name: str, value: str) -> None:
        """Change a setting. Raises `ClubError`."""
        self.setting(name, lambda: value)
        with self._writing() as connection:
            _set(connection, name, value)

    def tournament_events(self) -> list[tuple[int, bytes]]:
        """Tournament and JSON of every event of the tournaments, in order."""
        query = sql.select(TOURNAMENT_EVENTS.c.tournament, TOURNAMENT_EVENTS.c.body).order_by(TOURNAMENT_EVENTS.c.id)
        return [(row.tournament, row.body.encode()) for row in self._rows(query)]

    def recent_tournaments(self, within: timedelta) -> dict[int, str]:
        """The tournaments with an event within that time, and the time of the last one."""
        last = sql.func.max(TOURNAMENT_EVENTS.c.at)
        query = sql.select(TOURNAMENT_EVENTS.c.tournament, last).group_by(TOURNAMENT_EVENTS.c.tournament)
        return {row.tournament: row[1] for row in self._rows(query.having(last >= self._now(-within)))}

    def add_tournament_events(self, tournament: int, bodies: Sequence[bytes]) -> None:
        """Write events of a tournament, all or nothing. Raises `ClubError`."""
        rows = [{"tournament": tournament, "at": self._now(timedelta()), "body": body.decode()} for body in bodies]
        with self._writing() as connection:
            connection.execute(TOURNAMENT_EVENTS.insert(), rows)

    def _rows(self, query: sql.Select[Any]) -> Sequence[Any]:
        with self._engine.connect() as connection:
            return connection.execute(query).all()

    @contextmanager
    def _writing(self) -> Iterator[sql.Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        except (SQLAlchemyError, OverflowError, UnicodeError) as error:  # drivers raise the last two
            raise ClubError(Message("The club's books cannot be written: {reason}.", reason=_reason(error))) from error


def _durable(connection: Any, _record: object) -> None:
    """As in a table's journal: on disk before anybody is told."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA busy_timeout=5000")
    cursor.close()


def _set(connection: sql.Connection, name: str, value: str) -> None:
    """Change an existing setting."""
    connection.execute(SETTINGS.update().where(SETTINGS.c.name == name).values(value=value))


def _record(body: str, places: Places | None = None) -> RecordEvent | None:
    """The record in a stored event, with the places that its lines prove unless they are given; None if it cannot be
    read, as when a version wrote it that accepts more than this one.
    """
    try:
        what = read_json(body, EventMessage).what
    except ValueError as error:
        log.warning("a game in the club's books cannot be read, and does not count: %s", error)
        return None
    if not isinstance(what, RecordEvent):
        return None
    return with_places(what) if places is None else replace(what, places=places)


def with_places(record: RecordEvent) -> RecordEvent:
    """The record with the places that its lines prove."""
    return replace(record, places=proven(record))


def _places(text: str | None) -> Places | None:
    """Cached places; None if they are missing or damaged."""
    try:
        return None if text is None else read_json(text, Places)
    except ValueError as error:
        log.warning("the places in a game are proven again: %s", error)
        return None


def _key(row: Any) -> EventKey | None:
    return None if row.run is None else EventKey(row.run, row.seq)


def _engine(url: str) -> sql.Engine:
    """The database at `url`, not yet opened. Raises `ClubError`, which never contains the password."""
    try:
        return sql.create_engine(url)
    except (ArgumentError, ValueError) as error:
        raise ClubError(
            f"A database's URL is {DATABASE_FORM}. In a password, write %40 for @ and %2F for /."
        ) from error


def _reason(error: BaseException) -> str:
    return str(getattr(error, "orig", None) or error).strip().rstrip(".")
