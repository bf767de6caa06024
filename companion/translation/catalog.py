"""The catalogs of the languages, and their mistakes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from companion.messages.languages import ENGLISH, FOLDER, Words
from companion.translation.sentence import Sentence, sentence

_ABOUT: Final = "language.json"
_NAMED: Final = re.compile(r"\((.*)\)$")
"""The parameters of a word, at the end of its path: won(name)."""
_FORMS: Final = re.compile(r"^  forms: \{\n(.*?)^  \},$", re.MULTILINE | re.DOTALL)
_FORM: Final = re.compile(r"^    (\w+)", re.MULTILINE)
_COMMON: Final = {"lower"}
"""The forms that every grammar has."""


@dataclass(frozen=True, slots=True)
class Catalog:
    """The words and messages of one language."""

    id: str
    about: Words
    words: Mapping[str, Sentence]
    """By path, such as `past.won(name)`."""
    messages: Mapping[str, Sentence]
    """By msgid."""
    grammar: str
    """Its source code."""
    mistakes: tuple[str, ...] = ()
    """Found while reading its files."""
    forms: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        forms = _FORMS.search(self.grammar)
        object.__setattr__(self, "forms", frozenset(_FORM.findall(forms[1]) if forms else ()))


Catalogs = Mapping[str, Catalog]


@dataclass(frozen=True, slots=True)
class Note:
    """What a translator has to know about a word."""

    note: str = ""
    most: int | None = None
    """The most letters that fit."""
    same: bool = False
    """It may be the same in every language."""


def read_notes(folder: Path = FOLDER) -> dict[str, Note]:
    """Path of a word, or msgid -> its note."""
    return {path: Note(**note) for path, note in json.loads((folder / "notes.json").read_text("utf-8")).items()}


def read_catalogs(folder: Path = FOLDER) -> dict[str, Catalog]:
    """Every language that has a folder, whether it is offered or not, English first."""
    found = [each.name for each in folder.iterdir() if each.is_dir()]
    return {language: _read(folder / language) for language in sorted(found, key=lambda name: (name != ENGLISH, name))}


def _read(folder: Path) -> Catalog:
    words: dict[str, str] = {}
    messages: dict[str, str] = {}
    about: Words = {}
    mistakes = []
    for file in sorted(folder.glob("*.json")):
        twice: list[str] = []

        def once(pairs: list[tuple[str, Any]], twice: list[str] = twice) -> Words:
            names = [name for name, _ in pairs]
            twice += {name for name in names if names.count(name) > 1}
            return dict(pairs)

        try:
            content = json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=once)
        except ValueError as error:
            mistakes.append(f"{file.name} is no JSON: {error}")
            continue
        mistakes += [f"{file.name} has twice: {name}" for name in twice]
        if file.name == _ABOUT:
            about = content
        elif file.stem.endswith("messages"):
            mistakes += [f"{file.name} has what another file has: {msgid}" for msgid in messages.keys() & content]
            messages |= content
        else:
            words |= _flat(content, "" if file.stem == "page" else file.stem)
    grammar = folder / "grammar.js"
    return Catalog(
        folder.name,
        about,
        {path: sentence(text) for path, text in words.items()},
        {msgid: sentence(text) for msgid, text in messages.items()},
        grammar.read_text(encoding="utf-8") if grammar.is_file() else "",
        tuple(mistakes),
    )


def _flat(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    else:
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _flat(part, f"{path}.{key}" if path else str(key))


def mistakes(
    catalog: Catalog, english: Catalog, expected: Mapping[str, frozenset[str]], notes: Mapping[str, Note]
) -> list[str]:
    """The mistakes of a language, one per line. `expected` is msgid -> the names of its parameters."""
    found = [*catalog.mistakes, *_sentences(catalog), *_words(catalog, english, notes)]
    if catalog.id != english.id:
        found += [
            *_about(catalog),
            *_messages(catalog, expected, notes),
            *_same(catalog, english, notes),
            *_looks(catalog),
        ]
    return sorted(found)


def _about(catalog: Catalog) -> Iterator[str]:
    if not catalog.about.get("name"):
        yield f"{_ABOUT} has no name"
    if catalog.id not in catalog.about.get("tags", ()):
        yield f"{_ABOUT} has not {catalog.id} among its tags: the language is not offered"
    for path, text in _flat(catalog.about.get("sheet", {}), "sheet"):
        try:
            text.replace("\u202f", "\xa0").encode("cp1252")
        except UnicodeEncodeError as error:
            yield f"{path} has letters that the sheet's font lacks: {text[error.start : error.end]}"


def _words(catalog: Catalog, english: Catalog, notes: Mapping[str, Note]) -> Iterator[str]:
    words = {path: word for path, word in catalog.words.items() if word.text}
    for path in english.words.keys() - words.keys():
        note = notes.get(path, Note())
        room = f" (at most {note.most} letters)" if note.most else ""
        yield " ".join(filter(None, (f"{path} is missing: {english.words[path].text}{room}", note.note)))
    for path in catalog.words.keys() - english.words.keys():
        yield f"{path} is no word of the page"
    for path, word in words.items():
        named = _NAMED.search(path)
        if word.names != ({*filter(None, named[1].split(", "))} if named else set()):
            yield f"{path} asks for other values: {word.text}"
        most = notes.get(path, Note()).most
        if most and max(map(len, word.variants), default=0) > most:
            yield f"{path} has more than {most} letters: {word.text}"


def _messages(catalog: Catalog, expected: Mapping[str, frozenset[str]], notes: Mapping[str, Note]) -> Iterator[str]:
    messages = {msgid: message for msgid, message in catalog.messages.items() if message.text}
    for msgid in expected.keys() - messages.keys():
        yield " ".join(filter(None, (f"missing: {msgid}", notes.get(msgid, Note()).note)))
    for msgid in catalog.messages.keys() - expected.keys():
        yield f"nobody says: {msgid}"
    for msgid in messages.keys() & expected.keys():
        if messages[msgid].names != expected[msgid]:
            yield f"other parameters: {msgid} -> {messages[msgid].text}"


def _same(catalog: Catalog, english: Catalog, notes: Mapping[str, Note]) -> Iterator[str]:
    """Words that are still English, and not noted as deliberately the same."""
    listed = set(catalog.about.get("same", ()))
    free = {path for path, note in notes.items() if note.same}
    pairs = {
        path: (word.text, english.words[path].text) for path, word in catalog.words.items() if path in english.words
    }
    pairs |= {msgid: (message.text, msgid) for msgid, message in catalog.messages.items() if _has_letters(msgid)}
    found = {path for path, (own, text) in pairs.items() if own == text} - free
    for path in found - listed:
        yield f"{path} is English, or the same on purpose: add it to “same” in {_ABOUT}"
    for path in listed - found:
        yield f"{path} is listed in {_ABOUT} as the same as in English, and is not"


def _has_letters(msgid: str) -> bool:
    return bool(re.search(r"[^\W\d_]", re.sub(r"\{\w+\}", "", msgid)))


def _sentences(catalog: Catalog) -> Iterator[str]:
    sentences = [*catalog.words.values(), *catalog.messages.values()]
    yield from (f"not a sentence: {each.text}" for each in sentences if not each.is_whole)
    asked = {place.form for each in sentences for place in each.places if place.form} - _COMMON
    yield from (f"grammar.js has no form {form}" for form in asked - catalog.forms)
    yield from (f"nobody asks for the form {form} of grammar.js" for form in catalog.forms - asked)


def _looks(catalog: Catalog) -> Iterator[str]:
    """Mistakes in the language's typography."""
    wrong: dict[str, Callable[[str], object]] = {
        "a straight quotation mark or apostrophe": lambda text: re.search(r"['\"]", text),
        "three dots": lambda text: "..." in text,
    }
    if catalog.id == "fr":
        wrong["no narrow space"] = lambda text: re.search(r"[^\u202f?!.][?!;»]|[^\u202f]:(?:\s|$)|«[^\u202f]", text)
    if catalog.id == "es":
        wrong["no opening mark"] = lambda text: ("?" in text and "¿" not in text) or ("!" in text and "¡" not in text)
    for each in (*catalog.words.values(), *catalog.messages.values()):
        for text in each.variants:
            yield from (f"{what}: {text}" for what, is_so in wrong.items() if is_so(text))
