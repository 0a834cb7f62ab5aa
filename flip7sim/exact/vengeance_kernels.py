"""The steps of the dynamic programme of With A Vengeance, backward and forward.

Arrays have a row for each line (`vengeance_lines.VengeanceLines`) and a column for each set of modifiers that came
since the round, or the Unlucky 7, began, and in the latter case of those that were wiped.
"""

from typing import Any, NamedTuple

import numba as nb
import numpy as np

from flip7sim.exact.vengeance_decks import MODIFIERS
from flip7sim.exact.vengeance_lines import BUST, FLIP7, KINDS, VALUES

__all__ = ["ENDS", "Cards", "Grid", "Sets", "bounds", "spread", "values"]

#: How a round ends, and how many decisions were taken: places in an array of chances.
ENDS = ("bust", "flip7", "frozen", "stayed", "decisions")
BUSTED, MADE, STAYED, DECISIONS = 0, 1, 3, 4
#: What rounding can do to a value, and far more.
MARGIN = 1e-9


class Grid(NamedTuple):
    """The arrays of lines that the kernels read."""

    keys: Any
    totals: Any
    counts: Any
    cards: Any
    forced: Any
    after: Any


class Sets(NamedTuple):
    """What columns stand for.

    The column that each modifier leads to, a later one, or -1; what the minus cards add up to, 1 with a /2, and how
    many modifiers have come.
    """

    up: Any
    minus: Any
    halved: Any
    gone: Any


class Cards(NamedTuple):
    """What is left at the first line, its own cards not counted.

    How many of each kind of number, how many Unlucky 7, how many cards in all. `begun` is 0 if at the first line,
    without a modifier, nothing is in front of the seat; else 1, for the Unlucky 7.
    """

    copies: Any
    unlucky: int
    size: int
    begun: int


_jit = nb.njit(error_model="numpy", nogil=True, cache=True)
_inline = nb.njit(error_model="numpy", nogil=True, forceinline=True)


@_inline
def points(total, column, sets):
    """Points for a line that adds up to `total`, The Zero apart, with the modifiers of a column (V44)."""
    score = (total >> sets.halved[column]) - sets.minus[column]
    return score if score > 0 else 0


@_inline
def must_hit(line, column, cards, grid):
    """Whether there is no choice: with The Zero (V36), or with nothing in front."""
    return grid.forced[line] == 1 or (line == 0 and column == 0 and cards.begun == 0)


@_inline
def can_come(key, copies):
    """Whether the deck holds the cards of a line."""
    possible = True
    for kind in range(KINDS):
        possible &= (key >> kind) & 1 == 0 or copies[kind] > 0
    return possible


@_inline
def worth_of(line, kind, column, values, grid, sets, bonus):
    """What a hand is worth after a number card has come to it."""
    to = grid.after[line, kind]
    if to == BUST:
        return 0.0
    if to == FLIP7:
        return float(points(grid.totals[line] + VALUES[kind], column, sets) + bonus)
    return values[to, column]


@_jit
def bounds(out, live, copies, grid, sets, bonus):
    """What every hand can be worth at most after any wipe, whatever it took out of the deck, and where one may hit.

    A wipe takes one card at most of each kind (V37): here the one that comes next is drawn as if the cards that are
    worst for it had been wiped, at each hand anew.

    Parameters
    ----------
    out : float64 array (lines, columns)
        Gets the bounds.
    live : bool array (lines, columns)
        Gets whether there can be a wipe after which the best player comes to the hand, and hits.
    copies : int64 array (KINDS,)
        How many cards of each kind of number a fresh deck holds.
    """
    columns = out.shape[1]
    for line in range(out.shape[0] - 1, -1, -1):
        for column in range(columns - 1, -1, -1):
            stay = 0 if grid.forced[line] else points(grid.totals[line], column, sets)
            # The best average over all decks: leaving out what is below an average makes a better one.
            value = -1.0
            better = 0.0
            while better > value:
                value = better
                total, weights = 0.0, 0
                for kind in range(KINDS):
                    weight = copies[kind] - ((grid.keys[line] >> kind) & 1)
                    worth = worth_of(line, kind, column, out, grid, sets, bonus)
                    weight -= 1 if worth < value else 0
                    if weight > 0:
                        total += weight * worth
                        weights += weight
                for bit in range(MODIFIERS):
                    to = sets.up[column, bit]
                    if to >= 0 and out[line, to] >= value:
                        total += out[line, to]
                        weights += 1
                better = total / weights if weights > 0 else 0.0
            live[line, column] = grid.forced[line] == 1 or value > stay - MARGIN
            out[line, column] = max(value, stay)
    reached = np.zeros(out.shape, np.bool_)
    reached[0, 0] = True
    for line in range(out.shape[0]):
        for column in range(columns):
            live[line, column] &= reached[line, column]
            if live[line, column]:
                for bit in range(MODIFIERS):
                    if sets.up[column, bit] >= 0:
                        reached[line, sets.up[column, bit]] = True
                for kind in range(KINDS):
                    if grid.after[line, kind] >= 0:
                        reached[grid.after[line, kind], column] = True


