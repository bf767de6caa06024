"""The game at the table: turns commands into events, and events into positions. Pure."""
