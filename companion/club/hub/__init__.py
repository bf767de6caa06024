"""The hub: it takes the tables' events into its books, and acknowledges them."""
