"""What should I have done? The review of a game: what could be known, what each decision was worth, luck and skill.

Pure, on `companion.engine` and numpy. `review` reads a record with everybody's dice; robots use the same reckoning.
"""
