"""The table's place in a club."""
