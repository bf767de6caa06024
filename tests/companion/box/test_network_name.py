"""The name that phones find the machine by: Avahi's, asked on a real bus, with a service that answers in its place."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from jeepney import MessageType, new_error, new_method_return
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

from companion.box.network_name import network_name
from companion.page_address import PageAddress

pytestmark = pytest.mark.programs("dbus-daemon")


@pytest.fixture
def bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a bus, which is the system's for this test, and would start Avahi."""
    services = tmp_path / "dbus-1" / "services"
    services.mkdir(parents=True)
    start = f"[D-BUS Service]\nName=org.freedesktop.Avahi\nExec=/usr/bin/touch {tmp_path}/started\n"
    (services / "avahi.service").write_text(start)
    daemon = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--print-address"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
    )
    address = daemon.stdout.readline().strip()
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", address)
    monkeypatch.setattr(socket, "gethostname", lambda: "Perudo.fritz.box")
    yield address
    daemon.kill()
    daemon.wait()
    daemon.stdout.close()


@pytest.fixture
def avahi(bus: str) -> Iterator[None]:
    """Answers as Avahi does where another machine is called perudo."""
    with open_dbus_connection(bus) as service:
        service.send_and_get_reply(message_bus.RequestName("org.freedesktop.Avahi"))
        stop = threading.Event()

        def answer() -> None:
            while not stop.is_set():
                try:
                    asked = service.receive(timeout=0.05)
                except TimeoutError:
                    continue
                if asked.header.message_type is not MessageType.method_call:
                    continue
                known = "GetHostName" in asked.header.fields.values()
                service.send(
                    new_method_return(asked, "s", ("perudo-2",))
                    if known
                    else new_error(asked, "org.freedesktop.DBus.Error.UnknownMethod")
                )

        thread = threading.Thread(target=answer)
        thread.start()
        yield
        stop.set()
        thread.join()


@pytest.mark.usefixtures("avahi")
def test_the_second_of_two_machines_of_one_name_is_shown_by_the_name_it_really_has() -> None:
    assert network_name() == "perudo-2"
    assert PageAddress("192.168.1.5", 80).urls == ["http://192.168.1.5:80/", "http://perudo-2.local:80/"]


@pytest.mark.usefixtures("bus")
def test_where_avahi_does_not_run_it_is_the_machines_name(tmp_path: Path) -> None:
    assert network_name() == "perudo"
    assert PageAddress("192.168.1.5", 80).urls == ["http://192.168.1.5:80/"], "nothing answers to perudo.local"
    assert not (tmp_path / "started").exists()


def test_without_a_bus_it_is_the_machines_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={tmp_path}/none")
    monkeypatch.setattr(socket, "gethostname", lambda: "Perudo.fritz.box")
    assert network_name() == "perudo"
