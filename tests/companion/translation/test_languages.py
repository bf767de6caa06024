"""A language is a folder: what says so, what it lacks, and what is wrong with it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from calibration.sheet.pdf import sheet_pdf
from companion.messages import languages
from companion.translation.catalog import Note, mistakes, read_catalogs, read_notes
from companion.translation.sentence import sentence
from companion.translation.source import messages
from web.page import STATIC, load


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The languages' folder, with English and a copy of it, `de`."""
    folder = tmp_path / "languages"
    shutil.copytree(STATIC / "languages" / "en", folder / "en")
    shutil.copytree(folder / "en", folder / "de")
    monkeypatch.setattr(languages, "FOLDER", folder)
    return folder


def offer(folder: Path, language: str, *tags: str, **more: object) -> None:
    about = {"name": language.upper(), "tags": [language, *tags], "offered": True, **more}
    (folder / language).mkdir(exist_ok=True)
    (folder / language / "language.json").write_text(json.dumps(about))


def offered() -> list[str]:
    return [language.id for language in languages.offered()]


def found(folder: Path, language: str, notes: dict[str, Note] | None = None) -> list[str]:
    catalogs = read_catalogs(folder)
    return mistakes(catalogs[language], catalogs["en"], {}, notes or {})


def test_nothing_is_missing_or_wrong_in_any_language() -> None:
    """`perudo languages` prints the same."""
    catalogs, expected, notes = read_catalogs(), messages(), read_notes()
    assert len(expected) > 200
    assert {each.id: mistakes(each, catalogs["en"], expected, notes) for each in catalogs.values()} == {
        language: [] for language in catalogs
    }
    assert notes.keys() <= catalogs["en"].words.keys() | expected.keys()


def test_a_folder_says_whether_it_is_offered_and_a_copy_is_not(folder: Path) -> None:
    assert offered() == ["en"]
    offer(folder, "de")
    offer(folder, "pt-BR")
    assert offered() == ["en", "de", "pt-BR"]
    offer(folder, "de", offered=False)
    (folder / "pt-BR" / "language.json").write_text("{")
    assert offered() == ["en"]


def test_what_a_language_lacks_is_english_word_by_word(folder: Path) -> None:
    offer(folder, "de", wrongName="So heißt diese Box nicht.")
    page = json.loads((folder / "en" / "page.json").read_text())
    (folder / "de" / "page.json").write_text(
        json.dumps({"close": "Zu", "menu": "", "ways": {"clockwise": "↻"}, "themes": "?"})
    )
    (folder / "de" / "box.json").write_text("{")
    (folder / "de" / "past.json").unlink()
    (folder / "de" / "grammar.js").unlink()
    (folder / "fr").mkdir()
    (folder / "fr" / "rules-messages.json").write_text("{}")
    _, files = load(folder.parent)
    words = json.loads(files["languages/de/page.json"].data)
    assert words == page | {"close": "Zu", "ways": page["ways"] | {"clockwise": "↻"}}
    for name in ("box.json", "past.json", "grammar.js"):
        assert json.loads(files[f"languages/de/{name}"].data) if name.endswith("json") else files, name
        assert files[f"languages/de/{name}"].data == files[f"languages/en/{name}"].data or name == "box.json"
    assert files["languages/de/rules-messages.json"].data == b"{}"
    german = languages.offered()[1]
    assert (german.wrong_name, german.no_page) == ("So heißt diese Box nicht.", languages.offered()[0].no_page)


def test_the_sheet_of_a_language_without_its_words_is_english(folder: Path) -> None:
    offer(folder, "de", sheet={"title": "Perudo-Bogen, {paper}"})
    assert b"This line is 100 mm long" in sheet_pdf("a4", "de")
    assert b"Perudo-Bogen, A4" in sheet_pdf("a4", "de")
    assert sheet_pdf("a4", "xx") == sheet_pdf("a4", "en")


def test_what_is_missing_too_long_or_has_other_values_is_printed(folder: Path) -> None:
    notes = {"close": Note("Closes a sheet.", most=6), "menu": Note(most=4)}
    (folder / "de" / "page.json").write_text(
        json.dumps({"menu": "Speisen", "round(n)": "Runde", "menü": "x", "turn(name)": "{name", "code": "Code"})
    )
    lines = found(folder, "de", notes)
    for line in (
        "close is missing: Close (at most 6 letters) Closes a sheet.",
        "menu has more than 4 letters: Speisen",
        "round(n) asks for other values: Runde",
        "menü is no word of the page",
        "not a sentence: {name",
        "code is English, or the same on purpose: add it to “same” in language.json",
        "language.json has not de among its tags: the language is not offered",
    ):
        assert line in lines


def test_a_message_that_is_missing_or_nobody_says_is_printed(folder: Path) -> None:
    (folder / "de" / "messages.json").write_text(json.dumps({"Cups up, {name}!": "Becher hoch!", "Old.": "Alt."}))
    catalogs = read_catalogs(folder)
    expected = {"Cups up, {name}!": frozenset({"name"}), "New.": frozenset[str]()}
    lines = mistakes(catalogs["de"], catalogs["en"], expected, {})
    assert {"missing: New.", "nobody says: Old.", "other parameters: Cups up, {name}! -> Becher hoch!"} <= {*lines}


@pytest.mark.parametrize(
    ("text", "names", "whole", "variants"),
    [
        ("plain", set(), True, ["plain"]),
        ("{n:by:m}", {"n", "m"}, True, ["x"]),
        ("{n, plural, one {a die} other {{n} dice}}", {"n"}, True, ["a die", "x dice"]),
        ("{n, plural, one {a die}}", {"n"}, False, ["a die"]),
        ("{n, plural, odd {a} other {b}}", {"n"}, False, ["a", "b"]),
        ("{what, select, on {lit} other {{what}}}!", {"what"}, True, ["lit!", "x!"]),
        ("{n", set(), False, []),
        ("{n, plural, one {a die}", set(), False, []),
    ],
)
def test_a_sentence_is_read_as_the_page_reads_it(text: str, names: set[str], whole: bool, variants: list[str]) -> None:
    read = sentence(text)
    assert (read.names, read.is_whole, [each for each in read.variants if each]) == (names, whole, variants)
