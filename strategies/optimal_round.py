"""The best there is for the expected score of a round alone: looked up in tables that `flip7sim solve` makes.

The tables are for the whole deck, a Flip 7 of seven numbers and 15 points: one with Second Chances in a Flip Three
deferred, one with immediate ones. They are made again by

    flip7sim solve --deck full --save strategies/optimal_round_deferred.xz
    flip7sim solve --deck full --rules us-3.1 --save strategies/optimal_round_immediate.xz
"""

from pathlib import Path

from flip7sim import expected_gain, strategy
from flip7sim.policy.best_round import best_place, flip_threes_played, hand_place, is_hit, unpack

HERE = Path(__file__).parent
DEFERRED_MASKS, (DEFERRED_0, DEFERRED_1, DEFERRED_2, DEFERRED_3) = unpack(HERE / "optimal_round_deferred.xz")
IMMEDIATE_MASKS, (IMMEDIATE_0, IMMEDIATE_1, IMMEDIATE_2, IMMEDIATE_3) = unpack(HERE / "optimal_round_immediate.xz")


@strategy
def optimal_round(me, table):
    """Hit where that is best for the expected score of a round alone.

    Alone with a fresh deck it plays without a fault. In company, where other cards are missing from the deck too, it
    does what is best for its hand with a deck that is fresh but for that hand. With seven numbers or more (a longer
    Flip 7), and in Vengeance, it decides by what the next card is expected to add.
    """
    if table.vengeance:
        return me.score <= 0 or expected_gain(me, table, True) > 0
    place = best_place(me, table)
    played = flip_threes_played(table)
    if place < 0:
        place = hand_place(me)
        played = 0
    if place < 0:
        return me.score <= 0 or expected_gain(me, table, True) > 0
    if table.flip3_immediate:
        if played == 0:
            code = IMMEDIATE_0[place]
        elif played == 1:
            code = IMMEDIATE_1[place]
        elif played == 2:
            code = IMMEDIATE_2[place]
        else:
            code = IMMEDIATE_3[place]
        return is_hit(me, IMMEDIATE_MASKS, code)
    if played == 0:
        code = DEFERRED_0[place]
    elif played == 1:
        code = DEFERRED_1[place]
    elif played == 2:
        code = DEFERRED_2[place]
    else:
        code = DEFERRED_3[place]
    return is_hit(me, DEFERRED_MASKS, code)
