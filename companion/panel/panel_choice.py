"""Opens the panel that the configuration names."""

from __future__ import annotations

from companion.config import PanelConfig
from hardware.panel import panel


def open_panel(config: PanelConfig) -> panel.Panel:
    """Open the panel. Raises `PanelError` if it cannot be used."""
    if config.input == "usb":
        from hardware.panel.usb_panel import UsbPanel  # noqa: PLC0415 - only where there is one

        return UsbPanel(config.keys)
    return panel.Panel(config.wiring)
