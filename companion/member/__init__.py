"""A table's side of a club: what it publishes, and what it receives."""
