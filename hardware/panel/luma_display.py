"""Real displays, driven by luma: a row of MAX7219 matrices, or an OLED.

luma's own SPI drivers need a compiler on the Pi, so the port is opened by gpiozero's pin factory: see `GpioSerial`. The
OLED needs only the kernel's I2C, through smbus2.

luma.led_matrix documentation, "max7219": modules with rotated matrices need `block_orientation`; 4-in-1 modules mostly
need -90.
"""

from __future__ import annotations

import logging
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Final

from companion.messages.message import Message
from hardware.panel.display import ENCODING, DisplayError, displayable
from hardware.panel.wiring import SPI_PINS, DisplayWiring

log = logging.getLogger(__name__)

SCROLL_REST: Final = 1.2
"""Seconds that a scrolling line pauses at each end."""

SCROLL_SPEED: Final = 30.0
"""Dots per second."""

SCROLL_FRAME: Final = 0.05
"""Seconds between two pictures while a line scrolls."""

RETRY_AFTER: Final = 5.0
"""Seconds before a display that failed is tried again."""

BRIGHTNESS: Final = 0x30
"""Out of 0xFF. A matrix at full brightness draws 2 A, and dazzles."""

LINE_GAP: Final = "   "
"""Space between two lines in one row."""


class GpioSerial:
    """gpiozero's SPI port with luma's interface."""

    def __init__(self, factory: Any) -> None:
        """`factory` is a gpiozero pin factory. Raises `OSError`, or gpiozero's error, if there is no such port."""
        from gpiozero.exc import SPISoftwareFallback  # noqa: PLC0415

        select, back, data, clock = SPI_PINS
        with warnings.catch_warnings():
            # If a port is switched off, gpiozero falls back to toggling the pins one by one, which is far too slow.
            warnings.simplefilter("error", SPISoftwareFallback)
            try:
                self._port = factory.spi(clock_pin=clock, mosi_pin=data, miso_pin=back, select_pin=select)
            except SPISoftwareFallback as fallback:
                _, _, reason = str(fallback).partition("error was: ")
                raise OSError(reason.removesuffix(")") or str(fallback)) from fallback

    def command(self, *data: int) -> None:
        """Send bytes; a MAX7219 does not distinguish commands from data."""
        self._port.write(list(data))

    def data(self, data: Sequence[int]) -> None:
        """Send bytes."""
        self._port.write(list(data))

    def cleanup(self) -> None:
        """Release the port."""
        self._port.close()


