"""Lamps: patterns over time, players' colours, and the flash that acknowledges a press."""

from __future__ import annotations

import itertools

import pytest

from calibration.palette import COLOURS
from hardware.panel.lamp_patterns import BLINK_TIME, PULSE_TIME, WINK_TIMES, LampPattern, level
from hardware.panel.lamps import FLASH_TIME, LIGHTS, WHITE, Light
from hardware.panel.wiring import Wiring
from hardware.virtual.virtual_panel import VirtualPanel
from tests.fakes.clock import FakeClock
from tests.wait import wait_until


@pytest.mark.parametrize(("lamp", "usual"), [(LampPattern.OFF, 0), (LampPattern.ON, 1)])
def test_a_press_inverts_the_lamp_at_once(
    full_panel: VirtualPanel, clock: FakeClock, lamp: LampPattern, usual: int
) -> None:
    full_panel.show({"dudo": lamp})
    full_panel.pin("dudo").drive_low()  # the pin only, without waiting for anything
    assert full_panel.lit()["dudo"] == 1 - usual
    clock.now += FLASH_TIME
    full_panel.tick()
    assert full_panel.lit()["dudo"] == usual


def test_the_second_press_of_a_double_one_is_acknowledged_too(full_panel: VirtualPanel, clock: FakeClock) -> None:
    full_panel.press("dudo")
    clock.now += FLASH_TIME
    full_panel.release("dudo")
    full_panel.tick()
    clock.now += 0.1
    assert full_panel.lit()["dudo"] == 0
    full_panel.press("dudo")
    assert full_panel.lit()["dudo"] == 1


def test_a_seats_lamp_shines_in_its_players_colour(full_panel: VirtualPanel) -> None:
    full_panel.show({"seat0": LampPattern.ON, "seat1": LampPattern.ON}, ["blue", None])
    assert full_panel.lit()["seat0"] == pytest.approx(LIGHTS["blue"])
    assert full_panel.lit()["seat1"] == pytest.approx(WHITE)
    full_panel.show({"seat0": LampPattern.ON}, ["mauve"])
    assert full_panel.lit()["seat0"] == pytest.approx(WHITE)
    full_panel.show({}, ["blue", "red"])
    assert full_panel.lit()["seat0"] == full_panel.lit()["seat1"] == (0, 0, 0)


def test_lamps_with_a_common_anode_light_when_low(clock: FakeClock) -> None:
    panel = VirtualPanel(Wiring(coloured=((5, 6, 13),), anode=True), clock=clock)
    red = panel._factory.pin(5)
    assert red.state == 1
    panel.show({"seat0": LampPattern.ON}, ["red"])
    assert red.state == 0
    panel.close()


@pytest.mark.parametrize("lamp", LampPattern)
def test_a_lamp_follows_its_pattern(full_panel: VirtualPanel, clock: FakeClock, lamp: LampPattern) -> None:
    full_panel.show({"status": lamp})
    begin = clock.now
    for n in range(60):
        clock.now = begin + n * PULSE_TIME / 60
        full_panel.tick()
        assert full_panel.lit()["status"] == pytest.approx(level(lamp, clock.now), abs=1e-9)


def test_the_panel_knows_when_its_lamps_change_next(full_panel: VirtualPanel) -> None:
    assert full_panel.tick() is None
    full_panel.show({"status": LampPattern.BLINK, "dudo": LampPattern.ON})
    assert full_panel.tick() == pytest.approx(BLINK_TIME - 0.05)


def test_a_lamp_blinks_on_its_own(wiring: Wiring) -> None:
    panel = VirtualPanel(wiring)
    try:
        panel.show({"status": LampPattern.FLICKER})
        for state in (0, 1):
            wait_until(lambda state=state: panel.lit()["status"] == state)
    finally:
        panel.close()


def test_the_lamp_of_black_dice_shines_white_and_winks(full_panel: VirtualPanel, clock: FakeClock) -> None:
    clock.now = 4000 * sum(WINK_TIMES)
    full_panel.show({"seat0": LampPattern.ON, "seat1": LampPattern.ON}, ["black", "white"])
    assert max(full_panel.lit()["seat0"]) > 0.5
    assert full_panel.tick() == pytest.approx(WINK_TIMES[0])
    clock.now += WINK_TIMES[0] + 0.01
    full_panel.tick()
    assert full_panel.lit()["seat0"] == (0, 0, 0)
    assert full_panel.lit()["seat1"] == pytest.approx(LIGHTS["white"])
    clock.now += WINK_TIMES[1]
    full_panel.tick()
    assert max(full_panel.lit()["seat0"]) > 0.5
    full_panel.show({}, ["black", "white"])
    assert full_panel.tick() is None, "a lamp that is off does not wink"
    full_panel.show({"seat0": LampPattern.ON}, ["red", "white"])
    assert full_panel.tick() is None, "nor does another colour's"


# The lights of the players' colours


def luminance(shade: Light) -> float:
    """The perceived brightness of a light, 0 to 1, by the weights of ITU-R BT.709."""
    red, green, blue = shade
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_every_colour_of_dice_has_a_light() -> None:
    assert tuple(LIGHTS) == COLOURS
    assert all(0 <= part <= 1 for shade in LIGHTS.values() for part in shade)


def test_every_light_can_be_seen() -> None:
    assert all(max(shade) >= 0.5 for shade in LIGHTS.values())


def test_colours_differ_in_brightness_for_the_colour_blind() -> None:
    brightnesses = sorted(luminance(shade) for shade in LIGHTS.values())
    assert all(more - less > 0.02 for less, more in itertools.pairwise(brightnesses))
    # red and green, blue and purple: the pairs most often confused
    for one, other in (("red", "green"), ("blue", "purple"), ("red", "orange"), ("orange", "green")):
        assert abs(luminance(LIGHTS[one]) - luminance(LIGHTS[other])) > 0.04
