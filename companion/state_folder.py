"""The folder where everything is saved, and its owner."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

KEYS_FILE: Final = "access.json"
"""The table's code and secret. Named here because the doctor must run even if Flask cannot be imported."""
PHONES_FILE: Final = "phones.sqlite3"
"""The phones that have joined."""
CLUB_FILE: Final = "club.json"
"""The club that the table has joined, and its password there."""
CONSENT_FILE: Final = "consent.json"
"""Players who agreed to be named in the club, and when."""

TABLE_ID_FILE: Final = "table-id"
"""The table's id in a club, or on a broker at home; drawn once."""
SECOND_FILE: Final = "second-box"
"""From the next start on, this box is to be a different one from the box whose files it has."""


def state_folder() -> Path:
    """systemd's $STATE_DIRECTORY (the first if there are several), else the user's own state folder."""
    if folder := os.environ.get("STATE_DIRECTORY", "").split(":")[0]:
        return Path(folder)
    import platformdirs

    return Path(platformdirs.user_state_dir("perudo"))


class Owner(NamedTuple):
    """The owner of a folder."""

    user: int
    group: int


@contextmanager
def as_owner_of(folder: Path) -> Iterator[None]:
    """Make root act as the owner of `folder`: its files then belong to the owner, and links lead no further than the
    owner may go.

    The owner may be unable to read the program, so import everything needed inside beforehand. Raises `PermissionError`
    if the owner cannot enter the folder.
    """
    owner = _owner_of(folder)
    there = os.geteuid() == 0 and folder.is_dir()
    with rights_of(owner):
        if there and not os.access(folder, os.X_OK, effective_ids=True):
            whose = f"it belongs to the user {_name_of(owner.user) or owner.user}, who cannot enter it"
            raise PermissionError(errno.EACCES, whose, str(folder))
        yield


@contextmanager
def rights_of(owner: Owner) -> Iterator[None]:
    """Replace root's rights by those of `owner`."""
    if os.geteuid() != 0 or owner.user == 0:
        yield
        return
    group, groups = os.getegid(), os.getgroups()
    name = _name_of(owner.user)
    os.setgroups([] if name is None else os.getgrouplist(name, owner.group))
    os.setegid(owner.group)
    os.seteuid(owner.user)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)
        os.setgroups(groups)


def _owner_of(folder: Path) -> Owner:
    """The owner of `folder`, or of where it will be created; or of a link on the way that is not root's."""
    path = folder.absolute()
    owner = Owner(0, 0)
    for each in (*reversed(path.parents), path):
        try:
            its = each.lstat()
        except OSError:  # missing or inaccessible
            break
        owner = Owner(its.st_uid, its.st_gid)
        if stat.S_ISLNK(its.st_mode) and owner.user != 0:
            break
    return owner


def _name_of(user: int) -> str | None:
    import pwd  # missing on Windows, where `perudo card` runs too

    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return None
