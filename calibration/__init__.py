"""What the camera must know about this table: the colours, later the lens and the board."""
