"""The configuration: its values, which source wins, and that every mistake is reported with its line."""

from __future__ import annotations

import dataclasses
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.config import SECTIONS, Config, ConfigError, config_file, default_text, load, parse
from companion.config.parser import LARGEST_CONFIG, key_lines
from companion.engine import DEFAULT_RULESET, RULESETS, Raises
from companion.engine.rulebooks import RULE_FIELDS
from hardware.camera.settings import CameraSettings
from hardware.panel.wiring import Wiring

NO_TOML = "this cannot be read as TOML"


def mistakes(text: str, environ: dict[str, str] | None = None) -> list[str]:
    """Every mistake, as printed."""
    with pytest.raises(ConfigError) as caught:
        parse(text, environ or {}, "my.toml")
    return [str(mistake) for mistake in caught.value.mistakes]


# The file that is written


def test_the_file_written_by_init_has_the_defaults() -> None:
    assert parse(default_text()) == parse("") == Config()


def test_every_key_is_in_it_under_its_section_with_a_comment() -> None:
    sections = re.split(r"^\[(\w+)\]$", default_text(), flags=re.MULTILINE)[1:]
    blocks = dict(zip(sections[::2], sections[1::2], strict=True))
    assert list(blocks) == list(SECTIONS) == [field.name for field in dataclasses.fields(Config)]
    for section, keys in SECTIONS.items():
        assert re.findall(r"^(?:# )?(\w+) = ", blocks[section], re.MULTILINE) == list(keys)
        assert all(f"# {key.note.splitlines()[0]}\n" in blocks[section] for key in keys.values())


def test_the_commented_examples_are_valid() -> None:
    text = re.sub(r"^# (\w+ = )", r"\1", default_text(), flags=re.MULTILINE)
    config = parse(text)
    assert config.camera.source == "pi"
    assert config.house == DEFAULT_RULESET
    assert tuple(config.rules) == RULE_FIELDS


def test_defaults_are_those_of_the_parts_they_configure() -> None:
    config = Config()
    assert config.house == DEFAULT_RULESET
    assert config.panel.wiring == Wiring()
    assert config.camera.settings == CameraSettings()


# Values


def test_the_values_of_a_file_are_used() -> None:
    config = parse("""
        table.ruleset = "asmodee-it"    # a dotted key
        web = { host = "127.0.0.1", port = 0 }
        [camera]
        source = "folder:~/dice"
        [panel]
        use = false
        dudo = 12
        seats = [
            5,  # Ana
            6,
        ]
        [rules]
        raises = "any-face"
        calza_in_palifico = true
    """)
    assert (config.web.host, config.web.port, config.camera.source) == ("127.0.0.1", 0, "folder:~/dice")
    assert (config.panel.use, config.panel.dudo, config.panel.calza, config.panel.seats) == (False, 12, 27, (5, 6))
    assert config.house == dataclasses.replace(RULESETS["asmodee-it"], raises=Raises.ANY_FACE, calza_in_palifico=True)


def test_the_environment_wins_over_the_file() -> None:
    environ = {
        "PERUDO_TABLE_RULESET": "web-fr",
        "PERUDO_TABLE_CALZA": "false",
        "PERUDO_TABLE_PATIENCE": "2.5",
        "PERUDO_TABLE_LOST_DICE": "open",
        "PERUDO_WEB_PORT": "8080",
        "PERUDO_WEB_HOST": "",
        "PERUDO_ACCESS_CODE": "0271",
        "PERUDO_PANEL_SEATS": "5, 6",
        "PERUDO_CAMERA_STILL": "1640, 1232",
        "PERUDO_CAMERA_FOCUS": "0.8",
        "PERUDO_RULES_CUPS": "in-order",
        "PERUDO_RULES_CALZA_WITH_TWO": "false",
        "PERUDO_PHOTOS": "/somewhere",
        "PERUDO_WEBSITE_PORT": "of another program",
    }
    config = parse('[web]\nhost = "::1"\nport = 1\n[rules]\ncups = "together"\nraises = "one-of-two"', environ)
    assert (config.table.calza, config.table.patience, config.web.port, config.panel.seats) == (
        False,
        2.5,
        8080,
        (5, 6),
    )
    assert config.access.code == "0271"
    assert (config.camera.still, config.camera.focus) == ((1640, 1232), 0.8)
    assert config.web.host == "::1"  # an empty variable is none
    assert config.rules == {"cups": "in-order", "raises": "one-of-two", "calza_with_two": False}
    assert config.house.id == "web-fr"


