"""Moments of a round played alone, and what each leads to: the graph that both programmes walk.

A decision is taken with a line (`lines.Lines`), a set of modifiers, and Flip Threes already played. Inside a Flip Three
the state also has: cards still to be taken, actions set aside in it, and actions set aside before that wait until it is
finished (B16, B17, B22). Alone, everything hits the seat itself: a Freeze ends its round with what it shows, an extra
Second Chance is discarded.

Actions that wait are written as a word: F, T (Flip Three) and S (Second Chance) in the order in which they will be
played. Once a Freeze is sure to come before any Flip Three, only how many cards wait matters.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Literal

from flip7sim.exact.decks import Deck
from flip7sim.exact.kernels import ARRAY, NOTHING, SCORE

__all__ = ["Graph", "Node", "Place"]

CARDS_OF_FLIP_THREE = 3


@dataclass(frozen=True)
class Node:
    """A kind of moment, with an array over all hands.

    Attributes
    ----------
    played : int
        Flip Threes that have been played, the present one included.
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
            aside, older = _shorten(aside + older), ""
        return Node(played, left, aside, _shorten(older))

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
        waiting = Counter(node.waiting)
        plain = self.after(node.played, node.left - 1, node.aside, node.older)
        found = {"N": (1, plain)}
        copies = {"F": deck.freezes, "T": deck.flip_threes - node.played, "S": deck.second_chances}
        for kind, count in copies.items():
            weight = count - waiting[kind]
            if weight <= 0:
                found[kind] = (0, Place(NOTHING))
            elif kind == "S" and self.second_chance == "immediate":
                found[kind] = (weight, Place(plain.kind, plain.node, plain.shift + 1))
            else:
                found[kind] = (weight, self.after(node.played, node.left - 1, node.aside + kind, node.older))
        return found

    def needs(self, node: Node) -> list[Node]:
        """The nodes that a card leads to, the node of a decision itself apart."""
        return [
            each for each in dict.fromkeys(place.node for _, place in self.steps(node).values()) if each is not None
        ]

    def order(self) -> list[Node]:
        """All nodes, each behind all that it leads to; the last one is the beginning of the round."""
        order: list[Node] = []
        known: set[Node] = set()
        stack = [(Node(0), False)]
        while stack:
            node, ready = stack.pop()
            if ready:
                order.append(node)
            elif node not in known:
                known.add(node)
                stack.append((node, True))
                stack.extend((need, False) for need in sorted(self.needs(node), key=_small_last))
        return order


def _small_last(node: Node) -> tuple[int, int, int]:
    """A key that puts nodes with small arrays last: done first, they keep little memory while the large ones are."""
    waiting = node.waiting
    return -waiting.count("F"), waiting.count("S"), waiting.count("T")


def _shorten(word: str) -> str:
    """Actions that wait, without the order that does not matter."""
    place = word.find("F")
    if place < 0:
        return word
    before, rest = word[:place], word[place + 1 :]
    if "T" not in before:
        return "F" + "".join(sorted(before + rest))
    return before + "F" + "".join(sorted(rest))
