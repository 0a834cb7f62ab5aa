"""Who sits where in a game of a run: the same as `engine.batch.seating`, in plain Python, for one game."""

from collections.abc import Sequence
from typing import TypeVar

from flip7sim.randomness import DEALER_PURPOSE, SEATING_PURPOSE, Stream, game_key, stream_of

__all__ = ["seated"]

Member = TypeVar("Member")


def seated(members: Sequence[Member], seed: int, game: int) -> tuple[list[Member], int]:
    """The members of a line-up on their seats in a game, and the first dealer (B3).

    Parameters
    ----------
    members : sequence
        In the order of the line-up.
    seed, game : int
        Which game.

    Returns
    -------
    seats : list
        Clockwise.
    dealer : int
        A seat.
    """
    players = len(members)
    block, turn = divmod(game, players)
    key = game_key(seed, block * players)
    order = list(range(players))
    stream = Stream(stream_of(key, SEATING_PURPOSE))
    for left in range(players, 1, -1):
        place = stream.below(left)
        order[place], order[left - 1] = order[left - 1], order[place]
    seats = list(members)
    for place, member in zip(order, members, strict=True):
        seats[(place + turn) % players] = member
    return seats, Stream(stream_of(key, DEALER_PURPOSE), step=0).below(players)
