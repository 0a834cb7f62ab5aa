"""Counter-based randomness: SplitMix64 streams, keyed by (seed, game number) and nothing else.

A game has a key; from it come the streams of its shuffles, of its seats, and the first dealer. A stream is one 64-bit
word that steps by an odd constant and is mixed into the output (Steele, Lea and Flood, "Fast splittable pseudorandom
number generators", OOPSLA 2014; the constants are those of its mix13 variant).
"""

import numpy as np

from flip7sim.engine.records import inline

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
S30, S27, S31, S32, S11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32), np.uint64(11)


@inline
def mix(word):
    """Scramble a 64-bit word: the output function of SplitMix64."""
    word = (word ^ (word >> S30)) * MIX_1
    word = (word ^ (word >> S27)) * MIX_2
    return word ^ (word >> S31)


@inline
def game_key(seed, game):
    """The key of game number `game` under `seed`."""
    return mix(mix(np.uint64(seed) + GAMMA) + np.uint64(game) * GAMMA)


@inline
def stream_of(key, purpose):
    """The start of the stream for `purpose` in the game with that key."""
    return mix(key + np.uint64(purpose + 1) * GAMMA)


@inline
def scale(word, bound):
    """Map a 64-bit word to 0 .. bound - 1 (bound < 2**31; no value is favoured by more than bound / 2**32)."""
    return np.int64(((word >> S32) * np.uint64(bound)) >> S32)
