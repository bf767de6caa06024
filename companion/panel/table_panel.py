"""The panel of a table. While the host has it learn new keys from the page, it is closed."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import closing
from typing import Literal

from companion.config import PanelConfig
from companion.config.settings_file import SettingsError, SettingsFile
from companion.messages.message import Message
from companion.messages.sentence import Sentence, Value
from companion.panel.learned_keys import NO_DEVICE, keys_of_panel, learn_keys
from companion.panel.link import PanelLink
from companion.table.state.signs import Lines
from companion.table.table import Table
from hardware.panel.input_devices import InputDevices
from hardware.panel.panel import Panel, PanelError
from hardware.panel.usb_panel import open_devices
from hardware.virtual.virtual_panel import VirtualPanel

log = logging.getLogger(__name__)

LEARNING = Message("The box is learning its buttons. Everything can be done from a phone.")


class ButtonState(Value, frozen=True, kw_only=True):
    """Where a button is."""

    name: Literal["dudo", "calza"]
    place: str
    """A pin, or keys and their devices."""
    there: bool
    """One of its devices is plugged in."""


class ButtonsState(Value, frozen=True, kw_only=True):
    """The buttons of the box, and what is learned of them."""

    buttons: tuple[ButtonState, ...]
    """Empty without a panel."""
    lamps: bool
    """The panel is soldered and has lamps; learned buttons replace it."""
    trouble: Sentence | None
    """What does not work."""
    learning: bool
    """Keys are being learned. Presses do not count meanwhile."""
    said: tuple[Sentence, ...]
    """The messages of the last learning, oldest first."""


class TablePanel:
    """Owns the panel and its link to the table. Thread-safe."""

    def __init__(
        self,
        table: Table,
        config: PanelConfig,
        open_panel: Callable[[PanelConfig], Panel],
        *,
        settings: SettingsFile | None = None,
        switch_off: Callable[[], None] | None = None,
        open_inputs: Callable[[], InputDevices] = lambda: open_devices(None),
    ) -> None:
        """Open the panel; if that fails, the table is told. The status lamp shows that the box is starting, until
        `ready`.

        settings: where learned keys are saved; None disables learning. switch_off: see `PanelLink`. open_inputs: opens
        all devices with keys; raises `PanelError`.
        """
        self._table = table
        self._config = config
        self._open_panel = open_panel
        self._settings = settings
        self._switch_off = switch_off
        self._open_inputs = open_inputs
        self._lock = threading.Lock()
        self._panel: Panel | None = None
        self._link: PanelLink | None = None
        self._trouble = ""
        self._join: Lines | None = None
        self._learner: threading.Thread | None = None
        self._devices: InputDevices | None = None
        self._stopped = threading.Event()
        self._said: list[Message] = []
        self._closed = False
        self._open()

    @property
    def virtual(self) -> VirtualPanel | None:
        """The panel, if it is one that the page can press."""
        return self._panel if isinstance(self._panel, VirtualPanel) else None

    def ready(self, join: Lines) -> None:
        """As `PanelLink.ready`."""
        with self._lock:
            self._join = join
            if self._link is not None:
                self._link.ready(join)

    def close(self) -> None:
        """Switch the lamps off and release pins and keys. Safe to call twice."""
        self._closed = True
        self.stop()
        learner = self._learner
        if learner is not None:
            learner.join(timeout=2.0)
        with self._lock:
            self._close()

    def _open(self) -> None:
        try:
            self._panel = panel = self._open_panel(self._config)
        except PanelError as error:
            log.warning("%s", error)
            self._trouble = error.message
            self._table.set_panel(None, error.message if self._config.use else "")  # silent if none is wanted
            return
        self._link = PanelLink(self._table, panel, self._switch_off)
        if self._join is None:
            self._link.starting()
        else:
            self._link.ready(self._join)

    def _close(self) -> None:
        link, panel, self._link, self._panel = self._link, self._panel, None, None
        if link is not None:
            link.close()
        if panel is not None:
            panel.close()

    # Learning

    @property
    def learns(self) -> bool:
        """True if keys can be learned."""
        return self._settings is not None

    def state(self) -> ButtonsState:
        """The present state of the buttons."""
        panel, trouble = self._panel, self._trouble
        places, missing = ({}, set()) if panel is None else (panel.places, panel.missing)
        trouble = trouble if panel is None else panel.sentence
        return ButtonsState(
            buttons=tuple(
                ButtonState(name=name, place=places[name], there=name not in missing)
                for name in ("dudo", "calza")
                if name in places
            ),
            lamps=panel is not None and bool(panel.wiring.lamps),
            trouble=Sentence(sentence=trouble) if trouble else None,
            learning=self._learner is not None,
            said=tuple(Sentence(sentence=each) for each in self._said),
        )

    def learn(self) -> None:
        """Start learning DUDO and CALZA, unless that has started. The keys are saved, and used at once.

        Raises `SettingsError` if they could not be saved.
        """
        assert self._settings is not None
        self._settings.check("panel", {"input": "usb", "use": True})
        with self._lock:
            if self._learner is not None:
                return
            self._stopped.clear()
            self._said = []
            self._learner = threading.Thread(target=self._learn, name="learner of keys", daemon=True)
            self._learner.start()

    def stop(self) -> None:
        """Stop learning. Everything stays as it was."""
        self._stopped.set()
        with self._lock:
            if self._devices is not None:
                self._devices.wake()

    def _learn(self) -> None:
        with self._lock:
            self._close()
            self._trouble = LEARNING
        self._table.set_panel(None, LEARNING)
        try:
            self._say_what_comes()
        except Exception:
            log.exception("no key could be learned")
            self._said.append(Message("The box could not learn its buttons. The log says why."))
        with self._lock:
            if not self._closed:
                self._open()
            self._learner = None  # only now, when the new buttons can be seen

    def _say_what_comes(self) -> None:
        try:
            devices = self._open_inputs()
        except PanelError as error:
            self._said.append(Message.sequence(error.message))
            return
        with closing(devices):
            if not devices.plugged:
                shut = Message("The box may not read its buttons: put its user in the group 'input'.")
                self._said.append(shut if devices.shut else NO_DEVICE)
                return
            with self._lock:
                self._devices = devices
            try:
                learned = learn_keys(devices, self._said.append, stopped=self._stopped.is_set)
            finally:
                with self._lock:
                    self._devices = None
        if "dudo" not in learned:
            self._said.append(Message("Nothing was changed."))
            return
        assert self._settings is not None
        try:
            self._config = self._settings.change("panel", keys_of_panel(learned) | {"use": True}).panel
        except SettingsError as error:
            self._said.append(error.message)
        else:
            self._said.append(Message("They work now: try them."))
