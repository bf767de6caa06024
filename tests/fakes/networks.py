"""A fake of NetworkManager's networks: what is around, what is known, and whether a password is right.

It has one radio, which sees no other network while it is an access point, as some do.
"""

from __future__ import annotations

from companion.box.network_manager import AccessPoint, Link, WifiError


class FakeNetworks:
    """Implements `WifiNetworks`. A change takes effect at once, unless `slow`."""

    def __init__(self) -> None:
        self.around = {"Home": "achtung1", "Café": ""}
        """Name -> password of the networks around."""
        self.hidden = {"Attic": "achtung2"}
        """The same of those that do not say their names."""
        self.saved: set[str] = set()
        self.changed: set[str] = set()
        """Those of `saved` whose password is another one now."""
        self.cable = False
        self.hotspot: tuple[str, str] | None = None
        self.joined = ""
        self.slow = False
        self.refusal = ""
        """Why the own network cannot be opened."""
        self.done: list[str] = []

    def link(self) -> Link:
        if not self.hotspot and not self.joined:
            self.joined = next((name for name in self.around if name in self.saved - self.changed), "")
        return Link(self.cable or bool(self.joined), self.joined, self.hotspot is not None)

    def scan(self) -> None:
        self.done.append("scan")

    def access_points(self) -> list[AccessPoint]:
        if self.hotspot:
            return []  # its only radio is an access point
        return [AccessPoint(name, 80 - 10 * n, bool(key)) for n, (name, key) in enumerate(self.around.items())]

    def known(self) -> frozenset[str]:
        return frozenset(self.saved)

    def open_hotspot(self, name: str, password: str) -> None:
        self.done.append(f"open {name}")
        if self.refusal:
            raise WifiError(self.refusal)
        self.hotspot, self.joined = (name, password), ""

    def close_hotspot(self) -> None:
        self.done.append("close")
        self.hotspot = None

    def join(self, name: str, password: str, *, hidden: bool) -> FakeAttempt:
        self.done.append(f"join {name}")
        found = self.around | self.hidden if hidden else self.around
        return FakeAttempt(self, name, found.get(name) == password)


class FakeAttempt:
    """Implements `Joining`."""

    def __init__(self, networks: FakeNetworks, name: str, right: bool) -> None:
        self._networks, self._name, self._right = networks, name, right

    def state(self) -> bool | None:
        if self._networks.slow:
            return None
        if self._right:
            self._networks.joined = self._name
            self._networks.saved.add(self._name)
            self._networks.changed.discard(self._name)
        return self._right

    def wrong_password(self) -> bool:
        return not self._right and self._name in self._networks.around | self._networks.hidden

    def forget(self) -> None:
        self._networks.done.append(f"forget {self._name}")
