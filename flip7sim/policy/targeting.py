"""Whom an action goes to: the targeting rules that every strategy can be given by name.

All look at the seats in `table.legal`, in clockwise order from the one that chooses, and take the first of the best.

In Vengeance modifiers, Just One More and Flip Four are given by the same rules. A Swap, a Steal or a Discard is a gift
to the seat that resolves it: a strategy plays it on itself if some cards are then to its good, else by its rule. Which
cards it names is the same under all rules: those that bring it most, less what they bring the seat that has them. And
it takes the bonus of a Flip 7 for itself (V46).
"""

from flip7sim.codes import Question
from flip7sim.engine.records import inline, lowest_bit, outline, seat_at
from flip7sim.policy.vengeance import best_cards, gain_of_dropping, gain_of_taking
from flip7sim.policy.view import uniform

__all__ = ["TARGETING", "aim"]

#: Freeze and Flip Three go to ...                                An extra Second Chance goes to ...
#: leader: the other seat with the highest total                  the first seat that may have it
#: self: the seat itself, if it is active, else as leader         the first seat that may have it
#: random: any other seat                                         any seat that may have it
#: weakest: the other seat with the lowest total                  the seat with the lowest total
#: most-to-lose: the other seat with the highest round score      the first seat that may have it
TARGETING = ("leader", "self", "random", "weakest", "most-to-lose")
LEADER, SELF, RANDOM, WEAKEST, MOST_TO_LOSE = range(5)
SECOND_CHANCE, SWAP, DISCARD = int(Question.SECOND_CHANCE), int(Question.SWAP), int(Question.DISCARD)
STEAL, EXCHANGE, BONUS = int(Question.STEAL), int(Question.EXCHANGE), int(Question.BONUS)


@outline
def gains_by(me, table, question):
    """Whether a Swap, Steal or Discard is good for the seat that plays it on itself; a Swap is, with a card to give."""
    if question == SWAP:
        return me.kinds != 0
    seats = table.standing if table.stayed_are_targets else table.active
    for seat in range(table.players):
        if (seats >> seat) & 1 and (seat != me.index or question != STEAL):
            other = seat_at(table, seat)
            cards = other.kinds
            while cards:
                card = lowest_bit(cards)
                cards &= cards - 1
                taking = question == STEAL
                gain = gain_of_taking(me, other, table, card) if taking else gain_of_dropping(me, other, table, card)
                if gain > 0:
                    return True
    return False


@inline
def aim(me, table, question, rule):
    """The seat that an action goes to under a targeting rule.

    Parameters
    ----------
    me, table : records
        The seat that chooses, and its table; `table.legal` holds the seats it may choose from.
    question : int64
        Which action (`Question`).
    rule : int64
        Position of the rule in `TARGETING`.

    Returns
    -------
    int64
        A legal seat: the chooser itself only under `self`, or when nobody else is left, or where it gains by it; a
        place or two where cards are named (see `flip7sim.policy.vengeance`).
    """
    if question >= SWAP:
        if question >= BONUS:
            return me.index
        if question >= EXCHANGE:
            return best_cards(me, table, question, table.legal)[1]
        if (table.legal >> me.index) & 1 and gains_by(me, table, question):
            return me.index
    if rule == SELF and question != SECOND_CHANCE and (table.legal >> me.index) & 1:
        return me.index
    best = -1.0e18
    target = me.index
    seat = me.index
    for _ in range(table.players - 1):
        seat = seat + 1 if seat + 1 < table.players else 0
        if (table.legal >> seat) & 1 == 0:
            continue
        other = seat_at(table, seat)
        value = 0.0
        if rule == RANDOM:
            value = uniform(me)
        elif rule == WEAKEST:
            value = -1.0 * other.total
        elif question != SECOND_CHANCE:
            value = 1.0 * (other.score if rule == MOST_TO_LOSE else other.total)
        if value > best:
            best = value
            target = seat
    return target
