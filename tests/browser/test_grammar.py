"""What the page says in each language is grammatical."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from selenium import webdriver

from companion.messages.message import Colour, Dice, Face, Faces, Message, Names, Rounds, parts_of
from companion.table.game import sentences
from tests.browser.page import NOBODY
from tests.browser.site import Site
from tests.fakes.public_state import in_json
from web.stream.server import Server

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def driver(
    tmp_path_factory: pytest.TempPathFactory,
    serve: Callable[[Flask], Server],
    keep_browser: Callable[..., webdriver.Chrome],
) -> Iterator[webdriver.Chrome]:
    """A browser with the page open."""
    site = Site(tmp_path_factory.mktemp("words"), serve, keep_browser)
    yield site.phone(NOBODY).driver
    site.pull_the_plug()


WORDS = "import(`/static/${document.documentElement.dataset.build}/languages/language.js`)"
USE = f"""
const [id, done] = arguments;
const use = async (w) => {{
  await w.chooseLanguage(id);
  await w.loadWords("rules-messages", "story-messages", "club-messages");
}};
{WORDS}.then(use).then(() => done(""), (error) => done(String(error)));
"""
SAY = f"""
const [things, done] = arguments;
{WORDS}.then((w) => done(things.map((thing) => w.textOf(thing))));
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


def counted(count: int, face: int) -> Message:
    return Message("{player}'s bid of {bid}", player="Élise", bid=Faces(count, face))


