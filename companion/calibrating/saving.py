"""Keeping what a calibration found: saved, in use, taken back. Refusals are `NotAllowedNowError`, as sentences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from calibration.image import Grey
from calibration.profile import Profile, ProfileError
from calibration.profiles import ProfileNameError, Profiles
from companion.calibrating import sentences as says
from companion.calibrating.state import listed
from companion.camera.profile_in_use import ProfileInUse
from companion.messages.message import Message
from companion.table.errors import NotAllowedNowError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Kept:
    """What was kept last, and what was in use before."""

    name: str
    new: bool
    """Whether nothing stood under that name before."""
    before: str | None


class Keep:
    """The profiles, and which is read by. For one thread at a time."""

    def __init__(self, profiles: Profiles, in_use: ProfileInUse) -> None:
        self._profiles = profiles
        self._in_use = in_use
        self._listed: list[dict[str, Any]] | None = None
        self.kept: Kept | None = None
        """What can be taken back."""

    def listed(self) -> list[dict[str, Any]]:
        """The profiles there are, as a page is told of them."""
        if self._listed is None:
            self._listed = listed(self._profiles)
        return self._listed

    def save(self, draft: Callable[[], Profile], reference: Grey | None) -> None:
        """Keep what `draft` makes, and read by it from now on. Raises what `edit` does, for a bad name too."""
        before = self._in_use.profile

        def change() -> Kept:
            profile = draft()
            new = profile.name.casefold() not in {each.name.casefold() for each in self._profiles.all()}
            self._profiles.save(profile, reference)
            self._profiles.use(profile.name)
            return Kept(profile.name, new, before.name if before is not None else None)

        self.kept = self.edit(change)

    def revert(self) -> None:
        """Read by what was in use before the profile that was kept last."""
        kept = self.kept
        if kept is None:
            raise NotAllowedNowError("nothing-found", says.NOTHING_FOUND)

        def change() -> None:
            if not kept.new:
                self._profiles.undo(kept.name)
            self._profiles.use(kept.before)

        self.edit(change)

    def edit(self, change: Callable[[], T]) -> T:
        """Change the profiles, and read by what is in use then."""
        self._listed = None
        try:
            changed = change()
            self.kept = None
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
