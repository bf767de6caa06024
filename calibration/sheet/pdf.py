"""The sheet as a PDF, to scale: the board, a ruler of 100 mm to check the printer, and instructions.

PDF 1.6 (ISO 32000-1 is its successor): one page, Helvetica, which every reader has, and `/PrintScaling /None`, which
asks the print dialogue not to scale the page. Not every printer obeys, hence the ruler.
"""

from __future__ import annotations

import re
from typing import Final

from calibration.sheet.board import COLUMNS, MARKER_MM, PAPERS, ROWS, RULER_MM, SQUARE_MM, BoardError, Paper, rectangles
from companion.messages.languages import SheetWords, sheet_words

_POINTS_PER_MM: Final = 72 / 25.4
_STRIP_MM: Final = 27.0
"""Height of the strip under the board, with the ruler and the text."""


def sheet_pdf(paper: str = "a4", language: str = "en") -> bytes:
    """The sheet on `paper`, one of `PAPERS`; in English if `language` is not available. Raises `BoardError`."""
    if paper not in PAPERS:
        raise BoardError(f"there is no sheet for the paper {paper!r}: there are {' and '.join(PAPERS)}")
    page, words = PAPERS[paper], sheet_words(language)
    return _file(page, _content(page, words), words.title.format(paper=page.name))


def _content(page: Paper, words: SheetWords) -> bytes:
    """The drawing commands, in millimetres from the page's upper left corner downwards."""
    across, down = COLUMNS * SQUARE_MM, ROWS * SQUARE_MM
    left, top = (page.width - across) / 2, (page.height - down - _STRIP_MM) / 2
    values = {"paper": page.name, "square": f"{SQUARE_MM:g}", "marker": f"{MARKER_MM:g}"}
    lines = [f"{_POINTS_PER_MM:.8f} 0 0 {-_POINTS_PER_MM:.8f} 0 {page.height * _POINTS_PER_MM:.4f} cm"]
    # One path, filled once, because rectangles filled one by one may leave hairlines between them.
    lines += [
        f"{left + x * SQUARE_MM:.4f} {top + y * SQUARE_MM:.4f} {w * SQUARE_MM:.4f} {h * SQUARE_MM:.4f} re"
        for x, y, w, h in rectangles()
    ]
    lines.append("f")
    ruler = (page.width - RULER_MM) / 2
    line = top + down + 12.0
    lines += ["0.2 w", *_ruler(ruler, line)]
    texts = [
        (ruler - 2.0, line, 7.5, 1.0, "0"),
        (ruler + RULER_MM + 2.0, line, 7.5, 0.0, f"{RULER_MM:g} mm"),
        (page.width / 2, line + 5.0, 7.5, 0.5, words.measure.format(**values)),
        (page.width / 2, line + 9.0, 7.5, 0.5, words.do.format(**values)),
        (page.width / 2, line + 13.0, 7.5, 0.5, words.title.format(**values)),
    ]
    drawn = [part.encode("ascii") for part in lines]
    drawn += [_text(x, y, size, anchor, text) for x, y, size, anchor, text in texts]
    return b"\n".join(drawn)


def _ruler(left: float, line: float) -> list[str]:
    """A line with a tick at each end and at every millimetre."""
    ticks = [f"{left:.4f} {line:.4f} m {left + RULER_MM:.4f} {line:.4f} l"]
    for mm in range(round(RULER_MM) + 1):
        high = 5.0 if mm % 50 == 0 else 4.0 if mm % 10 == 0 else 3.0 if mm % 5 == 0 else 1.8
        ticks.append(f"{left + mm:.4f} {line:.4f} m {left + mm:.4f} {line - high:.4f} l")
    return [*ticks, "S"]


def _text(x: float, y: float, size: float, anchor: float, text: str) -> bytes:
    """One line of text with its middle (`anchor` 0.5), end (1) or beginning (0) at `x`; `size` is in points."""
    start = x - anchor * sum(map(_width, text)) * size / _POINTS_PER_MM
    escaped = re.sub(rb"[()\\]", rb"\\\g<0>", text.replace("\u202f", "\xa0").encode("cp1252", "replace"))
    at = f"BT /F1 {size / _POINTS_PER_MM:.4f} Tf 1 0 0 -1 {start:.4f} {y:.4f} Tm (".encode("ascii")
    return at + escaped + b") Tj ET"


_WIDTHS: Final = {
    **dict.fromkeys("ijl'", 0.222),
    **dict.fromkeys(" .,:;ftIí!/-", 0.278),
    **dict.fromkeys("r()", 0.333),
    **dict.fromkeys("cksvxyz", 0.5),
    **dict.fromkeys("wCDHNRU", 0.722),
    **dict.fromkeys("mM", 0.833),
    "%": 0.889,
}


def _width(letter: str) -> float:
    """Approximate width of a letter in Helvetica, in font sizes: good enough to centre a line."""
    return _WIDTHS.get(letter, 0.667 if letter.isupper() else 0.556)


def _file(page: Paper, content: bytes, title: str) -> bytes:
    box = f"[0 0 {page.width * _POINTS_PER_MM:.4f} {page.height * _POINTS_PER_MM:.4f}]"
    name = b"\xfe\xff" + title.encode("utf-16-be")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None /DisplayDocTitle true >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R >> >> >>".encode("ascii"),
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Title <%b> /Producer (perudo-companion) >>" % name.hex().encode("ascii"),
    ]
    out = bytearray(b"%PDF-1.6\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, each in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, each)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R /Info 6 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
    return bytes(out)
