"""The game at the table: commands decided into events, and the position they lead to. Pure."""
