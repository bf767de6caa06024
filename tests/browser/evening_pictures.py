"""The picture of an evening with phones for docs: joining, a turn, the picture after dudo, the verdict.

python -m tests.browser.evening_pictures
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import cv2

from tests.browser import chromium
from tests.browser.box_pictures import PHONE, beside, save, screen
from tests.browser.page import Page
from tests.proof.box import Box
from vision.drawn.table_scene import SceneDie, TableScene, render_table

COMPANY = {"Ana": "red", "Ben": "blue", "Cid": "green"}
FACES = {"red": (4, 4, 1, 6, 2), "blue": (4, 3, 5, 5, 2), "green": (6, 4, 3, 1, 2)}
BIDS = (("Ana", 3, 4), ("Ben", 7, 4))
PLACES = {"red": (-150, -60), "blue": (90, -70), "green": (-30, 70)}
"""The middle of each player's dice on the table, in mm."""
SPREAD = ((0, 0), (38, 12), (-36, 16), (10, 42), (-6, -40))


def photograph(folder: Path) -> Path:
    """What lies on the table, as a file."""
    dice = tuple(
        SceneDie(x=PLACES[colour][0] + x, y=PLACES[colour][1] + y, angle=0.7 * n + x, face=face, colour=colour)
        for colour, faces in FACES.items()
        for n, (face, (x, y)) in enumerate(zip(faces, SPREAD, strict=True))
    )
    file = folder / "table.jpg"
    cv2.imwrite(str(file), render_table(TableScene(dice, (), (), seed=1), (2304, 1728)))
    return file


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as name,
        Box("--camera", "phone", "--no-panel", command=("run",)) as box,
    ):
        driver = chromium.start(PHONE)
        try:
            host = box.phone()
            players = [{"name": player, "colour": colour} for player, colour in COMPANY.items()]
            host.change("game", {"players": players, "ruleset": "asmodee-fr", "starter": "Ana", "open_lost": True})
            page = Page(driver, f"http://{box.host}:{box.port}/#join={box.code}")
            page.one(".who-are-you [data-seat='Cid']")
            page.driver.execute_script("document.documentElement.classList.add('figtree')")
            page.wait_for_fonts()
            shown = [screen(driver)]
            page.sit("Cid")
            for player, count, face in BIDS:
                host.change("bid", {"player": player, "count": count, "face": face})
            page.wait(lambda: page.all(".callrow .dudo:not([aria-disabled])"), "the turn")
            page.still()
            shown.append(screen(driver))
            page.hold(".callrow .dudo")
            page.in_phase("reading")
            page.still()
            shown.append(screen(driver))
            page.one(".photos input[type='file']").send_keys(str(photograph(Path(name))))
            page.in_phase("verdict")
            page.still()
            shown.append(screen(driver))
        finally:
            driver.quit()
    save("evening.webp", beside(*shown))


if __name__ == "__main__":
    main()
