"""The random streams in plain integers: the twin of `engine.stream`, for what is not compiled."""

from collections.abc import Sequence

__all__ = [
    *("DEALER_PURPOSE", "SEATING_PURPOSE", "SEAT_PURPOSE"),
    *("Stream", "game_key", "mix", "shuffled", "stream_of"),
]

#: What a stream is for: shuffle k of a game has purpose k, and seat k this and k.
SEAT_PURPOSE = 1 << 20
DEALER_PURPOSE = 1 << 21
SEATING_PURPOSE = 1 << 22

_MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15


def mix(word: int) -> int:
    """The output function of SplitMix64."""
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB & _MASK
    return word ^ (word >> 31)


def game_key(seed: int, game: int) -> int:
    """The key of game number `game` under `seed`: all its randomness comes from it."""
    return mix((mix((seed + _GAMMA) & _MASK) + game * _GAMMA) & _MASK)


def stream_of(key: int, purpose: int) -> int:
    """The state in which the stream for `purpose` starts, in the game with that key."""
    return mix((key + (purpose + 1) * _GAMMA) & _MASK)


class Stream:
    """A stream of whole numbers.

    Parameters
    ----------
    state : int
        From `stream_of`.
    step : int
        How many steps it makes before each number: 0 for a stream of which only one number is taken.
    """

    def __init__(self, state: int, step: int = 1) -> None:
        self.state = state
        self.step = step

    def below(self, bound: int) -> int:
        """The next number, from 0 to `bound` - 1."""
        self.state = (self.state + self.step * _GAMMA) & _MASK
        return ((mix(self.state) >> 32) * bound) >> 32


def shuffled(cards: Sequence[int], state: int) -> list[int]:
    """The `cards` in the random order, top first, that the stream in `state` gives."""
    pile = sorted(cards)
    stream = Stream(state)
    order = []
    for left in range(len(pile), 0, -1):
        drawn = stream.below(left)
        order.append(pile[drawn])
        pile[drawn] = pile[left - 1]
    return order
