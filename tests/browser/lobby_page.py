"""The lobby of a club in a browser: a real hub on a real database, and tables whose broker is a double."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flask import Flask

from companion.club.hub.hub import Hub
from companion.club.hub.store import Store
from companion.club.lobby.app import create_lobby
from companion.engine import CallKind
from companion.member.payloads import ClubBid, ClubPlayer, ClubVerdict, TableState
from companion.table.game.table_position import Phase
from tests.browser import chromium
from tests.browser.screen import Screen
from tests.fakes.club_broker import FakeBroker, FakeMember, NoCredentials
from tests.wait import wait_until
from web.access.access import Access
from web.stream.server import Server

TITLE = "The Liars"
EVERYBODY = ("Ana", "Ben", "Cid", "Dora")
PHONES = ((320, 568), (360, 640), (820, 1180))
UPRIGHT = (820, 1180)
"""A tablet that is held upright."""
TELEVISIONS = ((1280, 720), (1920, 1080))

SPILLS = """
    const wide = document.documentElement.clientWidth;
    const over = (e) => e.scrollWidth > e.clientWidth + 1 && ['hidden', 'clip'].includes(getComputedStyle(e).overflowX);
    const shown = (e) => e.getClientRects().length && !e.closest('svg, .hidden, .scrolls, textarea');
    return [...document.querySelectorAll('main *')]
      .filter((e) => shown(e) && (e.getBoundingClientRect().right > wide + 1 || over(e)))
      .map((e) => `${e.className}: ${e.textContent.slice(0, 40)}`);"""
"""What is cut, or beside the screen."""
FAST = """
    window.turns = 0;
    for (const name of ["setTimeout", "setInterval"]) {
      const real = window[name];
      window[name] = (then, ms) => ms < 4000 || ms >= 10000 ? real(then, ms) : real(() => {
        window.turns += name === "setInterval";
        then();
      }, 250);
    }"""
"""Turns the pages of a television, and asks whether the broker is there, every quarter second; counts the turns."""
SETTLED = """
    const done = arguments[0];
    const frames = (n) => n ? requestAnimationFrame(() => frames(n - 1)) : document.fonts.ready.then(done);
    frames(3);"""


SPEAK = """
    const [id, done] = arguments;
    const select = document.querySelector("[data-setting='language']");
    const choose = async (words) => {
      if (!select) await words.chooseLanguage(id);
      else select.value = id;
      (select || window).dispatchEvent(new Event(select ? "change" : "hashchange"));
    };
    const frames = (n) => n ? requestAnimationFrame(() => frames(n - 1)) : done();
    import(`/static/${document.documentElement.dataset.build}/languages/language.js`).then((words) => {
      const look = () => words.language === id ? frames(3) : requestAnimationFrame(look);
      choose(words).then(look);
    });"""
"""Chooses a language at the foot of the page, or for a television that has none; done once the page is drawn in it."""


class Club:
    """A hub, its lobby and its tables."""

    def __init__(self, folder: Path, serve: Callable[[Flask], Server]) -> None:
        self._folder, self._serve = folder, serve
        self.members: list[FakeMember] = []
        self.plug_in()

    def plug_in(self) -> None:
        """Start the hub, with what is in its database."""
        self.broker, self.store = FakeBroker(), Store(self._folder)
        self.hub = Hub(
            self.store, self.broker, NoCredentials(), ("mqtt://:1883", ""), title=TITLE, rng=random.Random(1)
        )
        self.hub.start()
        self._server = self._serve(create_lobby(self.hub, Access(code="1234"))).start()
        self.url = self._server.url

    def pull_the_plug(self) -> None:
        self._server.stop()
        self.hub.stop()
        self.store.close()

    def close(self) -> None:
        self.pull_the_plug()
        for member in self.members:
            member.close()

    def table(self, name: str = "Window", players: tuple[str, ...] = EVERYBODY) -> FakeMember:
        """One more table; the hub knows it."""
        number = len(self.members)
        folder = self._folder / f"table-{number}"
        folder.mkdir()
        member = FakeMember(self.broker, self.hub.club, f"t-{number}", name, folder, players, seed=number)
        self.members.append(member)
        member.be_online()
        wait_until(lambda: len(self.hub.tables()) == len(self.members))
        return member

    def tables(self, count: int, of: int = 4) -> list[FakeMember]:
        """Tables that show states which nobody played, for who looks at the layout: every phase, with `of` players."""
        made = []
        for number in range(count):
            made.append(self.table(f"Table {number + 1}"))
            made[-1].show(drawn_state(number, of))
        return made


NAMES = ("Ana", "Ben", "Willem-Jan", "Dora", "Maximilian", "Zoë", "Finn", "Yusuf")
COLOURS = ("red", "blue", "green", "yellow", "black", "white", "orange", "purple")
SENTENCE = (
    "2 fours and 1 paco make 3. The bid was 7 fours: that is wrong. Willem-Jan loses a die and opens the next round."
)


LONG_SENTENCE = SENTENCE.replace(".", ". Willem-Jan is down to one die: the next round is palifico.", 1)


LONG_NAMES = tuple(f"{name[0] * 23}{seat}" for seat, name in enumerate(NAMES))


def drawn_state(number: int, of: int, names: tuple[str, ...] = NAMES) -> TableState:
    """The `number`th of some states, with `of` players."""
    names = names[:of]
    dice = {name: (5, 3, 1, 4, 5, 0)[(seat + number) % 6] for seat, name in enumerate(names)}
    bid = ClubBid(names[number % of], 3 + number, number % 6 + 1)
    phase = (Phase.BIDDING, Phase.VERDICT, Phase.OVER, Phase.READING, Phase.BIDDING, Phase.CHECKING, Phase.ROLLING)[
        number % 7
    ]
    verdict = ClubVerdict(
        call=CallKind.DUDO,
        caller=names[1],
        bid=ClubBid(names[2], 7, 4),
        wild=True,
        count=3,
        correct=True,
        loses=names[2],
        lost=1,
        gains=None,
        eliminated=None,
        palifico=None,
        winner=None,
        sentence=LONG_SENTENCE if number % 2 else SENTENCE,
    )
    return TableState(
        version=number,
        phase=phase,
        paused=False,
        game=1,
        ruleset="asmodee-fr",
        rules_name="Perudo",
        calza=True,
        round=number + 4,
        turn=names[(number + 1) % of] if phase is Phase.BIDDING else None,
        opener=names[0],
        palifico=names[2] if number % 4 == 0 else None,
        wild=True,
        bid=bid if phase in (Phase.BIDDING, Phase.READING, Phase.CHECKING) else None,
        players=tuple(ClubPlayer(name, colour, dice[name]) for name, colour in zip(names, COLOURS, strict=False)),
        verdict=verdict if number % 3 != 2 or phase is Phase.VERDICT else None,
        winner=names[2] if phase is Phase.OVER else None,
        journal_ok=True,
        camera_ok=number % 5 != 3,
    )


class LobbyPage(Screen):
    """A browser in the lobby."""

    def __init__(self, driver: Any, url: str) -> None:
        super().__init__(driver, url)
        self.language = ""

    def open(self, path: str = "", size: tuple[int, int] = chromium.PHONE, language: str = "") -> None:
        chromium.resize(self.driver, size)
        self.driver.get(f"{self.url}api/v1/club")  # the page is loaded anew, even if only its fragment is another
        if language != self.language:
            self.speak(language)
            self.language = language
        self.driver.get(self.url + path)
        self.wait(lambda: self.all("main") and not self.all(".connecting"), path or "the lobby")
        self.wait_for_fonts()
        self.driver.execute_script("window.same = true")

    def now_in(self, language: str) -> None:
        """See `SPEAK`."""
        self.driver.execute_async_script(SPEAK, language)
        self.language = language

    def fit(self, size: tuple[int, int]) -> None:
        """Resize the screen, and wait until the page is drawn for it."""
        chromium.resize(self.driver, size)
        self.driver.execute_async_script(SETTLED)

    def hurry(self) -> None:
        """See `FAST`."""
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": FAST})

    @property
    def same(self) -> bool:
        """Whether the page was not loaded again since it was opened."""
        return bool(self.driver.execute_script("return window.same === true"))

    def manage(self, path: str = "#tournaments", **how: Any) -> None:
        """Open a page as a manager, whose code it enters."""
        self.open(path, **how)
        self.tap("[data-item='manage']")
        self.wait(lambda: self.all("[data-item='code']"), "the field for the code")
        self.one("[data-item='code']").send_keys("1234\n")
        self.wait(lambda: self.all("[data-item='invite']"), "what a manager does")

    def says(self, *texts: str) -> None:
        """Wait until the page says all of these."""
        self.wait(lambda: all(text in self.text for text in texts), " ".join(texts))
