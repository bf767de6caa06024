"""Switches the machine off, through systemd."""

from __future__ import annotations

import subprocess
from typing import Final

from companion.messages.message import Message

POWER_TIMEOUT: Final = 20.0
"""Seconds that systemd may take to accept the request."""


class PowerError(RuntimeError):
    """The machine stays on. The message is a sentence for the players."""

    def __init__(self, reason: str) -> None:
        self.message = Message("The box could not be switched off ({reason}).", reason=reason)
        super().__init__(self.message)


def switch_off() -> None:
    """Ask systemd to stop every program and switch off; its polkit rule allows the service to. Raises `PowerError`."""
    command = ("systemctl", "--no-ask-password", "poweroff")
    try:
        subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, timeout=POWER_TIMEOUT
        )
    except subprocess.CalledProcessError as error:
        raise PowerError(error.stderr.strip().rstrip(".") or f"exit status {error.returncode}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PowerError(str(error).rstrip(".")) from error
