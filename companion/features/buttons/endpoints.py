"""Buttons that the box learns when the host presses keys."""

from __future__ import annotations

from companion.config.settings_file import SettingsError
from companion.panel.table_panel import ButtonsState, TablePanel
from web.errors import RequestError
from web.feature import Feature, change


class ButtonsFeature(Feature[TablePanel]):
    key, shows = "buttons", ButtonsState
    refuses = SettingsError, "settings"

    def absence(self) -> RequestError:
        return RequestError("No buttons can be learned here.", code="not_found")

    @change("box/buttons/learn", refuses=(404,))
    def learn_buttons(self) -> None:
        """Begin to learn DUDO and CALZA from keys; the state says what to press. Not while a game is going on."""
        self.idle.learn()

    @change("box/buttons/stop", refuses=(404,))
    def stop_learning(self) -> None:
        """Stop learning. The buttons stay as they were."""
        self.there.stop()
