"""Replaces the section of a document between two marks, for figures that a command measures."""

from __future__ import annotations

from pathlib import Path

import click

from companion.engine.proportion import most_wrong


def write_between(path: Path, start: str, end: str, table: str) -> None:
    """Replace the text between the marks `start` and `end` of the file.

    Raises `click.ClickException` when the file cannot be read or written, or a mark is missing.
    """
    try:
        text = path.read_text(encoding="utf-8")
        before, rest = text.split(start, 1)
        _, after = rest.split(end, 1)
    except (OSError, ValueError) as error:
        raise click.ClickException(f"{path} must hold the marks {start} and {end}: {error}") from error
    try:
        path.write_text(f"{before}{start}\n{table}\n{end}{after}", encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{path} could not be written: {error}") from error


def risk(wrong: int, judged: int) -> str:
    """The share of wrong verdicts among those without a question, the selective risk (Geifman and El-Yaniv 2017), in
    words."""
    most = f"{1000 * most_wrong(wrong, judged):.1f}"
    return (
        f"Of {judged:,} judged without a question {wrong} were wrong: at most {most} in 1,000 are, with 95 % certainty."
    )
