"""Files that are written whole or not at all."""

from __future__ import annotations

import stat
from pathlib import Path

from calibration.atomic_write import write_atomically


def test_what_nobody_else_may_read_is_not_written_into_a_draft_that_everybody_may(tmp_path: Path) -> None:
    draft = tmp_path / "secret.part"
    draft.write_bytes(b"left when the power went")
    draft.chmod(0o644)
    with draft.open("rb") as read:
        write_atomically(tmp_path / "secret", b"new", mode=0o600)
        assert read.read() == b"left when the power went"
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["secret"]
