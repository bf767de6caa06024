"""perudo(1), from the reference of the commands: what the wheel has of them, in the language of man(7)."""

from __future__ import annotations

import re

from companion.cli import CLI_COMMANDS, CLONE_ONLY, main
from docs.reference import commands

HEAD = r"""
.TH PERUDO 1 "" perudo-companion
.SH NAME
perudo \- {}
.SH SYNOPSIS
\fBperudo\fR COMMAND [ARGS]...
.SH COMMANDS
""".lstrip()
FOOT = r"""
.SH FILES
.TP
\fI/etc/perudo/perudo.toml\fR, \fI/var/lib/perudo\fR
Configuration and games of a box that is a service. Commands that use them need \fB\-\-config\fR and \fB\-\-state\fR.
""".lstrip()


def page() -> str:
    """The text of perudo.1."""
    text = commands.markdown(*(name for name in CLI_COMMANDS if name not in CLONE_ONLY))
    body = "".join(map(_macros, filter(None, text.split("\n"))))
    return HEAD.format(_roff(main.help or "").rstrip(".")) + re.sub(r"(\.SS .*)\n\.PP", r"\1", body) + FOOT


def _macros(paragraph: str) -> str:
    """A heading, an item of a list, or a paragraph of Markdown."""
    if usage := re.fullmatch("### `(.*)`", paragraph):
        return f".SS {_roff(usage[1])}\n"
    if option := re.fullmatch(r"- (.*?`): (.*)", paragraph):
        return f".TP\n{_roff(option[1])}\n{_roff(option[2])}\n"
    return f".PP\n{_roff(paragraph)}\n"


def _roff(text: str) -> str:
    """The text; what stands between backquotes is bold."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    bold = re.sub("`([^`]*)`", r"\\fB\1\\fR", escaped)
    return rf"\&{bold}" if bold.startswith((".", "'")) else bold
