"""Renders training pictures, trains the networks and exports them. From the clone only, with the extra `train`."""
