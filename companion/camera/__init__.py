"""The camera over the table: its supervision, its readings after a call, and its profile."""
