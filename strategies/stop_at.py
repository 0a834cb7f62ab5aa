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


@strategy(bounds={"total": (0, 100), "plus": (0, 10), "six": (0, 100)})
def line_sum(me, table, total=25, plus=0.5, six=10):
    """Stay once numbers, and `plus` times the plus cards, add up to `total` (a Flip 7 in sight: `six` more).

    A x2 is left out of account, and with a Second Chance it always hits.
    """
    wanted = total + six if me.count == table.flip7_size - 1 else total
    return me.second_chance == 1 or me.line_sum + plus * me.plus < wanted