# Mistakes


def test_all_mistakes_are_reported_at_once_in_the_order_of_the_lines() -> None:
    lines = mistakes(
        """\
port = 80
[tabel]
calza = true
[table]
rulset = "web-fr"
ruleset = "monopoly"
calza = "yes"
[web]
port = 65536
[rules]
raises = "any"
ruleset = "web-fr"
""",
        {"PERUDO_WEB_PORT": "many", "PERUDO_WEB_HOTS": "x"},
    )
    assert lines == [
        "my.toml, line 1: 'port' stands before the first section; it belongs under [web].",
        "my.toml, line 2: there is no section 'tabel'; is [table] meant?",
        "my.toml, line 5: there is no key 'rulset' in [table]; is ruleset meant?",
        f"my.toml, line 6: there is no ruleset 'monopoly'; the rulesets are {', '.join(RULESETS)}.",
        "my.toml, line 7: calza is true or false, not 'yes'.",
        "my.toml, line 9: port is a whole number from 0 to 65535, not 65536.",
        "my.toml, line 11: the rule raises is one of one-of-two, any-face, higher-face, not 'any'.",
        "my.toml, line 12: the rulebook is named by ruleset in [table]; [rules] says only what is changed in it.",
        "$PERUDO_WEB_HOTS: there is no key 'hots' in [web]; is host meant?",
        "$PERUDO_WEB_PORT: port is a whole number from 0 to 65535, not 'many'.",
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("table.patience = -1", "patience is a number of seconds, none or more, not -1."),
        ("table.patience = nan", "not nan."),
        ("table.patience = true", "not true."),
        ('table.lost_dice = "shut"', 'lost_dice is "open" or "hidden", not \'shut\'.'),
        ("table.ruleset = 3", "there is no ruleset 3;"),
        ("table.pictures = -1", "pictures is a whole number of megabytes from 0 to 1000000, not -1."),
        ("table.pictures = true", "not true."),
        ("table.calza = 1", "calza is true or false, not 1."),
        ('table.raises = "any-face"', "there is no key 'raises' in [table]; it belongs under [rules]."),
        ("table = 3", "table is a section, as in [table], and has no value."),
        ("[[table]]", "table is a section, as in [table], and has no value."),
        ("web.port = true", "port is a whole number from 0 to 65535, not true."),
        ('web.port = "80"', "not '80'."),
        ("web.port = 80.0", "not 80.0."),
        ('web.host = ""', "host is an address in quotation marks"),
        ("access.code = 1234", 'code is "random", or four digits in quotation marks, as "0271", not 1234.'),
        ('access.code = "12345"', "four digits in quotation marks"),
        ('camera.source = "kinect"', "'kinect' names no camera. It can be pi, pi:NUMBER"),
        ("camera.source = 0", "source is the name of a camera in quotation marks, not 0."),
        ('camera.still = "large"', "still is a width and a height in pixels, as [2304, 1296], not 'large'."),
        ("camera.still = [64, 48]", "still has a width and a height from 240 to 9152 pixels, not [64, 48]."),
        ("camera.preview = 64", "preview is a whole number of pixels from 320 to 1280, not 64."),
        ("camera.mains = 110", "mains is 50 or 60, not 110."),
        ("camera.focus = 0", "focus is a number of metres from 0.05 to 10, not 0."),
        ("panel.dudo = 1", "dudo is a GPIO number (BCM) from 2 to 27, not 1."),
        ("panel.seats = [5, 28]", "seats holds GPIO numbers (BCM) from 2 to 27, not 28."),
        ("panel.seats = [5, 6, 7, 8, 9, 10, 11, 12, 13]", "seats is a list of at most 8 GPIO numbers"),
        ("panel.calza = 17", "GPIO 17 cannot be both dudo and calza."),
        ("panel.dudo = 21", "GPIO 21 cannot be both dudo and seats."),
        ("panel.seats = [5, 5]", "GPIO 5 cannot be two of seats."),
        ("panel.seats_rgb = [2, 3]", "seats_rgb is a list of three GPIO numbers a seat"),
        ("panel.seats_rgb = [2, 3, 99]", "seats_rgb holds GPIO numbers (BCM) from 2 to 27, not 99."),
        ("panel.seats_rgb = [2, 3, 17]", "GPIO 17 cannot be both dudo and seats_rgb."),
        ("panel.status = 5", "GPIO 5 cannot be both seats and status."),
        ("panel.status = 0", "status is a GPIO number (BCM) from 2 to 27, not 0."),
        ("panel.dudo_keys = 'KEY_B'", "dudo_keys is a list of keys in quotation marks, not 'KEY_B'."),
        (
            "panel.dudo_keys = ['B on x']",
            """dudo_keys holds keys with their devices, as "KEY_ENTER on usb-ABC_Button-event-kbd", not 'B on x'.""",
        ),
        ("panel.input = 'ir'", """input is "gpio" or "usb", not 'ir'."""),
        (
            "panel = {dudo_keys = ['KEY_B on x'], calza_keys = ['KEY_C on x', 'KEY_B on x']}",
            "KEY_B on x cannot be both dudo_keys and calza_keys.",
        ),
        ("panel.buzzer = 23", "GPIO 23 cannot be both dudo_lamp and buzzer."),
        ("panel.dial = [20, 16]", "dial is a list of three GPIO numbers: contact A, contact B and the push"),
        ("panel.dial = [20, 20, 12]", "GPIO 20 cannot be two of dial."),
        ("panel.dial = [20, 16, 27]", "GPIO 27 cannot be both calza and dial."),
        ('panel.display = "lcd"', 'display is "none", "max7219", "ssd1306" or "sh1106", not \'lcd\'.'),
        ("panel.display_modules = 0", "display_modules is a whole number from 1 to 16, not 0."),
        ("panel.display_turn = 45", "display_turn is 0, 90, -90 or 180, not 45."),
        ("panel.display_turn = false", "not false."),
        ("panel.display_address = 4", "display_address is a whole number from 8 to 119, not 4."),
        ("rules.title = 'mine'", "there is no key 'title' in [rules]; its keys are first_starter, raises, "),
        ("rules.palifico_again = 'no'", "the rule palifico_again is true or false, not 'no'."),
        ("rules.x.y = 1", "there is no key 'x' in [rules]"),
        ("web.port = " + repr("x" * 500), "..."),
        ("calza = false", "it belongs under [table] or [panel]."),
        ("everything = 1", "there is no section 'everything'; the sections are [table], [web], "),
    ],
)
def test_a_wrong_value_is_reported_with_its_line_and_the_reason(line: str, reason: str) -> None:
    (mistake,) = mistakes(f"\n# a comment\n{line}\n")
    assert mistake.startswith("my.toml, line 3: ")
    assert reason in mistake
    assert len(mistake) < 500


