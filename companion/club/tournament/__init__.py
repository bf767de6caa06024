"""Tournaments of tables: draws, results and standings. Pure: events in, values out; nothing of it does any IO.

Start reading at `tournament.py` (what there is), `decide.py` (what may be done) and `draw.py` (who sits with whom).
"""
