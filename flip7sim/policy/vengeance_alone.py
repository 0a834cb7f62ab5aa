"""What a strategy does alone at a table of With A Vengeance: its decisions for every hand that can come up.

As in `flip7sim.policy.alone`, the seat is the only one, in its first round, with no points. After an Unlucky 7 it sees
on the discard pile what was wiped (V37).
"""

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from flip7sim.cards import HALF, MINUS_TWO, UNLUCKY_7
from flip7sim.codes import NOBODY
from flip7sim.engine.hooks import ask_entry
from flip7sim.engine.kernels import table_for
from flip7sim.engine.records import GONE, JIT, UNSEEN, load64, seat_at, store64
from flip7sim.errors import Flip7Error
from flip7sim.policy.entries import entry_of
from flip7sim.policy.registry import Entrant
from flip7sim.rules import Rules

__all__ = ["decisions_in_vengeance"]

MODIFIERS = HALF - MINUS_TWO + 1
KINDS = UNLUCKY_7
#: Instead of a decision: an answer that is none, and one that depends on chance.
WRONG, RANDOM = 2, 3


def _decide_all(table, out, reached, sets, keys, bits, counts, totals, cards, forced, after, copies, about):
    """Ask hit or stay wherever the seat comes to, from where it is `reached` to begin with, into `out`.

    `sets` are the modifiers held and wiped by column, and the column that each leads to; `about` how many cards there
    are at the first line, the modifiers in the deck, and how many number cards were wiped. Returns whether all answers
    were decisions of the hand.
    """
    me = seat_at(table, 0)
    begun = cards[0]
    columns, gone, up = sets
    size, modifiers, wiped = about
    for line in range(len(keys)):
        if not reached[line].any():
            continue
        key = np.int64(keys[line])
        me.line = 0
        for kind in range(KINDS):
            has = (key >> kind) & 1
            me.line += has << (4 * kind)
            store64(table, UNSEEN, kind, copies[kind] - has)
        me.line += (key >> KINDS) << (4 * KINDS)
        store64(table, UNSEEN, UNLUCKY_7, copies[UNLUCKY_7])
        me.numbers = bits[line]
        me.count = counts[line]
        me.line_sum = totals[line]
        for column in range(len(columns)):
            if not reached[line, column]:
                continue
            held = columns[column]
            left = size - (cards[line] - begun)
            me.modifiers = 0
            me.minus = 0
            table.discarded = wiped
            for bit in range(MODIFIERS):
                has = (held >> bit) & 1
                lost = (gone[column] >> bit) & 1
                me.modifiers += has << (4 * bit)
                me.minus += has * 2 * (bit + 1) if bit < MODIFIERS - 1 else 0
                left -= has + lost
                table.discarded += lost
                store64(table, GONE, MINUS_TWO + bit, lost)
                store64(table, UNSEEN, MINUS_TWO + bit, ((modifiers >> bit) & 1) - has - lost)
            me.halved = held >> (MODIFIERS - 1)
            me.kinds = key | (held << MINUS_TWO)
            score = (totals[line] >> me.halved) - me.minus
            me.score = 0 if forced[line] or score < 0 else score
            table.draw_left = left
            table.taken = table.deck_size - left
            if left == 0:
                continue
            answer = 1
            if not (forced[line] or (key == 0 and held == 0)):
                stream = me.stream
                answer = ask_entry(me, table, 0)
                if answer < 0 or answer > 1:
                    return WRONG
                if me.stream != stream:
                    me.stream = stream + np.uint64(1)
                    if ask_entry(me, table, 0) != answer:
                        return RANDOM
            out[line, column] = answer
            if answer == 0:
                continue
            for kind in range(KINDS):
                if after[line, kind] >= 0 and load64(table, UNSEEN, kind) > 0:
                    reached[after[line, kind], column] = True
            for bit in range(MODIFIERS):
                if up[column, bit] >= 0:
                    reached[line, up[column, bit]] = True
    return 0


@cache
def _kernel() -> Any:
    import numba as nb

    return nb.njit(_decide_all, error_model="numpy", nogil=True) if JIT else _decide_all


def decisions_in_vengeance(
    entrant: Entrant, rules: Rules, copies: tuple[int, ...], phase: Any
) -> npt.NDArray[np.uint8]:
    """The decisions of a strategy in a phase of a round.

    Parameters
    ----------
    entrant : Entrant
        The strategy.
    rules : Rules
        The rules.
    copies : tuple of int
        How many cards of each kind the deck holds, by code.
    phase : Phase
        As in `flip7sim.exact.vengeance_round`: its lines and columns, and what is left at the first line.

    Returns
    -------
    uint8 array (lines, columns)
        1: hit, 0: stay, or a hand that does not come up.

    Raises
    ------
    Flip7Error
        If the strategy cannot be compiled, or its answer is not a function of what it sees.
    """
    entry, lines = entry_of(entrant.strategy), phase.lines
    table = table_for(rules, 1, copies)
    table.active = table.standing = table.round_number = 1
    table.winner = table.flip7 = table.asked = NOBODY
    seat = table.seats[0]
    seat.stream, seat.entry = np.uint64(1), entry.address
    seat.parameters[: len(entrant.codes)] = entrant.codes
    for card in phase.wiped:
        table.gone[card] = 1
    out, reached = np.zeros(phase.shape, np.uint8), np.zeros(phase.shape, np.bool_)
    reached[0, phase.columns.starts] = True
    sets = (phase.columns.held, phase.columns.wiped, phase.columns.sets.up)
    arrays = (lines.keys, lines.bits, lines.count, lines.total, lines.cards, lines.forced, lines.after)
    about = (phase.size, phase.modifiers, len(phase.wiped))
    fault = _kernel()(table, out, reached, sets, *arrays, np.array(phase.copies), about)
    if fault == WRONG:
        raise Flip7Error(f"strategy {entrant.label} gave an answer that is neither hit (1) nor stay (0)")
    if fault == RANDOM:
        raise Flip7Error(f"strategy {entrant.label} plays at random: only a function of the hand can be evaluated")
    return out
