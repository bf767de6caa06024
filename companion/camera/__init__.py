"""The camera over the table: watched, read from after a call, and held against its profile."""
