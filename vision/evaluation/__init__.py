"""How well labelled pictures are read."""
