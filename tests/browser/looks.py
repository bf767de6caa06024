"""The looks of the page: recorded states, sheets over them, and phones of different people."""

from __future__ import annotations

import functools

import cv2
import numpy as np

from calibration.palette import SRGB
from tests.browser.page import NO_SEAT, NOBODY, TABLET, WATCHING
from tests.fakes.states import STATES

SHEETS = {
    "die": ("checking", "[data-die='3']"),
    "closer": ("checking", ".tool.in", ".tool.in"),
    "add": ("checking", ".tool.add"),
    "hand": ("checking", ".checking .row .plain:last-child"),
    "calza": ("bidding", "button[data-about='Cid']"),
    "others": ("bidding", ".icon.menu", ".menu [data-item='company']", ".menu [data-item='others']"),
    "menu": ("bidding-away", ".icon.menu"),
    "panel": ("bidding-away", ".icon.menu", ".menu [data-item='box']", ".menu [data-item='panel']"),
    "leave": ("bidding-away", ".icon.menu", ".menu [data-item='company']", ".menu [data-item='leave']"),
    "leaving": ("bidding-away", ".icon.menu", ".menu [data-item='company']", ".menu [data-item='leave']", ".menu .who"),
    "void": ("bidding", ".icon.menu", ".menu [data-item='wrong']", ".menu [data-item='void']"),
    "card": ("bidding", "button[data-about='Ana']"),
    "card-away": ("bidding-away", "button[data-about='Dorothea-Valentina']"),
    "newcomer": ("bidding-away", ".icon.menu", ".menu [data-item='company']", ".menu [data-item='join']"),
    "newcomer-later": ("bidding", ".icon.menu", ".menu [data-item='company']", ".menu [data-item='join']"),
    "whose-dice": ("bidding-away", ".icon.menu", ".menu [data-item='wrong']", ".menu [data-item='dice']"),
    "jump": ("bidding", "button[data-about='Cid']", ".sheet button[data-item='jump']", ".bids button[data-face='6']"),
    "correct": ("bidding", "button[data-about='Ana']", ".sheet [data-item='correct']"),
    "too-low": ("bidding", ".bids button[data-face='6']", "button[data-step='-1']"),
    "against": ("bidding", "button[data-about='Ben']", ".sheet [data-item='jump']", "button[data-step='-1']"),
    "end": ("bidding-away", ".icon.menu", ".menu [data-item='games']", ".menu [data-item='end']"),
    "game": ("bidding", ".icon.menu", ".menu [data-item='games']", ".menu [data-item='game']"),
    "seats": ("bidding", ".icon.menu", ".menu [data-item='games']", ".menu [data-item='game']", ".gameform .more"),
    "count": ("opening", ".icon.menu", ".menu [data-item='count']"),
    "story": ("over", ".story"),
    "undo": ("verdict-wrong", ".undo"),
    "round": ("palifico", "button.rule"),
    "picture": ("verdict-wrong", ".to-picture"),
    "wrong": ("verdict-right", ".to-wrong"),
    "why": ("verdict-palifico", ".why"),
    "book": ("verdict-right", ".why", ".sheet [data-page='book']"),
    "shared": ("verdict-calza", ".why", ".sheet [data-page='shared']"),
    "lesson": ("verdict-right", ".why", ".sheet [data-item='lesson']", "[data-answer='false']"),
    "settings": ("seating-again", ".icon.menu", ".menu [data-item='settings']"),
    "set-up": ("over-assigned", ".assigned .go"),
    "told": (
        "telling",
        ".telling [data-value='Dorothea-Valentina']",
        ".telling [data-face='2']",
        ".telling [data-step='1']",
    ),
}
"""Sheets: the state they are opened over, and the taps that open them."""
LOOKS = {
    "stranger": ("bidding", NOBODY),
    "watching": ("bidding", WATCHING),
    "join": ("bidding", NOBODY, ".pad .join", "button[data-digit='1']", "button[data-digit='9']"),
    "join-wrong": ("bidding", NOBODY, ".pad .join", *["button[data-digit='1']"] * 4),
    "join-slow": ("bidding", NOBODY, ".pad .join", *["button[data-digit='1']"] * 16),
    "who-are-you": ("opening", NO_SEAT),
    "who-sits": ("bidding", "Dorothea-Valentina", ".seatchip"),
    "hand": ("bidding", "Dorothea-Valentina", ".seatchip", "button[data-hand='Cid']"),
    "host": ("bidding", "Dorothea-Valentina", ".seatchip", ".who-are-you .link"),
    "not-yours": ("bidding", "Dorothea-Valentina"),
    "not-yours-why": ("bidding", "Dorothea-Valentina", ".callrow .calza"),
    "for-another": (
        *("bidding", "Dorothea-Valentina", "button[data-about='Ben']", ".sheet [data-item='instead']"),
        ".bids button[data-face='5']",
    ),
    "own-turn": ("opening", "Ana"),
    "tablet": ("bidding", TABLET),
    "turned": ("bidding", TABLET, ".turnround"),
    "lost": ("verdict-wrong", "Ben"),
    "palifico": ("verdict-palifico", "Cid"),
    "won": ("over", "Ana"),
    "out": ("verdict-out", "Cid"),
    "chosen": ("bidding", "Ben", ".bids button[data-face='4']"),
    "face-why": ("bidding", "Ben", ".bids button[data-face='3']"),
    "hold-early": ("bidding", "Ben", ".callrow .dudo"),
    "holding": ("bidding", "Ben", "hold .callrow .dudo"),
}
"""Looks of phones: the state, the owner, and the taps. `COMPANY` has phones too."""
COMPANY = ("Ana", "Ben")
OVERLAPS = """
    const rect = (e) => e.getBoundingClientRect();
    const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const pictures = [...document.querySelectorAll(`${arguments[0]} svg.tilepicture, ${arguments[0]}.picture`)];
    return pictures.flatMap((picture) => {
      const badges = [...picture.querySelectorAll('.badge .tag')].filter((e) => e.getClientRects().length).map(rect);
      const dice = [...picture.querySelectorAll('.boxed .box')].map(rect);
      const others = (n) => badges.filter((_, other) => other !== n);
      return badges.flatMap((badge, n) => [...dice, ...others(n)].filter((other) => over(badge, other)).map((other) =>
        `${[badge.x, badge.y, badge.width]} covers ${[other.x, other.y, other.width]}`));
    })"""
