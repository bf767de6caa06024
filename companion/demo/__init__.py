"""A table without hardware."""
