"""The calibration sheet: drawn, printed, found in a picture."""