@pytest.mark.parametrize(("display", "pins"), [("max7219", (7, 8, 9, 10, 11)), ("ssd1306", (2, 3)), ("sh1106", (2, 3))])
def test_a_display_occupies_all_the_pins_of_its_port(display: str, pins: tuple[int, ...]) -> None:
    for pin in pins:
        (mistake,) = mistakes(f'[panel]\ndisplay = "{display}"\nstatus = {pin}')
        assert mistake == f"my.toml, line 2: GPIO {pin} cannot be both status and display."


def test_lamps_of_three_colours_replace_the_plain_ones_and_their_pins() -> None:
    panel = parse("[panel]\nseats_rgb = [5, 6, 13, 19, 26, 21]").panel
    assert panel.wiring.coloured == ((5, 6, 13), (19, 26, 21))


def test_names_of_the_page_are_as_a_browser_asks_by_them() -> None:
    assert parse('[web]\nnames = ["Perudo.Example.org", "dés.example", "box"]', {}).web.names == (
        "perudo.example.org",
        "xn--ds-bja.example",
        "box",
    )
    assert parse("", {"PERUDO_WEB_NAMES": "a.example, b.example"}).web.names == ("a.example", "b.example")
    for wrong in ('"http://perudo.example.org"', '"perudo.example.org:8000"', '"*.example.org"', '""', '"a..b"', "5"):
        assert mistakes(f"[web]\nnames = [{wrong}]") == [
            'my.toml, line 2: names holds names without http:// and without a port, as "perudo.example.org", '
            f"not {wrong.replace(chr(34), chr(39))}."
        ]
    assert mistakes('[web]\nnames = "box"') == [
        "my.toml, line 2: names is a list of names in quotation marks, not 'box'."
    ]


