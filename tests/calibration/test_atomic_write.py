"""Files are written whole or not at all."""

from __future__ import annotations

import stat
from pathlib import Path

from calibration.atomic_write import write_atomically


def test_the_draft_of_a_private_file_is_private_too(tmp_path: Path) -> None:
    draft = tmp_path / "secret.part"
    draft.write_bytes(b"left when the power went")
    draft.chmod(0o644)
    with draft.open("rb") as read:
        write_atomically(tmp_path / "secret", b"new", mode=0o600)
        assert read.read() == b"left when the power went"
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["secret"]
