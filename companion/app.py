"""The composition root: assembles table, camera, reveal, panel and page, and runs them."""

from __future__ import annotations

import contextlib
import logging
import os
import random
import socket
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from flask import Flask

from calibration.profile import ProfileError
from calibration.sheet.view_guide import Wish
from companion.box.doctor.machine import clock_set
from companion.box.last_configuration import keep_configuration, keep_refused, last_configuration
from companion.box.network_manager import NetworkManager, WifiError
from companion.box.notifier import Heartbeat, Notifier
from companion.box.release.versions import Versions
from companion.box.restart import Restart, repair_wanted
from companion.box.root_requests import RootRequests
from companion.camera.eyes import Eyes, open_eyes
from companion.config import CameraConfig, Config, ConfigError, PanelConfig, parse
from companion.config.settings_file import SettingsError, SettingsFile
from companion.features.backup.endpoints import BackupFeature
from companion.features.backup.exchange import RestorePlan, exchange, undo_at_next_start
from companion.features.backup.service import Backups
from companion.features.buttons.endpoints import ButtonsFeature
from companion.features.calibration.endpoints import CalibrationFeature
from companion.features.calibration.service import CalibrationSession
from companion.features.camera.endpoints import CameraFeature
from companion.features.camera.service import CameraSetup
from companion.features.club.endpoints import ClubFeature
from companion.features.club.service import TableClub
from companion.features.health.endpoints import HealthFeature
from companion.features.health.metrics import MetricsFeature
from companion.features.health.recent_log import RecentLog, recent_log
from companion.features.health.service import Maintenance, give_up_identity
from companion.features.https.endpoints import HttpsFeature
from companion.features.https.service import SecurePage, secure_site
from companion.features.robots.endpoints import RobotsFeature
from companion.features.updates.endpoints import UpdatesFeature
from companion.features.updates.service import Updates
from companion.features.wifi.endpoints import WifiFeature
from companion.features.wifi.own_network import own_network
from companion.features.wifi.service import Wifi
from companion.listening_socket import listen
from companion.messages.message import Message
from companion.page_address import PageAddress
from companion.panel.power import switch_off
from companion.panel.table_panel import TablePanel
from companion.stop_signals import stop_signals
from companion.table import Journal, JournalError, Table
from companion.table.commands import NewPlayer, OpenGame
from companion.table.errors import DamagedJournalError
from companion.table.game.new_game import GameDefaults
from companion.table.game.table_position import Phase
from companion.table.journal.repair import repair_journal
from companion.table.state.signs import join_lines
from hardware.camera.protocol import Camera
from hardware.panel.panel import Panel
from vision.models.network import ModelError, limit_resources
from vision.reader import Reader
from web.access.access import Access
from web.app import create_app
from web.feature import Feature
from web.parts import Parts
from web.stream.guests import Limits, descriptors_left
from web.stream.server import SWITCH_INTERVAL, Server
from web.stream.stream import Feed

if TYPE_CHECKING:
    from companion.features.robots.robot_players import RobotPlayers

log = logging.getLogger(__name__)

START_TIME: Final = 10.0
"""Seconds within which a new server must answer."""

ANSWER_TIME: Final = 5.0
"""Seconds within which the page must answer even while dice are read. Twice this is less than the watchdog's period."""

FLUSH_EVERY: Final = 5.0
"""Seconds between attempts to write waiting journal rows, even while nobody plays."""


class StationError(RuntimeError):
    """The program cannot run. The message says why."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What `run` needs to assemble a table."""

    config: Config
    state: Path
    """The state folder, with the journal, the pictures, the profiles and the phones."""
    open_camera: Callable[[CameraConfig], Camera]
    """Opens the camera, when its first frame is needed. The demo's camera paints the table."""
    open_panel: Callable[[PanelConfig], Panel]
    """Raises `PanelError` if there is none."""
    players: tuple[tuple[str, str], ...] = ()
    """Names and colours of the players who are seated if there is no game yet."""
    demo: bool = False
    open_robots: Callable[[Table, Callable[[], Mapping[str, str | None]]], RobotPlayers] | None = None
    """Makes the demo's robots from the table and a function that returns player -> phone."""
    show_sheet: Callable[[Callable[[], tuple[str, Wish, int] | None]], None] | None = None
    """Makes the demo's camera also paint the sheet that a calibration asks for."""
    rng: random.Random = field(default_factory=random.SystemRandom)
    """Draws the starter of a game."""
    settings: Path | None = None
    """The file from which `config` was read."""
    read: Callable[[str], Config] = parse
    """Parses the text of that file, with the settings that override it. Raises `ConfigError`."""
    root: RootRequests | None = None
    """Sends requests to root; None if there is no helper."""
    taken_back: str = ""
    """Why `config` is the last one with which the page answered instead of that in `settings`; empty if it is not."""


