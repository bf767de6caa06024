"""The steps from a frame to the dice in it."""
