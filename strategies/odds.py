"""Decide by the odds of the next card, counting cards or not."""

from flip7sim import bust_chance, expected_gain, strategy


@strategy(name="bust-limit", bounds={"p": (0, 1)})
def bust_limit(me, table, p=0.25, counting=True):
    """Hit while the chance that the next card busts is at most `p`."""
    return bust_chance(me, table, counting) <= p


@strategy(name="expected-gain")
def gain(me, table, counting=True):
    """Hit while one more card, and then staying, is expected to add to the score; with nothing to lose, always."""
    return me.score <= 0 or expected_gain(me, table, counting) > 0
