"""Learning the buttons on the page: from the press to the configuration, and what the table feels of it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from evdev import ecodes

from companion.config import PanelConfig, load, parse
from companion.config.settings_file import SettingsError, SettingsFile
from companion.messages.message import Message
from companion.panel.learned_keys import learn_keys
from companion.panel.table_panel import LEARNING
from hardware.panel import usb_panel
from hardware.panel.input_devices import InputDevices
from hardware.panel.panel import Panel, PanelError
from tests.fakes.button_box import CONFIG, NEW, OLD, ButtonBox
from tests.fakes.input_devices import FakeInputDevice
from tests.wait import wait_until


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ButtonBox]:
    monkeypatch.setattr(usb_panel, "LOOK_EVERY", 0.01)
    monkeypatch.setattr(learn_keys, "__defaults__", (time.monotonic, 3600.0))  # no press is late
    box = ButtonBox(tmp_path)
    yield box
    box.close()


def test_keys_are_learned_kept_and_hold_at_once(box: ButtonBox) -> None:
    panel = box.open()
    assert [(each.name, each.place) for each in panel.state().buttons] == [("dudo", f"KEY_ENTER on {OLD}")]
    panel.learn()
    box.hears("key for DUDO")
    assert panel.state().learning
    assert (box.table.state().panel.present, box.table.state().panel.sentence) == (False, LEARNING)
    box.teaches("DUDO", box.new, ecodes.KEY_B)
    box.teaches("CALZA", box.old)
    box.ends()
    assert box.said == [
        "Press the button, pedal or key for DUDO.",
        "Press DUDO once more.",
        f"DUDO is KEY_B on {NEW}.",
        "Press the button, pedal or key for CALZA.",
        "Press CALZA once more.",
        f"CALZA is KEY_ENTER on {OLD}.",
        "They work now: try them.",
    ]
    config = load(box.file, {}).panel
    assert (config.input, config.use) == ("usb", True)
    assert [each.place for each in panel.state().buttons] == [f"KEY_B on {NEW}", f"KEY_ENTER on {OLD}"]
    assert box.pushed == [], "no press counted while they were learned"
    assert box.table.state().panel.present
    box.tap(box.new, ecodes.KEY_B)
    wait_until(lambda: "dudo down" in box.pushed)
    box.tap(box.old)
    wait_until(lambda: "calza down" in box.pushed)


def test_it_can_be_stopped_and_everything_stays(box: ButtonBox) -> None:
    panel = box.open()
    panel.learn()
    box.hears("key for DUDO")
    panel.learn()
    box.teaches("DUDO", box.new)
    box.hears("key for CALZA")
    panel.stop()
    box.ends()
    assert box.said[-1] == "Nothing was changed."
    assert not box.file.exists()
    box.tap(box.old)
    wait_until(lambda: box.pushed == ["dudo down"])
    panel.learn()
    box.hears("key for DUDO")


def test_keys_that_cannot_be_kept_leave_the_old_ones(box: ButtonBox) -> None:
    def refuse(_: str) -> None:
        raise SettingsError(Message("The box could not keep it: {reason}", reason="it is read only"))

    panel = box.open(settings=SettingsFile(box.file, put=refuse))
    panel.learn()
    for words, device in (("DUDO", box.new), ("CALZA", box.old)):
        box.teaches(words, device)
    box.ends()
    assert box.said[-1] == "The box could not keep it: it is read only"
    assert [each.place for each in panel.state().buttons] == [f"KEY_ENTER on {OLD}"]


@pytest.mark.parametrize("use", [True, False])
def test_they_take_the_place_of_a_soldered_panel_or_of_none(box: ButtonBox, use: bool) -> None:
    def open_panel(config: PanelConfig) -> Panel:
        if not config.use:
            raise PanelError(Message("This table has no panel with buttons. Everything can be done from a phone."))
        return box.open_panel(config)

    box.file.write_text(f"[panel]\nuse = {str(use).lower()}\n")
    panel = box.open(PanelConfig(use=use), open_panel=open_panel)
    assert panel.state().lamps is use
    assert bool(panel.state().trouble) is not use
    panel.learn()
    for words, device in (("DUDO", box.new), ("CALZA", box.old)):
        box.teaches(words, device)
    box.ends()
    assert (panel.state().lamps, panel.state().trouble, len(panel.state().buttons)) == (False, None, 2)
    assert load(box.file, {}).panel.use


def test_where_an_option_wins_no_press_is_waited_for(box: ButtonBox) -> None:
    settings = SettingsFile(box.file, lambda text: parse(text).with_value("panel", "use", False))
    panel = box.open(settings=settings)
    with pytest.raises(SettingsError, match="overrides"):
        panel.learn()
    assert not panel.state().learning


def test_a_button_that_is_pulled_out_is_told(box: ButtonBox) -> None:
    panel = box.open()
    assert [each.there for each in panel.state().buttons] == [True]
    box.inputs.pull(0)
    wait_until(lambda: [each.there for each in panel.state().buttons] == [False])
    wait_until(lambda: (trouble := panel.state().trouble) is not None and OLD in trouble.sentence)


def test_without_any_button_it_says_what_to_do(box: ButtonBox) -> None:
    panel = box.open()
    for number in (0, 1):
        box.inputs.pull(number)
    panel.learn()
    box.ends()
    assert box.said == ["There is no button or keyboard here. Plug one in, or pair it."]
    box.inputs.plug(FakeInputDevice(), 2)
    box.inputs.shut.add(str(box.inputs.path / "event2"))
    panel.learn()
    box.ends()
    assert box.said == ["The box may not read its buttons: put its user in the group 'input'."]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (PanelError(Message("Nothing was changed.")), "Nothing was changed."),
        (RuntimeError("a driver"), "The box could not learn its buttons. The log says why."),
    ],
)
def test_whatever_happens_the_old_buttons_are_back(box: ButtonBox, error: Exception, said: str) -> None:
    def fail() -> InputDevices:
        raise error

    panel = box.open(open_inputs=fail)
    panel.learn()
    box.ends()
    assert box.said == [said]
    box.tap(box.old)
    wait_until(lambda: box.pushed == ["dudo down"])


def test_a_box_that_ends_meanwhile_leaves_no_panel_open(box: ButtonBox) -> None:
    opened: list[PanelConfig] = []

    def open_panel(config: PanelConfig) -> Panel:
        opened.append(config)
        return box.open_panel(config)

    panel = box.open(open_panel=open_panel)
    panel.learn()
    box.hears("key for DUDO")
    panel.close()
    box.ends()
    wait_until(lambda: box.old.closed and box.new.closed)
    assert opened == [CONFIG]
