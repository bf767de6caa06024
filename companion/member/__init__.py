"""A table that has joined a club: what it publishes, and what it hears."""
