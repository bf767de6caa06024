"""Displays: the bytes on the port, letters, lines that are too long, and the error without a display."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockSPIDevice
from hypothesis import given
from hypothesis import strategies as st
from luma.core.device import dummy
from luma.led_matrix.device import max7219
from luma.oled.device import ssd1306

from hardware.panel.display import DisplayError, displayable
from hardware.panel.luma_display import SCROLL_REST, SCROLL_SPEED, GpioSerial, LumaDisplay, open_display, scroll_offset
from hardware.panel.wiring import SPI_PINS, DisplayWiring
from hardware.virtual.virtual_panel import VirtualDisplay
from tests.fakes.clock import FakeClock
from tests.wait import wait_until


class RecordingSerial:
    def __init__(self) -> None:
        self.sent: list[list[int]] = []
        self.closed = False

    def command(self, *data: int) -> None:
        self.sent.append(list(data))

    def data(self, data: Sequence[int]) -> None:
        self.sent.append(list(data))

    def cleanup(self) -> None:
        self.closed = True


# Letters and lines


def test_letters_that_a_display_lacks_are_replaced_or_dropped() -> None:
    assert displayable("Élise, Müller & Zoë") == "Élise, Müller & Zoë"
    assert displayable("Łukasz Škoda, 3 € 4") == "?ukasz Skoda, 3 ? 4"
    assert displayable("a\nb\x07") == "a b "


@given(st.text(max_size=30))
def test_any_text_becomes_letters_that_a_display_has(text: str) -> None:
    displayable(text).encode("cp437")


def test_a_line_that_fits_does_not_move() -> None:
    assert {scroll_offset(32, 32, n / 10) for n in range(100)} == {0}


def test_a_line_that_is_too_long_scrolls_and_begins_again() -> None:
    over = 60
    at = [scroll_offset(100, 40, n / 10) for n in range(200)]
    assert at[: int(SCROLL_REST * 10)] == [0] * int(SCROLL_REST * 10)
    around = round((SCROLL_REST + over / SCROLL_SPEED + SCROLL_REST) * 10)
    assert max(at) == over
    assert at[:around] == sorted(at[:around])
    assert at[around : 2 * around] == at[:around]


# The matrices


def lit(device: max7219, rows: list[list[int]]) -> list[str]:
    """The dots of the last picture as the matrices show them: the last eight messages are its rows.

    Each is a register and a column of eight dots for every matrix, the first matrix of the row last.
    """
    dots = [[" "] * device.width for _ in range(8)]
    for digit, message in enumerate(rows[-8:]):
        assert message[::2] == [digit + 1] * device.cascaded
        for n, byte in enumerate(message[1::2]):
            matrix = device.cascaded - 1 - n
            for y in range(8):
                if byte >> y & 1:
                    dots[y][matrix * 8 + digit] = "#"
    return ["".join(row).rstrip() for row in dots]


def test_the_matrices_get_exactly_these_bytes() -> None:
    port = RecordingSerial()
    display = LumaDisplay(max7219(port, cascaded=2, contrast=0x30))
    awoken = len(port.sent)
    assert port.sent[:4] == [[11, 7] * 2, [9, 0] * 2, [15, 0] * 2, [10, 3] * 2]  # scan, decode, test, brightness
    display.show(["I1"])
    wait_until(lambda: len(port.sent) >= awoken + 8)
    display.close()
    # The second matrix first; in each the columns of an I, of a narrow gap and of a 1.
    rows = port.sent[awoken : awoken + 8]
    assert [row[::2] for row in rows] == [[n, n] for n in range(1, 9)]
    assert [row[3] for row in rows] == [0x41, 0x7F, 0x7F, 0x41, 0x00, 0x40, 0x42, 0x7F]
    assert [row[1] for row in rows] == [0x7F, 0x40, 0x40, 0x00, 0x00, 0x00, 0x00, 0x00]
    assert port.closed


def test_the_matrices_show_letters() -> None:
    port = RecordingSerial()
    device = max7219(port, cascaded=4)
    display = LumaDisplay(device)
    begun = len(port.sent)
    display.show(["dudo"])
    wait_until(lambda: len(port.sent) >= begun + 8)
    assert any("#" in row for row in lit(device, port.sent))
    before = lit(device, port.sent)
    sent_before = len(port.sent)
    display.show(["dudo"])  # the same text again sends nothing
    display.show(["odud"])
    wait_until(lambda: len(port.sent) >= sent_before + 8)
    assert len(port.sent) == sent_before + 8
    assert lit(device, port.sent) != before
    display.close()


def test_a_max7219_can_read_the_signals_on_the_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    """gpiozero's own software port on its mock pins, read bit by bit as the chip would."""
    factory = MockFactory()
    monkeypatch.setattr(Device, "pin_factory", factory)  # that port always takes its pins from there
    select, _, data, clock = SPI_PINS

    class Chip(MockSPIDevice):
        """Shifts bits in while it is selected."""

        def __init__(self) -> None:
            super().__init__(clock, data, None, select, pin_factory=factory)
            self.words: list[int] = []

        def on_start(self) -> None:
            self.bits: list[int] = []

        def on_bit(self) -> None:
            self.bits.append(int(self.mosi_pin.state))
            if len(self.bits) == 16:
                self.words.append(int("".join(map(str, self.bits)), 2))

    chip = Chip()
    port = GpioSerial(factory)
    port.command(0x0C, 0x01)
    port.data([0x01, 0xAA])
    port.cleanup()
    assert chip.words == [0x0C01, 0x01AA]


