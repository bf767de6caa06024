"""What is said while a camera is calibrated, besides what `calibration` says itself."""

from __future__ import annotations

from typing import Final

from companion.messages.message import Message

NOT_ON: Final = Message("Nobody is calibrating now.")
DICE_READ: Final = Message("The dice are being read just now. Calibrate when they have been.")
WAITS: Final = Message("The dice are being read. Calibrating goes on after that.")
NOTHING_FOUND: Final = Message("Nothing was found yet that could be kept.")
NO_LENS: Final = Message("No lens fits these pictures: take others.")
LENS_FIRST: Final = Message("The lens comes first: take the pictures of the sheet.")
WORKING: Final = Message("Working out the lens. The sheet can go down on the table.")
RULER: Final = Message("The line on the sheet is 80 to 120 mm long: measure it once more.")
SQUARE: Final = Message("A square on a screen is 5 to 100 mm wide: measure it once more.")
NO_DICE: Final = Message("I see no dice. Put them into the picture, without cups.")
SOME_DICE: Final = Message(
    "Put one die of each player into the picture, a hand's breadth apart, or leave a roll as it lies."
)
THROW: Final = Message("Throw all the dice and take the hands away.")
GET_SHEET: Final = Message("Print the sheet, or show it on a tablet.")
FLAT: Final = Message("Lay the sheet flat in the middle of the table, and take the hands away.")
FLAT_SEEN: Final = Message("I see the sheet. Does it lie flat on the table?")
HOLD: Final = Message("Good. Hold it still.")
NO_SHEET: Final = Message("I do not see the sheet. Put it under the camera, printed side up.")

LOST: Final = {
    "sheet": Message(
        "Without the sheet the lens stays unknown: dice near the edge of the picture are read less surely."
    ),
    "assume": Message("The maker's figures stand for the lens then; your own lens may differ a little from them."),
    "colours": Message("Without this step, colours that are alike are mixed up more easily under a warm lamp."),
}
"""What is lost where a step is left out."""


def another(player: str | None) -> Message:
    """Somebody else is calibrating."""
    if player is None:
        return Message("Another phone is calibrating. Watch, or take over.")
    return Message("{player} is calibrating. Watch, or take over.", player=player)


def saved(profile: str) -> Message:
    """It is kept, and in use."""
    return Message("{profile} is kept. The dice are read with it from now on.", profile=profile)
