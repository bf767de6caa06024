"""The language of the page: the browser's or the chosen one, and English where words are missing."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from selenium import webdriver

from companion.messages import languages
from tests.browser.page import NOBODY, TABLET, Page, become
from tests.browser.site import Site
from web import page as page_files
from web.page import STATIC

pytestmark = pytest.mark.browser


@pytest.fixture
def driver(site: Site) -> webdriver.Chrome:
    """A browser with the page open."""
    return site.phone(NOBODY).driver


LANGUAGE = """
const [done] = arguments;
import(`/static/${document.documentElement.dataset.build}/languages/language.js`).then((words) =>
  words.ready.then(() => done(words.language)));"""


def test_a_file_of_a_language_is_asked_for_once_and_beside_the_modules(site: Site, driver: webdriver.Chrome) -> None:
    prefers(driver, "fr")
    driver.get(site.url)
    page = Page(driver, site.url)
    page.wait(lambda: "Manche 13" in page.text)
    asked = driver.execute_script(
        "return performance.getEntriesByType('resource').filter(({ name }) => name.includes('/languages/fr/'))"
        ".map(({ name, initiatorType }) => [name.split('/').pop(), initiatorType])"
    )
    first = [["grammar.js", "script"], ["messages.json", "link"], ["page.json", "link"]]
    assert [file for file in sorted(asked) if file[0] in {name for name, _ in first}] == first


def test_without_the_words_of_its_language_the_page_is_in_english(site: Site, driver: webdriver.Chrome) -> None:
    prefers(driver, "fr")
    driver.execute_cdp_cmd("Network.enable", {})
    driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*languages/fr/messages.json"]})
    driver.get(site.url)
    page = Page(driver, site.url)
    page.wait(lambda: "Round 13" in page.text)
    assert driver.execute_script("return document.documentElement.lang") == "en"


@pytest.mark.parametrize(
    ("kept", "browsers", "wanted"),
    [
        (None, "fr-CA,en", "fr"),
        (None, "ko-KR,it-CH,en", "it"),
        (None, "ko-KR,ja", "en"),
        (None, "NL", "nl"),
        ("es", "fr", "es"),
        ("xx", "fr", "fr"),
        (None, "en-GB,fr", "en"),
    ],
)
def test_the_language_is_the_chosen_one_or_else_the_first_known_one_of_the_browser(
    site: Site, driver: webdriver.Chrome, kept: str | None, browsers: str, wanted: str
) -> None:
    prefers(driver, browsers)
    keep = "kept === null ? localStorage.removeItem('perudo-language') : localStorage.setItem('perudo-language', kept)"
    driver.execute_script(f"const [kept] = arguments; {keep}", kept)
    driver.get(site.url)
    Page(driver, site.url).wait(lambda: driver.execute_async_script(LANGUAGE) == wanted)


def test_a_folder_is_all_that_a_language_needs(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    static = tmp_path / "static"
    shutil.copytree(STATIC, static)
    monkeypatch.setattr(languages, "FOLDER", static / "languages")
    monkeypatch.setattr(page_files, "load", partial(page_files.load, static))
    words = {"round(n)": "Rodada {n}", "bidBy(name)": "{name:of} apostou", "yourTurn": "Sua {vez"}
    for tag, offered in (("xx-BR", True), ("yy", False)):
        folder = static / "languages" / tag
        folder.mkdir()
        about = {"name": tag, "tags": [tag], "offered": offered}
        (folder / "language.json").write_text(json.dumps(about))
        (folder / "page.json").write_text(json.dumps(words))
    site.restart()
    page = site.phone("Ben")
    prefers(page.driver, "yy,xx-BR,fr")
    page.driver.refresh()
    page.wait(lambda: "Rodada 13" in page.text)
    assert "Ana apostou" in page.text
    assert page.driver.execute_script("return document.documentElement.lang") == "xx-BR"
    assert page.one(".icon.menu").get_attribute("aria-label") == "Menu"
    page.menu("settings")
    assert page.one("[data-setting='language'] option[value='xx-BR']").text == "xx-BR"
    assert page.all("[data-setting='language'] option[value='yy']") == []
    site.show(page, "reading")  # its messages are not there at all
    page.complaints()  # of the sentence without an end


def test_a_browser_of_no_known_language_is_told_which_there_are(
    site: Site, open_browser: Callable[..., webdriver.Chrome]
) -> None:
    driver = open_browser()
    prefers(driver, "ja")
    driver.get(site.url)
    page = Page(driver, site.url)
    choice = "header ~ .field select"
    page.wait(lambda: page.all(choice))
    assert page.texts(f"{choice} option") == [language.name for language in languages.offered()]
    page.one(choice).send_keys("Nederlands")
    page.wait(lambda: "Ronde 13" in page.text)
    assert page.all(choice) == []


def prefers(driver: webdriver.Chrome, languages: str) -> None:
    """Set the languages of the browser, as in the header Accept-Language."""
    agent = driver.execute_script("return navigator.userAgent")
    driver.execute_cdp_cmd("Emulation.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": languages})


def test_the_page_begins_in_the_browsers_language_and_remembers_another_choice(
    site: Site, open_browser: Callable[..., webdriver.Chrome]
) -> None:
    driver = open_browser()
    prefers(driver, "fr-CH,de")
    become(driver, site.url, site.access, TABLET)
    page = Page(driver, site.url)
    lang = "return document.documentElement.lang"
    assert (driver.execute_script(lang), "Manche 13" in page.text) == ("fr", True)
    page.menu("settings")
    page.one("[data-setting='language']").send_keys("Nederlands")
    page.wait(lambda: "Instellingen" in page.text)
    assert driver.execute_script(lang) == "nl"
    driver.refresh()
    page.wait(lambda: "Ronde 13" in page.text)
    assert driver.execute_script(lang) == "nl"
    assert page.complaints() == []
    assert page.elsewhere() == []
