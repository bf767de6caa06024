"""Whether the files of the networks are as they were published: their hashes are kept beside them.

python -m vision.models.integrity    writes the hashes of the files as they are now; to be typed after new weights
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Final

MODELS: Final = Path(__file__).resolve().parent
HASHES: Final = "hashes.json"
FILES: Final = (
    "classifier.onnx",
    "confidence.json",
    "detector.onnx",
    "second/classifier.onnx",
    "second/detector.onnx",
)


def hashes(folder: Path = MODELS) -> dict[str, str]:
    """SHA-256 of every file of the networks that is in `folder`, by name. Raises `OSError`."""
    return {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in FILES if (folder / name).is_file()
    }


def broken(folder: Path = MODELS) -> dict[str, str]:
    """What is wrong with files of the networks, by name: missing, or changed. Empty when all is well."""
    try:
        recorded = json.loads((folder / HASHES).read_text(encoding="utf-8"))
        found = hashes(folder)
    except (OSError, ValueError) as error:
        return {HASHES: f"cannot be read ({error})"}
    if not isinstance(recorded, dict):
        return {HASHES: "is not what was published"}
    wrong = {name: "is missing" for name in FILES if name not in found}
    wrong |= {
        name: "is not what was published: it is damaged, or of another version"
        for name, digest in found.items()
        if recorded.get(name) != digest
    }
    return dict(sorted(wrong.items()))


def record(folder: Path = MODELS) -> None:
    """Keep the hashes of the files as they are now. Raises `OSError`."""
    (folder / HASHES).write_text(json.dumps(hashes(folder), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    record()
