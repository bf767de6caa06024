"""The box: its service, its doctor, its updates."""
