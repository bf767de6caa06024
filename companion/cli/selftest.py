"""`perudo selftest`: plays a game, to check that the box works."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.doctor import exit_status, print_diagnoses, service_or_own_state
from companion.cli.options import FOLDER_PATH, load_or_exit
from companion.cli.output import UNUSABLE, complain, say

if TYPE_CHECKING:
    from companion.config import Config
    from hardware.camera.protocol import Camera, CameraError
    from hardware.panel.panel import Panel, PanelError


@click.command()
@click.option("--json", "as_json", is_flag=True, help="A JSON list, and nothing else on standard output.")
@click.option("--state", type=FOLDER_PATH, metavar="DIR",
              help="The folder of the games, to try its disk.  [default: the service's, else the user's]")  # fmt: skip
@click.option("--panel", "with_panel", is_flag=True,
              help="Light every lamp of the panel too, and wait for every button.")  # fmt: skip
@click.option("--camera", "camera_only", is_flag=True,
              help="Measure the camera and nothing else, and print the figures.")  # fmt: skip
def selftest(as_json: bool, state: Path | None, with_panel: bool, camera_only: bool) -> None:
    """Play a game on this machine, and check that it is read, judged, corrected and kept. It takes about a minute.

    The game is a virtual one with a journal of its own, and the program is killed in the middle of it; then the camera,
    unless the running box has it, must give pictures. The games played so far are not touched. `perudo doctor` looks at
    the parts. Exit status 1: something is BAD.

    --camera takes half a minute, and prints figures alone: no picture and nothing of a game.
    """
    from companion.box.doctor.configuration import config_file_in_use, web_config
    from companion.box.doctor.machine import page_answers, port_refusal
    from companion.box.selftest import selftest as diagnoses
    from companion.config import config_file

    used = config_file_in_use()
    config = load_or_exit(None if used == config_file() else used)
    web = web_config()
    box_runs = bool(port_refusal(web.host, web.port)) and page_answers(web.port)
    if camera_only:
        sys.exit(_measure(_camera(config, box_runs), as_json=as_json))
    found = diagnoses(
        state or service_or_own_state(),
        _camera(config, box_runs),
        _panel(config, box_runs, with_panel),
        partial(say, err=True),
    )
    sys.exit(exit_status(print_diagnoses(found, as_json=as_json)))


def _measure(camera: Camera | CameraError, *, as_json: bool) -> int:
    from companion.box.camera_report import camera_report
    from hardware.camera.protocol import CameraError

    figures: dict[str, str] = {}
    try:
        if isinstance(camera, CameraError):
            raise camera
        with closing(camera):
            for name, figure in camera_report(camera):
                figures[name] = figure
                if not as_json:
                    say(f"{name}: {figure}")
    except CameraError as error:
        complain(str(error))
        return UNUSABLE if not figures else 1
    finally:
        if as_json:
            click.echo(json.dumps(figures, ensure_ascii=False))
    return 0


_BOX_HAS_IT = "The running box has it. `sudo systemctl stop perudo` frees it for this test."


def _camera(config: Config, box_runs: bool) -> Camera | CameraError:
    """The camera of the configuration, or why it is left out."""
    from hardware.camera.camera_choice import choose_camera
    from hardware.camera.protocol import CameraError

    if box_runs:
        return CameraError(_BOX_HAS_IT)
    try:
        return choose_camera(config.camera.source, config.camera.settings)
    except CameraError as error:
        return error


def _panel(config: Config, box_runs: bool, wanted: bool) -> Panel | PanelError:
    """The panel of the configuration, or why it is left out."""
    from companion.panel.panel_choice import open_panel
    from hardware.panel.panel import PanelError

    if not config.panel.use:
        return PanelError("There is none: use in [panel] is false.")
    if not wanted:
        return PanelError("Not tried: `perudo selftest --panel` lights every lamp and waits for every button.")
    if box_runs:
        return PanelError(_BOX_HAS_IT)
    try:
        return open_panel(config.panel)
    except PanelError as error:
        return error
