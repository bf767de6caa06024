"""`perudo config`, and --config of the commands that take it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion import app
from companion.app import Setup
from companion.cli import main
from companion.config import Config, load
from companion.engine import DEFAULT_RULESET, house_rules
from hardware.panel.panel import Panel, PanelError


@pytest.fixture(autouse=True)
def empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's configuration folder without anything in it."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("PERUDO_CONFIG", raising=False)
    return tmp_path / "home" / "perudo" / "perudo.toml"


@pytest.fixture
def setups(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Setup]]:
    """The setups that were built; nothing runs."""
    started: list[Setup] = []
    monkeypatch.setattr(app, "run", started.append)
    return started


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A configuration unlike the defaults."""
    path = tmp_path / "mine.toml"
    path.write_text(
        """
        [table]
        ruleset = "asmodee-it"
        calza = false
        patience = 3
        [web]
        host = "127.0.0.1"
        port = 8081
        [camera]
        source = "folder:/nowhere"
        [panel]
        use = false
        dudo = 12
        [rules]
        raises = "any-face"
        """
    )
    return path


HOUSE = house_rules({"ruleset": "asmodee-it", "raises": "any-face"})


def perudo(*arguments: object, **environment: str) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], env={"COLUMNS": "100", **environment})


# perudo config


def test_init_writes_a_file_that_check_finds_good(tmp_path: Path) -> None:
    path = tmp_path / "new" / "perudo.toml"
    assert perudo("config", "init", path).stdout == f"{path}\n"
    assert load(path, {}) == Config()
    result = perudo("config", "check", path)
    assert (result.exit_code, result.stdout) == (0, f"{path}: no mistakes.\n")


def test_init_overwrites_nothing(file: Path) -> None:
    before = file.read_bytes()
    result = perudo("config", "init", file)
    assert result.exit_code == 1
    assert "is there already, and was left as it is" in result.stderr
    assert file.read_bytes() == before


def test_init_that_cannot_write_says_so(file: Path) -> None:
    result = perudo("config", "init", file / "below" / "a file")
    assert (result.exit_code, result.exception.__class__) == (1, SystemExit)
    assert "cannot be written" in result.stderr


def test_without_a_name_the_users_own_file_is_checked(empty_home: Path, tmp_path: Path) -> None:
    result = perudo("config", "check")
    assert result.exit_code == 0
    assert "there is no such file, so everything has its default" in result.stdout
    assert perudo("config", "init").exit_code == 0
    assert empty_home.exists()
    named = tmp_path / "named.toml"
    assert perudo("config", "init", PERUDO_CONFIG=str(named)).exit_code == 0
    assert named.exists()


def test_check_reports_every_mistake(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text("[web]\nport = 'x'\nhots = 1\n")
    result = perudo("config", "check", path, PERUDO_TABLE_CALZA="maybe")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        f"{path}, line 2: port is a whole number from 0 to 65535, not 'x'.",
        f"{path}, line 3: there is no key 'hots' in [web]; is host meant?",
        "$PERUDO_TABLE_CALZA: calza is true or false, not 'maybe'.",
    ]
    assert perudo("config", "check", tmp_path / "nothing").exit_code == 1


# perudo run, perudo demo


def test_run_takes_what_the_file_says(file: Path, setups: list[Setup]) -> None:
    result = perudo("run", "--config", file)
    assert result.exit_code == 0, result.output
    (setup,) = setups
    assert (setup.config.web.host, setup.config.web.port, setup.config.table.patience) == ("127.0.0.1", 8081, 3.0)
    assert (setup.config.house, setup.config.table.calza) == (HOUSE, False)
    with pytest.raises(PanelError, match="no panel with buttons"):
        setup.open_panel(setups[0].config.panel)
    with pytest.raises(Exception, match="/nowhere"):
        setup.open_camera(setup.config.camera)


