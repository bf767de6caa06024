"""A profile is written to its file and read back, and mistakes are reported."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from calibration.palette import COLOURS
from calibration.profile import DISTORTIONS, Lens, Measurements, NewerProfileError, Profile, ProfileError, TablePlane
from calibration.profile_file import from_json, load, save, to_json
from calibration.solve.draft import ProfileDraft

MATRIX = ((1720.0, 0.0, 1151.5), (0.0, 1720.0, 647.5), (0.0, 0.0, 1.0))
LENS = Lens(2304, 1296, MATRIX, (-0.1, 0.02, 0.0, 0.0, 0.0))
TABLE = TablePlane(((0.43, 0.01, -500.0), (0.0, 0.5, -320.0), (0.0, 2e-4, 1.0)))
PROFILE = Profile("camera over the oak table", "2026-05-01T18:30:00+02:00", LENS, TABLE, {"red": (45.5, 60.0, 40.25)})


def changed(*path: str | int, to: object) -> str:
    """The file of `PROFILE` with one value changed, or one key more."""
    document: Any = json.loads(to_json(PROFILE))
    inside = document
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = to
    return json.dumps(document)


def without(*path: str) -> str:
    document: Any = json.loads(to_json(PROFILE))
    inside = document
    for step in path[:-1]:
        inside = inside[step]
    del inside[path[-1]]
    return json.dumps(document)


# Writing and reading

numbers = st.floats(-1e3, 1e3)


@st.composite
def lenses(draw: st.DrawFn) -> Lens:
    width, height = draw(st.integers(1, 10_000)), draw(st.integers(1, 10_000))
    focal = st.floats(0.1, 40).map(lambda times: times * max(width, height))
    centre = draw(st.floats(0, width)), draw(st.floats(0, height))
    matrix = ((draw(focal), 0.0, centre[0]), (0.0, draw(focal), centre[1]), (0.0, 0.0, 1.0))
    count = draw(st.sampled_from(DISTORTIONS))
    return Lens(width, height, matrix, tuple(draw(st.lists(numbers, min_size=count, max_size=count))))


@st.composite
def tables(draw: st.DrawFn) -> TablePlane:
    a, d = (draw(st.floats(0.05, 5)) * draw(st.sampled_from((-1, 1))) for _ in range(2))
    b, c = draw(st.floats(-0.03, 0.03)), draw(st.floats(-0.03, 0.03))
    p, q = draw(st.floats(-1e-6, 1e-6)), draw(st.floats(-1e-6, 1e-6))
    return TablePlane(((a, b, draw(numbers)), (c, d, draw(numbers)), (p, q, 1.0)))


labs = st.tuples(st.floats(0, 100), st.floats(-128, 128), st.floats(-128, 128))


lines = st.text(max_size=100).filter(str.isprintable)
measures = st.floats(0, 1e6)


@st.composite
def profiles(draw: st.DrawFn) -> Profile:
    lens = draw(st.none() | lenses())
    return Profile(
        name=draw(st.text(min_size=1, max_size=100).filter(lambda name: name.strip() and name.isprintable())),
        made=draw(st.datetimes(timezones=st.none() | st.timezones())).isoformat(),
        lens=lens,
        table=None if lens is None else draw(st.none() | tables()),
        palette=draw(st.dictionaries(st.sampled_from(COLOURS), labs)),
        camera=draw(lines),
        lock=draw(st.dictionaries(lines, st.floats(allow_nan=False, allow_infinity=False), max_size=5)),
        die_mm=draw(st.none() | st.floats(5, 60)),
        measured=draw(st.none() | st.builds(Measurements, measures, st.integers(0, 99), *([measures] * 4))),
        reference=draw(lines),
    )


@settings(max_examples=20)
@given(profiles())
def test_a_profile_survives_writing_and_reading(profile: Profile) -> None:
    text = to_json(profile)
    assert from_json(text) == profile
    assert to_json(from_json(text)) == text
    text.encode()


@settings(max_examples=50)
@given(st.text() | st.recursive(st.none() | st.integers() | st.text() | st.floats(), st.lists).map(json.dumps))
def test_any_other_text_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ProfileError, match=r"\w"):
        from_json(text)


@given(st.data())
def test_a_damaged_file_is_read_or_refused(data: st.DataObject) -> None:
    text = to_json(PROFILE)
    at = data.draw(st.integers(0, len(text) - 1))
    text = text[:at] + data.draw(st.characters()) + text[at + 1 :]
    try:
        to_json(from_json(text)).encode()
    except ProfileError as error:
        str(error).encode()


def test_keys_that_are_left_out_are_none() -> None:
    profile = from_json('{"version": 1, "name": "new", "made": "2026-05-01"}')
    assert (profile.lens, profile.table, dict(profile.palette)) == (None, None, {})


def test_a_profile_of_the_first_version_is_read_without_later_keys() -> None:
    profile = from_json('{"version": 1, "name": "old", "made": "2026-05-01", "palette": {"red": [45, 60, 40]}}')
    assert (profile.camera, dict(profile.lock), profile.die_mm, profile.measured) == ("", {}, None, None)
    assert '"version": 2' in to_json(profile)


def test_a_file_as_written_before_is_read() -> None:
    path = Path(__file__).with_name("profile-of-version-2.json")
    assert json.loads(to_json(load(path))) == json.loads(path.read_text(encoding="utf-8"))


def test_how_many_pixels_a_die_has_follows_from_lens_table_and_its_side() -> None:
    lens = replace(LENS, matrix=((1000.0, 0.0, 300.0), (0.0, 1000.0, 200.0), (0.0, 0.0, 1.0)), width=1200, height=900)
    plane = TablePlane(((0.5, 0.0, -40.0), (0.0, 0.5, 20.0), (0.0, 0.0, 1.0)))
    known = replace(PROFILE, lens=lens, table=plane, die_mm=16.0)
    assert known.die_px(1200) == pytest.approx(32)
    assert known.die_px(600) == pytest.approx(16), "in a picture of half the size"
    assert replace(known, die_mm=None).die_px(1200) is None
    assert replace(known, table=None).die_px(1200) is None


# Profiles that are refused


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Input data was truncated"),
        ('{"version": 1,\n"name" "x"}', "JSON is malformed: expected ':' (byte 22)"),
        ('{"version": NaN}', "JSON is malformed: invalid character (byte 12)"),
        ("[]", "Expected `object`, got `array`"),
        ("{}", "Object missing required field `version`"),
        (changed("version", to="1"), "Expected `int`, got `str` - at `$.version`"),
        (changed("version", to=0), "Expected `int` >= 1 - at `$.version`"),
        (changed("lense", to=None), "Object contains unknown field `lense`"),
        (changed("lens", "size", to=1), "Object contains unknown field `size` - at `$.lens`"),
        (changed("measured", to={"error": 4}), "Object contains unknown field `error` - at `$.measured`"),
        (without("made"), "Object missing required field `made`"),
        (without("lens", "matrix"), "Object missing required field `matrix` - at `$.lens`"),
        (without("table", "homography"), "Object missing required field `homography` - at `$.table`"),
        (changed("name", to=7), "Expected `str`, got `int` - at `$.name`"),
        (changed("name", to=" "), r"Expected `str` matching regex '\\S' - at `$.name`"),
        (changed("name", to="n" * 101), "Expected `str` of length <= 100 - at `$.name`"),
        (changed("lens", to=[1]), "Expected `object | null`, got `array` - at `$.lens`"),
        (changed("lens", "width", to=2304.5), "Expected `int`, got `float` - at `$.lens.width`"),
        (changed("lens", "width", to=0), "Expected `int` >= 1 - at `$.lens.width`"),
        (changed("lens", "height", to=True), "Expected `int`, got `bool` - at `$.lens.height`"),
        (changed("lens", "matrix", to=[[1, 2, 3]]), "Expected `array` of length 3, got 1 - at `$.lens.matrix`"),
        (changed("lens", "matrix", 0, 0, to="long"), "Expected `float`, got `str` - at `$.lens.matrix[0][0]`"),
        (changed("table", "homography", 2, 2, to=10**400), "Number out of range"),
        (changed("palette", "red", to=[1, 2]), "Expected `array` of length 3, got 2 - at `$.palette[...]`"),
        (changed("palette", "blue", to=[200, 0, 3]), "Expected `float` <= 100.0 - at `$.palette[...][0]`"),
        (changed("camera", to=3), "Expected `str`, got `int` - at `$.camera`"),
        (changed("lock", to=[1]), "Expected `object`, got `array` - at `$.lock`"),
        (changed("lock", to={"Gain": "high"}), "Expected `float`, got `str` - at `$.lock[...]`"),
        (changed("lock", to={f"{n}": 1 for n in range(40)}), "Expected `object` of length <= 32 - at `$.lock`"),
        (changed("die_mm", to=2), "Expected `float` >= 5.0 - at `$.die_mm`"),
        (changed("measured", to={"error_px": -1}), "Expected `float` >= 0.0 - at `$.measured.error_px`"),
        (changed("measured", to={"views": 2.5}), "Expected `int`, got `float` - at `$.measured.views`"),
        (changed("reference", to=None), "Expected `str`, got `null` - at `$.reference`"),
        (changed("name", to="two\nlines"), "the texts of a profile are one line each, not 'two\\nlines'"),
        (changed("made", to="2026-05-01\n18:30"), "the texts of a profile are one line each"),
        (changed("lock", to={"a\nb": 1}), "the texts of a profile are one line each, not 'a\\nb'"),
        (
            changed("made", to="yesterday"),
            "when a profile was made is a date and time in ISO 8601, as 2026-05-01T18:30:00+02:00, not 'yesterday'",
        ),
        (changed("lens", to=None), "the table needs a lens: its homography is in lens pixels"),
        (
            changed("lens", "distortion", to=[0.1] * 6),
            "the distortion of the lens is 5, 8, 12 or 14 numbers in OpenCV's order, not 6 - at `$.lens`",
        ),
        (
            changed("lens", "matrix", 0, 1, to=3),
            "the matrix of the lens is [[fx, 0, cx], [0, fy, cy], [0, 0, 1]] and no other - at `$.lens`",
        ),
        (
            changed("lens", "matrix", 1, 1, to=4.74),
            "the focal length of the lens is in pixels, for this picture from 115.2 to 115200, not 4.74 - at `$.lens`",
        ),
        (
            changed("lens", "matrix", 0, 0, to=-1720),
            "the focal length of the lens is in pixels, for this picture from 115.2 to 115200, not -1720 - at `$.lens`",
        ),
        (
            changed("lens", "matrix", 0, 2, to=2400),
            "the lens's axis meets the picture at 2400, 647.5, outside its 2304 x 1296 pixels - at `$.lens`",
        ),
        (
            changed("table", "homography", to=[[1, 2, 3], [2, 4, 6], [0, 0, 1]]),
            "the homography of the table is singular: it sees the table as a line, not as a plane - at `$.table`",
        ),
        (
            changed("table", "homography", to=[[1, 0, 0], [0, 1, 0], [0, 0, 0]]),
            "the homography of the table is singular: it sees the table as a line, not as a plane - at `$.table`",
        ),
        (
            changed("palette", "pink", to=[50, 60, 40]),
            "dice have no colour 'pink'; the colours are red, orange, yellow, green, blue, purple, black, white",
        ),
    ],
)
def test_a_profile_is_refused_with_a_reason(text: str, sentence: str) -> None:
    with pytest.raises(ProfileError) as caught:
        from_json(text)
    assert str(caught.value).startswith(sentence)


def test_a_profile_of_a_newer_program_is_refused() -> None:
    with pytest.raises(NewerProfileError) as caught:
        from_json('{"version": 3, "lenses": []}')
    assert str(caught.value) == (
        "this profile was made by a newer program: its version is 3, this program knows 2. "
        "Update the program, or calibrate again"
    )


def test_a_text_that_is_nested_deeply_is_refused() -> None:
    with pytest.raises(ProfileError):
        from_json("[" * 100_000)


def test_a_profile_made_in_python_is_checked_too() -> None:
    nan = float("nan")
    with pytest.raises(ProfileError, match="singular"):
        TablePlane(((nan, 0, 0), (0, 1, 0), (0, 0, 1)))
    with pytest.raises(ProfileError, match="distortion"):
        replace(LENS, distortion=(nan,) * 5)
    with pytest.raises(ProfileError, match="needs a lens"):
        Profile("n", "2026-05-01", table=TABLE)
    with pytest.raises(ProfileError, match=r"\$.measured.tilt"):
        ProfileDraft(replace(PROFILE, measured=Measurements(tilt=nan))).profile("n", "2026-05-01")
    assert ProfileDraft(PROFILE, die_mm=np.float64(16)).profile("n", "2026-05-01").die_mm == 16


@pytest.mark.parametrize("scale", [1e-9, 1.0, -1.0, 1e9])
def test_a_homography_may_have_any_scale(scale: float) -> None:
    one, two, three = ((scale * x, scale * y, scale * z) for x, y, z in TABLE.homography)
    TablePlane((one, two, three))


def test_a_mistake_is_a_value_error() -> None:
    assert issubclass(ProfileError, ValueError)


# On disk


def test_a_saved_file_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "oak.json"
    save(PROFILE, path)
    assert load(path) == PROFILE
    assert [file.name for file in tmp_path.iterdir()] == ["oak.json"]


def test_a_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "oak.json"
    path.write_bytes(b"\xef\xbb\xbf" + to_json(PROFILE).encode())
    assert load(path) == PROFILE


def test_the_old_file_stays_when_saving_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "oak.json"
    save(PROFILE, path)
    monkeypatch.setattr(os, "fsync", Mock(side_effect=OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="No space"):
        save(Profile("other", "2026-05-02"), path)
    monkeypatch.undo()
    assert load(path) == PROFILE
    assert [file.name for file in tmp_path.iterdir()] == ["oak.json"]


def test_a_missing_folder_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        save(PROFILE, tmp_path / "nowhere" / "oak.json")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "it could not be opened: no such file or directory"),
        (b'{"version": 1, "name": "\xff"}', "Invalid UTF-8 encoded string"),
        (b"[]", "Expected `object`, got `array`"),
        (changed("palette", "pink", to=[1, 2, 3]).encode(), "dice have no colour"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes | None, sentence: str) -> None:
    path = tmp_path / "oak.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ProfileError) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}: {sentence}")


def test_a_folder_is_no_profile(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="it could not be opened: is a directory"):
        load(tmp_path)
