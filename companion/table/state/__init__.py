"""What the table shows: the public state, the signs of the panel, and the listeners."""
