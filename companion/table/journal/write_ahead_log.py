"""SQLite's write-ahead log, which remains beside the journal after a power cut.

SQLite reads it up to the first frame with a wrong checksum, and silently drops the rest. That is right for a
transaction interrupted by a power cut, but wrong for one damaged later by a worn card: the transactions after it were
acknowledged. The format: https://www.sqlite.org/fileformat2.html#walformat
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Final, NamedTuple

_HEADER: Final = struct.Struct(">2I I I 2I 2I")
"""Magic number and version, page size, number of the checkpoint, salts, checksums."""
_FRAME: Final = struct.Struct(">I I 2I 2I")
"""Page, size after the commit, salts, checksums."""
_BIG_ENDIAN: Final = 0x377F0683
"""The magic number of a log whose checksums use big-endian words."""


class Frame(NamedTuple):
    """One page as written by a transaction."""

    page: int
    """From 1."""
    size: int
    """In the last frame of a transaction, the file's size in pages; 0 in the others."""
    content: bytes


def log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def frames(path: Path) -> list[Frame]:
    """Every frame since the log was last restarted, whatever its checksum; none without a log. Raises `OSError`."""
    log = log_of(path)
    content = log.read_bytes() if log.exists() else b""
    if len(content) < _HEADER.size + _FRAME.size:
        return []
    magic, _, page_size, _, *salts_and_sums = _HEADER.unpack_from(content)
    salts = salts_and_sums[:2]
    if _checksum(content[: _HEADER.size - 8], magic) != salts_and_sums[2:]:  # the header itself is damaged
        *_, salt, other, _, _ = _FRAME.unpack_from(content, _HEADER.size)
        salts, page_size = [salt, other], int.from_bytes(path.read_bytes()[16:18])
    found = []
    step = _FRAME.size + page_size
    for start in range(_HEADER.size, len(content) - step + 1, step) if page_size else ():
        page, size, *its_salts, _, _ = _FRAME.unpack_from(content, start)
        if its_salts == salts:
            found.append(Frame(page, size, content[start + _FRAME.size : start + step]))
    return found


def is_cut(found: list[Frame], read: int) -> bool:
    """True if SQLite, which reads the first `read` of these frames, drops an acknowledged transaction: one that another
    transaction follows.
    """
    dropped = found[read:]
    first = next((n for n, frame in enumerate(dropped) if frame.size), len(dropped))
    return first < len(dropped) - 1


def apply_all(path: Path) -> None:
    """Write every frame of the log into the file, up to the last complete transaction, and remove the log.

    This includes a damaged frame unless a later one has the same page: only a bit of it is wrong, and its content is
    checked row by row. Raises `OSError`.
    """
    found = frames(path)
    end = max((n for n, frame in enumerate(found, 1) if frame.size), default=0)
    if end:
        with path.open("r+b") as file:
            for page, _, content in found[:end]:
                if 0 < page <= found[end - 1].size:
                    file.seek((page - 1) * len(content))
                    file.write(content)
            file.truncate(found[end - 1].size * len(found[end - 1].content))
    log_of(path).unlink(missing_ok=True)


def _checksum(content: bytes, magic: int) -> list[int]:
    one = other = 0
    for first, second in struct.iter_unpack(">2I" if magic == _BIG_ENDIAN else "<2I", content):
        one = (one + first + other) & 0xFFFFFFFF
        other = (other + second + one) & 0xFFFFFFFF
    return [one, other]
