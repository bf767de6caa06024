"""`perudo languages`: prints what the page's languages lack."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import click

from companion.cli.output import fail, say
from companion.messages.languages import ENGLISH, FOLDER, Words
from companion.translation.catalog import mistakes, read_catalogs, read_notes
from companion.translation.source import messages

_DONE = "Nothing is missing or wrong."


@click.command()
@click.argument("language", required=False)
@click.option("--new", is_flag=True, help="Make its folder, with English in it: translate it there.")
def languages(language: str | None, new: bool) -> None:
    """Print what LANGUAGE, or every language of the page, lacks, has in excess or has too long.

    LANGUAGE is a folder in web/static/languages. If anything is printed, the exit status is 1.
    """
    if new:
        _make(language)
        return
    catalogs = read_catalogs()
    if language is not None and language not in catalogs:
        fail(f"there is no language {language}: there are {', '.join(catalogs)}. --new makes it.")
    expected, notes = messages(), read_notes()
    found = [
        f"{catalog.id}: {line}"
        for catalog in catalogs.values()
        if language in (None, catalog.id)
        for line in mistakes(catalog, catalogs[ENGLISH], expected, notes)
    ]
    say(*(found or (_DONE,)))
    sys.exit(bool(found))


def _make(language: str | None) -> None:
    folder = FOLDER / (language or "")
    if language is None or folder.exists():
        fail(f"--new needs the name of a new folder, as pt: there is {folder} already.")
    shutil.copytree(FOLDER / ENGLISH, folder)
    for file in {file.name for file in FOLDER.glob("*/*messages.json")}:
        known = (json.loads(each.read_text(encoding="utf-8")) for each in FOLDER.glob(f"*/{file}"))
        _write(folder / file, {msgid: msgid for catalog in known for msgid in catalog})
    about = json.loads((folder / "language.json").read_text(encoding="utf-8"))
    _write(folder / "language.json", about | {"name": language, "tags": [language], "offered": False})
    say(f"{folder}: translate what is in it, and see `perudo languages {language}`.")


def _write(file: Path, words: Words) -> None:
    file.write_text(json.dumps(words, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
