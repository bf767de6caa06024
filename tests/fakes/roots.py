"""Root, as a service that may not do much asks it: it notes the requests, and has a USB stick that is a folder."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from companion.box.root_requests import RootRequestError


class FakeRoots:
    """A fake of `companion.box.root_requests.RootRequests`."""

    def __init__(self, stick: Path | None = None) -> None:
        self.asked: list[Mapping[str, str]] = []
        self.stick = stick
        """The stick that is plugged in."""
        self.refuse = ""
        """What every request is refused with, while it is set."""

    def ask(self, request: Mapping[str, str]) -> Mapping[str, object]:
        self.asked.append(request)
        if self.refuse:
            raise RootRequestError(self.refuse)
        match request["do"]:
            case "rename" | "configure":
                return {}
            case _ if self.stick is None:
                raise RootRequestError("there is no stick", "no-stick")
            case "stick":
                found = sorted(self.stick.glob("perudo*.zip"), reverse=True)
                return {"files": [{"name": each.name, "bytes": each.stat().st_size} for each in found]}
            case "backup-to-stick":
                shutil.copyfile(request["file"], self.stick / request["name"])
                return {}
            case "backup-from-stick" if (self.stick / request["name"]).exists():
                shutil.copyfile(self.stick / request["name"], request["file"])
                return {}
            case _:
                raise RootRequestError("no such file", "no-backup")
