"""A backup of a whole box as one file: what is in it, what is not, and what no box takes."""

from __future__ import annotations

import json
import shutil
import sqlite3
import zipfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import Mock

import pytest

from calibration.profiles import Profiles
from companion.camera.example_file import ExampleFile
from companion.config import parse
from companion.config.secrets import code_in, for_this_box, with_code, without_secrets
from companion.features.backup import archive
from companion.features.backup.archive import lay_out_state, settings_in, unpack_archive, write_archive
from companion.features.backup.description import BackupDescription, BackupError, BackupFileError, BackupNotNowError
from companion.table import Journal, Table, commands
from companion.table.journal.saved_games import saved_games
from companion.table.past.statistics import statistics
from tests.fakes.new_game import new_game
from tests.fakes.played_box import play, played_box
from web.access.access import Access

MADE = datetime(2026, 5, 3, 18, 30, tzinfo=UTC)
SETTINGS = '# the attic\n[access]\ncode = "0271"  # do not tell\n[web]\nport = 8001\n'


@pytest.fixture
def state(tmp_path: Path) -> Path:
    played_box(tmp_path / "old", games=3, learns=True)
    return tmp_path / "old"


def written(state: Path, file: Path, *, secrets: bool = False, settings: str | None = SETTINGS) -> BackupDescription:
    return write_archive(
        state, file, program="0.1.0", name="perudo-attic", made=MADE, settings=settings, secrets=secrets
    )


def restored(file: Path, folder: Path) -> tuple[BackupDescription, tuple[str, ...]]:
    described = unpack_archive(file, folder)
    return described, lay_out_state(folder)


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_box_comes_back_whole(state: Path, tmp_path: Path) -> None:
    file = tmp_path / "b.zip"
    assert written(state, file) == BackupDescription(
        format=1,
        program="0.1.0",
        name="perudo-attic",
        made="2026-05-03T18:30:00+00:00",
        games=3,
        last=_last(state),
        pictures=3,
        profiles=1,
        configuration=True,
        examples=True,
        secrets=False,
    )
    described, parts = restored(file, tmp_path / "draft")
    assert parts == ("games", "profiles", "examples")
    new = tmp_path / "draft" / "state"
    assert described == written(state, tmp_path / "c.zip")
    assert saved_games(new) == saved_games(state)
    played, kept = ([each.game for each in saved_games(folder)] for folder in (state, new))
    assert statistics(kept) == statistics(played)
    assert files(new / "pictures") == files(state / "pictures")
    assert files(new / "profiles") == files(state / "profiles")
    assert Profiles.of(new).in_use == Profiles.of(state).in_use
    assert (
        ExampleFile(new / "examples/dice.sqlite3").pictures() == ExampleFile(state / "examples/dice.sqlite3").pictures()
    )
    with Table(Journal(new)) as table:
        play(table, 1)
    assert len(saved_games(new)) == 4


def _last(state: Path) -> str:
    with closing(sqlite3.connect(state / "journal.sqlite3")) as journal:
        return str(journal.execute("SELECT MAX(at) FROM event").fetchone()[0])


def test_nobody_can_join_with_a_backup_unless_its_secrets_were_chosen(state: Path, tmp_path: Path) -> None:
    written(state, tmp_path / "without.zip")
    keys = json.loads((state / "access.json").read_text())
    with zipfile.ZipFile(tmp_path / "without.zip") as plain:
        everything = b"".join(plain.read(name) for name in plain.namelist())
    for secret in (*keys.values(), "0271"):
        assert str(secret).encode() not in everything
    written(state, tmp_path / "with.zip", secrets=True)
    described, parts = restored(tmp_path / "with.zip", tmp_path / "draft")
    assert described.secrets
    assert parts[-1] == "secrets"
    assert json.loads((tmp_path / "draft/state/access.json").read_text()) == keys
    before, after = Access(state), Access(tmp_path / "draft/state")
    assert before.phones._phones == after.phones._phones != {}
    assert settings_in(tmp_path / "draft") == SETTINGS


def test_a_table_keeps_its_place_in_the_club_only_with_the_secrets(state: Path, tmp_path: Path) -> None:
    place = '{"club": "club-1", "password": "abracadabra"}'
    names = '{"club": "club-1", "table": "t-1", "history": [{"row": 0, "names": ["Abracadabra"]}]}'
    (state / "club.json").write_text(place)
    (state / "consent.json").write_text(names)
    broker = SETTINGS + '[club]\nbroker = "mqtts://me:abracadabra@broker:8883"\n'
    written(state, tmp_path / "without.zip", settings=broker)
    with zipfile.ZipFile(tmp_path / "without.zip") as plain:
        assert all(b"abracadabra" not in plain.read(name).lower() for name in plain.namelist())
        assert b'"mqtts://broker"' in plain.read("perudo.toml")
    written(state, tmp_path / "with.zip", settings=broker, secrets=True)
    restored(tmp_path / "with.zip", tmp_path / "draft")
    assert (tmp_path / "draft/state/club.json").read_text() == place
    assert (tmp_path / "draft/state/consent.json").read_text() == names


