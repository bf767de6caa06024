"""The reference of the `perudo` command, from click's own declarations."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click

from companion.cli import main


def markdown() -> str:
    """Every command with its usage, its help and its options."""
    context = click.Context(main, info_name="perudo")
    return "\n\n".join(section for name in main.list_commands(context) for section in _sections(context, name))


def _sections(parent: click.Context, name: str) -> Iterator[str]:
    assert isinstance(parent.command, click.Group)
    command = parent.command.get_command(parent, name)
    assert command is not None
    context = click.Context(command, info_name=name, parent=parent)
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield "\n\n".join([f"### `{usage}`", *_paragraphs(command), *_options(context)])
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            yield from _sections(context, each)


def _paragraphs(command: click.Command) -> Iterator[str]:
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        yield " ".join(paragraph.replace("\b", "").split())


def _options(context: click.Context) -> Iterator[str]:
    records = [
        record
        for parameter in context.command.get_params(context)
        if "--help" not in parameter.opts and (record := parameter.get_help_record(context)) is not None
    ]
    if records:
        yield "\n".join(f"- `{names}`: {says}" for names, says in records)
