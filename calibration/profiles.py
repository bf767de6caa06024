"""The profiles of one box, each named by a person; one of them may be in use.

    PROFILES/STEM.json            a profile, as written by `calibration.profile_file`
    PROFILES/STEM.jpg             its small grey picture of the table
    PROFILES/STEM.before.json     the previous version of the profile, with STEM.before.jpg
    PROFILES/in-use               the stem of the profile in use

Every file is written atomically. A picture belongs to a profile only if its checksum is the one in the profile, because
the power may be cut between the two writes.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Self

from msgspec.structs import replace

from calibration import profile_file
from calibration.atomic_write import sync_folder, write_atomically
from calibration.image import Grey, grey_of, jpeg
from calibration.image_decoder import ImageError, decode
from calibration.profile import NewerProfileError, Profile, ProfileError
from companion.kept_file import is_aside, set_aside
from companion.messages.message import Message

log = logging.getLogger(__name__)

_PROFILES_FOLDER: Final = "profiles"
"""In the state folder."""
_LEGACY_FILE: Final = "profile.json"
"""The only profile of older versions, in the state folder; it is adopted once as `_LEGACY_NAME`."""
_LEGACY_NAME: Final = "Table"
_IN_USE_FILE: Final = "in-use"
MOST_PROFILES: Final = 50
LONGEST_PROFILE_NAME: Final = 40
"""In characters, for names that people give here."""

_BEFORE: Final = ".before"
_REFERENCE_QUALITY: Final = 85
"""JPEG quality, 0 to 100."""


class ProfileNameError(ProfileError):
    """No profile has that name, or none may have it; `message` is shown to people."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


