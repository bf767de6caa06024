"""`python -m companion.cli` is `perudo`."""

from companion.cli import main

main(prog_name="perudo")
