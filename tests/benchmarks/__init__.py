"""What things cost on this machine, measured by hand: `python -m tests.benchmarks`."""
