"""What the camera knows of its table: the lens, where the table lies, the colours of the dice."""
