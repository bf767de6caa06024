"""`python -m tests.proof ATTACK`; without one it lists them."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import click

import tests.proof


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Attack a box of its own, and exit 1 if it falls short."""


for module in pkgutil.iter_modules(tests.proof.__path__):
    if module.name != "__main__" and not module.name.startswith("test_"):
        attack = getattr(import_module(f"tests.proof.{module.name}"), "attack", None)
        if isinstance(attack, click.Command):
            main.add_command(attack, module.name)

if __name__ == "__main__":
    main(prog_name="python -m tests.proof")
