"""`perudo export` and `perudo import`: move games out of the state folder, and into it."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import click

from companion.cli.games import game_of, games_in_state, no_games, table_errors
from companion.cli.options import FILE_PATH, FOLDER_PATH, INPUT_PATH, journal_options
from companion.cli.output import UNUSABLE, answer, complain, fail, write_file
from companion.engine import EngineError
from companion.state_folder import as_owner_of
from companion.table.errors import TableError
from companion.table.journal.backup import SQLITE_HEADER, restore_backup, write_backup
from companion.table.journal.saved_games import LARGEST_RECORD, SavedGame, import_record
from companion.table.past.story import story as story_of

LABELS_FILE: Final = "labels.json"


@click.command()
@click.argument("numbers", metavar="[NUMBER]...", nargs=-1)
@click.option("--out", default=".", metavar="DIR", help='The folder for the records; "-" is standard output, which '
              "takes one.  [default: this folder]")  # fmt: skip
@click.option("--story", metavar="NUMBER", help="Tell this game instead, in sentences.")
@click.option("--all", "everything", type=FILE_PATH, metavar="FILE",
              help="Write everything instead, as one SQLite file that `perudo import` takes.")  # fmt: skip
@click.option("--labels", type=FOLDER_PATH, metavar="DIR",
              help="Write the dice kept by learn in [camera] instead, with labels for `perudo evaluate`.")  # fmt: skip
@click.option("--pictures/--no-pictures", default=True, help="With --all: the judged pictures, or leave them out.")
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@journal_options
def export(
    numbers: tuple[str, ...],
    out: str,
    story: str | None,
    everything: Path | None,
    labels: Path | None,
    pictures: bool,
    force: bool,
    state: Path,
    as_json: bool,
) -> None:
    """Write the records of the games with these NUMBERs (see `perudo games`), or of all games.

    A record is what `perudo replay` plays and `perudo import` takes, in a file such as game-3.jsonl. It is split
    where a player left or came back.
    """
    if sum((bool(numbers), *(each is not None for each in (story, everything, labels)))) > 1:
        raise click.UsageError("Name games, or say --story, --all or --labels: one of these.")
    if labels is not None:
        _export_labels(state, labels, force=force, as_json=as_json)
        return
    if everything is not None:
        _export_all(state, everything, pictures=pictures, force=force, as_json=as_json)
        return
    games = games_in_state(state)
    if story is not None:
        saved = game_of(games, story, state)
        sentences = story_of(saved.game)
        answer({"game": saved.key, "story": sentences}, *sentences, as_json=as_json)
        return
    wanted = [game_of(games, number, state) for number in dict.fromkeys(numbers)] or games
    if not wanted:
        fail(no_games(state))
    for each in wanted:
        if not each.game.parts:
            complain(f"Game {each.key} has no record yet: the players are rolling for the opening.")
    ready = [each for each in wanted if each.game.parts]
    if ready:
        _write(ready, out, force=force, as_json=as_json)
    if numbers and ready != wanted:
        raise click.exceptions.Exit(UNUSABLE)


def _export_all(state: Path, file: Path, *, pictures: bool, force: bool, as_json: bool) -> None:
    with table_errors():
        done = write_backup(state, file, pictures=pictures, overwrite=force)
    judged = f" and {done.pictures} of the judged pictures" if pictures else ", without the judged pictures,"
    answer({"file": str(file), **asdict(done)}, f"{done.games} games{judged} are in {file}.", as_json=as_json)
    if done.missing and not as_json:
        complain(f"{done.missing} of the judged pictures are no longer there.")


def _export_labels(state: Path, folder: Path, *, force: bool, as_json: bool) -> None:
    from companion.camera.example_file import EXAMPLE_FILE, ExampleFile, ExampleFileError
    from companion.table.game.judged_dice import Feedback

    try:
        with as_owner_of(state):
            kept = ExampleFile(state / EXAMPLE_FILE).pictures()
    except ExampleFileError as error:
        fail(str(error))
    if not kept:
        fail(f"No dice have been kept in {state}. `learn = true` in [camera] keeps them.")
    file = folder / LABELS_FILE
    if file.exists() and not force:
        fail(f"{file} is there already, and nothing was written. Say --force to overwrite it.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, _, picture in kept:
            write_file(folder / name, picture)
        content = {name: example.labels for name, example, _ in kept}
        write_file(file, json.dumps(content, indent=1).encode())
    except OSError as error:
        fail(f"{folder} cannot be written: {error.strerror or error}.")
    said = sum(example.word is not Feedback.UNDISPUTED for _, example, _ in kept)
    answer(
        {"file": str(file), "dice": len(kept), "said": said},
        f"{len(kept)} dice are in {file}; players said something of {said}.",
        as_json=as_json,
    )


def _write(wanted: list[SavedGame], out: str, *, force: bool, as_json: bool) -> None:
    records = {
        _name(each, part): (each.key, part, lines)
        for each in wanted
        for part, lines in enumerate(each.game.record, start=1)
    }
    if out == "-":
        if len(records) != 1:
            fail(f"Standard output takes one record, and these are {len(records)}: name a folder with --out.")
        for _, _, lines in records.values():
            # Bytes, because a record is UTF-8 whatever the terminal uses.
            sys.stdout.buffer.write(_text(lines))
        return
    folder = Path(out)
    for name in records:
        try:
            there = (folder / name).exists()
        except OSError as error:
            fail(f"{folder / name} cannot be written: {error.strerror or error}.")
        if there and not force:
            fail(f"{folder / name} is there already, and nothing was written. Say --force to overwrite it.")
    for name, (key, part, lines) in records.items():
        file = folder / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            fail(f"{file} cannot be written: {error.strerror or error}.")
        write_file(file, _text(lines))
        values = {"game": key, "part": part, "file": str(file), "lines": len(lines)}
        answer(values, str(file), as_json=as_json)


def _text(lines: Sequence[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _name(saved: SavedGame, part: int) -> str:
    """ "game-3.jsonl", "game-3-part-2.jsonl", "record-1.jsonl"."""
    begin = f"game-{saved.key}" if saved.name is None else f"record-{saved.game.number}"
    return f"{begin}.jsonl" if len(saved.game.parts) == 1 else f"{begin}-part-{part}.jsonl"


# perudo import


@click.command("import")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=INPUT_PATH)
@journal_options
def import_(files: tuple[Path, ...], state: Path, as_json: bool) -> None:
    """Import games: records (JSON Lines), or everything that `perudo export --all` has written.

    A record is imported whole or not at all, and only once. An exported SQLite file is restored into a state folder
    without a journal.
    """
    status = 0
    for file in files:
        try:
            sentence, values = _import(file, state)
        except (TableError, EngineError, OSError) as error:
            reason = f"{error.strerror or type(error).__name__}." if isinstance(error, OSError) else error.message
            complain(f"{file}: {reason}")
            answer({"file": str(file), "taken": False, "error": reason}, as_json=as_json)
            status = UNUSABLE
        else:
            answer({"file": str(file), **values}, f"{file}: {sentence}", as_json=as_json)
    raise click.exceptions.Exit(status)


def _import(file: Path, state: Path) -> tuple[str, dict[str, object]]:
    """Import one file; return a sentence about it, and the same as JSON."""
    with file.open("rb") as stream:
        content = stream.read(len(SQLITE_HEADER))
        if content != SQLITE_HEADER:
            content += stream.read(LARGEST_RECORD)
    if content == SQLITE_HEADER:
        done = restore_backup(file, state)
        missing = f", {done.missing} pictures are not in it" if done.missing else ""
        sentence = f"{done.games} games and {done.pictures} pictures are in {state} now{missing}."
        return sentence, {"taken": True, "games": done.games, "pictures": done.pictures, "missing": done.missing}
    with as_owner_of(state):
        imported = import_record(state, file.name, content)
    sentence = f"it is game {imported.key} now." if imported.new else f"it is there already, as game {imported.key}."
    return sentence, {"taken": imported.new, "game": imported.key}
