"""New versions of the program, from the host's phone."""

from __future__ import annotations

from companion.features.updates.service import GoBack, Updates, UpdateState
from companion.messages.message import Message
from web.errors import RequestError
from web.feature import Feature, change


class UpdatesFeature(Feature[Updates]):
    """The versions of the box."""

    key, shows = "update", UpdateState

    def absence(self) -> RequestError:
        return RequestError(Message("This program is not updated from the page."), code="update")

    @change("box/update/look")
    def look_for_update(self) -> None:
        """Look for a newer version."""
        self._shown()
        self.there.look()

    @change("box/update")
    def update(self) -> None:
        """Fetch the newer version and try it. The program starts anew."""
        newer, updates = self._shown().newer, self.idle
        if newer is None:
            raise RequestError(Message("There is no newer version: look again."), code="update")
        updates.update()

    @change("box/update/back")
    def go_back(self, body: GoBack) -> None:
        """Use the version before again. The program starts anew.

        Unless `lose`, it does not if that version does not read every game as it is: `lost` then says how many.
        """
        before, updates = self._shown().before, self.idle
        if before is None:
            raise RequestError(Message("There is no version before to go back to."), code="update")
        updates.go_back(lose=body.lose)

    def _shown(self) -> UpdateState:
        """Raises `RequestError` also where the program is not one of several versions."""
        if (state := self.there.state()) is None:
            raise self.absence()
        return state
