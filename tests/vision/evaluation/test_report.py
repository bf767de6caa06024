"""The report has every mistake with its picture, and needs nothing outside its folder."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from vision.evaluation.report import PICTURE_FOLDER, LabelsResult, write_report
from vision.evaluation.scores import Label, PhotoResult, Truth, evaluate_photo
from vision.image_file import read_image, write_image
from vision.reading import Die

A, B, C = (20.0, 20.0, 40.0, 40.0), (100.0, 20.0, 40.0, 40.0), (200.0, 100.0, 40.0, 40.0)


class Page(HTMLParser):
    """The text of a page, and everything it would load or run."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.sources: list[str] = []
        self.text = ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.sources += [value or "" for key, value in attrs if key in {"src", "href", "srcset"}]

    def handle_data(self, data: str) -> None:
        self.text += data


def judged(name: str, labels: list[Label], dice: list[Die], **conditions: str) -> PhotoResult:
    return evaluate_photo(name, Truth(tuple(labels), Counter(label.face for label in labels), conditions), dice)


def report(folder: Path, *photos: PhotoResult, size: tuple[int, int] = (240, 320)) -> Page:
    for photo in photos:
        write_image(folder / photo.name, np.full((*size, 3), 90, np.uint8))
    return Page(write_report(folder / "out", [LabelsResult(folder / "labels.json", photos)], 0.9))


def test_each_misread_die_has_a_picture_and_a_sentence(tmp_path: Path) -> None:
    likeliest = ((6, 0.9), (3, 0.1))
    page = report(
        tmp_path,
        judged("right.png", [Label(3, A)], [Die(3, "red", A, 0.99)]),
        judged(
            "wrong.png",
            [Label(3, A), Label(5, B)],
            [Die(6, "red", A, 0.987, likeliest), Die(2, "blue", C, 0.8)],
            light="side",
        ),
    )
    assert "wrong.png: silent error" in page.text
    assert "right.png" not in page.text
    assert "wrong: true 3, read 6 red, confidence 0.987" in page.text
    assert "6: 0.90, 3: 0.10" in page.text
    assert "missed: true 5, not seen" in page.text
    assert "false: no die, read 2 blue, confidence 0.800" in page.text
    assert "light: side" in page.text
    assert len(page.sources) == 4  # the photo and three dice
    for source in page.sources:
        assert source.startswith(f"{PICTURE_FOLDER}/")
        assert read_image(tmp_path / "out" / source).size


def test_a_flagged_die_is_shown_even_if_all_is_right(tmp_path: Path) -> None:
    page = report(tmp_path, judged("a.png", [Label(3, A), Label(4, B)], [Die(3, "red", A, 0.4), Die(4, "red", B, 0.9)]))
    assert "a.png: flagged for nothing" in page.text
    assert "uncertain: true 3, read 3 red, confidence 0.400, players are asked" in page.text
    assert len(page.sources) == 2


def test_a_wrong_colour_is_shown_even_if_the_value_is_right(tmp_path: Path) -> None:
    page = report(tmp_path, judged("a.png", [Label(3, A, colour="blue")], [Die(3, "red", A, 0.9)]))
    assert "a.png: another colour read" in page.text
    assert "other colour: true 3 blue, read 3 red" in page.text


def test_the_report_runs_nothing_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    page = report(tmp_path, judged("a.png", [Label(3, A)], [Die(4, "red", A, 0.9)]))
    assert not page.tags.keys() & {"script", "link", "iframe", "object", "base"}
    assert not any("://" in source for source in page.sources)
    assert "url(" not in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")


def test_names_are_never_markup(tmp_path: Path) -> None:
    name = "<script>alert(1)<b>.png".replace("/", "")
    page = report(tmp_path, judged(name, [Label(3, A, conditions={"<i>": "<u>"})], [], **{"<s>": "&amp;"}))
    assert f"{name}: silent error" in page.text
    assert not page.tags.keys() & {"script", "b", "i", "u", "s"}


def test_large_photos_are_shrunk_and_dice_at_the_edge_have_a_picture(tmp_path: Path) -> None:
    edge = (3190.0, 2390.0, 60.0, 60.0)
    page = report(tmp_path, judged("a.png", [Label(3, edge)], []), size=(2400, 3200))
    photo, die = (read_image(tmp_path / "out" / source) for source in page.sources)
    assert max(photo.shape) == 900
    assert die.shape[0] == die.shape[1]


def test_a_missing_photo_is_reported(tmp_path: Path) -> None:
    index = write_report(tmp_path, [LabelsResult(tmp_path / "l.json", (judged("gone.png", [Label(3, A)], []),))], 0.9)
    assert "The photo could not be read: there is no such file." in Page(index).text


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(OSError, match="out"):
        write_report(tmp_path / "out", [], 0.9)
