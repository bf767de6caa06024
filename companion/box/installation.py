"""Where the program is installed, and whether a service can run from there."""

from __future__ import annotations

import re
import stat
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PACKAGES: Final = ("companion", "vision", "hardware", "web", "calibration")
PROGRAM_FOLDER: Final = Path(__file__).resolve().parents[2]
"""The folder of our packages."""

HOMES: Final = (Path("/home"), Path("/root"), Path("/run/user"))
"""The folders that systemd's ProtectHome= hides: systemd.exec(5)."""
TEMPORARY: Final = (Path("/tmp"), Path("/var/tmp"))
"""The folders that PrivateTmp= hides and the system empties."""
ELSEWHERE: Final = """\
Put the program where everybody may read it, and install it from there:
    sudo git clone URL-OF-THE-PROGRAM /opt/perudo
    cd /opt/perudo
    sudo python3 -m companion.bootstrap run install-service"""

_SAFE_PATH: Final = re.compile(r"[\w/.+@ -]+", re.ASCII)


class InstallError(RuntimeError):
    """The service cannot be installed or removed. The message says what to do."""


@dataclass(frozen=True, slots=True)
class Installation:
    """Where the program is installed. Symbolic links in the paths are resolved."""

    program: Path
    """The `perudo` command."""
    folders: tuple[Path, ...]
    """The virtual environment, our packages, and Python."""
    needed: tuple[Path, ...] = ()
    """Files that the service's user must be able to read."""

    @property
    def at_home(self) -> tuple[Path, ...]:
        """The outermost of the folders that are in a home directory."""
        homely = {each for each in self.folders if _within(each, HOMES)}
        outermost = (each for each in homely if homely.isdisjoint(each.parents))
        return tuple(sorted(outermost, key=lambda path: (len(path.parts), path)))


def this_installation() -> Installation:
    """The installation that this program runs from. Raises `InstallError` if it has no `perudo` command of its own."""
    environment = Path(sys.prefix).resolve()
    in_use = environment.parent.parent / "current"
    if environment.parent.name == "versions" and in_use.resolve() == environment:
        program = in_use / "bin" / "perudo"  # an update changes the link, but not the unit
    else:
        program = environment / "bin" / "perudo"
    if not program.exists():
        raise InstallError(
            f"{program} is not there: the service starts the command of an installed program. {ELSEWHERE}"
        )
    python, ours = Path(sys.executable).resolve(), PROGRAM_FOLDER
    return Installation(
        program,
        (environment, ours, Path(sys.base_prefix).resolve(), python.parent),
        (program, python, ours / "companion" / "__init__.py", ours / "vision" / "models" / "detector.bin"),
    )


def check_installation(place: Installation) -> None:
    """Raise `InstallError` unless a service without access to /tmp and home directories can run from there."""
    for path in (place.program, *place.folders):
        if _within(path, TEMPORARY):
            raise InstallError(f"{path} lies in a folder that the system empties. {ELSEWHERE}")
        if not _SAFE_PATH.fullmatch(str(path)):
            raise InstallError(f"systemd would misread a sign in the path {path}. {ELSEWHERE}")
    for home in place.at_home:
        if home in HOMES or home.parent == HOMES[0]:
            raise InstallError(f"The program lies in {home} itself, which a service is not to see. {ELSEWHERE}")
    shut = sorted({each for path in place.needed for each in _shut(path, place.at_home)})
    if shut:
        raise InstallError(
            f"{' and '.join(map(str, shut))} may not be read by everybody, so the service's user cannot run the "
            f"program. Open what is yours (chmod -R o+rX), or do as follows. {ELSEWHERE}"
        )


def _shut(path: Path, at_home: tuple[Path, ...]) -> Iterator[Path]:
    """`path` and its parents that others may not read, up to a folder that contains one of `at_home`."""
    for each in (path, *path.parents):
        if any(each in home.parents for home in at_home):
            return
        if not each.stat().st_mode & (stat.S_IXOTH if each.is_dir() else stat.S_IROTH):
            yield each


def _within(path: Path, folders: Iterable[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)
