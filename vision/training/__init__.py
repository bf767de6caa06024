"""Makes the pictures, trains the networks and exports them. Needs the extra `train`; the program never imports it."""
