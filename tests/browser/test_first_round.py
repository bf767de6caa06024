"""A first round against robots: where the page says what can be done, it says why; after its verdict never again."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.table.state.state import HouseRule, State
from tests.browser import catalogs, every_language, fits
from tests.browser.page import Page
from tests.browser.site import Site
from tests.fakes.states import ANA, BEN, COLOURS, STATES

pytestmark = pytest.mark.browser

PLAYED = "localStorage.setItem('perudo-settings', JSON.stringify({ played: true }))"
PAD = "return document.querySelector('.pad').getBoundingClientRect().top"
SPILLS = """
    const [hint, line] = ['.hint', '.padtop'].map((each) => document.querySelector(each).getBoundingClientRect());
    return hint.top < line.top - 1 ? [document.querySelector('.hint').textContent] : [];"""
"""A sentence that is too long for its place, and covers the own dice."""


def alone(name: str, me: str) -> State:
    """A state with robots in all seats but one."""
    return replace(STATES[name], robots=dict.fromkeys([player for player in COLOURS if player != me], "easy"))


def said(page: Any) -> str:
    return str(page.texts(".pad .hint")[0])


def show(site: Site, page: Page, state: State) -> None:
    site.table.show(state)
    page.shows(site.table.state().version)


@pytest.fixture
def ana(site: Site) -> Page:
    """Opens the first round of her life, with thirty dice on the table."""
    site.table.show(alone("opening", ANA))
    return site.phone(ANA)


@pytest.fixture
def ben(site: Site) -> Page:
    """Is on turn after a bid of five fours."""
    site.table.show(alone("bidding", BEN))
    return site.phone(BEN)


def test_the_line_under_a_count_is_explained_for_the_face_that_is_chosen(ana: Page) -> None:
    ana.wait(lambda: said(ana) == "About 10 of 30 dice are twos or pacos: the line is under 10.")
    assert ana.texts(".count.likely") == ["10"]
    ana.tap(".bids [data-face='6']")
    ana.wait(lambda: said(ana) == "About 10 of 30 dice are sixes or pacos: the line is under 10.")
    ana.tap(".bids [data-face='1']")
    ana.wait(lambda: said(ana) == "A round may not be opened on pacos.", "the answer to a tap comes first")


def test_where_pacos_are_not_wild_fewer_are_likely(site: Site, ana: Page) -> None:
    rules = (HouseRule(rule="pacos_wild", value=False, sentence=""),)
    show(site, ana, replace(alone("opening", ANA), rules=rules, wild=False))
    ana.wait(lambda: said(ana) == "About 5 of 30 dice are twos: the line is under 5.")
    assert ana.texts(".count.likely") == ["5"]


def test_grey_faces_are_explained_and_then_how_to_doubt(site: Site, ben: Page) -> None:
    ben.wait(lambda: said(ben) == "Grey is not allowed now. After 5 fours the face may not go down.")
    state = alone("bidding", BEN)
    again = replace(state, bids=(*state.bids, replace(state.bids[-1], player=BEN), state.bids[-1]))
    show(site, ben, again)
    ben.wait(lambda: said(ben) == "Raise, or hold Dudo. About 6 of 18 dice are fours or pacos.")


def test_the_verdict_adds_up_and_no_later_round_is_explained(site: Site, ben: Page) -> None:
    ben.wait(lambda: said(ben))
    show(site, ben, alone("reading", BEN))
    show(site, ben, alone("verdict-wrong", BEN))
    ben.wait(lambda: "3 fours and 2 pacos make 5: Ana" in ben.text)
    assert "bid of 5 holds." in ben.texts(".sum")[0]
    assert "3 fours + 2 pacos" not in ben.text, "it is said once"
    show(site, ben, alone("bidding", BEN))
    ben.still()
    assert said(ben) == ""
    ben.driver.refresh()
    ben.wait(lambda: ben.all(".turnline.yours"))
    ben.still()
    assert said(ben) == ""
    show(site, ben, alone("verdict-right", BEN))
    ben.wait(lambda: "3 fours + 1 paco = 4" in ben.text)


def test_a_round_is_explained_again_to_who_asks_for_it(site: Site, ben: Page) -> None:
    show(site, ben, alone("verdict-wrong", BEN))
    show(site, ben, alone("bidding", BEN))
    ben.tap("button.rule")
    ben.tap(".sheet [data-item='again']")
    ben.wait(lambda: not ben.all(".sheet") and said(ben).startswith("Grey is not allowed now."))
    ben.tap("button.rule")
    ben.one(".sheet [data-item='lesson']")
    assert not ben.all(".sheet [data-item='again']"), "it is explained already"


def test_who_asks_for_it_at_a_verdict_has_the_next_round_explained(site: Site, ben: Page) -> None:
    show(site, ben, alone("verdict-wrong", BEN))
    ben.tap(".why")
    ben.tap(".sheet [data-item='again']")
    ben.wait(lambda: not ben.all(".sheet"))
    show(site, ben, alone("verdict-wrong", BEN))  # the same verdict once more
    show(site, ben, replace(alone("bidding", BEN), round=14))
    ben.wait(lambda: said(ben).startswith("Grey is not allowed now."))


def test_with_people_at_the_table_nothing_is_explained(site: Site, ben: Page) -> None:
    ben.wait(lambda: said(ben))
    show(site, ben, STATES["robots"])
    ben.still()
    assert said(ben) == ""
    show(site, ben, STATES["verdict-wrong"])
    assert "3 fours + 2 pacos = 5" in ben.text


@pytest.mark.parametrize("size", [(320, 568), (360, 640), (820, 1180)])
def test_the_sentences_fit_in_their_place_and_move_nothing(site: Site, size: tuple[int, int]) -> None:
    bidding = alone("bidding", BEN)
    bid = bidding.bids[-1]
    states = [
        replace(alone("opening", BEN), turn=BEN),
        bidding,
        replace(bidding, bids=(bid, replace(bid, player=BEN), bid)),
    ]
    site.table.show(states[0])
    page = site.phone(BEN, size)
    page.wait(lambda: said(page), "the first sentence")
    every_language.learn(page.driver)
    page.wait_for_fonts()
    tops: list[float] = []
    found: list[str] = []
    for number, state in enumerate(states):
        show(site, page, state)
        every_language.speak(page.driver, "en")
        tops.append(page.driver.execute_script(PAD))
        for script in (SPILLS, fits.MISFITS):
            for language, lines in every_language.look(page.driver, catalogs.LANGUAGES, script).items():
                found += [f"{number} in {language}: {line}" for line in lines]
    assert found == []
    page.driver.execute_script(PLAYED)
    page.driver.refresh()
    page.wait(lambda: page.all(".turnline.yours"))
    page.wait_for_fonts()
    for state, top in zip(states, tops, strict=True):
        show(site, page, state)
        assert said(page) == ""
        assert abs(page.driver.execute_script(PAD) - top) <= 1
