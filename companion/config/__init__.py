"""The configuration: one commented TOML file, and environment variables over it.

`load` reads it from this machine, `parse` from a text; `default_text` is the file that `perudo config init` writes.
Both ends come from one table of keys. Every mistake is reported, not only the first, each with its line and the reason.
"""

from companion.config.keys import default_text
from companion.config.reader import ConfigError, Mistake, load, parse, place
from companion.config.sections import AccessConfig, CameraConfig, Config, PanelConfig, TableConfig, WebConfig

__all__ = [
    "AccessConfig",
    "CameraConfig",
    "Config",
    "ConfigError",
    "Mistake",
    "PanelConfig",
    "TableConfig",
    "WebConfig",
    "default_text",
    "load",
    "parse",
    "place",
]
