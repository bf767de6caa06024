"""A whole box as one file, and back: games, pictures, calibration, configuration; the table's code only by choice."""
