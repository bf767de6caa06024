"""The page in five languages: complete, grammatical, chosen by the browser, and without text outside the catalogs."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from selenium import webdriver
from selenium.webdriver.common.keys import Keys

from companion.messages.message import Colour, Dice, Face, Faces, Message, Names, Rounds, parts_of
from companion.table.game import sentences
from tests.browser import catalogs, chromium, messages, pictures
from tests.browser.page import Page
from tests.fakes.public_state import in_json
from tests.fakes.states import CLUB, STATES
from tests.fakes.table import FakeCamera, FakePanel, FakeTable
from web import create_app
from web.access.access import Access
from web.page import PAGES, imported, load
from web.stream.server import Server

pytestmark = pytest.mark.browser

Shown = tuple[FakeTable, str]
NARROW = (320, 568)
OTHERS = catalogs.LANGUAGES[1:]
LIGHT = 80_000
"""Compressed bytes of everything that a page loads before the first picture."""


@pytest.fixture
def site(tmp_path: Path, serve: Callable[[Flask], Server]) -> Iterator[Shown]:
    """A table that shows states, and the address of its page."""
    table = FakeTable(STATES["seating"])
    camera = FakeCamera()
    access = Access(code="1234")
    app = create_app(table, access=access, panel=FakePanel(), camera=camera, pictures=tmp_path)
    (tmp_path / "3.jpg").write_bytes(app.test_client().get("/api/v1/frame.jpg").data)
    with serve(app) as server:
        yield table, server.url


@pytest.fixture
def driver(site: Shown, open_browser: Callable[..., webdriver.Chrome]) -> webdriver.Chrome:
    """A browser with the page open."""
    driver = open_browser()
    driver.get(site[1])
    return driver


WORDS = "import(`/static/${document.documentElement.dataset.build}/languages/language.js`)"
USE = f"""
const [id, done] = arguments;
const use = async (w) => {{ await w.chooseLanguage(id); await w.loadMessages("rules", "story", "club"); }};
{WORDS}.then(use).then(() => done(""), (error) => done(String(error)));
"""
SAY = f"""
const [things, done] = arguments;
{WORDS}.then((w) => done(things.map((thing) => w.textOf(thing))));
"""
PREFERRED = f"""
const [asked, done] = arguments;
{WORDS}.then((w) => done(asked.map(([kept, tags]) => w.preferred(kept, tags))));
"""
WORD = f"""
const [path, given, done] = arguments;
{WORDS}.then((w) => done(path.split(".").reduce((words, key) => words[key], w.say)(...given)));
"""


def speak(driver: webdriver.Chrome, language: str) -> None:
    assert driver.execute_async_script(USE, language) == ""


def say(driver: webdriver.Chrome, *texts: str) -> list[str]:
    """These messages in the language of the page."""
    things = [{"sentence": str(text), "said": in_json(parts_of(text))} for text in texts]
    return list(driver.execute_async_script(SAY, things))


# Complete


def test_every_language_has_every_word_and_every_message_and_no_other(driver: webdriver.Chrome) -> None:
    """What is missing, unused or English: `python tests/browser/catalogs.py` prints the same."""
    assert catalogs.faults(catalogs.read(driver), messages.messages()) == {language: [] for language in OTHERS}


@pytest.mark.parametrize("language", OTHERS)
def test_the_page_is_small_in_every_language(language: str) -> None:
    _, files = load()
    for page in (PAGES["/"], PAGES["/board"]):
        names = {*imported(files, page.module), *imported(files, f"languages/{language}/page.js"), *page.styles}
        html = gzip.compress((Path("web/templates") / page.template).read_bytes())
        assert sum(len(files[name].packed) for name in names) + len(html) < LIGHT


# Grammar


def counted(count: int, face: int) -> Message:
    return Message("{player}'s bid of {bid}", player="Élise", bid=Faces(count, face))


SAID: list[tuple[Message, dict[str, str]]] = [
    (
        counted(1, 1),
        {
            "en": "Élise's bid of 1 paco",
            "fr": "la proposition d'Élise (1 paco)",
            "nl": "het bod van Élise (1 paco)",
            "it": "la dichiarazione di Élise (1 paco)",
            "es": "la apuesta de Élise (1 paco)",
        },
    ),
    (
        counted(3, 1),
        {
            "fr": "la proposition d'Élise (3 paco)",
            "nl": "het bod van Élise (3 paco's)",
            "it": "la dichiarazione di Élise (3 paco)",
            "es": "la apuesta de Élise (3 pacos)",
        },
    ),
    (
        counted(1, 5),
        {
            "fr": "la proposition d'Élise (1 cinq)",
            "nl": "het bod van Élise (1 vijf)",
            "es": "la apuesta de Élise (1 cinco)",
        },
    ),
    (
        counted(2, 2),
        {
            "fr": "la proposition d'Élise (2 deux)",
            "nl": "het bod van Élise (2 tweeën)",
            "it": "la dichiarazione di Élise (2 due)",
            "es": "la apuesta de Élise (2 doses)",
        },
    ),
    (
        counted(12, 6),
        {
            "fr": "la proposition d'Élise (12 six)",
            "nl": "het bod van Élise (12 zessen)",
            "it": "la dichiarazione di Élise (12 sei)",
            "es": "la apuesta de Élise (12 seises)",
        },
    ),
    (
        Message("{faces} and {pacos} makes {count}.", faces=Faces(0, 4), pacos=Faces(1, 1), count=1),
        {
            "en": "No fours and 1 paco makes 1.",
            "fr": "Aucun quatre et 1 paco, ça fait 1.",
            "nl": "Geen vieren en 1 paco is samen 1.",
            "it": "Nessun quattro e 1 paco fanno 1.",
            "es": "Ningún cuatro y 1 paco suman 1.",
        },
    ),
    (
        Message("There are {faces}; pacos do not count in a palifico round.", faces=Faces(0, 3)),
        {
            "fr": "Il n'y a aucun trois\u202f; les paco ne comptent pas dans une manche palifico.",
            "nl": "Er zijn geen drieën; paco's tellen niet in een palifico-ronde.",
            "it": "Non c'è nessun tre; in un round palifico i paco non contano.",
            "es": "No hay ningún tres; en una ronda palifico los pacos no cuentan.",
        },
    ),
    (
        Message("There is {faces}.", faces=Faces(1, 2)),
        {"fr": "Il y a 1 deux.", "nl": "Er is 1 twee.", "it": "C'è 1 due.", "es": "Hay 1 dos."},
    ),
    (
        Message("There are {faces}.", faces=Faces(4, 2)),
        {"fr": "Il y a 4 deux.", "nl": "Er zijn 4 tweeën.", "it": "Ci sono 4 due.", "es": "Hay 4 doses."},
    ),
    (
        Message("I don't see {player}'s {colour} die.", player="Ana", colour=Colour("white")),
        {
            "fr": "Je ne vois pas le dé blanc d'Ana.",
            "nl": "Ik zie de witte dobbelsteen van Ana niet.",
            "it": "Non vedo il dado bianco di Ana.",
            "es": "No veo el dado blanco de Ana.",
        },
    ),
    (
        Message("I see {dice}, and {player} has {have}.", dice=Dice(6, "orange"), player="Ben", have=5),
        {
            "fr": "Je vois 6 dés orange, et Ben en a 5.",
            "nl": "Ik zie 6 oranje dobbelstenen, en Ben heeft er 5.",
            "it": "Vedo 6 dadi arancioni, e Ben ne ha 5.",
            "es": "Veo 6 dados naranjas, y Ben tiene 5.",
        },
    ),
    (
        Message("I see {dice}, and {player} has none.", dice=Dice(1, "blue"), player="Ben"),
        {
            "fr": "Je vois 1 dé bleu, et Ben n'en a plus.",
            "nl": "Ik zie 1 blauwe dobbelsteen, en Ben heeft er geen meer.",
            "it": "Vedo 1 dado blu, e Ben non ne ha più.",
            "es": "Veo 1 dado azul, y a Ben no le queda ninguno.",
        },
    ),
    (
        sentences.foreign("green", 6),
        {
            "en": "I see a green die (six), and nobody plays green.",
            "fr": "Je vois un dé vert (six), et personne n'a les dés verts.",
            "nl": "Ik zie een groene dobbelsteen (zes), en niemand speelt met groen.",
            "it": "Vedo un dado verde (sei), e nessuno ha i dadi verdi.",
            "es": "Veo un dado verde (seis), y nadie tiene los dados verdes.",
        },
    ),
    (
        Message("I'm not sure about one die. Is it a {face}? Tap it.", face=Face(1)),
        {
            "fr": "Il y a un dé que je lis mal. Est-ce un paco\u202f? Touche-le.",
            "nl": "Eén dobbelsteen kan ik niet goed lezen. Is het een paco? Tik erop.",
            "it": "C'è un dado che leggo male. È un paco? Toccalo.",
            "es": "Hay un dado que no leo bien. ¿Es un paco? Tócalo.",
        },
    ),
    (
        sentences.waiting([sentences.missing("Ana", "purple", 0, 1)], 3, 4),
        {
            "en": "I don't see Ana's purple die; waiting for cups and hands.",
            "fr": "Je ne vois pas le dé violet d'Ana\u202f; j'attends que gobelets et mains s'en aillent.",
            "nl": "Ik zie de paarse dobbelsteen van Ana niet; ik wacht tot bekers en handen weg zijn.",
            "it": "Non vedo il dado viola di Ana; aspetto che bicchieri e mani se ne vadano.",
            "es": "No veo el dado morado de Ana; espero a que se vayan cubiletes y manos.",
        },
    ),
    (
        sentences.waiting([], 3, 9, ["Ana", "Ben"]),
        {
            "en": "I see none of Ana's and Ben's dice: is there a cup over them still?",
            "fr": "Je ne vois aucun dé d'Ana ni de Ben\u202f: y a-t-il encore un gobelet dessus\u202f?",
            "es": "No veo ningún dado de Ana y de Ben: ¿hay todavía un cubilete encima?",
        },
    ),
    (
        Message("{label}: {value}.", label=Message("lost dice"), value=Message("in the box")),
        {
            "en": "Lost dice: in the box.",
            "fr": "Dés perdus\u202f: dans la boîte.",
            "nl": "Verloren dobbelstenen: in de doos.",
            "it": "Dadi persi: nella scatola.",
            "es": "Dados perdidos: en la caja.",
        },
    ),
    (
        sentences.unwritten(Message("The file {file} is gone.", file="/j")),
        {
            "fr": "Le journal ne s'écrit plus\u202f: le fichier /j a disparu. "
            "La partie continue, gardée en mémoire\u202f; elle est perdue si on éteint le boîtier avant d'y remédier.",
        },
    ),
    (
        Message("{player} won the game after {rounds}.", player="ana", rounds=Rounds(1)),
        {
            "en": "ana won the game after 1 round.",
            "fr": "ana a gagné la partie après 1 manche.",
            "nl": "ana won het spel na 1 ronde.",
            "it": "ana ha vinto la partita dopo 1 round.",
            "es": "ana ganó la partida tras 1 ronda.",
        },
    ),
    (
        Message("The game was ended after {rounds}, before anybody had won.", rounds=Rounds(0)),
        {
            "fr": "La partie a été arrêtée après 0 manche, avant que quelqu'un gagne.",
            "nl": "Het spel is gestopt na 0 rondes, voordat iemand had gewonnen.",
            "es": "La partida se dio por terminada tras 0 rondas, antes de que nadie ganara.",
        },
    ),
    (
        Message("Lift the cups one after the other: {players}.", players=Names(("Ana", "Eva", "Inés"))),
        {
            "fr": "Levez les gobelets l'un après l'autre\u202f: Ana, Eva et Inés.",
            "nl": "Til de bekers één voor één op: Ana, Eva en Inés.",
            "es": "Hay que levantar los cubiletes uno tras otro: Ana, Eva e Inés.",
        },
    ),
    (
        Message("Lift the cups one after the other: {players}.", players=Names(("Ben", "Eva"))),
        {
            "it": "Alzate i bicchieri uno dopo l'altro: Ben ed Eva.",
            "es": "Hay que levantar los cubiletes uno tras otro: Ben y Eva.",
        },
    ),
    (Message("{player}'s dudo", player="Yves"), {"fr": "le dudo d'Yves"}),
    (Message("{player}'s dudo", player="Yann"), {"fr": "le dudo de Yann"}),
    (
        Message("There are {faces} and {pacos}.", faces=Faces(0, 4), pacos=Faces(0, 1)),
        {
            "fr": "Il n'y a aucun quatre ni aucun paco.",
            "it": "Non c'è nessun quattro né nessun paco.",
            "es": "No hay ningún cuatro ni ningún paco.",
        },
    ),
    (
        Message(
            "{round} can be drawn: {players} players at {tables}.",
            round=Message("round {number}", number=3),
            players=17,
            tables=Names(
                (Message("1 table of {size}", size=5), Message("{tables} tables of {size}", tables=3, size=4))
            ),
        ),
        {
            "en": "Round 3 can be drawn: 17 players at 1 table of 5 and 3 tables of 4.",
            "fr": "On peut tirer au sort la ronde 3\u202f: 17 joueurs à 1 table de 5 et 3 tables de 4.",
            "nl": "Ronde 3 kan worden geloot: 17 spelers aan 1 tafel van 5 en 3 tafels van 4.",
            "it": "Si può sorteggiare il turno 3: 17 giocatori a 1 tavolo da 5 e 3 tavoli da 4.",
            "es": "Se puede sortear la ronda 3: 17 jugadores en 1 mesa de 5 y 3 mesas de 4.",
        },
    ),
    (
        Message(
            "{round} can be drawn: {players} players go on, at {tables}.",
            round=Message("the play-off"),
            players=2,
            tables=Message("one table"),
        ),
        {
            "en": "The play-off can be drawn: 2 players go on, at one table.",
            "fr": "On peut tirer au sort le barrage\u202f: 2 joueurs continuent, à une seule table.",
            "nl": "De beslissingsronde kan worden geloot: 2 spelers gaan door, aan één tafel.",
            "it": "Si può sorteggiare lo spareggio: passano 2 giocatori, a un solo tavolo.",
            "es": "Se puede sortear el desempate: pasan 2 jugadores, en una sola mesa.",
        },
    ),
    (
        Message(
            "{missing} of {results} results of {round} are missing: tables {tables}.",
            missing=2,
            results=9,
            round=Message("round {number}", number=1),
            tables=Names(("6", "8")),
        ),
        {
            "en": "2 of 9 results of round 1 are missing: tables 6 and 8.",
            "fr": "Pour la ronde 1, il manque 2 résultats sur 9\u202f: tables 6 et 8.",
            "nl": "Van ronde 1 ontbreken 2 van de 9 uitslagen: tafels 6 en 8.",
            "it": "Per il turno 1 mancano 2 risultati su 9: tavoli 6 e 8.",
            "es": "En la ronda 1 faltan 2 de los 9 resultados: mesas 6 y 8.",
        },
    ),
    (Message.sequence("ENOSPC", Message("The program is stopping.")), {"it": "ENOSPC Il programma si sta fermando."}),
]
"""A message -> its text, with straight apostrophes. Only the difficult forms of each language are listed."""

APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"


@pytest.mark.parametrize("language", catalogs.LANGUAGES)
def test_messages_are_grammatical_for_every_count_face_and_colour(driver: webdriver.Chrome, language: str) -> None:
    speak(driver, language)
    expected = [(text, forms[language]) for text, forms in SAID if language in forms]
    texts = say(driver, *(text for text, _ in expected))
    assert [text.replace(APOSTROPHE, "'") for text in texts] == [form for _, form in expected]


BIDS = {
    "en": ("one paco", "three fours", "two sixes", "one five", "ten twos", "12 threes"),
    "fr": ("un paco", "trois quatre", "deux six", "un cinq", "dix deux", "12 trois"),
    "nl": ("één paco", "drie vieren", "twee zessen", "één vijf", "tien tweeën", "12 drieën"),
    "it": ("un paco", "tre quattro", "due sei", "un cinque", "dieci due", "12 tre"),
    "es": ("un paco", "tres cuatros", "dos seises", "un cinco", "diez doses", "12 treses"),
}
OR_MORE = {"en": " or more", "fr": " ou plus", "nl": " of meer", "it": " o più", "es": " o más"}
DICE = {
    "en": ("0 dice", "1 die", "2 dice"),
    "fr": ("0 dé", "1 dé", "2 dés"),
    "nl": ("0 stenen", "1 steen", "2 stenen"),
    "it": ("0 dadi", "1 dado", "2 dadi"),
    "es": ("0 dados", "1 dado", "2 dados"),
}


@pytest.mark.parametrize("language", catalogs.LANGUAGES)
def test_the_pages_own_words_are_grammatical_for_every_count(driver: webdriver.Chrome, language: str) -> None:
    speak(driver, language)
    bids = ((1, 1), (3, 4), (2, 6), (1, 5), (10, 2), (12, 3))
    said = [driver.execute_async_script(WORD, "orMore", bid) for bid in bids]
    assert tuple(text.removesuffix(OR_MORE[language]) for text in said) == BIDS[language]
    assert tuple(driver.execute_async_script(WORD, "dice", [n]) for n in (0, 1, 2)) == DICE[language]


# The choice of the language


def test_the_language_is_the_chosen_one_or_else_the_first_known_one_of_the_browser(
    driver: webdriver.Chrome,
) -> None:
    cases = [
        (None, ["fr-CA", "en"], "fr"),
        (None, ["de-AT", "it-CH", "en"], "it"),
        (None, ["pt-BR", "ja"], "en"),
        (None, [], "en"),
        (None, ["NL"], "nl"),
        ("es", ["fr"], "es"),
        ("xx", ["fr"], "fr"),
        (None, ["en-GB", "fr"], "en"),
    ]
    assert driver.execute_async_script(PREFERRED, cases) == [wanted for _, _, wanted in cases]


def prefers(driver: webdriver.Chrome, languages: str) -> None:
    """Set the languages of the browser, as in the header Accept-Language."""
    agent = driver.execute_script("return navigator.userAgent")
    driver.execute_cdp_cmd("Emulation.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": languages})


def test_the_page_begins_in_the_browsers_language_and_remembers_another_choice(
    site: Shown, open_browser: Callable[..., webdriver.Chrome]
) -> None:
    table, url = site
    table.show(STATES["bidding"])
    driver = open_browser()
    prefers(driver, "fr-CH,de")
    page = Page(driver, url, "the table's tablet")
    lang = "return document.documentElement.lang"
    assert (driver.execute_script(lang), "Manche 13" in page.text) == ("fr", True)
    page.tap(".icon.menu")
    page.tap("[data-item='settings']")
    page.one("[data-setting='language']").send_keys("Nederlands")
    page.wait(lambda: "Instellingen" in page.text)
    assert driver.execute_script(lang) == "nl"
    driver.refresh()
    page.wait(lambda: "Ronde 13" in page.text)
    assert driver.execute_script(lang) == "nl"
    assert page.complaints() == []
    assert page.elsewhere() == []


def test_a_message_that_the_page_does_not_know_is_shown_in_english(driver: webdriver.Chrome) -> None:
    speak(driver, "fr")
    thing = {"sentence": "The box sings.", "said": [{"msgid": "The box sings.", "params": {}}]}
    assert driver.execute_async_script(SAY, [thing, {"message": "Plain."}, None]) == ["The box sings.", "Plain.", ""]


# No text outside the catalogs

PSEUDO = f"""
const done = arguments[0];
const mark = (value) => {{
  if (typeof value === "string") return value && `⟦${{value}}⟧`;
  if (typeof value === "function") return (...given) => mark(value(...given));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mark(part)]));
}};
const translated = (_, msgid) => (msgid === "{{text}}" ? msgid : `⟦${{msgid}}⟧`);
const messages = new Proxy({{}}, {{ has: () => true, get: translated }});
const some = () => "*";
const list = (names) => names.join(", ");
const grammar = {{ faces: some, faceName: some, dice: some, aDie: some, colour: some, rounds: some, list }};
const more = ["past", "demo", "club"].map(
  (name) => import(`/static/${{document.documentElement.dataset.build}}/languages/en/${{name}}.js`));
