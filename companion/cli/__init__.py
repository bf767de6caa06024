"""The `perudo` command. A command's module is imported only when the command runs, because a Pi is slow."""

from __future__ import annotations

import importlib
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, Final

import click

CLI_COMMANDS: Final = {
    "demo": ("companion.cli.demo", "demo", "Play at a virtual table: no hardware needed."),
    "run": ("companion.cli.run", "run", "Play at a real table, with its camera and panel."),
    "panel": ("companion.cli.panel", "panel", "Test the panel part by part, or draw it in every phase."),
    "count": ("companion.cli.count", "count", "Read the dice in photographs."),
    "calibrate": ("companion.cli.calibrate", "calibrate", "Calibrate the camera from pictures, and keep profiles."),
    "evaluate": (
        "companion.evaluation.command",
        "evaluate",
        "Measure the reader by photographs or drawn evenings.",
    ),
    "replay": ("companion.cli.replay", "replay", "Play a game record and say what became of every line."),
    "games": ("companion.cli.games", "games", "List the games that were played."),
    "stats": ("companion.cli.games", "stats", "Show what the players did, and how lucky they were."),
    "review": ("companion.cli.review", "review", "What should I have done? Chances, losses, luck and skill of a game."),
    "export": ("companion.cli.export", "export", "Write records, stories, or everything as one file."),
    "import": ("companion.cli.export", "import_", "Import records, or restore an exported file."),
    "config": ("companion.cli.config", "config", "Write the configuration, or find the mistakes in it."),
    "cards": ("companion.cli.cards", "cards", "Write a card for every seat, to print."),
    "certificate": ("companion.cli.certificate", "certificate", "Make the box's own certificate, for https."),
    "rules": ("companion.cli.rules", "rules", "The rulesets, in words."),
    "install-service": (
        "companion.cli.install_service",
        "install_service",
        "Have the box start with the power (systemd).",
    ),
    "club": ("companion.cli.club", "club", "Many tables, one lobby: serve a club, or join one."),
    "languages": ("companion.translation.command", "languages", "Print what the page's languages lack."),
    "card": ("companion.card.command", "card", "Write what a memory card needs to become the box."),
    "update": ("companion.cli.update", "update", "Fetch the newest version, and restart the service."),
    "doctor": ("companion.cli.doctor", "doctor", "Check that all the parts are there and fit together."),
    "selftest": ("companion.cli.selftest", "selftest", "Play a round, and see whether this box stands it."),
}
"""Name -> module, the click command in it, and its line in `perudo --help`."""

CLONE_ONLY: Final = {"evaluate": "companion.evaluation", "card": "companion.card", "languages": "companion.translation"}
"""The commands that the wheel lacks, with their packages."""

for _command, _package in CLONE_ONLY.items():
    if find_spec(_package) is None:
        del CLI_COMMANDS[_command]


class LazyGroup(click.Group):
    """A group that lists its commands without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names of all commands, in display order."""
        return list(CLI_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command; None if there is none with that name."""
        if cmd_name not in CLI_COMMANDS:
            return None
        module, name, _ = CLI_COMMANDS[cmd_name]
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command. Whatever error ends it is reported in a sentence."""
        from companion.cli.output import sentences_for_errors

        with sentences_for_errors():
            return super().main(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. In click's messages, typed text and file names become printable."""
        from companion.messages.printable import printable

        try:
            return super().invoke(ctx)
        except click.ClickException as error:
            error.message = "\n".join(map(printable, error.message.split("\n")))  # type: ignore[misc]  # not final in click itself
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_line) for name, (_, _, help_line) in CLI_COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(version("perudo-companion"), prog_name="perudo", message="%(prog)s %(version)s")
def main() -> None:
    """A camera over a Perudo table that reads the dice and judges dudo and calza."""
