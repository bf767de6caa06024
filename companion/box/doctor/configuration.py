"""The configuration that the box uses: the service's if it is installed, else the user's."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.box.doctor import Diagnosis, absent, bad, good
from companion.box.installation import InstallError
from companion.box.service import CONFIG_FILE, Machine, is_installed, read_receipt
from companion.messages.message import Message

if TYPE_CHECKING:
    from companion.config import CameraConfig, Config, PanelConfig, WebConfig


def configuration() -> Iterator[Diagnosis]:
    """Check that the configuration can be read."""
    from companion.config import ConfigError

    path = config_file_in_use()
    if is_private(path):
        yield absent("config", f"{path}: only the service and root may read it: `sudo perudo doctor` does.")
        return
    try:
        _load()
    except ConfigError as error:
        for mistake in error.mistakes:
            yield bad("config", Message("There is a mistake in the settings: {mistake}", mistake=str(mistake)))
        return
    there = os.path.exists(path)  # noqa: PTH110 - Path.exists() raises if a folder above it cannot be read
    found = str(path) if there else f"{path} is not there, so everything has its default."
    yield good("config", Message("The settings have no mistakes."), found)


def config_file_in_use() -> Path:
    """The configuration file. $PERUDO_CONFIG takes precedence over the service's."""
    from companion.config import config_file

    installed = not os.environ.get("PERUDO_CONFIG") and is_installed()
    return Path(CONFIG_FILE) if installed else config_file()


def web_config() -> WebConfig:
    """The page's configuration. The port given when the service was installed takes precedence."""
    from companion.config import ConfigError, WebConfig

    web = WebConfig()
    with contextlib.suppress(ConfigError):  # `configuration` reports it
        web = _load().web
    with contextlib.suppress(OSError, InstallError):
        receipt = read_receipt(Machine())
        return web if receipt is None or receipt.port is None else replace(web, port=receipt.port)
    return web


def camera_config() -> CameraConfig:
    """The camera's configuration, or the defaults if it cannot be read."""
    from companion.config import CameraConfig, ConfigError

    with contextlib.suppress(ConfigError):  # `configuration` reports it
        return _load().camera
    return CameraConfig()


def panel_config() -> PanelConfig:
    """The panel's configuration, or the defaults if it cannot be read."""
    from companion.config import ConfigError, PanelConfig

    with contextlib.suppress(ConfigError):  # `configuration` reports it
        return _load().panel
    return PanelConfig()


def is_private(path: Path) -> bool:
    """True if `path` belongs to the service and this user may not read it."""
    return (
        is_installed()
        and os.path.exists(path)  # noqa: PTH110 - as above
        and not os.access(path, os.R_OK)
    )


def _load() -> Config:
    from companion.config import config_file, load

    path = config_file_in_use()
    return load(None if path == config_file() else path)