def run(setup: Setup) -> int:
    """Run until Ctrl-C or SIGTERM. The first line of standard output is the page's address, printed once it answers.

    Returns the exit status: 0, or `os.EX_TEMPFAIL` if systemd should start the program again, because the host asked
    for that, a backup is ready to be restored, or a hung camera blocks a thread in its driver. Without systemd the
    program restarts itself on the same port. Raises `StationError`.
    """
    while True:
        restart = Restart()
        try:
            with contextlib.ExitStack() as stack:
                status, port = _run(setup, stack, restart)
        except (JournalError, ModelError, ProfileError) as error:
            raise StationError(str(error)) from error
        except Exception as error:  # whatever makes a start fail with a configuration that never worked
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


def _run(setup: Setup, stack: contextlib.ExitStack, restart: Restart) -> tuple[int, int]:
    """Run once: the exit status, and the page's port."""
    notifier = Notifier.from_environment()
    stop = stack.enter_context(stop_signals())  # first, so that a signal during the start also stops it cleanly
    restart.attach(stop)
    sys.setswitchinterval(SWITCH_INTERVAL)
    limit_resources()
    lines = stack.enter_context(recent_log())
    trial = stack.enter_context(_put_in_place(setup.state))

    table = _table(setup, stack)
    access = Access(setup.state, setup.config.access.code)
    root = _root(setup, notifier)
    settings = _settings(setup, root)
    panel = _panel(setup, table, notifier, settings, stack)
    eyes = open_eyes(
        table, setup.config, setup.state, setup.open_camera, stack, demo=setup.demo, supervised=notifier.under_systemd
    )
    listening = stack.enter_context(_listening(setup.config.web.host, setup.config.web.port))
    page = PageAddress(setup.config.web.host, listening.getsockname()[1])
    limits = Limits.within(descriptors_left())
    feed = Feed(limit=limits.streams, strangers=limits.strangers)
    wifi = _wifi(setup, notifier, feed)
    features = _features(setup, table, access, root, settings, panel, eyes, page, feed, wifi, restart, lines)
    server = Server(_page(setup, table, access, feed, page, panel, eyes, features), listening, limits)
    stack.callback(server.stop)

    _seat(setup, table)
    eyes.open(stack)
    server.start()
    _announce(page, stop, access, notifier)
    trial.pop_all()
    if settings is not None and notifier.under_systemd:
        _settle(setup, settings)
    for feature in features:
        feature.start()
        stack.callback(feature.stop)
    stack.callback(notifier.stopping)
    show_join = partial(_show_join, panel, page, access, wifi)
    return _attend(notifier, table, page, eyes, features, show_join, stop), page.port


def _page(
    setup: Setup,
    table: Table,
    access: Access,
    feed: Feed,
    page: PageAddress,
    panel: TablePanel,
    eyes: Eyes,
    features: Sequence[Feature[Any]],
) -> Flask:
    web = setup.config.web
    return create_app(
        Parts(
            table,
            access=access,
            feed=feed,
            addresses=lambda: page.urls,  # asked each time, because the router may assign others
            names=web.names,
            panel=panel.virtual,
            camera=eyes.supervised,
            photos=eyes.photos,
            features=features,
            language="" if web.language == "auto" else web.language,
        )
    )


def _announce(page: PageAddress, stop: threading.Event, access: Access, notifier: Notifier) -> None:
    """Wait until the page answers, and announce its address."""
    try:
        if page.wait(stop, START_TIME):
            page.announce(access.code, None if notifier.under_systemd else access.invitation)
    except TimeoutError as error:
        raise StationError(str(error)) from error


