"""`perudo panel`: the test of a newly soldered panel, on mock pins, and the drawing of a virtual one."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from evdev import ecodes

from companion.cli import main
from companion.config import load, parse
from companion.panel.learned_keys import learn_keys
from companion.panel.phase_sheet import Scene, scenes, sheet
from companion.panel.walk import PanelWalk
from companion.table.game.table_position import Phase
from hardware.panel.lamp_patterns import LampPattern
from hardware.panel.panel import PanelError
from hardware.panel.wiring import DIAL, DisplayWiring, Wiring
from hardware.virtual.panel_svg import draw, panel_view
from hardware.virtual.virtual_panel import VirtualPanel
from tests.fakes.input_devices import FakeInputDevice, FakeInputFolder

DRAWN = Path(__file__).resolve().parents[3] / "docs" / "panel.svg"
ALL = Wiring(status=25, buzzer=18, dial=(20, 16, 12), display=DisplayWiring("sh1106"))


def perudo(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["panel", *map(str, arguments)])


# The drawing


@pytest.fixture(scope="module")
def drawings() -> list[Scene]:
    return scenes()


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_every_phase_has_a_drawing(drawings: list[Scene]) -> None:
    assert list(dict.fromkeys(scene.phase for scene in drawings)) == list(Phase)


def test_the_drawing_in_the_documentation_is_what_the_program_draws(drawings: list[Scene]) -> None:
    assert DRAWN.read_text(encoding="utf-8") == sheet(drawings)


def test_a_drawing_shows_the_lamps_and_the_display(drawings: list[Scene]) -> None:
    bidding = next(scene for scene in drawings if scene.phase is Phase.BIDDING)
    assert bidding.shown.lit["dudo"] == bidding.shown.lit["calza"] == 1
    shining = [name for name, light in bidding.shown.lit.items() if name.startswith("seat") and any(light)]
    assert shining == ["seat3"]  # Dora is on turn
    lines = texts(draw(bidding.shown, bidding.names, "bidding", "a bid stands"))
    assert {"5 x 4  Cid", "Dora?", "DUDO", "CALZA", "Ana", "Dora", "status", "bidding"} <= set(lines)


def test_a_void_round_is_drawn(drawings: list[Scene]) -> None:
    (void,) = [scene for scene in drawings if "void" in scene.note]
    assert void.phase is Phase.BIDDING
    assert {"round void", "Ana opens"} <= set(texts(draw(void.shown, void.names, "bidding", void.note)))


def test_a_pressed_button_is_drawn_pressed_and_names_are_escaped() -> None:
    panel = VirtualPanel(ALL, clock=lambda: 0.0)
    panel.show({"seat0": LampPattern.BLINK, "status": LampPattern.PULSE})
    panel.display.show(["<b>&"])
    up = draw(panel_view(panel), ["<Ana>"])
    panel.press("calza")
    down = draw(panel_view(panel), ["<Ana>"])
    panel.release("calza")
    panel.close()
    assert up != down
    assert {"<Ana>", "<b>&"} <= set(texts(up))


def test_the_smallest_panel_is_drawn_too() -> None:
    panel = VirtualPanel(Wiring(seats=()), clock=lambda: 0.0)
    lines = texts(draw(panel_view(panel)))
    panel.close()
    assert lines == ["DUDO", "CALZA"]


def test_the_command_draws_all_phases_or_one(tmp_path: Path) -> None:
    assert perudo("--draw", tmp_path / "all.svg").exit_code == 0
    assert (tmp_path / "all.svg").read_text(encoding="utf-8") == DRAWN.read_text(encoding="utf-8")
    assert perudo("--draw", tmp_path / "one.svg", "--phase", "verdict").output == f"{tmp_path / 'one.svg'}\n"
    assert "verdict" in texts((tmp_path / "one.svg").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "one of the three"),
        (["--test", "--draw", "x.svg"], "one of the three"),
        (["--test", "--learn"], "one of the three"),
        (["--test", "--phase", "over"], "--phase goes with --draw"),
        (["--draw", "x.svg", "--phase", "noon"], "it is one of seating, rolling"),
        (["--draw", "x.png"], "ends in .svg"),
        (["--draw", "/nowhere/x.svg"], "cannot be written"),
    ],
)
def test_impossible_arguments_are_refused(arguments: list[str], words: str) -> None:
    result = perudo(*arguments)
    assert result.exit_code != 0
    assert words in result.output.replace("\n", " ")


# The walk


Finger = Callable[[VirtualPanel, str], None]


def walked(
    finger: Finger, wiring: Wiring = ALL, patience: float = 20.0
) -> tuple[list[str], tuple[str, ...], list[set[str]]]:
    """The lines, the faults, and the lamps lit at each line. `finger` is called with every line; `patience` is short
    where no press is expected."""
    panel = VirtualPanel(wiring)
    lines: list[str] = []
    lit: list[set[str]] = []

    def say(line: str) -> None:
        lines.append(line)
        finger(panel, line)

    def wait(_: float) -> None:
        lit.append({name for name, pattern in panel.patterns().items() if pattern is not LampPattern.OFF})

    try:
        faults = PanelWalk(panel, say, wait, patience).go()
    finally:
        panel.close()
    return lines, faults, lit


def obedient(panel: VirtualPanel, line: str) -> None:
    match line:
        case "Press DUDO." | "Press CALZA.":
            panel.press(line.split()[1].strip(".").lower())
        case "Turn the dial clockwise.":
            panel.turn(1)
        case "Push the dial.":
            panel.press(DIAL)
            panel.release(DIAL)


def test_every_lamp_is_lit_and_every_button_is_asked_for() -> None:
    lines, faults, lit = walked(obedient)
    assert faults == ()
    assert lines[0] == "The lamp in DUDO (GPIO 23, pin 16) is lit."
    assert [next(iter(each)) for each in lit if each][:3] == ["dudo", "calza", "status"]
    assert {f"seat{n}" for n in range(6)} <= set().union(*lit)
    assert "The buzzer (GPIO 18, pin 12) plays." in lines
    assert "The display says: perudo 123." in lines
    assert lines[-8:] == [
        "Press DUDO.",
        "  Felt at GPIO 17, pin 11.",
        "Press CALZA.",
        "  Felt at GPIO 27, pin 13.",
        "Turn the dial clockwise.",
        "  Felt.",
        "Push the dial.",
        "  Felt at GPIO 12, pin 32.",
    ]


def test_a_dial_turned_further_than_asked_is_no_fault() -> None:
    def eager(panel: VirtualPanel, line: str) -> None:
        if line == "Push the dial.":
            panel.turn(2)  # the hand is still turning
        obedient(panel, line)

    lines, faults, _ = walked(eager)
    assert faults == ()
    assert lines[-1] == "  Felt at GPIO 12, pin 32."


def test_a_button_that_does_not_answer_is_reported_with_its_pin() -> None:
    lines, faults, _ = walked(lambda panel, line: None, patience=0.02)
    assert faults == ("dudo", "calza", DIAL)
    assert "  Nothing was felt at GPIO 17, pin 11. Does the button close that pin to ground?" in lines


def test_swapped_wires_are_noticed() -> None:
    def crossed(panel: VirtualPanel, line: str) -> None:
        match line:
            case "Press DUDO.":
                panel.press("calza")
            case "Turn the dial clockwise.":
                panel.turn(-1)

    lines, faults, _ = walked(crossed, patience=0.2)
    assert "  That was CALZA: the wires of two parts are exchanged." in lines
    assert "  It turned the other way: exchange the first two pins of dial in [panel]." in lines
    assert set(faults) == {"dudo", "calza", DIAL}


def test_a_lamp_of_three_colours_shows_them_one_by_one() -> None:
    lines, _, _ = walked(obedient, Wiring(coloured=((5, 6, 13),)))
    assert [line for line in lines if "seat" in line] == [
        "The lamp of seat 1 is red (GPIO 5, pin 29).",
        "The lamp of seat 1 is green (GPIO 6, pin 31).",
        "The lamp of seat 1 is blue (GPIO 13, pin 33).",
    ]


def test_the_exit_status_is_the_result_of_the_walk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr("hardware.panel.panel.Panel", VirtualPanel)
    monkeypatch.setattr("companion.panel.walk.LIGHT_TIME", 0)
    monkeypatch.setattr(PanelWalk.__init__, "__defaults__", (0.05,))
    result = perudo("--test")
    assert (result.exit_code, result.output.splitlines()[-1]) == (1, "Not as it should be: dudo, calza.")


def test_without_pins_the_walk_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))

    def none(wiring: object) -> None:
        raise PanelError("There are no pins here.")

    monkeypatch.setattr("hardware.panel.panel.Panel", none)
    result = perudo("--test")
    assert (result.exit_code, result.output) == (2, "perudo: There are no pins here.\n")


# Wiring from the configuration


def test_the_wiring_is_what_the_configuration_says() -> None:
    assert parse("").panel.wiring == Wiring()
    config = parse("""
        [panel]
        seats_rgb = [5, 6, 13, 19, 26, 21]
        common_anode = true
        status = 25
        buzzer = 18
        buzzer_tones = false
        dial = [20, 16, 12]
        display = "max7219"
        display_modules = 8
        display_turn = 0
    """)
    assert config.panel.wiring == Wiring(
        coloured=((5, 6, 13), (19, 26, 21)),
        anode=True,
        status=25,
        buzzer=18,
        tones=False,
        dial=(20, 16, 12),
        display=DisplayWiring("max7219", modules=8, turn=0),
    )


# Keys in place of pins


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeInputFolder:
    folder = FakeInputFolder(tmp_path / "input")
    monkeypatch.setattr("hardware.panel.input_devices.INPUT_FOLDER", folder.path)
    monkeypatch.setattr("evdev.InputDevice", folder.open)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return folder


@pytest.fixture
def pressed(folder: FakeInputFolder, monkeypatch: pytest.MonkeyPatch) -> FakeInputDevice:
    """A button whose key B is pressed for DUDO and C for CALZA, whenever one is asked for."""
    button = folder.plug(FakeInputDevice(), serial="usb-ABC-event-kbd")
    echo = click.echo

    def heard(line: str, **how: bool) -> None:
        echo(line, **how)
        if line.startswith("Press"):
            code = ecodes.KEY_B if "DUDO" in line else ecodes.KEY_C
            button.press(code)
            button.release(code)

    monkeypatch.setattr("click.echo", heard)
    return button


def test_keys_are_learned_into_the_configuration_and_its_rights_stay(pressed: FakeInputDevice, tmp_path: Path) -> None:
    file = tmp_path / "perudo.toml"
    file.write_text("# mine\n[panel]\nstatus = 25\n")
    file.chmod(0o660)
    result = perudo("--learn", "--config", file)
    assert result.exit_code == 0, result.output
    assert "DUDO is KEY_B on usb-ABC-event-kbd." in result.output.splitlines()
    panel = load(file, {}).panel
    assert {name: list(map(str, keys)) for name, keys in panel.keys.items()} == {
        "dudo": ["KEY_B on usb-ABC-event-kbd"],
        "calza": ["KEY_C on usb-ABC-event-kbd"],
    }
    assert (panel.input, panel.status, file.read_text().splitlines()[0]) == ("usb", 25, "# mine")
    assert file.stat().st_mode & 0o777 == 0o660
    assert pressed.closed


def test_a_panel_without_keys_learns_them_and_is_tested(pressed: FakeInputDevice, folder: FakeInputFolder) -> None:
    file = folder.path / "perudo.toml"
    file.write_text('[panel]\ninput = "usb"\n')
    result = perudo("--test", "--config", file)
    assert (result.exit_code, result.output.splitlines()[-1]) == (0, "Every button was felt.")
    assert perudo("--test", "--config", file).output.splitlines() == [
        "Press DUDO.",
        "  Felt at KEY_B on usb-ABC-event-kbd.",
        "Press CALZA.",
        "  Felt at KEY_C on usb-ABC-event-kbd.",
        "Every button was felt.",
    ]


def test_where_nothing_is_pressed_nothing_is_written(
    folder: FakeInputFolder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(learn_keys, "__defaults__", (lambda: 0.0, 0.0))
    folder.plug(FakeInputDevice()).rival = True
    result = perudo("--learn")
    assert (result.exit_code, list(tmp_path.glob("perudo"))) == (1, [])
    assert "ABC Button: another program has taken it" in result.output
    assert "systemctl stop perudo" in result.output


def test_without_a_button_and_without_the_right_to_read_one_it_is_said_so(folder: FakeInputFolder) -> None:
    nothing = perudo("--learn")
    assert (nothing.exit_code, "There is no button or keyboard here." in nothing.output) == (2, True)
    folder.plug(FakeInputDevice())
    folder.shut.add(str(folder.path / "event0"))
    assert f"{folder.path}/event0: this user may not read them." in perudo("--learn").output


def test_a_file_that_is_written_in_another_way_is_left_alone_and_the_lines_are_printed(
    pressed: FakeInputDevice, tmp_path: Path
) -> None:
    file = tmp_path / "perudo.toml"
    file.write_text("panel.status = 25\n")
    result = perudo("--learn", "--config", file)
    assert (result.exit_code, file.read_text()) == (2, "panel.status = 25\n")
    assert 'input = "usb"\ndudo_keys = ["KEY_B on usb-ABC-event-kbd"]\n' in result.output
