"""The two functions that travel with a table: who answers (`ask`) and who listens (`tell`)."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload, register_jitable

from flip7sim.codes import HALT, MISFIT, NO_CARD, NOBODY, RAISED, Event, Question
from flip7sim.engine.piles import settle
from flip7sim.engine.records import (
    DRAW_PILE,
    JIT,
    RACE_ROUNDS,
    SEAT_TYPE,
    TABLE_TYPE,
    inline,
    load8,
    load64,
    lowest_bit,
    outline,
    seat_at,
    store64,
)

SCORE, SHUFFLE, PENALTY = int(Event.SCORE), int(Event.SHUFFLE), int(Event.PENALTY)
EXCHANGE, DROP = int(Question.EXCHANGE), int(Question.DROP)

#: Rows of the log beside events: a question (this and its code) with its answer, and a card of a new draw pile.
LOG_QUESTION = 100
LOG_CARD = 200
#: And a card that may be named at the question before it.
LOG_PLACE = 300
#: A row of the log: event, seat, value, and for a question the seats that were legal and the card to be given.
LOG_COLUMNS = 5
#: A line of a script (`table.Line`): seat, question, answer, card.
SCRIPT_COLUMNS = 4

#: What every compiled entry of a strategy looks like: (me, table, question) -> answer.
ENTRY_SIGNATURE = types.int64(SEAT_TYPE, TABLE_TYPE, types.int64)


@intrinsic
def _call_entry(typingctx: Any, address: Any, me: Any, table: Any, question: Any) -> Any:
    """Call the compiled function at `address`; what it raises goes on to the caller."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = ENTRY_SIGNATURE.args
        convention = context.call_conv
        kind = convention.get_function_type(types.int64, kinds)
        entry = builder.inttoptr(args[0], ir.PointerType(kind))
        status, answer = convention.call_function(builder, entry, types.int64, kinds, args[1:])
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return answer

    return types.int64(types.uint64, *ENTRY_SIGNATURE.args), codegen


def answer_of(answer: Any) -> int:
    """The answer of a strategy's function as an integer; anything but a bool or an int cannot be compiled."""
    return int(answer)


@overload(answer_of, jit_options={"forceinline": True})
def _answer_of(answer):  # no annotations: numba compares the heads of the two functions
    if not isinstance(answer, types.Boolean | types.Integer):
        raise TypingError(f"a strategy must answer with a bool or an int, not {answer}")
    return lambda answer: np.int64(answer)


#: Functions that travel with a table. Unlike a dispatcher, such a function has no run-time value: passing it on costs
#: nothing, and leaves no address behind that would keep a kernel from being cached.
hook = register_jitable(forceinline=True, error_model="numpy", nogil=True)

#: Without the JIT there are no addresses: a seat's entry is a place in this list.
PYTHON_ENTRIES: list[Any] = []

if JIT:

    @hook
    def ask_entry(me, table, question):
        """Ask the strategy of the seat through the address of its compiled entry."""
        return _call_entry(me.entry, me, table, question)

else:

    def ask_entry(me, table, question):
        """Ask the strategy of the seat."""
        return PYTHON_ENTRIES[int(me.entry)](me, table, question)


@inline
def race_round(table):
    """The round in play, as the race counts it: all late ones as one."""
    return min(table.round_number, RACE_ROUNDS)


@inline
def race_place(strategy, number):
    """Where the race counts round `number` of a strategy: rounds, then points."""
    return 2 * (strategy * RACE_ROUNDS + number - 1)


@hook
def tally(table, event, seat, value):
    """Count the round scores, and rounds and points by the number of the round; hear nothing else."""
    tally_in(table, event, seat, value, race_round(table))


@hook
def tally_in(table, event, seat, value, number):
    """Count what was heard in round `number`."""
    if event == SCORE:
        strategy = seat_at(table, seat).strategy
        place = strategy * table.histogram_width + value - table.histogram_low
        store64(table.histogram, 0, place, load64(table.histogram, 0, place) + 1)
        place = race_place(strategy, number)
        store64(table.race, 0, place, load64(table.race, 0, place) + 1)
        store64(table.race, 0, place + 1, load64(table.race, 0, place + 1) + value)
    elif event == PENALTY:
        place = race_place(seat_at(table, seat).strategy, number)
        store64(table.race, 0, place + 1, load64(table.race, 0, place + 1) - value)


@outline
def note(table, event, seat, value, legal, card):
    """Write a row of the log, if there is room; rows are counted in any case."""
    if table.logged < table.log_size:
        place = table.logged * LOG_COLUMNS
        store64(table.log, 0, place, event)
        store64(table.log, 0, place + 1, seat)
        store64(table.log, 0, place + 2, value)
        store64(table.log, 0, place + 3, legal)
        store64(table.log, 0, place + 4, card)
    table.logged += 1


@hook
def record(table, event, seat, value):
    """Write everything that happens to the log, and the order of each new draw pile."""
    note(table, event, seat, value, 0, NO_CARD)
    if event == SHUFFLE:
        settle(table)
        for place in range(table.draw_left):
            note(table, LOG_CARD, NOBODY, load8(table, DRAW_PILE, table.draw_left - 1 - place), 0, NO_CARD)


@outline
def note_places(table):
    """Write all cards that may be named to the log."""
    for seat in range(table.players):
        if (table.legal >> seat) & 1:
            kinds = seat_at(table, seat).kinds
            while kinds:
                note(table, LOG_PLACE, seat, lowest_bit(kinds), 0, NO_CARD)
                kinds &= kinds - 1


@hook
def ask_recorded(me, table, question):
    """Ask the strategy of the seat, and write question and answer to the log: the question first, lest it raise."""
    row = table.logged
    note(table, LOG_QUESTION + question, me.index, RAISED, table.legal, table.card)
    if question >= EXCHANGE and question <= DROP:
        note_places(table)
    answer = ask_entry(me, table, question)
    if row < table.log_size:
        store64(table.log, 0, row * LOG_COLUMNS + 2, answer)
    return answer


@inline
def read_script(me, table, question):
    """The entry of a seat that follows a script: the next line's answer, if the line is for it and for the question."""
    if table.scripted >= table.script_size:
        return HALT
    place = table.scripted * SCRIPT_COLUMNS
    if load64(table.script, 0, place) != me.index or load64(table.script, 0, place + 1) != question:
        return MISFIT
    if load64(table.script, 0, place + 3) != table.card:
        return MISFIT
    table.scripted += 1
    return load64(table.script, 0, place + 2)
