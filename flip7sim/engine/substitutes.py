"""Games that cannot differ are played once.

Line-ups that differ in one seat and play the same deals play the same game until the strategies of that seat differ in
an answer. So while it is played for one of them, the strategies of the next ones, the substitutes, are asked the same
questions on the quiet; those that never differ have played that game too.
"""

from flip7sim.codes import MAX_SUBSTITUTES, NOBODY, Event
from flip7sim.engine.hooks import ask_entry, hook, race_round, tally, tally_in
from flip7sim.engine.records import (
    copy_state,
    load64,
    outline,
    store64,
    substitute_at,
)
from flip7sim.engine.seats import SEAT_BITS, SEAT_MASK

__all__ = ["MAX_NOTED", "MAX_SUBSTITUTES", "ask_all", "tally_again", "tally_all"]

SCORE, PENALTY = int(Event.SCORE), int(Event.PENALTY)
#: Room for the round scores of a game; a longer one is played for each line-up.
MAX_NOTED = 1 << 14


@outline
def ask_substitutes(me, table, question, answer):
    """Ask the substitutes that are still alike, up to the first one that answers something else than `answer`."""
    for place in range(table.alike):
        other = substitute_at(table, place)
        copy_state(me, other)
        table.substitute = place
        if ask_entry(other, table, question) != answer:
            table.alike = place
            break
    table.substitute = NOBODY


@hook
def ask_all(me, table, question):
    """Ask the strategy of the seat, and the substitutes of that seat."""
    answer = ask_entry(me, table, question)
    if table.alike and me.index == table.replaced:
        ask_substitutes(me, table, question, answer)
    return answer


@hook
def tally_all(table, event, seat, value):
    """Count scores and penalties, and note them as long as they may have to be counted again."""
    tally(table, event, seat, value)
    if event in (SCORE, PENALTY) and table.alike:
        if table.scored == MAX_NOTED:
            table.alike = 0
            return
        noted = ((value << SEAT_BITS) + race_round(table) << SEAT_BITS) + seat
        store64(table.scores, 0, table.scored, (noted << 1) + (event == PENALTY))
        table.scored += 1


@outline
def tally_again(table):
    """Count scores and penalties of the game once more, for those who sit there now."""
    for place in range(table.scored):
        word = load64(table.scores, 0, place)
        event, noted = PENALTY if word & 1 else SCORE, word >> 1
        seat, number = noted & SEAT_MASK, (noted >> SEAT_BITS) & SEAT_MASK
        tally_in(table, event, seat, noted >> 2 * SEAT_BITS, number)