def test_a_backup_is_made_while_a_game_goes_on_and_has_no_half_of_a_move(tmp_path: Path) -> None:
    with Table(Journal(tmp_path / "s")) as table:
        play(table, 1)
        table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"))
        table.do(commands.MakeBid(table.state().turn or "", 2, 2))
        written(tmp_path / "s", tmp_path / "b.zip")
        table.do(commands.MakeBid(table.state().turn or "", 3, 2))
    restored(tmp_path / "b.zip", tmp_path / "draft")
    with Table(Journal(tmp_path / "draft/state")) as table:
        assert table.state().bid.count == 2


def test_a_backup_is_complete_or_not_at_all(state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "_add_file", Mock(side_effect=OSError(28, "No space left on device")))
    with pytest.raises(BackupError, match="No space left on device"):
        written(state, tmp_path / "b.zip")
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


def test_without_room_nothing_is_begun(state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "DISK_RESERVE", 2**62)
    with pytest.raises(BackupNotNowError, match="MB more room"):
        written(state, tmp_path / "b.zip")
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


def test_a_calibration_that_cannot_be_read_is_left_out(state: Path, tmp_path: Path) -> None:
    (state / "profiles/broken.json").write_text("{")
    (state / "profiles/broken.jpg").write_bytes(b"x")
    assert written(state, tmp_path / "b.zip").profiles == 1
    assert restored(tmp_path / "b.zip", tmp_path / "draft")[1][1] == "profiles"


@pytest.mark.parametrize("folder", ["", "perudo-attic/", "Desktop/perudo attic 2/"])
def test_a_backup_that_was_unpacked_and_packed_again_is_one(state: Path, tmp_path: Path, folder: str) -> None:
    written(state, tmp_path / "whole.zip")
    with zipfile.ZipFile(tmp_path / "whole.zip") as old, zipfile.ZipFile(tmp_path / "again.zip", "w") as new:
        for place in (folder, f"{folder}profiles/", f"__MACOSX/{folder}"):
            if place:
                new.writestr(place, b"")
        for name in old.namelist():
            new.writestr(folder + name, old.read(name))
            before, _, last = f"{folder}{name}".rpartition("/")
            new.writestr(f"__MACOSX/{before}/._{last}", b"Mac OS X")
        for name in (".DS_Store", "profiles/.DS_Store", "Thumbs.db", "desktop.ini"):
            new.writestr(folder + name, b"x" * 8000)
    restored(tmp_path / "whole.zip", tmp_path / "first")
    described, parts = restored(tmp_path / "again.zip", tmp_path / "draft")
    assert (described.games, parts) == (3, ("games", "profiles", "examples"))
    assert files(tmp_path / "draft").keys() == files(tmp_path / "first").keys()


# What no box takes


def rewritten(file: Path, into: Path, *left_out: str, **changed: bytes) -> Path:
    """The backup with other contents; in names __ is a dot, ___ a slash."""
    names = {name.replace("___", "/").replace("__", "."): content for name, content in changed.items()}
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as new:
        for name in dict.fromkeys((*old.namelist(), *names)):
            if name not in left_out:
                new.writestr(name, names.get(name) or old.read(name))
    return into


@pytest.fixture
def whole(state: Path, tmp_path: Path) -> Path:
    written(state, tmp_path / "whole.zip")
    return tmp_path / "whole.zip"


@pytest.mark.parametrize(
    ("missing", "changed"),
    [
        ((), {"___etc___passwd": b"x"}),
        ((), {"____/___escaped__txt": b"x"}),
        ((), {"profiles___..___escaped__json": b"{}"}),
        ((), {"profiles___": b"x"}),
        ((), {"pictures___1__jpg": b"x"}),
        ((), {"profiles___Big__json": b"x"}),
        ((), {"perudo__toml": b"#" * 40_000}),
        ((), {"profiles___big__json": bytes(2_000_000)}),
        ((), {"access__json": b"{}"}),  # secrets that it says it does not have
        (("backup.json",), {}),
        (("games.sqlite3",), {}),
    ],
)
def test_a_zip_file_that_is_no_whole_backup_is_refused(
    whole: Path, tmp_path: Path, missing: tuple[str, ...], changed: dict[str, bytes]
) -> None:
    other = rewritten(whole, tmp_path / "other.zip", *missing, **changed)
    with pytest.raises(BackupFileError, match="not a backup"):
        unpack_archive(other, tmp_path / "a" / "draft")
    assert list((tmp_path / "a" / "draft").rglob("*")) == []
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["draft"]


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\xff\xd8\xff a picture" * 50])
def test_another_file_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "b.zip").write_bytes(content)
    with pytest.raises(BackupFileError, match="not a backup"):
        unpack_archive(tmp_path / "b.zip", tmp_path / "draft")


