"""Everything put together and running: table, camera, reveal, panel, page. The one place that knows all the parts."""

from __future__ import annotations

import contextlib
import http.client
import logging
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Final, NoReturn

import click

from calibration.profile import ProfileError
from calibration.profiles import Profiles
from companion.box.service.health import Pulse
from companion.box.service.notify import Notifier
from companion.calibrating.calibrating import Calibrating
from companion.camera.profile_in_use import ProfileInUse
from companion.camera.reveal import GIVE_UP, PATIENCE, Reveal
from companion.camera.supervised_camera import HANGS, WatchedCamera
from companion.engine import DEFAULT_RULESET, Ruleset
from companion.network import EVERYWHERE, LOOPBACK, urls
from companion.panel.link import PanelLink
from companion.table import Journal, JournalError, Table
from companion.table.journal.picture_folder import PICTURE_MEGABYTES
from hardware.camera.protocol import Camera, CameraError
from hardware.panel.panel import Panel, PanelError, VirtualPanel
from vision.models.networks import ModelError
from vision.reader import Reader
from vision.stillness import StillnessDetector
from web.access.access import Access
from web.access.keys import RANDOM
from web.app import create_app
from web.qr import invitation
from web.stream.server import SWITCH, Server, make_server

log = logging.getLogger(__name__)

ANSWER_WITHIN: Final = 10.0
"""Seconds within which a server that listens must have answered once."""

BUSY: Final = 5.0
"""Seconds that the page may take while dice are read on a slow processor. Twice this fits systemd's patience."""

MEND_EVERY: Final = 5.0
"""Seconds between two looks at the journal, so that what could not be written is written though nobody plays."""

PAINTED: Final = 10.0
"""Seconds the demo's table may take to be painted: on a busy machine it is slow, and it never hangs as a device can."""

Players = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Setup:
    """What is to be put together."""

    host: str
    port: int
    """0 takes a free one."""
    state: Path
    """The folder of the journal and the pictures, and of what phones are known by."""
    open_camera: Callable[[Table], Camera]
    open_panel: Callable[[], Panel]
    """Raises `PanelError` where there is none."""
    code: str = RANDOM
    """What a phone has to know to join: four digits, or `RANDOM`."""
    patience: float = PATIENCE
    """Seconds the table may lie still with dice missing before the players are asked."""
    give_up: float = GIVE_UP
    """Seconds after a call until the camera stops looking."""
    open_lost: bool = True
    """Whether all see how many dice each player has, when nothing else is asked for."""
    players: Players = ()
    """Whom to seat when nobody plays yet."""
    demo: bool = False
    rng: random.Random | None = None
    """Draws starters."""
    house: Ruleset = DEFAULT_RULESET
    """What is played when nothing else is asked for."""
    calza: bool = True
    pictures: int = PICTURE_MEGABYTES
    """Megabytes of judged pictures that are kept."""
    helped: Callable[[Calibrating], None] = lambda _: None
    """Whoever holds the sheet for a calibration by itself: the virtual table does."""
    notifier: Notifier = field(default_factory=Notifier.of)
    """Whom to tell how it goes: systemd, where that started the program."""


def run(setup: Setup) -> None:
    """Run until Ctrl-C or SIGTERM. The first line of standard output is the page's address, once it answers.

    Exits with a sentence and status 2 when the state folder, its profile, the port or the networks cannot be used.
    """
    sys.setswitchinterval(SWITCH)
    with contextlib.ExitStack() as stack:
        # Taken before anything else, so that a signal while starting up stops as cleanly as one later.
        stop = stack.enter_context(_stopped_by_signals())
        try:
            journal = Journal(setup.state, pictures=setup.pictures)
            stack.callback(journal.close)
            table = stack.enter_context(
                Table(
                    journal,
                    rng=setup.rng,
                    demo=setup.demo,
                    house=setup.house,
                    calza=setup.calza,
                    open_lost=setup.open_lost,
                )
            )
        except JournalError as error:
            _give_up(error.message)
        camera = WatchedCamera(
            lambda: setup.open_camera(table),
            time.monotonic,
            table.camera_says,
            hangs=PAINTED if setup.demo else HANGS,
        )
        stack.callback(camera.close)
        panel, link = _panel(setup, table, stack)
        access = Access.of(setup.state, setup.code)
        try:
            profiles, reader = Profiles.of(setup.state), Reader.load()
        except (ModelError, ProfileError) as error:
            _give_up(str(error))
        except OSError as error:
            _give_up(f"The profiles in {setup.state} cannot be used: {error.strerror or error}.")
        reveal = Reveal(table, camera, reader, StillnessDetector(), patience=setup.patience, give_up=setup.give_up)
        in_use = ProfileInUse(
            profiles, camera, lambda profile: reveal.read_with(reader.with_profile(profile)), table.calibration_says
        )
        calibrating = Calibrating(camera, profiles, in_use, table.state, Reader.load)
        setup.helped(calibrating)
        server = _server(setup, table, access, camera, panel, calibrating)
        stack.callback(server.stop)
        if setup.players and table.state()["phase"] == "seating":
            table.new_game(setup.players)
        # One frame, so that page and health say from the start whether there is a camera; the table is told by it.
        with contextlib.suppress(CameraError):
            camera.frame()
        try:
            in_use.load()
        except ProfileError as error:
            _give_up(f"{error}. perudo calibrate use NAME takes another profile, --none none.")
        calibrating.start()
        stack.callback(calibrating.stop)
        reveal.start()
        stack.callback(reveal.stop)
        server.start()
        _announce(setup, server, access, stop)
        if link is not None:
            link.ready(urls(setup.host, server.port)[0].removeprefix("http://").rstrip("/"), access.code)
        stack.callback(setup.notifier.stopping)
        _go_on(setup, stop, table, reveal, server, camera)


