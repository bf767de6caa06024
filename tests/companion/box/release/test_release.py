"""A release is taken only as it was signed, and by whom the box trusts."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.box.release.release import (
    MANIFEST,
    NAMESPACE,
    SIGNATURE,
    ReleaseError,
    parse_release,
    read_release,
    sign,
    signers_text,
)
from tests.fakes.releases import key, release, signers

__all__ = ["key", "release", "signers"]

pytestmark = pytest.mark.programs("ssh-keygen")


def test_a_release_is_read_as_it_was_written(release: Callable[..., Path], signers: Path) -> None:
    folder = release("one")
    found = read_release(folder, signers)
    assert found.name == "one"
    assert found.notes == ("What is new.",)
    assert parse_release(found.text()) == found
    assert found.program.requirement.startswith("perudo-companion==1 --hash=sha256:")


def test_a_changed_wheel_is_refused(release: Callable[..., Path], signers: Path) -> None:
    folder = release("one")
    with (folder / "libraries-1-py3-none-any.whl").open("ab") as file:
        file.write(b"x")
    with pytest.raises(ReleaseError, match="not the file that was signed"):
        read_release(folder, signers)


def test_a_changed_wheel_of_the_same_size_is_refused(release: Callable[..., Path], signers: Path) -> None:
    folder = release("one")
    wheel = folder / "libraries-1-py3-none-any.whl"
    content = bytearray(wheel.read_bytes())
    content[-1] ^= 1
    wheel.write_bytes(content)
    with pytest.raises(ReleaseError, match="not the file that was signed"):
        read_release(folder, signers)


def test_a_changed_manifest_is_refused(release: Callable[..., Path], signers: Path) -> None:
    folder = release("one")
    (folder / MANIFEST).write_text((folder / MANIFEST).read_text().replace("What is new.", "What is new!"))
    with pytest.raises(ReleaseError, match="not signed"):
        read_release(folder, signers)


def test_a_strangers_signature_is_refused(release: Callable[..., Path], signers: Path, tmp_path: Path) -> None:
    folder = release("one")
    stranger = tmp_path / "stranger"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(stranger)], check=True)
    sign(folder / MANIFEST, stranger)
    with pytest.raises(ReleaseError, match="not signed by anybody"):
        read_release(folder, signers)
    signers.write_text(signers_text(stranger.with_name("stranger.pub").read_text()))
    assert read_release(folder, signers).name == "one"


def test_a_signature_of_something_else_is_none(release: Callable[..., Path], signers: Path, key: Path) -> None:
    folder = release("one")
    (folder / SIGNATURE).unlink()
    subprocess.run(
        ["ssh-keygen", "-q", "-Y", "sign", "-f", str(key), "-n", f"{NAMESPACE}-not", str(folder / MANIFEST)], check=True
    )
    with pytest.raises(ReleaseError, match="not signed"):
        read_release(folder, signers)


def test_without_signers_nothing_is_taken(release: Callable[..., Path], tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match="nobody who may sign"):
        read_release(release("one"), tmp_path / "none")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (('"format": 1', '"format": 2'), "newer format"),
        (('"name": "one"', '"name": "../one"'), "no proper release"),
        (("libraries-1-py3-none-any.whl", "../../etc/passwd"), "no proper release"),
        (("perudo_companion-1-", "another-1-"), "no proper release"),
        (('"wheels"', '"wheel"'), "cannot be read"),
        (("{", "["), "cannot be read"),
    ],
)
def test_a_manifest_that_names_no_proper_release_is_refused(
    release: Callable[..., Path], change: tuple[str, str], why: str
) -> None:
    text = (release("one") / MANIFEST).read_text()
    with pytest.raises(ReleaseError, match=why):
        parse_release(text.replace(*change))
