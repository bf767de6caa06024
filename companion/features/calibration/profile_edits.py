"""Changes to the profiles: saving, choosing, undoing. Refusals raise `NotAllowedNowError`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from calibration.image import Grey
from calibration.profile import Profile, ProfileError
from calibration.profiles import ProfileNameError, Profiles
from companion.camera.profile_in_use import ProfileInUse
from companion.features.calibration.calibration_state import ProfileEntry
from companion.features.calibration.changes import (
    Change,
    RemoveProfile,
    RenameProfile,
    RevertProfile,
    UndoProfile,
    UseProfile,
)
from companion.messages.message import Message
from companion.table.errors import NotAllowedNowError

log = logging.getLogger(__name__)

NOTHING_FOUND: Final = Message("There is nothing to save yet.")


@dataclass(frozen=True, slots=True)
class SavedProfile:
    """The last saved profile, and what was in use before."""

    name: str
    new: bool
    """True if there was no profile of that name before."""
    before: str | None


class ProfileEdits:
    """The profiles, and which of them is in use. Not thread-safe."""

    def __init__(self, profiles: Profiles, in_use: ProfileInUse) -> None:
        self._profiles = profiles
        self._in_use = in_use
        self._entries: tuple[ProfileEntry, ...] | None = None
        self.saved: SavedProfile | None = None
        """The last save, if it can be undone."""

    def entries(self) -> tuple[ProfileEntry, ...]:
        """All profiles; read from disk once after each change."""
        if self._entries is None:
            try:
                in_use = self._profiles.in_use
            except ProfileError as error:
                log.warning("%s", error)
                in_use = None
            self._entries = tuple(
                ProfileEntry(
                    name=profile.name,
                    made=profile.made,
                    in_use=in_use is not None and profile.name == in_use.name,
                    undo=self._profiles.can_undo(profile.name),
                    camera=profile.camera,
                    lens=profile.lens is not None,
                    colours=tuple(profile.palette),
                    error_px=None if profile.measured is None else profile.measured.error_px,
                )
                for profile in self._profiles.all()
            )
        return self._entries

    def save(self, draft: Callable[[], Profile], reference: Grey | None) -> None:
        """Save the profile that `draft` gives, and use it from now on."""
        before = self._in_use.profile
        with self._changing():
            profile = draft()
            new = profile.name.casefold() not in {each.name.casefold() for each in self._profiles.all()}
            self._profiles.save(profile, reference)
            self._profiles.use(profile.name)
        self.saved = SavedProfile(profile.name, new, None if before is None else before.name)

    def do(self, change: Change) -> None:
        """Carry out a change to the profiles."""
        saved = self.saved
        with self._changing():
            match change:
                case RevertProfile():
                    if saved is None:
                        raise NotAllowedNowError("nothing-found", NOTHING_FOUND)
                    if not saved.new:
                        self._profiles.undo(saved.name)
                    self._profiles.use(saved.before)
                case UseProfile(used):
                    self._profiles.use(used)
                case UndoProfile(name):
                    self._profiles.undo(name)
                case RenameProfile(name, to):
                    self._profiles.rename(name, to)
                case RemoveProfile(name):
                    self._profiles.remove(name)

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Change the profiles, then reload the one in use."""
        self._entries = None
        try:
            yield
            self.saved = None
            self._in_use.load()
        except ProfileNameError as error:
            raise NotAllowedNowError("bad-profile", error.message) from error
        except ProfileError as error:
            raise NotAllowedNowError("bad-profile", Message("{text}", text=str(error))) from error
        except OSError as error:
            raise NotAllowedNowError(
                "bad-profile", Message("The profile could not be saved: {reason}.", reason=error.strerror or str(error))
            ) from error
