"""The game and the table. Nothing is imported here, because `python3 -m companion.bootstrap` runs on a bare Python."""

import os

MOST_PIXELS = 25_000_000
"""The most pixels of a picture: twice as many as the largest camera module has, and as many as phones keep."""

# OpenCV reads it only once, when it is loaded.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MOST_PIXELS))
