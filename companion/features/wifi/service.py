"""Decides when the box opens its own network, and how it joins another: a state machine with one step per second.

waiting   not on any network; after `WIFI_PATIENCE` seconds the box opens its own
joined    on a network
own       the box's own network is open
joining   a phone has chosen a network; the own one is closed meanwhile, and opened again if joining fails
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from companion.box.network_manager import AccessPoint, Attempt, Link, NetworkManager, WifiError
from companion.features.wifi.own_network import OwnNetwork
from companion.messages.message import Message
from companion.messages.sentence import Sentence, Value

log = logging.getLogger(__name__)

WIFI_PATIENCE: Final = 60.0
"""Seconds without a network after which the box opens its own."""
JOIN_PATIENCE: Final = 45.0
"""Seconds that joining a network may take."""
OWN_FOR: Final = 300.0
"""Seconds after which the own network is closed, if nobody uses it, to search for known ones: after a power cut the
house's router starts later than the box, and a radio in access point mode may see no other network.
"""
LOOK_PATIENCE: Final = 30.0
"""Seconds that this search lasts if no known network is found."""
REFUSED_PATIENCE: Final = 10.0
"""Seconds until the next attempt to open the own network: a radio that was off needs some."""
FEW_MOMENTS: Final = 3.0
"""Seconds between announcing that a network is being joined and closing the own one, so that the phone hears it."""


class WifiPhase(StrEnum):
    """What the box's Wi-Fi is doing."""

    WAITING = "waiting"
    JOINED = "joined"
    OWN = "own"
    JOINING = "joining"


class SeenNetwork(Value, frozen=True, kw_only=True):
    """A network in range."""

    name: str
    strength: int
    """Percent."""
    secured: bool
    """True if it needs a password."""
    known: bool
    """True if the box knows the password."""


class WifiState(Value, frozen=True, kw_only=True):
    phase: WifiPhase
    network: str
    """The network that it is on or is joining; "" on a cable, or without one."""
    own: str
    """The name of its own network."""
    networks: tuple[SeenNetwork, ...]
    """The networks in range, strongest first."""
    trouble: Sentence | None
    """Why joining failed, or why the own network is not open."""


