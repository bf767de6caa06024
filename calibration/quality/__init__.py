"""Whether a camera is aimed well, reads well, and still is where it was."""
