"""For With A Vengeance, where a line that has stayed can still be attacked."""

from flip7sim import bust_chance, expected_gain, strategy


@strategy(bounds={"danger": (0, 100)})
def under_attack(me, table, danger=3.0, counting=True):
    """Hit while a card is expected to add to what the others will leave: `danger` points a seat that still plays takes.

    Staying banks the score less what later attacks take from it, a bust loses nothing that they would have taken: so a
    card is worth its expected gain, and the chance to bust times those points.
    """
    others = table.active & ~(1 << me.index)
    playing = 0
    while others:
        others &= others - 1
        playing += 1
    return me.score <= 0 or expected_gain(me, table, counting) + bust_chance(me, table, counting) * danger * playing > 0
