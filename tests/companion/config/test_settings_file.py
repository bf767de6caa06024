"""Keys that are changed in the file of the configuration while the program runs, whatever is in their values."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from companion.config import default_text, parse
from companion.config.settings_file import SettingsError, SettingsFile
from companion.messages.message import Message
from companion.messages.printable import printable

MINE = "# mine\n[access]\ncode = '0271'\n\n[camera]\nmains = 60  # in Boston\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "perudo.toml"
    file.write_text(MINE, encoding="utf-8")
    file.chmod(0o640)
    return file


def test_a_key_is_written_and_all_else_stays(file: Path) -> None:
    config = SettingsFile(file).change("camera", {"source": "http://ana:s3cret@cam/video"})
    assert config == parse(MINE).with_value("camera", "source", "http://ana:s3cret@cam/video")
    assert config == parse(file.read_text())
    assert [line for line in file.read_text().splitlines() if not line.startswith("source")] == MINE.splitlines()
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_password_is_not_for_everybody_on_the_machine(file: Path) -> None:
    file.chmod(0o664)
    SettingsFile(file).change("camera", {"source": "rtsp://cam:554"})
    assert file.stat().st_mode & 0o777 == 0o664
    SettingsFile(file).change("camera", {"source": "rtsp://cam/user=ana&password=s3cret"})
    assert file.stat().st_mode & 0o777 == 0o660


def test_where_there_is_no_file_the_defaults_are_written_for_their_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "new" / "perudo.toml"
    settings = SettingsFile(file)
    settings.check("camera", {"source": "phone"})
    assert not file.exists()
    settings.change("camera", {"source": "phone"})
    assert settings.read() == parse(default_text()).with_value("camera", "source", "phone")
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("section", "values"),
    [
        ("camera", {"source": 'http://x/"\n[access]\ncode = "0000"\n#'}),
        ("camera", {"source": "http://x/\r\ncode"}),
        ("camera", {"source": "../../etc/passwd"}),
        ("camera", {"source": "webcam:/etc/passwd"}),
        ("camera", {"source": "file:///etc/passwd"}),
        ("camera", {"source": "\ud800"}),
        ("camera", {"sauce": "pi"}),
        ("camera", {"source": 3}),
        ("kitchen", {"source": "pi"}),
        ("camera]\n[access", {"code": "0000"}),
        ("camera", {"mains = 50\nsource": "pi"}),
        ("panel", {"dudo_keys": ("KEY_A on x\n[access]",)}),
        ("panel", {"dudo_keys": ("KEY_A on x", "rm on y")}),
        ("panel", {"dudo_keys": ("KEY_A on x",), "calza_keys": ("KEY_A on x",)}),
        ("panel", {"input": "usb", "dudo": 1}),
    ],
)
def test_what_is_no_value_of_a_key_changes_nothing(file: Path, section: str, values: dict[str, object]) -> None:
    settings = SettingsFile(file)
    for change in (settings.check, settings.change):
        with pytest.raises(SettingsError) as refused:
            change(section, values)
        assert refused.value.message.endswith(".")
    assert file.read_text() == MINE


@pytest.mark.parametrize(
    "device", ['A "great" button', "]\\", "#' = 1", "Bouton géant \U0001f534", "a\x7f\tb", "a\u2028b", "\\u0041"]
)
def test_a_device_may_have_any_name(file: Path, device: str) -> None:
    for _ in range(2):  # what it wrote must not be in the way of the next change
        config = SettingsFile(file).change("panel", {"input": "usb", "dudo_keys": (f"KEY_B on {device}",)})
    (key,) = config.panel.dudo_keys
    assert (key.name, key.device) == ("KEY_B", printable(device)), "no name of a device breaks a line"
    assert all(map(str.isprintable, file.read_text().split("\n")))
    assert tomllib.loads(file.read_text())["access"] == {"code": "0271"}


def test_what_wins_over_the_file_is_told_before_anything_is_written(file: Path) -> None:
    settings = SettingsFile(file, lambda text: parse(text, {"PERUDO_CAMERA_SOURCE": "pi"}))
    with pytest.raises(SettingsError, match="overrides"):
        settings.change("camera", {"source": "phone"})
    assert file.read_text() == MINE
    assert settings.change("camera", {"mains": 50}).camera.source == "pi", "as the program would read it"


def test_a_file_that_is_roots_is_put_in_place_by_root(file: Path) -> None:
    asked: list[str] = []
    SettingsFile(file, put=asked.append).change("camera", {"source": "phone"})
    assert [parse(text).camera.source for text in asked] == ["phone"]
    assert file.read_text() == MINE

    def refuse(_: str) -> None:
        raise SettingsError(Message("Nothing was changed."))

    with pytest.raises(SettingsError, match=r"Nothing was changed\."):
        SettingsFile(file, put=refuse).change("camera", {"source": "phone"})


@pytest.mark.parametrize("text", ["camera.source = 'pi'\n", "[camera\n", "[camera]\nsauce = 1\n", b"\xff"])
def test_a_file_that_cannot_be_changed_is_left_alone(file: Path, text: str | bytes) -> None:
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    before = file.read_bytes()
    with pytest.raises(SettingsError):
        SettingsFile(file).change("camera", {"source": "phone"})
    assert file.read_bytes() == before


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "perudo.toml").mkdir()
    with pytest.raises(SettingsError, match="cannot be read: Is a directory"):
        SettingsFile(tmp_path / "perudo.toml").change("camera", {"source": "phone"})
    (tmp_path / "a file").touch()
    with pytest.raises(SettingsError, match=r"a file/perudo\.toml cannot be"):
        SettingsFile(tmp_path / "a file" / "perudo.toml").change("camera", {"source": "phone"})
