"""The demo: a table without hardware."""
