"""The reference of the `perudo` command, from click's own declarations."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click

from companion.cli import main

Seen = dict[tuple[str, str], str]
"""The command at which an option was described, by the option's name and text."""


def markdown(*names: str) -> str:
    """These commands, or all, with usage, help and options. What several have is described at the first of them."""
    context, seen = click.Context(main, info_name="perudo"), Seen()
    listed = names or main.list_commands(context)
    return "\n\n".join(section for name in listed for section in _sections(context, name, seen))


def _sections(parent: click.Context, name: str, seen: Seen) -> Iterator[str]:
    assert isinstance(parent.command, click.Group)
    command = parent.command.get_command(parent, name)
    assert command is not None
    context = click.Context(command, info_name=name, parent=parent)
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)]).replace(" [OPTIONS]", "", 1)
    yield "\n\n".join([f"### `{usage}`", *_paragraphs(command), *_options(context, seen)])
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            yield from _sections(context, each, seen)


def _paragraphs(command: click.Command) -> Iterator[str]:
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        yield " ".join(paragraph.replace("\b", "").split())


def _options(context: click.Context, seen: Seen) -> Iterator[str]:
    own: list[str] = []
    elsewhere: dict[str, list[str]] = {}
    for parameter in context.command.get_params(context):
        record = parameter.get_help_record(context)
        if record is None or not record[1] or "--help" in parameter.opts:
            continue
        names, says = record
        first = seen.setdefault((names, says), context.command_path)
        if first == context.command_path:
            own.append(f"- `{names}`: {says}")
        else:
            elsewhere.setdefault(first, []).append(f"`{names}`")
    own += [f"- {', '.join(names)}: as in `{command}`" for command, names in elsewhere.items()]
    if own:
        yield "\n".join(own)
