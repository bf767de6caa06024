"""The page of a table in a browser."""

from __future__ import annotations

import contextlib
from urllib.parse import urlsplit

from selenium import webdriver
from selenium.common.exceptions import ElementClickInterceptedException
from selenium.webdriver.common.action_chains import ActionChains

from tests.browser.screen import Screen
from tests.wait import WAIT_PATIENCE, WaitedInVainError
from web.access.access import Access, cookie
from web.access.phones import Phone

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
    let frames = 0;
    const watch = new MutationObserver(() => { frames = 0; });
    watch.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    const look = (now) => {
      frames = coming() ? 0 : frames + 1;
      if (frames < 5 && now < until) return requestAnimationFrame(look);
      watch.disconnect();
      done(frames === 5);
    };
    requestAnimationFrame(look);"""
"""Done once nothing changes for several frames, so that taps and fetched sheets are drawn."""
TAPS = """
    const [selectors, patience, done] = arguments;
    const until = performance.now() + patience;
    const bubbles = true, finger = { button: 0, pointerId: 1, width: 20, height: 20 };
    const event = (selector) => {
      if (selector.startsWith('hold ')) return new PointerEvent('pointerdown', { ...finger, bubbles });
      if (selector.startsWith('[')) return new KeyboardEvent('keydown', { key: 'Enter', bubbles });
      return new MouseEvent('click', { bubbles });
    };
    const next = () => {
      const element = selectors.length && document.querySelector(selectors[0].replace('hold ', ''));
      if (element) element.dispatchEvent(event(selectors.shift()));
      if (!selectors.length) return done('');
      if (performance.now() > until) return done(selectors[0]);
      requestAnimationFrame(next);
    };
    next();"""
"""Taps each as soon as it is there."""
CODE = "1234"
"""The code of every table in these tests."""
TABLET = "the table's tablet"
WATCHING = "watching"
NOBODY = ""
"""A phone that has not joined."""
NO_SEAT = "no seat"
"""A phone that has joined, and is nobody's yet."""
FOLDS = {
    **dict.fromkeys(("void", "dice"), "wrong"),
    **dict.fromkeys(("leave", "join", "back", "others"), "company"),
    **dict.fromkeys(("past", "game", "end"), "games"),
    **dict.fromkeys(("settings", "calibrate", "panel"), "box"),
}
"""The choices of the menu that are behind another one."""
ROLES = {TABLET: "table", WATCHING: "watching"}


def become(driver: webdriver.Chrome, url: str, access: Access, seat: str) -> Phone | None:
    """Make a browser the phone of `seat`: a player, or one of the above. It has not loaded the page yet."""
    if seat == NOBODY:
        return None
    phone = access.phones.join()
    if seat != NO_SEAT:
        access.phones.sit(phone, *([ROLES[seat]] if seat in ROLES else ["player", seat]))
    known = {"url": url, "name": cookie(str(urlsplit(url).port)), "value": access.token(phone)}
    driver.execute_cdp_cmd("Network.setCookie", known)
    return phone


class Page(Screen):
    """A browser at the table."""

    def __init__(self, driver: webdriver.Chrome, url: str, seat: str | None = None, code: str = CODE) -> None:
        """A phone that has not joined, or with `seat` (a player, `TABLET` or `WATCHING`) one that has."""
        super().__init__(driver, url)
        driver.get(f"{url}#join={code}" if seat else url)
        self.wait(lambda: self.all("main:not(.nothing, :has(> .connecting))"), "the first state")
        self.wait_for_fonts()
        if seat:
            self.sit(seat)

    def sit(self, seat: str) -> None:
        """Choose whose phone this is."""
        chosen = f"[data-role='{ROLES[seat]}']" if seat in ROLES else f"[data-seat='{seat}']"

        def asked() -> bool:
            if self.all(f".who-are-you {chosen}"):
                return True
            with contextlib.suppress(ElementClickInterceptedException):  # it has not joined yet
                self.one(".firstscreen [data-item='who'], .seatchip:not(.join)").click()
            return False

        self.wait(asked, "who this is")
        self.tap(f"{'.sheet ' if self.all('.sheet') else ''}.who-are-you {chosen}")
        self.wait(lambda: not self.all(".sheet, .firstscreen"), f"being {seat}")

    def tap_each(self, *selectors: str) -> None:
        """Open what is behind these, one after the other, and wait until it is drawn.

        Elements of SVG, which begin with a bracket, get the key Enter; "hold ..." presses without letting go.
        """
        if missing := self.driver.execute_async_script(TAPS, selectors, WAIT_PATIENCE * 1000):
            raise WaitedInVainError(f"waited for {missing}; the page says: {self.text}")
        self.still()

    def hold(self, selector: str, seconds: float = 0.75) -> None:
        """Hold a button down, as a thumb would."""
        button = self.one(f"{selector}:not([aria-disabled])")
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", button)
        ActionChains(self.driver).click_and_hold(button).pause(seconds).release().perform()

    def menu(self, item: str) -> None:
        """Open the menu and tap an item, which may be folded into another."""
        self.tap(".icon.menu")
        self.one(".sheet .group")
        if not self.all(f".sheet .menu [data-item='{item}']"):
            self.tap(f".sheet .menu [data-item='{FOLDS[item]}']")
        self.tap(f".sheet .menu [data-item='{item}']")

    def press(self, name: str) -> None:
        """Press a button of the drawn panel, which is in the menu: "dudo" or "calza"."""
        self.menu("panel")
        self.tap(f".panel [data-button='{name}']")
        self.driver.execute_script(
            "document.querySelectorAll('.sheet.for-panel .close').forEach((each) => each.click())"
        )

    def unfold(self) -> None:
        """Show the judged picture under a verdict."""
        if not self.all(".pictured"):
            self.tap_each(".to-picture")
        self.one(".pictured")

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
        if not self.driver.execute_async_script(SHOWS, str(version), phase, WAIT_PATIENCE * 1000):
            raise WaitedInVainError(f"waited for version {version} {phase}; the page says: {self.text}")

    def still(self) -> None:
        """Wait until nothing changes on the screen."""
        if not self.driver.execute_async_script(STILL, WAIT_PATIENCE * 1000):
            raise WaitedInVainError(f"the page goes on changing: {self.text}")