class Profiles:
    """The profiles in a folder; nothing is cached."""

    def __init__(self, folder: Path) -> None:
        """The folder is created with the first profile."""
        self.folder = folder

    @classmethod
    def of(cls, state: Path) -> Self:
        """The profiles in a state folder, adopting the only profile of older versions. Raises `OSError`."""
        profiles = cls(state / _PROFILES_FOLDER)
        old = state / _LEGACY_FILE
        if old.exists() and not profiles.folder.exists():
            found = _load_or_set_aside(old)
            if found is not None:
                profiles.save(replace(found, name=_LEGACY_NAME))
                profiles.use(_LEGACY_NAME)
        return profiles

    def all(self) -> tuple[Profile, ...]:
        """The readable profiles, by name. The others are logged, and listed by `damaged`."""
        return tuple(sorted((profile for _, profile in self._load()), key=lambda profile: _folded(profile.name)))

    def damaged(self) -> tuple[str, ...]:
        """A sentence for each file that cannot be read."""
        wrong = []
        for path in self._files():
            try:
                profile_file.load(path)
            except ProfileError as error:
                wrong.append(str(error))
        return tuple(wrong)

    @property
    def in_use(self) -> Profile | None:
        """The profile in use; None if there is none or its file is gone. Raises `ProfileError` if it cannot be read."""
        path = self._path_in_use()
        return None if path is None else profile_file.load(path)

    def usable(self) -> Profile | None:
        """The profile in use, to read dice with. A damaged one is set aside, and None is returned."""
        path = self._path_in_use()
        return None if path is None else _load_or_set_aside(path)

    def get(self, name: str) -> Profile:
        """The profile with that name, ignoring case. Raises `ProfileNameError`."""
        return self._find(name)[1]

    def path(self, name: str) -> Path:
        """The file of the profile with that name. Raises `ProfileNameError`."""
        return self.folder / f"{self._find(name)[0]}.json"

    def use(self, name: str | None) -> None:
        """Use this profile from now on, or none. Raises `ProfileNameError`, `OSError`."""
        if name is None:
            if (self.folder / _IN_USE_FILE).exists():
                (self.folder / _IN_USE_FILE).unlink()
                sync_folder(self.folder)
            return
        write_atomically(self.folder / _IN_USE_FILE, f"{self._find(name)[0]}\n".encode())

    def save(self, profile: Profile, reference: Grey | None = None) -> Profile:
        """Save a profile and return it as saved; `undo` restores the previous one with its name.

        `reference` is the small grey picture of the table. Raises `ProfileNameError`, `OSError`.
        """
        _check_name(profile.name)
        self.folder.mkdir(parents=True, exist_ok=True)
        stem = self._stem_of(profile.name)
        picture = b"" if reference is None else jpeg(reference, _REFERENCE_QUALITY)
        saved = replace(profile, reference=_checksum(picture) if picture else "")
        if stem is None:
            if len(self._files()) >= MOST_PROFILES:
                raise ProfileNameError(
                    Message("There are {count} profiles already: remove one first.", count=MOST_PROFILES)
                )
            stem = self._new_stem(profile.name)
            self._forget(stem)  # a power cut may have left files of a removed profile
        else:
            for ending in (".jpg", ".json"):  # the picture first: without its profile it belongs to nobody
                self._copy(stem + ending, stem + _BEFORE + ending)
        if picture:
            write_atomically(self.folder / f"{stem}.jpg", picture)
        profile_file.save(saved, self.folder / f"{stem}.json")
        return saved

    def can_undo(self, name: str) -> bool:
        """True if there is a previous profile with that name. Raises `ProfileNameError`."""
        return (self.folder / f"{self._find(name)[0]}{_BEFORE}.json").exists()

    def undo(self, name: str) -> Profile:
        """Restore the previous profile and return it; a second undo reverts the first.

        Raises `ProfileNameError`, `ProfileError`, `OSError`.
        """
        stem, now = self._find(name)
        before = self.folder / f"{stem}{_BEFORE}.json"
        if not before.exists():
            raise ProfileNameError(Message("Nothing stood there before {name}.", name=now.name))
        restored = replace(profile_file.load(before), name=now.name)  # it may have been renamed since
        picture, old_picture = self._bytes(f"{stem}.jpg"), self._bytes(f"{stem}{_BEFORE}.jpg")
        if old_picture:
            write_atomically(self.folder / f"{stem}.jpg", old_picture)
        profile_file.save(restored, self.folder / f"{stem}.json")
        if picture:
            write_atomically(self.folder / f"{stem}{_BEFORE}.jpg", picture)
        profile_file.save(now, before)
        return restored

    def rename(self, name: str, to: str) -> None:
        """Rename a profile; its files keep their names. Raises `ProfileNameError`, `OSError`."""
        _check_name(to)
        stem, profile = self._find(name)
        if self._stem_of(to) not in (None, stem):
            raise ProfileNameError(Message("There is a profile {name} already.", name=to))
        profile_file.save(replace(profile, name=to), self.folder / f"{stem}.json")

    def remove(self, name: str) -> None:
        """Delete a profile and its previous version. Raises `ProfileNameError`, `OSError`."""
        stem, _ = self._find(name)
        if self._stem_in_use() == stem:
            self.use(None)
        self._forget(stem)
        sync_folder(self.folder)

    def reference(self, name: str) -> Grey | None:
        """The profile's picture of the table, if any. Raises `ProfileNameError`."""
        stem, profile = self._find(name)
        content = self._bytes(f"{stem}.jpg")
        if not profile.reference or _checksum(content) != profile.reference:
            return None
        try:
            return grey_of(decode(content))
        except ImageError as error:
            log.warning("the picture of %s cannot be read: %s", name, error)
            return None

    # Files

    def _files(self) -> list[Path]:
        found = self.folder.glob("*.json")
        return sorted(path for path in found if not path.stem.endswith(_BEFORE) and not is_aside(path))

    def _load(self) -> Iterator[tuple[str, Profile]]:
        for path in self._files():
            try:
                yield path.stem, profile_file.load(path)
            except ProfileError as error:
                log.warning("%s", error)

    def _find(self, name: str) -> tuple[str, Profile]:
        for stem, profile in self._load():
            if _folded(profile.name) == _folded(name):
                return stem, profile
        raise ProfileNameError(Message("There is no profile {name}.", name=name))

    def _stem_of(self, name: str) -> str | None:
        return next((stem for stem, profile in self._load() if _folded(profile.name) == _folded(name)), None)

    def _stem_in_use(self) -> str:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            return (self.folder / _IN_USE_FILE).read_text(encoding="utf-8", errors="replace").strip()
        return ""

    def _path_in_use(self) -> Path | None:
        stem = self._stem_in_use()
        path = self.folder / f"{stem}.json"
        return path if stem and path.exists() else None

    def _new_stem(self, name: str) -> str:
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        base = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST_PROFILE_NAME] or "profile"
        stem, n = base, 2
        while (self.folder / f"{stem}.json").exists() or stem == _IN_USE_FILE:
            stem, n = f"{base}-{n}", n + 1
        return stem

    def _bytes(self, name: str) -> bytes:
        with contextlib.suppress(FileNotFoundError):
            return (self.folder / name).read_bytes()
        return b""

    def _forget(self, stem: str) -> None:
        for ending in (".json", ".jpg", f"{_BEFORE}.json", f"{_BEFORE}.jpg"):
            (self.folder / f"{stem}{ending}").unlink(missing_ok=True)

    def _copy(self, one: str, other: str) -> None:
        content = self._bytes(one)
        if content:
            write_atomically(self.folder / other, content)
        else:
            (self.folder / other).unlink(missing_ok=True)


def _load_or_set_aside(path: Path) -> Profile | None:
    try:
        return profile_file.load(path)
    except NewerProfileError as error:  # the newer program may come back
        log.warning("%s", error)
    except ProfileError as error:
        set_aside(path, error, "Dice are read without it: calibrate again.")
    return None


def _check_name(name: str) -> None:
    """Raise `ProfileNameError` if no profile may have this name."""
    if not name.strip():
        raise ProfileNameError(Message("Give the profile a name."))
    if len(name) > LONGEST_PROFILE_NAME:
        raise ProfileNameError(Message("A profile's name has at most {count} characters.", count=LONGEST_PROFILE_NAME))
    if name != name.strip() or not name.isprintable():
        raise ProfileNameError(Message("A profile's name is one line, without spaces around it."))


def _folded(name: str) -> str:
    """The name for comparison: two names that look the same are the same."""
    return unicodedata.normalize("NFC", name).casefold()


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
