"""One loaded page of a table in one language after the other, without loading it again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from selenium import webdriver

from companion.messages.languages import FOLDER, offered


def _longest(most: int) -> tuple[str, ...]:
    letters = {each.id: len((FOLDER / each.id / "page.json").read_text(encoding="utf-8")) for each in offered()[1:]}
    return tuple(sorted(letters, key=letters.__getitem__)[-most:])


LANGUAGES = ("en", *_longest(4))
"""English, and as many as are looked at: where the longest words fit, the others do."""

_CATCH = """
    const frame = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (draw) => { if (draw.name === 'tell') window.redraw = draw; return frame(draw); };"""
"""Keeps the function by which the page draws itself."""
_LEARN = """
    const [catalogs, done] = arguments;
    const bring = (name) => import(`/static/${document.documentElement.dataset.build}/languages/${name}.js`);
    const mark = (value) => {
      if (typeof value === 'string') return value && `⟦${value}⟧`;
      if (Array.isArray(value)) return value.map(mark);
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mark(part)]));
    };
    const translated = (_, msgid) => (msgid === '{text}' ? msgid : `⟦${msgid}⟧`);
    const some = () => '*';
    const list = (names) => names.join(', ');
    const parts = ['page', 'welcome', 'demo', 'past', 'club', 'lesson'];
    const learn = async () => {
      const language = await bring('language');
      await language.loadWords(...parts, ...catalogs);
      const found = {};
      for (const { id } of language.languages) {
        const { grammar } = await bring(`${id}/grammar`);
        const load = (names) => Promise.all(names.map((name) => language.loadFile(id, name)));
        const own = await load(parts);
        const words = Object.fromEntries(parts.map((name, n) => [name, own[n]]));
        found[id] = { grammar, words, messages: id === 'en' ? null : Object.assign({}, ...await load(catalogs)) };
      }
      const english = found.en.grammar;
      const stars = { faces: some, faceName: some, dice: some, aDie: some, colour: some, rounds: some, list };
      const messages = new Proxy({}, { has: () => true, get: translated });
      found.marked = { grammar: { ...english, ...stars }, words: mark(found.en.words), messages };
      window.speak = async (id) => {
        const all = id === 'marked';
        language.applyLanguage(all ? 'en' : id, found[id]);
        window.redraw();
        if (all) window.redraw(); // what is read aloud follows the language
      };
    };
    learn().then(() => done(''), (error) => done(String(error)));"""
_LOOK = """
    const [languages, ...given] = arguments, done = given.pop();
    const look = function () { SCRIPT };
    const all = async () => {
      const found = {};
      for (const id of languages) {
        await window.speak(id);
        await document.fonts.ready;
        found[id] = look(...given);
      }
      return found;
    };
    all().then(done, (error) => done(String(error)));"""


MARKED = "marked"
"""English, with every text of the catalogs between ⟦ and ⟧."""


def prepare(driver: webdriver.Chrome) -> None:
    """Prepare a browser for `learn`, before it loads the page."""
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _CATCH})


def learn(driver: webdriver.Chrome) -> None:
    """Load every language into the page, which then can speak any of them."""
    catalogs = sorted({file.stem for file in FOLDER.glob("*/*messages.json")})
    trouble = driver.execute_async_script(_LEARN, catalogs)
    assert trouble == "", trouble


def speak(driver: webdriver.Chrome, *languages: str) -> None:
    """Draw the page in each language. It stays in the last."""
    look(driver, languages, "")


def look(driver: webdriver.Chrome, languages: Sequence[str], script: str, *arguments: Any) -> dict[str, Any]:
    """What `script` returns in each language. The page then speaks the last of them."""
    found = driver.execute_async_script(_LOOK.replace("SCRIPT", script), languages, *arguments)
    assert isinstance(found, dict), found
    return found
