"""Where the program may lie for a service to run from there."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.box import installation
from companion.box.installation import Installation, InstallError, check_installation


def lies(tmp_path: Path) -> Installation:
    """A clone with a virtual environment, readable for all."""
    clone = tmp_path / "perudo"
    (clone / ".venv" / "bin").mkdir(parents=True)
    program = clone / ".venv" / "bin" / "perudo"
    program.write_text("#!")
    for each in (program, *program.parents):
        if tmp_path in (each, *each.parents) and each != tmp_path:
            each.chmod(0o755)
    return Installation(program, (clone / ".venv", clone, Path("/usr")), (program,))


@pytest.fixture
def homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Homes of their own: /home is this folder, and nothing under /tmp passes."""
    home = tmp_path / "home"
    (home / "ana").mkdir(parents=True, mode=0o700)
    monkeypatch.setattr(installation, "HOMES", (home,))
    monkeypatch.setattr(installation, "TEMPORARY", ())
    return home


def test_a_clone_in_a_private_home_works_since_only_the_clone_is_mounted(homes: Path) -> None:
    program = lies(homes / "ana")
    check_installation(program)
    assert program.at_home == (homes / "ana" / "perudo",)


def test_a_clone_that_others_may_not_read_is_refused_and_opt_is_named(homes: Path) -> None:
    program = lies(homes / "ana")
    (homes / "ana" / "perudo").chmod(0o700)
    with pytest.raises(InstallError, match="may not be read by everybody") as caught:
        check_installation(program)
    assert "/opt/perudo" in str(caught.value)
    assert str(homes / "ana" / "perudo") in str(caught.value)


def test_a_home_that_is_itself_the_clone_is_refused(homes: Path) -> None:
    program = homes / "ana" / "perudo"
    program.write_text("#!")
    with pytest.raises(InstallError, match="itself"):
        check_installation(Installation(program, (homes / "ana",), ()))


@pytest.mark.parametrize("path", ["/opt/100%/perudo", '/opt/a"b/perudo', "/opt/a:b/perudo", "/opt/a$b/perudo"])
def test_a_path_that_systemd_would_misread_is_refused(path: str) -> None:
    with pytest.raises(InstallError, match="misread"):
        check_installation(Installation(Path(path), (), ()))


def test_a_program_in_tmp_is_refused() -> None:
    with pytest.raises(InstallError, match="empties"):
        check_installation(Installation(Path("/tmp/perudo/bin/perudo"), (), ()))
