"""The drawings of docs/drawings: they are what the code says, and what they say can be done."""

from __future__ import annotations

import math
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cli import CLI_COMMANDS
from companion.config import PanelConfig, parse
from docs.drawings import DRAWINGS, DRAWINGS_FOLDER
from docs.drawings.glare import CAMERA_HEIGHT, LAMP_HEIGHT, halves, mirror_at, safe_from
from docs.drawings.lenses import CAMERA_HEIGHTS, LENSES, MODULE_3, READABLE_WIDTHS, WELL_READ_WIDTH
from docs.drawings.mast import ARM_LENGTH
from docs.drawings.svg import Drawing, number
from docs.drawings.wiring import (
    ALL_MOST,
    COLOURED,
    EXTRAS,
    LED_VOLTS,
    PIN_MOST,
    PIN_VOLTS,
    RESISTOR_OHMS,
    current,
    extra_uses,
    panel_uses,
)
from hardware.panel.header import GROUNDS, HEADER, pin_of
from hardware.panel.wiring import I2C_PINS, Wiring

REPOSITORY = Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", DRAWINGS)
def test_every_drawing_in_the_docs_is_the_one_the_code_draws(name: str) -> None:
    kept = (REPOSITORY / DRAWINGS_FOLDER / name).read_text(encoding="utf-8")
    assert kept == DRAWINGS[name]().svg(), "python -m docs.drawings writes it anew"


def test_no_other_drawing_lies_there() -> None:
    assert {file.name for file in (REPOSITORY / DRAWINGS_FOLDER).glob("*.svg")} == set(DRAWINGS)


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_plain_svg_with_its_own_paper_and_words_for_those_who_do_not_see_it(name: str) -> None:
    svg = ElementTree.fromstring(DRAWINGS[name]().svg())
    width, height = float(svg.get("width", 0)), float(svg.get("height", 0))
    title, says, paper, *parts = list(svg)
    assert title.text
    assert says.text
    assert paper.tag == f"{SVG}rect"
    assert float(paper.get("width", 0)) == width - 2
    assert {part.tag.removeprefix(SVG) for part in parts} <= {"text", "rect", "circle", "polyline", "polygon"}
    for text in svg.iter(f"{SVG}text"):
        assert 0 < float(text.get("x", -1)) < width, text.text
        assert 0 < float(text.get("y", -1)) < height, text.text
        assert float(text.get("font-size", 0)) >= 12, "unreadable at 800 pixels"


def test_what_letters_may_break_is_written_so_that_it_does_not() -> None:
    sheet = Drawing(10, 10, "a < b & c", "")
    assert ElementTree.fromstring(sheet.svg())[0].text == "a < b & c"


@given(st.floats(-1e6, 1e6))
def test_a_number_is_written_to_a_hundredth(value: float) -> None:
    assert float(number(value)) == pytest.approx(value, abs=0.00501)
    assert re.fullmatch(r"-?\d+(\.\d{1,2})?", number(value))


# The panel


def test_the_panel_is_drawn_with_the_pins_that_the_program_uses() -> None:
    config = PanelConfig()
    wiring = Wiring()
    assert (config.dudo, config.calza) == (wiring.buttons["dudo"], wiring.buttons["calza"])
    assert (config.dudo_lamp, config.calza_lamp) == (wiring.lamps["dudo"], wiring.lamps["calza"])
    assert config.seats == wiring.seats
    drawn = {HEADER[use.pin - 1]: use.says for use in panel_uses(wiring)}
    assert drawn[config.dudo] == "DUDO button"
    assert drawn[config.calza_lamp] == "lamp in CALZA"
    assert [drawn[gpio] for gpio in config.seats] == [f"lamp of seat {n}" for n in range(1, 7)]
    assert len(drawn) == 10


def test_the_header_has_every_gpio_once_and_eight_grounds() -> None:
    assert len(HEADER) == 40
    assert sorted(what for what in HEADER if isinstance(what, int)) == list(range(28))
    assert GROUNDS == (6, 9, 14, 20, 25, 30, 34, 39)
    assert (pin_of(17), pin_of(27), pin_of(21)) == (11, 13, 40)


@pytest.mark.parametrize("wiring", [Wiring(), EXTRAS, COLOURED])
def test_no_pin_is_given_to_two_parts(wiring: Wiring) -> None:
    pins = [use.pin for use in (*panel_uses(wiring), *extra_uses(wiring))]
    assert len(pins) == len(set(pins))
    assert not {pin_of(0), pin_of(1)} & set(pins), "those belong to the board's own memory chip"


def test_an_oled_fits_beside_lamps_of_three_colours() -> None:
    assert not {pin_of(gpio) for gpio in I2C_PINS} & {use.pin for use in panel_uses(COLOURED)}


