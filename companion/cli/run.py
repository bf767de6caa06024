"""`perudo run`: runs a real table, with its camera and panel."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

import click

from companion.cli.options import (
    config_option,
    key_option,
    options_given,
    serving_options,
    settings_file,
    state_option,
    taken_back,
    with_options,
)
from companion.cli.output import fail
from companion.config import CameraConfig, Config, PanelConfig, parse
from companion.state_folder import as_owner_of


@click.command()
@serving_options
@state_option(metavar=None)
@config_option(own=True)
@key_option("camera", metavar="CAMERA",
            help="pi, pi:NUMBER, webcam, webcam:NUMBER, http://... or rtsp://... of an IP camera, folder:PATH, or "
                 "phone: the phones take the pictures.  "
                 "[default: the first that answers]")  # fmt: skip
@key_option("panel", "--panel/--no-panel", help="Use the panel, or leave the GPIO pins alone.")
def run(config: Config, state: Path, **options: object) -> None:
    """Play at a real table, with its camera and panel. Without either the game goes on from phones."""
    from companion.app import Setup, StationError
    from companion.app import run as run_station
    from companion.messages.message import Message
    from companion.panel import panel_choice
    from hardware.camera.camera_choice import UnknownCameraError, choose_camera, parse_name
    from hardware.camera.protocol import Camera
    from hardware.panel.panel import Panel, PanelError

    options = options_given(options)
    config = with_options(config, **options)
    if config.camera.source is not None:
        try:
            parse_name(config.camera.source)
        except UnknownCameraError as error:
            raise click.BadParameter(str(error), param_hint="--camera") from error

    def open_camera(camera: CameraConfig) -> Camera:
        return choose_camera(camera.source, camera.settings)

    def open_panel(panel: PanelConfig) -> Panel:
        if panel.use:
            return panel_choice.open_panel(panel)
        raise PanelError(Message("This table has no panel with buttons. Everything can be done from a phone."))

    try:
        with as_owner_of(state):
            setup = Setup(
                config,
                state,
                open_camera,
                open_panel,
                settings=settings_file(),
                taken_back=taken_back(),
                read=lambda text: with_options(parse(text, os.environ), **options),
            )
            status = run_station(setup)
    except StationError as error:
        fail(str(error), command="")
    if status:
        # picamera2 closes its camera when Python ends, and would wait for a driver that hangs.
        logging.shutdown()
        sys.stdout.flush()
        os._exit(status)
