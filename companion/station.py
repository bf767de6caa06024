"""The composition root: puts table, camera, reveal, panel and page together, and runs them."""

from __future__ import annotations

import contextlib
import logging
import os
import random
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final

from calibration.profile import ProfileError
from calibration.profiles import Profiles
from calibration.sheet.view_guide import Wish
from companion.box.backup.backups import Backups
from companion.box.backup.exchange import RestorePlan, exchange, undo_at_next_start
from companion.box.camera_setup import CameraSetup
from companion.box.doctor.machine import clock_set
from companion.box.last_configuration import keep_configuration, keep_refused, last_configuration
from companion.box.maintenance import Maintenance, Restart, give_up_identity, repair_wanted
from companion.box.notifier import Heartbeat, Notifier
from companion.box.recent_log import recent_log
from companion.box.release.versions import Versions
from companion.box.root_requests import RootRequests
from companion.box.updates import Updates
from companion.box.wifi.network_manager import NetworkManager, WifiError
from companion.box.wifi.own_network import own_network
from companion.box.wifi.wifi import Wifi
from companion.calibrating.session import CalibrationSession
from companion.camera.example_file import EXAMPLE_FILE, ExampleFile
from companion.camera.example_writer import ExampleWriter, own_threshold
from companion.camera.hang_restart import HANG_FILE, HangRestart, this_boot
from companion.camera.phone_camera import PhoneCamera
from companion.camera.photos import Photos
from companion.camera.profile_in_use import ProfileInUse
from companion.camera.reveal import RevealWorker
from companion.camera.supervised_camera import HANG_TIMEOUT, SupervisedCamera
from companion.config import CameraConfig, Config, ConfigError, PanelConfig, parse
from companion.config.settings_file import SettingsError, SettingsFile
from companion.listening_socket import listen
from companion.member.table_club import TableClub, has_club_part
from companion.messages.message import Message
from companion.page_address import PageAddress
from companion.panel.power import switch_off
from companion.panel.table_panel import TablePanel
from companion.secure_page import SecurePage, secure_site
from companion.stop_signals import stop_signals
from companion.table import Journal, JournalError, Table
from companion.table.commands import NewPlayer, OpenGame
from companion.table.errors import DamagedJournalError
from companion.table.game.new_game import GameDefaults
from companion.table.game.table_position import Phase
from companion.table.journal.repair import repair_journal
from companion.table.state.signs import join_lines
from hardware.camera.camera_choice import PHONE
from hardware.camera.protocol import Camera, CameraError
from hardware.panel.panel import Panel
from vision.models.integrity import networks_id
from vision.models.network import ModelError, limit_resources
from vision.models.networks import Networks
from vision.pipeline.confidence import Confidence
from vision.reader import Reader
from vision.stillness import StillnessCheck
from web.access.access import Access
from web.app import create_app
from web.parts import Parts
from web.stream.guests import Limits, descriptors_left
from web.stream.server import SWITCH_INTERVAL, Server
from web.stream.stream import Feed

if TYPE_CHECKING:
    from companion.demo.robot_players import RobotPlayers

log = logging.getLogger(__name__)

START_TIME: Final = 10.0
"""Seconds within which a new server must answer."""

ANSWER_TIME: Final = 5.0
"""Seconds that the page may take to answer while dice are read. Twice this is less than the watchdog's period."""

FLUSH_EVERY: Final = 5.0
"""Seconds between two attempts to write what the journal could not, even while nobody plays."""

PAINT_TIME: Final = threading.TIMEOUT_MAX
"""Seconds that drawing the demo's table may take: however slow on a busy machine, it does not hang."""


