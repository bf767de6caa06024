"""The box's certificates, made by the real openssl: what browsers demand, what they refuse, when they are renewed."""

from __future__ import annotations

import re
import shutil
import socket
import ssl
import stat
import subprocess
import threading
from pathlib import Path

import pytest

from companion.features.https import certificates
from companion.features.https.certificates import CertificateError, has_openssl, site_names
from companion.features.https.secure_site import SecureSite

pytestmark = pytest.mark.programs("openssl")

DAY = 24 * 3600
NAMES = site_names(["http://192.168.1.5:8000/"], ["box", "box.local", "box.lan"])


class Clock:
    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def names() -> list[str]:
    return list(NAMES)


@pytest.fixture
def clock(tmp_path: Path) -> Clock:
    """The present, which openssl dates certificates by."""
    return Clock(tmp_path.stat().st_mtime)


@pytest.fixture
def site(tmp_path: Path, names: list[str], clock: Clock) -> SecureSite:
    return SecureSite(tmp_path, "box", lambda: names, clock)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of certificates: openssl takes long."""
    folder = tmp_path_factory.mktemp("kept")
    SecureSite(folder, "box", lambda: NAMES).make()
    return folder / "https"


@pytest.fixture
def made(kept: Path, site: SecureSite, tmp_path: Path) -> certificates.Authority:
    """The authority of `site`."""
    shutil.copytree(kept, tmp_path / "https")
    return site.make()


def openssl(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(("openssl", *map(str, arguments)), capture_output=True, text=True, check=False)


def trusting(authority: certificates.Authority) -> ssl.SSLContext:
    """What a device is that installed the authority, and trusts no other."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=authority.certificate.decode())
    return context


def names_shown(site: SecureSite, host: str, authority: certificates.Authority) -> set[str]:
    """The names in the certificate that a device gets which opens `host`. Raises `ssl.SSLError`."""
    context = site.refresh()
    ours, theirs = socket.socketpair()
    with ours, theirs:

        def serve() -> None:
            try:
                with context.wrap_socket(ours, server_side=True):
                    pass
            except OSError:
                pass  # the device has refused

        server = threading.Thread(target=serve)
        server.start()
        try:
            with trusting(authority).wrap_socket(theirs, server_hostname=host) as device:
                shown = device.getpeercert()
        finally:
            server.join()
    assert shown
    return {str(name) for _, name in shown["subjectAltName"]}  # type: ignore[misc, index]


def test_a_device_that_trusts_the_authority_opens_every_name_of_the_box_and_no_other(
    made: certificates.Authority, site: SecureSite
) -> None:
    for host in ("box.local", "box.lan", "localhost", "192.168.1.5", "::1"):
        assert "box.local" in names_shown(site, host, made)
    with pytest.raises(ssl.SSLCertVerificationError, match="mismatch"):
        names_shown(site, "other.local", made)


def test_the_certificates_are_what_browsers_demand(made: certificates.Authority, tmp_path: Path) -> None:
    folder = tmp_path / "https"
    authority, issuer = shown(tmp_path, made.certificate), shown(tmp_path, made.issuer)
    server = openssl("x509", "-in", folder / "server.pem", "-noout", "-text").stdout
    for text in (authority, issuer, server):
        assert "Signature Algorithm: ecdsa-with-SHA256" in text
        assert "NIST CURVE: P-256" in text
        assert re.search(r"Subject: CN ?= ?Perudo", text)
    assert "Basic Constraints: critical\n                CA:TRUE, pathlen:1" in authority
    assert "Basic Constraints: critical\n                CA:TRUE, pathlen:0" in issuer
    assert "Name Constraints: critical\n                Permitted:" in authority
    assert re.findall(r"permitted.*|(?:DNS|IP):.*", authority) == re.findall(r"permitted.*|(?:DNS|IP):.*", issuer), (
        "some devices look for constraints only below what was installed"
    )
    assert "Basic Constraints: critical\n                CA:FALSE" in server
    assert "TLS Web Server Authentication" in server
    days = openssl("x509", "-in", folder / "server.pem", "-noout", "-checkend", str(398 * DAY))
    assert days.returncode == 1, "browsers refuse what is valid for longer"
    assert openssl("x509", "-in", folder / "server.pem", "-noout", "-checkend", str(395 * DAY)).returncode == 0
    assert openssl("x509", "-in", folder / "authority.pem", "-noout", "-checkend", str(3650 * DAY)).returncode == 0