def _go_on(
    setup: Setup, stop: threading.Event, table: Table, reveal: Reveal, server: Server, camera: WatchedCamera
) -> None:
    """Everything runs: tell systemd so, and see to the journal, until `stop`."""
    notifier = setup.notifier
    pulse = Pulse(
        notifier,
        {
            "the server, and the table behind it": lambda: _answers(_near(setup), server.port, BUSY),
            "what reads the dice": lambda: reveal.alive,
        },
    )
    if not stop.is_set():
        notifier.ready(_status(setup, server, camera))
    every = min(MEND_EVERY, (notifier.watchdog or MEND_EVERY) / 3)
    while not stop.wait(every):
        table.mend()  # does not come back while the journal is stuck, and then nothing is told to systemd
        pulse.beat(_status(setup, server, camera))


def _panel(setup: Setup, table: Table, stack: contextlib.ExitStack) -> tuple[VirtualPanel | None, PanelLink | None]:
    """Open the panel and link it to the table; give its fingers to the page when it is a virtual one."""
    try:
        panel = setup.open_panel()
    except PanelError as error:
        log.warning("%s", error)
        table.panel_says(None, error.message)
        return None, None
    stack.callback(panel.close)
    link = PanelLink(table, panel)
    stack.callback(link.close)
    link.starting()
    return (panel if isinstance(panel, VirtualPanel) else None), link


def _server(
    setup: Setup,
    table: Table,
    access: Access,
    camera: WatchedCamera,
    panel: VirtualPanel | None,
    calibrating: Calibrating,
) -> Server:
    app = create_app(
        table,
        access=access,
        addresses=lambda: urls(setup.host, server.port),  # asked for anew each time: a router may give others
        panel=panel,
        camera=camera,
        pictures=table.pictures,
        calibrating=calibrating,
    )
    try:
        server = make_server(app, setup.host, setup.port)
    except OSError as error:
        _give_up(
            f"The page cannot be served on {setup.host} port {setup.port}: {error.strerror or error}. "
            "Another program may be using it; --port names another, --port 0 takes a free one."
        )
    return server


def _announce(setup: Setup, server: Server, access: Access, stop: threading.Event) -> None:
    """Say where the page is, once it answers, and the table's code, and draw both for phones."""
    host = _near(setup)
    until = time.monotonic() + ANSWER_WITHIN
    while not _answers(host, server.port):
        if stop.is_set():
            return
        if time.monotonic() > until:
            _give_up(f"The server on port {server.port} does not answer.")
        stop.wait(0.05)
    address, *others = urls(setup.host, server.port)
    click.echo(address)
    click.echo(f"Table code: {access.code}")
    sys.stdout.flush()
    if setup.notifier.listened:
        return  # a service writes to a log, where nobody points a phone at anything
    import segno

    segno.make(invitation(address, access.code), micro=False).terminal(out=sys.stdout, compact=True)
    click.echo(
        f"Point a phone on the same Wi-Fi at this, or open {' or '.join([address, *others])} there and type the "
        "table code.\nWhoever only watches needs no code. Ctrl-C stops."
    )
    sys.stdout.flush()


def _near(setup: Setup) -> str:
    """The address that this machine itself reaches the page by."""
    return LOOPBACK if setup.host in EVERYWHERE else setup.host


def _status(setup: Setup, server: Server, camera: WatchedCamera) -> str:
    """What `systemctl status` says: the address, and how the camera is."""
    seen = camera.status
    said = seen.name if seen.ok else seen.sentence or "no camera yet"
    return f"{urls(setup.host, server.port)[0]} - {said}"


def _answers(host: str, port: int, within: float = 2.0) -> bool:
    connection = http.client.HTTPConnection(host, port, timeout=within)
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


@contextlib.contextmanager
def _stopped_by_signals() -> Iterator[threading.Event]:
    """An event that Ctrl-C and SIGTERM set. A second signal ends the program there and then."""
    stop = threading.Event()

    def asked(_number: int, _frame: FrameType | None) -> None:
        stop.set()
        for each in before:
            signal.signal(each, signal.SIG_DFL)

    before = {each: signal.signal(each, asked) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _give_up(sentence: str) -> NoReturn:
    click.echo(f"perudo: {sentence}", err=True)
    raise click.exceptions.Exit(2)
