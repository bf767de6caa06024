"""Phones in numbers, and guests that only take up room: what the server must go on under."""

from __future__ import annotations

import http.client
import json
import socket
import time

import click

from companion.box.process import Phone
from tests.proof.audience import Audience
from tests.proof.box import Box
from tests.proof.report import Report, percentile, spread
from web.stream.stream import MAX_LISTENERS

CHANGE_TIME = 0.02
"""Seconds from one change to the next."""
TAP_TIME = 0.1
"""Seconds that 95 of 100 taps may take at most."""
PATIENCE = 1.0
"""Seconds within which everybody else must be answered while a guest attacks."""
IDLE = 700
"""Connections of a guest that says nothing on them."""
DEAF = 110
"""Connections of a guest that asks for much and reads nothing."""
DEAF_TIME = 12.0
"""Seconds for which it does so."""


@click.command()
@click.option("--phones", type=click.IntRange(1, MAX_LISTENERS - 1), default=100, show_default=True,
              help="How many listen while the game is played.")  # fmt: skip
@click.option("--seconds", type=click.FloatRange(min=1), default=15.0, show_default=True, help="How long it is played.")
def attack(phones: int, seconds: float) -> None:
    """Many phones that listen; then idle connections, and guests that read nothing."""
    report = Report()
    listening_phones(report, phones, seconds)
    full_table(report)
    idle_connections(report)
    deaf_guests(report)
    report.end()


def watching(box: Box, count: int) -> list[str | None]:
    """The tokens of phones that joined to watch, each from an address of its own."""
    tokens = []
    for number in range(count):
        phone = box.phone(f"127.0.{1 + number // 200}.{1 + number % 200}", role="watching")
        tokens.append(phone.token)
        phone.close()
    return tokens


def listening_phones(report: Report, count: int, seconds: float) -> None:
    """Every phone hears of every change, and a tap is answered at once."""
    with Box() as box:
        host = box.phone(role="table")
        with Audience(box.host, box.port, watching(box, count)) as audience:
            version, taps, made = host.state()["version"], [], {}
            processor, begun = box.processor_s, time.monotonic()
            while (now := time.monotonic()) < begun + seconds:
                version = host.change("resume" if len(taps) % 2 else "pause", {}, version)["version"]
                made[version] = now
                taps.append(time.monotonic() - now)
                time.sleep(max(0.0, CHANGE_TIME - taps[-1]))
            rate = len(taps) / (time.monotonic() - begun)
            load = (box.processor_s - processor) / len(taps)
            heard = audience.heard()
    report.check(f"{count} phones get a stream", set(heard.statuses) == {200})
    up_to_date = sum(last == version for last in heard.last.values())
    report.check("each has the last state", up_to_date == count, f"{up_to_date} of {count}")
    report.check(f"taps at {rate:.0f} changes a second", percentile(taps, 95) < TAP_TIME, spread(taps))
    delays = [at - made[version] for version, at in heard.times if version in made]
    report.check("from a tap to every phone", percentile(delays, 95) < TAP_TIME, spread(delays))
    click.echo(f"     processor time {1000 * load:.1f} ms a change")


def full_table(report: Report) -> None:
    """With all places taken by phones that watch, the newest of those is refused, and the host is not."""
    with Box() as box:
        host = box.phone(role="table")
        with Audience(box.host, box.port, watching(box, MAX_LISTENERS + 3)) as audience:
            with Audience(box.host, box.port, [host.token]) as late:
                report.check("the host's phone, coming last, gets a stream", late.heard().statuses == (200,))
            heard = audience.heard()
    refused = heard.statuses.count(503)
    report.check("phones beyond the limit are refused", refused == 3, f"{refused} of {len(heard.statuses)}")
    head, _, body = heard.refusal.partition(b"\r\n\r\n")
    said = json.loads(body)["message"] if body else ""
    report.check("in a sentence, and told when to try again", b"\r\nRetry-After: " in head and bool(said), said)


def idle_connections(report: Report) -> None:
    """One guest opens connections and says nothing; a phone that comes later is answered."""
    with Box() as box:
        box.phone(role="table").close()
        guests = []
        for _ in range(IDLE):
            guests.append(socket.create_connection((box.host, box.port), 5, source_address=("127.0.7.1", 0)))
        time.sleep(1)
        took = [newcomer(box) for _ in range(5)]
        report.check(f"{IDLE} idle connections from one address", max(took) < PATIENCE, spread(took))
        for guest in guests:
            guest.close()


def deaf_guests(report: Report) -> None:
    """One guest asks for megabytes and reads none; everybody else is answered, and taps are taken."""
    with Box() as box:
        host = box.phone(role="table")
        guests = []
        for _ in range(DEAF):
            guest = socket.socket()
            guest.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            guest.bind(("127.0.12.1", 0))
            guest.connect((box.host, box.port))
            guest.sendall(b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 60)
            guests.append(guest)
        took, taps, begun = [], [], time.monotonic()
        while (now := time.monotonic()) < begun + DEAF_TIME:
            took.append(newcomer(box))
            now = time.monotonic()
            host.change("resume" if len(taps) % 2 else "pause", {})
            taps.append(time.monotonic() - now)
            time.sleep(0.5)
        report.check(f"{DEAF} guests that read nothing: newcomers", max(took) < PATIENCE, spread(took))
        report.check(f"{DEAF} guests that read nothing: taps", max(taps) < PATIENCE, spread(taps))
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
