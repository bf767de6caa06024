"""A real mosquitto for tests, from Debian's package."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.club.mosquitto import free_port, mosquitto_program
from companion.member.address import BrokerAddress
from tests.wait import wait_until

ANONYMOUS = "allow_anonymous true\n"


@contextmanager
def mosquitto(
    folder: Path, configuration: str = ANONYMOUS, *, port: int | None = None, tls: tuple[Path, Path] | None = None
) -> Iterator[BrokerAddress]:
    """A mosquitto on 127.0.0.1 until the end of the `with`. `configuration` comes before the listener.

    `tls`: the files of a certificate and its key. `folder` gets the configuration, and what mosquitto logs.
    """
    program = mosquitto_program()
    address = BrokerAddress("127.0.0.1", free_port("127.0.0.1") if port is None else port, tls=tls is not None)
    secured = "" if tls is None else f"certfile {tls[0]}\nkeyfile {tls[1]}\n"
    folder.mkdir(parents=True, exist_ok=True)
    file, log = folder / "mosquitto.conf", folder / "mosquitto.log"
    file.write_text(f"user root\n{configuration}\nlistener {address.port} {address.host}\n{secured}")
    with log.open("w") as lines, subprocess.Popen([program, "-c", file], stdout=lines, stderr=lines) as process:
        try:
            wait_until(lambda: answers(address) or process.poll() is not None)
            if process.poll() is not None:
                pytest.fail(f"mosquitto did not start:\n{log.read_text()}")
            yield address
        finally:
            process.kill()


def answers(address: BrokerAddress) -> bool:
    """Whether something listens there."""
    family = socket.AF_UNIX if address.is_unix else socket.AF_INET
    with socket.socket(family) as attempt:
        try:
            attempt.connect(address.host if address.is_unix else (address.host, address.port))
        except OSError:
            return False
    return True
