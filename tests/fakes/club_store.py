"""What a club's database has, by its rows."""

from __future__ import annotations

import sqlalchemy as sql

from companion.club.hub.store import EVENTS, Store
from companion.member.payloads import EventKey


def stored_keys(store: Store, table: str) -> list[EventKey]:
    """Every event of a table, in the order in which they came."""
    query = sql.select(EVENTS.c.run, EVENTS.c.seq).where(EVENTS.c.table_id == table).order_by(EVENTS.c.id)
    with store._engine.connect() as connection:
        return [EventKey(row.run, row.seq) for row in connection.execute(query)]
