"""Reads the configuration from a file or a text, and applies environment variables."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from companion.config.key import NotAnOptionError
from companion.config.sections import SECTIONS, Config, variable

FILE_NAME: Final = "perudo.toml"

NEARLY: Final = 0.8
"""Similarity, 0 to 1, at which a section's name counts as a misspelling of another."""

LARGEST_CONFIG: Final = 32 * 1024
"""In bytes; no configuration is larger."""

LONGEST_STATEMENT: Final = 30
"""In lines of one value. The time to find where each value begins grows with the square of this."""

LONGEST_LINE: Final = 1000
"""In characters, without comments. The time to read a key grows with the square of its dots."""


class Mistake(NamedTuple):
    """One mistake in the configuration."""

    source: str
    """The file, or the environment variable after a $."""
    line: int | None
    """From 1; None if the mistake is not on one line."""
    reason: str
    """A sentence."""

    def __str__(self) -> str:
        return f"{self.source}{'' if self.line is None else f', line {self.line}'}: {self.reason}"


class ConfigError(ValueError):
    """The configuration could not be read."""

    def __init__(self, *mistakes: Mistake) -> None:
        super().__init__("\n".join(map(str, mistakes)))
        self.mistakes = mistakes
        """First those of the file, from top to bottom, then those of the environment."""


# Which file


def config_file(environ: Mapping[str, str] = os.environ) -> Path:
    """The default file: $PERUDO_CONFIG, else `perudo.toml` in the user's own configuration folder."""
    if named := environ.get("PERUDO_CONFIG"):
        return Path(named)
    import platformdirs  # noqa: PLC0415 - not needed if a file is named

    return Path(platformdirs.user_config_dir("perudo")) / FILE_NAME


def load(named: Path | None = None, environ: Mapping[str, str] = os.environ) -> Config:
    """The configuration in the file `named`, else in `config_file()`, overridden by `environ`.

    The user's own file may be missing: then the defaults are used. A file named here or by $PERUDO_CONFIG must exist.
    Raises `ConfigError`.
    """
    path = named if named is not None else config_file(environ)
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_CONFIG + 1)
    except (FileNotFoundError, NotADirectoryError) as error:
        if named is None and not environ.get("PERUDO_CONFIG"):
            return parse("", environ)
        missing = "there is no such file; `perudo config init` and its name writes one."
        raise ConfigError(Mistake(str(path), None, missing)) from error
    except OSError as error:
        raise ConfigError(Mistake(str(path), None, f"it cannot be read ({error.strerror or error}).")) from error
    try:
        text = content.decode("utf-8-sig")  # some editors put a byte order mark before the text
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ConfigError(Mistake(str(path), line, "this is not UTF-8 text.")) from error
    return parse(text, environ, str(path))


# What it says


def parse(text: str, environ: Mapping[str, str] = MappingProxyType({}), name: str = FILE_NAME) -> Config:
    """The configuration in the TOML `text`, overridden by `environ`. Mistakes name the file `name`.

    Raises `ConfigError` with every mistake, or only the first if the text is not TOML. Text from the page and from root
    is parsed here too, so that it has the same limits as at a start.
    """
    if len(text.encode(errors="replace")) > LARGEST_CONFIG:
        raise ConfigError(Mistake(name, None, f"it is larger than {LARGEST_CONFIG} bytes: no configuration is."))
    text = text.replace("\r\n", "\n")
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE and not line.lstrip().startswith("#"):
            raise ConfigError(Mistake(name, number, f"it is too long: a line has at most {LONGEST_LINE} characters."))
    reading = _Reading()
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reading.mistakes.append(_syntax(error, text, name))
    except (ValueError, RecursionError):  # Python's limits on digits and nesting
        reason = "it holds a number too long, or a list nested too deeply, to be read."
        reading.mistakes.append(Mistake(name, None, reason))
    else:
        try:
            reading.file(document, name, key_lines(text))
        except LongStatementError as error:
            reading.mistakes.append(Mistake(name, error.line, f"a value takes {LONGEST_STATEMENT} lines at most."))
    reading.environment(environ)
    reading.pins()
    if reading.mistakes:
        raise ConfigError(*sorted(reading.mistakes, key=lambda it: (it.source != name, it.line or 0)))
    return reading.config


def _syntax(error: tomllib.TOMLDecodeError, text: str, name: str) -> Mistake:
    """The mistake with its line, which before Python 3.14 is only in tomllib's message."""
    problem, at = re.fullmatch(r"(.*?)(?: \(at (.*)\))?", str(error), re.DOTALL).groups()  # type: ignore[union-attr]
    placed = re.match(r"line (\d+)", at or "")
    problem = _TWICE.get(re.sub(r"\(.*\)", "()", problem), problem)
    line = int(placed[1]) if placed else len(text.rstrip("\n").split("\n"))
    hint = ' Text stands between quotation marks, as in "asmodee-fr".' if problem.startswith("Invalid value") else ""
    return Mistake(name, line, f"this cannot be read as TOML: {problem[0].lower()}{problem[1:]}.{hint}")


_TWICE: Final = {
    "Cannot overwrite a value": "this key has a value already, further up",
    "Cannot declare () twice": "this section is there already, further up",
}
"""tomllib's message -> ours, which not only programmers understand."""

_Place = tuple[str, int | None]
"""Source and line of a mistake."""


