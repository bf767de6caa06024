"""The box's own certificate authority, which people install once, and the server's certificate, issued by it.

Browsers require: a key on the curve P-256, SHA-256, the names as subjectAltName, the usage serverAuth, and at most 398
days for the server (support.apple.com/102028; 825 days under a private authority).

Installing the authority must be safe even if the box's key is stolen: its critical name constraints permit only names
and addresses inside a house. Some devices check constraints only below the installed certificate, so the authority
signs a single certificate, the issuer, under the same constraints, and its key is discarded; the issuer signs the
server's. Each file contains one key with its certificates, so a power cut cannot separate them.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
import secrets
import shutil
import ssl
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from calibration.atomic_write import write_atomically
from companion.box.service import FILES
from companion.kept_file import asides, read_kept

PERMITTED_DOMAINS: Final = ("local", "lan", "home", "home.arpa", "internal", "localhost")
"""Domains under which nobody can register a name."""

PERMITTED_NETWORKS: Final = tuple(
    map(
        ipaddress.ip_network,
        (
            *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"),
            *("fc00::/7", "fe80::/10", "::1/128"),
        ),
    )
)
"""Addresses that belong to nobody outside the house."""

_ALWAYS: Final = ("localhost", "127.0.0.1", "::1")

HTTPS_FOLDER: Final = "https"
"""In the state folder."""
AUTHORITY_FILE: Final = "authority.pem"
SERVER_FILE: Final = "server.pem"

AUTHORITY_DAYS: Final = 3652
SERVER_DAYS: Final = 397
RENEWAL_DAYS: Final = 30
"""The server's certificate is renewed when it is valid for fewer days than this."""

LONGEST_COMMON_NAME: Final = 64
"""The limit of X.520."""

OPENSSL_TIMEOUT: Final = 60.0
"""Seconds that one call may take. It usually takes 0.1."""

GET_OPENSSL: Final = "openssl is not installed here, which makes certificates: sudo apt install openssl"

_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
_DAY: Final = 24 * 3600
_CERTIFICATE: Final = re.compile(rb"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----\n?", re.DOTALL)


class CertificateError(RuntimeError):
    """A certificate cannot be made or read. The message says why."""


# Names


def site_names(urls: Iterable[str], names: Iterable[str]) -> tuple[str, ...]:
    """The hosts of the page's addresses, the machine's `names` and localhost, if a certificate may contain them."""
    hosts = {*(urlsplit(url).hostname or "" for url in urls), *names, *_ALWAYS}
    return tuple(sorted({normal(host) for host in hosts if may_be_certified(host)}))


def may_be_certified(host: str) -> bool:
    """True if the authority's name constraints permit a name or an address."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        labels = host.lower().split(".")
        plain = host.isascii() and all(each and set(each) <= _LETTERS for each in labels) and len(host) <= 253
        return plain and any(f".{host.lower()}".endswith(f".{domain}") for domain in PERMITTED_DOMAINS)
    return any(address in network for network in PERMITTED_NETWORKS)


def is_address(host: str) -> bool:
    """True if `host` is an IP address."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def normal(host: str) -> str:
    """A name or an address in its canonical form: openssl writes ::1 as 0:0:0:0:0:0:0:1."""
    return str(ipaddress.ip_address(host)) if is_address(host) else host.lower()


# Certificates


@dataclass(frozen=True, slots=True)
class Authority:
    """The box's own certificate authority."""

    certificate: bytes
    """The certificate that people install, PEM."""
    issuer: bytes
    """The certificate of the signing key, PEM."""

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the certificate, as devices show it: 32 pairs of hexadecimal digits with colons."""
        der = ssl.PEM_cert_to_DER_cert(self.certificate.decode())
        return hashlib.sha256(der).digest().hex(":").upper()


@dataclass(frozen=True, slots=True)
class ServerCertificate:
    """The content of the server's certificate."""

    names: frozenset[str]
    until: float
    """Seconds since the epoch."""

    def serves(self, names: Sequence[str], now: float) -> bool:
        """True if it covers all these names, for at least `RENEWAL_DAYS` more. Names no longer used do no harm."""
        return self.names.issuperset(names) and self.until - now >= RENEWAL_DAYS * _DAY


def read_authority(folder: Path) -> Authority | None:
    """The authority in a state folder; None if it is missing or damaged. Raises `CertificateError`."""
    found = _kept(folder / HTTPS_FOLDER / AUTHORITY_FILE, "There is no https until certificates are made again.")
    return None if found is None else Authority(found[1], issuer=found[0])


def make_authority(folder: Path, name: str, now: float) -> Authority:
    """Make a new authority for the box called `name`. Raises `CertificateError` or `OSError`."""
    day = datetime.fromtimestamp(now, UTC).date().isoformat()
    start, end = "Perudo box ", f" (made {day})"
    plain = re.sub(r"[^A-Za-z0-9.-]", "", name)[: LONGEST_COMMON_NAME - len(start) - len(end)] or "perudo"
    with _workshop(folder) as at:
        config, key, asked = at / "config", at / "key", at / "request"
        root, root_key, issuer = at / "root", at / "root-key", at / "issuer"
        config.write_text(_settings("authority", name=start + plain + end, constraints=_constraints()))
        days = ("-sha256", "-days", str(AUTHORITY_DAYS))
        openssl(
            *("req", "-x509", "-new", "-nodes", "-config", config, *days, "-set_serial", _serial()),
            *(*_NEW_KEY, "-keyout", root_key, "-out", root),
        )
        subject = f"/CN=Perudo issuer {plain[:30]} {day}"
        openssl(
            *("req", "-new", "-nodes", "-config", config, "-subj", subject, *_NEW_KEY, "-keyout", key, "-out", asked)
        )
        openssl(
            *("x509", "-req", *days, "-in", asked, "-CA", root, "-CAkey", root_key, "-set_serial", _serial()),
            *("-extfile", config, "-extensions", "issuer", "-out", issuer),
        )
        made = Authority(root.read_bytes(), issuer.read_bytes())
        file = _folder(folder) / AUTHORITY_FILE
        server_file(folder).unlink(missing_ok=True)  # issued by an earlier authority
        write_atomically(file, key.read_bytes() + made.issuer + made.certificate, mode=0o600)
        return made


