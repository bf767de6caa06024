"""The lobby: the club's pages and its HTTP API."""
