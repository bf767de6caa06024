"""Changes single keys in the configuration's file, for `perudo panel --learn` and for the box's page."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from calibration.atomic_write import write_atomically
from companion.config.edit import with_keys
from companion.config.parser import ConfigError, parse
from companion.config.sections import Config, default_text
from companion.messages.message import Message
from companion.messages.shown_address import holds_more_than_host


class SettingsError(RuntimeError):
    """A key could not be changed. The message is a sentence for the host."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


class SettingsFile:
    """A configuration file; if it does not exist yet, the commented defaults are written with the changes."""

    def __init__(
        self, path: Path, read: Callable[[str], Config] = parse, put: Callable[[str], None] | None = None
    ) -> None:
        """`read` parses a text as the program would, with the environment and options applied; it raises `ConfigError`.

        `put` replaces a file that only root may write; it raises `SettingsError`. Without it the file is written
        directly.
        """
        self._path = path.resolve()
        self._read = read
        self._put = put or self._write

    def read(self) -> Config:
        """The configuration that the program would read at its next start. Raises `SettingsError`, `ConfigError`."""
        return self._read(self._text())

    def text(self) -> str:
        """The file's text; "" without a file. Raises `SettingsError`."""
        return self._text()

    def put_back(self, text: str) -> None:
        """Restore an earlier text. Raises `SettingsError`."""
        self._put(text)

    def change(self, section: str, values: Mapping[str, object]) -> Config:
        """Write these values for keys of a section; return the new configuration. Raises `SettingsError`."""
        text, config = self._with(section, values)
        self._put(text)
        return config

    def check(self, section: str, values: Mapping[str, object]) -> None:
        """Raise the `SettingsError` that `change` would raise, if it can be foreseen."""
        self._with(section, values)

    def _with(self, section: str, values: Mapping[str, object]) -> tuple[str, Config]:
        """The text with these values, and its configuration; checks that reading it gives them."""
        try:
            text = with_keys(self._text() or default_text(), section, values)
        except ValueError as error:
            raise SettingsError(
                Message("{file} writes its [{section}] in another way.", file=str(self._path), section=section)
            ) from error
        try:
            written, config = parse(text), self._read(text)
        except ConfigError as error:
            reason = "; ".join(mistake.reason.removesuffix(".") for mistake in error.mistakes)
            raise SettingsError(Message("This cannot be set: {reason}.", reason=reason)) from error
        if any(getattr(getattr(written, section), name) != getattr(getattr(config, section), name) for name in values):
            raise SettingsError(Message("A command option or a variable overrides this: start the box without it."))
        return text, config

    def _text(self) -> str:
        """The file's text; "" without a file."""
        try:
            return self._path.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(
                Message("{file} cannot be read: {reason}.", file=str(self._path), reason=_reason(error))
            ) from error

    def _write(self, text: str) -> None:
        """Write the file, keeping its owner and permissions. A new file, or one with an address that may contain a
        password, is readable only by its owner."""
        config = parse(text)
        secret = holds_more_than_host(config.camera.source or "") or holds_more_than_host(config.club.broker)
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            status = self._path.stat() if self._path.exists() else None
            mode = 0o600 if status is None else status.st_mode & (0o770 if secret else 0o777)
            write_atomically(self._path, text.encode(), mode)
            if status is not None:
                self._path.chmod(mode)  # whatever the umask
                os.chown(self._path, status.st_uid, status.st_gid)
        except (OSError, UnicodeEncodeError) as error:
            raise SettingsError(
                Message("{file} cannot be written: {reason}.", file=str(self._path), reason=_reason(error))
            ) from error


def _reason(error: OSError | UnicodeError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