class Wifi:
    """The box's Wi-Fi. Thread-safe; after `start` a separate thread takes one step per second."""

    def __init__(
        self,
        network: NetworkManager,
        own: OwnNetwork,
        *,
        in_use: Callable[[], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`in_use` returns True if a phone has the page open now, which keeps the own network open."""
        self.own = own
        self._network = network
        self._in_use = in_use
        self._clock = clock
        self._lock = threading.Lock()
        self._phase = WifiPhase.WAITING
        self._since = clock()
        self._patience = WIFI_PATIENCE
        self._known: frozenset[str] = frozenset()
        self._link = Link(False, "", False)
        self._points: list[AccessPoint] = []
        self._seen: tuple[SeenNetwork, ...] = ()
        self._trouble: Sentence | None = None
        self._refusal: Sentence | None = None
        """Why the own network could not be opened."""
        self._wanted: tuple[str, str, bool] | None = None
        """Name and password of the network chosen on a phone, and True if it is hidden."""
        self._attempt: Attempt | None = None
        self._refused: frozenset[str] = frozenset()
        """Known networks that could not be joined although they were in range: their password may have changed."""
        self._asked_for_own = False
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="wifi", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread, and wait up to five seconds for it."""
        self._stop.set()
        self._thread.join(5.0)

    def _run(self) -> None:
        while not self._stop.wait(1.0):
            self.step()

    def state(self) -> WifiState:
        with self._lock:
            joining = self._wanted[0] if self._wanted is not None else ""
            return WifiState(
                phase=self._phase,
                network=joining or self._link.network,
                own=self.own.name,
                networks=self._seen,
                trouble=self._refusal or self._trouble,
            )

    @property
    def hotspot(self) -> bool:
        """True if the own network is open: every name that a phone looks up then leads to the box."""
        with self._lock:
            return self._link.hotspot

    def choose(self, name: str, password: str, *, hidden: bool = False) -> None:
        """Join a network soon; `password` is "" for an open or known one. A `hidden` one does not send its name."""
        with self._lock:
            if self._attempt is not None:  # another one was being tried
                self._attempt.forget()
            self._wanted, self._attempt, self._trouble = (name, password, hidden), None, None
            self._go(WifiPhase.JOINING)

    def open_own(self) -> None:
        """Open the own network now, as for an evening away from home."""
        with self._lock:
            self._asked_for_own = True
            self._open()

    def step(self) -> None:
        """Update the status, and do what is due."""
        with self._lock:
            try:
                self._look()
                self._act()
            except WifiError as error:
                log.warning("Wi-Fi: %s", error)

    def _look(self) -> None:
        self._link = self._network.link()
        if self._link.hotspot or self._link.online:
            self._refusal = None
        known = self._known = self._network.known()
        found = [each for each in self._network.access_points() if each.name != self.own.name]
        # A radio in access point mode may see no networks: then those seen before are offered.
        if found or not self._link.hotspot:
            self._points = found
        self._seen = tuple(
            SeenNetwork(
                name=each.name, strength=each.strength, secured=each.secured, known=each.name in known - self._refused
            )
            for each in self._points
        )

    def _act(self) -> None:
        waited = self._clock() - self._since
        match self._phase:
            case WifiPhase.JOINING:
                self._join(waited)
            case _ if self._link.online:
                if self._link.hotspot and not self._asked_for_own:  # a cable was plugged in
                    self._network.close_hotspot()
                self._refused -= {self._link.network}
                self._go(WifiPhase.JOINED)
            case WifiPhase.JOINED:
                self._go(WifiPhase.WAITING)
            case WifiPhase.WAITING if waited >= self._patience:
                log.info("no known network for %.0f s: opening %s", waited, self.own.name)
                if refused := sorted(self._known.intersection(each.name for each in self._points)):
                    self._refused |= set(refused)
                    self._trouble = Sentence(sentence=_not_joined(refused[0]))
                self._open()
            case WifiPhase.OWN if waited >= OWN_FOR and self._known and not self._in_use():
                log.info("nobody is on %s: looking for a known network", self.own.name)
                self._network.close_hotspot()
                self._go(WifiPhase.WAITING)
                self._patience = LOOK_PATIENCE
            case WifiPhase.OWN if not self._link.hotspot and waited >= self._patience:
                self._open()  # somebody else closed it, or it failed to open
            case WifiPhase.WAITING:
                self._network.scan()

    def _join(self, waited: float) -> None:
        assert self._wanted is not None
        name, password, hidden = self._wanted
        if self._attempt is None:
            if waited < FEW_MOMENTS:
                return
            self._network.close_hotspot()
            if not password and name in self._known:
                self._wanted = None
                self._go(WifiPhase.WAITING)  # NetworkManager joins it by itself
                self._patience = LOOK_PATIENCE
                return
            try:
                self._attempt = self._network.join(name, password, hidden=hidden)
            except WifiError as error:
                self._failed(Message("{network} could not be joined: {reason}", network=name, reason=str(error)))
            return
        done = self._attempt.state()
        if done:
            log.info("joined %s", name)
            self._wanted = self._attempt = None
            self._asked_for_own = False
            self._go(WifiPhase.JOINED)
        elif done is False or waited >= JOIN_PATIENCE:
            wrong = self._attempt.wrong_password()
            self._attempt.forget()
            self._failed(
                Message("{network} did not take the password. Try again.", network=name) if wrong else _not_joined(name)
            )

    def _failed(self, why: Message) -> None:
        log.info("%s", why)
        self._trouble = Sentence(sentence=why)
        self._wanted = self._attempt = None
        self._open()

    def _open(self) -> None:
        self._phase, self._since, self._patience = WifiPhase.OWN, self._clock(), JOIN_PATIENCE
        try:
            self._network.open_hotspot(self.own.name, self.own.password)
        except WifiError as error:
            why = Message("The box's own Wi-Fi could not be opened: {reason}", reason=str(error))
            self._refusal, self._patience = Sentence(sentence=why), REFUSED_PATIENCE
            log.warning("%s", why)

    def _go(self, phase: WifiPhase) -> None:
        if phase is not self._phase or phase is WifiPhase.JOINING:
            self._phase, self._since, self._patience = phase, self._clock(), WIFI_PATIENCE


def _not_joined(name: str) -> Message:
    return Message("{network} could not be joined. Is it near enough, and the password right?", network=name)
