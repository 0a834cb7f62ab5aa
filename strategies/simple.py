"""Players without a thought: the ends of the scale, and chance."""

from flip7sim import strategy, uniform


@strategy
def always_hit(me, table):
    """Hit, come what may."""
    return True


@strategy
def always_stay(me, table):
    """Stay at the first offer."""
    return False


@strategy(bounds={"p": (0, 1)})
def random(me, table, p=0.2):
    """Stay with probability `p` at each offer, at random."""
    return uniform(me) >= p
