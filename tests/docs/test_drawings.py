"""The drawings of docs/drawings: they are what the code says, and what they say can be done."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cli import CLI_COMMANDS
from companion.config import PanelConfig, parse
from docs.drawings import DRAWINGS, DRAWINGS_FOLDER
from docs.drawings.circuits import PULL_UP_OHMS, SERIES_OHMS, TIME_CONSTANT
from docs.drawings.glare import CAMERA_HEIGHT, LAMP_HEIGHT, halves, mirror_at, safe_from
from docs.drawings.lenses import CAMERA_HEIGHTS, LENSES, MODULE_3, READABLE_WIDTHS, WELL_READ_WIDTH, CameraLens
from docs.drawings.mast import (
    ARM_LENGTH,
    BATTEN_LENGTH,
    BATTENS,
    CABLE,
    CABLE_LENGTH,
    HEAD_HEIGHT,
    NETWORK_WIRES,
    PANEL_CABLE,
    PANEL_CABLE_LENGTH,
    PANEL_WIRES,
    SUPPLY,
    SUPPLY_LENGTH,
)
from docs.drawings.plan import PLAYER, SEAT_PLACES, TABLE_LENGTH, lamp_places
from docs.drawings.svg import Drawing, number
from docs.drawings.wiring import (
    ALL_MOST,
    COLOUR_OHMS,
    COLOURED,
    EXTRAS,
    LAMP_OHMS,
    LED_VOLTS,
    PIN_MOST,
    PIN_VOLTS,
    SAFE_LAMP,
    current,
    extra_uses,
    lamp_current,
    panel_uses,
)
from hardware.panel.debounce import CLOSE_TIME
from hardware.panel.header import GROUNDS, HEADER, pin_of
from hardware.panel.wiring import I2C_PINS, SEATS, Wiring

REPOSITORY = Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"
LETTER = 0.52
"""How wide a letter of DejaVu Sans is in a sentence, of its size."""


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
        at, letters = float(text.get("x", -1)), len(text.text or "") * float(text.get("font-size", 0)) * LETTER
        left = at - {"start": 0.0, "middle": 0.5, "end": 1.0}[text.get("text-anchor", "start")] * letters
        assert text.get("transform") or (left >= 0 and left + letters <= width), text.text
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


def allowed_panels() -> list[Wiring]:
    """What the configuration allows, as far as it takes current: every number of seats, either kind of lamps."""
    singles = [Wiring(seats=COLOURED.seats[:n]) for n in range(SEATS + 1)]
    coloured = [Wiring(coloured=COLOURED.coloured[:n]) for n in range(SEATS + 1)]
    return [
        replace(wiring, status=status, buzzer=buzzer)
        for wiring in (*singles, *coloured)
        for status in (None, 18)
        for buzzer in (None, 11)
    ]


def test_no_panel_that_the_configuration_allows_takes_more_than_a_pi_gives() -> None:
    currents = [current(wiring) for wiring in allowed_panels()]
    assert max(currents) == current(COLOURED) <= ALL_MOST
    assert min(currents) > 0


def test_current_counts_each_lamp_once_by_its_forward_voltage() -> None:
    assert current(Wiring()) == pytest.approx(8 * 1000 * (3.3 - 1.6) / 680)
    rgb = 1000 * ((3.3 - 1.6) / 820 + 2 * (3.3 - 2.5) / 390)
    assert current(COLOURED) == pytest.approx(3 * 1000 * (3.3 - 1.6) / 680 + 6 * rgb + 1)
    assert current(COLOURED, LED_VOLTS) < current(COLOURED)


def test_no_lamp_takes_more_than_a_pin_gives_or_too_little_to_be_seen() -> None:
    assert max(lamp_current(name, ohms) for name, ohms in (*COLOUR_OHMS.items(), ("red", LAMP_OHMS))) <= PIN_MOST
    assert min(lamp_current(name, ohms, LED_VOLTS) for name, ohms in COLOUR_OHMS.items()) > 0.5


def test_every_drawn_lamp_has_the_resistor_that_is_counted() -> None:
    for use in panel_uses(COLOURED):
        colour = use.says.rpartition(", ")[2]
        assert use.ohms == COLOUR_OHMS.get(colour, LAMP_OHMS)


def test_four_matrices_are_not_drawn_on_the_pis_own_5_volts() -> None:
    assert EXTRAS.display.modules == 4
    assert not {2, 4} & {use.pin for use in extra_uses(EXTRAS)}


def test_the_lamp_that_says_when_the_plug_may_be_pulled_has_a_free_pin() -> None:
    assert pin_of(SAFE_LAMP) not in {use.pin for use in (*panel_uses(Wiring()), *extra_uses(EXTRAS))}
    text = (REPOSITORY / "docs" / "reference" / "wiring.md").read_text(encoding="utf-8")
    assert f"gpio-poweroff,gpiopin={SAFE_LAMP}" in text


def test_a_filter_stops_glitches_and_delays_no_press() -> None:
    assert 20 * 20e-6 < TIME_CONSTANT < CLOSE_TIME


def test_a_button_on_a_wrong_pin_kills_nothing() -> None:
    """A pin that gives 3.3 V is then joined to ground through the resistor; a wire at 5 V meets a pin at 3.3."""
    assert 1000 * PIN_VOLTS / SERIES_OHMS < PIN_MOST
    assert 1000 * (5 - PIN_VOLTS) / SERIES_OHMS < PIN_MOST
    assert SERIES_OHMS < PULL_UP_OHMS


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
def test_a_lamp_at_its_least_distance_is_mirrored_outside_the_table(lamp: float, half: float, height: float) -> None:
    least = safe_from(lamp, half, height, tilt=0)
    assert mirror_at((least, lamp), height) >= half - 1e-9
    assert mirror_at((least, lamp - 1.6), height - 1.6) >= half - 1e-9, "in the tops of dice"
    assert safe_from(lamp, half, height) > least, "a tilted die wants more"


@given(half=st.floats(10, 100), height=st.floats(40, 120), lamp=st.floats(5, 200), along=st.floats(-1, 1))
def test_the_mirror_image_is_where_the_angles_are_equal(half: float, height: float, lamp: float, along: float) -> None:
    x = half * along
    at = mirror_at((x, lamp), height)
    assert math.atan2(at, height) == pytest.approx(math.atan2(x - at, lamp), abs=1e-9)


def test_the_mast_stands_outside_what_the_camera_sees() -> None:
    _, half = halves(CAMERA_HEIGHT)
    assert half < ARM_LENGTH
    assert mirror_at((safe_from(LAMP_HEIGHT, half, CAMERA_HEIGHT), LAMP_HEIGHT), CAMERA_HEIGHT) > half


# The mast


def test_everything_is_long_enough_with_some_to_spare() -> None:
    assert sum(CABLE.values()) <= 0.85 * CABLE_LENGTH
    assert sum(SUPPLY.values()) <= SUPPLY_LENGTH - 5
    assert all(sum(pieces.values()) <= BATTEN_LENGTH - 3 for pieces in BATTENS)
    assert PANEL_CABLE <= 0.85 * PANEL_CABLE_LENGTH
    assert all(length > 0 for way in (CABLE, SUPPLY, *BATTENS) for length in way.values())


def test_the_wires_to_the_panel_are_counted_and_fit_into_two_cables() -> None:
    assert PANEL_WIRES == len({use.pin for use in panel_uses(Wiring())}) + 1 == 11
    assert PANEL_WIRES <= 2 * NETWORK_WIRES


def test_seats_go_clockwise_round_the_table_and_nobody_sits_on_another_or_on_the_mast() -> None:
    angles = [math.atan2(-x, -y) for x, y in SEAT_PLACES]
    turns = [(after - before) % math.tau for before, after in itertools.pairwise([*angles, angles[0]])]
    assert sum(turns) == pytest.approx(math.tau)
    for one, other in itertools.combinations((*SEAT_PLACES, (0.0, -ARM_LENGTH)), 2):
        assert math.dist(one, other) > 2 * PLAYER - 5
    assert all(abs(x) > TABLE_LENGTH / 2 or abs(y) > 45 for x, y in SEAT_PLACES)


def test_the_lamps_light_the_picture_past_every_head_and_are_mirrored_nowhere_in_it() -> None:
    wide, half = halves(CAMERA_HEIGHT)
    for lamp in lamp_places():
        assert abs(lamp[1]) - 5 >= safe_from(LAMP_HEIGHT, half, CAMERA_HEIGHT)
        assert all(math.dist(lamp, seat) > 40 for seat in SEAT_PLACES)
        for x, y in itertools.product((-wide, 0, wide), (-half, 0, half)):
            for share in (n / 200 for n in range(200)):
                at = lamp[0] + share * (x - lamp[0]), lamp[1] + share * (y - lamp[1])
                if (1 - share) * LAMP_HEIGHT < HEAD_HEIGHT:
                    assert all(math.dist(at, seat) > 10 for seat in SEAT_PLACES)


# The pages of what is built


PAGES: Final = (
    "how-to/build.md",
    "how-to/webcam-on-a-stand.md",
    *(f"reference/{name}.md" for name in ("wiring", "cameras", "light")),
)
TEXT: Final = "\n".join((REPOSITORY / "docs" / page).read_text(encoding="utf-8") for page in PAGES)


def panels() -> list[PanelConfig]:
    """What the configurations in the text make of a panel with optional parts."""
    found = (parse(text).panel for text in re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL))
    return [panel for panel in found if panel.status is not None]


def test_the_pins_in_the_text_are_those_of_the_drawings() -> None:
    extras, coloured = panels()
    assert (extras.status, extras.buzzer, extras.dial) == (EXTRAS.status, EXTRAS.buzzer, EXTRAS.dial)
    assert extras.display == EXTRAS.display.kind
    assert coloured.wiring.coloured == COLOURED.coloured
    assert (coloured.status, coloured.buzzer) == (COLOURED.status, COLOURED.buzzer)


def test_the_text_says_the_numbers_that_are_drawn() -> None:
    text = " ".join(TEXT.split())
    wide, deep = (2 * half for half in halves(CAMERA_HEIGHT))
    assert f"**Camera Module 3 at {CAMERA_HEIGHT:.0f} cm**" in text
    assert f"{wide:.0f} x {deep:.0f} cm of table, {MODULE_3.die(CAMERA_HEIGHT):.0f} pixels a die" in text
    away, beside = (safe_from(lamp, deep / 2, CAMERA_HEIGHT) for lamp in (LAMP_HEIGHT, CAMERA_HEIGHT))
    assert f"at {LAMP_HEIGHT:.0f} cm over the table that is {away:.0f} cm or more" in text
    assert f"at its height only {beside:.0f} cm away are enough" in text
    webcam = CameraLens("", 70, "imx708", 1920)
    assert f"70° or less across: {webcam.die(CAMERA_HEIGHT, 1920):.0f} pixels a die from {CAMERA_HEIGHT:.0f} cm" in text
    assert "One of 78° hangs at 60 cm" in text
    assert replace(webcam, angle=78).die(60, 1920) > WELL_READ_WIDTH
    assert f"All lamps on take {current(Wiring()):.0f} mA" in text
    assert f"that is {current(COLOURED):.0f} of {ALL_MOST:.0f} mA" in text
    assert f"usually {current(COLOURED, LED_VOLTS):.0f} mA" in text
    first = sum(BATTENS[0].values())
    assert f"| mast | {first:.0f} of the first {BATTEN_LENGTH:.0f} cm |" in text
    assert f"| arm | {BATTENS[1]['arm']:.0f} of the second {BATTEN_LENGTH:.0f} cm |" in text
    assert f"| brace | {BATTENS[1]['brace']:.0f} cm of the rest" in text
    assert f"takes {sum(CABLE.values()):.0f} of its {CABLE_LENGTH:.0f} cm" in text
    assert f"it takes {sum(SUPPLY.values()):.0f} cm to a socket" in text
    assert f"{PANEL_CABLE:.0f} of the {PANEL_CABLE_LENGTH:.0f} cm of cable" in text
    assert f"take {len(panel_uses(COLOURED)) + len(extra_uses(COLOURED)) + 1}, with status lamp and buzzer" in text
    assert f"{LAMP_OHMS} ohms" in text
    assert f"{COLOUR_OHMS['red']} ohms for red, {COLOUR_OHMS['green']} for green and blue" in text
    assert f"{WELL_READ_WIDTH:.0f} pixels a die are read well, which is about 95 cm" in text
    assert MODULE_3.die(95) == pytest.approx(WELL_READ_WIDTH, abs=0.5)


@pytest.mark.parametrize("page", PAGES[:2])
def test_one_sitting_reads_what_to_buy_and_every_step(page: str) -> None:
    text = (REPOSITORY / "docs" / page).read_text(encoding="utf-8")
    assert len(text.split()) <= 900
    steps = re.findall(r"^## (\d)\. ", text, re.MULTILINE)
    assert steps == [str(n) for n in range(1, len(steps) + 1)]
    assert text.index("## Order this") < text.index("## 1. ")


def test_every_command_of_the_text_exists() -> None:
    named = set(re.findall(r"\bperudo ([a-z][a-z-]+)", TEXT))
    assert named - set(CLI_COMMANDS) == set()