def _features(
    setup: Setup,
    table: Table,
    access: Access,
    root: RootRequests | None,
    settings: SettingsFile | None,
    panel: TablePanel,
    eyes: Eyes,
    page: PageAddress,
    feed: Feed,
    wifi: Wifi | None,
    restart: Restart,
    lines: RecentLog,
) -> tuple[Feature[Any], ...]:
    """The features, in the order of `/box`."""
    state, config = setup.state, setup.config
    robots = setup.open_robots(table, access.phones.seats) if setup.open_robots else None
    calibration = (
        None
        if eyes.supervised is None
        else CalibrationSession(eyes.camera, eyes.profiles, eyes.profile, table.state, Reader.load)
    )
    if setup.show_sheet is not None and calibration is not None:
        setup.show_sheet(calibration.wanted)
    https = SecurePage(secure_site(state, page, config.web.names), config.web.host, config.web.secure_port)
    return (
        CalibrationFeature(calibration, table, access, feed),
        RobotsFeature(robots, table, access, feed),
        MetricsFeature(table, feed),
        HealthFeature(Maintenance(state, table.state, lines, restart, eyes.supervised), table, access),
        BackupFeature(_backups(setup, restart, root), table),
        HttpsFeature(https, table),
        CameraFeature(_camera_setup(setup, eyes, settings, restart), table),
        ButtonsFeature(panel if panel.learns else None, table),
        WifiFeature(wifi, table),
        ClubFeature(TableClub(state, table, config.club, setup.rng), table),
        # Its requests wait for those of the backups.
        UpdatesFeature(None if root is None else Updates(config.update.address, root, Versions(), state), table),
    )


def _attend(
    notifier: Notifier,
    table: Table,
    page: PageAddress,
    eyes: Eyes,
    features: Sequence[Feature[Any]],
    show_join: Callable[[], None],
    stop: threading.Event,
) -> int:
    """Keep systemd and the display informed, flush the journal and keep examples until `stop`.

    Returns the exit status.
    """

    def status() -> str:
        """The status line for systemd: the address and the state of the camera."""
        now = eyes.camera.status
        return f"{page.urls[0]} - {now.name if now.ok else now.sentence or 'no camera yet'}"

    heartbeat = Heartbeat(
        notifier,
        {
            "the server, and the table behind it": lambda: page.answers(ANSWER_TIME),
            "what reads the dice": lambda: eyes.reveal.alive,
        },
    )
    if not stop.is_set():
        notifier.ready(status())
    every = min(FLUSH_EVERY, (notifier.watchdog or FLUSH_EVERY) / 3)
    behind = True
    while True:
        for feature in features:
            feature.step()
        show_join()
        behind = behind and table.past.catch_up()
        if stop.wait(every):
            return 0
        table.flush()  # blocks while the journal hangs, so that the watchdog notices
        heartbeat.beat(status())
        if eyes.examples is not None:
            eyes.examples.step()
        if eyes.hangs:
            log.error("the camera hangs and holds its driver: the program ends, to be started again")
            return os.EX_TEMPFAIL


# Parts


def _seat(setup: Setup, table: Table) -> None:
    """Open the first game with the players in `setup`."""
    if setup.players and table.state().phase is Phase.SEATING:
        seated = [NewPlayer(name, colour) for name, colour in setup.players]
        table.do(OpenGame(seated, setup.config.house.id, setup.config.table.calza))


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
    """Restore a backup if one is ready, and give up another box's identity if that was requested.

    Leaving the returned stack because of an error makes the next start undo the restore; call `pop_all` once the start
    has succeeded.
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
    """The journal, and True if it was damaged and replaced by its readable part: nobody types commands at a box."""
    journal = partial(
        Journal, setup.state, pictures=setup.config.table.pictures, slow=Notifier.from_environment().starting
    )
    try:
        repair = repair_journal(setup.state) if repair_wanted(setup.state) else None
        if repair is None:
            return journal(), False
    except DamagedJournalError as damaged:
        log.error("%s", damaged.what)  # noqa: TRY400 - a damaged file is not a bug
        repair = repair_journal(setup.state, damaged)
        if repair is None:
            raise
    for what in repair.damage:
        log.error("%s", what)
    log.error("The damaged journal is in %s; the table goes on with all that can be read of it.", repair.aside)
    return journal(), True


def _panel(
    setup: Setup, table: Table, notifier: Notifier, settings: SettingsFile | None, stack: contextlib.ExitStack
) -> TablePanel:
    # Only the service may switch the machine off: a program started by hand runs on somebody's computer.
    off = switch_off if notifier.under_systemd and not setup.demo else None
    panel = TablePanel(table, setup.config.panel, setup.open_panel, settings=settings, switch_off=off)
    stack.callback(panel.close)
    return panel


def _show_join(panel: TablePanel, page: PageAddress, access: Access, wifi: Wifi | None) -> None:
    """Show on the panel how phones can join now: the box's address changes with its network."""
    own = (wifi.own.name, wifi.own.password) if wifi is not None and wifi.hotspot else None
    panel.ready(join_lines(page.urls[0].removeprefix("http://").rstrip("/"), access.code, own))