def shown(folder: Path, certificate: bytes) -> str:
    (folder / "shown").write_bytes(certificate)
    return openssl("x509", "-in", folder / "shown", "-noout", "-text").stdout


def test_the_key_that_signed_the_issuer_is_thrown_away(made: certificates.Authority, tmp_path: Path) -> None:
    (tmp_path / "installed").write_bytes(made.certificate)
    (tmp_path / "issuer").write_bytes(made.issuer)
    installed, issuer = (
        openssl("x509", "-in", tmp_path / name, "-noout", "-pubkey") for name in ("installed", "issuer")
    )
    kept = openssl("pkey", "-in", tmp_path / "https" / "authority.pem", "-pubout").stdout
    assert kept == issuer.stdout
    assert kept != installed.stdout
    assert (tmp_path / "https" / "authority.pem").read_text().count("PRIVATE KEY-----") == 2, "of one key"


def test_nobody_else_may_read_the_keys(site: SecureSite, tmp_path: Path) -> None:
    site.make()
    files = sorted(path.name for path in (tmp_path / "https").iterdir())
    assert files == ["authority.pem", "server.pem"], "no draft of a key is left behind"
    assert {stat.S_IMODE((tmp_path / "https" / name).stat().st_mode) for name in files} == {0o600}
    assert stat.S_IMODE((tmp_path / "https").stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("name", "accepted"),
    [
        *(("DNS:other.local", True), ("IP:10.1.2.3", True), ("IP:fd00::1", True)),
        *(("DNS:example.com", False), ("DNS:local.example.com", False), ("DNS:notlocal", False)),
        *(("IP:8.8.8.8", False), ("IP:2001:db8::1", False)),
    ],
)
def test_the_authority_can_vouch_for_nothing_outside_a_house(
    made: certificates.Authority, tmp_path: Path, name: str, accepted: bool
) -> None:
    authority = tmp_path / "https" / "authority.pem"
    (tmp_path / "stolen.cnf").write_text(f"subjectAltName={name}\nextendedKeyUsage=serverAuth\n")
    asked = openssl(
        *("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=x"),
        *("-keyout", tmp_path / "k", "-out", tmp_path / "r"),
    )
    assert asked.returncode == 0, asked.stderr
    signed = openssl(
        *("x509", "-req", "-in", tmp_path / "r", "-CA", authority, "-CAkey", authority, "-set_serial", "1"),
        *("-extfile", tmp_path / "stolen.cnf", "-out", tmp_path / "c"),
    )
    assert signed.returncode == 0, signed.stderr
    (tmp_path / "installed").write_bytes(made.certificate)
    trusted = ("-CAfile", tmp_path / "installed", "-untrusted", authority)
    verified = openssl("verify", "-purpose", "sslserver", *trusted, tmp_path / "c")
    assert (verified.returncode == 0) is accepted, verified.stderr
    assert accepted or "permitted subtree violation" in verified.stderr + verified.stdout


def test_what_is_made_again_keeps_the_authority(made: certificates.Authority, site: SecureSite, tmp_path: Path) -> None:
    server = certificates.server_file(tmp_path).read_bytes()
    assert site.make().fingerprint == made.fingerprint
    assert certificates.server_file(tmp_path).read_bytes() == server, "and the server's, while it holds"


def test_a_new_address_renews_the_certificate_while_the_server_goes_on(
    made: certificates.Authority, site: SecureSite, names: list[str]
) -> None:
    context = site.refresh()
    with pytest.raises(ssl.SSLCertVerificationError):
        names_shown(site, "192.168.1.77", made)
    names.append("192.168.1.77")
    assert "192.168.1.77" in names_shown(site, "192.168.1.77", made)
    assert site.refresh() is context, "a server that listens has the new one"


def test_a_lost_address_renews_nothing(
    made: certificates.Authority, site: SecureSite, names: list[str], tmp_path: Path
) -> None:
    before = certificates.server_file(tmp_path).read_bytes()
    names.remove("192.168.1.5")  # a box that starts before its Wi-Fi is there
    site.refresh()
    assert certificates.server_file(tmp_path).read_bytes() == before


