"""The jitted game: records, random stream, piles, rounds, games, batches of games."""