def test_lines_beyond_the_rows_of_the_display_scroll_in_the_last_one() -> None:
    clock = FakeClock()
    device = dummy(width=32, height=8, mode="1")
    display = LumaDisplay(device, clock=clock)
    display.show(["Ana", "5 x 4"])
    wait_until(lambda: device.image is not None and device.image.getbbox() is not None)
    first = device.image.tobytes()
    clock.now += SCROLL_REST + 0.5
    wait_until(lambda: device.image.tobytes() != first)
    display.close()


def test_an_oled_shows_four_lines() -> None:
    device = dummy(width=128, height=64, mode="1")
    display = LumaDisplay(device, scale=2)
    display.show(["one", "two", "", "four"])
    wait_until(lambda: device.image is not None and device.image.crop((0, 48, 128, 64)).getbbox() is not None)
    assert device.image.crop((0, 0, 128, 16)).getbbox() is not None
    assert device.image.crop((0, 32, 128, 48)).getbbox() is None
    display.close()


def test_a_real_oled_gets_its_pictures_on_the_port() -> None:
    port = RecordingSerial()
    display = LumaDisplay(ssd1306(port), scale=2)
    begun = len(port.sent)
    display.show(["dudo"])
    wait_until(lambda: any(len(message) == 1024 and any(message) for message in port.sent[begun:]))
    display.close()


# Without a display


def test_a_display_that_fails_is_tried_again(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.panel.luma_display.RETRY_AFTER", 0.01)

    class Loose(dummy):
        fails = 2

        def display(self, image: Any) -> None:
            if self.fails and image.getbbox() is not None:
                self.fails -= 1
                raise OSError("no answer")
            super().display(image)

    device = Loose(width=32, height=8, mode="1")
    display = LumaDisplay(device)
    display.show(["hello"])
    wait_until(lambda: device.image is not None and device.image.getbbox() is not None)
    display.close()
    assert "the display does not answer" in caplog.text


def test_a_display_can_be_closed_twice() -> None:
    port = RecordingSerial()
    display = LumaDisplay(max7219(port, cascaded=1))
    display.close()
    display.close()
    display.show(["too late"])
    virtual_display = VirtualDisplay()
    virtual_display.show(["a"])
    virtual_display.close()
    assert virtual_display.lines == ()


def test_an_unplugged_display_can_be_closed() -> None:
    from luma.core.error import DeviceNotFoundError

    class PulledOut(dummy):
        def cleanup(self) -> None:
            raise DeviceNotFoundError("I2C device not found on address: 0x3C")

    LumaDisplay(PulledOut(width=128, height=64, mode="1")).close()


def test_without_luma_the_error_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "luma.led_matrix.device", None)
    with pytest.raises(DisplayError, match=r": install the program with its extra called display"):
        open_display(DisplayWiring("max7219"), MockFactory())


def test_without_the_ports_the_error_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    class NoPort:
        def spi(self, **_: int) -> None:
            raise OSError("can't open SPI device")

    with pytest.raises(DisplayError, match=r"does not answer \(can't open SPI device\)\. Is SPI switched on"):
        open_display(DisplayWiring("max7219"), NoPort())
    monkeypatch.setattr("luma.core.interface.serial.i2c", _no_i2c)
    with pytest.raises(DisplayError, match=r"Is I2C switched on"):
        open_display(DisplayWiring("ssd1306"), None)


def _no_i2c(port: int, address: int) -> None:
    raise OSError(f"I2C device not found on address {address} of port {port}")


def test_a_disabled_port_is_not_replaced_by_a_slow_one() -> None:
    """gpiozero would set the pins one by one instead, with only a warning."""
    import warnings

    from gpiozero.exc import SPISoftwareFallback

    class Fallback:
        def spi(self, **_: int) -> object:
            warnings.warn(
                SPISoftwareFallback("failed to initialize hardware SPI, ... (error was: 'can not open SPI device')"),
                stacklevel=2,
            )
            return object()

    with pytest.raises(DisplayError, match=r"does not answer \('can not open SPI device'\)"):
        open_display(DisplayWiring("max7219"), Fallback())
