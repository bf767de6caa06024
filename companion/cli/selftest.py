"""`perudo selftest`: play a round, and see whether the box stands it."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from companion.cli.doctor import exit_status, print_diagnoses, service_or_own_state
from companion.cli.options import FOLDER_PATH, config_option
from companion.config import Config


@click.command()
@config_option(own=True)
@click.option("--json", "as_json", is_flag=True, help="A JSON list, and nothing else on standard output.")
@click.option("--state", type=FOLDER_PATH, metavar="DIR",
              help="The folder of the games, to try its disk.  [default: the service's, else the user's]")  # fmt: skip
def selftest(config: Config, as_json: bool, state: Path | None) -> None:
    """Play a round on this machine, and check that it is read, judged, corrected and kept. It takes about a minute.

    The round is a virtual one with a journal of its own, which is killed in the middle; then the camera, unless the
    running box has it, must give pictures. The games played so far are not touched. `perudo doctor` looks at the parts;
    `perudo panel` tries the buttons and lamps. Exit status 1: something is BAD.
    """
    from companion.box.doctor.configuration import page_address
    from companion.box.doctor.machine import page_answers, port_refusal
    from companion.box.selftest import selftest as diagnoses
    from companion.messages.message import Message
    from hardware.camera.camera_choice import choose_camera
    from hardware.camera.protocol import Camera, CameraError

    camera: Camera | CameraError
    host, number = page_address()
    if port_refusal(host, number) and page_answers(number):
        camera = CameraError(Message("The running box has it. `sudo systemctl stop perudo` frees it for this test."))
    else:
        try:
            camera = choose_camera(config.camera.source, config.camera.settings)
        except CameraError as error:
            camera = error
    made = print_diagnoses(diagnoses(state or service_or_own_state(), camera), as_json=as_json)
    sys.exit(exit_status(made))
