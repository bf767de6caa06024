"""`perudo rules`: the differences between the rulebooks, or one ruleset in words."""

from __future__ import annotations

import shutil
import textwrap

import click

from companion.engine import RULESETS, Ruleset
from companion.engine.describe import SHARED, Rule, describe, differences_table

_NARROWEST = 40


@click.command()
@click.argument("ruleset", required=False, type=click.Choice(tuple(RULESETS)), metavar="[RULESET]")
def rules(ruleset: str | None) -> None:
    """Print in what the six rulebooks differ, or one RULESET in words."""
    width = max(_NARROWEST, min(100, shutil.get_terminal_size().columns))
    lines = _differences(width) if ruleset is None else in_words(RULESETS[ruleset], width)
    click.echo("\n".join(lines))


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
