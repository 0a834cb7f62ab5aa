"""The best expected score of a round played alone: backward dynamic programming over every state there is.

A decision is taken with a line (`lines.Lines`), a set of modifiers, and Flip Threes already played. Inside a Flip Three
the state also has: cards still to be taken, actions set aside in it, and actions set aside before that wait until it is
finished (B16, B17, B22). What a state is worth there is an array over all lines and modifiers, made from the array for
one card fewer; it is thrown away as soon as nothing needs it. Alone, everything hits the seat itself: a Freeze ends its
round with what it shows, an extra Second Chance is discarded.

Actions that wait are written as a word: F, T (Flip Three) and S (Second Chance) in the order in which they will be
played. Once a Freeze is sure to come before any Flip Three, only how many cards wait matters.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from flip7sim.exact.decks import Deck
from flip7sim.exact.kernels import ARRAY, NOTHING, SCORE, card_values, decide
from flip7sim.exact.lines import Lines, all_lines

__all__ = ["Node", "Solver"]

Floats = npt.NDArray[np.float64]
ROWS = 64
CARDS_OF_FLIP_THREE = 3


@dataclass(frozen=True)
class Node:
    """A kind of moment: which array a value is in.

    Attributes
    ----------
    taken : int
        Flip Threes that have been played.
    left : int
        Cards still to be taken in the one being played; 0: a decision.
    aside : str
        Actions set aside in it.
    older : str
        Actions that wait until it is finished.
    """

    taken: int
    left: int = 0
    aside: str = ""
    older: str = ""


@dataclass(frozen=True)
class Value:
    """Where a value is found: nowhere, the score, or in the array of a node after some Second Chances."""

    kind: int
    node: Node | None = None
    shift: int = 0


class Solver:
    """Solves a deck.

    Parameters
    ----------
    deck : Deck
        What is played with.
    second_chance : {"deferred", "immediate"}
        Whether a Second Chance revealed in a Flip Three waits, or can be used at once (B18).
    size, bonus : int
        How many numbers make a Flip 7, and what it adds.
    jobs : int
        Threads.
    progress : callable, optional
        Called with the number of arrays done and the number of all.
    """

    def __init__(
        self,
        deck: Deck,
        second_chance: Literal["deferred", "immediate"] = "deferred",
        size: int = 7,
        bonus: int = 15,
        jobs: int = 1,
        progress: Callable[[int, int], object] | None = None,
    ) -> None:
        self.deck = deck
        self.deferred = second_chance == "deferred"
        self.bonus = bonus
        self.jobs = jobs
        self.progress = progress
        self.lines: Lines = all_lines(deck.numbers, deck.second_chances, size)
        self.arrays: dict[Node, Floats] = {}

    # The graph of moments

    def node(self, taken: int, left: int, aside: str, older: str) -> Node:
        """The node of a moment in a Flip Three: moments that are worth the same have the same."""
        none_left = self.deck.flip_threes - taken - (aside + older).count("T") == 0
        if none_left and "T" not in aside + older and "F" not in aside:
            aside, older = aside + older, ""
        if "F" in aside:
            aside, older = _shorten(aside + older), ""
        return Node(taken, left, aside, _shorten(older))

    def after(self, taken: int, left: int, aside: str, older: str) -> Value:
        """The value of a moment in a Flip Three, its cards all taken perhaps."""
        if left:
            return Value(ARRAY, self.node(taken, left, aside, older))
        waiting = aside + older
        rest = waiting.lstrip("S")
        shift = len(waiting) - len(rest)
        if not rest:
            return Value(ARRAY, Node(taken), shift)
        if rest[0] == "F":
            return Value(SCORE)
        return Value(ARRAY, self.node(taken + 1, CARDS_OF_FLIP_THREE, "", rest[1:]), shift)

    @cache  # noqa: B019 (a solver lives for one solution)
    def steps(self, node: Node) -> dict[str, tuple[int, Value]]:
        """Where a card leads from a moment in a Flip Three: weight and value by kind of card (`N`: all others).

        The weight of a Second Chance is less those that the line has seen.
        """
        waiting = Counter(node.aside + node.older)
        deck = self.deck
        number = self.after(node.taken, node.left - 1, node.aside, node.older)
        found = {"N": (1, number)}
        limits = {"F": deck.freezes, "T": deck.flip_threes - node.taken, "S": deck.second_chances}
        for kind, limit in limits.items():
            weight = limit - waiting[kind]
            if weight <= 0:
                found[kind] = (0, Value(NOTHING))
            elif kind == "S" and not self.deferred:
                found[kind] = (weight, Value(number.kind, number.node, number.shift + 1))
            else:
                found[kind] = (weight, self.after(node.taken, node.left - 1, node.aside + kind, node.older))
        return found

    def needs(self, node: Node) -> list[Node]:
        """The nodes whose arrays an array is made from."""
        if node.left:
            found = [value.node for _, value in self.steps(node).values()]
        elif node.taken < self.deck.flip_threes:
            found = [self.node(node.taken + 1, CARDS_OF_FLIP_THREE, "", "")]
        else:
            found = []
        return [each for each in dict.fromkeys(found) if each is not None]

    # The arrays

    def solve(self) -> float:
        """Work out every array, keep those of the decisions, and return the value of the round."""
        order: list[Node] = []
        self._visit(Node(0), order)
        uses = Counter(need for node in order for need in self.needs(node))
        with ThreadPoolExecutor(self.jobs) as pool:
            for done, node in enumerate(order):
                self.arrays[node] = self._work_out(node, pool)
                for need in self.needs(node):
                    uses[need] -= 1
                    if need.left and uses[need] == 0:
                        del self.arrays[need]
                if self.progress:
                    self.progress(done + 1, len(order))
        return float(self.arrays[Node(0)][0, 0])

    def _visit(self, node: Node, order: list[Node]) -> None:
        """Put a node behind all that it needs."""
        stack: list[tuple[Node, bool]] = [(node, False)]
        known = set(order)
        while stack:
            current, ready = stack.pop()
            if ready:
                order.append(current)
            elif current not in known:
                known.add(current)
                stack.append((current, True))
                stack.extend((need, False) for need in reversed(self.needs(current)) if need not in known)

    def _rows(self) -> Iterable[list[int]]:
        """The sets of modifiers, the largest first; those in a list do not need each other."""
        rows = [row for row in range(ROWS) if row & ~self.deck.modifiers == 0]
        for held in range(6, -1, -1):
            yield [row for row in rows if row.bit_count() == held]

    def _work_out(self, node: Node, pool: ThreadPoolExecutor) -> Floats:
        lines, deck = self.lines, self.deck
        pending = (node.aside + node.older).count("S")
        out = np.empty((ROWS if deck.modifiers else 1, lines.seen_at_most(deck.second_chances - pending)))
        size = deck.size - node.taken - len(node.aside + node.older)
        if node.left:
            work = self._card_work(node, out, size)
        else:
            work = self._decision_work(node, out, size)
        for rows in self._rows():
            list(pool.map(work, rows))
        return out

    def _card_work(self, node: Node, out: Floats, size: int) -> Callable[[int], None]:
        lines = self.lines
        steps = self.steps(node)
        arguments: list[object] = []
        for kind in ("N", "F", "T", "S"):
            weight, value = steps[kind]
            array = self.arrays[value.node] if value.node is not None else _EMPTY
            if kind != "N":
                arguments.append(weight)
            arguments += [value.kind, array, value.shift]
        tail = (lines.total, lines.seen, lines.cards, lines.left, lines.after, lines.after_second_chance)
        return lambda row: card_values(out, row, self.deck.modifiers, self.bonus, size, *arguments, *tail)

    def _decision_work(self, node: Node, out: Floats, size: int) -> Callable[[int], None]:
        lines, deck = self.lines, self.deck
        flip_threes = deck.flip_threes - node.taken
        array = self.arrays[self.needs(node)[0]] if flip_threes else _EMPTY
        tail = (lines.total, lines.held, lines.seen, lines.cards, lines.left, lines.after, lines.after_second_chance)
        head = (deck.modifiers, self.bonus, size, deck.freezes, flip_threes, array, deck.second_chances)
        return lambda row: decide(out, row, *head, *tail)


_EMPTY = np.zeros((1, 1))


def _shorten(word: str) -> str:
    """Actions that wait, without the order that does not matter."""
    place = word.find("F")
    if place < 0:
        return word
    before, rest = word[:place], word[place + 1 :]
    if "T" not in before:
        return "F" + "".join(sorted(before + rest))
    return before + "F" + "".join(sorted(rest))