"""The badges of a picture that lie over a die or over another badge."""
PIPS = {1: "c", 2: "ai", 3: "aci", 4: "agbi", 5: "agcbi", 6: "agbidf"}
SPOTS = {"a": (-1, -1), "b": (1, -1), "c": (0, 0), "d": (-1, 0), "f": (1, 0), "g": (-1, 1), "i": (1, 1)}


@functools.cache
def table_picture() -> np.ndarray:
    """A drawing, BGR, of the table in the states, on which boxes can be seen to lie on dice."""
    image = np.full((960, 1280, 3), (52, 84, 40), np.uint8)
    image = np.clip(image + np.random.default_rng(1).normal(0, 6, image.shape), 0, 255).astype(np.uint8)
    for die in STATES["verdict-wrong"].reading.dice:
        x, y, w, h = map(int, die.box)
        red, green, blue = SRGB[die.colour]
        cv2.rectangle(image, (x + 4, y + 6), (x + w - 2, y + h), (20, 34, 18), -1)
        cv2.rectangle(image, (x + 2, y + 2), (x + w - 6, y + h - 6), (blue, green, red), -1)
        for spot in PIPS[die.face]:
            dx, dy = SPOTS[spot]
            centre = (x + w // 2 - 2 + dx * 13, y + h // 2 - 2 + dy * 13)
            cv2.circle(image, centre, 5 if die.face > 1 else 12, (235, 240, 240), -1 if die.face > 1 else 3)
    return image
