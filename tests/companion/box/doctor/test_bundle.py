"""What goes into a bug report, and what must not."""

from __future__ import annotations

import json
import os
import stat
import zipfile
from contextlib import nullcontext
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from companion.box.doctor import bundle, examination, good
from companion.box.doctor.bundle import REMOVED, BundleError, redact, write
from companion.cli import main
from companion.table import Journal, Table
from tests.fakes.new_game import new_game

CODE, SECRET, CONFIGURED, ASKED, INVITATION = "4711", "ab" * 32, "0852", "9316", "5e" * 16
TOKEN = "eyJwaG9uZSI6ICJxdzEyIn0.aSBhbSBhIHRpbWU.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg"
SECRETS = (CODE, SECRET, CONFIGURED, ASKED, INVITATION, TOKEN, "Villa Rosenrot", "hunter2hunter2", "correct horse")
LOG = f"""\
2026-11-21T20:15:00 perudo[77]: http://192.168.1.5:8000/
2026-11-21T20:15:00 perudo[77]: Table code: {CODE}
2026-11-21T20:15:00 perudo[77]: █▀▀▀▀▀█ ▄▀ █▀▀▀▀▀█
2026-11-21T20:15:01 perudo[77]: GET /#join={CODE} Cookie: a=b; perudo_phone_8000={TOKEN}; Authorization: Bearer {TOKEN}
2026-11-21T20:15:02 wpa[1]: associated ssid="Villa Rosenrot" psk=hunter2hunter2 passphrase 'correct horse'
2026-11-21T20:15:03 perudo[77]: the keys are {{"code": "{CODE}", "secret": "{SECRET}"}}
2026-11-21T20:15:03 perudo[77]: GET /board#join={INVITATION} and {INVITATION} alone
2026-11-21T20:15:04 perudo[77]: camera: No camera answers. Trying again in 0.5 s.
"""


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder with a game, a picture, and a secret in every place that can have one."""
    state = tmp_path / "state"
    with Table(Journal(state)) as table:
        table.do(new_game([("Ana", "red"), ("Ben", "blue")]))
    (state / "access.json").write_text(json.dumps({"code": CODE, "secret": SECRET, "invitation": INVITATION}))
    (state / "pictures").mkdir(exist_ok=True)
    for number in range(1, 13):
        (state / "pictures" / f"{number}.jpg").write_bytes(b"a picture of the table")
    config = tmp_path / "perudo.toml"
    config.write_text(f'[web]\nport = 8000\n[access]\ncode = "{CONFIGURED}"\n')
    monkeypatch.setenv("PERUDO_CONFIG", str(config))
    monkeypatch.setenv("PERUDO_ACCESS_CODE", ASKED)
    monkeypatch.setenv("PERUDO_BROKER", f"mqtts://hub:it's{SECRET}@broker")
    monkeypatch.setenv("PERUDO_DATABASE", f"postgresql+psycopg://hub:it's{SECRET}@broker/club")
    monkeypatch.setattr(bundle, "command_output", lambda *command: LOG if command[0] == "journalctl" else None)
    return state


def everything(file: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as opened:
        assert opened.testzip() is None
        return {name: opened.read(name) for name in opened.namelist()}


def test_no_option_puts_a_secret_into_the_bundle(box: Path, tmp_path: Path) -> None:
    findings = [good("config", f"code is four digits, not '{CONFIGURED}'")]
    write(tmp_path / "bug.zip", findings, box, games=True, pictures=True)
    for name, content in everything(tmp_path / "bug.zip").items():
        assert [secret for secret in SECRETS if secret.encode() in content] == [], name


def test_the_bundle_has_what_helps(box: Path, tmp_path: Path) -> None:
    write(tmp_path / "bug.zip", [good("web", "/opt/perudo/web")], box, games=False, pictures=False)
    files = {name: content.decode() for name, content in everything(tmp_path / "bug.zip").items()}
    assert "web         /opt/perudo/web" in files["doctor.txt"]
    assert "No camera answers. Trying again in 0.5 s." in files["log.txt"]
    assert "http://192.168.1.5:8000/" in files["log.txt"]
    assert "█" not in files["log.txt"]
    assert files["config.toml"] == "[web]\nport = 8000\n[access]\n\n"
    assert "numpy==" in files["versions.txt"]
    assert "journal.sqlite3" in files["state.txt"]


def test_games_and_pictures_are_in_the_bundle_only_on_request(box: Path, tmp_path: Path) -> None:
    assert not any("game" in name or "picture" in name
                   for name in write(tmp_path / "a.zip", [], box, games=False, pictures=False))  # fmt: skip
    assert b"Ana" not in b"".join(everything(tmp_path / "a.zip").values())
    write(tmp_path / "b.zip", [], box, games=True, pictures=True)
    files = everything(tmp_path / "b.zip")
    assert b"Ana" in files["game-1-part-1.jsonl"]
    assert sorted(name for name in files if name.startswith("pictures/"))[:2] == ["pictures/10.jpg", "pictures/11.jpg"]
    assert sum(name.startswith("pictures/") for name in files) == bundle.LAST_PICTURES
    assert "pictures/3.jpg" in files  # the last ten of twelve
    assert "pictures/2.jpg" not in files


def test_only_its_owner_may_read_the_bundle(box: Path, tmp_path: Path) -> None:
    (tmp_path / "bug.zip").touch(0o644)
    write(tmp_path / "bug.zip", [], box, games=False, pictures=False)
    assert stat.S_IMODE((tmp_path / "bug.zip").stat().st_mode) == 0o600


def test_under_sudo_the_bundle_belongs_to_the_user_who_typed_the_command(
    box: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owners: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "fchown", lambda _, uid, gid: owners.append((uid, gid)))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(bundle, "as_owner_of", lambda _: nullcontext())  # only root may act as somebody else
    monkeypatch.setenv("SUDO_UID", "1000")
    monkeypatch.setenv("SUDO_GID", "1001")
    write(tmp_path / "out.zip", [], box, games=False, pictures=False)
    assert owners == [(1000, 1001)]


def test_a_folder_without_games_and_an_unwritable_place_are_reported(tmp_path: Path, box: Path) -> None:
    names = write(tmp_path / "bug.zip", [], tmp_path / "nothing", games=True, pictures=True)
    assert "game.txt" in names
    with pytest.raises(BundleError, match="cannot be written"):
        write(tmp_path / "nowhere" / "bug.zip", [], box, games=False, pictures=False)


@pytest.mark.parametrize(
    "text",
    [
        "code = 1234", 'access.code = "1234"', "code = '''1234'''", 'code = """\n1234"""', 'access = { code = "1234" }',
        "PERUDO_ACCESS_CODE=1234", "Table code: 1234", "the code is 1234", '"code": "1234"', "code='1234'",
        "http://box/#join=1234", "http://box/?join=1234", "mqtts://me:1234@broker:8883",
    ],
)  # fmt: skip
def test_an_unknown_code_is_recognised_by_the_words_before_it(text: str) -> None:
    assert "1234" not in redact(text)
    assert redact(redact(text)) == redact(text)
    assert REMOVED in redact(text)


@given(st.text("0123456789", min_size=4, max_size=4), st.text(), st.text())
def test_a_known_code_is_removed_everywhere(code: str, before: str, after: str) -> None:
    assert code not in redact(f"{before} {code} {after.replace(code, '')}", [code]).replace(before, "")


def test_ordinary_lines_are_unchanged() -> None:
    text = 'File "/opt/perudo/web/qr.py", line 1234, in decode\nexit code 2, status=2/INVALIDARGUMENT, port = 8000\n'
    assert redact(text) == text


# As it is typed


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examination, "examine", lambda state: iter([good("disk", str(state))]))


@pytest.mark.usefixtures("short")
def test_the_command_writes_the_file_and_says_what_is_in_it(box: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["doctor", "--state", str(box), "--bundle", str(tmp_path / "bug.zip")])
    assert result.exit_code == 0, result.output
    assert "Look into it before you send it." in result.stderr
    assert set(everything(tmp_path / "bug.zip")) >= {"doctor.txt", "versions.txt", "config.toml", "log.txt"}


@pytest.mark.usefixtures("short")
def test_json_is_one_list_and_nothing_else(box: Path) -> None:
    result = CliRunner().invoke(main, ["doctor", "--json", "--state", str(box)])
    assert json.loads(result.stdout) == [{"part": "disk", "finding": "ok", "sentence": str(box)}]


def test_pictures_without_a_bundle_are_refused() -> None:
    assert CliRunner().invoke(main, ["doctor", "--with-pictures"]).exit_code == 2
