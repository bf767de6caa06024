"""What the catalogs of the page's languages lack or have in excess, as a list for tests and translators.

    python tests/browser/catalogs.py

The words and the messages are JSON, whose sentences the page's own code reads in a real Chromium. The messages that are
said are found by `messages.py`.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from selenium import webdriver

from tests.browser import chromium, messages
from tests.fakes.states import STATES
from tests.fakes.table import FakeCamera, FakePanel, FakeTable
from web.access.access import Access
from web.app import create_app
from web.page import STATIC
from web.parts import Parts
from web.stream.server import make_server

LANGUAGES = ("en", "fr", "nl", "it", "es")
_COMMON = {"lower"}
"""The forms that every grammar has."""
_PLURAL = re.compile(r"=\d+|zero|one|two|few|many|other")
_NAMED = re.compile(r"\((.*)\)$")
"""The values of a word, at the end of its path: won(name)."""

_EVERYWHERE = {"title", "dudo", "calza", "palificoShort", "robot", "box.club.title"}
_NUMBERS = {"toldOf", "club.whole"}
_UNITS = {"box.backup.megabytes"}
_LOBBY = {"lobby.tabs.tables", "lobby.place", "lobby.phases.verdict"}
_BOX = {"box.version", "box.update.title", "box.wifi.title"}
SAME: Mapping[str, set[str]] = {
    "fr": {*_EVERYWHERE, "menu", "code", "colours.orange", *_BOX, *_LOBBY},
    "nl": {
        *(
            *_EVERYWHERE,
            *_UNITS,
            *_NUMBERS,
            "demo",
            "face",
            "menu",
            "code",
            "openingRoll",
            "past.review.grades.blunder",
        ),
        *("lobby.phases.rolling", "lobby.rating", "box.wifi.open"),
    },
    "it": {*_EVERYWHERE, *_UNITS, *_NUMBERS, "demo", "menu", "round", "box.wifi.title", "box.wifi.password"},
    "es": {
        *(*_EVERYWHERE, *_UNITS, *_NUMBERS, "demo", "face", "figureDudos", "figureCalzas", "past.review.grades.error"),
        "lobby.provisional",
    },
}
"""Words that are the same as in English on purpose: names, and words that the books share."""

SAME_MESSAGES: Mapping[str, set[str]] = {
    "fr": {"Perudo, Kenner Parker / Hasbro 1994"},
    "nl": {"Perudo, Kenner Parker / Hasbro 1994"},
    "it": {
        "Perudo, Kenner Parker / Hasbro 1994",
        *("Round {round}: {bids}.", "Round {round}: {bids}; {call}."),
        *("Round {round}, palifico: {bids}.", "Round {round}, palifico: {bids}; {call}.", "no"),
    },
    "es": {"Perudo, Kenner Parker / Hasbro 1994", "no"},
}

_READ = """
const [sentences, done] = arguments;
const base = `/static/${document.documentElement.dataset.build}/languages`;
const read = async () => {
  const { partsOf } = await import(`${base}/sentences.js`);
  const parts = (sentence) => {
    try {
      return partsOf(sentence);
    } catch {
      return null;
    }
  };
  const found = {};
  for (const [id, each] of Object.entries(sentences)) {
    const { grammar } = await import(`${base}/${id}/grammar.js`);
    const faces = [1, 2, 3, 4, 5, 6].flatMap((face) => [grammar.faceName(face, 1), grammar.faceName(face, 2)]);
    found[id] = { forms: Object.keys(grammar.forms), faces, parts: each.map(parts) };
  }
  return found;
};
read().then(done, (error) => done(String(error)));
"""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as it stands in a file, and as the page reads it."""

    text: str
    names: frozenset[str] = frozenset()
    """The values that it asks for."""
    forms: frozenset[str] = frozenset()
    """The forms of the grammar that it asks for."""
    whole: bool = False
    """Whether the page can read it, and each of its choices says something of any value."""
    said: tuple[str, ...] = ()
    """What can become of it, with an x for each value."""


@dataclass(frozen=True, slots=True)
class Catalog:
    """A language."""

    words: Mapping[str, Sentence]
    """By their path, `past.won(name)`."""
    messages: Mapping[str, Sentence]
    """By what the table says."""
    forms: frozenset[str]
    faces: tuple[str, ...]
    """The names of the faces, one and more."""


Catalogs = Mapping[str, Catalog]


def read(driver: webdriver.Chrome) -> Catalogs:
    """Every language. The page must be open in `driver`, since its own code reads the sentences."""
    words = {language: _words_of(language) for language in LANGUAGES}
    messages = {language: _translations(language) for language in LANGUAGES}
    texts = {language: [*words[language].values(), *messages[language].values()] for language in LANGUAGES}
    found = driver.execute_async_script(_READ, texts)
    assert isinstance(found, dict), found
    catalogs = {}
    for language in LANGUAGES:
        sentences = [*map(_sentence, texts[language], found[language]["parts"])]
        own = len(words[language])
        catalogs[language] = Catalog(
            dict(zip(words[language], sentences[:own], strict=True)),
            dict(zip(messages[language], sentences[own:], strict=True)),
            frozenset(found[language]["forms"]),
            tuple(found[language]["faces"]),
        )
    return catalogs


def _sentence(text: str, parts: Any) -> Sentence:
    if parts is None:
        return Sentence(text)
    places = [*_places(parts)]
    names = {place[key] for place in places for key in ("name", "by") if place.get(key)}
    forms = {place["form"] for place in places if place.get("form")}
    return Sentence(text, frozenset(names), frozenset(forms), all(map(_is_whole, places)), tuple(_said(parts)))


