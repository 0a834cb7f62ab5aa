"""From counts to what they tell: errors, intervals, differences, ratings, evolution, the course of games."""
