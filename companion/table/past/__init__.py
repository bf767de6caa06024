"""Games that were played: their records, statistics and stories. Pure."""
