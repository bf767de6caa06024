"""The `perudo` command; also `python -m companion`."""

from __future__ import annotations

import importlib
import signal


def main() -> None:
    """Run the command. Importing it takes a while; until then Ctrl-C ends it without a traceback."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    perudo = importlib.import_module("companion.cli").main
    importlib.import_module("companion.cli.output")  # reports errors in a sentence
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    perudo(prog_name="perudo")


if __name__ == "__main__":
    main()
