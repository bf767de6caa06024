"""Serves the page over https as long as there are certificates, and renews them when the box's addresses change."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta

from companion.box.network_name import network_name
from companion.features.https.certificates import CertificateError, has_openssl, site_names
from companion.features.https.secure_site import SecureSite
from companion.listening_socket import listen
from companion.messages.sentence import Value
from companion.page_address import PageAddress
from companion.table.commands import Count
from web.access.guard import own_names
from web.stream.server import Server

log = logging.getLogger(__name__)

HTTPS_LOOK_EVERY: Final = 5.0
"""Seconds between two checks of the certificates and the box's addresses: Wi-Fi may come after the start."""


def secure_site(state: Path, page: PageAddress, names: Iterable[str]) -> SecureSite:
    """The certificates in the folder `state`, for the page's addresses, this machine's names, and `names`."""
    name = f"{network_name()}.local"
    return SecureSite(state, name.removesuffix(".local"), lambda: site_names(page.urls, {*own_names(), name, *names}))


class HttpsState(Value, frozen=True, kw_only=True):
    """The state of the page over https."""

    openssl: Annotated[bool, Meta(description="Whether the command is installed that makes certificates.")]
    fingerprint: Annotated[
        str | None, Meta(description="SHA-256 of the authority's certificate, which /perudo-ca.crt is; null without.")
    ]
    port: Annotated[Count | None, Meta(description="Where the page is over https; null while it is not.")]
    names: Annotated[tuple[str, ...], Meta(description="The names and addresses that its certificate is for.")]


class SecurePage:
    """Manages https in a separate thread, because openssl may take seconds on a slow card."""

    def __init__(self, site: SecureSite, host: str, port: int) -> None:
        """Serve on `host` and `port`; port 0 means a free one."""
        self._site = site
        self._host = host
        self._wanted = port
        self._port: int | None = None
        self._trouble = ""
        self._server: Server | None = None
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="https", daemon=True)

    def start(self, server: Server) -> None:
        """Manage https of `server` until `stop`."""
        self._server = server
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join()

    def state(self) -> HttpsState:
        """The state shown on the page `/box`."""
        authority = self._site.authority
        return HttpsState(
            openssl=has_openssl(),
            fingerprint=None if authority is None else authority.fingerprint,
            port=self._port,
            names=self._site.served,
        )

    def certificate(self) -> bytes | None:
        """The authority's certificate, PEM; None if there is none."""
        authority = self._site.authority
        return None if authority is None else authority.certificate

    def make(self) -> None:
        """Make the certificates, and open https. Raises `CertificateError`."""
        self._site.make()
        self.look()
        if self._port is None and self._trouble:
            raise CertificateError(self._trouble)

    def look(self) -> None:
        """Open, close or renew https according to the current certificates and names."""
        context = self._site.refresh()
        with self._lock:
            if self._server is None or (context is None) == (self._port is None):
                return
            if context is None:
                self._server.close_https()
                self._port = None
                return
            try:
                listening = listen(self._host, self._wanted)
            except OSError as error:
                trouble = f"port {self._wanted} for https cannot be used: {error.strerror or error}"
                if trouble != self._trouble:
                    log.warning("%s. Another one is https_port in [web].", trouble)
                self._trouble = trouble
                return
            self._server.open_https(listening, context)
            self._port, self._trouble = listening.getsockname()[1], ""

    def _run(self) -> None:
        while True:
            self.look()
            if self._stopping.wait(HTTPS_LOOK_EVERY):
                return
