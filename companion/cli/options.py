"""Options that several commands share."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

from companion.box.last_configuration import last_configuration
from companion.cli.output import UNUSABLE, PrintableFormatter, complain
from companion.config import SECTIONS, Config, ConfigError, config_file, load, parse
from companion.messages.printable import printable
from companion.repeated_errors import RepeatedErrors
from companion.state_folder import state_folder

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class InputPath(click.Path):
    """An input file, as a `Path`. Named pipes are refused, because reading one waits forever for a writer."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        with suppress(OSError, ValueError, RuntimeError):  # reading it will report what is wrong
            if path.resolve().is_fifo():
                self.fail(f"{printable(str(path))} is a pipe, and no file.", param, ctx)
        return path


class FolderPath(click.Path):
    """A folder, as a `Path`; it need not exist yet."""

    def __init__(self) -> None:
        super().__init__(path_type=Path, file_okay=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        with suppress(OSError, ValueError):
            if path.exists() and not path.is_dir():  # click itself accepts devices and pipes
                self.fail(f"{printable(str(path))} is not a folder.", param, ctx)
        return path


INPUT_PATH: Final = InputPath()
FILE_PATH: Final = click.Path(path_type=Path, dir_okay=False)
FOLDER_PATH: Final = FolderPath()
"""The option types for files and folders."""

_SETTINGS: Final = "companion.cli.options.settings"
"""Key in a command's context: the configuration's file."""
_TAKEN_BACK: Final = "companion.cli.options.taken_back"
"""Key in a command's context: why the last working configuration is used instead."""

CONFIGURED: Final[Mapping[str, tuple[str, str]]] = {
    "host": ("web", "host"),
    "port": ("web", "port"),
    "patience": ("table", "patience"),
    "panel": ("panel", "use"),
    "camera": ("camera", "source"),
}
"""Option -> the section and the key that it overrides."""


def with_options(config: Config, **options: object) -> Config:
    """The configuration with the values of these options."""
    for option, value in options.items():
        config = config.with_value(*CONFIGURED[option], value)
    return config


def options_given(options: Mapping[str, object]) -> dict[str, object]:
    """The options that were typed on the command line, which override the configuration."""
    source = click.get_current_context().get_parameter_source
    return {name: value for name, value in options.items() if source(name) is ParameterSource.COMMANDLINE}


def config_option(own: bool) -> Decorator:
    """Add --config, whose value is a `Config`. It determines the defaults of the command's other options.

    Without a FILE, `own` reads the user's own file and the environment; otherwise the defaults are used.
    """

    def read(context: click.Context, _parameter: click.Parameter, named: Path | None) -> Config:
        if named is None and not own:
            return Config()
        context.meta[_SETTINGS] = named or config_file()
        config = _load(context, named) if own else load_or_exit(named)
        values = {option: getattr(getattr(config, section), key) for option, (section, key) in CONFIGURED.items()}
        context.default_map = {option: value for option, value in values.items() if value is not None}
        return config

    return click.option(
        "--config",
        type=INPUT_PATH,
        is_eager=True,  # before the options whose defaults depend on it
        callback=read,
        metavar="FILE",
        help="The configuration; the other options win over it."
        + ("  [default: $PERUDO_CONFIG, else the user's own, if there is one]" if own else "  [default: none]"),
    )


def settings_file() -> Path | None:
    """The file of the command's configuration, which need not exist; None without one."""
    found = click.get_current_context().meta.get(_SETTINGS)
    return found if isinstance(found, Path) else None


def taken_back() -> str:
    """Why the command uses the last working configuration instead of its file; empty if it uses the file."""
    return str(click.get_current_context().meta.get(_TAKEN_BACK, ""))


def _load(context: click.Context, named: Path | None) -> Config:
    """The configuration; on a box whose file has a mistake, the last one with which the page worked."""
    try:
        return load(named)
    except ConfigError as error:
        state = context.params.get("state") or state_folder()
        last = last_configuration(state) if "NOTIFY_SOCKET" in os.environ else None
        try:
            config = None if last is None else parse(last, os.environ)
        except ConfigError:  # an environment variable is wrong
            config = None
        if config is None:
            return load_or_exit(named)
        for mistake in error.mistakes:
            complain(str(mistake))
        context.meta[_TAKEN_BACK] = str(error.mistakes[0])
        return config


def load_or_exit(file: Path | None, command: str = "") -> Config:
    """The configuration in `file`. Prints every mistake in it and exits with status 2."""
    try:
        return load(file)
    except ConfigError as error:
        for mistake in error.mistakes:
            complain(str(mistake), command)
        raise click.exceptions.Exit(UNUSABLE) from error


def key_option(option: str, flags: str = "", **changes: Any) -> Decorator:
    """An option that overrides a key of the configuration, with the key's bounds, default and note, and `changes`."""
    section, name = CONFIGURED[option]
    key = SECTIONS[section][name]
    bounded: Any = {int: click.IntRange, float: click.FloatRange}.get(type(key.default))
    attributes = {
        "type": bounded and bounded(key.kind.least, key.kind.most),
        "default": key.default,
        "show_default": key.default is not None,
        "help": key.note,
    }
    return click.option(flags or f"--{option}", **attributes | changes)


def _log(_context: click.Context, _parameter: click.Parameter, verbose: bool) -> None:
    """Log to standard error; standard output is for the page's address."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(RepeatedErrors())
    handler.setFormatter(PrintableFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.INFO if verbose else logging.WARNING)


verbose_option = click.option(
    "--verbose", is_flag=True, expose_value=False, callback=_log, help="Say more on standard error."
)


def serving_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --host, --port, --patience and --verbose."""
    patience = "How long the table may lie still with dice missing before the players are asked."
    for option in (
        verbose_option,
        key_option("patience", metavar="SECONDS", help=patience),
        key_option("port"),
        key_option("host"),
    ):
        command = option(command)
    return command


def state_option(
    help: str = "The folder of the journal and the judged pictures.",  # noqa: A002 - click's name
    metavar: str | None = "DIR",
) -> Decorator:
    """Add --state, whose value is a folder: the named one, else this machine's."""
    return click.option(
        "--state",
        type=FOLDER_PATH,
        is_eager=True,  # the last working configuration is read from there
        callback=lambda _context, _parameter, named: named or state_folder(),
        metavar=metavar,
        help=f"{help}  [default: $STATE_DIRECTORY, else the user's own]",
    )


def journal_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --state, whose value is the folder of the journal, and --json."""
    json = click.option("--json", "as_json", is_flag=True, help="JSON, and nothing else on standard output.")
    return state_option()(json(command))
