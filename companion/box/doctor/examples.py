"""The dice that were kept as examples, and the doubt threshold that they give."""

from __future__ import annotations

from pathlib import Path

from companion.box.doctor.configuration import is_private, learns
from companion.box.doctor.diagnosis import Diagnosis, absent, good, poor
from companion.messages.message import Dice, Message
from companion.state_folder import as_owner_of


def examples(state: Path) -> Diagnosis:
    """What `learn` in [camera] has kept in the state folder, and from which probability on the box does not ask."""
    if not learns():
        return absent(
            "examples",
            "No dice are kept to learn from: learn in [camera] is false.",
            Message("No pictures of dice are kept to learn from."),
        )
    if is_private(state):
        return absent("examples", f"Only the service and root may look into {state}.")
    try:
        from companion.camera.example_file import EXAMPLE_FILE, ExampleFile, ExampleFileError
        from companion.camera.example_keeper import own_threshold
        from vision.models.integrity import networks_id
        from vision.models.network import ModelError
        from vision.pipeline.confidence import Confidence
    except ImportError as error:  # the diagnosis of the library says what to do
        return poor("examples", f"They cannot be read: {error}.")
    file = ExampleFile(state / EXAMPLE_FILE)
    try:
        shipped = Confidence.load().ask_below
        networks = networks_id()
        with as_owner_of(state):
            kept = file.summary()
            threshold = own_threshold(file, networks, shipped)
    except (ExampleFileError, ModelError, OSError) as error:
        return poor(
            "examples",
            f"{error} Dice are read as without it. Remove the file to start again.",
            Message("The pictures of dice that are kept to learn from cannot be read. Dice are read as without them."),
        )
    how = "proven" if threshold.proven else "not proven yet"
    return good(
        "examples",
        f"{kept.dice} dice kept, players spoke of {kept.said}, {kept.bytes / 1e6:.0f} MB. Players are asked below "
        f"a probability of {threshold.ask_below:.2f} ({how}); shipped: {shipped:.2f}",
        Message("Pictures of {dice} are kept to learn from.", dice=Dice(kept.dice)),
    )
