"""`perudo panel`: tests a panel, learns the keys of a USB one, or draws a virtual one."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.options import FILE_PATH, config_option, settings_file
from companion.cli.output import UNUSABLE, complain, fail, say, write_file
from companion.config import Config, PanelConfig
from companion.config.edit import with_keys
from companion.config.settings_file import SettingsError, SettingsFile

if TYPE_CHECKING:
    from hardware.panel.input_devices import InputDevices


@click.command()
@config_option(own=True)
@click.option("--test", is_flag=True, help="Light every lamp and name it, and wait for every button.")
@click.option(
    "--learn",
    is_flag=True,
    help="Learn DUDO and CALZA from keys that are pressed, and write them into the configuration.",
)
@click.option("--draw", type=FILE_PATH, metavar="FILE.svg",
              help="Play a short game on a virtual panel and draw the panel in every phase.")  # fmt: skip
@click.option(
    "--phase",
    metavar="PHASE",
    help="Draw only this phase, such as bidding; docs/reference/wiring.md lists them.",
)
@click.pass_context
def panel(
    context: click.Context, config: Config, test: bool, learn: bool, draw: Path | None, phase: str | None
) -> None:
    """Try the panel part by part, learn the keys of one by USB, or draw a virtual one as it is in every phase.

    [panel] in the configuration names the parts and their pins, or the keys. Without keys --test learns them first.
    Exit status of --test and --learn, 0: everything worked. 1: something did not. 2: there is no panel.
    """
    if test + learn + (draw is not None) != 1:
        raise click.UsageError("Say --test, --learn or --draw FILE.svg, one of the three.")
    if phase is not None and draw is None:
        raise click.UsageError("--phase goes with --draw.")
    if draw is not None:
        _draw(draw, phase)
        return
    if learn or (config.panel.input == "usb" and not any(config.panel.keys.values())):
        learned = _learn()
        if learn or learned is None:
            context.exit(1 if learned is None else 0)
        config = replace(config, panel=learned)
    context.exit(_test(config))


def _draw(path: Path, phase: str | None) -> None:
    from companion.panel.phase_sheet import scenes, sheet
    from companion.table.game.table_position import Phase
    from hardware.virtual.panel_svg import draw

    if phase is not None and phase not in list(Phase):
        raise click.BadParameter(f"it is one of {', '.join(Phase)}", param_hint="--phase")
    if path.suffix.lower() != ".svg":
        raise click.BadParameter("the drawing is an SVG: give the file a name that ends in .svg", param_hint="--draw")
    every = scenes()
    wanted = next((scene for scene in every if scene.phase == phase), None)
    svg = sheet(every) if wanted is None else draw(wanted.shown, wanted.names, wanted.phase.value, wanted.note)
    write_file(path, svg.encode())
    say(str(path))


def _test(config: Config) -> int:
    from companion.panel.panel_choice import open_panel
    from companion.panel.walk import PanelWalk
    from hardware.panel.panel import PanelError

    try:
        panel = open_panel(config.panel)
    except PanelError as error:
        complain(str(error), command="")
        return UNUSABLE
    with closing(panel):
        missed = PanelWalk(panel, click.echo, time.sleep).go()
    click.echo(f"Not as it should be: {', '.join(missed)}." if missed else "Every button was felt.")
    return 1 if missed else 0


def _learn() -> PanelConfig | None:
    """The panel with the learned keys, which are saved in the configuration; None if DUDO was not pressed."""
    from companion.panel.learned_keys import PATIENCE, keys_of_panel, learn_keys
    from hardware.panel.panel import PanelError
    from hardware.panel.usb_panel import open_devices

    try:
        devices = open_devices(None)
    except PanelError as error:
        fail(str(error), command="")
    with closing(devices):
        _say_devices(devices)
        if not devices.plugged:
            raise click.exceptions.Exit(UNUSABLE)
        click.echo(f"For {PATIENCE:.0f} seconds each, they type nowhere else.")
        learned = learn_keys(devices, say)
    return _write(keys_of_panel(learned)) if "dudo" in learned else None


def _say_devices(devices: InputDevices) -> None:
    from companion.panel.learned_keys import NO_DEVICE

    for plugged in devices.plugged:
        say(f"{plugged.device.name}: {'another program has taken it' if plugged.busy else 'is there'}")
    if any(plugged.busy for plugged in devices.plugged):
        say("If that is the box: `sudo systemctl stop perudo`, and start it again afterwards.")
    if devices.shut:
        shut = ", ".join(map(str, devices.shut))
        say(f"{shut}: this user may not read them. Type it with sudo, or `sudo usermod -aG input NAME`.")
    elif not devices.plugged:
        say(f"{NO_DEVICE} For Bluetooth: `bluetoothctl`.")


def _write(values: dict[str, object]) -> PanelConfig:
    """Write keys of [panel] into the configuration's file; return the panel with them."""
    path = settings_file()
    assert path is not None  # the command has --config, and the user's own file
    try:
        panel = SettingsFile(path).change("panel", values).panel
    except SettingsError as error:
        say(*with_keys("", "panel", values).splitlines()[1:])
        fail(f"{error.message} Write these keys into it yourself.", command="")
    say(f"Written to {path}; the box takes it at its next start (`sudo systemctl restart perudo`).")
    return panel
