"""Phones and guests in numbers: what `python -m tests.proof load` asks of the server."""

from __future__ import annotations

import http.client
import socket
import time

import click

from tests.proof.box import Box, Phone
from tests.proof.report import Report, percentile, spread

IDLE = 700
"""Connections that a hostile guest opens and says nothing on."""
PATIENCE = 1.0
"""Seconds within which everybody else must be answered."""


@click.command()
def attack() -> None:
    """Idle connections from one address."""
    report = Report()
    idle_connections(report)
    report.end()


def idle_connections(report: Report) -> None:
    """One guest opens connections and says nothing; a phone that comes later is answered."""
    with Box() as box:
        box.phone(role="table").close()
        guests = []
        for _ in range(IDLE):
            try:
                guests.append(socket.create_connection((box.host, box.port), 5, source_address=("127.0.7.1", 0)))
            except OSError:
                break
        time.sleep(1)
        took = [newcomer(box) for _ in range(3)]
        report.check(f"{len(guests)} idle connections from one address", percentile(took, 95) < PATIENCE, spread(took))
        for guest in guests:
            guest.close()


def newcomer(box: Box) -> float:
    """Seconds until a phone that comes now has the state; infinite if it is not answered."""
    begun = time.monotonic()
    phone = Phone(box, timeout=5.0)
    try:
        phone.state()
    except (OSError, http.client.HTTPException):
        return float("inf")
    finally:
        phone.close()
    return time.monotonic() - begun
