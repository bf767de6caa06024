"""`perudo panel`: try a panel that was just soldered, or draw one that is virtual."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

import click

from companion.cli.options import FILE_PATH, config_option
from companion.cli.output import UNUSABLE, complain, say, write_file
from companion.config import Config


@click.command()
@config_option(own=True)
@click.option("--test", is_flag=True, help="Light every lamp and name it, and wait for every button.")
@click.option("--draw", type=FILE_PATH, metavar="FILE.svg",
              help="Play a short game on a virtual panel and draw the panel in every phase.")  # fmt: skip
@click.option(
    "--phase",
    metavar="PHASE",
    help="Draw only this phase, such as bidding; docs/reference/wiring.md lists them.",
)
@click.pass_context
def panel(context: click.Context, config: Config, test: bool, draw: Path | None, phase: str | None) -> None:
    """Try the panel part by part, or draw a virtual one as it is in every phase.

    [panel] in the configuration names the parts and their pins. Exit status of --test, 0: everything worked. 1:
    something did not. 2: there is no panel.
    """
    if test == (draw is not None):
        raise click.UsageError("Say --test or --draw FILE.svg, one of the two.")
    if phase is not None and draw is None:
        raise click.UsageError("--phase goes with --draw.")
    if draw is not None:
        _draw(draw, phase)
    else:
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
    from companion.panel.walk import PanelWalk
    from hardware.panel.panel import Panel, PanelError

    try:
        panel = Panel(config.panel.wiring)
    except PanelError as error:
        complain(str(error), command="")
        return UNUSABLE
    with closing(panel):
        missed = PanelWalk(panel, click.echo, time.sleep).go()
    click.echo(f"Not as it should be: {', '.join(missed)}." if missed else "Every button was felt.")
    return 1 if missed else 0
