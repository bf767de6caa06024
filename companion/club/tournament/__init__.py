"""Tournaments of tables: draws, results and standings. Pure: events in, values out; no IO.

Start reading at `tournament.py` (the data), `decide.py` (what may be done) and `draw.py` (who sits with whom).
"""
