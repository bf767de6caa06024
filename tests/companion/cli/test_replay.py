"""`perudo replay`, from files on disk to text on the terminal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.cli.replay import replay
from companion.engine.record import LONGEST_LINE

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
GAME = b'{"event":"game","ruleset":"asmodee-fr","players":["ana","ben"],"starter":"ana"}\n'
BID = b'{"event":"bid","player":"ana","count":1,"face":2}\n'


@pytest.fixture
def runner() -> CliRunner:
    return CliRunner()


@pytest.fixture
def record(tmp_path):
    def write(content, name="record.jsonl"):
        path = tmp_path / name
        path.write_bytes(content)
        return str(path)

    return write


def as_json(result):
    return [json.loads(line) for line in result.stdout.splitlines()]


# Golden playthroughs: read the .txt files, they are games


@pytest.mark.parametrize("played", sorted(PLAYTHROUGHS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_a_playthrough_has_the_expected_account(runner, played):
    """After a change on purpose: `perudo replay NAME.jsonl > NAME.txt`, and read what came out."""
    result = runner.invoke(replay, [str(played)])
    assert result.stdout == played.with_suffix(".txt").read_text(encoding="utf-8")
    assert result.stderr == ""


# JSON


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
def test_json_is_one_object_per_line_and_nothing_else(runner, record, ends):
    result = runner.invoke(replay, [record((GAME + BID).replace(b"\n", ends)), "--json"])
    assert (result.exit_code, result.stderr) == (0, "")
    assert [(step["line"], step["ok"]) for step in as_json(result)] == [(1, True), (2, True)]
    assert result.stdout.startswith('{"line":1,"ok":true,"state":{"phase":"bidding","round":1,"turn":"ana",')


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"", 0),
        (GAME, 1),
        (GAME[:-1], 1),
        (GAME + b"\n", 2),
        (b"\n\n", 2),
        (b"\xff\xfe", 1),
        (b"a\rb\x0cc\xe2\x80\xa8d", 1),
    ],
)
def test_lines_end_in_a_line_feed_and_the_last_one_starts_no_other(runner, record, content, lines):
    result = runner.invoke(replay, [record(content), "--json"])
    assert [step["line"] for step in as_json(result)] == list(range(1, lines + 1))


def test_the_lines_of_each_file_are_counted_from_one(runner, record):
    files = [record(GAME + BID, "one"), record(BID + GAME, "two")]
    result = runner.invoke(replay, [*files, "--json"])
    assert [(step["line"], step["ok"]) for step in as_json(result)] == [(1, True), (2, True), (1, False), (2, True)]
    assert as_json(result)[2]["state"] is None
    assert result.exit_code == 1


def test_standard_input_is_read_as_a_file(runner):
    result = runner.invoke(replay, ["-", "--json"], input=GAME + BID)
    assert len(as_json(result)) == 2
    assert result.exit_code == 0


def test_lone_surrogates_and_letters_of_any_language_are_printed(runner, record):
    game = b'{"event":"game","ruleset":"asmodee-fr","players":["\\ud800","Zo\xc3\xab"],"starter":"\\ud800"}'
    result = runner.invoke(replay, [record(game), "--json"])
    assert list(as_json(result)[0]["state"]["dice"]) == ["\ud800", "Zoë"]


# Files that cannot be read


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_file_that_cannot_be_read_gives_one_line_and_status_2(runner, record, tmp_path, options):
    for missing in (tmp_path / "nothing", tmp_path, tmp_path / ("x" * 300), tmp_path / "two\nlines"):
        result = runner.invoke(replay, [str(missing), *options])
        assert (result.exit_code, result.stdout) == (2, "")
        assert len(result.stderr.splitlines()) == 1
        assert result.stderr.startswith("perudo replay: ")
    assert runner.invoke(replay, []).exit_code == 2


def test_the_other_files_are_replayed_all_the_same(runner, record, tmp_path):
    result = runner.invoke(replay, [record(BID, "bad"), str(tmp_path / "nothing"), record(GAME, "good"), "--json"])
    assert [step["ok"] for step in as_json(result)] == [False, True]
    assert result.exit_code == 2


# Anything at all


HOSTILE = {
    "a megabyte of letters": b"x" * 1_000_000,
    "a megabyte of noise": bytes(range(256)).replace(b"\n", b"") * 4000,
    "a megabyte of digits": b"9" * 1_000_000,
    "a megabyte of brackets": b"[" * 1_000_000,
    "ten thousand levels": b"[" * 10_000 + b"]" * 10_000,
    "ten thousand levels in an event": b'{"event":"together","calls":' + b"[" * 10_000 + b"]" * 10_000 + b"}",
    "together within together": b'{"event":"together","calls":[' * 5_000 + b"]}" * 5_000,
    "zeros": bytes(100_000),
    "a name of a megabyte": b'{"event":"dudo","player":"' + b"n" * 1_000_000,
    "an unknown name of a megabyte": b'{"event":"dudo","player":"' + b"n" * 1_000_000 + b'"}',
    "an overlong line": b" " * (2 * LONGEST_LINE + 10),
    "an empty line": b"",
}


@pytest.mark.parametrize("line", HOSTILE.values(), ids=HOSTILE)
def test_hostile_lines_are_refused_and_the_game_goes_on(runner, record, line):
    path = record(GAME + line + b"\n" + BID)
    for options in ([], ["--json"]):
        result = runner.invoke(replay, [path, *options])
        assert (result.exit_code, result.stderr) == (1, "")
    error = "unknown-player" if line.endswith(b'n"}') else "bad-record"
    assert [step.get("error") for step in as_json(result)] == [None, error, None]


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300))
def test_any_bytes_can_be_replayed(runner, record, content):
    path = record(content)
    for options in ([], ["--json"]):
        result = runner.invoke(replay, [path, *options])
        assert result.exit_code == (1 if content else 0)
        assert result.stderr == ""
    assert all(step["error"] == "bad-record" and step["state"] is None for step in as_json(result))


# The account


def test_control_characters_in_names_are_escaped(runner, record):
    game = b'{"event":"game","ruleset":"asmodee-fr","players":["\\u001b[2J\\n","b\\ud800"],"starter":"b\\ud800"}\n'
    lines = game + b'{"event":"dudo","player":"\\u001b[2J\\n"}\n{"event":"dudo","player":"\\u009b31m"}\n'
    result = runner.invoke(replay, [record(lines)], color=False)
    assert "\\x1b[2J\\n, b\\ud800" in result.stdout
    assert not {"\x1b", "\x9b"} & set(result.stdout)
    assert "it is b\\ud800's turn, not \\x1b[2J\\n's" in result.stdout


def test_there_are_colours_only_on_a_terminal(runner, record):
    path = record(GAME + BID + b'{"event":"dudo","player":"ben"}\n{"event":"dudo","player":"ben"}\n')
    assert "\x1b[" not in runner.invoke(replay, [path]).stdout
    coloured = runner.invoke(replay, [path], color=True).stdout
    assert "\x1b[31m  line 4 refused" in coloured


def test_files_are_named_when_there_are_several(runner, record):
    files = [record(GAME, "one"), record(GAME, "two")]
    assert all(file in runner.invoke(replay, files).stdout.splitlines() for file in files)


# The real program


def perudo(*arguments, **options):
    command = [sys.executable, "-c", "from companion.cli import main; main()", "replay", *arguments]
    return subprocess.run(command, capture_output=True, check=False, timeout=60, **options)


def test_the_installed_command_replays_a_record(record):
    """In letters that the terminal may lack."""
    game = '{"event":"game","ruleset":"asmodee-fr","players":["Zoë","Łucja"],"starter":"Zoë"}'.encode()
    result = perudo(record(game), env=os.environ | {"PYTHONIOENCODING": "latin-1"})
    assert (result.returncode, result.stderr) == (0, b"")
    assert "Zoë, \\u0141ucja".encode("latin-1") in result.stdout


def test_a_closed_pipe_gives_no_traceback(record):
    path = record(GAME + b"x\n" * 20_000)
    command = f"'{sys.executable}' -c 'from companion.cli import main; main()' replay '{path}' --json | head -n 1"
    result = subprocess.run(["bash", "-c", command], capture_output=True, check=False, timeout=60)
    assert result.stderr == b""
    assert json.loads(result.stdout)["ok"] is True
