"""A panel with every part, on gpiozero's mock pins and a fake clock."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hardware.panel.wiring import DisplayWiring, Wiring
from hardware.virtual.virtual_panel import VirtualPanel
from tests.fakes.clock import FakeClock

FULL_WIRING = Wiring(
    coloured=((5, 6, 13), (19, 26, 21)), status=25, buzzer=18, dial=(20, 16, 12), display=DisplayWiring("ssd1306")
)


@pytest.fixture
def clock() -> FakeClock:
    """A clock at a moment when every lamp pattern begins."""
    return FakeClock(9600.05)


@pytest.fixture
def wiring() -> Wiring:
    return FULL_WIRING


@pytest.fixture
def full_panel(wiring: Wiring, clock: FakeClock) -> Iterator[VirtualPanel]:
    panel = VirtualPanel(wiring, clock=clock)
    yield panel
    panel.close()


@pytest.fixture
def felt(full_panel: VirtualPanel) -> list[str]:
    """The events of `full_panel`: "dudo down", "dial short", "turned 1"."""
    felt: list[str] = []
    full_panel.when_pushed = lambda name, push: felt.append(f"{name} {push.name.lower()}")
    full_panel.when_turned = lambda steps: felt.append(f"turned {steps}")
    return felt
