"""The configuration: one commented TOML file, and environment variables over it.

`load` reads it from this machine, `parse` from a text; `default_text` is the file that `perudo config init` writes.
Every mistake is reported, not only the first, each with its line and the reason.
"""

from companion.config.key import Key
from companion.config.parser import ConfigError, Mistake, config_file, load, parse
from companion.config.sections import (
    RANDOM_CODE,
    SECTIONS,
    AccessConfig,
    CameraConfig,
    Config,
    PanelConfig,
    TableConfig,
    WebConfig,
    default_text,
    variable,
)

__all__ = [
    "RANDOM_CODE",
    "SECTIONS",
    "AccessConfig",
    "CameraConfig",
    "Config",
    "ConfigError",
    "Key",
    "Mistake",
    "PanelConfig",
    "TableConfig",
    "WebConfig",
    "config_file",
    "default_text",
    "load",
    "parse",
    "variable",
]
