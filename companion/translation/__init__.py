"""Finds what the page's languages lack, for translators. In the clone, not in the wheel."""