class _Reading:
    """The configuration read so far, and the mistakes in it."""

    def __init__(self) -> None:
        self.mistakes: list[Mistake] = []
        self.config = Config()
        self._pin_places: dict[str, _Place] = {}
        """Key of the panel -> where it was set."""

    def file(self, document: Mapping[str, Any], name: str, lines: Mapping[tuple[str, ...], int]) -> None:
        """Read the sections of a file."""
        for section, table in document.items():
            if section not in SECTIONS:
                self._wrong((name, lines[section,]), _no_section(section, table))
            elif not isinstance(table, dict):
                self._wrong((name, lines[section,]), f"{section} is a section, as in [{section}], and has no value.")
            else:
                for key, value in table.items():
                    self._key(section, key, value, (name, lines[section, key]))

    def environment(self, environ: Mapping[str, str]) -> None:
        """Read every `PERUDO_SECTION_KEY` that is not empty.

        Other programs may have variables that begin like this: one whose section is unknown is a mistake only if it
        resembles one of ours.
        """
        for name in sorted(environ):
            if not name.startswith("PERUDO_") or not name.isupper() or not environ[name]:
                continue
            section, _, key = name.removeprefix("PERUDO_").lower().partition("_")
            if section in SECTIONS and not key:
                example = variable(section, next(iter(SECTIONS[section])))
                self._wrong((f"${name}", None), f"it names no key of [{section}], as {example} does.")
            elif section in SECTIONS:
                declared = SECTIONS[section].get(key)
                value = declared.from_text(environ[name]) if declared is not None else environ[name]
                self._key(section, key, value, (f"${name}", None))
            elif near := [each for each in get_close_matches(section, SECTIONS, 1, NEARLY) if key in SECTIONS[each]]:
                self._wrong((f"${name}", None), f"there is no such key; is {variable(near[0], key)} meant?")

    def pins(self) -> None:
        """Check that no pin or key is used twice."""
        names: dict[int, str] = {}
        for pin, name in self.config.panel.pins:
            if pin in names:
                # The defaults do not conflict, so one of the two was set.
                place = self._pin_places.get(name) or self._pin_places[names[pin]]
                twice = f"two of {name}" if names[pin] == name else f"both {names[pin]} and {name}"
                self._wrong(place, f"GPIO {pin} cannot be {twice}.")
            names.setdefault(pin, name)
        panel = self.config.panel
        for key in sorted({*(panel.dudo_keys or ())} & {*(panel.calza_keys or ())}):
            self._wrong(self._pin_places["calza_keys"], f"{key} cannot be both dudo_keys and calza_keys.")

    def _key(self, section: str, name: str, value: object, place: _Place) -> None:
        key = SECTIONS[section].get(name)
        if key is None:
            self._wrong(place, _no_key(section, name))
            return
        try:
            read = key.kind.read(value)
        except ValueError as error:
            self._wrong(place, f"{name} {error}." if isinstance(error, NotAnOptionError) else f"{error}.")
            read = None  # ignored by `pins`
        self.config = self.config.with_value(section, name, read)
        if section == "panel":
            self._pin_places[name] = place

    def _wrong(self, place: _Place, reason: str) -> None:
        self.mistakes.append(Mistake(*place, reason))


def _no_section(name: str, value: object) -> str:
    if not isinstance(value, dict) and (sections := [section for section, keys in SECTIONS.items() if name in keys]):
        places = " or ".join(f"[{section}]" for section in sections)
        return f"{name!r} stands before the first section; it belongs under {places}."
    if near := get_close_matches(name.lower(), SECTIONS, n=1):
        return f"there is no section {name!r}; is [{near[0]}] meant?"
    return f"there is no section {name!r}; the sections are {', '.join(f'[{section}]' for section in SECTIONS)}."


def _no_key(section: str, name: str) -> str:
    if section == "rules" and name == "ruleset":
        return "the rulebook is named by ruleset in [table]; [rules] says only what is changed in it."
    problem = f"there is no key {name!r} in [{section}]"
    if near := get_close_matches(name.lower(), SECTIONS[section], n=1):
        return f"{problem}; is {near[0]} meant?"
    if elsewhere := [f"[{other}]" for other, keys in SECTIONS.items() if name in keys]:
        return f"{problem}; it belongs under {' or '.join(elsewhere)}."
    return f"{problem}; its keys are {', '.join(SECTIONS[section])}."


# The line of each key, which tomllib does not report


class LongStatementError(ValueError):
    """A value takes more than `LONGEST_STATEMENT` lines, starting at `line`."""

    def __init__(self, line: int) -> None:
        super().__init__(f"line {line}")
        self.line = line


def key_lines(text: str) -> dict[tuple[str, ...], int]:
    """Path of names -> the line, from 1, where the key or section is first set in a valid TOML text.

    A statement ends at the first line where the text since the previous statement is itself valid TOML. So the grammar
    is tomllib's: long strings and lists, quoted and dotted keys need no special care. Raises `LongStatementError`.
    """
    lines: dict[tuple[str, ...], int] = {}
    section: tuple[str, ...] = ()
    statement, begin = "", 1
    for number, line in enumerate(text.split("\n"), start=1):
        statement += f"{line}\n"
        if number - begin >= LONGEST_STATEMENT:
            raise LongStatementError(begin)
        try:
            read = tomllib.loads(statement)
        except tomllib.TOMLDecodeError:
            continue
        if statement.lstrip().startswith("["):
            section = ()
        paths = [(*section, *path) for path in _paths(read)]
        for path in paths:
            lines.setdefault(path, begin)
        if statement.lstrip().startswith("["):
            section = paths[-1]
        statement, begin = "", number + 1
    return lines


def _paths(table: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """The paths of sections and their keys; no key lies deeper."""
    for key, value in table.items():
        yield (key,)
        if isinstance(value, dict):
            yield from ((key, each) for each in value)
