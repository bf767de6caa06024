"""Reads keys from devices that come and go, through python-evdev.

To Linux, a button, encoder, pedal or presenter is a keyboard: an `event` file in /dev/input, and anyone who may read it
receives its keys. Here each device is grabbed for one program, so that it types nowhere else.
"""

from __future__ import annotations

import errno
import logging
import os
import selectors
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from companion.messages.printable import printable
from hardware.panel.wiring import Key

if TYPE_CHECKING:
    from evdev import InputEvent

log = logging.getLogger(__name__)

INPUT_FOLDER: Final = Path("/dev/input")

LOOK_EVERY: Final = 1.0
"""Seconds between two looks for a device that is missing, or that another program has grabbed."""

TOUCHES: Final = range(0x140, 0x150)
"""Codes that a touch screen sends as keys; touches are not buttons."""


class InputDevice(Protocol):
    """The part of `evdev.InputDevice` that is used."""

    name: str
    uniq: str
    """The address of a Bluetooth device; empty for most others."""
    info: Any
    """Its bus, vendor, product and version numbers."""

    def fileno(self) -> int:
        """The file descriptor, to wait for."""

    def capabilities(self) -> Mapping[int, Collection[Any]]:
        """Event type -> the codes that it can send."""

    def active_keys(self) -> list[int]:
        """The codes of the pressed keys."""

    def read(self) -> Iterable[InputEvent]:
        """The events it has sent. Raises `OSError` if it is gone."""

    def grab(self) -> None:
        """Make it send to this program alone. Raises `OSError` if another program has grabbed it."""

    def close(self) -> None:
        """Release it."""


@dataclass(eq=False)
class Plugged:
    """A device that is plugged in."""

    device: InputDevice
    path: Path
    links: tuple[Path, ...]
    """Its udev links, by the maker's serial number or by the port it is plugged into."""
    held: set[int] = field(default_factory=set)
    """The pressed keys, of those whose press was reported."""
    grabbed: bool = False
    busy: bool = False
    """Another program has grabbed it."""

    @property
    def names(self) -> tuple[str, ...]:
        """All its names, safe to print because a device may name itself anything."""
        each = (*(link.name for link in self.links), self.device.name, self.device.uniq, self.model)
        return tuple(printable(name) for name in each if name)

    @property
    def model(self) -> str:
        """Vendor and product as `lsusb` shows them, such as 046d:c52b."""
        _, maker, model, _ = self.device.info
        return f"{maker:04x}:{model:04x}"

    def is_twin(self, other: Plugged) -> bool:
        """True if only the port tells the two apart."""
        mine, its = self.device, other.device
        return self is not other and (mine.name, mine.uniq, mine.info) == (its.name, its.uniq, its.info)


class Stroke(NamedTuple):
    """A key that went down or up."""

    plugged: Plugged
    code: int
    down: bool
    lost: bool = False
    """The key went up because the device is gone."""


