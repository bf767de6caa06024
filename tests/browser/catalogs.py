"""What the catalogs of the page's languages lack or have in excess, as a list for tests and translators.

    python tests/browser/catalogs.py

The words are read in a real Chromium, since some are functions; the messages are JSON. Those that are said are found by
`messages.py`.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
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

_EVERYWHERE = {"title", "dudo", "calza", "palificoShort", "robot", "box.club.title"}
_NUMBERS = {"toldOf", "club.whole"}
_UNITS = {"box.backup.megabytes"}
_LOBBY = {"lobby.tabs.tables", "lobby.place", "lobby.phases.verdict"}
_BOX = {"box.version", "box.update.title", "box.wifi.title"}
SAME: Mapping[str, set[str]] = {
    "fr": {*_EVERYWHERE, "menu", "code", "colours.orange", *_BOX, *_LOBBY},
    "nl": {
        *(*_EVERYWHERE, *_UNITS, *_NUMBERS, "demo", "menu", "code", "openingRoll", "past.review.grades.blunder"),
        *("lobby.phases.rolling", "lobby.rating", "box.wifi.open"),
    },
    "it": {*_EVERYWHERE, *_UNITS, *_NUMBERS, "demo", "menu", "round", "box.wifi.title", "box.wifi.password"},
    "es": {
        *(*_EVERYWHERE, *_UNITS, *_NUMBERS, "demo", "figureDudos", "figureCalzas", "past.review.grades.error"),
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

_READ = r"""
const [ids, done] = arguments;
const base = `/static/${document.documentElement.dataset.build}`;
const GIVEN = [
  [3, 4, 5, 3, 4], ["Ana", "red", 3, "Ben"], ["Ana", 3, 4, "Ben"], [["Ana"]], ["Ana", "dudo", "Ben"], ["Ana", "on"],
];
const said = (value) => GIVEN.map((given) => {
  try {
    return String(value(...given));
  } catch {
    return null;
  }
});
const flat = (value, path, into) => {
  if (typeof value === "string") into[path] = { text: value };
  else if (typeof value === "function") into[path] = { takes: value.length, said: said(value) };
  else for (const key of Object.keys(value)) flat(value[key], path ? `${path}.${key}` : key, into);
  return into;
};
const read = async (id) => {
  const names = ["page", "calibration", "past", "demo", "lesson", "club", "lobby", "box"];
  const load = (name) => import(`${base}/languages/${id}/${name}.js`);
  const [table, own, past, demo, lesson, club, lobby, box] = await Promise.all(names.map(load));
  return [id, {
    words: [
      [table, ""], [own, "calibration"], [past, "past"], [demo, "demo"], [lesson, "lesson"], [club, "club"],
      [lobby, "lobby"], [box, "box"],
    ].reduce((words, [part, path]) => flat(part.words, path, words), {}),
    forms: table.grammar ? Object.keys(table.grammar.forms) : [],
  }];
};
Promise.all(ids.map(read)).then((found) => done(Object.fromEntries(found)), (error) => done(String(error)));
"""

Catalogs = Mapping[str, Mapping[str, Any]]


def read(driver: webdriver.Chrome) -> Catalogs:
    """Language -> its words (by path: a text, or the parameters and text of a function), its messages, its forms.

    The page must be open in `driver`.
    """
    catalogs = driver.execute_async_script(_READ, list(LANGUAGES))
    assert isinstance(catalogs, dict), catalogs
    return {language: {**catalog, "messages": _translations(language)} for language, catalog in catalogs.items()}


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
    english = catalogs["en"]["words"]
    return {
        language: [
            *_words(catalogs[language]["words"], english, SAME[language]),
            *_messages(language, catalogs[language], expected),
            *_looks(language, catalogs[language]),
        ]
        for language in LANGUAGES[1:]
    }


def _words(words: Mapping[str, Any], english: Mapping[str, Any], same: set[str]) -> Iterator[str]:
    for path in english.keys() - words.keys():
        yield f"{path} is missing: {english[path].get('text') or english[path]['said']}"
    for path in words.keys() - english.keys():
        yield f"{path} is no word of the page"
    for path in english.keys() & words.keys():
        theirs, ours = english[path], words[path]
        if theirs.get("takes") != ours.get("takes"):
            yield f"{path} takes other parameters than the English"
        elif path in same and not _alike(theirs, ours):
            yield f"{path} is not the same as in English, and need not be listed"
        elif path not in same and _alike(theirs, ours):
            yield f"{path} is English: {theirs.get('text') or theirs['said']}"


def _alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether both are the same text, with letters in it."""
    if "text" in one:
        return bool(one["text"] == other["text"])
    pairs = [(a, b) for a, b in zip(one["said"], other["said"], strict=True) if a is not None and b is not None]
    return bool(pairs) and all(a == b for a, b in pairs)


def _messages(language: str, catalog: Mapping[str, Any], expected: Mapping[str, frozenset[str]]) -> Iterator[str]:
    messages, forms = catalog["messages"], set(catalog["forms"])
    for msgid in expected.keys() - messages.keys():
        yield f"missing: {msgid}"
    for msgid in messages.keys() - expected.keys():
        yield f"nobody says: {msgid}"
    used: set[str] = set()
    for msgid, text in messages.items():
        places = re.findall(r"\{(\w+)(?::(\w+))?\}", text)
        used |= {form for _, form in places if form}
        if {name for name, _ in places} != expected.get(msgid):
            yield f"other parameters: {msgid} -> {text}"
        letters = re.search(r"[^\W\d_]", re.sub(r"\{\w+\}", "", msgid))
        if (text == msgid) != (msgid in SAME_MESSAGES[language]) and letters:
            yield f"the same as in English, or listed as if it were: {msgid}"
    for form in forms ^ used:
        yield f"the form {form} is not both there and asked for"


def _looks(language: str, catalog: Mapping[str, Any]) -> Iterator[str]:
    """Mistakes in the typography of the language."""
    texts = [*catalog["messages"].values()]
    for word in catalog["words"].values():
        texts += [word["text"]] if "text" in word else [text for text in word["said"] if text is not None]
    wrong: dict[str, Callable[[str], object]] = {
        "a straight apostrophe": lambda text: re.search(r"\w'\w", text),
        "three dots": lambda text: "..." in text,
    }
    if language == "fr":
        wrong["no narrow space"] = lambda text: re.search(r"[^\u202f?!.][?!;»]|[^\u202f]:(?:\s|$)|«[^\u202f]", text)
    if language == "es":
        wrong["no opening mark"] = lambda text: ("?" in text and "¿" not in text) or ("!" in text and "¡" not in text)
    for text in (re.sub(r"\{\w+(?::\w+)?\}", "x", text) for text in texts):
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
