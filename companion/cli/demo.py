"""`perudo demo`: runs a whole table without any hardware."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click

from companion.cli.options import FOLDER_PATH, config_option, serving_options, settings_file, with_options
from companion.cli.output import fail
from companion.config import CameraConfig, Config
from companion.state_folder import as_owner_of

DEMO_PLAYERS: Final = (("Ana", "red"), ("Ben", "blue"), ("Cid", "green"), ("Dora", "yellow"))


@click.command()
@serving_options
@config_option(own=False)
@click.option("--seed", type=int, default=None, help="Makes the throws repeatable.")
@click.option("--robots", type=click.IntRange(0, 3), default=0, metavar="NUMBER",
              help="Robots that take the other seats: an easy one, a medium one, a hard one.  "
                   "[default: none]")  # fmt: skip
@click.option("--state", type=FOLDER_PATH, help="Keep everything in this folder, and go on there next time. Without it "
              "the demo leaves nothing behind.")  # fmt: skip
def demo(config: Config, state: Path | None, seed: int | None, robots: int, **options: object) -> None:
    """Play at a virtual table in the browser of a computer or a phone.

    Of a configuration the demo takes all but [camera] and [panel].
    """
    from calibration.sheet.view_guide import Wish
    from companion.app import Setup, StationError, run
    from companion.demo.virtual_table import VirtualTable
    from companion.features.robots.robot_players import RobotPlayers
    from companion.table import Table
    from companion.table.game.history import times_voided
    from hardware.virtual.virtual_camera import VirtualCamera
    from hardware.virtual.virtual_panel import VirtualPanel

    luck = random.Random(seed)
    virtual: VirtualTable | None = None
    throws = seed if seed is not None else luck.randrange(2**31)

    def open_robots(table: Table, taken: Callable[[], Mapping[str, str | None]]) -> RobotPlayers:
        nonlocal virtual
        virtual = VirtualTable(table.state_with_all_dice, throws, times_voided=lambda: times_voided(table.history()[0]))
        return RobotPlayers(table, virtual.peek, taken, luck=random.Random(throws), count=robots)

    def show_sheet(wanted: Callable[[], tuple[str, Wish, int] | None]) -> None:
        assert virtual is not None  # the robots are opened first
        virtual.calibration_wish = wanted

    def open_camera(_: CameraConfig) -> VirtualCamera:
        assert virtual is not None
        return VirtualCamera(virtual.paint)

    with (
        nullcontext(state) if state else TemporaryDirectory(prefix="perudo-demo-") as folder,
        as_owner_of(Path(folder)),
    ):
        try:
            run(
                Setup(
                    with_options(config, **options),
                    Path(folder),
                    open_camera,
                    lambda _: VirtualPanel(),
                    players=DEMO_PLAYERS[: robots + 1 if robots else None],
                    demo=True,
                    open_robots=open_robots,
                    show_sheet=show_sheet,
                    rng=luck,
                    settings=settings_file(),
                )
            )
        except StationError as error:
            fail(str(error), command="")
