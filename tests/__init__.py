"""The tests, and the fakes and benchmarks that go with them.

Several run at a time (companion/bootstrap/set_up.py): threads of each one's own would wait for one another.
"""

import os

# Before numpy and OpenCV are imported, and for every program that a test starts.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")