Promise.all([{WORDS}, ...more]).then(([w, ...loaded]) => {{
  w.applyLanguage("en", {{ words: mark(w.say), messages, grammar }});
  for (const {{ words }} of loaded) Object.assign(words, mark(words));
  done();
}});
"""
"""A language in which every text is between marks."""

OUTSIDE = r"""
const SHOWN = ["aria-label", "aria-roledescription", "title", "alt", "placeholder"];
const texts = [];
const walk = (node) => {
  if (node.nodeType === Node.TEXT_NODE) texts.push(node.nodeValue);
  if (node.nodeType !== Node.ELEMENT_NODE || ["SCRIPT", "STYLE", "NOSCRIPT"].includes(node.tagName)) return;
  for (const name of SHOWN) if (node.hasAttribute(name)) texts.push(node.getAttribute(name));
  node.childNodes.forEach(walk);
};
walk(document.body);
const outside = (text) => {
  let rest = text;
  for (let before = ""; before !== rest; ) {
    before = rest;
    rest = rest.replace(/⟦[^⟦⟧]*⟧/g, "");
  }
  return rest;
};
return texts.map(outside).filter((text) => /\p{L}/u.test(text));
"""

PLAYERS = {player.name for state in STATES.values() for player in state.players}
NAMES = sorted(PLAYERS.union(CLUB.assignment.players), key=len, reverse=True)
ALLOWED = (
    *map(re.escape, NAMES),
    r"Doro[\w-]*…",  # cut to fit its place
    r"^Perudo$|\b[A-Z][a-z]{2} \d+, \d{4}$",  # on a game's card: the game, and the day
    r"https?://\S+",
    r"\b[0-9a-z]{4}\b(?<=\d)|\b(?=[0-9a-z]*\d)[0-9a-z]{4}\b",  # the names of phones
    "dudo|calza",  # the same in every language, as in all the books
    r"^\w$",  # on the picture: a player's initial, the mark of the paco
    *("English", "Français", "Nederlands", "Italiano", "Español"),  # each in its own language, in the settings
)


def unmarked(driver: webdriver.Chrome) -> list[str]:
    """Text on the page that is not from its words."""
    texts = [re.sub("|".join(ALLOWED), "", text) for text in driver.execute_script(OUTSIDE)]
    return sorted({text.strip() for text in texts if re.search(r"[^\W\d_]", text)})


ENTER = pictures.ENTER.replace("arguments[0]", "arguments[1]")
"""Taps or clicks an element, as `pictures.py` does."""


def open_sheets(page: Any, table: FakeTable, state: str) -> Iterator[str]:
    """Open every sheet of a state, one after the other."""
    for sheet, (shown_in, *selectors) in pictures.SHEETS.items():
        if shown_in != state:
            continue
        for selector in selectors:
            page.driver.execute_script(f"arguments[0].dispatchEvent({ENTER})", page.one(selector), selector)
        page.still()
        yield sheet
        for element in page.all(".sheet"):
            element.send_keys(Keys.ESCAPE)
        table.show(STATES[state])
        page.wait(lambda: page.version == table.state().version and not page.all(".sheet"), sheet)


def test_no_text_on_the_page_is_outside_the_catalogs(
    site: Shown, open_browser: Callable[..., webdriver.Chrome]
) -> None:
    """Every state and sheet in a language that marks its texts: only names, numbers and addresses are unmarked."""
    table, url = site
    table.show(STATES["bidding"])  # seats can be taken only during a game
    page = Page(open_browser(), url, "Ben")
    page.driver.execute_async_script(PSEUDO)
    table.show(STATES["break"])  # clear what was read aloud in English
    page.wait(lambda: page.all(".rest"))
    unmarked_texts = {}
    for name, state in STATES.items():
        table.show(state)
        page.shows(table.state().version, state.phase)
        unmarked_texts[name] = unmarked(page.driver)
        for sheet in open_sheets(page, table, name):
            unmarked_texts[f"{name}, {sheet}"] = unmarked(page.driver)
    assert [(name, text) for name, texts in unmarked_texts.items() for text in texts] == []
    assert page.complaints() == []


def test_no_text_on_the_score_board_is_outside_the_catalogs(
    site: Shown, open_browser: Callable[..., webdriver.Chrome]
) -> None:
    table, url = site
    page = Page(open_browser((1280, 720)), f"{url}board#join=1234")
    page.driver.execute_async_script(PSEUDO)
    unmarked_texts = {}
    for name, state in STATES.items():
        table.show(state)
        page.shows(table.state().version)
        unmarked_texts[name] = unmarked(page.driver)
    assert [(name, text) for name, texts in unmarked_texts.items() for text in texts] == []


# Every language fits


def misfits(page: Any) -> list[str]:
    """What does not fit a phone and a thumb, even on the narrowest phone."""
    lines = page.misfits(sheets=True)
    chromium.resize(page.driver, NARROW)
    wide = page.too_wide()
    chromium.resize(page.driver, chromium.PHONE)
    return [*lines, *([f"{wide} pixels too wide for {NARROW[0]}"] if wide > 0 else [])]


@pytest.mark.parametrize("language", OTHERS)
def test_every_state_fits_a_phone_in_every_language(
    site: Shown, open_browser: Callable[..., webdriver.Chrome], language: str
) -> None:
    table, url = site
    table.show(STATES["bidding"])
    page = Page(open_browser(), url, "Ben")
    speak(page.driver, language)
    faults = {}
    for name, state in STATES.items():
        table.show(state)
        page.shows(table.state().version, state.phase)
        faults[name] = misfits(page)
        for sheet in open_sheets(page, table, name):
            faults[f"{name}, {sheet}"] = misfits(page)
    assert [(name, line) for name, lines in faults.items() for line in lines] == []
    assert page.complaints() == []
