"""The tables that people ask for, in fractions: how likely a bust is by number cards, and which hands to hit on."""

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction

from flip7sim.cards import BASE_CARDS, NUMBERS
from flip7sim.exact.hands import Hand

__all__ = ["BustRow", "HandRow", "bust_table", "hands_to_hit_on"]


@dataclass(frozen=True)
class BustRow:
    """The chance of a bust with so many number cards, out of a fresh deck, without a Second Chance.

    Attributes
    ----------
    cards : int
        Number cards in hand.
    mean : Fraction
        The chance that the next card of the whole deck (94 cards, of which only the hand has been seen) busts, on
        average over all hands of that size, each as likely as it is dealt.
    best, worst : Fraction
        The same for the luckiest and the unluckiest hand.
    best_hand, worst_hand : tuple of int
        Which these are.
    by_then : Fraction
        The chance that so many number cards in a row are not all different: to have bust by then.
    flip_three : Fraction or None
        The chance that a Flip Three busts (a Second Chance among its cards is set aside), as `mean` is; None where
        there is no such card.
    """

    cards: int
    mean: Fraction
    best: Fraction
    best_hand: tuple[int, ...]
    worst: Fraction
    worst_hand: tuple[int, ...]
    by_then: Fraction
    flip_three: Fraction | None = None


def bust_table(most: int = 6) -> list[BustRow]:
    """A row for each hand of 1 to `most` number cards.

    All hands of a size are gone through. A hand is dealt with a chance that is the product of how often its numbers are
    in the deck, up to a factor that all hands of its size share.
    """
    counts = BASE_CARDS.counts[:NUMBERS]
    numbers = sum(counts)
    rows = []
    for cards in range(1, most + 1):
        left = BASE_CARDS.size - cards
        total, flip_three, weights = Fraction(0), Fraction(0), 0
        chances: dict[tuple[int, ...], Fraction] = {}
        for hand in itertools.combinations(range(NUMBERS), cards):
            weight = math.prod(counts[number] for number in hand)
            chances[hand] = Fraction(sum(counts[number] - 1 for number in hand), left)
            total += weight * chances[hand]
            flip_three += weight * Hand(hand).flip_three_busts()
            weights += weight
        best, worst = min(chances, key=chances.__getitem__), max(chances, key=chances.__getitem__)
        different = Fraction(math.factorial(cards) * weights, math.perm(numbers, cards))
        rows.append(
            BustRow(
                cards, total / weights, chances[best], best, chances[worst], worst, 1 - different, flip_three / weights
            )
        )
    return rows


@dataclass(frozen=True)
class HandRow:
    """A hand of number cards, out of a fresh deck, and what one more card is worth to it.

    Attributes
    ----------
    hand : tuple of int
        The number cards.
    rank : int
        1 for the best of its size to hit on, -1 for the worst, and so on.
    score : int
        What it banks.
    bust : Fraction
        The chance that the next card busts.
    gain : Fraction
        What one more card, and then staying, adds on average.
    """

    hand: tuple[int, ...]
    rank: int
    score: int
    bust: Fraction
    gain: Fraction


def hands_to_hit_on(most: int = 6, each: int = 3) -> list[HandRow]:
    """Of all hands of 1 to `most` number cards, the `each` best and worst of each size to take one more card with."""
    rows = []
    for cards in range(1, most + 1):
        hands = [Hand(numbers) for numbers in itertools.combinations(range(NUMBERS), cards)]
        gains = {hand: hand.after_one_card() - hand.score for hand in hands}
        hands.sort(key=lambda hand: (-gains[hand], hand.numbers))
        for rank in (*range(1, each + 1), *range(-each, 0)):
            hand = hands[rank - 1 if rank > 0 else rank]
            rows.append(HandRow(hand.numbers, rank, hand.score, hand.bust(), gains[hand]))
    return rows