@_jit
def values(out, hits, best, live, wiped, cards, grid, sets, bonus):
    """What every hand is worth on average.

    Parameters
    ----------
    out : float64 array (lines, columns)
        Gets the values.
    hits : uint8 array (lines, columns)
        The decisions, 1 for a hit; with `best` it gets the best ones.
    best : bool
        Whether to find the best.
    live : bool array (lines,)
        Where to look: at other lines the best player stays, or does not come to them.
    wiped : float64 array (lines, columns)
        What it is worth if the Unlucky 7 comes.
    """
    columns = out.shape[1]
    for line in range(out.shape[0] - 1, -1, -1):
        row = out[line]
        if not live[line] or not can_come(grid.keys[line], cards.copies):
            for column in range(columns):
                row[column] = points(grid.totals[line], column, sets)
            continue
        for column in range(columns):
            row[column] = wiped[line, column] if cards.unlucky else 0.0
        for kind in range(KINDS):
            weight = cards.copies[kind] - ((grid.keys[line] >> kind) & 1)
            to = grid.after[line, kind]
            if weight <= 0 or to == BUST:
                continue
            if to == FLIP7:
                for column in range(columns):
                    row[column] += weight * (points(grid.totals[line] + VALUES[kind], column, sets) + bonus)
            else:
                other = out[to]
                for column in range(columns):
                    row[column] += weight * other[column]
        # A column has fewer cards than those that its modifiers lead to.
        for column in range(columns - 1, -1, -1):
            value = row[column]
            for bit in range(MODIFIERS):
                if sets.up[column, bit] >= 0:
                    value += row[sets.up[column, bit]]
            left = cards.size - (grid.cards[line] - cards.begun) - sets.gone[column]
            stay = 0 if grid.forced[line] else points(grid.totals[line], column, sets)
            if left <= 0:
                row[column] = stay
                continue
            value /= left
            if best:
                hits[line, column] = value > stay
            row[column] = value if must_hit(line, column, cards, grid) or hits[line, column] else stay


@_jit
def spread(chances, hits, wiped, cards, grid, sets, bonus, phase, scores, ends, visits):
    """Follow every hand to its end, by given decisions.

    Parameters
    ----------
    chances : float64 array (lines, columns)
        How likely each hand comes about: the first line's on entry, all on return.
    hits : uint8 array (lines, columns)
        The decisions, 1 for a hit.
    wiped : float64 array (lines, columns)
        Gets how likely it is that the Unlucky 7 comes to each hand.
    phase : int64
        1 after an Unlucky 7.
    scores, ends, visits : float64 arrays
        What comes of it is added to these: as in `flip7sim.exact.distribution`.
    """
    parts = np.empty(chances.shape[1])
    for line in range(chances.shape[0]):
        row = chances[line]
        together = 0.0
        for column in range(len(row)):
            chance = row[column]
            parts[column] = 0.0
            if chance == 0.0:
                continue
            left = cards.size - (grid.cards[line] - cards.begun) - sets.gone[column]
            stay = 0 if grid.forced[line] else points(grid.totals[line], column, sets)
            if left > 0 and not must_hit(line, column, cards, grid):
                hit = hits[line, column]
                ends[DECISIONS] += chance
                visits[grid.counts[line], phase, sets.halved[column], stay, hit] += chance
            else:
                hit = 1 if left > 0 else 0
            if hit == 0:
                ends[STAYED] += chance
                scores[stay] += chance
                continue
            part = chance / left
            parts[column] = part
            together += part
            if cards.unlucky:
                wiped[line, column] += part
            for bit in range(MODIFIERS):
                if sets.up[column, bit] >= 0:
                    row[sets.up[column, bit]] += part
        if together == 0.0:
            continue
        for kind in range(KINDS):
            weight = cards.copies[kind] - ((grid.keys[line] >> kind) & 1)
            to = grid.after[line, kind]
            if weight <= 0:
                continue
            if to == BUST:
                ends[BUSTED] += weight * together
                scores[0] += weight * together
            elif to == FLIP7:
                ends[MADE] += weight * together
                for column in range(len(row)):
                    total = points(grid.totals[line] + VALUES[kind], column, sets) + bonus
                    scores[total] += weight * parts[column]
            else:
                other = chances[to]
                for column in range(len(row)):
                    other[column] += weight * parts[column]
