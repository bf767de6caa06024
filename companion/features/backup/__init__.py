"""A whole box as one file, and back: games, pictures, calibration, configuration and, optionally, the table's code."""