class LumaDisplay:
    """Shows lines of text on a luma device, from its own thread because the port is slow."""

    def __init__(self, device: Any, scale: int = 1, clock: Callable[[], float] = time.monotonic) -> None:
        """`device` is luma's. A dot of a letter is `scale` dots wide and high. `clock` returns seconds."""
        self._device = device
        self._scale = scale
        self._clock = clock
        self._rows = device.height // (8 * scale)
        self._changed = threading.Condition()
        self._lines: tuple[str, ...] = ()
        self._since = clock()
        self._open = True
        self._thread = threading.Thread(target=self._follow, name="display", daemon=True)
        self._thread.start()

    def show(self, lines: Sequence[str]) -> None:
        """Show these lines; those that do not fit scroll in the last row."""
        # luma takes a character's code from ord().
        wanted = tuple(displayable(line).encode(ENCODING).decode("latin-1") for line in lines)
        if len(wanted) > self._rows:
            wanted = (*wanted[: self._rows - 1], LINE_GAP.join(wanted[self._rows - 1 :]))
        with self._changed:
            if wanted != self._lines:
                self._lines, self._since = wanted, self._clock()
                self._changed.notify_all()

    def close(self) -> None:
        """Switch off and release the port. Safe to call twice."""
        with self._changed:
            if not self._open:
                return
            self._open = False
            self._changed.notify_all()
        self._thread.join(timeout=2.0)
        try:
            self._device.cleanup()
        except Exception:  # unplugged: luma's error is no OSError
            log.info("the display could not be closed", exc_info=True)

    def _follow(self) -> None:
        from luma.core.legacy import textsize  # noqa: PLC0415 - optional

        shown: object = ((), ())  # a display starts empty
        while True:
            with self._changed:
                if not self._open:
                    return
                lines, since = self._lines, self._clock() - self._since
            widths = [textsize(line, _font())[0] * self._scale for line in lines]
            offsets = tuple(scroll_offset(width, self._device.width, since) for width in widths)
            wait: float | None = SCROLL_FRAME if any(width > self._device.width for width in widths) else None
            if (lines, offsets) != shown:
                try:
                    self._device.display(self._picture(lines, offsets))
                    shown = lines, offsets
                except Exception:
                    log.exception("the display does not answer; it is tried again")
                    wait = RETRY_AFTER
            with self._changed:
                if self._open and self._lines == lines:
                    self._changed.wait(wait)

    def _picture(self, lines: tuple[str, ...], offsets: tuple[int, ...]) -> Any:
        from luma.core.legacy import text, textsize  # noqa: PLC0415 - optional
        from PIL import Image, ImageDraw  # noqa: PLC0415 - luma brings it

        whole = Image.new("L", (self._device.width, self._device.height))
        for row, (line, offset) in enumerate(zip(lines, offsets, strict=True)):
            letters = Image.new("L", (max(1, textsize(line, _font())[0]), 8))
            text(ImageDraw.Draw(letters), (0, 0), line, fill=255, font=_font())
            letters = letters.resize((letters.width * self._scale, 8 * self._scale), Image.Resampling.NEAREST)
            whole.paste(letters, (-offset, row * 8 * self._scale))
        return whole.convert(self._device.mode)


def _font() -> Any:
    """luma's font of eight dots, with narrow letters trimmed, indexed by the codes of `ENCODING`."""
    from luma.core.legacy.font import CP437_FONT, proportional  # noqa: PLC0415 - optional

    return proportional(CP437_FONT)


def scroll_offset(width: int, room: int, since: float) -> int:
    """How many dots a line `width` dots long has scrolled to the left, `since` seconds after it appeared.

    On a display `room` dots wide it pauses, scrolls, pauses at its end and starts again; a line that fits does not
    move.
    """
    over = width - room
    if over <= 0:
        return 0
    into = since % (SCROLL_REST + over / SCROLL_SPEED + SCROLL_REST)
    return min(over, max(0, round((into - SCROLL_REST) * SCROLL_SPEED)))


def open_display(wiring: DisplayWiring, factory: Any) -> LumaDisplay:
    """Open the display of `wiring`; `factory` is the panel's gpiozero pin factory.

    Raises `DisplayError` if luma is not installed, the port is switched off or nothing answers.
    """
    try:
        return LumaDisplay(_matrix(wiring, factory)) if wiring.kind == "max7219" else LumaDisplay(_oled(wiring), 2)
    except ModuleNotFoundError as error:
        raise DisplayError(
            Message(
                "The display needs Python's {module}: install the program with its extra called display. The rest of "
                "the panel works.",
                module=error.name or "luma",
            )
        ) from error
    except Exception as error:
        port = "SPI" if wiring.kind == "max7219" else "I2C"
        raise DisplayError(
            Message(
                "The display does not answer ({reason}). Is {port} switched on (sudo raspi-config), and is it wired "
                "as docs/reference/wiring.md says? The rest of the panel works.",
                reason=str(error).rstrip(".!"),
                port=port,
            )
        ) from error


def _matrix(wiring: DisplayWiring, factory: Any) -> Any:
    from luma.led_matrix.device import max7219  # noqa: PLC0415 - optional

    return max7219(GpioSerial(factory), cascaded=wiring.modules, block_orientation=wiring.turn, contrast=BRIGHTNESS)


def _oled(wiring: DisplayWiring) -> Any:
    from luma.core.interface.serial import i2c  # noqa: PLC0415 - optional
    from luma.oled import device as oled  # noqa: PLC0415 - optional

    return getattr(oled, wiring.kind)(i2c(port=1, address=wiring.address))
