"""A profile is written to its file and read back, and mistakes are reported."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.palette import COLOURS
from calibration.profile import (
    DISTORTIONS,
    Lens,
    Measurements,
    NotAllowedProfileError,
    Profile,
    ProfileError,
    TablePlane,
    UnreadableProfileError,
)
from calibration.profile_file import LARGEST_FILE, from_json, load, save, to_json

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


@settings(max_examples=50)
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
    with pytest.raises(UnreadableProfileError, match="no key"):
        from_json('{"version": 1, "name": "old", "made": "2026-05-01", "camera": "imx708"}')


@pytest.mark.parametrize(
    ("path", "to", "words"),
    [
        (("camera",), 3, "the camera of a profile is a text"),
        (("camera",), "a\nb", "the camera of a profile is one line"),
        (("lock",), [1], "the lock is an object"),
        (("lock",), {"ExposureTime": "long"}, "the lock holds numbers"),
        (("lock",), {f"{n}": 1 for n in range(40)}, "no camera has more than"),
        (("die_mm",), 2, "the side of a die is 5 to 60 mm, not 2"),
        (("die_mm",), "16", "the side of a die holds numbers"),
        (("measured",), 4, "what was measured is an object or null"),
        (("measured",), {"error": 4}, 'there is no key "error" in what was measured; is error_px meant?'),
        (("measured",), {"error_px": -1}, "the error_px of what was measured is from 0 on, not -1"),
        (("measured",), {"views": 2.5}, "the views of what was measured are a whole number"),
        (("measured",), {"error_px": None}, "the error_px of what was measured holds numbers, not null"),
        (("reference",), None, "the reference of a profile is a text"),
    ],
)
def test_later_keys_are_checked_too(path: tuple[str, ...], to: object, words: str) -> None:
    with pytest.raises(ProfileError) as caught:
        from_json(changed(*path, to=to))
    assert str(caught.value).startswith(words)


def test_how_many_pixels_a_die_has_follows_from_lens_table_and_its_side() -> None:
    lens = replace(LENS, matrix=((1000.0, 0.0, 300.0), (0.0, 1000.0, 200.0), (0.0, 0.0, 1.0)), width=1200, height=900)
    plane = TablePlane(((0.5, 0.0, -40.0), (0.0, 0.5, 20.0), (0.0, 0.0, 1.0)))
    known = replace(PROFILE, lens=lens, table=plane, die_mm=16.0)
    assert known.die_px(1200) == pytest.approx(32)
    assert known.die_px(600) == pytest.approx(16), "in a picture of half the size"
    assert replace(known, die_mm=None).die_px(1200) is None
    assert replace(known, table=None).die_px(1200) is None


def test_a_profile_cannot_be_changed() -> None:
    palette = {"red": (45.5, 60.0, 40.25)}
    profile = Profile("n", "2026-05-01", palette=palette)
    palette["red"] = (0.0, 0.0, 0.0)
    assert profile.palette["red"] == (45.5, 60.0, 40.25)
    with pytest.raises(TypeError):
        profile.palette["red"] = (0.0, 0.0, 0.0)  # type: ignore[index]
    assert len({PROFILE, from_json(to_json(PROFILE))}) == 1


# Unreadable profiles


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "this is not JSON (at line 1, character 1): expecting value"),
        ('{"version": 1,\n"name" "x"}', "this is not JSON (at line 2, character 8): expecting ':' delimiter"),
        ("[" * 100_000, "this is nested too deeply to be read"),
        ('{"version": ' + "1" * 5000 + "}", "this holds a number too long to be read"),
        ('{"version": NaN}', "this is not JSON: NaN is no number"),
        ("[]", "this is not a profile: a profile stands in braces"),
        ("{}", 'this is not a profile: it has no "version"'),
        (changed("version", to="1"), 'the version of a profile is a whole number from 1, not "1"'),
        (changed("version", to=True), "the version of a profile is a whole number from 1, not true"),
        (
            changed("version", to=3),
            "this profile was made by a newer program: its version is 3, this program knows 2. "
            "Update the program, or calibrate again",
        ),
        (changed("lense", to=None), 'there is no key "lense" in a profile; is lens meant?'),
        (
            changed("zoom", to=1),
            'there is no key "zoom" in a profile; its keys are name, made, lens, table, palette, '
            "camera, lock, die_mm, measured, reference",
        ),
        (
            changed("lens", "size", to=1),
            'there is no key "size" in a lens; its keys are width, height, matrix, distortion',
        ),
        (changed("table", "homograpy", to=1), 'there is no key "homograpy" in a table; is homography meant?'),
        (without("made"), 'the key "made" of a profile is missing'),
        (without("lens", "matrix"), 'the key "matrix" of a lens is missing'),
        (without("table", "homography"), 'the key "homography" of a table is missing'),
        (changed("name", to=7), "the name of a profile is a text, not 7"),
        (
            changed("made", to="yesterday"),
            'when a profile was made is a date and time in ISO 8601, as 2026-05-01T18:30:00+02:00, not "yesterday"',
        ),
        (
            changed("made", to=1_777_000_000),
            "when a profile was made is a date and time in ISO 8601, as 2026-05-01T18:30:00+02:00, not 1777000000",
        ),
        (
            changed("lens", to=[1]),
            "the lens is an object with width and height and matrix and distortion, or null, not [1]",
        ),
        (changed("table", to="oak"), 'the table is an object with homography, or null, not "oak"'),
        (
            changed("lens", "width", to=2304.5),
            "the width of the lens's pictures is a whole number of pixels, not 2304.5",
        ),
        (changed("lens", "height", to=True), "the height of the lens's pictures is a whole number of pixels, not true"),
        (
            changed("lens", "matrix", to=[[1, 2, 3], [4, 5, 6]]),
            "the matrix of the lens is three rows of three numbers, not [[1, 2, 3], [4, 5, 6]]",
        ),
        (changed("lens", "matrix", 0, 0, to="long"), 'the matrix of the lens holds numbers, not "long"'),
        (changed("lens", "matrix", 0, 0, to=None), "the matrix of the lens holds numbers, not null"),
        (changed("lens", "distortion", to=0.1), "the distortion of the lens is a list of numbers, not 0.1"),
        (
            changed("lens", "distortion", to=[0.1] * 6),
            "the distortion of the lens is 5, 8, 12 or 14 numbers in OpenCV's order, not 6",
        ),
        (
            changed("table", "homography", to=[1] * 9),
            "the homography of the table is three rows of three numbers, not [1, 1, 1, 1, 1, 1, 1, 1, 1]",
        ),
        (changed("palette", to=[]), "the palette is an object with a colour for each key, not []"),
        (changed("palette", "red", to=[1, 2]), "the red of the palette is three numbers, not [1, 2]"),
        (changed("palette", "red", to="#f00"), 'the red of the palette is a list of numbers, not "#f00"'),
    ],
)
def test_an_unreadable_profile_is_refused_with_a_reason(text: str, sentence: str) -> None:
    with pytest.raises(UnreadableProfileError) as caught:
        from_json(text)
    assert str(caught.value) == sentence


# Invalid profiles


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (changed("name", to=" "), 'the name of a profile is one line of 1 to 100 characters, not " "'),
        (
            changed("name", to="two\nlines"),
            'the name of a profile is one line of 1 to 100 characters, not "two\\nlines"',
        ),
        (changed("lens", to=None), "the table needs a lens: its homography is in lens pixels"),
        (changed("lens", "width", to=0), "the width of the lens's pictures is 1 to 32767 pixels, not 0"),
        (
            changed("lens", "matrix", 0, 1, to=3),
            "the matrix of the lens is [[fx, 0, cx], [0, fy, cy], [0, 0, 1]] and no other",
        ),
        (
            changed("lens", "matrix", 1, 1, to=4.74),
            "the focal length of the lens is in pixels, for this picture from 115.2 to 115200, not 4.74",
        ),
        (
            changed("lens", "matrix", 0, 0, to=-1720),
            "the focal length of the lens is in pixels, for this picture from 115.2 to 115200, not -1720",
        ),
        (
            changed("lens", "matrix", 0, 2, to=2400),
            "the lens's axis meets the picture at 2400, 647.5, outside its 2304 x 1296 pixels",
        ),
        (
            changed("lens", "distortion", 2, to=12345).replace("12345", "1e999"),
            "the distortion of the lens holds finite numbers, not Infinity",
        ),
        (
            changed("table", "homography", 2, 2, to=10**400),
            "the homography of the table holds finite numbers, not 1" + 56 * "0" + "...",
        ),
        (
            changed("table", "homography", to=[[1, 2, 3], [2, 4, 6], [0, 0, 1]]),
            "the homography of the table is singular: it sees the table as a line, not as a plane",
        ),
        (
            changed("table", "homography", to=[[1, 0, 0], [0, 1, 0], [0, 0, 0]]),
            "the homography of the table is singular: it sees the table as a line, not as a plane",
        ),
        (changed("palette", "Red", to=[50, 60, 40]), 'dice have no colour "Red"; is red meant?'),
        (
            changed("palette", "pink", to=[50, 60, 40]),
            'dice have no colour "pink"; the colours are red, orange, yellow, green, blue, purple, black, white',
        ),
        (
            changed("palette", "blue", to=[200, 0, 3]),
            "the blue of the palette is CIE Lab, L from 0 to 100, a and b from -128 to 128, not 200, 0, 3",
        ),
    ],
)
def test_an_invalid_profile_is_refused_with_a_reason(text: str, sentence: str) -> None:
    with pytest.raises(NotAllowedProfileError) as caught:
        from_json(text)
    assert str(caught.value) == sentence


def test_a_profile_made_in_python_is_checked_too() -> None:
    with pytest.raises(NotAllowedProfileError, match="finite numbers"):
        TablePlane(((float("nan"), 0, 0), (0, 1, 0), (0, 0, 1)))
    with pytest.raises(NotAllowedProfileError, match="needs a lens"):
        Profile("n", "2026-05-01", table=TABLE)


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

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
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
        (None, "there is no such file"),
        (b"\xff\xfe", "this is not UTF-8 text"),
        (b" " * (LARGEST_FILE + 1), f"it is larger than {LARGEST_FILE} bytes: no profile is"),
        (b"[]", "this is not a profile: a profile stands in braces"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes | None, sentence: str) -> None:
    path = tmp_path / "oak.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UnreadableProfileError) as caught:
        load(path)
    assert str(caught.value) == f"{path}: {sentence}"


def test_a_folder_is_no_profile(tmp_path: Path) -> None:
    with pytest.raises(UnreadableProfileError, match="it could not be opened: is a directory"):
        load(tmp_path)


def test_an_invalid_file_is_named_too(tmp_path: Path) -> None:
    path = tmp_path / "oak.json"
    path.write_text(changed("palette", "pink", to=[1, 2, 3]), encoding="utf-8")
    with pytest.raises(NotAllowedProfileError, match=r"oak\.json: dice have no colour"):
        load(path)