def _places(parts: Sequence[Any]) -> Iterator[Mapping[str, Any]]:
    for part in parts:
        if not isinstance(part, str):
            yield part
            for case in part.get("cases", {}).values():
                yield from _places(case)


def _is_whole(place: Mapping[str, Any]) -> bool:
    cases = place.get("cases", {"other": []})
    return "other" in cases and (place.get("kind") != "plural" or all(map(_PLURAL.fullmatch, cases)))


def _said(parts: Sequence[Any]) -> list[str]:
    said = [""]
    for part in parts:
        ends = [part] if isinstance(part, str) else ["x"]
        if not isinstance(part, str) and "cases" in part:
            ends = [end for case in part["cases"].values() for end in _said(case)]
        said = [begin + end for begin in said for end in ends]
    return said


def _words_of(language: str) -> dict[str, str]:
    """Path -> text, of all the page's words in a language."""
    found: dict[str, str] = {}
    for file in sorted((STATIC / "languages" / language).glob("*.json")):
        if not file.stem.endswith("messages"):
            words = json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=_once)
            found |= dict(_flat(words, "" if file.stem == "page" else file.stem))
    return found


def _flat(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    else:
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _flat(part, f"{path}.{key}" if path else str(key))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON in which no key is there twice."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        assert key not in found, f"there twice: {key}"
        found[key] = value
    return found


def _translations(language: str) -> dict[str, str]:
    """msgid -> its translation, from all the catalogs of a language."""
    found: dict[str, str] = {}
    for file in sorted((STATIC / "languages" / language).glob("*messages.json")):
        for msgid, text in json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=list):
            assert msgid not in found, f"translated twice: {msgid}"
            found[msgid] = text
    return found


def faults(catalogs: Catalogs, expected: Mapping[str, frozenset[str]]) -> dict[str, list[str]]:
    """Language -> the mistakes in its catalog. `expected` is msgid -> the names of its parameters."""
    english = catalogs["en"].words
    found = {language: [*_words(each.words, english), *_sentences(each)] for language, each in catalogs.items()}
    for language in LANGUAGES[1:]:
        catalog = catalogs[language]
        found[language] += _english(catalog.words, english, SAME[language])
        found[language] += _messages(language, catalog, expected)
        found[language] += _looks(language, catalog)
    return found


def _words(words: Mapping[str, Sentence], english: Mapping[str, Sentence]) -> Iterator[str]:
    for path in english.keys() - words.keys():
        yield f"{path} is missing: {english[path].text}"
    for path in words.keys() - english.keys():
        yield f"{path} is no word of the page"
    for path, word in words.items():
        named = _NAMED.search(path)
        if word.names != ({*filter(None, named[1].split(", "))} if named else set()):
            yield f"{path} asks for other values: {word.text}"


def _english(words: Mapping[str, Sentence], english: Mapping[str, Sentence], same: set[str]) -> Iterator[str]:
    for path in english.keys() & words.keys():
        if (english[path].text == words[path].text) != (_NAMED.sub("", path) in same):
            yield f"{path} is English, or listed as if it were: {words[path].text}"


def _messages(language: str, catalog: Catalog, expected: Mapping[str, frozenset[str]]) -> Iterator[str]:
    messages = catalog.messages
    for msgid in expected.keys() - messages.keys():
        yield f"missing: {msgid}"
    for msgid in messages.keys() - expected.keys():
        yield f"nobody says: {msgid}"
    for msgid, message in messages.items():
        if message.names != expected.get(msgid):
            yield f"other parameters: {msgid} -> {message.text}"
        letters = re.search(r"[^\W\d_]", re.sub(r"\{\w+\}", "", msgid))
        if (message.text == msgid) != (msgid in SAME_MESSAGES[language]) and letters:
            yield f"the same as in English, or listed as if it were: {msgid}"


def _sentences(catalog: Catalog) -> Iterator[str]:
    sentences = [*catalog.words.values(), *catalog.messages.values()]
    yield from (f"not a sentence: {sentence.text}" for sentence in sentences if not sentence.whole)
    for form in catalog.forms ^ frozenset().union(*(sentence.forms for sentence in sentences)):
        if form not in _COMMON:
            yield f"the form {form} is not both there and asked for"


def _looks(language: str, catalog: Catalog) -> Iterator[str]:
    """Mistakes in the typography of the language."""
    wrong: dict[str, Callable[[str], object]] = {
        "a straight apostrophe": lambda text: re.search(r"\w'\w", text),
        "three dots": lambda text: "..." in text,
    }
    if language == "fr":
        wrong["no narrow space"] = lambda text: re.search(r"[^\u202f?!.][?!;»]|[^\u202f]:(?:\s|$)|«[^\u202f]", text)
    if language == "es":
        wrong["no opening mark"] = lambda text: ("?" in text and "¿" not in text) or ("!" in text and "¡" not in text)
    for text in (text for each in (catalog.messages, catalog.words) for one in each.values() for text in one.said):
        for what, is_so in wrong.items():
            if is_so(text):
                yield f"{what}: {text}"


def main() -> int:
    """Print the mistakes; the exit status is 1 if there are any."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(
            Parts(
                FakeTable(STATES["seating"]),
                access=Access(code="1234"),
                panel=FakePanel(),
                camera=FakeCamera(),
                pictures=Path(folder),
            )
        )
        with make_server(app, "127.0.0.1", 0) as server:
            driver = chromium.start(Path(folder) / "profile")
            try:
                driver.get(server.url)
                mistakes = faults(read(driver), messages.messages())
            finally:
                driver.quit()
    for language, lines in mistakes.items():
        for line in sorted(lines):
            print(f"{language}: {line}")
    return int(any(mistakes.values()))


if __name__ == "__main__":
    sys.exit(main())
