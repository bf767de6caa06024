"""`perudo run`: a real table, with its camera and panel."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.options import logged, serving
from companion.cli.places import state_folder


@click.command()
@serving
@click.option(
    "--state",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help="The folder of the journal and the judged pictures.  [default: $STATE_DIRECTORY, else the user's own]",
)
@click.option(
    "--camera",
    "asked",
    default=None,
    metavar="CAMERA",
    help="pi, pi:NUMBER, webcam, webcam:NUMBER or folder:PATH.  [default: the first that answers]",
)
@click.option("--no-panel", is_flag=True, help="Leave the GPIO pins alone.")
def run(
    host: str, port: int, patience: float, verbose: bool, state: Path | None, asked: str | None, no_panel: bool
) -> None:
    """Play at a real table, with its camera and panel. Without either the game goes on from phones."""
    logged(verbose)
    from companion.cli.station import Setup
    from companion.cli.station import run as run_station
    from companion.table import Table
    from hardware.camera import Camera
    from hardware.choose import UnknownCameraError, choose_camera, read_name
    from hardware.panel import Panel, PanelError

    if asked is not None:
        try:
            read_name(asked)
        except UnknownCameraError as error:
            raise click.BadParameter(str(error), param_hint="--camera") from error

    def camera(_: Table) -> Camera:
        return choose_camera(asked)

    def panel() -> Panel:
        if no_panel:
            raise PanelError("The panel is switched off by --no-panel. Everything can be done from a phone.")
        return Panel()

    run_station(
        Setup(
            host=host,
            port=port,
            state=state or state_folder(),
            open_camera=camera,
            open_panel=panel,
            patience=patience,
        )
    )
