"""Whether what a browser shows fits a phone and a thumb: scripts for it."""

from __future__ import annotations

TOO_WIDE = """
    const root = document.documentElement, asked = screen.width; // a phone's window grows with a page that is too wide
    const sheets = [...document.querySelectorAll('.sheet')].filter((sheet) => sheet.scrollWidth > sheet.clientWidth);
    const wide = root.scrollWidth - asked;
    return [...(wide > 0 ? [`${wide} pixels too wide`] : []), ...sheets.map((e) => `${e.className} is too wide`)];"""
"""A line for the page and for every sheet whose content is wider."""
MISFITS = f"""
    const wide = () => {{ {TOO_WIDE} }};
    const small = [...document.querySelectorAll('button, input, select, summary, a.plain, a.go, a.icon, a.page')]
      .map(e => [e, ((['checkbox', 'radio'].includes(e.type) && e.closest('label')) || e).getBoundingClientRect()])
      .filter(([e, r]) => r.width > 0 && (r.width < 43.5 || r.height < 43.5))
      .map(([e, r]) => `${{e.className}} ${{r.width}}x${{r.height}}`);
    return [...small, ...wide()];"""
"""A line for everything that does not fit: buttons, fields and links too small for a thumb, and what is too wide.

Too small is less than 44 px in one direction. A checkbox or a radio button counts with its label, which can be tapped
too. Links within a sentence are left out.
"""