def test_a_file_under_a_password_is_refused(whole: Path, tmp_path: Path) -> None:
    content = bytearray(whole.read_bytes())
    for mark, at in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        content[content.index(mark) + at] |= 1
    (tmp_path / "other.zip").write_bytes(content)
    with pytest.raises(BackupFileError, match="not a backup"):
        unpack_archive(tmp_path / "other.zip", tmp_path / "draft")


def test_a_zip_bomb_is_refused_by_what_it_takes(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = rewritten(whole, tmp_path / "bomb.zip", games__sqlite3=bytes(300_000_000))
    assert bomb.stat().st_size < 400_000
    free = shutil.disk_usage(tmp_path).free
    monkeypatch.setattr(archive, "DISK_RESERVE", free - 500_000_000)
    with pytest.raises(BackupNotNowError, match="MB more room"):
        unpack_archive(bomb, tmp_path / "draft")
    assert not (tmp_path / "draft/games.sqlite3").exists()


def test_a_zip_file_with_very_many_entries_is_refused_before_they_are_read(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = tmp_path / "many.zip"
    shutil.copy(whole, many)
    with zipfile.ZipFile(many, "a") as archive_file:
        for number in range(50_000):
            archive_file.writestr(zipfile.ZipInfo(str(number)), b"")
    monkeypatch.setattr(zipfile, "ZipInfo", lambda *_: pytest.fail("an entry was read"))
    with pytest.raises(BackupFileError, match="not a backup"):
        unpack_archive(many, tmp_path / "draft")


def games_with(whole: Path, tmp_path: Path, script: str) -> Path:
    """The backup with a script carried out on its games."""
    games = tmp_path / "games.sqlite3"
    with zipfile.ZipFile(whole) as old:
        games.write_bytes(old.read("games.sqlite3"))
    with closing(sqlite3.connect(games)) as database:
        database.executescript(script)
    return rewritten(whole, tmp_path / "other.zip", games__sqlite3=games.read_bytes())


@pytest.mark.parametrize(
    "script",
    [
        "PRAGMA user_version=0",
        "PRAGMA user_version=-1",
        "PRAGMA application_id=0",
        "ALTER TABLE event RENAME TO was; CREATE VIEW Event AS WITH RECURSIVE x(seq) AS (SELECT 1 UNION ALL "
        "SELECT seq + 1 FROM x) SELECT seq, NULL step, 1 start, '' at, 'bid' kind, '{}' body FROM x",
        "CREATE VIEW more AS SELECT 1",
        "ALTER TABLE record RENAME TO was; CREATE VIRTUAL TABLE record USING fts5(id, at, name, lines)",
    ],
)
def test_games_that_this_program_could_not_open_are_not_offered(whole: Path, tmp_path: Path, script: str) -> None:
    with pytest.raises(BackupFileError, match="damaged"):
        restored(games_with(whole, tmp_path, script), tmp_path / "draft")


@pytest.mark.parametrize(
    "script",
    [
        "DROP TABLE start",
        "DROP TABLE record",
        "CREATE TRIGGER often AFTER INSERT ON event BEGIN SELECT RAISE(ABORT, 'no'); END",
        "CREATE TABLE event_more (x)",
    ],
)
def test_of_other_games_the_rows_come_and_nothing_else(whole: Path, state: Path, tmp_path: Path, script: str) -> None:
    restored(games_with(whole, tmp_path, script), tmp_path / "draft")
    new = tmp_path / "draft" / "state"
    assert [each.game for each in saved_games(new)] == [each.game for each in saved_games(state)]
    with closing(sqlite3.connect(new / "journal.sqlite3")) as database:
        names = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    assert {"event", "start", "record", "event_kept", "event_fixed"} <= names
    assert not names & {"often", "event_more", "picture"}
    with Table(Journal(new)) as table:
        table.do(new_game([("Ana", "red"), ("Ben", "blue")], abandon=True))


@pytest.mark.parametrize("part", ["phones.sqlite3", "examples/dice.sqlite3"])
def test_a_view_in_another_database_is_refused(state: Path, tmp_path: Path, part: str) -> None:
    Access(state)
    written(state, tmp_path / "whole.zip", secrets=True)
    database = tmp_path / "its.sqlite3"
    with zipfile.ZipFile(tmp_path / "whole.zip") as old:
        database.write_bytes(old.read(part))
    with closing(sqlite3.connect(database)) as opened:
        opened.execute("CREATE VIEW more AS SELECT 1")
        opened.commit()
    changed = {part.replace("/", "___").replace(".", "__"): database.read_bytes()}
    with pytest.raises(BackupFileError, match="damaged"):
        restored(rewritten(tmp_path / "whole.zip", tmp_path / "other.zip", **changed), tmp_path / "draft")


def test_a_byte_that_has_changed_is_noticed(whole: Path, tmp_path: Path) -> None:
    content = bytearray(whole.read_bytes())
    content[len(content) // 2] ^= 0xFF
    (tmp_path / "other.zip").write_bytes(content)
    with pytest.raises(BackupFileError, match="damaged"):
        restored(tmp_path / "other.zip", tmp_path / "draft")


@pytest.mark.parametrize(
    "changed",
    [
        {"games__sqlite3": b"SQLite format 3\x00" + bytes(5000)},
        {"profiles___attic__json": b"{}"},
        {"examples___dice__sqlite3": b"no database"},
    ],
)
def test_a_part_that_cannot_be_read_is_noticed(whole: Path, tmp_path: Path, changed: dict[str, bytes]) -> None:
    with pytest.raises(BackupFileError, match="damaged"):
        restored(rewritten(whole, tmp_path / "other.zip", **changed), tmp_path / "draft")


def test_a_newer_programs_backup_is_refused_in_so_many_words(whole: Path, tmp_path: Path) -> None:
    newer = rewritten(whole, tmp_path / "newer.zip", backup__json=b'{"format": 2, "planet": "Mars"}')
    with pytest.raises(BackupFileError, match="newer program"):
        unpack_archive(newer, tmp_path / "draft")
    unpack_archive(whole, tmp_path / "draft")
    with closing(sqlite3.connect(tmp_path / "draft/games.sqlite3")) as games:
        games.execute("PRAGMA user_version=99")
    with pytest.raises(BackupFileError, match="newer program"):
        lay_out_state(tmp_path / "draft")


# The code in the configuration


def test_the_code_goes_and_the_rest_of_the_configuration_stays() -> None:
    bare = without_secrets(SETTINGS)
    assert bare is not None
    assert (code_in(bare), parse(bare).web.port, "# the attic" in bare) == (None, 8001, True)
    assert with_code(bare, "9999") is not None
    assert code_in(with_code(bare, "9999") or "") == "9999"
    assert without_secrets(bare) == bare


@pytest.mark.parametrize(
    ("address", "bare"),
    [
        ("http://ana:s3cret@192.168.1.20:8080/video", "http://192.168.1.20"),
        ("rtsp://cam/user=ana&password=s3cret&channel=1", "rtsp://cam"),
        ("http://ana:it's3cret@cam/1", "http://cam"),
        ("https://cam/live#s3cret", "https://cam"),
        ("http://cam:8080", "http://cam"),
    ],
)
def test_a_cameras_password_goes_and_its_address_stays(address: str, bare: str) -> None:
    text = without_secrets(f'[camera]\nsource = "{address}"\n') or ""
    assert parse(text).camera.source == bare
    assert "s3cret" not in text
    own = f'[access]\ncode = "0271"\n[web]\nport = 80\n[camera]\nsource = "{address}"\n'
    back = parse(for_this_box(text, own, secrets=False))
    assert (back.camera.source, back.access.code, back.web.port) == (address, "0271", 80)


@pytest.mark.parametrize(
    "text", ["", "[access]\n", '[access]\ncode = "random"\n', "[web]\nport = 1\n", 'access = { code = "0271" }\n']
)
def test_a_code_can_be_put_into_any_configuration(text: str) -> None:
    bare = without_secrets(text)
    assert bare is not None
    assert code_in(bare) is None
    assert code_in(with_code(bare, "1234") or "") == "1234"


def test_a_text_that_cannot_be_rewritten_is_left_out(state: Path, tmp_path: Path) -> None:
    odd = 'access.code = """\\\n0271"""\n'
    assert code_in(odd) == "0271"
    assert without_secrets(odd) is None
    assert not written(state, tmp_path / "b.zip", settings=odd).configuration
    assert with_code("not = toml = at all", "1234") is None
