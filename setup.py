"""What pyproject.toml cannot say: the source distribution is the same each time it is made of the same files."""

from __future__ import annotations

import gzip
import os
import tarfile
from pathlib import Path
from typing import Final

from setuptools import setup
from setuptools.command.sdist import sdist

EPOCH: Final = 315532800
"""1980-01-01, as in a wheel's zip. Seconds since 1970, the time of every file unless SOURCE_DATE_EPOCH says another."""


class SteadySdist(sdist):
    """A source distribution without the times of its making, its maker's name, and the order of a folder."""

    def make_archive(self, base_name: str, *_: object, base_dir: object = None, **__: object) -> str:
        """Make the .tar.gz of the folder `base_dir`, and return its name."""
        folder, archive = Path(str(base_dir)), f"{base_name}.tar.gz"

        def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
            member.mtime = int(os.environ.get("SOURCE_DATE_EPOCH", EPOCH))
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            return member

        with (
            gzip.GzipFile(archive, "wb", mtime=0) as packed,
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
        ):
            for path in (folder, *sorted(folder.rglob("*"))):
                tar.add(path, recursive=False, filter=plain)
        return archive


setup(cmdclass={"sdist": SteadySdist})
