"""Changing keys of a configuration that somebody has written."""

from __future__ import annotations

import pytest

from companion.config import default_text, parse
from companion.config.edit import with_keys

VALUES = {"input": "usb", "dudo_keys": ("KEY_B on usb-x",), "calza_keys": ()}


@pytest.mark.parametrize(
    "text",
    [
        "",
        default_text(),
        "# a comment of\u2028two lines\n[panel]",
        "# mine\n[panel]\nstatus = 25  # soldered\n",
        '[panel]\ninput = "gpio"\ndudo_keys = [\n  "KEY_A on usb-y",\n  "KEY_C on z",\n]\n\n[web]\nport = 1\n',
        "[web]\nport = 8001",
        "[panel]",
    ],
    ids=["empty", "default", "separator", "short", "written", "other", "bare"],
)
def test_the_keys_are_changed_and_all_else_stays(text: str) -> None:
    before, after = parse(text), parse(with_keys(text, "panel", VALUES))
    assert [str(key) for key in after.panel.dudo_keys] == ["KEY_B on usb-x"]
    assert (after.panel.input, after.panel.calza_keys) == ("usb", ())
    for name in ("dudo_keys", "calza_keys", "input"):
        before, after = (each.with_value("panel", name, None) for each in (before, after))
    assert before == after


def test_comments_and_the_order_stay() -> None:
    text = with_keys(default_text(), "panel", VALUES)
    kept = [line for line in text.splitlines() if not line.startswith(("input", "dudo_keys", "calza_keys"))]
    assert kept == [line for line in default_text().splitlines() if not line.startswith(("input", "calza_keys"))]
    assert text.index("# dudo_keys") < text.index("\ndudo_keys") < text.index("# Those that are CALZA.")


@pytest.mark.parametrize("text", ["panel.input = 'gpio'\n", "panel = {input = 'gpio'}\n"])
def test_what_is_written_in_another_way_is_left_alone(text: str) -> None:
    with pytest.raises(ValueError, match="panel"):
        with_keys(text, "panel", VALUES)
