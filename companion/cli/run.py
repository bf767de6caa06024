"""`perudo run`: a real table, with its camera and panel."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.options import configured, logged, serving
from companion.config import Config
from companion.state_folder import state_folder


@click.command()
@serving
@configured(own=True)
@click.option(
    "--state",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help="The folder of the journal and the judged pictures.  [default: $STATE_DIRECTORY, else the user's own]",
)
@click.option(
    "--camera",
    default=None,
    metavar="CAMERA",
    help="pi, pi:NUMBER, webcam, webcam:NUMBER or folder:PATH.  [default: the first that answers]",
)
@click.option(
    "--panel/--no-panel", default=True, show_default=True, help="Use the panel, or leave the GPIO pins alone."
)
def run(
    host: str,
    port: int,
    patience: float,
    verbose: bool,
    config: Config,
    state: Path | None,
    camera: str | None,
    panel: bool,
) -> None:
    """Play at a real table, with its camera and panel. Without either the game goes on from phones."""
    logged(verbose)
    from companion.config.panel_wiring import wiring_of
    from companion.messages.message import Message
    from companion.station import Setup
    from companion.station import run as run_station
    from companion.table import Table
    from hardware.camera.choose import UnknownCameraError, choose_camera, read_name
    from hardware.camera.protocol import Camera, Settings
    from hardware.panel.panel import Panel, PanelError

    if camera is not None:
        try:
            read_name(camera)
        except UnknownCameraError as error:
            raise click.BadParameter(str(error), param_hint="--camera") from error

    def open_camera(_: Table) -> Camera:
        seen = config.camera
        settings = Settings(still=seen.still, preview=seen.preview, mains=seen.mains, focus=seen.focus)
        return choose_camera(camera, settings=settings)

    def open_panel() -> Panel:
        if not panel:
            raise PanelError(
                Message(
                    "The panel is switched off (--no-panel, or use in [panel]). Everything can be done from a phone."
                )
            )
        return Panel(wiring_of(config.panel))

    run_station(
        Setup(
            host=host,
            port=port,
            state=state or state_folder(),
            open_camera=open_camera,
            open_panel=open_panel,
            patience=patience,
            house=config.house,
            calza=config.table.calza,
            pictures=config.table.pictures,
            give_up=config.table.give_up,
            open_lost=config.table.lost_dice == "open",
            code=config.access.code,
        )
    )
