"""The hub: it enters the tables' events in its books, and acknowledges them."""
