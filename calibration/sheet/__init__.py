"""The sheet a camera is calibrated with: drawn, printed, found in a picture."""
