"""Debian's `openssl` command, which makes the keys and the certificates: Python's library cannot."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Final

OPENSSL_TIMEOUT: Final = 60.0
"""Seconds that one call may take. It takes a tenth of one."""

GET_OPENSSL: Final = "openssl is not installed here, which makes certificates: sudo apt install openssl"


class CertificateError(RuntimeError):
    """A certificate cannot be made or read. The message says why."""


def has_openssl() -> bool:
    """Whether the command is installed."""
    return shutil.which("openssl") is not None


def openssl(*arguments: str | Path) -> bytes:
    """What `openssl` with these arguments writes to standard output. Raises `CertificateError`."""
    try:
        done = subprocess.run(
            ("openssl", *map(str, arguments)),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=OPENSSL_TIMEOUT,
        )
    except FileNotFoundError as error:
        raise CertificateError(GET_OPENSSL) from error
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode(errors="replace").strip().splitlines() or [f"exit status {error.returncode}"]
        raise CertificateError(f"openssl {arguments[0]} failed: {said[-1]}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CertificateError(f"openssl {arguments[0]} failed: {error}") from error
    return done.stdout
