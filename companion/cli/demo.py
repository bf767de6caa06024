"""`perudo demo`: a whole table without any hardware."""

from __future__ import annotations

import random
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click

from companion.cli.options import FOLDER_PATH, config_option, serving_options, with_options
from companion.cli.output import fail
from companion.config import Config

DEMO_PLAYERS: Final = (("Ana", "red"), ("Ben", "blue"), ("Cid", "green"), ("Dora", "yellow"))


@click.command()
@serving_options
@config_option(own=False)
@click.option("--seed", type=int, default=None, help="Makes the throws repeatable.")
@click.option("--state", type=FOLDER_PATH, help="Keep everything that is written under this folder, and go on there "
              "next time. Without it the demo leaves nothing behind.")  # fmt: skip
def demo(config: Config, state: Path | None, seed: int | None, **options: object) -> None:
    """Play at a virtual table, on a virtual panel, in the browser of a computer or a phone.

    Of a configuration the demo takes all but [camera] and [panel].
    """
    from companion.calibrating.session import CalibrationSession
    from companion.demo.virtual_table import VirtualTable
    from companion.station import Setup, StationError, run
    from companion.table import Table
    from hardware.virtual.virtual_camera import VirtualCamera
    from hardware.virtual.virtual_panel import VirtualPanel

    luck = random.Random(seed)
    throws = seed if seed is not None else luck.randrange(2**31)

    def open_camera(table: Table, calibrating: CalibrationSession) -> VirtualCamera:
        virtual = VirtualTable(table.state_with_all_dice, throws)
        virtual.calibration_wish = calibrating.wanted
        return VirtualCamera(virtual.paint)

    with nullcontext(state) if state else TemporaryDirectory(prefix="perudo-demo-") as folder:
        try:
            run(
                Setup(
                    with_options(config, **options),
                    Path(folder),
                    open_camera,
                    VirtualPanel,
                    players=DEMO_PLAYERS,
                    demo=True,
                    rng=luck,
                )
            )
        except StationError as error:
            fail(str(error), command="")
