"""The calibration of a camera and its table: the lens, where the table lies, the colours of the dice."""
