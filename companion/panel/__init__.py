"""Between the pins of the panel and the table."""