class StationError(RuntimeError):
    """The station cannot run. The message says why."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The parts of a station."""

    config: Config
    state: Path
    """The folder of the journal, the pictures, the profiles and the phones."""
    open_camera: Callable[[CameraConfig], Camera]
    """Opens the camera, at its first frame. The demo's camera paints the table."""
    open_panel: Callable[[PanelConfig], Panel]
    """Raises `PanelError` if there is none."""
    players: tuple[tuple[str, str], ...] = ()
    """Names and colours of the players to seat if there is no game yet."""
    demo: bool = False
    open_robots: Callable[[Table, Callable[[], Mapping[str, str | None]]], RobotPlayers] | None = None
    """The demo's robots, for a table and for which phone is on which seat."""
    show_sheet: Callable[[Callable[[], tuple[str, Wish, int] | None]], None] | None = None
    """Has the demo's camera paint the sheet as well, as a calibration wants it."""
    rng: random.Random = field(default_factory=random.SystemRandom)
    """For drawing the starter of a game."""
    settings: Path | None = None
    """The file that `config` is from."""
    read: Callable[[str], Config] = parse
    """Makes `config` of that file's text, with what wins over it. Raises `ConfigError`."""
    roots: RootRequests | None = None
    """Asks root for what a service may not do; None where nobody does it."""
    taken_back: str = ""
    """Why `config` is the last one with which the page answered, and not what is in `settings`; else empty."""


def run(setup: Setup) -> int:
    """Run until Ctrl-C or SIGTERM. The first line of standard output is the page's address, once it answers.

    Returns the exit status: 0, or `os.EX_TEMPFAIL` when systemd is to start the program again: the host asked for it,
    a backup is to be put in place, or the camera hangs, and a thread is then stuck in its driver. Without systemd it
    starts anew here, and the page is where it was. Raises `StationError`.
    """
    while True:
        restart = Restart()
        try:
            with contextlib.ExitStack() as stack:
                status, port = _run(setup, stack, restart)
        except (JournalError, ModelError, ProfileError) as error:
            raise StationError(str(error)) from error
        except Exception as error:  # however a start fails with a configuration that never answered
            last = _last_config(setup)
            if last is None:
                raise
            log.exception("The box goes on with the configuration from before.")
            setup = replace(setup, config=last, taken_back=str(error))
            continue
        if status or not restart.due:
            return status
        if Notifier.from_environment().under_systemd:
            return os.EX_TEMPFAIL
        setup = replace(setup, config=_config_now(setup).with_value("web", "port", port))


