"""The panel: buttons, lamps, sounds and displays on the pins."""
