"""`perudo rules`: prints the differences between the rulebooks, or one ruleset in words."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from companion.cli.options import INPUT_PATH, load_or_exit
from companion.config import Config
from companion.engine import RULESETS, Ruleset
from companion.engine.rules_in_words import SHARED, describe, differences_table, shared

NARROWEST: Final = 40
"""In columns."""


@click.command()
@click.argument("ruleset", required=False, type=click.Choice(tuple(RULESETS)), metavar="[RULESET]")
@click.option("--config", "file", type=INPUT_PATH, metavar="FILE",
              help="Print the rules that this configuration makes: its book, and what is changed in it.")  # fmt: skip
def rules(ruleset: str | None, file: Path | None) -> None:
    """Print how the six rulebooks differ, or one RULESET in words, or those of a configuration."""
    width = max(NARROWEST, min(100, shutil.get_terminal_size().columns))
    if file is not None:
        if ruleset is not None:
            raise click.UsageError("The configuration names its ruleset: give --config or RULESET, not both.")
        lines = _house_rules(load_or_exit(file, "rules"))
    else:
        lines = _differences() if ruleset is None else _in_words(RULESETS[ruleset])
    item = textwrap.TextWrapper(width, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
    for line in lines:
        click.echo(item.fill(line) if line.startswith("- ") else line)


def _house_rules(config: Config) -> Iterator[str]:
    """The differences between a configuration's rules and its book."""
    if not config.table.calza:
        yield "Calza is switched off at this table."
    house = config.house
    book = RULESETS[house.id]
    changed = [(rule, of_book) for rule, of_book in zip(describe(house), describe(book), strict=True) if rule.changed]
    if changed:
        yield click.style(f"As {book.id}, but:", bold=True)
        for each, of_book in changed:
            yield f"- {each.label}: {each.value} (in the book: {of_book.value})"
    else:
        yield f"As {book.id}, without house rules."
    yield ""
    if shared(house) != SHARED:
        yield "What all rulebooks share, as it is then:"
        for rule in shared(house):
            yield f"- {rule}"
        yield ""
    yield f'The book in words: "perudo rules {book.id}".'


def _in_words(book: Ruleset) -> Iterator[str]:
    yield click.style(f"{book.id}: {book.name}", bold=True)
    yield f"{book.title} ({book.language}, {book.edition})"
    yield ""
    yield "What all rulebooks share:"
    for rule in SHARED:
        yield f"- {rule}"
    yield ""
    yield "Where they differ:"
    for each in describe(book):
        yield f"- {each.label}: {each.value}" + (f". {each.note}" if each.note else "")


def _differences() -> Iterator[str]:
    """A block for each difference, listing the books that share a value: six columns would fit no terminal."""
    yield "The rulesets:"
    for book in RULESETS.values():
        yield f"- {book.id}: {book.name}. {book.difference} {book.title} ({book.edition})"
    for label, values in differences_table():
        yield ""
        yield click.style(label, bold=True)
        for value in dict.fromkeys(values):
            books = [name for name, of_book in zip(RULESETS, values, strict=True) if of_book == value]
            yield f"- {value}: {'all' if len(books) == len(RULESETS) else ', '.join(books)}"
    yield ""
    yield 'One ruleset in words: "perudo rules RULESET".'
