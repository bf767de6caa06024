"""The review of a game: what could be known, what each decision was worth, luck and skill.

Pure; uses `companion.engine` and numpy. `review` reads a record with everybody's dice; robots use the same
computations.
"""
