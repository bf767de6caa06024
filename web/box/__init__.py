"""`/box`: what the host sees and does to keep the box going."""
