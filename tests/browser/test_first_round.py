"""A first round against robots: where the page says what can be done, it says why; after its verdict never again."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest
from msgspec.structs import replace

from companion.table.commands import MakeBid, OpenRound
from companion.table.game.history import History
from companion.table.state.state import HouseRule, State
from tests.browser import every_language, fits
from tests.browser.chromium import resize
from tests.browser.every_language import LANGUAGES
from tests.browser.page import Page
from tests.browser.site import Site
from tests.fakes.new_game import new_game
from tests.fakes.states import ANA, BEN, CID, COLOURS, LAST_DIE, STATES, after, state

pytestmark = pytest.mark.browser

PLAYED = "localStorage.setItem('perudo-settings', JSON.stringify({ played: true }))"
PAD = "return document.querySelector('.pad').getBoundingClientRect().top"
SPILLS = """
    const [hint, line] = ['.hint', '.padtop'].map((each) => document.querySelector(each).getBoundingClientRect());
    return hint.top < line.top - 1 ? [document.querySelector('.hint').textContent] : [];"""
"""A sentence that is too long for its place, and covers the own dice."""
UNDER = """
    const [pad, line] = ['.pad', '.roundline'].map((each) => document.querySelector(each).getBoundingClientRect());
    return pad.top < line.bottom ? [`${line.bottom - pad.top} pixels of the table`] : [];"""
"""What lies under the pad."""
GREY = """
    return [...document.querySelectorAll('.pad [aria-disabled]')].map((each) => each.dataset.face || each.className)"""
SHOWN = """
    const shown = (e) => { const r = e.getBoundingClientRect(); return r.width > 2 && r.top < innerHeight; };
    return [...document.querySelectorAll('button, a[href], select, input')].filter(shown).length;"""
"""The controls on the screen."""
MOST_CONTROLS = 22


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


def test_the_average_is_said_for_the_face_that_is_chosen(ana: Page) -> None:
    ana.wait(lambda: said(ana) == "On average 10 of 30 dice are twos or pacos. Your own dice tell you more.")
    ana.tap(".bids [data-face='6']")
    ana.wait(lambda: said(ana) == "On average 10 of 30 dice are sixes or pacos. Your own dice tell you more.")
    ana.tap(".bids [data-face='1']")
    ana.wait(lambda: said(ana) == "You may not open a round on pacos.", "the answer to a tap comes first")


def test_where_pacos_are_not_wild_fewer_are_likely(site: Site, ana: Page) -> None:
    rules = (HouseRule(rule="pacos_wild", value=False, sentence=""),)
    show(site, ana, replace(alone("opening", ANA), rules=rules, wild=False))
    ana.wait(lambda: said(ana) == "On average 5 of 30 dice are twos. Your own dice tell you more.")


def test_grey_faces_are_explained_and_then_how_to_doubt(site: Site, ben: Page) -> None:
    ben.wait(lambda: said(ben) == "Why grey? After 5 fours you can\u2019t bid a lower face.")
    state = alone("bidding", BEN)
    again = replace(state, bids=(*state.bids, replace(state.bids[-1], player=BEN), state.bids[-1]))
    show(site, ben, again)
    ben.wait(lambda: said(ben) == "Bid higher, or press and hold Dudo.")


def test_the_verdict_adds_up_and_no_later_round_is_explained(site: Site, ben: Page) -> None:
    ben.wait(lambda: said(ben))
    show(site, ben, alone("reading", BEN))
    show(site, ben, alone("verdict-wrong", BEN))
    ben.wait(lambda: "3 fours and 2 pacos make 5: Ana" in ben.text)
    assert "bid of 5 is right." in ben.texts(".sum")[0]
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
    ben.wait(lambda: not ben.all(".sheet") and said(ben).startswith("Why grey?"))
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
    ben.wait(lambda: said(ben).startswith("Why grey?"))


def test_with_people_at_the_table_nothing_is_explained(site: Site, ben: Page) -> None:
    ben.wait(lambda: said(ben))
    show(site, ben, STATES["robots"])
    ben.still()
    assert said(ben) == ""
    show(site, ben, STATES["verdict-wrong"])
    assert "3 fours + 2 pacos = 5" in ben.text


ROUND = {
    "the opening": alone("opening", ANA),
    "a robot's turn": replace(alone("opening", ANA), turn=CID),
    "a bid": alone("bidding", BEN),
    "a palifico's round": state(after(LAST_DIE, OpenRound()), robots=dict.fromkeys([ANA, BEN], "easy")),
    "a bid in it": STATES["palifico"],
    "eight players": alone("eight", "Ida"),
    "eight, and which way round": alone("eight-opening", ANA),
}


def test_the_table_is_as_high_on_every_turn_and_nothing_lies_under_the_pad(site: Site) -> None:
    """For who is on turn and for who waits, in every language."""
    found = []
    heights: dict[tuple[tuple[int, int], bool], set[int]] = defaultdict(set)
    page = site.phone(ANA)
    every_language.learn(page.driver)
    for name, shown in ROUND.items():
        show(site, page, shown)
        others = [player.name for player in shown.players if player.dice and player.name != shown.turn]
        for player in (shown.turn, others[0]):
            site.sit(page, player)
            for size in ((320, 568), (360, 640)):
                resize(page.driver, size)
                for language, lines in every_language.look(page.driver, LANGUAGES, UNDER).items():
                    found += [f"{name} for {player} in {language} {size}: {line}" for line in lines]
                heights[size, player == shown.turn].add(round(page.driver.execute_script(PAD)))
    assert found == []
    assert len(heights) == 4
    assert all(max(each) - min(each) <= 1 for each in heights.values()), heights


def test_the_opening_has_few_controls(site: Site) -> None:
    company = list(COLOURS.items())[:4]
    opening = state(after(History(), new_game(company, starter=ANA)), robots=dict.fromkeys([BEN, CID], "easy"))
    site.table.show(
        replace(opening, robots={name: "easy" for name, _ in company[1:]}, undo=STATES["verdict-wrong"].undo)
    )
    ana = site.phone(ANA)
    ana.wait(lambda: said(ana))
    assert ana.driver.execute_script(SHOWN) <= MOST_CONTROLS


@pytest.mark.parametrize("name", ["opening", "bidding", "bidding-pacos", "palifico"])
def test_every_grey_control_of_the_pad_says_why(site: Site, name: str) -> None:
    site.table.show(STATES[name])
    page = site.phone(STATES[name].turn)
    page.wait(lambda: page.all(".bidbutton"))
    faces = [face for face in page.driver.execute_script(GREY) if face.isdecimal()]
    able = sorted({"1", "2", "3", "4", "5", "6"} - set(faces))

    def choose(face: str) -> None:
        """An allowed face, which takes the last hint away."""
        page.tap(f".bids [data-face='{face}']")
        page.wait(lambda: page.all(f".bids .chosen[data-face='{face}']") and not said(page), f"{face} chosen")

    for face in faces:
        choose(able[0])
        page.tap(f".bids [data-face='{face}']")
        page.wait(lambda: said(page), f"why not {face}")
    for face in able:
        for step in ("1", "-1"):
            choose(face)
            if page.all(f"[data-step='{step}'][aria-disabled]"):
                page.tap(f"[data-step='{step}']")
                page.wait(lambda: said(page), f"why not {face}, {step}")


def test_where_nothing_can_be_raised_plus_says_so(site: Site) -> None:
    none = replace(STATES["bidding"], lowest=dict.fromkeys(range(1, 7)), highest=dict.fromkeys(range(1, 7)))
    site.table.show(none)
    ben = site.phone(BEN)
    ben.tap("[data-step='1']")
    ben.wait(lambda: said(ben))


def test_the_bids_are_in_their_order_and_the_last_is_in_sight(site: Site) -> None:
    bids = [MakeBid(BEN if n % 2 else ANA, n + 1, 4) for n in range(10)]
    two = list(COLOURS.items())[:2]
    history = after(History(), new_game(two, starter=ANA))
    site.table.show(state(after(history, *bids[:1])))
    ana = site.phone(ANA)
    for number in range(1, len(bids)):
        show(site, ana, state(after(history, *bids[: number + 1])))
    assert [line.split()[0] for line in ana.texts(".trail .bidsign")] == [str(n + 1) for n in range(10)]
    last = """
        const place = (e) => document.querySelector(e).getBoundingClientRect();
        const [row, last] = ['.trail', '.trail li:last-child'].map(place);
        return last.right <= row.right + 1 && last.left >= row.left;"""
    ana.wait(lambda: ana.driver.execute_script(last), "the last bid")


def test_a_palifico_is_not_told_of_themselves_by_name(site: Site) -> None:
    shown = state(after(LAST_DIE, OpenRound()))
    site.table.show(shown)
    cid, ana = site.phone(CID), site.phone(ANA)
    cid.wait(lambda: "You are palifico." in cid.one(".rule").text)
    ana.wait(lambda: "Cid is palifico." in ana.one(".rule").text)
    for phone in (cid, ana):
        phone.tap("button.rule")
        phone.one(".sheet .holds")
    assert "You are palifico." in cid.one(".holds").text
    assert "Cid is down to one die" in ana.one(".holds").text


def test_what_goes_on_is_at_the_foot_of_the_screen(site: Site) -> None:
    foot = "return Math.round(innerHeight - document.querySelector('.dock').getBoundingClientRect().bottom)"
    site.table.show(alone("verdict-right", BEN))
    page = site.phone(BEN)
    for name in ("verdict-right", "verdict-thirty", "verdict-palifico", "rolling", "telling", "over", "over-ended"):
        show(site, page, alone(name, BEN))
        for size in ((320, 568), (360, 640), (600, 960)):
            resize(page.driver, size)
            page.still()
            assert page.driver.execute_script(foot) == 0, (name, size)


def test_the_sentences_fit_in_their_place_and_move_nothing(site: Site) -> None:
    bidding = alone("bidding", BEN)
    bid = bidding.bids[-1]
    states = [
        replace(alone("opening", BEN), turn=BEN),
        bidding,
        replace(bidding, bids=(bid, replace(bid, player=BEN), bid)),
    ]
    sizes = ((320, 568), (360, 640), (820, 1180))
    site.table.show(states[0])
    page = site.phone(BEN)

    def tops(shown: State) -> list[float]:
        show(site, page, shown)
        found = []
        for size in sizes:
            resize(page.driver, size)
            page.still()
            found.append(page.driver.execute_script(PAD))
        return found

    page.wait(lambda: said(page), "the first sentence")
    every_language.learn(page.driver)
    page.wait_for_fonts()
    before: list[list[float]] = []
    found: list[str] = []
    for number, shown in enumerate(states):
        before.append(tops(shown))
        for size in sizes:
            resize(page.driver, size)
            for script in (SPILLS, fits.MISFITS):
                for language, lines in every_language.look(page.driver, LANGUAGES, script).items():
                    found += [f"{number} in {language} {size}: {line}" for line in lines]
        every_language.speak(page.driver, "en")
    assert found == []
    page.driver.execute_script(PLAYED)
    page.driver.refresh()
    page.wait(lambda: page.all(".turnline.yours"))
    page.wait_for_fonts()
    for shown, places in zip(states, before, strict=True):
        assert tops(shown) == pytest.approx(places, abs=1)
        assert said(page) == ""
