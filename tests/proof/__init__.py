"""What a running box must withstand, tried on real processes: `python -m tests.proof`.

Each module with a click command named `attack` is one attack. It starts its own box (`box.Box`), prints its figures
(`report.Report`) and exits 1 if the box falls short.
"""
