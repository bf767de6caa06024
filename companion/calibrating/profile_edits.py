"""Changes to the profiles: saved, in use, taken back. Refusals are `NotAllowedNowError`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from calibration.image import Grey
from calibration.profile import Profile, ProfileError
from calibration.profiles import ProfileNameError, Profiles
from companion.calibrating.calibration_state import ProfileEntry, profile_entries
from companion.calibrating.changes import (
    Change,
    RemoveProfile,
    RenameProfile,
    RevertProfile,
    UndoProfile,
    UseProfile,
)
from companion.camera.profile_in_use import ProfileInUse
from companion.messages.message import Message
from companion.table.errors import NotAllowedNowError

NOTHING_FOUND: Final = Message("Nothing was found yet that could be kept.")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SavedProfile:
    """The profile saved last, and what was in use before."""

    name: str
    new: bool
    """Whether nothing stood under that name before."""
    before: str | None


class ProfileEdits:
    """The profiles, and which one the dice are read by. For one thread at a time."""

    def __init__(self, profiles: Profiles, in_use: ProfileInUse) -> None:
        self._profiles = profiles
        self._in_use = in_use
        self._entries: Sequence[ProfileEntry] | None = None
        self.saved: SavedProfile | None = None
        """What can be taken back."""

    def entries(self) -> Sequence[ProfileEntry]:
        """The profiles there are."""
        if self._entries is None:
            self._entries = profile_entries(self._profiles)
        return self._entries

    def save(self, draft: Callable[[], Profile], reference: Grey | None) -> None:
        """Save the profile that `draft` gives, and read by it from now on. A bad name is refused as in `edit`."""
        before = self._in_use.profile

        def change() -> SavedProfile:
            profile = draft()
            new = profile.name.casefold() not in {each.name.casefold() for each in self._profiles.all()}
            self._profiles.save(profile, reference)
            self._profiles.use(profile.name)
            return SavedProfile(profile.name, new, before.name if before is not None else None)

        self.saved = self.edit(change)

    def revert(self) -> None:
        """Read by what was in use before the profile that was saved last."""
        saved = self.saved
        if saved is None:
            raise NotAllowedNowError("nothing-found", NOTHING_FOUND)

        def change() -> None:
            if not saved.new:
                self._profiles.undo(saved.name)
            self._profiles.use(saved.before)

        self.edit(change)

    def do(self, change: Change) -> None:
        """Carry out a change to the profiles."""
        match change:
            case RevertProfile():
                self.revert()
            case UseProfile(used):
                self.edit(lambda: self._profiles.use(used))
            case UndoProfile(name):
                self.edit(lambda: self._profiles.undo(name))
            case RenameProfile(name, to):
                self.edit(lambda: self._profiles.rename(name, to))
            case RemoveProfile(name):
                self.edit(lambda: self._profiles.remove(name))

    def edit(self, change: Callable[[], T]) -> T:
        """Change the profiles, and read by what is in use then."""
        self._entries = None
        try:
            changed = change()
            self.saved = None
            self._in_use.load()
        except ProfileNameError as error:
            raise NotAllowedNowError("bad-profile", error.said) from error
        except ProfileError as error:
            raise NotAllowedNowError("bad-profile", Message("{text}", text=str(error))) from error
        except OSError as error:
            raise NotAllowedNowError(
                "bad-profile", Message("The profile could not be kept: {reason}.", reason=error.strerror or str(error))
            ) from error
        return changed
