"""`/api/v1/calibration`: calibrating the camera from a browser.

Every phone that has joined, except those that only watch, may calibrate: one at a time, and another may take over.
Everybody may follow along, but while dice may be under cups only the host's phone sees pictures and findings.
"""

from __future__ import annotations

from typing import Final

from flask import Response, g, request
from msgspec.structs import replace

from calibration.sheet.board import BoardError, svg
from calibration.sheet.pdf import sheet_pdf
from companion.features.calibration.calibration_state import CalibrationState
from companion.features.calibration.changes import CHANGES, Change, IgnoreNotice
from companion.features.calibration.progress import Calibrator
from companion.features.calibration.service import CalibrationSession
from companion.messages.message import Message
from companion.messages.sentence import Sentence
from companion.table import State, Table
from web.access.access import Access
from web.endpoints import COUNT, NUMBER, TEXT, Who, get, one_of, post, query
from web.errors import RequestError
from web.feature import Feature
from web.pictures import CUPS_DOWN, check_may_look, hidden_from
from web.stream.stream import Feed

SQUARE_PIXELS: Final = (8.0, 400.0)
"""The smallest and largest width of a square of the sheet on a screen, in CSS pixels."""


class CalibrationFeature(Feature[CalibrationSession]):
    def absence(self) -> RequestError:
        return RequestError(Message("This table has no camera to calibrate."), code="no_camera")

    def __init__(self, session: CalibrationSession | None, table: Table, access: Access, feed: Feed) -> None:
        super().__init__(session, table)
        self._access, self._feed = access, feed

    @get("calibration", refuses=(503,))
    def calibration(self) -> CalibrationState:
        """The state of the calibration. It looks at frames as long as a phone that has joined keeps asking."""
        phone = self._access.visitor(request).phone
        state = self.there.state(None if phone is None else phone.id)
        return _unseen(state) if hidden_from(phone, self.table.state(), self._access.phones) else state

    @get(
        "calibration/picture.jpg",
        answers="image/jpeg",
        parameters=(
            query("number", COUNT, "The number in the state; the latest picture if that one is no longer there."),
        ),
        refuses=(404, 503),
    )
    def calibration_picture(self) -> bytes:
        """The calibration's picture, at most 960 pixels wide."""
        check_may_look(self.table.state(), self._access)
        return _there(self.there.picture(request.args.get("number", 0, type=int)))

    @get(
        "calibration/compared/{which}.jpg",
        answers="image/jpeg",
        fields={"which": one_of("before", "after")},
        refuses=(404, 503),
    )
    def calibration_compared(self, which: str) -> bytes:
        """The camera's picture before or after it is straightened."""
        check_may_look(self.table.state(), self._access)
        return _there(self.there.compared(which))

    @get(
        "calibration/sheet.pdf",
        answers="application/pdf",
        parameters=(
            query("paper", one_of("a4", "letter"), "The paper."),
            query("language", TEXT, "The language of its text; one that is not offered is answered in English."),
        ),
    )
    def calibration_sheet(self) -> Response:
        """The sheet to print: one page, to scale."""
        paper, language = request.args.get("paper", "a4"), request.args.get("language", "en")
        try:
            data = sheet_pdf(paper, language)
        except BoardError as error:
            raise RequestError(f"{error}") from error
        response = Response(data, mimetype="application/pdf")
        response.headers["Content-Disposition"] = f'inline; filename="perudo-sheet-{paper}.pdf"'
        return response

    @get(
        "calibration/sheet.svg",
        answers="image/svg+xml",
        parameters=(query("square", NUMBER, "The width of a square in pixels, 8 to 400."),),
    )
    def calibration_screen(self) -> Response:
        """The sheet for a screen: 7 x 9 squares with a white border."""
        square = request.args.get("square", 60.0, type=float)
        least, most = SQUARE_PIXELS
        if not least <= square <= most:
            raise RequestError(f"A square is {least:g} to {most:g} pixels wide.")
        return Response(svg(square), mimetype="image/svg+xml")

    def do(self, body: Change) -> CalibrationState | bytes:
        """Make a change to the calibration."""
        self.there.do(body, Calibrator(g.tap.phone.id, g.tap.phone.player))
        return self._feed.state_json(self.table.state()) if isinstance(body, IgnoreNotice) else self.calibration()


for change in CHANGES:
    post(
        change.address.path,
        name=change.address.operation,
        words=(change.__doc__ or "").partition("\n")[0],
        topic=change.address.topic,
        who=Who.HOST if change.address.path.startswith("calibration/profiles/") else Who.ACTING,
        takes=change,
        answers=State if change is IgnoreNotice else CalibrationState,
    )(CalibrationFeature.do)


def _there(picture: bytes | None) -> bytes:
    if picture is None:
        raise RequestError("There is no such picture now.", code="not_found")
    return picture


def _unseen(state: CalibrationState) -> CalibrationState:
    """The state without pictures and findings."""
    if state.step is None:
        return replace(state, compared=())
    trouble = Sentence(sentence=CUPS_DOWN)
    return replace(
        state, picture=None, says=None, hint=None, trouble=trouble, findings=(), compared=(), colours=None, check=None
    )
