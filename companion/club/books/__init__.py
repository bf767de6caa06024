"""The club's books: results, ratings and players' pages, computed from the records of games. Pure."""
