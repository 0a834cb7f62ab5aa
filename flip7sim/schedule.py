"""Line-ups: which strategies meet at a table, and how many games each line-up plays."""

import itertools
import math
import random
from collections.abc import Sequence

from flip7sim.codes import MAX_SEATS
from flip7sim.errors import Flip7Error

__all__ = ["MAX_LINEUPS", "check_players", "lineups_of", "share_games"]

#: So many line-ups are played at most; if there are more, a balanced sample of them is.
MAX_LINEUPS = 1000


def check_players(players: int) -> None:
    """Raise a Flip7Error unless a table can have so many seats (B2)."""
    if not 1 <= players <= MAX_SEATS:
        raise Flip7Error(f"players: {players} seats cannot be played; it must be from 1 to {MAX_SEATS}")


def lineups_of(labels: Sequence[str], players: int, most: int = MAX_LINEUPS) -> list[tuple[int, ...]]:
    """All line-ups of `players` seats in which every strategy sits as equally often as can be.

    With at least as many strategies as seats these are all combinations of distinct strategies. With fewer, each
    strategy takes players // strategies seats, and every combination of strategies takes the seats that are left.

    Parameters
    ----------
    labels : sequence of str
        The strategies; a line-up names them by position, in the order of their labels, so that it does not depend on
        the order in which they were given.
    players : int
        Seats at the table.
    most : int
        If there are more line-ups than this, a sample of about so many in which all strategies sit equally often.

    Returns
    -------
    list of tuple of int
    """
    check_players(players)
    order = sorted(range(len(labels)), key=lambda place: labels[place])
    if len(order) == players:
        return [tuple(order)]
    distinct = [place for rank, place in enumerate(order) if rank == 0 or labels[place] != labels[order[rank - 1]]]
    everyone, extra = divmod(players, len(distinct))
    if math.comb(len(distinct), extra) <= most:
        chosen = [set(pick) for pick in itertools.combinations(range(len(distinct)), extra)]
    else:
        chosen = _sample(len(distinct), extra, most)
    return [
        tuple(place for rank, place in enumerate(distinct) for _ in range(everyone + (rank in pick))) for pick in chosen
    ]


def _sample(strategies: int, size: int, most: int) -> list[set[int]]:
    """Different combinations of `size` strategies, the same every time, with all strategies in equally many.

    Each combination that is drawn comes with all its rotations through the list of strategies.
    """
    chance = random.Random(strategies * MAX_SEATS + size)
    picks: dict[frozenset[int], None] = {}
    while not picks or len(picks) + strategies <= most:
        drawn = chance.sample(range(strategies), size)
        for shift in range(strategies):
            picks[frozenset((place + shift) % strategies for place in drawn)] = None
    return [set(pick) for pick in picks]


def share_games(games: int, lineups: int, players: int) -> list[int]:
    """How many of `games` each line-up plays, in whole blocks of `players` games as far as they go.

    A block seats everyone everywhere once, so that all strategies play all seats equally often; what is left over of
    the last block is played by one line-up.
    """
    blocks, rest = divmod(games, players)
    share, more = divmod(blocks, lineups)
    # The line-ups that play a block more are spread over all.
    counts = [players * (share + ((place + 1) * more // lineups - place * more // lineups)) for place in range(lineups)]
    counts[counts.index(min(counts))] += rest
    return counts
