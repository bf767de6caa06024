"""Draws the panel in every phase of a short game played on mock pins."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from companion.panel.link import PanelLink
from companion.table import Journal, Table, commands
from companion.table.game.table_position import Phase
from companion.table.presses import QUIET_SECONDS
from companion.table.state.signs import join_lines
from companion.table.state.state import CameraStatus
from hardware.panel.debounce import HOLD_TIMES, LONG_PRESS
from hardware.panel.lamp_patterns import LampPattern
from hardware.panel.wiring import DIAL, DisplayWiring, Wiring
from hardware.virtual.panel_svg import PANEL_HEIGHT, PANEL_WIDTH, PanelView, cell, page, panel_view, pattern_strip
from hardware.virtual.virtual_panel import VirtualPanel
from vision.reading import Die, Reading

PLAYERS: Final = [
    commands.NewPlayer(name, colour)
    for name, colour in (("Ana", "red"), ("Ben", "blue"), ("Cid", "green"), ("Dora", "yellow"))
]

WIRING: Final = Wiring(
    buttons={"dudo": 17, "calza": 27},
    lamps={"dudo": 23, "calza": 24},
    coloured=((5, 6, 13), (19, 26, 21), (4, 7, 8), (9, 10, 11), (14, 15, 18), (22, 2, 3)),
    status=25,
    dial=(20, 16, 12),
    display=DisplayWiring("ssd1306"),
)
"""A panel with as many parts as there are pins for."""

LONG: Final = LONG_PRESS + 0.1
"""Seconds of a long press."""

PANELS_A_ROW: Final = 3
_CELL: Final = PANEL_HEIGHT + 64
_LEGEND: Final = 92


class Scene(NamedTuple):
    """The panel at one moment of the game."""

    phase: Phase
    note: str
    shown: PanelView
    names: tuple[str, ...]


def scenes() -> list[Scene]:
    """The panel in every phase, in the order of `Phase`."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="perudo-panel-")))
        found = list(_played(_Stage(folder, stack)))
    return sorted(found, key=lambda scene: list(Phase).index(scene.phase))


def sheet(drawn: list[Scene]) -> str:
    """All scenes on one page, with a legend of the patterns."""
    rows = -(-len(drawn) // PANELS_A_ROW)
    body = [
        cell(
            scene.shown,
            scene.names,
            scene.phase.value,
            scene.note,
            n % PANELS_A_ROW * PANEL_WIDTH,
            10 + n // PANELS_A_ROW * _CELL,
        )
        for n, scene in enumerate(drawn)
    ]
    top = 10 + rows * _CELL
    for n, pattern in enumerate(each for each in LampPattern if each is not LampPattern.OFF):
        x = 60 + n * 284
        body.append(pattern_strip(pattern, x, top + 20, 200, 24, span=4.8))
        body.append(f'<text x="{x}" y="{top + 64}" font-size="16" fill="#2c1c12">{pattern.value}</text>')
    return page(PANELS_A_ROW * PANEL_WIDTH, top + _LEGEND, "".join(body))


class _Stage:
    """A table, a virtual panel, and a clock that moves only in `press` and `scene`."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.now = 1000.0
        self.table = stack.enter_context(Table(Journal(folder), clock=self._clock))
        self.table.set_camera(CameraStatus(ok=True, name="virtual table"))
        self.panel = VirtualPanel(WIRING, clock=self._clock)
        stack.callback(self.panel.close)
        self.link = PanelLink(self.table, self.panel)
        stack.callback(self.link.close)
        self.link.ready(join_lines("192.168.1.20:8000", "4711"))

    def _clock(self) -> float:
        return self.now

    def press(self, button: str, seconds: float = 0.1) -> None:
        """Press a button for `seconds`, then wait until the press can have no further effect."""
        self.panel.press(button)
        self.now += seconds
        self.panel.release(button)
        self.now += QUIET_SECONDS + 1
        self.panel.tick()
        self.panel.flush()

    def hold_both(self) -> None:
        """Hold both buttons until the round is void."""
        for button in ("dudo", "calza"):
            self.panel.press(button)
        self.now += HOLD_TIMES[0]
        self.panel.tick()
        self.panel.flush()
        for button in ("dudo", "calza"):
            self.panel.release(button)
        self.now += QUIET_SECONDS + 1
        self.panel.tick()
        self.panel.flush()

    def scene(self, note: str) -> Scene:
        """The panel as it is now."""
        state = self.table.state()
        self.link.show()
        self.now = 24.0 * round(self.now / 24 + 1) + 1.66  # a moment when every slow pattern is bright
        self.panel.tick()
        names = tuple(player.name for player in state.players)
        return Scene(state.phase, note, panel_view(self.panel), names)

    def reveal(self, dice: dict[str, list[int]]) -> None:
        """Let the camera read these dice, given by player."""
        wanted = self.table.reveal_wanted()
        assert wanted is not None
        colours = {player.name: player.colour for player in PLAYERS}
        read = tuple(
            Die(face, colours[name], (60.0 * place, 80.0 * row, 40.0, 40.0), confidence=1.0)
            for row, (name, faces) in enumerate(dice.items())
            for place, face in enumerate(faces)
        )
        self.table.take_reading(wanted.reveal, Reading(read, width=1280, height=960), None)


_DICE: Final = {"Ana": [4, 4, 1, 2, 6], "Ben": [3, 3, 4, 5, 2], "Cid": [1, 6, 6, 2, 5], "Dora": [2, 3, 5, 5, 6]}


def _played(stage: _Stage) -> Iterator[Scene]:
    table = stage.table
    yield stage.scene("how phones join")
    table.do(commands.OpenGame(PLAYERS, "asmodee-fr", roll=True))
    yield stage.scene("everybody rolls one die for the opening")
    table.do(commands.CountByHand({"Ana": [3], "Ben": [5], "Cid": [2], "Dora": [4]}))
    stage.panel.turn(1)  # to the first choice
    stage.panel.turn(2)
    stage.press(DIAL, LONG)
    stage.panel.turn(2)
    stage.press(DIAL)
    table.do(commands.MakeBid("Cid", 5, 4))
    yield stage.scene("a bid stands; Dora is on turn")
    stage.press("calza")
    yield stage.scene("CALZA was pressed: who was it?")
    table.do(commands.NameCaller("Ana"))
    yield stage.scene("Ana said calza; the camera reads")
    stage.reveal({**_DICE, "Cid": [1, 6, 6, 2]})
    yield stage.scene("one of Cid's dice is not seen")
    table.do(commands.CountByHand(_DICE))
    table.do(commands.OpenRound())
    stage.now += QUIET_SECONDS
    table.do(commands.MakeBid("Ana", 3, 5))
    stage.hold_both()
    yield stage.scene("both buttons were held: the round is void")
    stage.press("dudo", LONG)
    stage.reveal(_DICE)
    yield stage.scene("counted without a bid: who called?")
    table.do(commands.TellCall("dudo", caller="Ben", bidder="Ana", count=6, face=4))
    yield stage.scene("five fours, the bid was six: Ana loses a die")
    table.do(commands.EndGame())
    table.do(commands.OpenGame(PLAYERS[:2], "asmodee-fr", dice={"Ana": 1, "Ben": 1}, starter="Ana", abandon=True))
    table.do(commands.MakeBid("Ana", 2, 5))
    stage.press("dudo")
    table.do(commands.CountByHand({"Ana": [3], "Ben": [2]}))
    yield stage.scene("Ben has won")
