"""The page of the box, and that of calibrating: they ask the box again and again, and have words of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from selenium import webdriver

from tests.browser.screen import Screen

HOLD = """
    if (location.pathname !== '/') {
      const real = window.setTimeout;
      window.setTimeout = (then, ms, ...more) => {
        if (ms !== 250 && ms !== 2000) return real(then, ms, ...more);
        window.askAgain = then;
      };
    }"""
"""Runs before the page: it asks the box again when a test wants to know, and not after so many ms."""
KNOCK = "const again = window.askAgain; window.askAgain = null; if (again) again();"
ASK = f"""
    const [done] = arguments;
    const frames = (n) => n ? requestAnimationFrame(() => frames(n - 1)) : done();
    const idle = (then) => window.askAgain ? then() : requestAnimationFrame(() => idle(then));
    const knock = () => {{ {KNOCK} }};
    idle(() => {{
      knock();
      idle(() => frames(2));
    }});"""
"""Done once the answer to a question that is asked from now on is drawn."""
SPEAK = """
    const [id, done] = arguments;
    const words = import(`/static/${document.documentElement.dataset.build}/languages/language.js`);
    words.then(({ chooseLanguage }) => chooseLanguage(id)).then(() => done(""), (error) => done(String(error)));"""
"""Gives the page the words of another language."""


class AskingPage(Screen):
    """A page that asks the box how it is whenever its test waits for something."""

    def __init__(self, driver: webdriver.Chrome, url: str) -> None:
        super().__init__(driver, url)
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": HOLD})

    def load(self, path: str, language: str = "en") -> None:
        """Load a page in a language, anew even if only its fragment is another."""
        self.driver.get(f"{self.url}api/v1/me")
        self.speak(language)
        self.driver.get(f"{self.url}{path}")

    def wait(self, so: Callable[[], Any], what: str = "") -> Any:
        def asked() -> Any:
            result = so()
            if not result:
                self.driver.execute_script(KNOCK)
            return result

        return super().wait(asked, what)

    def ask(self) -> None:
        """Have what the box says now drawn."""
        self.driver.execute_async_script(ASK)

    def now_in(self, language: str) -> None:
        """Have a page drawn in a language."""
        assert self.driver.execute_async_script(SPEAK, language) == ""
        self.ask()


class BoxPage(AskingPage):
    """A phone that looks at the page of the box."""

    def open(self, language: str = "en", *, joins: bool = False) -> None:
        self.load("box#join=1234" if joins else "box", language)
        self.wait(lambda: self.all("main .facts") and not self.all(".connecting"), "the page")
        if joins or self.all("section.health"):
            self.wait(lambda: self.all(".health details"), "how the box is")

    def open_sheet(self, name: str) -> None:
        """Open the sheet by its button, and wait until all of it is there."""
        self.tap(f"button.{name}")
        self.wait(lambda: self.all(".sheet > :nth-child(2)") and not self.all(".sheet .connecting"), name)