def _run(  # noqa: PLR0915 - a start, from top to bottom
    setup: Setup, stack: contextlib.ExitStack, restart: Restart
) -> tuple[int, int]:
    """The exit status, and the page's port."""
    config, notifier = setup.config, Notifier.from_environment()
    sys.setswitchinterval(SWITCH_INTERVAL)
    limit_resources()
    # First, so that a signal during the start stops it cleanly too.
    stop = stack.enter_context(stop_signals())
    restart.attach(stop)
    log_lines = stack.enter_context(recent_log())
    trial = stack.enter_context(_put_in_place(setup.state))

    # The table, what it sees, and its panel
    table = _table(setup, stack)
    by_phone = config.camera.source == PHONE and not setup.demo
    camera, hangs = (PhoneCamera(table.set_camera), _never) if by_phone else _camera(setup, table, notifier)
    stack.callback(camera.close)
    roots = _roots(setup, notifier)
    settings = _settings(setup, roots)
    panel = _panel(setup, table, notifier, settings)
    stack.callback(panel.close)
    access = Access(setup.state, config.access.code)
    robots = setup.open_robots(table, access.phones.seats) if setup.open_robots else None
    reader, examples = _reader(setup, table)
    photos = Photos()
    reveal = RevealWorker(
        table,
        camera,
        reader,
        StillnessCheck(),
        patience=config.table.patience,
        give_up=config.table.give_up,
        photos=photos,
    )
    profiles = _profiles(setup.state)
    in_use = ProfileInUse(
        profiles, camera, lambda profile: reveal.read_with(reader.with_profile(profile), profile), table.set_calibration
    )
    calibrating = CalibrationSession(camera, profiles, in_use, table.state, Reader.load)
    if setup.show_sheet is not None:
        setup.show_sheet(calibrating.wanted)

    # What keeps the box going
    listening = _listening(config.web.host, config.web.port)
    stack.callback(listening.close)
    page = PageAddress(config.web.host, listening.getsockname()[1])
    limits = Limits.within(descriptors_left())
    feed = Feed(limit=limits.streams, strangers=limits.strangers)
    backups = Backups(
        setup.state,
        program=version("perudo-companion"),
        name=lambda: socket.gethostname().partition(".")[0],
        restart=restart,
        settings=setup.settings,
        roots=roots,
        trouble=_taken_back(setup.taken_back) if setup.taken_back else "",
    )
    secure = SecurePage(secure_site(setup.state, page, config.web.names), config.web.host, config.web.secure_port)
    club = TableClub(setup.state, table, config.club, setup.rng)
    stack.callback(club.close)
    wifi = _wifi(setup, notifier, feed)

    # The page
    app = create_app(
        Parts(
            table,
            access=access,
            feed=feed,
            addresses=lambda: page.urls,  # asked each time: the router may give the box others
            names=config.web.names,
            panel=panel.virtual,
            camera=None if by_phone else camera,
            pictures=table.pictures,
            calibrating=None if by_phone else calibrating,
            photos=photos,
            players=robots,
            maintenance=Maintenance(
                setup.state,
                table.state,
                log_lines,
                restart,
                camera if isinstance(camera, SupervisedCamera) else None,
            ),
            camera_setup=None if settings is None else _camera_setup(setup, camera, settings, restart),
            buttons=panel if panel.learns else None,
            backups=backups,
            https=secure,
            wifi=wifi,
            club=club if has_club_part() else None,
            language="" if config.web.language == "auto" else config.web.language,
            updates=_updates(setup, roots),
        )
    )
    server = Server(app, listening, limits)
    stack.callback(server.stop)

    # The start
    _seat(setup, table)
    # One frame, so that the page shows from the start whether there is a camera.
    with contextlib.suppress(CameraError):
        camera.frame()
    in_use.load()
    parts: list[CalibrationSession | RevealWorker | RobotPlayers | Wifi] = [calibrating, reveal]
    parts += [] if wifi is None else [wifi]
    parts += [] if robots is None else [robots]
    for part in parts:
        part.start()
        stack.callback(part.stop)
    server.start()
    secure.start(server)
    stack.callback(secure.stop)
    try:
        if page.wait(stop, START_TIME):
            page.announce(access.code, None if notifier.under_systemd else access.invitation)
    except TimeoutError as error:
        raise StationError(str(error)) from error
    stack.callback(notifier.stopping)
    trial.pop_all()
    if settings is not None and notifier.under_systemd:
        _settle(setup, settings)
    backups.ask_root()

    def follow() -> None:
        """What else changes meanwhile: backups and the club from the command line, the address with the network."""
        backups.expire()
        _show_join(panel, page, access, wifi)
        club.follow()

    return _attend(notifier, table, reveal, page, camera, hangs, examples, follow, stop), page.port


def _attend(
    notifier: Notifier,
    table: Table,
    reveal: RevealWorker,
    page: PageAddress,
    camera: SupervisedCamera | PhoneCamera,
    hangs: Callable[[], bool],
    examples: ExampleWriter | None,
    follow: Callable[[], None],
    stop: threading.Event,
) -> int:
    """Keep systemd and the display informed, flush the journal and keep examples until `stop`.

    Returns the exit status.
    """

    def status() -> str:
        """The line of `systemctl status`: the address and the state of the camera."""
        now = camera.status
        return f"{page.urls[0]} - {now.name if now.ok else now.sentence or 'no camera yet'}"

    heartbeat = Heartbeat(
        notifier,
        {
            "the server, and the table behind it": lambda: page.answers(ANSWER_TIME),
            "what reads the dice": lambda: reveal.alive,
        },
    )
    if not stop.is_set():
        notifier.ready(status())
    every = min(FLUSH_EVERY, (notifier.watchdog or FLUSH_EVERY) / 3)
    behind = True
    while True:
        follow()
        behind = behind and table.past.catch_up()
        if stop.wait(every):
            return 0
        table.flush()  # blocks while the journal hangs, so that systemd hears nothing
        heartbeat.beat(status())
        if examples is not None:
            examples.step()
        if hangs():
            log.error("the camera hangs and holds its driver: the program ends, to be started again")
            return os.EX_TEMPFAIL


# The parts


def _seat(setup: Setup, table: Table) -> None:
    """Open the first game with the players of the setup."""
    if setup.players and table.state().phase is Phase.SEATING:
        seated = [NewPlayer(name, colour) for name, colour in setup.players]
        table.do(OpenGame(seated, setup.config.house.id, setup.config.table.calza))


