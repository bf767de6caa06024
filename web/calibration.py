"""`/api/v1/calibration`: calibrating the camera from a browser. Who may is as for the game: every phone that has joined
and does not only watch; one at a time, and another may take over. Watching is open to everybody.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Final, Protocol

from flask import Blueprint, Response, g, jsonify, request
from msgspec import Meta, Struct

from calibration.sheet import board, pdf
from companion.calibrating.calibrating import Phone
from companion.calibrating.work import Step
from companion.messages.message import Message
from companion.table.commands import WIDEST_PICTURE, DieColour, ShortText
from web import body
from web.access.access import Access
from web.errors import RequestError
from web.headers import no_store

SQUARES: Final = (8.0, 400.0)
"""CSS pixels that a square of the sheet may be wide on a screen."""
STEPS: Final = tuple(step.value for step in Step)
PLAIN: Final = ("start", "take", "cancel", "capture", "drop", "solve", "assume", "revert")
"""What is done without anything more to say."""


LONGEST_PROFILE_NAME: Final = 40
NewProfileName = Annotated[str, Meta(min_length=1, max_length=LONGEST_PROFILE_NAME, description="Of a profile.")]


class CalibrationStep(Struct, frozen=True, forbid_unknown_fields=True):
    """`without` leaves the colours out."""

    step: Annotated[ShortText, Meta(extra_json_schema={"enum": list(STEPS)})]
    without: bool = False


class Millimetres(Struct, frozen=True, forbid_unknown_fields=True):
    """How long something is."""

    mm: Annotated[float, Meta(gt=0, lt=1000, extra={"must": "be a number of millimetres"})]


class CalibrationMark(Struct, frozen=True, forbid_unknown_fields=True):
    """A place in the picture, and the colour of the die there."""

    at: Annotated[tuple[float, float], Meta(extra={"must": "be x and y in pixels of the picture"})]
    colour: DieColour


class CalibrationExpect(Struct, frozen=True, forbid_unknown_fields=True):
    """How many dice lie there; null is as many as are seen."""

    dice: Annotated[int, Meta(ge=1, le=200)] | None


class ProfileName(Struct, frozen=True, forbid_unknown_fields=True):
    """A profile."""

    name: NewProfileName


class MaybeProfile(Struct, frozen=True, forbid_unknown_fields=True):
    """A profile, or none."""

    name: NewProfileName | None


class ProfileRename(Struct, frozen=True, forbid_unknown_fields=True):
    """Another name for a profile."""

    name: NewProfileName
    to: NewProfileName


class Calibrating(Protocol):
    """`companion.calibrating.calibrating.Calibrating` is the real one."""

    def state(self, phone: str | None) -> dict[str, Any]: ...
    def picture(self, number: int) -> bytes | None: ...
    def compared(self, which: str) -> bytes | None: ...
    def begin(self, phone: Phone) -> None: ...
    def take_over(self, phone: Phone) -> None: ...
    def cancel(self, phone: Phone) -> None: ...
    def go(self, phone: Phone, step: str, *, without: bool = False) -> None: ...
    def ruler(self, phone: Phone, mm: float) -> None: ...
    def square(self, phone: Phone, mm: float) -> None: ...
    def capture(self, phone: Phone) -> None: ...
    def drop(self, phone: Phone) -> None: ...
    def solve(self, phone: Phone) -> None: ...
    def assume(self, phone: Phone) -> None: ...
    def mark(self, phone: Phone, at: tuple[float, float], colour: str) -> None: ...
    def expect(self, phone: Phone, dice: int | None) -> None: ...
    def save(self, phone: Phone, name: str) -> None: ...
    def revert(self, phone: Phone) -> None: ...
    def use(self, name: str | None) -> None: ...
    def undo(self, name: str) -> None: ...
    def rename(self, name: str, to: str) -> None: ...
    def remove(self, name: str) -> None: ...
    def ignore(self) -> None: ...


def register(
    api: Blueprint, calibrating: Calibrating | None, access: Access, table_answer: Callable[[], Response]
) -> None:
    """Add the addresses to `api`. `calibrating`: None where there is nothing to calibrate."""
    there = _There(calibrating, access)
    _looking(api, there)
    _sheet(api)
    _doing(api, there)
    _profiles(api, there)

    @api.post("/calibration/ignore")
    def calibrate_ignore() -> Response:
        body.read(request, body.Nothing)
        there.now.ignore()
        return table_answer()


class _There:
    """What there is to calibrate, and the answer."""

    def __init__(self, calibrating: Calibrating | None, access: Access) -> None:
        self._calibrating = calibrating
        self._access = access

    @property
    def now(self) -> Calibrating:
        """Raises `RequestError` (503) where there is nothing to calibrate."""
        if self._calibrating is None:
            raise RequestError(Message("This table has no camera to calibrate."), code="no_camera", status=503)
        return self._calibrating

    def answer(self) -> Response:
        """How it stands, for the phone that asked."""
        phone = self._access.visitor(request).phone
        return no_store(jsonify(self.now.state(None if phone is None else phone.id)))

    def phone(self) -> Phone:
        """The phone that sent this change: `web.access.tap` has let in no other."""
        phone = g.tap.phone
        return Phone(phone.id, phone.player)


def _looking(api: Blueprint, there: _There) -> None:
    @api.get("/calibration")
    def calibration() -> Response:
        return there.answer()

    @api.get("/calibration/picture.jpg")
    def calibration_picture() -> Response:
        return _jpeg(there.now.picture(request.args.get("number", 0, type=int)))

    @api.get("/calibration/compared/<which>.jpg")
    def calibration_compared(which: str) -> Response:
        return _jpeg(there.now.compared(which))


def _jpeg(data: bytes | None) -> Response:
    if data is None:
        raise RequestError("There is no such picture now.", code="not_found", status=404)
    return no_store(Response(data, mimetype="image/jpeg"))


def _sheet(api: Blueprint) -> None:
    @api.get("/calibration/sheet.pdf")
    def calibration_sheet() -> Response:
        paper, language = request.args.get("paper", "a4"), request.args.get("language", "en")
        if language not in pdf.SHEET_WORDS:
            raise RequestError(f"The sheet is written in {', '.join(pdf.SHEET_WORDS)}.")
        try:
            data = pdf.sheet_pdf(paper, language)
        except board.BoardError as error:
            raise RequestError(f"{error}") from error
        response = Response(data, mimetype="application/pdf")
        response.headers["Content-Disposition"] = f'inline; filename="perudo-sheet-{paper}.pdf"'
        return response

    @api.get("/calibration/sheet.svg")
    def calibration_screen() -> Response:
        square = request.args.get("square", 60.0, type=float)
        least, most = SQUARES
        if not least <= square <= most:
            raise RequestError(f"A square is {least:g} to {most:g} pixels wide.")
        return Response(board.svg(square), mimetype="image/svg+xml")


def _doing(api: Blueprint, there: _There) -> None:
    acts: dict[str, Callable[[Calibrating], Callable[[Phone], None]]] = {
        "start": lambda now: now.begin,
        "take": lambda now: now.take_over,
        "cancel": lambda now: now.cancel,
        "capture": lambda now: now.capture,
        "drop": lambda now: now.drop,
        "solve": lambda now: now.solve,
        "assume": lambda now: now.assume,
        "revert": lambda now: now.revert,
    }

    def plain(act: str) -> Response:
        body.read(request, body.Nothing)
        acts[act](there.now)(there.phone())
        return there.answer()

    for act in PLAIN:
        api.add_url_rule(f"/calibration/{act}", f"calibrate_{act}", partial(plain, act), methods=["POST"])

    @api.post("/calibration/go")
    def calibrate_go() -> Response:
        to = body.read(request, CalibrationStep)
        there.now.go(there.phone(), to.step, without=to.without)
        return there.answer()

    @api.post("/calibration/ruler")
    def calibrate_ruler() -> Response:
        there.now.ruler(there.phone(), body.read(request, Millimetres).mm)
        return there.answer()

    @api.post("/calibration/square")
    def calibrate_square() -> Response:
        there.now.square(there.phone(), body.read(request, Millimetres).mm)
        return there.answer()

    @api.post("/calibration/mark")
    def calibrate_mark() -> Response:
        mark = body.read(request, CalibrationMark)
        x, y = (min(max(each, 0.0), WIDEST_PICTURE) for each in mark.at)
        there.now.mark(there.phone(), (x, y), mark.colour)
        return there.answer()

    @api.post("/calibration/expect")
    def calibrate_expect() -> Response:
        there.now.expect(there.phone(), body.read(request, CalibrationExpect).dice)
        return there.answer()

    @api.post("/calibration/save")
    def calibrate_save() -> Response:
        there.now.save(there.phone(), body.read(request, ProfileName).name)
        return there.answer()


def _profiles(api: Blueprint, there: _There) -> None:
    @api.post("/calibration/profiles/use")
    def calibrate_use() -> Response:
        there.now.use(body.read(request, MaybeProfile).name)
        return there.answer()

    @api.post("/calibration/profiles/undo")
    def calibrate_undo() -> Response:
        there.now.undo(body.read(request, ProfileName).name)
        return there.answer()

    @api.post("/calibration/profiles/rename")
    def calibrate_rename() -> Response:
        profile = body.read(request, ProfileRename)
        there.now.rename(profile.name, profile.to)
        return there.answer()

    @api.post("/calibration/profiles/remove")
    def calibrate_remove() -> Response:
        there.now.remove(body.read(request, ProfileName).name)
        return there.answer()
