"""The journal on disk: the file of events, judged pictures, saved games, backups."""
