"""Moments of a round played alone, and what each leads to: the graph that both programmes walk.

A decision is taken with a line (`lines.Lines`), a set of modifiers, and Flip Threes already played. Inside a Flip Three
the state also has: cards still to be taken, actions set aside in it, and actions set aside before that wait until it is
finished (B16, B17, B22). Alone, everything hits the seat itself: a Freeze ends its round with what it shows, an extra
Second Chance is discarded.

Actions that wait are written as a word: F, T (Flip Three) and S (Second Chance) in the order in which they will be
played. Once a Freeze is sure to come before any Flip Three, it only matters how many actions have left the deck: all of
them, Flip Threes played too, are then written as F.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

from flip7sim.exact.arrays import ARRAY, NOTHING, SCORE
from flip7sim.exact.decks import Deck

__all__ = ["Graph", "Node", "Place"]

CARDS_OF_FLIP_THREE = 3
#: Orders of the nodes that are tried, and where the random numbers begin. For the whole deck no search found a better
#: one than is among these, with 2.7 GB of arrays (1.9 GB with immediate Second Chances); any order: 3.5 GB.
ORDERS, SEED = 128, 0


@dataclass(frozen=True)
class Node:
    """A kind of moment, with an array over all hands.

    Attributes
    ----------
    played : int
        Flip Threes that have been played, the present one included; 0 in a Flip Three: the round ends with a Freeze.
    left : int
        Cards still to be taken in the present one; 0: a decision.
    aside : str
        Actions set aside in it.
    older : str
        Actions that wait until it is finished.
    """

    played: int
    left: int = 0
    aside: str = ""
    older: str = ""

    @property
    def waiting(self) -> str:
        """All actions that wait."""
        return self.aside + self.older

    @property
    def frozen(self) -> bool:
        """Whether a Freeze is sure to come before any Flip Three."""
        return self.left > 0 and self.played == 0


@dataclass(frozen=True)
class Place:
    """Where a card leads: nowhere, to the score, or to a node after some Second Chances (see `kernels.Step`)."""

    kind: int
    node: Node | None = None
    shift: int = 0


@dataclass(frozen=True)
class Graph:
    """The graph for a deck.

    Attributes
    ----------
    deck : Deck
        What is played with.
    second_chance : {"deferred", "immediate"}
        Whether a Second Chance revealed in a Flip Three waits, or can be used at once (B18).
    """

    deck: Deck
    second_chance: Literal["deferred", "immediate"] = "deferred"

    def node(self, played: int, left: int, aside: str, older: str) -> Node:
        """The node of a moment in a Flip Three: moments that are worth the same have the same."""
        none_left = self.deck.flip_threes - played - (aside + older).count("T") == 0
        if none_left and "T" not in aside + older and "F" not in aside:
            aside, older = aside + older, ""
        if "F" in aside:
            aside, older = aside + older, ""
            if "T" not in aside[: aside.index("F")]:
                return Node(0, left, "F" * (played + len(aside)))
        return Node(played, left, _shorten(aside), _shorten(older))

    def most_seen(self, node: Node) -> int:
        """How many Second Chances a line can have seen at most, there."""
        deck = self.deck
        if not node.frozen:
            return deck.second_chances - node.waiting.count("S")
        if self.second_chance == "immediate":
            return deck.second_chances
        actions = deck.freezes + deck.flip_threes + deck.second_chances
        return min(deck.second_chances, actions - len(node.aside))

    def after(self, played: int, left: int, aside: str, older: str) -> Place:
        """The place of a moment in a Flip Three, with `left` cards still to be taken."""
        if left:
            return Place(ARRAY, self.node(played, left, aside, older))
        waiting = aside + older
        rest = waiting.lstrip("S")
        shift = len(waiting) - len(rest)
        if not rest:
            return Place(ARRAY, Node(played), shift)
        if rest[0] == "F":
            return Place(SCORE)
        return Place(ARRAY, self.node(played + 1, CARDS_OF_FLIP_THREE, "", rest[1:]), shift)

    @cache  # noqa: B019 (a graph lives as long as the solution)
    def steps(self, node: Node) -> dict[str, tuple[int, Place]]:
        """Where a card leads: how many there are and the place, by kind of card (N: number or modifier).

        Of Second Chances there are less those that the line has seen.
        """
        deck = self.deck
        if not node.left:
            flip_threes = deck.flip_threes - node.played
            first = Place(NOTHING)
            if flip_threes:
                first = Place(ARRAY, self.node(node.played + 1, CARDS_OF_FLIP_THREE, "", ""))
            return {"T": (flip_threes, first)}
        plain = self.after(node.played, node.left - 1, node.aside, node.older)
        found = {"N": (1, plain)}
        copies = Counter(F=deck.freezes, T=deck.flip_threes - node.played, S=deck.second_chances)
        if node.frozen and self.second_chance == "deferred":
            # Whatever action comes, it waits in vain: all are counted together.
            copies = Counter(S=copies.total() - len(node.aside))
        elif node.frozen:
            copies = Counter(F=copies["F"] + copies["T"] - len(node.aside), S=copies["S"])
        else:
            copies.subtract(node.waiting)
        for kind in "FTS":
            weight = copies[kind]
            if weight <= 0:
                found[kind] = (0, Place(NOTHING))
            elif kind == "S" and self.second_chance == "immediate":
                found[kind] = (weight, Place(plain.kind, plain.node, plain.shift + 1))
            else:
                found[kind] = (weight, self.after(node.played, node.left - 1, node.aside + kind, node.older))
        return found

    @cache  # noqa: B019
    def needs(self, node: Node) -> tuple[Node, ...]:
        """The nodes that a card leads to, the node of a decision itself apart."""
        places = dict.fromkeys(place.node for _, place in self.steps(node).values())
        return tuple(each for each in places if each is not None)

    def order(self, size: Callable[[Node], int]) -> list[Node]:
        """All nodes, each behind all that it leads to; the last one is the beginning of the round.

        Of many orders that are made at random (the same ones every time), the one whose arrays need the least memory
        at a time: an array is kept until the last node that leads to it is done.

        Parameters
        ----------
        size : callable
            How large the array of a node is.
        """
        dice = random.Random(SEED)
        orders = (self._order(dice) for _ in range(ORDERS if self.deck.flip_threes else 1))
        return min(orders, key=lambda order: self.peak(order, size))

    def _order(self, dice: random.Random) -> list[Node]:
        """Some order, depth first."""
        order: list[Node] = []
        rank: defaultdict[Node, float] = defaultdict(dice.random)
        known: set[Node] = set()
        stack = [(Node(0), False)]
        while stack:
            node, ready = stack.pop()
            if ready:
                order.append(node)
            elif node not in known:
                known.add(node)
                stack.append((node, True))
                stack.extend((need, False) for need in sorted(self.needs(node), key=rank.__getitem__))
        return order

    def peak(self, order: list[Node], size: Callable[[Node], int]) -> int:
        """How large all arrays that an order needs at a time are at most."""
        last = {need: place for place, node in enumerate(order) for need in self.needs(node)}
        kept = peak = 0
        for place, node in enumerate(order):
            kept += size(node)
            peak = max(peak, kept)
            kept -= sum(size(need) for need in self.needs(node) if last[need] == place)
        return peak


def _shorten(word: str) -> str:
    """Actions that wait, without the order that does not matter."""
    place = word.find("F")
    if place < 0:
        return word
    before, rest = word[:place], word[place + 1 :]
    if "T" not in before:
        return "F" + "".join(sorted(before + rest))
    return before + "F" + "".join(sorted(rest))
