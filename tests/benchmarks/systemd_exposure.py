"""What systemd-analyze(1) says of the service unit."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from companion.box.service import NAME

MOST_EXPOSURE: Final = 2.0
"""The exposure must stay below this; 0 is none, 10 is all."""


def exposure(text: str) -> float | None:
    """The exposure by `systemd-analyze security`, 0 to 10; None where there is no recent systemd-analyze."""
    report = _analyze("security", text, "--offline=true")
    score = None if report is None else re.search(r"exposure level for \S+: ([\d.]+)", report)
    return None if score is None else float(score[1])


def faults(text: str) -> str | None:
    """What `systemd-analyze verify` reports, "" for nothing; None where it is absent."""
    return _analyze("verify", text, "--man=no")


def _analyze(verb: str, text: str, *options: str) -> str | None:
    if shutil.which("systemd-analyze") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{NAME}.service"
        file.write_text(text, encoding="utf-8")
        result = subprocess.run(
            ["systemd-analyze", verb, "--no-pager", *options, str(file)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
    return result.stdout.strip()
