"""Stay at a score, or at a number of cards."""

from flip7sim import strategy


@strategy(bounds={"score": (0, 1000)})
def stop_at(me, table, score=25):
    """Stay once the round would bank `score` points or more."""
    return me.score < score


@strategy(bounds={"count": (0, 13)})
def stop_at_cards(me, table, count=4):
    """Stay with `count` number cards or more."""
    return me.count < count