def _settings(setup: Setup, root: RootRequests | None) -> SettingsFile | None:
    """The file in which the host's changes on the page are saved. On a box it belongs to root."""
    if setup.settings is None or setup.demo:
        return None
    return SettingsFile(setup.settings, setup.read, None if root is None else root.configure)


def _config_now(setup: Setup) -> Config:
    """The current configuration. Raises `StationError`."""
    settings = _settings(setup, None)
    try:
        return setup.config if settings is None else settings.read()
    except (ConfigError, SettingsError) as error:
        raise StationError(str(error)) from error


def _last_config(setup: Setup) -> Config | None:
    """The last configuration with which the page answered; None if it is already in use, or this is no box."""
    if setup.taken_back or setup.demo or not Notifier.from_environment().under_systemd:
        return None
    text = last_configuration(setup.state)
    try:
        last = None if text is None else setup.read(text)
    except ConfigError:  # an environment variable is wrong
        return None
    return None if last == setup.config else last


def _settle(setup: Setup, settings: SettingsFile) -> None:
    """Once the page answers: keep its configuration, or ask root to restore the one that works."""
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
        "The new configuration does not work here ({reason}). The previous one is back.",
        reason=reason.rstrip("."),
    )


def _put_back(setup: Setup, settings: SettingsFile, text: str) -> None:
    try:
        with contextlib.suppress(SettingsError):  # it cannot be read
            keep_refused(setup.state, settings.text())
        settings.put_back(text)
    except SettingsError as error:
        log.warning("%s", error)


def _camera_setup(setup: Setup, eyes: Eyes, settings: SettingsFile | None, restart: Restart) -> CameraSetup | None:
    config = setup.config.camera
    if settings is None:
        return None
    return CameraSetup(
        config.source,
        lambda source: setup.open_camera(replace(config, source=source)),
        settings,
        restart,
        lent=contextlib.nullcontext if eyes.supervised is None else eyes.supervised.lent,
    )


def _backups(setup: Setup, restart: Restart, root: RootRequests | None) -> Backups:
    return Backups(
        setup.state,
        program=version("perudo-companion"),
        name=lambda: socket.gethostname().partition(".")[0],
        restart=restart,
        settings=setup.settings,
        root=root,
        trouble=_taken_back(setup.taken_back) if setup.taken_back else "",
    )


def _root(setup: Setup, notifier: Notifier) -> RootRequests | None:
    """A client of the root helper; None unless this is a box."""
    if setup.root is None and notifier.under_systemd and not setup.demo:
        return RootRequests(setup.state)
    return setup.root


def _wifi(setup: Setup, notifier: Notifier, feed: Feed) -> Wifi | None:
    """The Wi-Fi if this is a box with one, else None: on other computers the Wi-Fi is not ours to manage."""
    if setup.demo or not notifier.under_systemd:
        return None
    try:
        network = NetworkManager()
    except WifiError as error:
        log.info("Wi-Fi is left alone: %s", error)
        return None
    machine = Path("/etc/machine-id").read_text(encoding="utf-8").strip() if Path("/etc/machine-id").exists() else ""
    return Wifi(network, own_network(setup.state, setup.rng, machine), in_use=lambda: feed.count > 0)


def _listening(host: str, port: int) -> socket.socket:
    try:
        return listen(host, port)
    except OSError as error:
        raise StationError(
            f"The page cannot be served on {host} port {port}: {error.strerror or error}. "
            "Another program may be using it; --port names another, --port 0 takes a free one."
        ) from error