def test_a_part_without_a_default_can_be_given_by_the_environment() -> None:
    panel = parse("", {"PERUDO_PANEL_STATUS": "25", "PERUDO_PANEL_DIAL": "20,16,12"}).panel
    assert (panel.status, panel.dial) == (25, (20, 16, 12))
    (mistake,) = mistakes("", {"PERUDO_PANEL_STATUS": "red"})
    assert mistake == "$PERUDO_PANEL_STATUS: status is a GPIO number (BCM) from 2 to 27, not 'red'."


def test_a_refused_pin_is_not_reported_as_a_collision_too() -> None:
    (mistake,) = mistakes("[panel]\ndudo = 99\ncalza = 17")
    assert "line 2" in mistake


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("[web]\nhost = 0.0.0.0", 2, "cannot be read as TOML"),
        ("[web]\nhost = any", 2, "Text stands between quotation marks"),
        ("[web\n", 1, "cannot be read as TOML"),
        ('[web]\nhost = """x\n\n', 2, "unterminated string"),
        ("[web]\r\nport\r\n", 2, "expected '='"),
    ],
)
def test_a_toml_error_is_reported_with_its_line(text: str, line: int, reason: str) -> None:
    (mistake,) = mistakes(text)
    assert mistake.startswith(f"my.toml, line {line}: ")
    assert reason in mistake


@pytest.mark.parametrize("text", ["x = " + "[" * 9000, "x = " + "1" * 9000], ids=["brackets", "digits"])
def test_an_overlong_text_is_reported(text: str) -> None:
    assert "cannot" in mistakes(text)[0] or "too" in mistakes(text)[0]


@given(st.text(alphabet="[]{}=.,#'\"\n\r aw1tb\\\ufeff\x00", max_size=60))
def test_any_text_is_a_configuration_or_has_mistakes(text: str) -> None:
    read: object = None
    try:
        read = parse(text)
    except ConfigError as error:
        read = error.mistakes
    assert read == Config() or read
    if isinstance(read, tuple):
        assert all(mistake.line is None or 1 <= mistake.line <= text.count("\n") + 1 for mistake in read)


def test_line_numbers_are_those_of_keys_and_not_of_lookalikes() -> None:
    text = """\
# port = 1
"quoted key" = \'\'\'
port = 2
[web]
\'\'\'
[web]   # a section
host = "[table]"
a . b = [
  "port = 3", # x
]
port = 4
[[list]]
port = 5
[web.deep]
x = { y = 1, z = 2 }"""
    assert key_lines(text) == {
        ("quoted key",): 2,
        ("web",): 6,
        ("web", "host"): 7,
        ("web", "a"): 8,
        ("web", "a", "b"): 8,
        ("web", "port"): 11,
        ("list",): 12,
        ("list", "port"): 13,
        ("web", "deep"): 14,
        ("web", "deep", "x"): 15,
        ("web", "deep", "x", "y"): 15,
        ("web", "deep", "x", "z"): 15,
    }


# Which file


