"""The page of a table in a browser."""

from __future__ import annotations

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains

from tests.browser.screen import Screen

SHOWS = """
    const [version, phase, patience, done] = arguments;
    const until = performance.now() + patience;
    const timer = setInterval(() => look(), 500); // a browser that draws no frame still tells what it shows
    let over = false;
    const look = (drawn = false) => {
      if (over) return;
      const main = document.querySelector('main');
      const there = main && main.dataset.version === version && (!phase || main.classList[0] === phase);
      const shown = there && !document.querySelector('main > .connecting');
      over = shown || performance.now() > until;
      if (!over) return drawn && requestAnimationFrame(() => look(true));
      clearInterval(timer);
      done(shown);
    };
    look(true);"""
"""Checks at every frame whether a state is drawn; polling from Python would take many times as long."""
STILL = """
    const [patience, done] = arguments;
    const until = performance.now() + patience;
    const coming = () => document.querySelector('.sheet .connecting')
      || (document.querySelector('.sheet') && !document.querySelector('#app > main[inert]'));
    let before = '', frames = 0;
    const look = (now) => {
      const html = document.body.innerHTML;
      frames = html === before && !coming() ? frames + 1 : 0;
      before = html;
      if (frames === 5) done(true);
      else if (now > until) done(false);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);"""
"""Done once several frames in a row are the same, so that taps and fetched sheets are drawn."""
CODE = "1234"
"""The code of every table in these tests."""
TABLET = "the table's tablet"
WATCHING = "watching"


class Page(Screen):
    """A browser at the table."""

    def __init__(self, driver: webdriver.Chrome, url: str, seat: str | None = None, code: str = CODE) -> None:
        """A phone that has not joined, or with `seat` (a player, `TABLET` or `WATCHING`) one that has."""
        super().__init__(driver, url)
        driver.get(f"{url}#join={code}" if seat else url)
        self.wait(lambda: self.all("main:not(.nothing)"), "the first state")
        if seat:
            self.sit(seat)

    def sit(self, seat: str) -> None:
        """Choose whose phone this is."""
        self.wait(lambda: self.all(".seatchip:not(.join)"), "having joined")
        if not self.all(".who-are-you"):
            self.tap(".seatchip")
        chosen = {TABLET: "[data-role='table']", WATCHING: "[data-role='watching']"}.get(seat, f"[data-seat='{seat}']")
        self.tap(f".who-are-you {chosen}")
        self.wait(lambda: not self.all(".sheet"), f"being {seat}")

    def hold(self, selector: str, seconds: float = 0.75) -> None:
        """Hold a button down, as a thumb would."""
        button = self.one(f"{selector}:not([aria-disabled])")
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", button)
        ActionChains(self.driver).click_and_hold(button).pause(seconds).release().perform()

    @property
    def phase(self) -> str:
        return str(self.driver.execute_script("return document.querySelector('main').className.split(' ')[0]"))

    @property
    def version(self) -> int:
        """The version of the state that is drawn."""
        return int(self.driver.execute_script("return document.querySelector('main').dataset.version || 0"))

    def in_phase(self, phase: str) -> None:
        """Wait until the page shows `phase` and has fetched its files."""
        self.wait(lambda: self.phase == phase and not self.all("main > .connecting"), f"phase {phase}")

    def shows(self, version: int, phase: str = "") -> None:
        """Wait until this version of the state is drawn and its files are fetched."""
        drawn = self.driver.execute_async_script(SHOWS, str(version), phase, self.patience * 1000)
        assert drawn, f"waited for version {version} in {phase or 'any phase'}; the page says: {self.text}"

    def still(self) -> None:
        """Wait until nothing changes on the screen."""
        assert self.driver.execute_async_script(STILL, self.patience * 1000), f"the page goes on changing: {self.text}"
