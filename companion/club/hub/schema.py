"""The tables of a club's database, for SQLite and PostgreSQL. Columns are added, never changed."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, String, Table, Text, UniqueConstraint

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
"""What the tables said, once each, in the order in which it came."""

MEMBERS: Final = Table(
    "member",
    METADATA,
    Column("table_id", String(32), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("joined", String(40), nullable=False),
    Column("run", String(64)),
    Column("seq", BigInteger),
)
"""The tables, and the last event taken of each."""

INVITATIONS: Final = Table(
    "invitation",
    METADATA,
    Column("id", String(8), primary_key=True),
    Column("secret", String(32), nullable=False),
    Column("expires", String(40), nullable=False),
    Column("table_id", String(32)),  # who has used it
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
"""What happened in each tournament, as JSON."""
