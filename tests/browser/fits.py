"""Whether what a browser shows fits a phone and a thumb."""

from __future__ import annotations

from selenium import webdriver

_MEASURE = """
    const small = [...document.querySelectorAll('button, input, select, summary, a.plain, a.go, a.icon')]
      .map(e => [e, ((e.type === 'checkbox' && e.closest('label')) || e).getBoundingClientRect()])
      .filter(([e, r]) => r.width > 0 && (r.width < 43.5 || r.height < 43.5))
      .map(([e, r]) => `${e.className} ${r.width}x${r.height}`);
    const sheets = [...document.querySelectorAll('.sheet')].filter((sheet) => sheet.scrollWidth > sheet.clientWidth);
    return [small, document.documentElement.scrollWidth - document.documentElement.clientWidth, sheets.length];"""
_WIDE = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"


def misfits(driver: webdriver.Chrome, *, sheets: bool = False) -> list[str]:
    """What does not fit, a line each: buttons, fields and links too small for a thumb, and anything too wide.

    Too small is less than 44 px in one direction. A checkbox counts with its label, which can be tapped too. Links
    within a sentence are left out. `sheets`: whether sheets are checked for content that is too wide, too.
    """
    small, wide, wide_sheets = driver.execute_script(_MEASURE)
    too_wide = [f"{wide} pixels too wide"] if wide > 0 else []
    return [*map(str, small), *too_wide, *(["a sheet is too wide for itself"] if sheets and wide_sheets else [])]


def too_wide(driver: webdriver.Chrome) -> int:
    """The pixels by which the page is wider than the screen; 0 or less if it is not."""
    return int(driver.execute_script(_WIDE))
