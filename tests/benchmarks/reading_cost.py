"""What a reading costs, as a ratio to a network that everybody knows: milliseconds depend on the machine.

Every reading is timed between two forward passes of `tests.benchmarks.yardstick` through the same engine on one
thread, in every round, so that other work on the machine slows both alike. Time is processor time (`time.process_time`,
all threads of this process): waiting for a busy processor does not count, and work on another thread does.
"""

from __future__ import annotations
