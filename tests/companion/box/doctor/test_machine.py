"""What the doctor reports of the machine: this one, and others that are faked."""

from __future__ import annotations

import errno
import os
import shutil
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.box.doctor import Diagnosis, Severity, machine
from companion.box.doctor.machine import HARDWARE_CLOCK, TIMESYNC, clock_set

EVENING = datetime(2026, 11, 21, 20, 15, tzinfo=UTC)
GIB = 2**30


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Fake the answers of commands, by their last argument."""

    def answers(**outputs: str | None) -> None:
        monkeypatch.setattr(
            machine,
            "command_output",
            lambda *command: next((outputs[each] for each in outputs if each in str(command)), None),
        )

    return answers


@pytest.mark.parametrize(
    ("processor", "bits", "severity", "words"),
    [
        ("aarch64", 64, Severity.GOOD, ""),
        ("armv7l", 32, Severity.POOR, "64-bit Raspberry Pi OS"),
        ("riscv64", 64, Severity.POOR, "riscv64"),
    ],
)
def test_a_64_bit_pi_is_good_and_any_other_processor_is_named(
    processor: str, bits: int, severity: Severity, words: str
) -> None:
    check = machine.processor(processor, bits)
    assert (check.severity, words in check.sentence) == (severity, True)
    assert machine.python().severity is Severity.GOOD


@pytest.mark.parametrize(
    ("free", "refusal", "private", "finding", "words"),
    [
        (20 * GIB, None, False, Severity.GOOD, "20.0 GB are free"),
        (GIB // 2, None, False, Severity.POOR, "make room"),
        (1000, None, False, Severity.BAD, "too little for an evening"),
        (20 * GIB, errno.EROFS, False, Severity.BAD, "Read-only file system"),
        (20 * GIB, errno.EACCES, True, Severity.ABSENT, "sudo perudo doctor"),
    ],
)
def test_the_disk(
    free: int, refusal: int | None, private: bool, finding: Severity, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = tempfile.TemporaryFile

    def file(dir: Path) -> object:  # noqa: A002 - tempfile's name
        if refusal is not None:
            raise OSError(refusal, os.strerror(refusal))
        return real()

    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    monkeypatch.setattr(tempfile, "TemporaryFile", file)
    monkeypatch.setattr(machine, "is_private", lambda _: private)
    check = machine.disk(Path("/var/lib/perudo"))
    assert check.severity is finding
    assert words in check.sentence
    assert "/var/lib/perudo" in check.sentence


def test_a_missing_folder_is_judged_by_its_parent(tmp_path: Path) -> None:
    assert "cannot be written" not in machine.disk(tmp_path / "state" / "perudo").sentence
    assert not (tmp_path / "state").exists()


@pytest.mark.parametrize(
    ("now", "synced", "finding"),
    [
        (EVENING, "yes\n", Severity.GOOD),
        (EVENING, None, Severity.GOOD),  # nobody knows
        (EVENING, "no\n", Severity.POOR),
        (datetime(1970, 1, 1, tzinfo=UTC), None, Severity.POOR),
        (datetime(1970, 1, 1, tzinfo=UTC), "yes\n", Severity.POOR),
    ],
)
def test_the_clock(now: datetime, synced: str | None, finding: Severity, answer: Callable[..., None]) -> None:
    answer(timedatectl=synced)
    check = machine.clock(now)
    assert check.severity is finding
    assert f"{now.year}-" in check.sentence
    assert ("set by the network" in check.sentence) == (finding is Severity.GOOD and synced is not None)


@pytest.mark.parametrize(
    ("output", "finding", "words", "absent"),
    [
        ("throttled=0x0\n", Severity.GOOD, "enough voltage", "0x"),
        ("throttled=0x50005\n", Severity.POOR, "The voltage is too low now", "was too low"),
        ("throttled=0x50000\n", Severity.POOR, "The voltage was too low since", "now"),
        ("throttled=0x80008\n", Severity.POOR, "heat sink", "power supply"),
        ("throttled=0xe0000\n", Severity.POOR, "slowed the processor down since then", "now"),
        ("VCHI initialization failed\n", Severity.POOR, "cannot be understood", "Undervoltage"),
        (None, Severity.ABSENT, "Only a Raspberry Pi knows", "0x"),
    ],
)
def test_the_throttling_bits_are_put_into_words(
    output: str | None, finding: Severity, words: str, absent: str, answer: Callable[..., None]
) -> None:
    answer(vcgencmd=output)
    check = machine.power()
    assert check.severity is finding
    assert words in check.sentence
    assert absent not in check.sentence


@pytest.mark.parametrize("place", ["soc/soc:firmware", "soc@107c000000/soc@107c000000:firmware"])
def test_the_kernels_file_is_read_where_the_service_may_not_use_vcgencmd(
    place: str, tmp_path: Path, answer: Callable[..., None]
) -> None:
    answer(vcgencmd=None)
    folder = tmp_path / place
    folder.mkdir(parents=True)
    (folder / "get_throttled").write_text("50005\n", encoding="ascii")
    assert "The voltage is too low now" in machine.power(tmp_path).sentence
    (folder / "get_throttled").write_text("0\n", encoding="ascii")
    assert machine.power(tmp_path).severity is Severity.GOOD


# The port


@pytest.mark.parametrize(
    ("number", "refusal", "box_runs", "holder", "finding", "words"),
    [
        (8000, "", False, "", Severity.GOOD, "is free"),
        (8000, "Address already in use", True, "", Severity.GOOD, "the box is running"),
        (8000, "Address already in use", False, "nginx (process 7)", Severity.BAD, "taken by nginx (process 7)"),
        (80, "Permission denied", False, "", Severity.BAD, "another port in [web]"),
    ],
)
def test_the_port(
    number: int,
    refusal: str,
    box_runs: bool,
    holder: str,
    finding: Severity,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(machine, "port_holder", lambda _: holder)
    check = machine.port("0.0.0.0", number, refusal, box_runs)
    assert check.severity is finding
    assert words in check.sentence


@pytest.fixture
def used_port() -> Iterator[int]:
    """A port that another program has."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening.getsockname()[1]


