"""`perudo certificate`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from companion.features.https.certificates import read_authority

Perudo = Callable[..., Result]

needs_openssl = pytest.mark.programs("openssl")


@needs_openssl
def test_it_makes_the_certificates_says_what_comes_next_and_takes_them_away(perudo: Perudo, tmp_path: Path) -> None:
    first = perudo("certificate", "--state", tmp_path / "state")
    assert first.exit_code == 0, first.stderr
    authority = read_authority(tmp_path / "state")
    assert authority.fingerprint in first.stdout
    assert len(authority.fingerprint.split(":")) == 32
    assert "/box" in first.stdout
    assert re.search(r"open https://\S+:8443/ on it", first.stdout)
    again = perudo("certificate", "--state", tmp_path / "state")
    assert authority.fingerprint in again.stdout, "called again it keeps the authority"
    gone = perudo("certificate", "--state", tmp_path / "state", "--remove")
    assert gone.exit_code == 0
    assert "gone" in gone.stdout
    assert list((tmp_path / "state").iterdir()) == []
    assert "no certificates" in perudo("certificate", "--state", tmp_path / "state", "--remove").stderr


def test_without_openssl_it_says_how_to_get_it(perudo: Perudo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    result = perudo("certificate", "--state", tmp_path / "state")
    assert result.exit_code == 2
    assert result.stderr.startswith("perudo certificate: openssl is not installed")
    assert "sudo apt install openssl" in result.stderr


@needs_openssl
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make files for somebody else")
def test_as_root_the_files_belong_to_the_folders_owner() -> None:
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:  # the folders above pytest's are shut to others
        folder = Path(name)
        folder.chmod(0o755)
        state = folder / "state"
        state.mkdir()
        os.chown(state, 65534, 65534)
        environment = {**os.environ, "PERUDO_CONFIG": str(folder / "none.toml")}
        done = subprocess.run(
            (sys.executable, "-m", "companion.cli", "certificate", "--state", str(state)),
            *(), capture_output=True, text=True, check=False, env=environment,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        made = [state / "https", *(state / "https").iterdir()]
        assert {(file.stat().st_uid, file.stat().st_gid) for file in made} == {(65534, 65534)}
        assert len(made) == 3
        shutil.rmtree(state)