def server_file(folder: Path) -> Path:
    """The file of the server's key and certificate."""
    return folder / HTTPS_FOLDER / SERVER_FILE


def read_server(folder: Path) -> ServerCertificate | None:
    """Parse the server's certificate; None if it is missing or damaged. Raises `CertificateError`."""
    file = server_file(folder)
    if _kept(file, "Another one is made.") is None:
        return None
    text = openssl(
        *("x509", "-in", file, "-noout", "-enddate", "-dateopt", "iso_8601", "-ext", "subjectAltName")
    ).decode(errors="replace")
    until = re.search(r"^notAfter=(.+)$", text, re.MULTILINE)
    names = re.findall(r"(?:DNS|IP Address):([^,\s]+)", text)
    if until is None:
        raise CertificateError(f"openssl finds no end of the certificate in {file}")
    return ServerCertificate(frozenset(map(normal, names)), datetime.fromisoformat(until[1]).timestamp())


def _kept(file: Path, loss: str) -> tuple[bytes, bytes] | None:
    """Read a file with one key and two certificates, of which the first is the key's. Raises `CertificateError`.

    None if it is missing or damaged: see `read_kept`.
    """

    def read(content: bytes) -> tuple[bytes, bytes]:
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(file, password="")
        except ssl.SSLError as error:
            raise ValueError(f"OpenSSL says {error.reason}") from error
        first, second = _CERTIFICATE.findall(content)
        ssl.PEM_cert_to_DER_cert(second.decode())  # checks only the syntax: its key is not here
        return first, second

    try:
        return read_kept(file, read, loss)
    except OSError as error:
        raise CertificateError(f"{file} cannot be read: {error.strerror or error}") from error


def make_server_certificate(folder: Path, authority: Authority, names: Sequence[str]) -> None:
    """Make a key and a certificate for the server with these names. Raises `CertificateError` or `OSError`."""
    signing = folder / HTTPS_FOLDER / AUTHORITY_FILE
    kinds = ("IP" if is_address(name) else "DNS" for name in names)
    listed = "\n".join(f"{kind}.{n} = {name}" for n, (kind, name) in enumerate(zip(kinds, names, strict=True)))
    with _workshop(folder) as at:
        (at / "config").write_text(_settings("server", names=listed))
        key, asked, certificate = at / "key", at / "request", at / "certificate"
        openssl("req", "-new", "-nodes", "-config", at / "config", *_NEW_KEY, "-keyout", key, "-out", asked)
        openssl(
            *("x509", "-req", "-sha256", "-in", asked, "-CA", signing, "-CAkey", signing, "-set_serial", _serial()),
            *("-days", str(SERVER_DAYS), "-extfile", at / "config", "-extensions", "server", "-out", certificate),
        )
        content = key.read_bytes() + certificate.read_bytes() + authority.issuer
        write_atomically(server_file(folder), content, mode=0o600)


def remove_certificates(folder: Path) -> bool:
    """Delete the authority and the server's certificate; False if there were none. Raises `OSError`."""
    files = [server_file(folder), folder / HTTPS_FOLDER / AUTHORITY_FILE]
    there = [each for file in files for each in (file, *asides(file)) if each.exists()]
    for file in there:
        file.unlink()
    if (folder / HTTPS_FOLDER).is_dir():
        (folder / HTTPS_FOLDER).rmdir()
    return bool(there)


def _folder(folder: Path) -> Path:
    place = folder / HTTPS_FOLDER
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    return place


@contextmanager
def _workshop(folder: Path) -> Iterator[Path]:
    """A temporary private folder."""
    with tempfile.TemporaryDirectory(dir=_folder(folder), prefix=".draft-") as name:
        yield Path(name)


def _serial() -> str:
    return hex(secrets.randbits(126) | 1 << 126)


def _settings(of: str, **values: str) -> str:
    """The text of an openssl configuration in `companion/box/files/https`, with `@name@` replaced by its value."""
    text = (FILES / "https" / f"{of}.cnf").read_text(encoding="utf-8")
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text


def _constraints() -> str:
    domains = [f"permitted;DNS.{n} = {domain}" for n, domain in enumerate(PERMITTED_DOMAINS)]
    networks = [f"permitted;IP.{n} = {each.with_netmask}" for n, each in enumerate(PERMITTED_NETWORKS)]
    return "\n".join([*domains, *networks])


_NEW_KEY: Final = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256")


# Debian's `openssl` command makes the keys and certificates: Python's library cannot.


def has_openssl() -> bool:
    """True if the `openssl` command is installed."""
    return shutil.which("openssl") is not None


def openssl(*arguments: str | Path) -> bytes:
    """Run `openssl` with these arguments: its standard output. Raises `CertificateError`."""
    try:
        done = subprocess.run(
            ("openssl", *map(str, arguments)),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=OPENSSL_TIMEOUT,
        )
    except FileNotFoundError as error:
        raise CertificateError(GET_OPENSSL) from error
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode(errors="replace").strip().splitlines() or [f"exit status {error.returncode}"]
        raise CertificateError(f"openssl {arguments[0]} failed: {said[-1]}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CertificateError(f"openssl {arguments[0]} failed: {error}") from error
    return done.stdout
