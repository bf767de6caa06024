"""The panel as the configuration says that it was soldered."""

from __future__ import annotations

from companion.config.sections import PanelConfig
from hardware.panel.wiring import DisplayWiring, Wiring


def wiring_of(panel: PanelConfig) -> Wiring:
    """The wiring of `[panel]`."""
    return Wiring(
        buttons={"dudo": panel.dudo, "calza": panel.calza},
        lamps={"dudo": panel.dudo_lamp, "calza": panel.calza_lamp},
        seats=panel.seats,
        coloured=panel.coloured,
        anode=panel.common_anode,
        status=panel.status,
        buzzer=panel.buzzer,
        tones=panel.buzzer_tones,
        dial=(panel.dial[0], panel.dial[1], panel.dial[2]) if panel.dial else None,
        display=DisplayWiring(panel.display, panel.display_modules, panel.display_turn, panel.display_address)
        if panel.display != "none"
        else None,
    )