def test_the_named_file_wins_over_the_one_in_the_environment(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("web.port = 1")
    (tmp_path / "b").write_text("web.port = 2")
    environ = {"PERUDO_CONFIG": str(tmp_path / "b")}
    assert load(tmp_path / "a", environ).web.port == 1
    assert load(None, environ).web.port == 2
    assert load(None, {**environ, "PERUDO_WEB_PORT": "3"}).web.port == 3


def test_the_users_own_file_may_be_absent_and_a_named_one_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert config_file({}) == tmp_path / "perudo" / "perudo.toml"
    assert load(None, {}) == Config()
    with pytest.raises(ConfigError, match="there is no such file"):
        load(tmp_path / "nothing", {})
    with pytest.raises(ConfigError, match="there is no such file"):
        load(None, {"PERUDO_CONFIG": str(tmp_path / "nothing")})
    config_file({}).parent.mkdir()
    config_file({}).write_text("web.port = 4")
    assert load(None, {}).web.port == 4


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"a = 1\n\xff", "line 2: this is not UTF-8"), (b"#" * 100_000, "larger than"), (None, "cannot be read")],
    ids=["not UTF-8", "too large", "a folder"],
)
def test_a_file_that_cannot_be_read_is_reported(tmp_path: Path, content: bytes | None, reason: str) -> None:
    path = tmp_path / "perudo.toml"
    path.mkdir() if content is None else path.write_bytes(content)
    with pytest.raises(ConfigError, match=reason):
        load(path, {})


def test_files_of_other_editors_are_read(tmp_path: Path) -> None:
    (tmp_path / "windows").write_bytes(b"\xef\xbb\xbf[web]\r\nport = 9\r\n")
    assert load(tmp_path / "windows", {}).web.port == 9


@pytest.mark.parametrize(
    ("text", "environ", "lines"),
    [
        ("[web]\nport = 1\nport = 2", {}, [f"my.toml, line 3: {NO_TOML}: this key has a value already, further up."]),
        ("[web]\nport = 1\n[web]", {}, [f"my.toml, line 3: {NO_TOML}: this section is there already, further up."]),
        ("[WEB]\nport = 1", {}, ["my.toml, line 1: there is no section 'WEB'; is [web] meant?"]),
        ("[web]\nPort = 1", {}, ["my.toml, line 2: there is no key 'Port' in [web]; is port meant?"]),
        (
            "",
            {"PERUDO_CAMRA_SOURCE": "pi", "PERUDO_WEB": "x", "PERUDO_CAMERON_X": "of another program"},
            [
                "$PERUDO_CAMRA_SOURCE: there is no such key; is PERUDO_CAMERA_SOURCE meant?",
                "$PERUDO_WEB: it names no key of [web], as PERUDO_WEB_HOST does.",
            ],
        ),
    ],
    ids=["a key twice", "a section twice", "a section in capitals", "a key in capitals", "a misspelt variable"],
)
def test_a_slip_is_told_in_plain_words(text: str, environ: dict[str, str], lines: list[str]) -> None:
    assert mistakes(text, environ) == lines


def test_no_library_is_imported_so_that_the_doctor_can_read_it_where_one_is_broken() -> None:
    program = (
        "import sys, companion.config; companion.config.parse(companion.config.default_text()); "
        "print([name for name in ('click', 'cv2', 'flask', 'gpiozero', 'msgspec', 'numpy') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"


@pytest.mark.parametrize(
    ("lines", "port"), [("", 8443), ("port = 80", 443), ("port = 0", 0), ("port = 80\nhttps_port = 9443", 9443)]
)
def test_https_has_a_port_that_suits_that_of_http(lines: str, port: int) -> None:
    assert parse(f"[web]\n{lines}\n", {}).web.secure_port == port


@pytest.mark.parametrize(
    "text",
    [
        "a" + ".a" * 16_000 + " = 1\n",
        "[access]\ncode = [\n" + "[1],\n" * 6000 + "]\n",
        "a.b.c.d.e" + ".f" * 400 + " = 1\n",
        "#" * (LARGEST_CONFIG + 1),
    ],
    ids=["dots", "lists", "deep", "large"],
)
def test_no_text_takes_long_or_more_than_a_file_may(text: str) -> None:
    with pytest.raises(ConfigError):
        parse(text)