def _camera(setup: Setup, table: Table, notifier: Notifier) -> tuple[SupervisedCamera, Callable[[], bool]]:
    """The camera, opened at its first frame; and whether it hangs so that the program is to be started again."""
    camera = SupervisedCamera(
        lambda: setup.open_camera(setup.config.camera),
        time.monotonic,
        table.set_camera,
        hangs=PAINT_TIME if setup.demo else HANG_TIMEOUT,
    )
    hang = HangRestart(setup.state / HANG_FILE, this_boot(), time.monotonic, supervised=notifier.under_systemd)
    if hang.tried():
        camera.advise_power()
    return camera, lambda: hang.due(camera)


def _never() -> bool:
    """No camera, and it does not hang."""
    return False


def _table(setup: Setup, stack: contextlib.ExitStack) -> Table:
    config = setup.config
    journal, repaired = _journal(setup)
    stack.callback(journal.close)
    table = Table(
        journal,
        defaults=GameDefaults(
            house=config.house,
            calza=config.table.calza,
            open_lost=config.table.lost_dice == "open",
            draw=setup.rng.choice,
            clock_set=clock_set,
        ),
        demo=setup.demo,
        learn=config.camera.learn,
    )
    if repaired:
        table.set_repaired()
    return stack.enter_context(table)


def _put_in_place(state: Path) -> contextlib.ExitStack:
    """Put a backup in place if one is ready, and give up what is another box's if that was asked for. What ends with an
    error then has the next start put back what was here before; `pop_all` says that the start has succeeded.
    """
    trial = contextlib.ExitStack()
    try:
        restored = exchange(state)
    except OSError as error:
        raise StationError(
            f"The backup in {state} could not be put in place: {error.strerror or error}. The next start goes on."
        ) from error
    if restored is not None:
        trial.push(partial(_take_back, state, restored))
    give_up_identity(state, random.SystemRandom())
    return trial


def _take_back(state: Path, restored: RestorePlan, _type: object, error: BaseException | None, _trace: object) -> None:
    if not isinstance(error, Exception):
        return
    try:
        undo_at_next_start(state, restored)
    except (OSError, ValueError):
        log.exception("what was in %s before the backup cannot be put back", state)
    else:
        log.error("the start with the backup failed: the next one has what was here before")


def _journal(setup: Setup) -> tuple[Journal, bool]:
    """The journal, and whether it was damaged: then what can be read of it. Nobody types a command at a box."""
    journal = partial(
        Journal, setup.state, pictures=setup.config.table.pictures, slow=Notifier.from_environment().starting
    )
    try:
        repair = repair_journal(setup.state) if repair_wanted(setup.state) else None
        if repair is None:
            return journal(), False
    except DamagedJournalError as damaged:
        log.error("%s", damaged.what)  # noqa: TRY400 - a damaged file is no fault of the program's
        repair = repair_journal(setup.state, damaged)
        if repair is None:
            raise
    for what in repair.damage:
        log.error("%s", what)
    log.error("The damaged journal is in %s; the table goes on with all that can be read of it.", repair.aside)
    return journal(), True


def _reader(setup: Setup, table: Table) -> tuple[Reader, ExampleWriter | None]:
    """The reader; and if this box learns, what keeps the examples that its doubt threshold is set by."""
    confidence = Confidence.load()
    writer = None
    if setup.config.camera.learn:
        try:
            networks = networks_id()
        except OSError as error:
            raise StationError(f"The networks' hashes cannot be read: {error}. Install the program again.") from error
        file = ExampleFile(setup.state / EXAMPLE_FILE)
        threshold = own_threshold(file, networks, confidence.ask_below)
        confidence = confidence.asking_below(threshold.ask_below)
        writer = ExampleWriter(table, file, threshold.ask_below, networks)
    return Reader(Networks(), confidence), writer


def _panel(setup: Setup, table: Table, notifier: Notifier, settings: SettingsFile | None) -> TablePanel:
    # Only the service may switch the machine off: by hand this is somebody's computer.
    off = switch_off if notifier.under_systemd and not setup.demo else None
    return TablePanel(table, setup.config.panel, setup.open_panel, settings=settings, switch_off=off)


