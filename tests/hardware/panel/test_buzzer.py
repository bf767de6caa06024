"""Sounds, and the buzzer that plays them."""

from __future__ import annotations

from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.panel.buzzer import Sound, tone
from hardware.panel.panel import RETRY_WAIT
from hardware.panel.wiring import Wiring
from hardware.virtual.virtual_panel import VirtualPanel
from tests.fakes.clock import FakeClock


@given(st.sampled_from(Sound))
def test_a_sound_ends(sound: Sound) -> None:
    at, tones = 0.0, []
    while (playing := tone(sound, at)) is not None:
        tones.append(playing[0])
        at += playing[1] + 1e-9
    assert tones == [hertz for hertz, _ in sound.value]
    assert at < 1.0


def test_gpiozeros_buzzer_can_play_every_tone() -> None:
    assert all(hertz == 0 or 220 <= hertz <= 880 for sound in Sound for hertz, _ in sound.value)


def test_a_sound_is_played_tone_by_tone(full_panel: VirtualPanel, clock: FakeClock) -> None:
    full_panel.play(Sound.JUDGED)
    tones = []
    for _ in range(6):
        tones.append(round(full_panel._buzzer.device.tone.frequency) if full_panel._buzzer.device.tone else 0)
        clock.now += 0.1
        full_panel.tick()
    assert tones == [440, 550, 660, 660, 0, 0]


def test_a_buzzer_that_could_not_be_stopped_is_stopped_on_the_next_step(
    full_panel: VirtualPanel, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    full_panel.play(Sound.REFUSED)
    with monkeypatch.context() as context, full_panel._lock:  # the panel's own thread is waiting
        context.setattr(full_panel._buzzer.device, "stop", Mock(side_effect=OSError("the pin is busy")))
        clock.now += 1
        assert full_panel.tick() == RETRY_WAIT
    full_panel.tick()
    assert full_panel._buzzer.device.tone is None


def test_a_buzzer_without_tones_beeps(clock: FakeClock) -> None:
    panel = VirtualPanel(Wiring(buzzer=18, tones=False), clock=clock)
    pin = panel._factory.pin(18)
    panel.pin("dudo").drive_low()
    assert pin.state  # a press ticks at once
    clock.now += 1
    panel.tick()
    assert not pin.state
    panel.close()


def test_without_a_buzzer_a_sound_does_nothing(clock: FakeClock) -> None:
    panel = VirtualPanel(clock=clock)
    panel.play(Sound.WON)
    panel.close()
