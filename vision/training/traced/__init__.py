"""Whole Perudo tables, path traced with Mitsuba 3, a renderer other than that of most training pictures.

python -m vision.training.traced --out DIR --count 80 --seed 1

Lengths are millimetres; the table is the plane z = 0, z is up, and the picture is centred on the origin. Colours are
linear light, red first. Only `render` needs Mitsuba (extra `train`).
"""
