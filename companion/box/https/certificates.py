"""The box's own authority, which people install once, and the server's certificate, which follows the box.

What the browsers demand of them: a key on the curve P-256, SHA-256, the names as subjectAltName, the usage serverAuth,
and no more than 398 days for the server (support.apple.com/102028, which allows 825 under an own authority).

Whoever installs the authority is to risk nothing elsewhere, should the box's key be stolen: its name constraints, which
are critical, permit only names and addresses inside a house. But some devices look for constraints only below what was
installed. So the authority signs one certificate, the issuer, under the same constraints, and its key is thrown away;
the issuer signs the server's. Each file has one key and its certificates: a power cut cannot separate them.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import ssl
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from calibration.atomic_write import write_atomically
from companion.box.https.openssl import CertificateError, openssl
from companion.box.https.site_names import PERMITTED_DOMAINS, PERMITTED_NETWORKS, is_address, normal

HTTPS_FOLDER: Final = "https"
"""In the state folder."""
AUTHORITY_FILE: Final = "authority.pem"
SERVER_FILE: Final = "server.pem"

AUTHORITY_DAYS: Final = 3652
SERVER_DAYS: Final = 397
RENEWAL_DAYS: Final = 30
"""With fewer days left, the server's certificate is made anew."""

LONGEST_COMMON_NAME: Final = 64
"""X.520."""

_DAY: Final = 24 * 3600
_CERTIFICATE: Final = re.compile(rb"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----\n?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Authority:
    """The box's own authority."""

    certificate: bytes
    """What people install, PEM."""
    issuer: bytes
    """The certificate of the key that signs, PEM."""

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the certificate as devices show it: 32 pairs of hexadecimal digits with colons."""
        der = ssl.PEM_cert_to_DER_cert(self.certificate.decode())
        return hashlib.sha256(der).digest().hex(":").upper()


@dataclass(frozen=True, slots=True)
class ServerCertificate:
    """What is in the server's certificate."""

    names: frozenset[str]
    until: float
    """Seconds since the epoch."""

    def serves(self, names: Sequence[str], now: float) -> bool:
        """Whether it is for all these names, and for a while yet. A name that has gone does no harm in it."""
        return self.names.issuperset(names) and self.until - now >= RENEWAL_DAYS * _DAY


def read_authority(folder: Path) -> Authority | None:
    """The authority in a state folder; None if there is none. Raises `CertificateError`."""
    file = folder / HTTPS_FOLDER / AUTHORITY_FILE
    try:
        issuer, *rest = _CERTIFICATE.findall(file.read_bytes()) or [b""]
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CertificateError(f"{file} cannot be read: {error.strerror or error}") from error
    if not rest:
        raise CertificateError(f"the certificates in {file} are damaged; perudo certificate --remove takes them away")
    return Authority(rest[0], issuer)


def make_authority(folder: Path, name: str, now: float) -> Authority:
    """Make the authority of the box called `name`. Raises `CertificateError` or `OSError`."""
    day = datetime.fromtimestamp(now, UTC).date().isoformat()
    start, end = "Perudo box ", f" (made {day})"
    plain = re.sub(r"[^A-Za-z0-9.-]", "", name)[: LONGEST_COMMON_NAME - len(start) - len(end)] or "perudo"
    with _workshop(folder) as at:
        config, key, asked = at / "config", at / "key", at / "request"
        root, root_key, issuer = at / "root", at / "root-key", at / "issuer"
        config.write_text(_AUTHORITY.format(name=start + plain + end, constraints=_constraints()))
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
        server_file(folder).unlink(missing_ok=True)  # an earlier authority's
        write_atomically(file, key.read_bytes() + made.issuer + made.certificate, mode=0o600)
        return made


def server_file(folder: Path) -> Path:
    """The file of the server's key and certificate."""
    return folder / HTTPS_FOLDER / SERVER_FILE


def read_server(folder: Path) -> ServerCertificate | None:
    """What is in the server's certificate; None if there is none. Raises `CertificateError`."""
    file = server_file(folder)
    if not file.exists():
        return None
    text = openssl(
        *("x509", "-in", file, "-noout", "-enddate", "-dateopt", "iso_8601", "-ext", "subjectAltName")
    ).decode(errors="replace")
    until = re.search(r"^notAfter=(.+)$", text, re.MULTILINE)
    names = re.findall(r"(?:DNS|IP Address):([^,\s]+)", text)
    if until is None:
        raise CertificateError(f"openssl finds no end of the certificate in {file}")
    return ServerCertificate(frozenset(map(normal, names)), datetime.fromisoformat(until[1]).timestamp())


def make_server_certificate(folder: Path, authority: Authority, names: Sequence[str]) -> None:
    """Make the server's key and certificate for these names. Raises `CertificateError` or `OSError`."""
    signing = folder / HTTPS_FOLDER / AUTHORITY_FILE
    kinds = ("IP" if is_address(name) else "DNS" for name in names)
    listed = "\n".join(f"{kind}.{n} = {name}" for n, (kind, name) in enumerate(zip(kinds, names, strict=True)))
    with _workshop(folder) as at:
        (at / "config").write_text(_SERVER.format(names=listed))
        key, asked, certificate = at / "key", at / "request", at / "certificate"
        openssl("req", "-new", "-nodes", "-config", at / "config", *_NEW_KEY, "-keyout", key, "-out", asked)
        openssl(
            *("x509", "-req", "-sha256", "-in", asked, "-CA", signing, "-CAkey", signing, "-set_serial", _serial()),
            *("-days", str(SERVER_DAYS), "-extfile", at / "config", "-extensions", "server", "-out", certificate),
        )
        content = key.read_bytes() + certificate.read_bytes() + authority.issuer
        write_atomically(server_file(folder), content, mode=0o600)


def remove_certificates(folder: Path) -> bool:
    """Take both away for good; False if there were none. Raises `OSError`."""
    files = [server_file(folder), folder / HTTPS_FOLDER / AUTHORITY_FILE]
    there = [file for file in files if file.exists()]
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
    """A folder for drafts, which nobody else may read."""
    with tempfile.TemporaryDirectory(dir=_folder(folder), prefix=".draft-") as name:
        yield Path(name)


def _serial() -> str:
    return hex(secrets.randbits(126) | 1 << 126)


def _constraints() -> str:
    domains = [f"permitted;DNS.{n} = {domain}" for n, domain in enumerate(PERMITTED_DOMAINS)]
    networks = [f"permitted;IP.{n} = {each.with_netmask}" for n, each in enumerate(PERMITTED_NETWORKS)]
    return "\n".join([*domains, *networks])


_NEW_KEY: Final = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256")

# serverAuth on the authority, too: Windows would trust it for programs and letters otherwise.
_AUTHORITY: Final = """\
[req]
distinguished_name = subject
x509_extensions = authority
prompt = no
utf8 = yes

[subject]
CN = {name}

[authority]
basicConstraints = critical, CA:TRUE, pathlen:1
keyUsage = critical, keyCertSign, cRLSign
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
nameConstraints = critical, @constraints

[issuer]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign, cRLSign
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
nameConstraints = critical, @constraints

[constraints]
{constraints}
"""

_SERVER: Final = """\
[req]
distinguished_name = subject
prompt = no

[subject]
CN = Perudo box

[server]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = @names

[names]
{names}
"""
