"""Fetching a release from an address: a folder on any web server. What is not signed as it should be is not kept.

Standard library only.
"""

from __future__ import annotations

import shutil
import urllib.error
import urllib.request
from http.client import HTTPException
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from companion.box.release.release import MANIFEST, SIGNATURE, Release, ReleaseError, check_wheel, read_signed

FETCH_TIMEOUT: Final = 30.0
"""Seconds without a byte after which a server is given up."""
LARGEST_MANIFEST: Final = 2**20
"""Bytes."""


def fetch_manifest(address: str, folder: Path, signers: Path) -> Release:
    """The release at `address`. Its manifest and signature are then in `folder`, no wheel yet.

    Raises `ReleaseError`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in (MANIFEST, SIGNATURE):
        _get(address, name, folder, LARGEST_MANIFEST)
    return read_signed(folder, signers)


def fetch_wheels(address: str, folder: Path, release: Release) -> None:
    """Fetch the wheels of `release` into `folder`; those that are there already are not fetched again.

    Raises `ReleaseError`.
    """
    for wheel in release.wheels:
        path = folder / wheel.name
        if path.is_file() and path.stat().st_size == wheel.size:
            try:
                check_wheel(path, wheel)
            except ReleaseError:
                path.unlink()
            else:
                continue
        _get(address, wheel.name, folder, wheel.size)
        check_wheel(path, wheel)


def _get(address: str, name: str, folder: Path, most: int) -> None:
    try:
        scheme = urlsplit(address).scheme
    except ValueError:  # as of http://[
        scheme = ""
    if scheme not in ("http", "https"):
        raise ReleaseError(f"{address} is no address of releases: it begins with https:// or http://.")
    url = f"{address.rstrip('/')}/{name}"
    draft = folder / f"{name}.part"
    try:
        with urllib.request.urlopen(url, timeout=FETCH_TIMEOUT) as answer, draft.open("wb") as file:
            left = most
            while piece := answer.read(min(1 << 20, left + 1)):
                left -= len(piece)
                if left < 0:
                    raise ReleaseError(f"{url} is larger than it may be: the release is not taken.")
                file.write(piece)
        draft.replace(folder / name)
    except (OSError, HTTPException, ValueError) as error:  # ValueError: no host, or letters that no host has
        reason = getattr(error, "reason", None) or error
        raise ReleaseError(f"{url} cannot be fetched ({reason}). Is the box on the internet?") from error
    finally:
        draft.unlink(missing_ok=True)


def clear(folder: Path) -> None:
    """Remove what was fetched."""
    shutil.rmtree(folder, ignore_errors=True)
