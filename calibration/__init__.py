"""The calibration of a camera and its table: the lens, where the table lies, the colours of the dice."""

import companion  # noqa: F401 - it limits OpenCV's pictures, and is to come before OpenCV
