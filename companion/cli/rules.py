"""`perudo rules`: the differences between the rulebooks, or one ruleset in words."""

from __future__ import annotations

import shutil
import textwrap
from pathlib import Path
from typing import Final

import click

from companion.engine import RULESETS, Ruleset
from companion.engine.rules_in_words import SHARED, Rule, describe, differences_table

NARROWEST: Final = 40
"""Columns."""


@click.command()
@click.argument("ruleset", required=False, type=click.Choice(tuple(RULESETS)), metavar="[RULESET]")
@click.option(
    "--config",
    "file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Print the rules that this configuration makes: its book, and what is changed in it.",
)
def rules(ruleset: str | None, file: Path | None) -> None:
    """Print in what the six rulebooks differ, or one RULESET in words, or those of a configuration."""
    width = max(NARROWEST, min(100, shutil.get_terminal_size().columns))
    if file is not None:
        if ruleset is not None:
            raise click.UsageError("The configuration names its ruleset: give --config or RULESET, not both.")
        lines = _of(file, width)
    else:
        lines = _differences(width) if ruleset is None else in_words(RULESETS[ruleset], width)
    click.echo("\n".join(lines))


def _of(file: Path, width: int) -> list[str]:
    """The rules of a configuration."""
    from companion.cli.options import load_or_exit

    config = load_or_exit(file, "rules")
    lines = house_rules_in_words(config.house, width)
    return lines if config.table.calza else ["Calza is switched off at this table.", *lines]


def house_rules_in_words(ruleset: Ruleset, width: int) -> list[str]:
    """In what `ruleset` differs from its book, wrapped to `width` columns."""
    book = RULESETS[ruleset.id]
    changed = [(rule, said) for rule, said in zip(describe(ruleset), describe(book), strict=True) if rule.changed]
    if not changed:
        lines = [f"As {book.id}, without house rules."]
    else:
        lines = [click.style(f"As {book.id}, but:", bold=True)]
        for rule, said in changed:
            lines += _item(f"{rule.label}: {rule.value} (in the book: {said.value})", width)
    return [*lines, "", f'The book in words: "perudo rules {book.id}".']


def in_words(ruleset: Ruleset, width: int) -> list[str]:
    """`ruleset` in words, wrapped to `width` columns."""
    lines = [click.style(f"{ruleset.id}: {ruleset.title} ({ruleset.language}, {ruleset.edition})", bold=True)]
    lines += ["", "What all rulebooks share:"]
    for shared in SHARED:
        lines += _item(shared, width)
    lines += ["", "Where they differ:"]
    for rule in describe(ruleset):
        lines += _item(_sentence(rule), width)
    return lines


def _sentence(rule: Rule) -> str:
    value = f"{rule.label}: {rule.value}" + (" (house rule)" if rule.changed else "")
    return f"{value}. {rule.note}".rstrip() if rule.note else value


def _differences(width: int) -> list[str]:
    """A block a difference, in it the rulesets by what they say: six columns fit no terminal."""
    lines = ["The rulesets:"]
    for book in RULESETS.values():
        lines += _item(f"{book.id}: {book.title} ({book.edition})", width)
    for label, values in differences_table():
        lines += ["", click.style(label, bold=True)]
        for value in dict.fromkeys(values):
            who = [name for name, said in zip(RULESETS, values, strict=True) if said == value]
            lines += _item(f"{value}: {'all' if len(who) == len(RULESETS) else ', '.join(who)}", width)
    lines += ["", 'One ruleset in words: "perudo rules RULESET".']
    return lines


def _item(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, initial_indent="  - ", subsequent_indent="    ", break_on_hyphens=False)
