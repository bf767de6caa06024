"""What was played: games, statistics, and games told in words. Pure."""
