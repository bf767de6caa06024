"""Labelled photographs through the page: each is given to the file input of a real Chromium, as a phone would send it.

The box runs with `--camera phone`. For every photograph a game is opened with as many dice of each colour as it shows;
the page bids, calls dudo and sends the picture. Where the labels have no colours, the game has those that the reader
sees in the file, so that nothing is asked only because nobody plays a colour.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from calibration.image import Image
from calibration.image_decoder import ImageError
from calibration.palette import COLOURS
from companion.box.process import Phone
from companion.engine.ruleset import BOUNDS
from tests.browser import chromium
from tests.browser.page import TABLET, Page
from tests.proof.box import Box
from tests.proof.report import Report
from vision.evaluation.document_section import write_between
from vision.evaluation.scores import LabelsError, Score, Truth, load_labels, percent, score_photo
from vision.image_file import read_image
from vision.reader import Reader
from vision.reading import Die

INPUT = ".photos input[type='file']:not([capture])"
ANSWER_TIME = 60.0
"""Seconds until the box has judged a picture, asked, or said what is wrong with it; generous for a busy machine."""
MOST_DICE = max(BOUNDS["dice_each"])
MARKS = "<!-- photos -->", "<!-- /photos -->"


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of one photograph."""

    file: Score
    """The reader's own reading of the file."""
    page: Score
    """What the box read through the page; of a picture that it did not take, nothing."""
    outcome: str
    """"verdict", "checking" for questions, or "photo" if another picture is wanted."""
    said: str
    """What is asked or wrong."""


class PhotoPage:
    """A box without a camera, and a phone's page of it."""

    def __init__(self, host: Phone, page: Page) -> None:
        self._host = host
        self._page = page

    def send(self, picture: Path, dice: Mapping[str, int]) -> dict[str, Any]:
        """The state after a call and this picture of `dice`, the number of each colour."""
        self._call(dice)
        self._page.one(INPUT).send_keys(str(picture.resolve()))
        until = time.monotonic() + ANSWER_TIME
        while True:
            state = self._host.state()
            code = (state["waiting"] or {}).get("code")
            if state["phase"] != "reading" or code == "photo":
                return state
            if problem := [element.text for element in self._page.all(".photos .problem")]:
                return {**state, "waiting": {"code": "photo", "sentence": problem[0]}}
            if time.monotonic() > until:
                raise TimeoutError(f"{picture.name} was not read; the page says: {self._page.text}")
            time.sleep(0.05)

    def _call(self, dice: Mapping[str, int]) -> None:
        players = [{"name": colour.title(), "colour": colour} for colour in dice]
        rules = {"most_players": max(BOUNDS["most_players"]), "dice_each": MOST_DICE}
        counts = {colour.title(): count for colour, count in dice.items()}
        game = {"players": players, "ruleset": "asmodee-fr", "rules": rules, "dice": counts, "abandon": True}
        self._host.change("game", game)
        self._page.in_phase("bidding")
        self._page.shows(self._host.state()["version"])
        self._page.tap(".bids button[data-face='2']")
        self._page.tap(".bidbutton:not([aria-disabled])")
        self._page.wait(lambda: self._host.state()["bid"])
        self._page.shows(self._host.state()["version"])
        self._page.hold(".callrow .dudo")
        self._page.in_phase("reading")


@contextlib.contextmanager
def photo_page() -> Iterator[PhotoPage]:
    """A box and its page, until the end."""
    with contextlib.ExitStack() as stack:
        box = stack.enter_context(Box("--no-panel", command=("run", "--camera", "phone")))
        driver = stack.enter_context(chromium.start())
        host = stack.enter_context(contextlib.closing(box.phone(role="table")))
        yield PhotoPage(host, Page(driver, f"http://{box.host}:{box.port}/", TABLET, box.code))


def in_game(truth: Truth, read: Iterable[Die]) -> dict[str, int]:
    """How many dice of each colour the game has: those of the labels, or else those that were read."""
    labels = [label.colour for label in truth.labels or ()]
    colours = [colour for colour in labels if colour] or [die.colour for die in read]
    counts = {colour: min(count, MOST_DICE) for colour, count in Counter(colours).items()}
    for colour in COLOURS:  # nobody plays alone
        if len(counts) < 2:
            counts.setdefault(colour, 1)
    return counts


def answer(page: PhotoPage, reader: Reader, picture: Path, truth: Truth) -> Answer:
    """Read a photograph as it is, then send it through the page. Raises `ImageError`."""
    image: Image = read_image(picture)
    read = reader.read_cautiously(image).dice
    state = page.send(picture, in_game(truth, read))
    waiting, reading = state["waiting"], state["reading"]
    taken = state["phase"] in ("verdict", "over", "checking")
    dice: list[Die] = []
    if taken:
        scale = image.shape[1] / reading["width"]
        for die in reading["dice"]:
            x, y, w, h = (scale * side for side in die["box"])
            dice.append(Die(die["face"], die["colour"], (x, y, w, h), die["confidence"], ()))
    outcome = "photo" if not taken else "checking" if state["phase"] == "checking" else "verdict"
    problems = [problem["sentence"] for problem in reading["problems"]] if taken else [waiting["sentence"]]
    return Answer(score_photo(truth, read), score_photo(truth, dice), outcome, " ".join(problems))


def table_of(sets: Mapping[str, Sequence[Answer]]) -> str:
    """The figures of each set of photographs, as a table."""
    lines = [
        "| photographs | number | dice | read right in the file | through the page | their colours "
        "| judged at once | of these wrongly | after questions | another picture wanted |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name, answers in sets.items():
        file, page = (sum((getattr(each, of) for each in answers), Score()) for of in ("file", "page"))
        outcomes = Counter(each.outcome for each in answers)
        wrong = sum(each.outcome == "verdict" and bool(each.page.silent) for each in answers)
        lines.append(
            f"| {name} | {len(answers)} | {file.dice} | {file.right} ({percent(file.right, file.dice)}) "
            f"| {page.right} ({percent(page.right, page.dice)}) | {percent(page.colour_right, page.coloured)} "
            f"| {outcomes['verdict']} | {wrong} | {outcomes['checking']} | {outcomes['photo']} |"
        )
    return "\n".join(lines)


@click.command()
@click.argument("labels", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--figures", type=click.Path(path_type=Path), help="Write the figures into this document.")
def attack(labels: tuple[Path, ...], figures: Path | None) -> None:
    """Send the photographs of LABELS, each beside its file, through the page, and compare what the box read."""
    report, reader = Report(), Reader.load()
    sets: dict[str, list[Answer]] = {}
    with photo_page() as page:
        for file in labels:
            try:
                truths = load_labels(file)
            except LabelsError as error:
                raise click.ClickException(str(error)) from error
            answers = sets.setdefault(file.resolve().parent.name, [])
            for name, truth in truths.items():
                try:
                    answers.append(answer(page, reader, file.parent / name, truth))
                except (ImageError, TimeoutError) as error:
                    report.check(name, good=False, figures=error)
                    continue
                last = answers[-1]
                lost = last.file.right - last.page.right
                figure = f"{last.page.right} of {last.page.dice}, {last.outcome}"
                fewer = f", {lost} fewer than in the file" if lost > 0 else ""
                click.echo(f"     {name}: {figure}{fewer}. {last.said}")
    for name, answers in sets.items():
        file, read = (sum(getattr(each, of).right for each in answers) for of in ("file", "page"))
        report.check(f"{name}: as many read through the page as in the files", read >= file, f"{read} and {file}")
    click.echo(table_of(sets))
    if figures is not None:
        write_between(figures, *MARKS, table_of(sets))
    report.end()
