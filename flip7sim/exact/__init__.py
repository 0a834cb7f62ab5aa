"""What is exactly so: the odds of the next card, and the value of a round played alone, by dynamic programming."""
