"""`perudo demo`: a whole table without any hardware."""

from __future__ import annotations

import contextlib
import random
import tempfile
from pathlib import Path
from typing import Final

import click

from companion.cli.options import configured, logged, serving
from companion.config import Config

PLAYERS: Final = (("Ana", "red"), ("Ben", "blue"), ("Cid", "green"), ("Dora", "yellow"))


@click.command()
@serving
@configured(own=False)
@click.option("--seed", type=int, default=None, help="Makes the throws repeatable.")
@click.option(
    "--state",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help="Keep everything that is written under this folder, and go on there next time. "
    "Without it the demo leaves nothing behind.",
)
def demo(
    host: str, port: int, patience: float, verbose: bool, config: Config, seed: int | None, state: Path | None
) -> None:
    """Play at a virtual table, on a virtual panel, in the browser of a computer or a phone.

    Of a configuration the demo takes all but [camera] and [panel].
    """
    logged(verbose)
    from companion.calibrating.calibrating import Calibrating
    from companion.demo.virtual_table import VirtualTable
    from companion.station import Setup, run
    from companion.table import Table
    from hardware.panel.panel import VirtualPanel
    from hardware.virtual.painted_camera import VirtualCamera

    luck = random.Random(seed) if seed is not None else random.SystemRandom()
    throws = seed if seed is not None else luck.randrange(2**31)

    calibrations: list[Calibrating] = []

    def camera(table: Table) -> VirtualCamera:
        virtual = VirtualTable(table.state_with_all_dice, throws)
        virtual.wanted = lambda: calibrations[-1].wanted() if calibrations else None
        return VirtualCamera(virtual.paint)

    with contextlib.ExitStack() as stack:
        folder = state or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="perudo-demo-")))
        run(
            Setup(
                host=host,
                port=port,
                state=folder,
                open_camera=camera,
                open_panel=VirtualPanel,
                patience=patience,
                players=PLAYERS,
                demo=True,
                rng=luck,
                house=config.house,
                calza=config.table.calza,
                pictures=config.table.pictures,
                give_up=config.table.give_up,
                open_lost=config.table.lost_dice == "open",
                code=config.access.code,
                helped=calibrations.append,
            )
        )
