"""Profiles under names of the users: saved, used, undone, renamed, removed, and intact after a power cut."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

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


def test_no_profile_is_in_use_at_first(profiles: Profiles) -> None:
    assert (profiles.all(), profiles.in_use) == ((), None)
    profiles.save(CAMPER)
    assert profiles.in_use is None
    profiles.use("Camper")
    assert profiles.in_use == CAMPER
    profiles.use(None)
    assert profiles.in_use is None


def test_profiles_can_have_any_names_and_their_files_have_safe_ones(profiles: Profiles) -> None:
    names = ["Küche oben", "Kuche oben", "../../etc/passwd", "in-use", "Αθήνα", "木", "a/b", "CON", "x" * 40]
    for name in names:
        profiles.save(replace(CAMPER, name=name))
    assert sorted(profile.name for profile in profiles.all()) == sorted(names)
    assert {path.parent for path in profiles.folder.iterdir()} == {profiles.folder}
    assert all(path.name.isascii() for path in profiles.folder.iterdir())
    for name in names:
        profiles.use(name)
        assert profiles.in_use.name == name


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(name=st.text(max_size=60))
def test_any_name_is_saved_as_it_is_or_refused_in_words(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    profiles = Profiles(tmp_path_factory.mktemp("names") / "profiles")
    try:
        profiles.save(replace(CAMPER, name=name))
    except ProfileNameError as refused:
        sentence = str(refused.message)
    except ProfileError as error:  # names that no profile may have
        sentence = str(error)
    else:
        sentence = ""
        assert profiles.get(name).name == name
    assert bool(sentence) != bool(list(profiles.folder.glob("*.json")))


@pytest.mark.parametrize("name", ["x" * 41, " Camper", "Camper "])
def test_an_unsuitable_name_is_refused(profiles: Profiles, name: str) -> None:
    with pytest.raises(ProfileNameError):
        profiles.save(replace(CAMPER, name=name))


def test_names_that_look_the_same_are_the_same(profiles: Profiles) -> None:
    profiles.save(replace(CAMPER, name="Café"))
    assert profiles.get("CAFÉ").name == "Café"
    profiles.save(replace(CAMPER, name="cafe\u0301"))
    assert len(profiles.all()) == 1


def test_saving_can_be_undone_and_so_can_the_undo(profiles: Profiles) -> None:
    first = profiles.save(CAMPER, PICTURE)
    assert not profiles.can_undo("Camper")
    with pytest.raises(ProfileNameError, match="Nothing stood there before Camper"):
        profiles.undo("Camper")
    second = profiles.save(replace(CAMPER, made="2026-06-01T10:00:00+02:00"), 255 - PICTURE)
    assert profiles.get("Camper") == second
    assert profiles.can_undo("Camper")
    assert profiles.undo("Camper") == first
    picture = profiles.reference("Camper")
    assert np.abs(picture.astype(int) - PICTURE).max() < 12
    assert profiles.undo("Camper") == second
    picture = profiles.reference("Camper")
    assert np.abs(picture.astype(int) - (255 - PICTURE)).max() < 12


def test_an_undo_back_to_a_profile_without_a_picture_has_none(profiles: Profiles) -> None:
    profiles.save(CAMPER)
    profiles.save(CAMPER, PICTURE)
    profiles.undo("Camper")
    assert profiles.reference("Camper") is None
    profiles.undo("Camper")
    assert profiles.reference("Camper") is not None


def test_a_renamed_profile_stays_in_use_and_can_still_be_undone(profiles: Profiles) -> None:
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


def test_a_profile_cannot_take_the_name_of_another(profiles: Profiles) -> None:
    profiles.save(CAMPER)
    profiles.save(replace(CAMPER, name="Küche"))
    with pytest.raises(ProfileNameError, match="There is a profile camper already"):
        profiles.rename("Küche", "camper")


def test_a_removed_profile_is_gone_and_no_longer_in_use(profiles: Profiles) -> None:
    profiles.save(CAMPER, PICTURE)
    profiles.save(CAMPER, PICTURE)
    profiles.use("Camper")
    profiles.remove("camper")
    assert (profiles.all(), profiles.in_use) == ((), None)
    assert list(profiles.folder.iterdir()) == []


def test_remains_of_a_removed_profile_do_not_pass_to_the_next_one(profiles: Profiles) -> None:
    profiles.save(CAMPER, PICTURE)
    profiles.save(CAMPER, PICTURE)
    (profiles.folder / "camper.json").unlink()  # the power failed while it was being removed
    profiles.save(CAMPER)
    assert not profiles.can_undo("Camper")
    assert profiles.reference("Camper") is None


def test_the_number_of_profiles_is_limited(profiles: Profiles) -> None:
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


def test_a_profile_of_a_newer_program_is_not_used_but_stays(profiles: Profiles) -> None:
    profiles.save(CAMPER)
    profiles.use("Camper")
    path = profiles.path("Camper")
    path.write_text(path.read_text().replace('"version": 2', '"version": 3'))
    assert profiles.usable() is None
    assert path.exists()


def test_a_profile_from_before_there_were_names_is_adopted_once(tmp_path: Path) -> None:
    save(replace(CAMPER, name="camera over the oak table"), tmp_path / "profile.json")
    profiles = Profiles.of(tmp_path)
    assert profiles.in_use == replace(CAMPER, name="Table")
    profiles.remove("Table")
    assert Profiles.of(tmp_path).all() == ()


@pytest.mark.parametrize("dies_at", range(4))
def test_after_a_power_cut_there_is_the_old_profile_or_the_new_one(
    profiles: Profiles, monkeypatch: pytest.MonkeyPatch, dies_at: int
) -> None:
    old = profiles.save(CAMPER, PICTURE)
    profiles.use("Camper")
    new = replace(CAMPER, made="2026-06-01")
    writes = 0

    def dying(path: Path, content: bytes) -> None:
        nonlocal writes
        if writes == dies_at:
            path.with_name(f"{path.name}.part").write_bytes(content[: len(content) // 2])
            raise KeyboardInterrupt
        writes += 1
        write_atomically(path, content)

    monkeypatch.setattr("calibration.profiles.write_atomically", dying)
    monkeypatch.setattr("calibration.profile_file.write_atomically", dying)
    with pytest.raises(KeyboardInterrupt):
        profiles.save(new, 255 - PICTURE)
    monkeypatch.undo()
    profile = profiles.in_use
    assert profile == old
    picture = profiles.reference("Camper")
    assert picture is None or np.abs(picture.astype(int) - PICTURE).max() < 12  # never that of another profile
    assert profiles.save(new).made == "2026-06-01"


# Composing a profile


def solved() -> LensFit:
    return LensFit(LENS, 0.31, 8)


def laid() -> TableFit:
    return TableFit(TABLE, 620.0, 8.0, 0.006, 0.36, 45.0)


def test_a_profile_is_composed_of_lens_table_and_colours() -> None:
    palette = {"red": (45.0, 60.0, 40.0)}
    draft = ProfileDraft(camera="imx708", die_mm=16, square_mm=32.4, lens_fit=solved(), table=laid())
    draft = dataclasses.replace(draft, palette=TablePalette(palette, {"red": 1}, ()))
    profile = draft.profile("Camper", MADE, {"ExposureTime": 9000})
    assert (profile.lens, profile.table, dict(profile.palette)) == (LENS, TABLE, palette)
    assert profile.measured == Measurements(0.31, 8, 32.4, 0.006, 620.0, 8.0)
    assert (profile.camera, dict(profile.lock), profile.die_mm) == ("imx708", {"ExposureTime": 9000.0}, 16.0)
    assert from_json(to_json(profile)) == profile


def test_new_colours_do_not_change_lens_and_table() -> None:
    palette = {"red": (45.0, 60.0, 40.0)}
    profile = ProfileDraft(CAMPER, palette=TablePalette(palette, {"red": 1}, ())).profile("Camper", MADE)
    assert (profile.lens, profile.table, profile.measured) == (CAMPER.lens, CAMPER.table, CAMPER.measured)
    assert dict(profile.palette) == palette


def test_a_new_lens_without_a_table_drops_the_old_table() -> None:
    profile = ProfileDraft(CAMPER, lens_fit=solved()).profile("Camper", MADE)
    assert profile.table is None
    assert profile.measured == Measurements(0.31, 8)


def test_an_assumed_lens_has_no_error_and_no_views() -> None:
    profile = ProfileDraft(lens_fit=LensFit(LENS), table=laid()).profile("Camper", MADE)
    assert profile.measured == Measurements(0.0, 0, SQUARE_MM, 0.006, 620.0, 8.0)
