"""The changes that a calibration accepts, declared like commands of the table."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar, Final

from msgspec import Meta, Struct

from calibration.profiles import LONGEST_PROFILE_NAME
from companion.table.commands import Address, KnownColour, ShortText


class CalibrationStep(StrEnum):
    """The steps of a calibration."""

    AIM = "aim"
    SHEET = "sheet"
    """The sheet is printed or shown on a tablet, and measured."""
    VIEWS = "views"
    """The sheet is held under the camera."""
    FLAT = "flat"
    """The sheet lies on the table."""
    LENS = "lens"
    """Lens and table are known; the page compares before and after."""
    COLOURS = "colours"
    CHECK = "check"


ProfileName = Annotated[str, Meta(min_length=1, max_length=LONGEST_PROFILE_NAME, description="The name of a profile.")]
Millimetres = Annotated[float, Meta(gt=0, lt=1000)]
StepName = Annotated[ShortText, Meta(extra_json_schema={"enum": [step.value for step in CalibrationStep]})]


class Change(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to the calibration."""

    address: ClassVar[Address]


def _address(path: str) -> Address:
    return Address(f"calibration/{path}", "camera", "calibration_" + path.replace("/", "_"))


class Begin(Change, frozen=True):
    """Begin to calibrate. Refused while another phone calibrates, and while dice are read."""

    address = _address("start")


class TakeOver(Change, frozen=True):
    """Take over the calibration that another phone began."""

    address = _address("take")


class Cancel(Change, frozen=True):
    """End the calibration without saving anything."""

    address = _address("cancel")


class GoToStep(Change, frozen=True):
    """Go to a step, forward or back."""

    address = _address("go")

    step: StepName
    without: Annotated[bool, Meta(description="Leave the colours out.")] = False


class SetRuler(Change, frozen=True):
    """Set the measured length of the 100 mm line on the printed sheet."""

    address = _address("ruler")

    mm: Millimetres


class SetSquare(Change, frozen=True):
    """Set the measured width of one square of the sheet on a screen."""

    address = _address("square")

    mm: Millimetres


class Capture(Change, frozen=True):
    """Take the next picture of the sheet, even if it is not held still; in the step `flat`, say that it lies flat."""

    address = _address("capture")


class DropView(Change, frozen=True):
    """Drop the last picture of the sheet."""

    address = _address("drop")


class SolveLens(Change, frozen=True):
    """Work out the lens from the pictures taken so far."""

    address = _address("solve")


class AssumeLens(Change, frozen=True):
    """Use the manufacturer's data for the lens instead."""

    address = _address("assume")


class MarkDie(Change, frozen=True):
    """Name the colour of the die at a place in the picture."""

    address = _address("mark")

    at: tuple[float, float]
    """x and y in pixels of the picture."""
    colour: KnownColour


class ExpectDice(Change, frozen=True):
    """Say how many dice lie on the table; null for any number."""

    address = _address("expect")

    dice: Annotated[int, Meta(ge=1, le=200)] | None


class SaveProfile(Change, frozen=True):
    """Save the calibration as a profile with that name, and use it from now on."""

    address = _address("save")

    name: ProfileName


class RevertProfile(Change, frozen=True):
    """Undo the last save, and use the former profile again."""

    address = _address("revert")


class UseProfile(Change, frozen=True):
    """Use this profile, or none."""

    address = _address("profiles/use")

    name: ProfileName | None


class UndoProfile(Change, frozen=True):
    """Restore the profile's former version; done twice, nothing changes."""

    address = _address("profiles/undo")

    name: ProfileName


class RenameProfile(Change, frozen=True):
    """Rename a profile."""

    address = _address("profiles/rename")

    name: ProfileName
    to: ProfileName


class RemoveProfile(Change, frozen=True):
    """Delete a profile."""

    address = _address("profiles/remove")

    name: ProfileName


class IgnoreNotice(Change, frozen=True):
    """Continue although the camera was moved, is a different one or gives poor pictures. Answers the table's state."""

    address = _address("ignore")


CHANGES: Final = tuple(Change.__subclasses__())
