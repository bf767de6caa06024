"""Takes a new clone to a running program: in the clone, not in the wheel, and on a bare Python."""
