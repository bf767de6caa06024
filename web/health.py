"""Whether a game can be judged and kept now: what `GET /healthz` answers."""

from __future__ import annotations

from companion.messages.sentence import Value
from companion.table import State
from companion.table.game.position import Phase
from companion.table.quantities import Count


class Health(Value, frozen=True, kw_only=True):
    """Whether a game can be judged and kept now; if not, why."""

    ok: bool
    reasons: tuple[str, ...]
    version: Count
    phase: Phase
    camera: str
    """What it is called; empty where there is none."""
    listeners: Count


def health(state: State, listeners: int) -> Health:
    """How the box is. `listeners` is how many phones listen to the stream."""
    reasons = [] if state.camera.ok else [state.camera.sentence or "The camera gives no pictures."]
    if not state.journal.ok:
        reasons.append(state.journal.sentence)
    return Health(
        ok=not reasons,
        reasons=tuple(reasons),
        version=state.version,
        phase=state.phase,
        camera=state.camera.name,
        listeners=listeners,
    )
