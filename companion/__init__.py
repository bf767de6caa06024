"""The game and the table. Nothing is imported here: `python3 -m companion.bootstrap` runs on a bare Python."""
