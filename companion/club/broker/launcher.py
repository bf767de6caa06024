"""Starts a program that ends with its parent, on Linux: `python launcher.py PARENT PROGRAM ...`.

setpriv(1) would do, but asks for a system call (capset) that the hub's unit does not allow.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
from contextlib import suppress
from typing import Final, NoReturn

_PR_SET_PDEATHSIG: Final = 1
"""Of prctl(2): the kernel sends a signal when the thread that started this process ends."""


def launch(parent: int, command: list[str]) -> NoReturn:
    """Become the program. It may open all the files that it can: each connection is one."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        sys.exit(1)  # it has died already, of which the kernel tells nothing
    with suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    for each in (signal.SIGPIPE, signal.SIGXFSZ):  # which Python ignores, and a program that it starts would
        signal.signal(each, signal.SIG_DFL)
    try:
        os.execv(command[0], command)
    except OSError as error:
        sys.exit(f"{command[0]}: {error.strerror}")


if __name__ == "__main__":
    launch(int(sys.argv[1]), sys.argv[2:])
