"""Many games: blocks of seatings, and what is counted of them, as integers that merge by addition.

Block b is the games with numbers b * players .. b * players + players - 1. The members of a line-up sit in an order
that is drawn for the block, and move on by one seat from game to game: within a block everyone plays every seat,
counted from the first dealer, once (B3). A line-up plays blocks from a first one on: line-ups that begin with the same
block play the same deals.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from flip7sim.codes import MAX_PARAMETERS, Stop
from flip7sim.engine.game import begin_game, play_game
from flip7sim.engine.records import PARAMETERS, inline, outline, seat_at, store_float, substitute_at
from flip7sim.engine.stream import (
    GAMMA,
    game_key,
    mix,
    scale,
    stream_of,
)
from flip7sim.engine.substitutes import MAX_SUBSTITUTES, tally_again
from flip7sim.randomness import DEALER_PURPOSE, SEATING_PURPOSE

#: What is counted of a seat in a game, in this order. `rank2` is twice the rank: 2 for the winner; those who end level
#: share the mean of their ranks.
QUANTITIES = ("games", "wins", "rank2", "rounds", "score", "busts", "flip7s")
GAMES, WINS, RANK2, ROUNDS, SCORE, BUSTS, FLIP7S = range(len(QUANTITIES))
SIZE = len(QUANTITIES)
#: In sums over all line-ups, moreover: the luck of the seat, and that of all others at the table (see `engine.luck`).
LUCK, RIVALS_LUCK, WIDTH = SIZE, SIZE + 1, SIZE + 2
#: In the counts by strategy and seat, which are of games and wins otherwise.
UNFINISHED = 2
#: And of a game: the rest is in the seats.
GAME_QUANTITIES = ("games", "unfinished", "rounds", "cards")
GAME_SIZE = len(GAME_QUANTITIES)
#: What is said of a seat in a game, in this order, if it is asked for: line-up and strategy by number from 0, seat by
#: number clockwise, position from the first dealer (0: the dealer's left); rank2 as above.
LOG = (
    *("line_up", "game", "seat", "position", "strategy", "total", "rank2", "win"),
    *("rounds", "points", "busts", "flip7s", "unfinished"),
)
LOG_SIZE = len(LOG)
FAULT = int(Stop.FAULT)
#: More than any total.
ABOVE_ALL = 1 << 40
#: With more strategies it is not counted who ended above whom: it would take too much memory.
MAX_PAIRED = 200

Ints = npt.NDArray[np.int64]


class Work(NamedTuple):
    """What is played.

    Attributes
    ----------
    games : int64 array (lineups,)
        How many games each line-up has in all; a block may be cut short by it.
    lineups : int64 array (lineups, players)
        The strategies of each line-up.
    firsts : int64 array (lineups,)
        The first block of each line-up.
    entries : uint64 array (strategies,)
        How each strategy is asked.
    parameters : float64 array (strategies, MAX_PARAMETERS)
        And with which parameters.
    totals : int64 array (players,)
        What each member of a line-up begins a game with.
    followers : int64 array (lineups,)
        For each line-up a later one that differs from it in the first member only, and plays the same deals; or -1.
    """

    games: Ints
    lineups: Ints
    firsts: Ints
    entries: npt.NDArray[np.uint64]
    parameters: npt.NDArray[np.float64]
    totals: Ints
    followers: Ints


class Sheet(NamedTuple):
    """Where it is counted; all are sums, so that sheets of different blocks merge by addition.

    Attributes
    ----------
    lineups : int64 array (lineups, players, SIZE)
        Counts by line-up and member.
    games : int64 array (lineups, GAME_SIZE)
        Counts of games by line-up.
    seats : int64 array (strategies, players, 3)
        Games, wins and unfinished games by strategy and seat from the first dealer (0: the dealer's left).
    pairs : int64 array (strategies, strategies)
        How often one ended above another at the same table: 2 for each time, 1 if they ended level. Empty with more
        than `MAX_PAIRED` strategies.
    sums : int64 array (strategies + players + 1, WIDTH)
        Counts over all line-ups: by strategy, with luck in points by `LUCK_SCALE`; then games and wins by seat from the
        first dealer; then `GAME_QUANTITIES` of all games.
    moments : int64 array (strategies + players + 1, SIZE, SIZE)
        For each such row the sums of products of a block's counts (lower triangle).
    """

    lineups: Ints
    games: Ints
    seats: Ints
    pairs: Ints
    sums: Ints
    moments: Ints

    @classmethod
    def empty(cls, strategies: int, lineups: int, players: int) -> "Sheet":
        """Nothing counted yet."""
        rows = strategies + players + 1
        paired = strategies if strategies <= MAX_PAIRED else 0
        shapes = (
            *((lineups, players, SIZE), (lineups, GAME_SIZE), (strategies, players, 3), (paired, paired)),
            *((rows, WIDTH), (rows, SIZE, SIZE)),
        )
        return cls(*(np.zeros(shape, np.int64) for shape in shapes))


@outline
def seating(seed, block, players, order):
    """Draw the order in which the members of a line-up sit in a block, into `order`; return the first dealer (B3)."""
    key = game_key(seed, block * players)
    stream = stream_of(key, SEATING_PURPOSE)
    for place in range(players):
        order[place] = place
    for left in range(players, 1, -1):
        stream += GAMMA
        place = scale(mix(stream), left)
        order[place], order[left - 1] = order[left - 1], order[place]
    return scale(mix(stream_of(key, DEALER_PURPOSE)), players)


@inline
def seat_after(seat, steps, players):
    """The seat so many steps clockwise, less than once around."""
    return seat + steps if seat + steps < players else seat + steps - players


@inline
def position_of(seat, dealer, players):
    """Where a seat sits from the first dealer: 0 is the dealer's left."""
    return seat - dealer - 1 if seat > dealer else seat - dealer - 1 + players


@inline
def sit(me, strategy, work):
    """Put a strategy on a seat."""
    me.strategy = strategy
    me.entry = work.entries[strategy]
    for place in range(MAX_PARAMETERS):
        store_float(me, PARAMETERS, place, work.parameters[strategy, place])


@inline
def rank2(table, seat):
    """Twice the rank of a seat at the end of a game."""
    if seat == table.winner:
        return 2
    total = seat_at(table, seat).total
    twice = 2
    for other in range(table.players):
        if other == table.winner:
            twice += 2
        elif other != seat:
            rival = seat_at(table, other).total
            twice += 2 * (rival > total) + (rival == total)
    return twice


@inline
def count_seat(table, seat, members, member):
    """Add what a seat did in a game to the counts of a member of the line-up."""
    me = seat_at(table, seat)
    members[member, GAMES] += 1
    members[member, WINS] += seat == table.winner
    members[member, RANK2] += rank2(table, seat)
    members[member, ROUNDS] += me.rounds
    members[member, SCORE] += me.points
    members[member, BUSTS] += me.busts
    members[member, FLIP7S] += me.flip7s


@inline
def count_game(table, counts, row):
    """Add a game to the counts in a row, as `GAME_QUANTITIES`."""
    counts[row, 0] += 1
    counts[row, 1] += table.unfinished
    counts[row, 2] += table.round_number
    counts[row, 3] += table.cards


@inline
def add_moments(rows, row, sums, moments):
    """Add one block's counts to the sums, and their products to the second moments; clear them."""
    for first in range(SIZE):
        sums[row, first] += rows[row, first]
        for second in range(first + 1):
            moments[row, first, second] += rows[row, first] * rows[row, second]
    for place in range(SIZE, WIDTH):
        sums[row, place] += rows[row, place]
    for place in range(WIDTH):
        rows[row, place] = 0


@inline
def count_pairs(table, seats, members, places, pairs):
    """Count who ended above whom: the winner above all, the others by their totals.

    Without a branch: which way two seats ended cannot be predicted. `places` is scratch.
    """
    for member in range(table.players):
        places[member] = seat_at(table, seats[member]).total
        if seats[member] == table.winner:
            places[member] = ABOVE_ALL
    for first in range(table.players):
        for second in range(first):
            ahead = places[first] - places[second]
            points = 1 + (ahead > 0) - (ahead < 0)
            pairs[members[first], members[second]] += points
            pairs[members[second], members[first]] += 2 - points


@outline
def log_seat(table, seat, lineup, dealer, log, row):
    """Write what a seat did in a game into a row of the log, as `LOG`."""
    me = seat_at(table, seat)
    log[row, 0] = lineup
    log[row, 1] = table.game
    log[row, 2] = seat
    log[row, 3] = position_of(seat, dealer, table.players)
    log[row, 4] = me.strategy
    log[row, 5] = me.total
    log[row, 6] = rank2(table, seat)
    log[row, 7] = seat == table.winner
    log[row, 8] = me.rounds
    log[row, 9] = me.points
    log[row, 10] = me.busts
    log[row, 11] = me.flip7s
    log[row, 12] = table.unfinished


@inline
def count_table(table, lineup, seats, dealer, work, sheet, rows, places):
    """Count a game of a line-up: in the sheet, and in the rows of this block. `places` is scratch."""
    strategies, everything = work.entries.size, rows.shape[0] - 1
    luck = 0
    for seat in range(table.players):
        luck += seat_at(table, seat).luck
    for member in range(table.players):
        seat, strategy = seats[member], work.lineups[lineup, member]
        count_seat(table, seat, sheet.lineups[lineup], member)
        count_seat(table, seat, rows, strategy)
        rows[strategy, LUCK] += seat_at(table, seat).luck
        rows[strategy, RIVALS_LUCK] += luck - seat_at(table, seat).luck
        position = position_of(seat, dealer, table.players)
        rows[strategies + position, GAMES] += 1
        rows[strategies + position, WINS] += seat == table.winner
        sheet.seats[strategy, position, GAMES] += 1
        sheet.seats[strategy, position, WINS] += seat == table.winner
        sheet.seats[strategy, position, UNFINISHED] += table.unfinished
    if sheet.pairs.size:
        count_pairs(table, seats, work.lineups[lineup], places, sheet.pairs)
    count_game(table, sheet.games, lineup)
    count_game(table, rows, everything)


@inline
def play_blocks(table, seed, first, blocks, work, sheet, log, play_round, clear_table, ask, tell):
    """Play blocks `first` .. `first + blocks - 1` of every line-up.

    A game that line-ups after this one would play alike is played once, and counted for all of them (see
    `engine.substitutes`), unless it is to be logged.

    Parameters
    ----------
    table : TABLE record
        With its rules set; scratch otherwise.
    seed, first, blocks : int64
        Which games: blocks are counted from the first of each line-up.
    work : Work
        What is played.
    sheet : Sheet
        Where it is counted.
    log : int64 array (seats, LOG_SIZE)
        Where it is said what each seat did, game by game; with no rows it is not.

    Returns
    -------
    int64
        How many games were counted. With `table.stop` a fault the game `table.game` was not.
    """
    games, lineups = work.games, work.lineups
    players = table.players
    order = np.zeros(players, np.int64)
    seats = np.zeros(players, np.int64)
    places = np.zeros(players, np.int64)
    rows = np.zeros((work.entries.size + players + 1, WIDTH), np.int64)
    counted = np.zeros((games.size, players), np.int64)
    total = 0
    for block in range(first, first + blocks):
        for lineup in range(games.size):
            left = min(players, games[lineup] - block * players)
            if left <= 0:
                continue
            number = work.firsts[lineup] + block
            dealer = seating(seed, number, players, order)
            for turn in range(left):
                if counted[lineup, turn]:
                    counted[lineup, turn] = 0
                    continue
                for member in range(players):
                    seats[member] = seat_after(order[member], turn, players)
                    sit(seat_at(table, seats[member]), lineups[lineup, member], work)
                    seat_at(table, seats[member]).total = work.totals[member]
                begin_game(table, seed, number * players + turn, dealer, tell)
                table.scored = 0
                table.alike = 0
                table.replaced = seats[0]
                other = work.followers[lineup]
                while log.size == 0 and other >= 0 and table.alike < MAX_SUBSTITUTES:
                    if games[other] - block * players <= turn:
                        break
                    substitute = substitute_at(table, table.alike)
                    sit(substitute, lineups[other, 0], work)
                    substitute.stream = seat_at(table, seats[0]).stream
                    table.alike += 1
                    other = work.followers[other]
                play_game(table, play_round, clear_table, ask, tell)
                if table.stop == FAULT:
                    return total
                if log.size:
                    for seat in range(players):
                        log_seat(table, seat, lineup, dealer, log, total * players + seat)
                other = lineup
                for place in range(table.alike + 1):
                    if place:
                        other = work.followers[other]
                        seat_at(table, seats[0]).strategy = lineups[other, 0]
                        tally_again(table)
                        counted[other, turn] = 1
                    count_table(table, other, seats, dealer, work, sheet, rows, places)
                    total += 1
        for row in range(rows.shape[0]):
            add_moments(rows, row, sheet.sums, sheet.moments)
    return total
