"""Several profiles under names that people give: kept, used, undone, renamed, removed; whole after a power cut."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calibration.atomic_write import write_atomically
from calibration.profile import Lens, Measurements, Profile, ProfileError, TablePlane
from calibration.profile_file import from_json, save, to_json
from calibration.profiles import MOST_PROFILES, ProfileNameError, Profiles
from calibration.sheet.board import SQUARE_MM
from calibration.solve.draft import ProfileDraft
from calibration.solve.lens_fit import LensFit, TableFit
from calibration.solve.table_palette import TablePalette

MATRIX = ((1720.0, 0.0, 1151.5), (0.0, 1720.0, 647.5), (0.0, 0.0, 1.0))
LENS = Lens(2304, 1296, MATRIX, (-0.1, 0.02, 0.0, 0.0, 0.0))
TABLE = TablePlane(((0.43, 0.01, -500.0), (0.0, 0.5, -320.0), (0.0, 2e-4, 1.0)))
MADE = "2026-05-01T18:30:00+02:00"
CAMPER = Profile("Camper", MADE, LENS, TABLE, measured=Measurements(0.4, 9, 33.0, 0.006, 620.0, 8.0))
PICTURE = np.tile(np.arange(0, 240, 2, dtype=np.uint8), (90, 1))


@pytest.fixture
def profiles(tmp_path: Path) -> Profiles:
    return Profiles.of(tmp_path)


def test_none_is_in_use_until_one_is(profiles: Profiles) -> None:
    assert (profiles.all(), profiles.in_use) == ((), None)
    profiles.save(CAMPER)
    assert profiles.in_use is None
    profiles.use("Camper")
    assert profiles.in_use == CAMPER
    profiles.use(None)
    assert profiles.in_use is None


def test_people_name_profiles_as_they_like_and_the_files_are_safe(profiles: Profiles) -> None:
    names = ["Küche oben", "Kuche oben", "../../etc/passwd", "in-use", "Αθήνα", "木", "a/b", "CON", "x" * 40]
    for name in names:
        profiles.save(replace(CAMPER, name=name))
    assert sorted(profile.name for profile in profiles.all()) == sorted(names)
    assert {path.parent for path in profiles.folder.iterdir()} == {profiles.folder}
    assert all(path.name.isascii() for path in profiles.folder.iterdir())
    for name in names:
        profiles.use(name)
        assert profiles.in_use is not None
        assert profiles.in_use.name == name


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(name=st.text(max_size=60))
def test_any_name_is_kept_as_it_is_or_refused_with_a_sentence(
    name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    profiles = Profiles(tmp_path_factory.mktemp("names") / "profiles")
    try:
        profiles.save(replace(CAMPER, name=name))
    except ProfileNameError as refused:
        sentence = str(refused.message)
    except ProfileError as error:  # what no profile may be called at all
        sentence = str(error)
    else:
        sentence = ""
        assert profiles.get(name).name == name
    assert bool(sentence) != bool(list(profiles.folder.glob("*.json")))


@pytest.mark.parametrize("name", ["x" * 41, " Camper", "Camper "])
def test_a_name_that_will_not_do_is_refused(profiles: Profiles, name: str) -> None:
    with pytest.raises(ProfileNameError):
        profiles.save(replace(CAMPER, name=name))


def test_names_that_look_the_same_are_the_same(profiles: Profiles) -> None:
    profiles.save(replace(CAMPER, name="Café"))
    assert profiles.get("CAFÉ").name == "Café"
    profiles.save(replace(CAMPER, name="cafe\u0301"))
    assert len(profiles.all()) == 1


def test_what_stood_there_is_one_undo_away_and_the_undo_too(profiles: Profiles) -> None:
    first = profiles.save(CAMPER, PICTURE)
    assert not profiles.can_undo("Camper")
    with pytest.raises(ProfileNameError, match="Nothing stood there before Camper"):
        profiles.undo("Camper")
    second = profiles.save(replace(CAMPER, made="2026-06-01T10:00:00+02:00"), 255 - PICTURE)
    assert profiles.get("Camper") == second
    assert profiles.can_undo("Camper")
    assert profiles.undo("Camper") == first
    picture = profiles.reference("Camper")
    assert picture is not None
    assert np.abs(picture.astype(int) - PICTURE).max() < 12
    assert profiles.undo("Camper") == second
    picture = profiles.reference("Camper")
    assert picture is not None
    assert np.abs(picture.astype(int) - (255 - PICTURE)).max() < 12


def test_an_undo_back_to_a_profile_without_a_picture_has_none(profiles: Profiles) -> None:
    profiles.save(CAMPER)
    profiles.save(CAMPER, PICTURE)
    profiles.undo("Camper")
    assert profiles.reference("Camper") is None
    profiles.undo("Camper")
    assert profiles.reference("Camper") is not None


def test_renamed_it_stays_in_use_and_can_still_be_undone(profiles: Profiles) -> None:
    profiles.save(CAMPER)
    profiles.save(replace(CAMPER, made="2026-06-01"))
    profiles.use("Camper")
    profiles.rename("Camper", "Küche")
    assert profiles.in_use == replace(CAMPER, name="Küche", made="2026-06-01")
    assert profiles.undo("Küche") == replace(CAMPER, name="Küche")
    with pytest.raises(ProfileNameError, match="There is no profile Camper"):
        profiles.get("Camper")
    profiles.rename("Küche", "KÜCHE")
    assert profiles.get("küche").name == "KÜCHE"


def test_it_cannot_be_renamed_to_another(profiles: Profiles) -> None:
    profiles.save(CAMPER)
    profiles.save(replace(CAMPER, name="Küche"))
    with pytest.raises(ProfileNameError, match="There is a profile camper already"):
        profiles.rename("Küche", "camper")


def test_removed_it_is_gone_and_no_longer_in_use(profiles: Profiles) -> None:
    profiles.save(CAMPER, PICTURE)
    profiles.save(CAMPER, PICTURE)
    profiles.use("Camper")
    profiles.remove("camper")
    assert (profiles.all(), profiles.in_use) == ((), None)
    assert list(profiles.folder.iterdir()) == []


def test_what_a_removed_one_left_behind_is_not_the_next_ones(profiles: Profiles) -> None:
    profiles.save(CAMPER, PICTURE)
    profiles.save(CAMPER, PICTURE)
    (profiles.folder / "camper.json").unlink()  # the power went while it was removed
    profiles.save(CAMPER)
    assert not profiles.can_undo("Camper")
    assert profiles.reference("Camper") is None


def test_there_is_an_end_to_how_many(profiles: Profiles) -> None:
    for n in range(MOST_PROFILES):
        profiles.save(Profile(f"{n}", MADE))
    with pytest.raises(ProfileNameError, match="remove one first"):
        profiles.save(CAMPER)
    profiles.save(Profile("7", "2026-06-01"))


def test_one_broken_file_does_not_hide_the_others(profiles: Profiles) -> None:
    profiles.save(CAMPER)
    (profiles.folder / "broken.json").write_text("{")
    assert profiles.all() == (CAMPER,)
    (wrong,) = profiles.damaged()
    assert "broken.json" in wrong
    profiles.save(replace(CAMPER, name="broken"))
    assert (profiles.folder / "broken.json").read_text() == "{"


def test_the_profile_of_before_there_were_names_is_taken_over_once(tmp_path: Path) -> None:
    save(replace(CAMPER, name="camera over the oak table"), tmp_path / "profile.json")
    profiles = Profiles.of(tmp_path)
    assert profiles.in_use == replace(CAMPER, name="Table")
    profiles.remove("Table")
    assert Profiles.of(tmp_path).all() == ()


@pytest.mark.parametrize("dies_at", range(4))
def test_whenever_the_power_goes_the_old_one_or_the_new_one_is_there(
    profiles: Profiles, monkeypatch: pytest.MonkeyPatch, dies_at: int
) -> None:
    old = profiles.save(CAMPER, PICTURE)
    profiles.use("Camper")
    new = replace(CAMPER, made="2026-06-01")
    written = 0

    def dying(path: Path, content: bytes) -> None:
        nonlocal written
        if written == dies_at:
            path.with_name(f"{path.name}.part").write_bytes(content[: len(content) // 2])
            raise KeyboardInterrupt
        written += 1
        write_atomically(path, content)

    monkeypatch.setattr("calibration.profiles.write_atomically", dying)
    monkeypatch.setattr("calibration.profile_file.write_atomically", dying)
    with pytest.raises(KeyboardInterrupt):
        profiles.save(new, 255 - PICTURE)
    monkeypatch.undo()
    found = profiles.in_use
    assert found == old
    picture = profiles.reference("Camper")
    assert picture is None or np.abs(picture.astype(int) - PICTURE).max() < 12  # never another profile's
    assert profiles.save(new).made == "2026-06-01"


# Put together


def solved() -> LensFit:
    return LensFit(LENS, 0.31, 8)


def laid() -> TableFit:
    return TableFit(TABLE, 620.0, 8.0, 0.006, 0.36, 45.0)


def test_a_profile_is_put_together_from_what_was_found() -> None:
    palette = {"red": (45.0, 60.0, 40.0)}
    draft = ProfileDraft(camera="imx708", die_mm=16, square_mm=32.4, lens_fit=solved(), table=laid())
    draft = replace(draft, palette=TablePalette(palette, {"red": 1}, ()))
    found = draft.profile("Camper", MADE, {"ExposureTime": 9000})
    assert (found.lens, found.table, dict(found.palette)) == (LENS, TABLE, palette)
    assert found.measured == Measurements(0.31, 8, 32.4, 0.006, 620.0, 8.0)
    assert (found.camera, dict(found.lock), found.die_mm) == ("imx708", {"ExposureTime": 9000.0}, 16.0)
    assert from_json(to_json(found)) == found


def test_new_colours_leave_lens_and_table_as_they_are() -> None:
    palette = {"red": (45.0, 60.0, 40.0)}
    found = ProfileDraft(CAMPER, palette=TablePalette(palette, {"red": 1}, ())).profile("Camper", MADE)
    assert (found.lens, found.table, found.measured) == (CAMPER.lens, CAMPER.table, CAMPER.measured)
    assert dict(found.palette) == palette


def test_a_new_lens_alone_forgets_where_the_table_was() -> None:
    found = ProfileDraft(CAMPER, lens_fit=solved()).profile("Camper", MADE)
    assert found.table is None
    assert found.measured == Measurements(0.31, 8)


def test_an_assumed_lens_has_no_error_and_no_views() -> None:
    found = ProfileDraft(lens_fit=LensFit(LENS), table=laid()).profile("Camper", MADE)
    assert found.measured == Measurements(0.0, 0, SQUARE_MM, 0.006, 620.0, 8.0)
