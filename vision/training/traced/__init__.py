"""Whole Perudo tables, path-traced with Mitsuba 3: pictures by another renderer than the one the networks learned from.

    python -m vision.training.traced --out DIR --count 80 --seed 1

Lengths are millimetres; the table is the plane z = 0, z is up, the middle of the picture looks at the origin. Colours
are linear light, red first. Everything but `render` is numpy alone; only `render` needs Mitsuba (extra `train`).
"""
