"""Fake buttons: what is a keyboard to Linux, and the folder /dev/input, in which it appears and disappears."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

from evdev import InputEvent, ecodes


class FakeInputDevice:
    """A fake of `evdev.InputDevice` that sends real `InputEvent`s through a pipe that can be waited for."""

    def __init__(self, name: str = "ABC Button", uniq: str = "", *, keys: bool = True, model: int = 1) -> None:
        self.name, self.uniq, self.info = name, uniq, (3, 0x1234, model, 0x110)
        self.down: list[int] = []
        self.grabbed = False
        self.closed = True
        self.rival = False
        """Whether another program has grabbed it."""
        self.gone = False
        self.events: list[InputEvent] = []
        self._types = {ecodes.EV_SYN: [0], **({ecodes.EV_KEY: [ecodes.KEY_A]} if keys else {ecodes.EV_REL: [0]})}
        self._pipe = (-1, -1)
        self.open()

    def open(self) -> None:
        """Open it, or open it again."""
        if self.closed:
            self._pipe, self.closed = os.pipe2(os.O_NONBLOCK), False

    # What a test does

    def send(self, kind: int, code: int, value: int) -> None:
        """Send an event, which it reads at once or later."""
        self.events.append(InputEvent(0, 0, kind, code, value))
        os.write(self._pipe[1], b".")

    def press(self, code: int = ecodes.KEY_ENTER) -> None:
        """Push a key down."""
        self.down.append(code)
        self.send(ecodes.EV_KEY, code, 1)

    def release(self, code: int = ecodes.KEY_ENTER) -> None:
        """Let a key up."""
        self.down.remove(code)
        self.send(ecodes.EV_KEY, code, 0)

    def pull(self) -> None:
        """Pull it out."""
        self.gone = True
        if not self.closed:
            os.write(self._pipe[1], b".")

    # What the program does

    def fileno(self) -> int:
        return self._pipe[0]

    def capabilities(self) -> dict[int, list[int]]:
        return self._types

    def active_keys(self) -> list[int]:
        self._check()
        return list(self.down)

    def read(self) -> Iterator[InputEvent]:
        self._check()
        os.read(self._pipe[0], 1024)
        sent, self.events = self.events, []
        yield from sent

    def grab(self) -> None:
        self._check()
        if self.rival:
            raise OSError(errno.EBUSY, "Device or resource busy")
        self.grabbed = True

    def close(self) -> None:
        self.closed, self.grabbed = True, False
        for end in self._pipe:
            os.close(end)

    def _check(self) -> None:
        if self.gone:
            raise OSError(errno.ENODEV, "No such device")


class FakeInputFolder:
    """A fake /dev/input."""

    def __init__(self, path: Path) -> None:
        self.path = path
        for folder in ("by-id", "by-path"):
            (path / folder).mkdir(parents=True)
        self.devices: dict[str, FakeInputDevice] = {}
        self.shut: set[str] = set()
        """The files that may not be read."""

    def plug(self, device: FakeInputDevice, number: int = 0, *, serial: str = "", place: str = "") -> FakeInputDevice:
        """Plug a device in; `serial` and `place` are the names of udev's links."""
        node = self.path / f"event{number}"
        self.devices[str(node)] = device
        for folder, name in (("by-id", serial), ("by-path", place)):
            if name:
                (self.path / folder / name).unlink(missing_ok=True)
                (self.path / folder / name).symlink_to(f"../event{number}")
        node.touch()
        return device

    def pull(self, number: int = 0) -> None:
        """Pull one out."""
        node = self.path / f"event{number}"
        node.unlink()
        for link in self.path.glob("by-*/*"):
            if not link.exists():
                link.unlink()
        self.devices.pop(str(node)).pull()

    def open(self, path: str) -> FakeInputDevice:
        """As `evdev.InputDevice(path)`."""
        if path in self.shut:
            raise PermissionError(errno.EACCES, "Permission denied")
        os.fsencode(self.devices[path].name).decode()  # as evdev's C code does
        self.devices[path].open()
        return self.devices[path]
