"""How likely a bust is in With A Vengeance by the number of number cards, in fractions."""

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

from flip7sim.cards import UNLUCKY_7, VENGEANCE_CARDS
from flip7sim.exact.bust_table import BustRow
from flip7sim.exact.vengeance_lines import KINDS, SEVEN

__all__ = ["vengeance_bust_table"]

_COUNTS = VENGEANCE_CARDS.counts
_NUMBERS = _COUNTS[: UNLUCKY_7 + 1]


def _ways(most: int) -> dict[tuple[int, int], int]:
    """Ways to choose so many cards before the Unlucky 7, and so many after it, neither of which bust.

    Kind by kind: a card of it before, one after, both, or none. After the Unlucky 7 a 7 busts (V37). No kind can lie in
    a line twice; a 13 and the Lucky 13 are two kinds, and may lie together (V38).
    """
    ways = {(0, 0): 1}
    for kind in range(KINDS):
        count = _COUNTS[kind]
        choices = {(0, 0): 1, (1, 0): count}
        if kind != SEVEN:
            choices |= {(0, 1): count, (1, 1): count * (count - 1)}
        found: dict[tuple[int, int], int] = {}
        for (before, after), number in ways.items():
            for (one, other), times in choices.items():
                place = before + one, after + other
                if sum(place) <= most:
                    found[place] = found.get(place, 0) + number * times
        ways = found
    return ways


def _safe(cards: int, ways: dict[tuple[int, int], int]) -> Fraction:
    """The chance that so many number cards in a row do not bust: without the Unlucky 7, or with it at each place."""
    orders = math.factorial(cards) * ways[cards, 0]
    for before in range(cards):
        after = cards - 1 - before
        orders += math.factorial(before) * math.factorial(after) * ways[before, after]
    return Fraction(orders, math.perm(sum(_NUMBERS), cards))


def _busting(hand: tuple[int, ...]) -> int:
    """How many cards bust a hand, of a deck in which only the hand has been seen.

    One of another kind never does, but for a 7 after the Unlucky 7: a 13 and the Lucky 13 may lie together.
    """
    busting = sum(_COUNTS[kind] - 1 for kind in hand)
    if UNLUCKY_7 in hand:
        busting += _COUNTS[SEVEN]
    return busting


def _hands(cards: int) -> Iterator[tuple[int, ...]]:
    """All hands of so many number cards."""
    for hand in itertools.combinations(range(UNLUCKY_7 + 1), cards):
        if not (SEVEN in hand and UNLUCKY_7 in hand):
            yield hand


def vengeance_bust_table(most: int = 6) -> list[BustRow]:
    """A row for each number of number cards, 1 to `most`.

    The mean and the last column go by the number cards that have been taken in a row, what an Unlucky 7 wiped
    included; best and worst hand by those in front, nothing else having been seen.
    """
    ways = _ways(most + 1)
    safe = [_safe(cards, ways) for cards in range(most + 2)]
    rows = []
    for cards in range(1, most + 1):
        left = VENGEANCE_CARDS.size - cards
        number_next = Fraction(sum(_NUMBERS) - cards, left)
        mean = (1 - safe[cards + 1] / safe[cards]) * number_next
        chances = {hand: Fraction(_busting(hand), left) for hand in _hands(cards)}
        best, worst = min(chances, key=chances.__getitem__), max(chances, key=chances.__getitem__)
        rows.append(BustRow(cards, mean, chances[best], best, chances[worst], worst, 1 - safe[cards]))
    return rows
