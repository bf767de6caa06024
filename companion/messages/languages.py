"""The page's languages: one folder each in `web/static/languages`, described by its `language.json`."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parents[2] / "web" / "static" / "languages"
ENGLISH: Final = "en"
Words = dict[str, Any]
"""A JSON object of words; see docs/how-to/translate.md."""

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SheetWords:
    """The text of the calibration sheet, with places for `{paper}`, `{square}` and `{marker}`.

    Only characters of cp1252, because the PDF's font has no others.
    """

    title: str
    measure: str
    do: str


@dataclass(frozen=True, slots=True)
class Language:
    """A language, and its texts that no page of its own can show. Texts missing from its folder are in English."""

    id: str
    """Its folder's name."""
    name: str
    """The language's own name."""
    tags: tuple[str, ...]
    """The browsers' language tags (BCP 47) that it covers: "pt" also covers every "pt-" tag of no other language."""
    no_page: str
    """Shown by a browser that is too old, or has no JavaScript."""
    wrong_name: str
    sheet: SheetWords


def offered(folder: Path | None = None) -> tuple[Language, ...]:
    """The languages marked as offered, English first, the others by name.

    A folder whose tags lack its own name is a copy of another language, and is not offered.
    """
    folder = folder or FOLDER
    english = _described(folder / ENGLISH)
    found = []
    for each in folder.iterdir():
        own = _described(each) if (each / "language.json").is_file() else {}
        if own.get("offered") is True and each.name in own.get("tags", ()):
            found.append(_language(each.name, filled(own, english)))
    return tuple(sorted(found, key=lambda language: (language.id != ENGLISH, language.name)))


def _language(id_: str, words: Words) -> Language:
    return Language(
        id_,
        words["name"],
        tuple(words["tags"]),
        words["noPage"],
        words["wrongName"],
        SheetWords(**words["sheet"]),
    )


def _described(folder: Path) -> Words:
    file = folder / "language.json"
    return read(file.read_bytes(), str(file))


def read(data: bytes, name: str) -> Words:
    """The words of a file; empty, and logged, if it is no JSON object."""
    try:
        found = json.loads(data)
    except ValueError as error:
        _log.warning("%s cannot be read, and is in English: %s", name, error)
        return {}
    return found if isinstance(found, dict) else {}


def filled(own: Any, english: Any) -> Any:
    """The words of a language, with the English ones where it has none."""
    if isinstance(own, dict) and isinstance(english, dict):
        return own | {key: filled(own.get(key), words) for key, words in english.items()}
    return own if own and isinstance(own, type(english)) else english


def sheet_words(language: str) -> SheetWords:
    """The sheet's words in a language; in English if it is not offered."""
    languages = offered()
    return next((each.sheet for each in languages if each.id == language), languages[0].sheet)
