"""`python -m tests.benchmarks reading|running|cameras|listeners|replay|solo|club|past|suite`."""

from __future__ import annotations

import click

from tests.benchmarks.cameras import cameras
from tests.benchmarks.club import club
from tests.benchmarks.listeners import listeners
from tests.benchmarks.past import past
from tests.benchmarks.reading import reading
from tests.benchmarks.replay import replay
from tests.benchmarks.running import running
from tests.benchmarks.solo import solo
from tests.benchmarks.suite import suite


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Measure what the program costs on this machine."""


for command in (reading, running, cameras, listeners, replay, solo, club, past, suite):
    main.add_command(command)

if __name__ == "__main__":
    main(prog_name="python -m tests.benchmarks")