def test_with_thirty_days_left_the_certificate_is_renewed(
    made: certificates.Authority, site: SecureSite, clock: Clock, tmp_path: Path
) -> None:
    before = certificates.server_file(tmp_path).read_bytes()
    clock.now += 366 * DAY
    site.refresh()
    assert certificates.server_file(tmp_path).read_bytes() == before
    clock.now += 2 * DAY
    site.refresh()
    assert certificates.server_file(tmp_path).read_bytes() != before


def test_without_openssl_it_says_how_to_get_it(
    site: SecureSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not has_openssl()
    with pytest.raises(CertificateError, match="sudo apt install openssl"):
        site.make()
    assert site.refresh() is None


def test_without_openssl_what_was_made_before_goes_on(
    made: certificates.Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    later = SecureSite(tmp_path, "box", lambda: NAMES)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert later.refresh() is not None
    assert later.refresh() is not None
    assert len([line for line in caplog.messages if "apt install openssl" in line]) == 1, "said once"


def test_certificates_that_another_program_makes_or_removes_are_seen(
    site: SecureSite, tmp_path: Path, clock: Clock
) -> None:
    assert site.refresh() is None
    assert site.authority is None
    made = SecureSite(tmp_path, "box", lambda: NAMES, clock).make()
    assert site.refresh() is not None
    assert site.authority == made
    assert certificates.remove_certificates(tmp_path)
    assert not (tmp_path / "https").exists()
    assert not certificates.remove_certificates(tmp_path)
    assert site.refresh() is None
    assert site.authority is None


def test_only_what_means_something_inside_a_house_is_named() -> None:
    urls = ["http://192.168.1.5:8000/", "http://[fd00::7]:8000/", "http://203.0.113.9:8000/", "http://Box.local:8000/"]
    found = site_names(urls, ["box", "box.example.com", "box.home.arpa", "bo x.lan", "ünder.local"])
    assert found == (
        *("127.0.0.1", "192.168.1.5", "::1", "box.home.arpa", "box.local", "fd00::7", "localhost"),
    )  # fmt: skip


@pytest.mark.parametrize("name", ["box\n[x]", "a" * 80, "", 'b"$ENV::HOME'])
def test_a_strange_name_of_the_machine_does_no_harm(tmp_path: Path, name: str) -> None:
    SecureSite(tmp_path, name, lambda: NAMES).make()
    authority = certificates.read_authority(tmp_path)
    assert re.search(r"Subject: CN ?= ?Perudo box [A-Za-z0-9.-]+ \(made ", shown(tmp_path, authority.certificate))


def test_a_damaged_authority_is_set_aside_and_made_again_when_asked(
    made: certificates.Authority, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "https" / "authority.pem"
    start = b"-----BEGIN CERTIFICATE-----"
    file.write_bytes(file.read_bytes().replace(start + b"\n", start + b"\xf3"))
    later = SecureSite(tmp_path, "box", lambda: NAMES)
    assert later.refresh() is None
    assert "There is no https until certificates are made again." in caplog.text
    assert later.make() != made
    assert certificates.remove_certificates(tmp_path)
    assert not (tmp_path / "https").exists(), "also what was set aside"


@pytest.mark.parametrize("place", ["-----BEGIN PRIVATE", "-----END CERTIFICATE", "key", "first", "second"])
def test_a_damaged_server_certificate_is_made_again(made: certificates.Authority, tmp_path: Path, place: str) -> None:
    file = certificates.server_file(tmp_path)
    content = bytearray(file.read_bytes())
    at = content.find(place.encode())
    if at < 0:
        parts = [found.end() + 30 for found in re.finditer(rb"-----BEGIN [A-Z ]+-----", content)]
        at = parts[["key", "first", "second"].index(place)]
    content[at] = 0xF3
    file.write_bytes(content)
    later = SecureSite(tmp_path, "box", lambda: NAMES)
    assert "localhost" in names_shown(later, "localhost", made)
    assert (tmp_path / "https" / "server.damaged-1.pem").read_bytes() == content
