"""Whether what a browser shows fits a phone and a thumb."""

from __future__ import annotations

from selenium import webdriver

_SMALL = """
    return [...document.querySelectorAll('button, input, select, summary, a.plain, a.go, a.icon')]
      .map(e => [e, ((e.type === 'checkbox' && e.closest('label')) || e).getBoundingClientRect()])
      .filter(([e, r]) => r.width > 0 && (r.width < 43.5 || r.height < 43.5))
      .map(([e, r]) => `${e.className} ${r.width}x${r.height}`);"""
_WIDE = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"


def misfits(driver: webdriver.Chrome) -> list[str]:
    """What does not fit, a line each."""
    wide = too_wide(driver)
    return [*_too_small(driver), *([f"{wide} pixels too wide"] if wide > 0 else [])]


def too_wide(driver: webdriver.Chrome) -> int:
    """By how many pixels the page is wider than the screen; 0 or less where it is not."""
    return int(driver.execute_script(_WIDE))


def _too_small(driver: webdriver.Chrome) -> list[str]:
    """Buttons, fields and links that a thumb would miss: less than 44 px in one direction.

    A checkbox is as large as its label, which is tapped as well. Links within a sentence are not meant.
    """
    return [str(found) for found in driver.execute_script(_SMALL)]
