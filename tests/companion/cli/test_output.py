"""How commands end where they cannot print or write: with a sentence, and nothing replaced that is no plain file."""

from __future__ import annotations

import json
import logging
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from companion.cli.output import PrintableFormatter, sentences_for_errors

Perudo = Callable[..., Result]


def ended(*words: object, redirect: str) -> tuple[int, str]:
    """The exit status of `perudo` in a shell that redirects its output, and what it wrote to standard error."""
    done = subprocess.run(
        ["bash", "-c", f'"$@" {redirect}', "bash", sys.executable, "-m", "companion.cli", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
    )
    return done.returncode, done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("words", [["games"], ["games", "--json"], ["export", "2", "--out", "-"]], ids=" ".join)
def test_a_full_disk_under_standard_output_is_a_sentence(folder: Path, words: list[str]) -> None:
    status, errors = ended(*words, "--state", folder, redirect=">/dev/full")
    assert (status, errors) == (2, "perudo: standard output: No space left on device.\n")


def test_a_reader_that_has_enough_and_no_output_at_all_are_no_faults(folder: Path) -> None:
    assert ended("stats", "--state", folder, redirect="| true; exit 0")[1] == ""
    assert ended("games", "--state", folder, redirect=">&-") == (0, "")


def places(tmp_path: Path) -> dict[str, Path]:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    os.mkfifo(tmp_path / "pipe")
    return {name: tmp_path / name for name in ("folder", "link", "pipe")}


@pytest.mark.parametrize(
    "words",
    [["export", "--force", "--all"], ["calibrate", "board", "--out"], ["cards", "--address", "http://a/", "--out"]],
    ids=lambda words: words[0],
)
def test_nothing_is_replaced_that_is_no_plain_file(
    perudo: Perudo, folder: Path, tmp_path: Path, words: list[str]
) -> None:
    for name, place in places(tmp_path).items():
        before = place.lstat()
        of_journal = ["--state", folder] if words[0] == "export" else []
        result = perudo(*words, place, *of_journal)
        assert result.exit_code == 2, name
        assert "is a directory" in result.stderr or "not a plain file" in result.stderr
        assert (place.lstat().st_ino, stat.S_IFMT(place.lstat().st_mode)) == (
            before.st_ino,
            stat.S_IFMT(before.st_mode),
        )
    assert (tmp_path / "file").read_text() == "mine"


def test_a_named_pipe_is_no_file_to_read_and_no_state_folder(perudo: Perudo, tmp_path: Path) -> None:
    pipe = places(tmp_path)["pipe"]
    for words in (["count", pipe], ["replay", pipe], ["import", pipe], ["config", "check", pipe], ["evaluate", pipe]):
        assert "is a pipe" in perudo(*words).stderr
    assert "is not a folder" in perudo("games", "--state", pipe).stderr


def test_the_transcript_stops_listing_refused_lines_and_says_how_many_more(perudo: Perudo, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text("nonsense\n" * 1000)
    result = perudo("replay", bad)
    assert (result.exit_code, result.stdout.count("refused")) == (1, 20)
    assert "980 more lines were refused" in result.stderr
    assert len(perudo("replay", "--json", bad).stdout.splitlines()) == 1000


def test_the_other_games_of_a_damaged_journal_are_listed_and_exported(perudo: Perudo, folder: Path) -> None:
    path = folder / "journal.sqlite3"
    content = path.read_bytes()
    assert content.count(b'{"player": "Ben", "count": 4,') == 1
    path.write_bytes(content.replace(b'{"player": "Ben", "count": 4,', b'["player": "Ben", "count": 4,'))
    before = path.read_bytes()
    listed = perudo("games", "--state", folder)
    assert (listed.exit_code, len(listed.stdout.splitlines())) == (0, 3)
    assert "perudo doctor --repair" in listed.stderr
    assert perudo("export", "1", "--state", folder).exit_code == 0
    assert path.read_bytes() == before


RED = "\x1b[31m"


@pytest.mark.parametrize(
    "words",
    [
        ["count", f"no{RED}.jpg"], ["count", "--profile", f"{RED}.toml", "x.jpg"], ["rules", f"{RED}x"],
        [f"{RED}"], ["demo", "--port", f"{RED}"], ["games", f"--{RED}"], ["export", f"{RED}"],
    ],
    ids=range(7),
)  # fmt: skip
def test_escape_codes_that_were_typed_do_not_reach_the_terminal(perudo: Perudo, words: list[str]) -> None:
    result = perudo(*words)
    assert result.exit_code != 0
    assert "\x1b" not in result.output
    assert "x1b" in result.output


def test_escape_codes_do_not_reach_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    record = logging.makeLogRecord({"msg": f"the file {RED} is gone\nfor good"})
    assert PrintableFormatter().format(record) == "the file \\x1b[31m is gone\nfor good"


def nested() -> None:
    json.loads("[" * 100_000)


def without_library() -> None:
    raise ImportError("libxcb.so.1: cannot open shared object file: No such file or directory")


@pytest.mark.parametrize(
    ("fails", "sentence"),
    [(nested, "nested too deeply"), (without_library, "libxcb.so.1 is missing, which OpenCV needs: install libgl1")],
)
def test_an_error_of_the_machine_or_of_a_file_is_a_sentence(
    capsys: pytest.CaptureFixture[str], fails: Callable[[], None], sentence: str
) -> None:
    with pytest.raises(SystemExit) as ended_with, sentences_for_errors():
        fails()
    assert (ended_with.value.code, sentence in capsys.readouterr().err) == (2, True)


def test_a_bug_in_an_import_keeps_its_traceback() -> None:
    with pytest.raises(ImportError), sentences_for_errors():
        raise ImportError("cannot import name 'x' from 'y'")


def test_a_command_that_is_terminated_ends_as_python_does_and_removes_its_drafts() -> None:
    with pytest.raises(SystemExit) as ended_with, sentences_for_errors():
        os.kill(os.getpid(), signal.SIGTERM)
    assert ended_with.value.code == 143
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


FOREGROUND = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
"""A shell starts what runs in the background with Ctrl-C ignored, these tests too."""


def test_ctrl_c_while_the_command_is_imported_prints_no_traceback() -> None:
    interrupted = FOREGROUND + (
        "import importlib, os, companion.__main__ as program; "
        "importlib.import_module = lambda _: os.kill(os.getpid(), signal.SIGINT); program.main()"
    )
    done = subprocess.run([sys.executable, "-c", interrupted], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


def test_once_it_is_imported_ctrl_c_is_the_commands() -> None:
    code = FOREGROUND + (
        "import sys, companion.__main__ as program; sys.argv[1:] = ['--version']\n"
        "try: program.main()\nfinally: print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1] == "True"
