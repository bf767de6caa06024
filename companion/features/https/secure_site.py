"""The certificates while the program runs: made when the host wants them, renewed when the box's names change."""

from __future__ import annotations

import logging
import ssl
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.features.https import certificates
from companion.features.https.certificates import Authority, CertificateError, ServerCertificate

log = logging.getLogger(__name__)


class SecureSite:
    """The certificates in a state folder, and a TLS server's context for them. Thread-safe."""

    def __init__(
        self,
        folder: Path,
        name: str,
        names: Callable[[], Sequence[str]],
        now: Callable[[], float] = time.time,
    ) -> None:
        """`name` is the box's name, `names` returns the names for which the certificate is needed now, and `now` the
        seconds since the epoch.
        """
        self._folder = folder
        self._name = name
        self._names = names
        self._now = now
        self._lock = threading.Lock()
        self._context: ssl.SSLContext | None = None
        self._loaded: tuple[int, int] | None = None
        """Inode and modification time of the certificate in the context."""
        self._server: ServerCertificate | None = None
        self._trouble = ""
        """The last error, which is logged only once."""
        self.authority: Authority | None = None
        """None if there is none yet."""

    @property
    def served(self) -> tuple[str, ...]:
        """The names and addresses in the server's certificate."""
        server = self._server
        return () if server is None else tuple(sorted(server.names))

    def make(self) -> Authority:
        """The authority, created if necessary together with a server certificate. Raises `CertificateError`."""
        with self._lock:
            try:
                if certificates.read_authority(self._folder) is None:
                    certificates.make_authority(self._folder, self._name, self._now())
                self._update()
            except OSError as error:
                raise CertificateError(
                    f"the certificate cannot be kept in {self._folder}: {error.strerror or error}"
                ) from error
            assert self.authority is not None
            return self.authority

    def refresh(self) -> ssl.SSLContext | None:
        """The server's context, with a certificate for the current names; None if there is no authority.

        It is always the same context: new connections get the newest certificate. A failure is logged, and the old
        certificate stays in use.
        """
        with self._lock:
            try:
                self._update()
                self._trouble = ""
            except (CertificateError, OSError) as error:
                if str(error) != self._trouble:
                    log.warning("The certificate for https cannot be renewed: %s.", error)
                self._trouble = str(error)
                self._load()
            return self._context

    def _update(self) -> None:
        self.authority = certificates.read_authority(self._folder)
        if self.authority is None:
            self._context = self._loaded = self._server = None
            return
        if self._server is None or self._signature() != self._loaded:
            self._server = certificates.read_server(self._folder)
        names = self._names()
        if self._server is None or not self._server.serves(names, self._now()):
            certificates.make_server_certificate(self._folder, self.authority, names)
            self._server = certificates.read_server(self._folder)
        self._load()

    def _load(self) -> None:
        signature = self._signature()
        if signature is None or signature == self._loaded:
            return
        context = self._context or _context()
        try:
            context.load_cert_chain(certificates.server_file(self._folder))
        except (OSError, ssl.SSLError) as error:
            log.warning("The certificate for https cannot be used: %s.", error)
            return
        self._context, self._loaded = context, signature

    def _signature(self) -> tuple[int, int] | None:
        try:
            found = certificates.server_file(self._folder).stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns


def _context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION  # a client could make us waste processor time
    return context
