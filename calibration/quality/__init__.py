"""Whether a camera is aimed well, reads well, and has not moved."""
