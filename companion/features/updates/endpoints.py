"""New versions of the program, from the host's phone."""

from __future__ import annotations

from companion.features.updates.service import GoBack, Updates, UpdateState
from companion.messages.message import Message
from web.errors import RequestError
from web.feature import Feature, change


class UpdatesFeature(Feature[Updates]):
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
        """Download the newer version and try it. The program restarts."""
        newer, updates = self._shown().newer, self.idle
        if newer is None:
            raise RequestError(Message("There is no newer version: look again."), code="update")
        updates.update()

    @change("box/update/back")
    def go_back(self, body: GoBack) -> None:
        """Return to the previous version. The program restarts.

        Without `lose`, this is refused if that version cannot read every game correctly: `lost` then says how many.
        """
        before, updates = self._shown().before, self.idle
        if before is None:
            raise RequestError(Message("There is no previous version."), code="update")
        updates.go_back(lose=body.lose)

    def _shown(self) -> UpdateState:
        """The state. Raises `RequestError` if the program was not installed as one of several versions."""
        if (state := self.there.state()) is None:
            raise self.absence()
        return state
