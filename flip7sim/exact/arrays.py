"""What the kernels of the exact round read: plain tuples of arrays, and the codes in them.

Arrays over hands have a row for each line (`lines.Lines`) and a column for each set of modifiers, so that a card that
changes the line moves all sets of modifiers at once. Columns come in blocks of eight, which is what a processor adds at
once.

numba compiles the codes into `backward` and `forward`, whose cached kernels do not notice an edit here; so what is
inlined into a kernel lies in its own file, and here are only names.
"""

from typing import Any, NamedTuple

__all__ = ["ARRAY", "BLOCK", "ENDS", "NOTHING", "SCORE", "Grid", "Sets", "Step", "Worth"]

#: Where a card leads: nowhere, to the score that is banked at once, or to a hand with its place in an array.
NOTHING, SCORE, ARRAY = 0, 1, 2
#: How a round ends, and how many decisions were taken: places in an array of chances.
ENDS = ("bust", "flip7", "frozen", "stayed", "decisions")
#: Columns that are worked on together.
BLOCK = 8


class Grid(NamedTuple):
    """The arrays of `lines.Lines` that the kernels read.

    `given` is an array (4, lines): the line after none, one, two and three Second Chances.
    """

    totals: Any
    counts: Any
    held: Any
    seen: Any
    cards: Any
    left: Any
    after: Any
    given: Any


class Sets(NamedTuple):
    """The sets of modifiers that the columns stand for.

    Column c has the modifiers with which the round began, and of the `free` ones that may come those that are bits of
    c. `plus`, `doubled` and `held` are arrays: what the plus cards add up to, 1 with x2, how many cards have come.
    """

    free: int
    plus: Any
    doubled: Any
    held: Any


class Worth(NamedTuple):
    """What the end of a round is worth: a bust; and what is banked by sum of the line and column, or makes a Flip 7."""

    bust: float
    banked: Any
    flip7: Any


class Step(NamedTuple):
    """Where a kind of card leads: how many there are (Second Chances: less those seen), and to what.

    `array` is read at the same line, or at the next one, after it has been given `shift` Second Chances.
    """

    weight: int
    kind: int
    array: Any
    shift: int
