"""Pictures to learn from, put together from sprites."""
