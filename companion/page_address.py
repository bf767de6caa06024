"""The page's address: whether it answers, and how it is announced."""

from __future__ import annotations

import http.client
import sys
import threading
import time
from typing import NamedTuple

import click
import segno

from companion.network import EVERYWHERE, LOOPBACK, urls
from web.access.invitation import invitation


class PageAddress(NamedTuple):
    """The host and the port that the page's server listens on."""

    host: str
    port: int

    @property
    def urls(self) -> list[str]:
        """The page's addresses for phones, the best first."""
        return urls(self.host, self.port)

    def answers(self, within: float = 2.0) -> bool:
        """Whether the page answers this machine within so many seconds."""
        host = LOOPBACK if self.host in EVERYWHERE else self.host
        connection = http.client.HTTPConnection(host, self.port, timeout=within)
        try:
            connection.request("GET", "/api/v1/state")
            response = connection.getresponse()
            response.read()
        except (OSError, http.client.HTTPException):
            return False
        else:
            return response.status == 200
        finally:
            connection.close()

    def wait(self, stop: threading.Event, within: float) -> bool:
        """Wait until the page answers; False if `stop` is set first. Raises `TimeoutError`."""
        until = time.monotonic() + within
        while not self.answers():
            if stop.is_set():
                return False
            if time.monotonic() > until:
                raise TimeoutError(f"The server on port {self.port} does not answer.")
            stop.wait(0.05)
        return True

    def announce(self, code: str, *, qr: bool) -> None:
        """Print the best address on a line of its own, and the table's code; with `qr` also a QR code of both."""
        address, *others = self.urls
        click.echo(address)
        click.echo(f"Table code: {code}")
        sys.stdout.flush()
        if not qr:
            return
        segno.make(invitation(address, code), micro=False).terminal(out=sys.stdout, compact=True)
        click.echo(
            f"Point a phone on the same Wi-Fi at this, or open {' or '.join([address, *others])} there and type the "
            "table code.\nWhoever only watches needs no code. Ctrl-C stops."
        )
        sys.stdout.flush()
