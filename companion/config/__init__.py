"""The configuration: one commented TOML file, overridden by environment variables.

`load` reads it from this machine, `parse` from a text. Every mistake is reported, with its line and the reason.
"""

from companion.config.key import Key
from companion.config.parser import ConfigError, config_file, load, parse
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
    "PanelConfig",
    "TableConfig",
    "WebConfig",
    "config_file",
    "default_text",
    "load",
    "parse",
    "variable",
]