SAID: list[tuple[Message, dict[str, str]]] = [
    (
        counted(1, 1),
        {
            "en": "Élise's bid of 1 paco",
            "fr": "l'annonce d'Élise (1 paco)",
            "nl": "het bod van Élise (1 paco)",
            "it": "la dichiarazione di Élise (1 paco)",
            "es": "la apuesta de Élise (1 paco)",
            "de": "das Gebot von Élise (1 Paco)",
        },
    ),
    (
        counted(3, 1),
        {
            "fr": "l'annonce d'Élise (3 paco)",
            "nl": "het bod van Élise (3 paco's)",
            "it": "la dichiarazione di Élise (3 paco)",
            "es": "la apuesta de Élise (3 pacos)",
            "pt": "a aposta de Élise (3 pacos)",
        },
    ),
    (
        counted(1, 5),
        {
            "fr": "l'annonce d'Élise (1 cinq)",
            "nl": "het bod van Élise (1 vijf)",
            "es": "la apuesta de Élise (1 cinco)",
        },
    ),
    (
        counted(2, 2),
        {
            "fr": "l'annonce d'Élise (2 deux)",
            "nl": "het bod van Élise (2 tweeën)",
            "it": "la dichiarazione di Élise (2 due)",
            "es": "la apuesta de Élise (2 doses)",
            "de": "das Gebot von Élise (2 Zweien)",
        },
    ),
    (
        counted(12, 6),
        {
            "fr": "l'annonce d'Élise (12 six)",
            "nl": "het bod van Élise (12 zessen)",
            "it": "la dichiarazione di Élise (12 sei)",
            "es": "la apuesta de Élise (12 seises)",
            "pt": "a aposta de Élise (12 seis)",
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
            "de": "Keine Vieren und 1 Paco machen 1.",
        },
    ),
    (
        Message("There are {faces}; pacos do not count in a palifico round.", faces=Faces(0, 3)),
        {
            "fr": "Il n'y a aucun trois\u202f; les paco ne comptent pas dans une manche palifico.",
            "nl": "Er zijn geen drieën; paco's tellen niet in een palificoronde.",
            "it": "Non c'è nessun tre; in un round palifico i paco non contano.",
            "es": "No hay ningún tres; en una ronda palifico los pacos no cuentan.",
            "pt": "Não há nenhum três; os pacos não contam numa rodada palifico.",
            "de": "Es gibt keine Dreien; Pacos zählen in einer Palifico-Runde nicht.",
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
            "de": "Ich sehe den weißen Würfel von Ana nicht.",
        },
    ),
    (
        Message("I see {dice}, and {player} has {have}.", dice=Dice(6, "orange"), player="Ben", have=5),
        {
            "fr": "Je vois 6 dés orange, et Ben en a 5.",
            "nl": "Ik zie 6 oranje dobbelstenen, en Ben heeft er 5.",
            "it": "Vedo 6 dadi arancioni, e Ben ne ha 5.",
            "es": "Veo 6 dados naranjas, y Ben tiene 5.",
            "de": "Ich sehe 6 orangefarbene Würfel, und Ben hat 5.",
        },
    ),
    (
        Message("I see {dice}, and {player} has none.", dice=Dice(1, "blue"), player="Ben"),
        {
            "fr": "Je vois 1 dé bleu, et Ben n'en a plus.",
            "nl": "Ik zie 1 blauwe dobbelsteen, en Ben heeft er geen meer.",
            "it": "Vedo 1 dado blu, e Ben non ne ha più.",
            "es": "Veo 1 dado azul, y a Ben no le queda ninguno.",
            "pt": "Vejo 1 dado azul, e Ben não tem mais nenhum.",
            "de": "Ich sehe 1 blauen Würfel, und Ben hat keine mehr.",
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
            "pt": "Vejo um dado verde (seis), e ninguém joga com dados verdes.",
            "de": "Ich sehe einen grünen Würfel (Sechs), und niemand spielt mit grünen Würfeln.",
        },
    ),
    (
        Message("I'm not sure about one die. Is it a {face}? Tap it.", face=Face(1)),
        {
            "fr": "Il y a un dé que je lis mal. Est-ce un paco\u202f? Touche-le.",
            "nl": "Eén dobbelsteen kan ik niet goed lezen. Is het een paco? Tik erop.",
            "it": "C'è un dado che leggo male. È un paco? Toccalo.",
            "es": "Hay un dado que no leo bien. ¿Es un paco? Tócalo.",
            "de": "Bei einem Würfel bin ich nicht sicher. Ist das ein Paco? Tippe ihn an.",
        },
    ),
    (
        sentences.waiting([sentences.missing("Ana", "purple", 0, 1)], 3, 4),
        {
            "en": "I don't see Ana's purple die; waiting for cups and hands.",
            "fr": "Je ne vois pas le dé violet d'Ana\u202f; j'attends qu'on retire gobelets et mains.",
            "nl": "Ik zie de paarse dobbelsteen van Ana niet; ik wacht tot bekers en handen weg zijn.",
            "it": "Non vedo il dado viola di Ana; aspetto che togliate bicchieri e mani.",
            "es": "No veo el dado morado de Ana; espero a que se retiren cubiletes y manos.",
        },
    ),
    (
        sentences.waiting([], 3, 9, ["Ana", "Ben"]),
        {
            "en": "I see none of Ana's and Ben's dice: are they still under a cup?",
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
            "de": "Das Spiel lässt sich nicht speichern: Die Datei /j ist weg. Es geht weiter "
            "und bleibt im Arbeitsspeicher; es geht verloren, wenn die Box ausgeht, bevor das behoben ist.",
            "fr": "Impossible d'enregistrer la partie\u202f: le fichier /j a disparu. "
            "Elle continue en mémoire, mais sera perdue si on éteint le boîtier avant d'y remédier.",
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
            "fr": "La partie a été arrêtée après 0 manche, sans vainqueur.",
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
    (
        Message.sequence("ENOSPC", Message("The program is stopping.")),
        {"de": "ENOSPC Das Programm wird gerade beendet.", "it": "ENOSPC Il programma si sta fermando."},
    ),
]
"""A message -> its text, with straight apostrophes. Only the difficult forms of each language are listed."""

BIDS = {
    "en": ("one paco", "three fours", "two sixes", "one five", "ten twos", "12 threes"),
    "fr": ("un paco", "trois quatre", "deux six", "un cinq", "dix deux", "12 trois"),
    "nl": ("één paco", "drie vieren", "twee zessen", "één vijf", "tien tweeën", "12 drieën"),
    "it": ("un paco", "tre quattro", "due sei", "un cinque", "dieci due", "12 tre"),
    "es": ("un paco", "tres cuatros", "dos seises", "un cinco", "diez doses", "12 treses"),
    "pt": ("um paco", "três quatros", "dois seis", "um cinco", "dez dois", "12 três"),
    "de": ("ein Paco", "drei Vieren", "zwei Sechsen", "eine Fünf", "zehn Zweien", "12 Dreien"),
}
APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"


@pytest.mark.parametrize("language", BIDS)
def test_messages_are_grammatical_for_every_count_face_and_colour(driver: webdriver.Chrome, language: str) -> None:
    speak(driver, language)
    expected = [(text, forms[language]) for text, forms in SAID if language in forms]
    texts = say(driver, *(text for text, _ in expected))
    assert [text.replace(APOSTROPHE, "'") for text in texts] == [form for _, form in expected]


OR_MORE = {
    "en": " or more",
    "fr": " ou plus",
    "nl": " of meer",
    "it": " o più",
    "es": " o más",
    "de": " oder mehr",
    "pt": " ou mais",
}
DICE = {
    "en": ("0 dice", "1 die", "2 dice"),
    "fr": ("0 dé", "1 dé", "2 dés"),
    "nl": ("0 stenen", "1 steen", "2 stenen"),
    "it": ("0 dadi", "1 dado", "2 dadi"),
    "es": ("0 dados", "1 dado", "2 dados"),
    "pt": ("0 dados", "1 dado", "2 dados"),
    "de": ("0 Würfel", "1 Würfel", "2 Würfel"),
}


@pytest.mark.parametrize("language", BIDS)
def test_the_pages_own_words_are_grammatical_for_every_count(driver: webdriver.Chrome, language: str) -> None:
    speak(driver, language)
    bids = ((1, 1), (3, 4), (2, 6), (1, 5), (10, 2), (12, 3))
    said = [driver.execute_async_script(WORD, "orMore", bid) for bid in bids]
    assert tuple(text.removesuffix(OR_MORE[language]) for text in said) == BIDS[language]
    assert tuple(driver.execute_async_script(WORD, "dice", [n]) for n in (0, 1, 2)) == DICE[language]


def test_a_message_that_the_page_does_not_know_is_shown_in_english(driver: webdriver.Chrome) -> None:
    speak(driver, "fr")
    thing = {"sentence": "The box sings.", "said": [{"msgid": "The box sings.", "params": {}}]}
    plain = {"message": "'Ana' isn't \"it\"."}
    assert driver.execute_async_script(SAY, [thing, plain, None]) == ["The box sings.", "“Ana” isn\u2019t “it”.", ""]
