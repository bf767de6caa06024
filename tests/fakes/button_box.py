"""A table with buttons in a fake /dev/input, whose keys are learned into a configuration."""

from __future__ import annotations

from pathlib import Path

from evdev import ecodes

from companion.config import PanelConfig
from companion.config.settings_file import SettingsFile
from companion.panel.table_panel import TablePanel
from companion.table import Journal, Table
from hardware.panel.debounce import Push
from hardware.panel.input_devices import InputDevices
from hardware.panel.panel import Panel
from hardware.panel.usb_panel import UsbPanel
from hardware.panel.wiring import Key
from hardware.virtual.virtual_panel import VirtualPanel
from tests.fakes.input_devices import FakeInputDevice, FakeInputFolder
from tests.wait import wait_until

OLD, NEW = "usb-Old-event-kbd", "usb-New-event-kbd"
CONFIG = PanelConfig(input="usb", dudo_keys=(Key("KEY_ENTER", OLD),))


class ButtonBox:
    """The old button is DUDO; the new one nothing yet."""

    def __init__(self, folder: Path) -> None:
        self.inputs = FakeInputFolder(folder / "input")
        self.old = self.inputs.plug(FakeInputDevice("Old"), 0, serial=OLD)
        self.new = self.inputs.plug(FakeInputDevice("New"), 1, serial=NEW)
        self.file = folder / "perudo.toml"
        self.table = Table(Journal(folder))
        self.pushed: list[str] = []
        push = self.table.push

        def noted(button: str, what: Push) -> None:
            self.pushed.append(f"{button} {what.name.lower()}")
            push(button, what)

        self.table.push = noted  # type: ignore[method-assign]
        self.panel: TablePanel | None = None

    def open(self, config: PanelConfig = CONFIG, **changed: object) -> TablePanel:
        parts = {
            "open_panel": self.open_panel,
            "settings": SettingsFile(self.file),
            "open_inputs": lambda: InputDevices(folder=self.inputs.path, open_device=self.inputs.open),
        }
        self.panel = TablePanel(self.table, config, **parts | changed)  # type: ignore[arg-type]
        return self.panel

    def open_panel(self, config: PanelConfig) -> Panel:
        if config.input == "gpio":
            return VirtualPanel()
        return UsbPanel(config.keys, folder=self.inputs.path, open_device=self.inputs.open)

    def tap(self, device: FakeInputDevice, code: int = ecodes.KEY_ENTER) -> None:
        device.press(code)
        device.release(code)

    @property
    def said(self) -> list[str]:
        assert self.panel is not None
        return [each.sentence for each in self.panel.state().said]

    def hears(self, words: str) -> None:
        """Wait until it says that last."""
        wait_until(lambda: self.said and words in self.said[-1], lambda: f"{words!r} in {self.said}")

    def teaches(self, button: str, device: FakeInputDevice, code: int = ecodes.KEY_ENTER) -> None:
        """Push what shall be this button, twice, as it is told."""
        for words in (f"key for {button}", f"{button} once more"):
            self.hears(words)
            self.tap(device, code)

    def ends(self) -> None:
        """Wait until it does not learn any more."""
        assert self.panel is not None
        wait_until(lambda: self.panel is not None and not self.panel.state().learning)

    def close(self) -> None:
        if self.panel is not None:
            self.panel.close()
        self.table.close()
