"""What a strategy does alone at a table: its decision for every hand that a fresh deck can give it.

The exact solver evaluates strategies by these tables of decisions. The seat is the only one, in its first round, with
no points; what it sees of the deck is what it has drawn itself.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from flip7sim.cards import FLIP_THREE, FREEZE, NUMBERS, PLUS_TWO, SECOND_CHANCE, TIMES_TWO
from flip7sim.codes import NOBODY
from flip7sim.engine.hooks import ask_entry
from flip7sim.engine.records import JIT, UNSEEN, new_table, seat_at, store64
from flip7sim.errors import Flip7Error
from flip7sim.policy.entries import entry_of
from flip7sim.policy.registry import Entrant

__all__ = ["decisions"]

MODIFIERS = TIMES_TWO - PLUS_TWO + 1
#: Lines that are gone through in one go.
CHUNK = 1 << 13


def _decide_all(table, out, first, last, sets, bits, counts, totals, held, seen, cards, left, modifiers, actions):
    """Ask hit or stay at the lines from `first` to before `last`, with every set of modifiers of `sets`, into `out`."""
    me = seat_at(table, 0)
    for line in range(first, last):
        for number in range(NUMBERS):
            store64(table, UNSEEN, number, left[line, number])
        store64(table, UNSEEN, SECOND_CHANCE, actions[0] - seen[line])
        store64(table, UNSEEN, FREEZE, actions[1])
        store64(table, UNSEEN, FLIP_THREE, actions[2])
        me.numbers = bits[line]
        me.count = counts[line]
        me.line_sum = totals[line]
        me.second_chance = held[line]
        for column in range(len(sets)):
            plus = 0
            kinds = 0
            taken = 0
            for modifier in range(MODIFIERS):
                has = (sets[column] >> modifier) & 1
                store64(table, UNSEEN, PLUS_TWO + modifier, ((modifiers >> modifier) & 1) - has)
                kinds |= has << (4 * modifier)
                taken += has
                if modifier < MODIFIERS - 1:
                    plus += has * 2 * (modifier + 1)
            me.modifiers = kinds
            me.plus = plus
            me.doubled = sets[column] >> (MODIFIERS - 1)
            drawn = cards[line] + taken + actions[3]
            table.draw_left = table.deck_size - drawn
            table.taken = drawn
            me.score = (totals[line] << me.doubled) + plus
            answer = ask_entry(me, table, 0)
            out[line, column] = 2 if answer < 0 or answer > 1 else answer


@cache
def _kernel() -> Any:
    import numba as nb

    return nb.njit(_decide_all, error_model="numpy", nogil=True) if JIT else _decide_all


def decisions(
    entrant: Entrant,
    lines: Any,
    numbers: tuple[int, ...],
    modifiers: int,
    actions: tuple[int, int, int],
    played: int,
    size: int,
    bonus: int,
    sets: npt.NDArray[np.int64],
    immediate: bool = False,
    jobs: int = 1,
) -> npt.NDArray[np.uint8]:
    """The decision of a strategy for every hand.

    Parameters
    ----------
    entrant : Entrant
        The strategy.
    lines : Lines
        Lines as in `flip7sim.exact.lines`: arrays `bits`, `count`, `total`, `held`, `seen`, `cards`, `left`.
    numbers, modifiers, actions
        What a fresh deck holds: cards of each number, modifiers as bits, and Second Chances, Freezes, Flip Threes.
    played : int
        Flip Threes that have been played in this round.
    size, bonus : int
        How many numbers make a Flip 7, and what it adds.
    sets : int64 array
        Sets of modifiers, as bits.
    immediate : bool
        Whether a Second Chance in a Flip Three can be used at once (B18).
    jobs : int
        Threads.

    Returns
    -------
    uint8 array (lines, sets)
        1: hit, 0: stay.

    Raises
    ------
    Flip7Error
        If the strategy cannot be compiled, or its answer is not a function of what it sees.
    """
    kernel, entry = _kernel(), entry_of(entrant.strategy)
    arrays = (lines.bits, lines.count, lines.total, lines.held, lines.seen, lines.cards, lines.left)
    left_actions = np.array([actions[0], actions[1], actions[2] - played, played])

    def ask(stream: int, out: npt.NDArray[np.uint8], first: int, last: int) -> None:
        table = new_table()
        table.players, table.active, table.round_number = 1, 1, 1
        table.target_score, table.flip7_size, table.flip7_bonus = 200, size, bonus
        table.flip3_immediate = immediate
        table.winner = table.flip7 = table.asked = NOBODY
        for kind, count in (*enumerate(numbers), (SECOND_CHANCE, actions[0]), (FREEZE, actions[1])):
            table.fresh[kind] = count
        table.fresh[FLIP_THREE] = actions[2]
        for modifier in range(MODIFIERS):
            table.fresh[PLUS_TWO + modifier] = modifiers >> modifier & 1
        table.deck_size = int(table.fresh.sum())
        seat = table.seats[0]
        seat.stream, seat.entry = np.uint64(stream), entry.address
        seat.parameters[: len(entrant.codes)] = entrant.codes
        kernel(table, out, first, last, sets, *arrays, modifiers, left_actions)

    found = []
    starts = range(0, len(lines.bits), CHUNK)
    with ThreadPoolExecutor(jobs) as pool:
        for stream in (1, 2):
            out = np.zeros((len(lines.bits), len(sets)), np.uint8)
            asking = [pool.submit(ask, stream, out, first, min(first + CHUNK, len(out))) for first in starts]
            for asked in asking:
                asked.result()
            found.append(out)
    if np.any(found[0] == 2):
        raise Flip7Error(f"strategy {entrant.label} gave an answer that is neither hit (1) nor stay (0)")
    if not np.array_equal(found[0], found[1]):
        raise Flip7Error(f"strategy {entrant.label} plays at random: only a function of the hand can be evaluated")
    return found[0]
