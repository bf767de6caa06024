"""A fake of the root helper, which records the requests of the service."""

from __future__ import annotations

from collections.abc import Mapping

from companion.box.root_requests import RootRequestError


class FakeRoot:
    """A fake of `companion.box.root_requests.RootRequests`."""

    def __init__(self) -> None:
        self.asked: list[Mapping[str, str]] = []
        self.refuse = ""
        """What every request is refused with, while it is set."""

    def ask(self, request: Mapping[str, str]) -> Mapping[str, object]:
        self.asked.append(request)
        if self.refuse:
            raise RootRequestError(self.refuse)
        return {}