def test_a_port_in_use_is_reported_with_the_program_that_has_it(used_port: int) -> None:
    assert machine.port_refusal("127.0.0.1", used_port) == os.strerror(errno.EADDRINUSE)
    assert f"(process {os.getpid()})" in machine.port_holder(used_port)
    assert machine.port_refusal("127.0.0.1", 0) == ""


def test_our_own_page_at_the_port_is_recognised_by_its_answer(used_port: int) -> None:
    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = b'{"ok": false, "reasons": ["no camera"], "phase": "seating"}'
            self.send_response(503)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - http.server's name
            """Nothing."""

    with HTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        assert machine.page_answers(server.server_port)
        server.shutdown()
        thread.join()
    assert not machine.page_answers(server.server_port), "it is free"


# The service


def test_the_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: Callable[..., None]) -> None:
    receipt = tmp_path / "installed.json"
    monkeypatch.setattr("companion.box.service.RECEIPT_FILE", str(receipt))
    answer(ActiveState="inactive\n")
    assert machine.service().severity is Severity.ABSENT
    receipt.touch()
    answer(ActiveState="active\n", StatusText="http://box.local:8000/ - camera\n")
    running = machine.service()
    assert (running.severity, running.sentence) == (
        Severity.GOOD,
        "The box starts by itself when it is switched on. http://box.local:8000/ - camera",
    )
    answer(ActiveState="activating\n")
    stopped = machine.service()
    assert stopped.severity is Severity.POOR
    assert "journalctl -u perudo" in stopped.sentence


def test_a_command_that_is_missing_or_fails_has_no_output() -> None:
    assert machine.command_output("no-such-command-here") is None
    assert machine.command_output("false") is None
    assert machine.command_output("echo", "yes") == "yes\n"


def test_a_line_of_the_report_begins_with_its_severity() -> None:
    assert str(Diagnosis("web", Severity.GOOD, "/opt/perudo/web")) == " ok  web         /opt/perudo/web"


NOW = 1_795_000_000.0


@pytest.mark.parametrize(
    ("timesync", "synchronized", "kept", "right"),
    [
        (True, False, None, False),  # a Pi 4 without the internet
        (True, True, None, True),
        (True, False, "1204\n", False),  # a Pi 5 without a battery
        (True, False, "1794999990\n", True),  # with one, or a computer
        (True, False, "", False),
        (False, False, None, True),  # chrony, or no systemd
    ],
)
def test_a_clock_is_set_by_the_network_or_by_one_with_a_battery(
    timesync: bool, synchronized: bool, kept: str | None, right: bool, tmp_path: Path
) -> None:
    if timesync:
        (tmp_path / TIMESYNC).mkdir(parents=True)
    if synchronized:
        (tmp_path / TIMESYNC / "synchronized").touch()
    if kept is not None:
        (tmp_path / HARDWARE_CLOCK).parent.mkdir(parents=True)
        (tmp_path / HARDWARE_CLOCK).write_text(kept)
    assert clock_set(tmp_path, NOW) == right
