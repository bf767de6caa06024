"""The game and the table. Nothing is imported here: `python3 -m companion.bootstrap` runs on a bare Python."""

import os

MOST_PIXELS = 25_000_000
"""Pixels of a picture at most: twice those of the largest camera module, and as many as phones' cameras keep."""

# OpenCV reads it once, when it is loaded.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MOST_PIXELS))
