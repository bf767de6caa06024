"""A table in Home Assistant: what it may know, published by the table itself, with or without a hub."""
