"""The sheet is OpenCV's board, and to scale on paper, whatever the printer and the screen."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.sheet import board, pdf
from calibration.sheet.board import BoardError
from calibration.sheet.sighting import find_sheet
from companion.messages.languages import offered

POINTS = 72 / 25.4
needs_poppler = pytest.mark.programs("pdftoppm")


def test_the_rectangles_are_opencvs_own_board() -> None:
    square = 66  # 50 pixels of marker and 16 of white: everything falls on whole pixels but the cells
    theirs = board.pattern().generateImage((board.COLUMNS * square, board.ROWS * square), marginSize=0)
    ours = board.picture(square)[square:-square, square:-square]
    middle = (theirs > 127) != (ours > 127)
    assert middle.mean() < 0.02  # cells of 8 1/3 pixels are rounded differently
    assert np.abs(theirs.astype(int) - ours).mean() < 8


def test_every_corner_of_the_picture_for_a_screen_is_found() -> None:
    sighting = find_sheet(board.picture(60))
    assert list(sighting.ids) == list(range(board.CORNERS))
    expected = board.corners(60.0)[:, :2] + 60 - 0.5
    off = sighting.points - expected
    assert np.abs(off - off.mean(axis=0)).max() < 0.15
    assert np.abs(off.mean(axis=0)).max() < 0.3  # OpenCV 4.10 counts from a pixel's corner, later ones from its middle


def test_the_svg_is_the_same_board_with_a_white_border_of_one_square() -> None:
    svg = board.svg(40)
    assert 'width="280" height="360"' in svg
    boxes = re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)h-", svg)
    assert len(boxes) == len(board.rectangles())
    assert np.allclose(np.array(boxes, float), (np.array(board.rectangles()) + np.array([1, 1, 0, 0])) * 40, atol=2e-3)


def test_a_ruler_printed_too_short_means_smaller_squares() -> None:
    assert board.square_from_ruler(97) == pytest.approx(0.97 * board.SQUARE_MM)
    assert board.square_from_ruler(100) == board.SQUARE_MM


@pytest.mark.parametrize("measured", [0, 10, 79.9, 121, 1000, float("nan")])
def test_a_ruler_of_impossible_length_is_refused(measured: float) -> None:
    with pytest.raises(BoardError, match="measure it again"):
        board.square_from_ruler(measured)


@pytest.mark.parametrize("side", [0, -3, 4.9, 101, float("nan")])
def test_a_square_of_impossible_size_is_refused(side: float) -> None:
    with pytest.raises(BoardError):
        board.check_square(side)


# The PDF


@pytest.mark.parametrize("paper", board.PAPERS)
@pytest.mark.parametrize("language", [language.id for language in offered()])
def test_the_pdf_is_complete_and_its_table_of_objects_is_right(paper: str, language: str) -> None:
    content = pdf.sheet_pdf(paper, language)
    assert content.startswith(b"%PDF-1.6\n")
    assert content.endswith(b"%%EOF\n")
    assert b"/PrintScaling /None" in content
    start = int(content.split(b"startxref\n")[1].split(b"\n")[0])
    assert content[start:].startswith(b"xref\n")
    entries = re.findall(rb"(\d{10}) 00000 n ", content[start:])
    for number, place in enumerate(entries, 1):
        assert content[int(place) :].startswith(b"%d 0 obj" % number)
    page = board.PAPERS[paper]
    assert b"/MediaBox [0 0 %.4f %.4f]" % (page.width * POINTS, page.height * POINTS) in content


@pytest.mark.parametrize("paper", board.PAPERS)
def test_everything_is_within_the_printable_area(paper: str) -> None:
    """Most leave 6.4 mm blank at the edges."""
    page = board.PAPERS[paper]
    text = pdf.sheet_pdf(paper).decode("latin-1")
    for x, y, w, h in (
        (float(n) for n in found) for found in re.findall(r"([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re", text)
    ):
        assert min(x, y, page.width - x - w, page.height - y - h) > 6.4
    for y in re.findall(r"1 0 0 -1 [\d.]+ ([\d.]+) Tm", text):
        assert float(y) < page.height - 6.4


def test_an_unknown_paper_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BoardError, match="a4 and letter"):
        pdf.sheet_pdf("a0")


def test_a_language_without_words_gets_english() -> None:
    assert pdf.sheet_pdf("a4", "xx") == pdf.sheet_pdf("a4", "en")


@needs_poppler
@pytest.mark.parametrize("paper", board.PAPERS)
def test_a_pdf_reader_shows_the_board_and_the_ruler_to_scale(paper: str, tmp_path: Path) -> None:
    file = tmp_path / "sheet.pdf"
    file.write_bytes(pdf.sheet_pdf(paper))
    dpi = 200
    result = subprocess.run(
        ["pdftoppm", "-r", str(dpi), "-png", "-singlefile", str(file), str(tmp_path / "sheet")],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert result.stderr == ""
    image = cv2.imread(str(tmp_path / "sheet.png"), cv2.IMREAD_GRAYSCALE)
    sighting = find_sheet(image)
    assert len(sighting.ids) == board.CORNERS
    mm = 25.4 / dpi
    away = sighting.points * mm - sighting.points[0] * mm
    expected = board.corners()[:, :2] - board.corners()[0, :2]
    assert np.abs(away - expected).max() < 0.1  # of 132 and 198 mm
    longest = np.linalg.norm(sighting.points[-1] - sighting.points[0]) * mm
    assert longest == pytest.approx(np.linalg.norm(expected[-1]), rel=0.005)
    below = image[round((sighting.points[:, 1].max() * mm + board.SQUARE_MM + 3) / mm) :]
    line = max(below, key=lambda row: int((row < 128).sum()))  # the ruler's own line is the longest there
    dark = np.flatnonzero(line < 128)
    assert (dark.max() - dark.min()) * mm == pytest.approx(board.RULER_MM, rel=0.005)