def _show_join(panel: TablePanel, page: PageAddress, access: Access, wifi: Wifi | None) -> None:
    """Show on the panel how phones join now: the box's address changes with the network it is on."""
    own = (wifi.own.name, wifi.own.password) if wifi is not None and wifi.hotspot else None
    panel.ready(join_lines(page.urls[0].removeprefix("http://").rstrip("/"), access.code, own))


def _settings(setup: Setup, roots: RootRequests | None) -> SettingsFile | None:
    """The file in which the host changes keys on the page. On a box it is root's."""
    if setup.settings is None or setup.demo:
        return None
    return SettingsFile(setup.settings, setup.read, None if roots is None else roots.configure)


def _config_now(setup: Setup) -> Config:
    """The configuration as it is now. Raises `StationError`."""
    settings = _settings(setup, None)
    try:
        return setup.config if settings is None else settings.read()
    except (ConfigError, SettingsError) as error:
        raise StationError(str(error)) from error


def _last_config(setup: Setup) -> Config | None:
    """The configuration with which the page answered last; None if this is it, or no box goes back by itself."""
    if setup.taken_back or setup.demo or not Notifier.from_environment().under_systemd:
        return None
    text = last_configuration(setup.state)
    try:
        last = None if text is None else setup.read(text)
    except ConfigError:  # a variable of the environment is wrong
        return None
    return None if last == setup.config else last


def _settle(setup: Setup, settings: SettingsFile) -> None:
    """The page has answered: keep its configuration, or have the one put back with which it answers."""
    try:
        if not setup.taken_back:
            if settings.read() == setup.config:
                keep_configuration(setup.state, settings.text())
        elif (text := last_configuration(setup.state)) is not None:
            threading.Thread(target=_put_back, args=(setup, settings, text), name="configuration", daemon=True).start()
    except (ConfigError, SettingsError) as error:
        log.warning("%s", error)


def _taken_back(reason: str) -> Message:
    return Message(
        "The new configuration does not work here ({reason}). The box has the one from before again.",
        reason=reason.rstrip("."),
    )


def _put_back(setup: Setup, settings: SettingsFile, text: str) -> None:
    try:
        with contextlib.suppress(SettingsError):  # what cannot be read
            keep_refused(setup.state, settings.text())
        settings.put_back(text)
    except SettingsError as error:
        log.warning("%s", error)


def _camera_setup(
    setup: Setup, camera: SupervisedCamera | PhoneCamera, settings: SettingsFile, restart: Restart
) -> CameraSetup:
    config = setup.config.camera
    return CameraSetup(
        config.source,
        lambda source: setup.open_camera(replace(config, source=source)),
        settings,
        restart,
        lent=camera.lent if isinstance(camera, SupervisedCamera) else contextlib.nullcontext,
    )


def _updates(setup: Setup, roots: RootRequests | None) -> Updates | None:
    """The versions of this box. Its requests wait their turn behind those of the backups."""
    return None if roots is None else Updates(setup.config.update.address, roots, Versions(), setup.state)


def _roots(setup: Setup, notifier: Notifier) -> RootRequests | None:
    """What asks root, which only a box has."""
    if setup.roots is None and notifier.under_systemd and not setup.demo:
        return RootRequests(setup.state)
    return setup.roots


def _wifi(setup: Setup, notifier: Notifier, feed: Feed) -> Wifi | None:
    """The Wi-Fi, if this is a box with one; at home NetworkManager has another owner."""
    if setup.demo or not notifier.under_systemd:
        return None
    try:
        network = NetworkManager()
    except WifiError as error:
        log.info("Wi-Fi is left alone: %s", error)
        return None
    machine = Path("/etc/machine-id").read_text(encoding="utf-8").strip() if Path("/etc/machine-id").exists() else ""
    return Wifi(network, own_network(setup.state, setup.rng, machine), in_use=lambda: feed.count > 0)


def _profiles(state: Path) -> Profiles:
    try:
        return Profiles.of(state)
    except OSError as error:
        raise StationError(f"The profiles in {state} cannot be used: {error.strerror or error}.") from error


def _listening(host: str, port: int) -> socket.socket:
    try:
        return listen(host, port)
    except OSError as error:
        raise StationError(
            f"The page cannot be served on {host} port {port}: {error.strerror or error}. "
            "Another program may be using it; --port names another, --port 0 takes a free one."
        ) from error
