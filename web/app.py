"""The application factory: one table, one page, one API."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from flask import Blueprint, Flask, Response, request

from companion.box.backup.desk import BackupDesk
from companion.box.updates import Updates
from companion.box.upkeep import Upkeep
from companion.box.wifi.wifi import Wifi
from companion.calibrating.session import CalibrationSession
from companion.camera.photos import Photos
from companion.member.table_club import TableClub
from companion.messages.sentence import json_bytes
from companion.table import Table
from hardware.camera.protocol import Camera
from vision.image_file import LARGEST_PHOTO
from web import api, calibration, commands, errors, page, past_games
from web.access import guard, invitation
from web.access.access import Access
from web.access.demo_seats import DemoPlayers
from web.access.demo_seats import register as register_demo
from web.access.join import JoinDesk
from web.access.tap import Taps
from web.answer_cache import AnswerCache
from web.box import backup, box, health, log_lines, metrics, update
from web.box.club import register as register_club
from web.box.https import HttpsDesk
from web.box.https import register as register_https
from web.box.wifi import leading
from web.box.wifi import register as register_wifi
from web.commands import PanelFingers
from web.headers import Json
from web.openapi.document import document
from web.photos import check_length
from web.photos import register as register_photos
from web.pictures import register as register_pictures
from web.stream import events
from web.stream.stream import Feed, Streams

HEARTBEAT = 10.0
"""Seconds of silence after which a stream sends a heartbeat."""
UNREAD_FOR = 20.0
"""Seconds after which a phone that reads nothing loses its stream."""
MAX_LISTENERS = 128
"""The most streams at once: a hundred phones at one table, and some to spare."""


def create_app(
    table: Table,
    *,
    access: Access | None = None,
    addresses: Callable[[], Sequence[str]] | None = None,
    names: Sequence[str] = (),
    panel: PanelFingers | None = None,
    camera: Camera | None = None,
    pictures: Path | None = None,
    calibrating: CalibrationSession | None = None,
    photos: Photos | None = None,
    players: DemoPlayers | None = None,
    upkeep: Upkeep | None = None,
    backups: BackupDesk | None = None,
    https: HttpsDesk | None = None,
    wifi: Wifi | None = None,
    club: TableClub | None = None,
    updates: Updates | None = None,
    language: str = "",
    heartbeat: float = HEARTBEAT,
    unread_for: float = UNREAD_FOR,
    max_listeners: int = MAX_LISTENERS,
    clock: Callable[[], float] = time.monotonic,
) -> Flask:
    """The page and the API of `table`.

    `access`: the code and the phones; by default a new code, and phones in memory only. `addresses`: where phones reach
    the page; by default the address of the request. `names`: by which browsers may ask for it, beside our own. `panel`:
    the virtual panel, None if the panel is real. `camera`: for `frame.jpg`. `pictures`: the folder of the judged
    pictures, `<id>.jpg`. `calibrating`: None if there is no camera to calibrate. `photos`: takes the phones' pictures.
    `players`: the demo's robots.
    `upkeep`: what the host's phone does for the box. `backups`: None where nothing is kept.
    `https`: looks after the page over https, None if there is none. `wifi` and `updates`: of a box; None elsewhere.
    `club`: None without the part for clubs.
    `language`: the page's where nobody has chosen one; "" takes the browser's.
    `heartbeat` and `unread_for` are seconds of `clock`.
    """
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_PHOTO  # `web.body` reads less
    app.json = Json(app)
    app.url_map.merge_slashes = False  # a change is never redirected
    access = access or Access(clock=clock)
    feed = Feed(secrets.token_hex(4), limit=max_listeners)
    app.extensions["feed"] = feed
    app.extensions["streams"] = Streams(
        feed,
        heartbeat=heartbeat,
        unread_for=unread_for,
        clock=clock,
        follow=access.phones.follow,
        look=access.phones.look,
    )
    access.phones.on_change(lambda: feed.sit(access.phones.presence()))
    access.phones.follow(table.state())
    feed.sit(access.phones.presence())
    table.attach(feed)

    v1 = Blueprint("api", __name__, url_prefix="/api/v1")
    answer = partial(api.state, table)
    addresses = addresses or (lambda: [invitation.http_url(request)])
    taps = Taps(access, table)
    answers = AnswerCache()
    api.register(app, v1, table, feed, access, answers)
    past_games.register(v1, table, access, answers)
    v1.add_url_rule("/openapi.json", "openapi", lambda: _described(answers))
    events.register(v1, feed, access)
    register_pictures(v1, table, access, camera, pictures, run=feed.run, clock=clock)
    JoinDesk(table, access, addresses).register(v1)
    invitation.register(v1, access, addresses, answers)
    taps.register(v1)
    commands.register(v1, panel, taps, answer)
    register_photos(v1, photos or Photos(), table, answer)
    register_demo(v1, players, access, answer, table.state)
    calibration.register(v1, calibrating, table, access, answer)
    box_now = partial(box.box_state, table, backups, https, wifi, updates, club)
    box.register(v1, access, https, box_now)
    backup.register(v1, table, access, backups, box_now)
    log_lines.register(v1, access, None if upkeep is None else upkeep.recent_log)
    health.register(v1, table, access, upkeep, box_now)
    update.register(v1, table, access, updates, box_now)
    metrics.register(app, table, feed, clock)

    errors.register(app)
    guard.register(app, partial(leading, table, wifi), addresses, names)
    register_https(app, https)
    register_wifi(v1, table, access, wifi, box_now)
    register_club(v1, access, club, box_now)
    app.before_request(check_length)
    page.register(app, language)
    app.register_blueprint(v1)
    return app


def _described(answers: AnswerCache) -> Response:
    """The OpenAPI document."""
    described = answers.get("openapi.json", lambda: json_bytes(document()))
    return Response(described, mimetype="application/json")
