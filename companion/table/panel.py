"""Between the panel and the table: presses in, lamps out."""

from __future__ import annotations

import logging
import queue
import threading

from companion.table.table import Table
from hardware.panel import Panel

log = logging.getLogger(__name__)


class PanelLink:
    """Tells the table of presses, and the lamps of the table. A failing lamp never reaches the game."""

    def __init__(self, table: Table, panel: Panel) -> None:
        self._table = table
        self._panel = panel
        self._subscription = table.subscribe()
        self._thread = threading.Thread(target=self._follow, name="panel", daemon=True)
        panel.when_pressed = self._pressed
        panel.when_held = self._held
        table.panel_says(panel.virtual)
        self._thread.start()

    def close(self) -> None:
        """Let go of both. The panel itself stays open. Safe to call twice."""
        self._panel.when_pressed = _nobody
        self._panel.when_held = _nobody
        self._subscription.close()
        self._thread.join(timeout=2.0)

    def _pressed(self, button: str) -> None:
        self._table.press(button)

    def _held(self, button: str) -> None:
        self._table.press(button, long=True)

    def _follow(self) -> None:
        while self._subscription.open:
            try:
                self._subscription.get()
            except queue.Empty:
                continue
            try:
                self._panel.show(self._table.lamps())
            except Exception:
                log.exception("the lamps could not be set")


def _nobody(button: str) -> None:
    log.info("%s was pressed while the panel is being put away", button)
