"""The club's books: results, ratings and players' pages, made from the records of games. Pure."""