def test_the_command_line_wins_over_the_environment_and_the_environment_over_the_file(
    file: Path, setups: list[Setup]
) -> None:
    options = ("--port", 1, "--patience", 0, "--camera", "folder:/elsewhere", "--panel")
    perudo("run", *options, "--config", file, PERUDO_WEB_PORT="2", PERUDO_WEB_HOST="::1")
    (setup,) = setups
    assert (setup.config.web.host, setup.config.web.port, setup.config.table.patience) == ("::1", 1, 0.0)
    with pytest.raises(Exception, match="/elsewhere"):
        setup.open_camera(setup.config.camera)


def test_the_panel_gets_the_pins_of_the_file(file: Path, setups: list[Setup], monkeypatch: pytest.MonkeyPatch) -> None:
    wired = []
    monkeypatch.setattr(Panel, "__init__", lambda self, wiring=None: wired.append(wiring))
    perudo("run", "--panel", "--config", file)
    setups[0].open_panel(setups[0].config.panel)
    assert wired[0].buttons == {"dudo": 12, "calza": 27}


def test_a_panel_by_usb_gets_the_keys_of_the_file(
    tmp_path: Path, setups: list[Setup], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "usb.toml"
    file.write_text('[panel]\ninput = "usb"\ndudo_keys = ["KEY_B on An old keyboard"]\n')
    perudo("run", "--config", file)
    panel = setups[0].open_panel(setups[0].config.panel)
    panel.close()
    assert panel.places == {"dudo": "KEY_B on An old keyboard"}
    assert "The button An old keyboard is not there" in panel.sentence


def test_run_takes_the_users_own_file_and_the_demo_does_not(empty_home: Path, file: Path, setups: list[Setup]) -> None:
    empty_home.parent.mkdir(parents=True)
    file.rename(empty_home)
    perudo("run")
    perudo("demo", PERUDO_CONFIG=str(empty_home), PERUDO_WEB_PORT="2")
    perudo("demo", "--config", empty_home, PERUDO_WEB_PORT="2")
    assert [(setup.config.web.port, setup.config.house, setup.config.table.calza) for setup in setups] == [
        (8081, HOUSE, False),
        (8000, DEFAULT_RULESET, True),
        (2, HOUSE, False),
    ]


@pytest.mark.parametrize("command", ["run", "demo"])
def test_with_a_mistake_nothing_is_started(command: str, tmp_path: Path, setups: list[Setup]) -> None:
    (tmp_path / "wrong.toml").write_text("web.port = 'x'\nweb.hots = 1\n")
    result = perudo(command, "--config", tmp_path / "wrong.toml")
    assert (result.exit_code, setups) == (2, [])
    assert [line.partition(": ")[0] for line in result.stderr.splitlines()] == ["perudo", "perudo"]
    assert "line 1" in result.stderr
    assert "line 2" in result.stderr
    assert perudo(command, "--help", "--config", tmp_path / "wrong.toml").exit_code == 0


# perudo rules


def test_the_rules_of_a_configuration_are_its_book_with_its_changes(file: Path) -> None:
    result = perudo("rules", "--config", file)
    assert result.exit_code == 0
    text = " ".join(result.stdout.split())
    assert text == (
        "Calza is switched off at this table. As asmodee-it, but: "
        "- a higher bid on faces 2 to 6: more dice of any face, or as many of a higher one "
        "(in the book: more dice of the same face, or as many of a higher one) "
        'The book in words: "perudo rules asmodee-it".'
    )


def test_a_configuration_without_house_rules_is_its_book(tmp_path: Path) -> None:
    (tmp_path / "plain.toml").write_text('rules.cups = "together"\n')  # as the book has it
    assert perudo("rules", "--config", tmp_path / "plain.toml").stdout.startswith("As asmodee-fr, without house rules.")


def test_rules_says_what_is_wrong_with_a_configuration(tmp_path: Path, file: Path) -> None:
    (tmp_path / "wrong.toml").write_text("rules.cups = 3\n")
    result = perudo("rules", "--config", tmp_path / "wrong.toml")
    assert result.exit_code == 2
    assert "line 1: the rule cups is one of together, in-order, not 3." in result.stderr
    assert perudo("rules", "web-fr", "--config", file).exit_code == 2