class InputDevices:
    """Input devices by name, and what is pressed on them. For one thread, except `wake`."""

    def __init__(
        self,
        wanted: Collection[str] | None = None,
        *,
        folder: Path | None = None,
        open_device: Callable[[str], InputDevice] | None = None,
    ) -> None:
        """Open the devices named in `wanted`; None means all that have keys.

        `open_device` opens a file of `folder`. Raises `ImportError` without evdev.
        """
        from evdev import InputDevice as Real  # noqa: PLC0415 - the extra `usb`
        from evdev import ecodes  # noqa: PLC0415

        self._codes = ecodes
        self._open_device: Callable[[str], InputDevice] = open_device or Real
        self._wanted = None if wanted is None else frozenset(wanted)
        self._folder = folder or INPUT_FOLDER
        self._selector = selectors.DefaultSelector()
        self._pipe = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._selector.register(self._pipe[0], selectors.EVENT_READ, None)
        self._listing: object = None
        self.plugged: list[Plugged] = []
        self.shut: list[Path] = []
        """The devices that this user may not read."""
        self.look()

    # Devices

    def look(self) -> bool:
        """Open new devices, and grab those that other programs have released. Returns True if anything changed."""
        before = (len(self.plugged), len(self.shut), self.busy)
        listing = self._list()
        if listing != self._listing:
            self._listing = listing
            self._open()
        for plugged in self.plugged:
            self._grab(plugged)
        return before != (len(self.plugged), len(self.shut), self.busy)

    @property
    def missing(self) -> list[str]:
        """The names without a device at present."""
        there = {name for plugged in self.plugged for name in plugged.names}
        return sorted((self._wanted or frozenset()) - there)

    @property
    def busy(self) -> list[str]:
        """The devices that another program has grabbed."""
        return [printable(plugged.device.name) for plugged in self.plugged if plugged.busy]

    def name_of(self, plugged: Plugged) -> str:
        """The name that finds the device again: the maker's, or that of its port if there is a twin."""
        serial, place = (
            [link.name for link in plugged.links if link.parent.name == folder] for folder in ("by-id", "by-path")
        )
        if any(map(plugged.is_twin, self.plugged)) and place:
            return place[0]
        namesakes = [each for each in self.plugged if each.device.name == plugged.device.name]
        own = [plugged.device.name] if len(namesakes) == 1 else [plugged.device.uniq, *place]
        return next(printable(name) for name in (*serial, *own, plugged.device.name, plugged.model) if name)

    def _list(self) -> object:
        """Everything that changes when a device comes or goes, or when udev gives it to a group."""
        found = []
        for path in self._nodes():
            try:
                status = path.stat()
            except OSError:  # it has gone
                continue
            found.append((path, status.st_ino, status.st_ctime_ns))
        return found, self._links()

    def _nodes(self) -> list[Path]:
        return sorted(self._folder.glob("event*"))

    def _links(self) -> dict[Path, Path]:
        """Each udev link -> its device."""
        links = [link for folder in ("by-id", "by-path") for link in sorted(self._folder.glob(f"{folder}/*"))]
        return {link: link.resolve() for link in links}

    def _open(self) -> None:
        links = self._links()
        here = {plugged.path for plugged in self.plugged}
        self.shut = []
        for path in self._nodes():
            leads = tuple(link for link, target in links.items() if target == path.resolve())
            if path not in here:
                self._open_one(path, leads)
        for plugged in self.plugged:
            plugged.links = tuple(link for link, target in links.items() if target == plugged.path.resolve())

    def _open_one(self, path: Path, links: tuple[Path, ...]) -> None:
        try:
            device = self._open_device(str(path))
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EPERM):
                self.shut.append(path)
            return
        except ValueError as error:  # for example, its name is not UTF-8, which evdev requires
            log.warning("%s is left out, as it cannot be opened: %s", path, error)
            return
        plugged = Plugged(device, path, links)
        keys = self._codes.EV_KEY in device.capabilities()
        if not keys or not (self._wanted is None or self._wanted.intersection(plugged.names)):
            device.close()
            return
        self._selector.register(device, selectors.EVENT_READ, plugged)
        self.plugged.append(plugged)
        log.info("%s (%s) is there", device.name, path)

    def _grab(self, plugged: Plugged) -> None:
        """Grab a device unless a key is pressed, which would stay pressed forever for the terminal."""
        try:
            if plugged.grabbed or plugged.device.active_keys():
                return
            plugged.device.grab()
        except OSError as error:
            plugged.busy = error.errno == errno.EBUSY
            return
        plugged.grabbed, plugged.busy = True, False

    # Strokes

    def strokes(self, timeout: float | None) -> list[Stroke]:
        """Return the keys that went down or up, in order; waits for the first one, at most `timeout` seconds.

        Returns sooner when a device goes, and at `wake`.
        """
        found: list[Stroke] = []
        for key, _ in self._selector.select(timeout):
            if key.data is None:
                os.read(self._pipe[0], 1024)
            else:
                found += self._read(key.data)
        return found

    def _read(self, plugged: Plugged) -> Iterator[Stroke]:
        codes, dropped = self._codes, False
        try:
            for event in plugged.device.read():
                if event.type == codes.EV_KEY and event.code not in TOUCHES and event.value in (0, 1):  # 2 repeats
                    yield from self._stroke(plugged, event.code, bool(event.value))
                dropped = dropped or (event.type == codes.EV_SYN and event.code == codes.SYN_DROPPED)
            if dropped:  # the kernel has dropped events
                down = set(plugged.device.active_keys())
                for code in sorted(plugged.held - down):
                    yield from self._stroke(plugged, code, False)
                for code in sorted(down - plugged.held):
                    yield from self._stroke(plugged, code, True)
            if not plugged.grabbed:
                self._grab(plugged)
        except BlockingIOError:
            return
        except OSError as error:
            log.info("%s (%s) is gone: %s", plugged.device.name, plugged.path, error.strerror or error)
            yield from (Stroke(plugged, code, False, lost=True) for code in sorted(plugged.held))
            self._forget(plugged)

    def _stroke(self, plugged: Plugged, code: int, down: bool) -> Iterator[Stroke]:
        if down != (code in plugged.held):
            (plugged.held.add if down else plugged.held.discard)(code)
            yield Stroke(plugged, code, down)

    def _forget(self, plugged: Plugged) -> None:
        self._selector.unregister(plugged.device)
        plugged.device.close()
        self.plugged.remove(plugged)
        self._listing = None  # a new device may get the same file

    def wake(self) -> None:
        """Make `strokes` return, in whatever thread it waits."""
        os.write(self._pipe[1], b"!")

    def close(self) -> None:
        """Release all devices."""
        for plugged in [*self.plugged]:
            self._forget(plugged)
        self._selector.close()
        for end in self._pipe:
            os.close(end)

    # Keys

    def code_of(self, name: str) -> int | None:
        """The number of the key with this name; None if there is none."""
        code = self._codes.ecodes.get(name) if name.startswith(("KEY_", "BTN_")) else None
        return code if isinstance(code, int) else None

    def key_names(self) -> list[str]:
        return [name for name in self._codes.ecodes if name.startswith(("KEY_", "BTN_"))]

    def key_of(self, stroke: Stroke) -> Key | None:
        """The key of a stroke, named as in the configuration; None if Linux has no name for it."""
        names = self._codes.keys.get(stroke.code)
        if names is None:
            return None
        # Of several names the last is the usual one: after KEY_MIN_INTERESTING comes KEY_MUTE.
        return Key(names if isinstance(names, str) else names[-1], self.name_of(stroke.plugged))
