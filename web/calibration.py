"""`/api/v1/calibration`: calibrating the camera from a browser.

Every phone that has joined and does not only watch may calibrate, one at a time, and another may take over. Everybody
may watch, but while dice may lie under cups only the host's phone sees the pictures, and what was found in them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from flask import Blueprint, Response, g, jsonify, request
from msgspec.structs import replace

from calibration.sheet.board import BoardError, svg
from calibration.sheet.pdf import SHEET_WORDS, sheet_pdf
from companion.calibrating.calibration_state import CalibrationState
from companion.calibrating.changes import CHANGES, Change, IgnoreNotice
from companion.calibrating.progress import Calibrator
from companion.calibrating.session import CalibrationSession
from companion.messages.message import Message
from companion.messages.sentence import Sentence
from companion.table import Table
from web import body
from web.access.access import Access
from web.errors import RequestError
from web.headers import no_store
from web.pictures import CUPS_DOWN, check_may_look, hidden_from

SQUARE_PIXELS: Final = (8.0, 400.0)
"""CSS pixels that a square of the sheet may be wide on a screen."""


def register(
    api: Blueprint,
    session: CalibrationSession | None,
    table: Table,
    access: Access,
    table_answer: Callable[[], Response],
) -> None:
    """Add the addresses to `api`. `session`: None if there is no camera to calibrate."""

    def there() -> CalibrationSession:
        if session is None:
            raise RequestError(Message("This table has no camera to calibrate."), code="no_camera")
        return session

    def answer() -> Response:
        phone = access.visitor(request).phone
        state = there().state(None if phone is None else phone.id)
        return no_store(jsonify(_unseen(state) if hidden_from(phone, table.state(), access.phones) else state))

    def change(kind: type[Change]) -> Response:
        calibrating, phone = there(), g.tap.phone
        calibrating.do(body.read(request, kind), Calibrator(phone.id, phone.player))
        return table_answer() if kind is IgnoreNotice else answer()

    for kind in CHANGES:
        endpoint = kind.address.operation.replace("calibration", "calibrate", 1)
        api.add_url_rule(f"/{kind.address.path}", endpoint, partial(change, kind), methods=["POST"])

    @api.get("/calibration")
    def calibration() -> Response:
        return answer()

    @api.get("/calibration/picture.jpg")
    def calibration_picture() -> Response:
        check_may_look(table.state(), access)
        return _jpeg(there().picture(request.args.get("number", 0, type=int)))

    @api.get("/calibration/compared/<which>.jpg")
    def calibration_compared(which: str) -> Response:
        check_may_look(table.state(), access)
        return _jpeg(there().compared(which))

    api.add_url_rule("/calibration/sheet.pdf", "calibration_sheet", _printed_sheet)
    api.add_url_rule("/calibration/sheet.svg", "calibration_screen", _screen_sheet)


def _unseen(state: CalibrationState) -> CalibrationState:
    """The state without pictures and without what was found in them."""
    if state.step is None:
        return replace(state, compared=())
    trouble = Sentence(sentence=CUPS_DOWN)
    return replace(
        state, picture=None, says=None, hint=None, trouble=trouble, findings=(), compared=(), colours=None, check=None
    )


def _jpeg(data: bytes | None) -> Response:
    if data is None:
        raise RequestError("There is no such picture now.", code="not_found")
    return no_store(Response(data, mimetype="image/jpeg"))


def _printed_sheet() -> Response:
    paper, language = request.args.get("paper", "a4"), request.args.get("language", "en")
    if language not in SHEET_WORDS:
        raise RequestError(f"The sheet is written in {', '.join(SHEET_WORDS)}.")
    try:
        data = sheet_pdf(paper, language)
    except BoardError as error:
        raise RequestError(f"{error}") from error
    response = Response(data, mimetype="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="perudo-sheet-{paper}.pdf"'
    return response


def _screen_sheet() -> Response:
    square = request.args.get("square", 60.0, type=float)
    least, most = SQUARE_PIXELS
    if not least <= square <= most:
        raise RequestError(f"A square is {least:g} to {most:g} pixels wide.")
    return Response(svg(square), mimetype="image/svg+xml")
