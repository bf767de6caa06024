"""The box that starts with the power: its service, its doctor, its update."""
