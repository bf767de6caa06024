"""The shapes of what calibrating answers, for the OpenAPI document. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from calibration.grade import Grade
from calibration.palette import COLOURS
from calibration.quality.throw_check import ThrowVerdict
from calibration.sheet.view_guide import Wish
from web.calibration import LONGEST_PROFILE_NAME, STEPS
from web.openapi.json_schema import NUMBER, TEXT, YES_NO, Schema, arr, null, obj, one_of, ref
from web.openapi.schemas import COUNT, FACE, SHARE, told

_COLOUR: Final = one_of(*COLOURS)
_STEP: Final = one_of(*STEPS)
_GRADE: Final = one_of(*Grade)
_NAME: Final[Schema] = {
    "type": "string",
    "minLength": 1,
    "maxLength": LONGEST_PROFILE_NAME,
    "description": "Of a profile.",
}
_HEX: Final[Schema] = {"type": "string", "pattern": "^#[0-9a-f]{6}$"}
_POINTS: Final = arr({"type": "array", "prefixItems": [NUMBER, NUMBER], "items": False, "minItems": 2})

_PICTURE: Final = obj(
    {
        "number": COUNT,
        "width": COUNT,
        "height": COUNT,
        "outline": _POINTS,
        "corners": _POINTS,
        "target": _POINTS,
        "dice": arr(
            obj({"box": arr(NUMBER, minItems=4, maxItems=4), "face": FACE, "colour": _COLOUR, "uncertain": YES_NO})
        ),
    },
    says="The latest picture, `picture.jpg?number=`: where the sheet is in it, where to hold it, and the dice, in its "
    "pixels.",
)
_VIEWS: Final = obj(
    {
        "have": COUNT,
        "share": {**COUNT, "maximum": 100},
        "covered": arr(YES_NO, minItems=9, maxItems=9),
        "sideways": YES_NO,
        "lengthways": YES_NO,
        "next": one_of(*Wish),
        "enough": YES_NO,
        "held": SHARE,
        "seen": YES_NO,
        "square_mm": NUMBER,
    },
    says="The pictures of the sheet: which ninths of the picture they cover, row by row; `held`: how long the sheet "
    "has been held still, of what it takes.",
)
_CHECK: Final = obj(
    {
        "figure": {**COUNT, "maximum": 100},
        "verdict": one_of(*ThrowVerdict),
        "seen": COUNT,
        "sure": COUNT,
        "expected": null(COUNT),
        "reasons": arr(told()),
    }
)
_PROFILE: Final = obj(
    {
        "name": _NAME,
        "made": TEXT,
        "in_use": YES_NO,
        "undo": YES_NO,
        "camera": TEXT,
        "lens": YES_NO,
        "colours": arr(_COLOUR),
        "error_px": null(NUMBER),
    }
)

SCHEMAS: Final[Mapping[str, Schema]] = {
    "Calibration": obj(
        {
            "step": null(_STEP),
            "yours": YES_NO,
            "by": null(obj({"phone": TEXT, "player": null(TEXT)})),
            "camera": obj({"name": TEXT, "width": COUNT, "height": COUNT}),
            "picture": null(_PICTURE),
            "says": null(told({"grade": null(_GRADE)})),
            "hint": null(told()),
            "trouble": null(told()),
            "lost": null(told({"how": one_of("sheet", "assume", "colours")})),
            "findings": arr(told({"what": TEXT, "grade": _GRADE})),
            "views": null(_VIEWS),
            "working": YES_NO,
            "lens": null(obj({"error_px": null(NUMBER), "views": COUNT, "height_mm": NUMBER, "tilt": NUMBER})),
            "compared": arr(one_of("before", "after")),
            "colours": null(arr(obj({"colour": _COLOUR, "usual": _HEX, "here": _HEX, "dice": COUNT}))),
            "check": null(_CHECK),
            "keeps": YES_NO,
            "kept": null(told({"name": _NAME})),
            "profiles": arr(_PROFILE),
        },
        says="`step` is null while nobody calibrates. `says`: the one sentence that matters now, and how good that is; "
        "`hint`: what came of the last look; `trouble`: why nothing is looked at; `lost`: what is lost where the step "
        "is left out, `how` that is done. `keeps`: whether anything was found that can be kept; `kept`: what was kept "
        "last, where that can be taken back.",
    ),
}

ANSWER: Final = ref("Calibration")

CHANGES: Final = (
    ("start", "Begin to calibrate; refused while another phone does, and while dice are read.", "Nothing"),
    ("take", "Go on with what another phone began.", "Nothing"),
    ("cancel", "End it; nothing is kept.", "Nothing"),
    ("go", "Go to a step, forwards or back.", "CalibrationStep"),
    ("ruler", "How long the line of 100 mm on the printed sheet is.", "Millimetres"),
    ("square", "How wide a square of the sheet is on a screen.", "Millimetres"),
    ("capture", "Take the next picture of the sheet, held still or not; or: it lies flat.", "Nothing"),
    ("drop", "Take back the last picture of the sheet.", "Nothing"),
    ("solve", "Work out the lens from the pictures there are.", "Nothing"),
    ("assume", "Take the maker's figures for the lens instead.", "Nothing"),
    ("mark", "Say of which colour the die is that lies there in the picture.", "CalibrationMark"),
    ("expect", "Say how many dice lie there; null: as many as are seen.", "CalibrationExpect"),
    ("save", "Keep it as a profile of that name, and read by it from now on.", "ProfileName"),
    ("revert", "Read by what was in use before it was kept.", "Nothing"),
    ("profiles/use", "Read by this profile, or by none.", "MaybeProfile"),
    ("profiles/undo", "What the profile was before is so again.", "ProfileName"),
    ("profiles/rename", "Give a profile another name.", "ProfileRename"),
    ("profiles/remove", "Forget a profile.", "ProfileName"),
)
"""What is posted under `/api/v1/calibration/`: the path, what it does, and what it takes."""