@pytest.mark.parametrize("wiring", [Wiring(), EXTRAS, COLOURED])
def test_all_lamps_together_take_less_than_a_pi_can_give(wiring: Wiring) -> None:
    assert current(wiring) <= ALL_MOST
    assert all(1000 * (PIN_VOLTS - kept) / RESISTOR_OHMS <= PIN_MOST for kept in LED_VOLTS.values())


# The camera


@pytest.mark.parametrize(("name", "wide"), [("Camera Module 2", 90), ("Camera Module 3", 97), ("HQ Camera", 78)])
def test_a_camera_sees_twice_its_height_times_the_tangent_of_half_its_angle(name: str, wide: int) -> None:
    (lens,) = [each for each in LENSES if each.name.startswith(name) and "Wide" not in each.name]
    across, deep = lens.sees(75)
    assert across == pytest.approx(wide, abs=0.6)
    assert deep / across == pytest.approx(lens.still[1] / lens.still[0])
    assert lens.die(75) == pytest.approx(1.6 / across * lens.still[0])
    assert lens.die(75, lens.whole) > lens.die(75)


def test_the_higher_the_camera_the_smaller_the_dice_and_all_are_found_with_the_whole_sensor() -> None:
    for lens in LENSES:
        sizes = [lens.die(height) for height in CAMERA_HEIGHTS]
        assert sizes == sorted(sizes, reverse=True)
        assert READABLE_WIDTHS[0] < lens.die(CAMERA_HEIGHTS[-1], lens.whole)
    assert min(MODULE_3.die(height) for height in CAMERA_HEIGHTS) > READABLE_WIDTHS[0]


# The lamp


@given(lamp=st.floats(5, 200), half=st.floats(10, 100), height=st.floats(40, 120))
def test_a_lamp_at_its_least_distance_is_mirrored_outside_the_play_area(
    lamp: float, half: float, height: float
) -> None:
    least = safe_from(lamp, half, height, tilt=0)
    assert mirror_at((least, lamp), height) >= half - 1e-9
    assert mirror_at((least, lamp - 1.6), height - 1.6) >= half - 1e-9, "in the tops of dice"
    assert safe_from(lamp, half, height) > least, "a tilted die wants more"


@given(half=st.floats(10, 100), height=st.floats(40, 120), lamp=st.floats(5, 200), along=st.floats(-1, 1))
def test_the_mirror_image_is_where_the_angles_are_the_same(
    half: float, height: float, lamp: float, along: float
) -> None:
    x = half * along
    at = mirror_at((x, lamp), height)
    assert math.atan2(at, height) == pytest.approx(math.atan2(x - at, lamp), abs=1e-9)


def test_the_mast_stands_outside_what_the_camera_sees() -> None:
    _, half = halves(CAMERA_HEIGHT)
    assert half < ARM_LENGTH
    assert mirror_at((safe_from(LAMP_HEIGHT, half, CAMERA_HEIGHT), LAMP_HEIGHT), CAMERA_HEIGHT) > half


# docs/how-to/build.md


def panels() -> list[PanelConfig]:
    """What the configurations in docs/how-to/build.md make of the panel."""
    text = (REPOSITORY / "docs" / "how-to" / "build.md").read_text(encoding="utf-8")
    return [parse(found).panel for found in re.findall(r"```toml\n(.*?)```", text, re.DOTALL)]


def test_the_pins_in_the_text_are_those_of_the_drawings() -> None:
    extras, coloured = panels()
    assert (extras.status, extras.buzzer, extras.dial) == (EXTRAS.status, EXTRAS.buzzer, EXTRAS.dial)
    assert EXTRAS.display is not None
    assert extras.display == EXTRAS.display.kind
    assert coloured.wiring.coloured == COLOURED.coloured
    assert (coloured.status, coloured.buzzer) == (COLOURED.status, COLOURED.buzzer)


def test_the_text_says_the_numbers_that_are_drawn() -> None:
    text = " ".join((REPOSITORY / "docs" / "how-to" / "build.md").read_text(encoding="utf-8").split())
    wide, deep = (2 * half for half in halves(CAMERA_HEIGHT))
    assert f"**Camera Module 3 at {CAMERA_HEIGHT:.0f} cm**" in text
    assert f"{wide:.0f} x {deep:.0f} cm of table, {MODULE_3.die(CAMERA_HEIGHT):.0f} pixels a die" in text
    away = safe_from(LAMP_HEIGHT, deep / 2, CAMERA_HEIGHT)
    assert f"At {LAMP_HEIGHT:.0f} cm over the table that is {away:.0f} cm or more" in text
    assert f"All lamps on take {current(Wiring()):.0f} mA" in text
    assert f"{WELL_READ_WIDTH:.0f} pixels a die are read well, which is about 95 cm" in text
    assert MODULE_3.die(95) == pytest.approx(WELL_READ_WIDTH, abs=0.5)


def test_every_command_of_the_text_exists() -> None:
    text = (REPOSITORY / "docs" / "how-to" / "build.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\bperudo ([a-z][a-z-]+)", text))
    assert named - set(CLI_COMMANDS) == set()
