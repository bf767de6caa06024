"""Checks the networks' files against their published hashes.

python -m vision.models.integrity    writes the hashes of the present files, after new weights
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Final

MODELS_FOLDER: Final = Path(__file__).resolve().parent
HASH_FILE: Final = "hashes.json"
MODEL_FILES: Final = (
    "classifier.bin",
    "classifier.param",
    "confidence.json",
    "detector.bin",
    "detector.param",
    "second/classifier.bin",
    "second/classifier.param",
    "second/detector.bin",
    "second/detector.param",
    "verifier.bin",
    "verifier.param",
)


def file_hashes(folder: Path = MODELS_FOLDER) -> dict[str, str]:
    """SHA-256 of every network file in `folder`, by name. Raises `OSError`."""
    return {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
        for name in MODEL_FILES
        if (folder / name).is_file()
    }


def model_faults(folder: Path = MODELS_FOLDER) -> dict[str, str]:
    """The faults of the networks' files, by name: missing or changed."""
    try:
        recorded = json.loads((folder / HASH_FILE).read_text(encoding="utf-8"))
        found = file_hashes(folder)
    except (OSError, ValueError) as error:
        return {HASH_FILE: f"cannot be read ({error})"}
    if not isinstance(recorded, dict):
        return {HASH_FILE: "is not what was published"}
    return {
        name: "is not what was published: it is damaged, or of another version" if name in found else "is missing"
        for name in MODEL_FILES
        if name not in found or found[name] != recorded.get(name)
    }


def networks_id(folder: Path = MODELS_FOLDER) -> str:
    """A short name of the networks and their confidence; it changes with the files. Raises `OSError`."""
    return hashlib.sha256((folder / HASH_FILE).read_bytes()).hexdigest()[:12]


def record_hashes(folder: Path = MODELS_FOLDER) -> None:
    """Write the hashes of the present files. Raises `OSError`."""
    (folder / HASH_FILE).write_text(json.dumps(file_hashes(folder), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    record_hashes()
