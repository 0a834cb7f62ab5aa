"""A hand of With A Vengeance and what else has been seen: the odds of the next card, in fractions."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flip7sim.cards import HALF, JUST_ONE_MORE, LUCKY_13, MINUS_TWO, THIRTEEN, UNLUCKY_7, VENGEANCE_CARDS, ZERO
from flip7sim.errors import Flip7Error
from flip7sim.exact.hands import parse_cards
from flip7sim.exact.vengeance_lines import SEVEN
from flip7sim.rules import Rules

__all__ = ["VengeanceHand", "VengeanceOdds", "vengeance_odds"]


def number_of(card: int) -> int:
    """The number that a number card stands for."""
    return THIRTEEN if card == LUCKY_13 else SEVEN if card == UNLUCKY_7 else card


@dataclass(frozen=True)
class VengeanceHand:
    """What lies in front of a seat, and what else has been seen of one deck since it was shuffled.

    Attributes
    ----------
    rules : Rules
        The rules, of Vengeance.
    cards : tuple of int
        In front of the seat: numbers and modifiers.
    seen : tuple of int
        Everywhere else, what an Unlucky 7 wiped included.

    Raises
    ------
    Flip7Error
        If nobody can have that hand in mid-round, or the deck does not hold these cards.
    """

    rules: Rules
    cards: tuple[int, ...] = ()
    seen: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Make sure that there can be such a hand."""
        names = VENGEANCE_CARDS.names
        for card in self.cards:
            if card >= JUST_ONE_MORE:
                raise Flip7Error(f"hand: {names[card]} is no card to keep; a hand has numbers and modifiers")
        for card, count in Counter(self.cards + self.seen).items():
            if count > VENGEANCE_CARDS.counts[card]:
                have = VENGEANCE_CARDS.counts[card]
                raise Flip7Error(f"hand and seen: {names[card]} is there {count} times; the deck has {have}")
        for number, count in Counter(map(number_of, self.numbers)).items():
            if count > (2 if number == THIRTEEN and LUCKY_13 in self.cards else 1):
                raise Flip7Error(f"hand: {count} cards of the number {number} are a bust")
        if self.count >= self.rules.flip7_size:
            raise Flip7Error(f"hand: {self.count} numbers are a Flip {self.rules.flip7_size}, which ends the round")

    @property
    def numbers(self) -> tuple[int, ...]:
        """The number cards in front of the seat."""
        return tuple(sorted(card for card in self.cards if card < MINUS_TWO))

    @property
    def count(self) -> int:
        """How many of them count toward a Flip 7 (V35)."""
        numbers = [number_of(card) for card in self.numbers]
        return len(numbers) if self.rules.lucky13_flip7 == "cards" else len(set(numbers))

    @property
    def must_hit(self) -> bool:
        """Whether there is no choice: with The Zero (V36)."""
        return ZERO in self.cards

    @property
    def left(self) -> dict[int, int]:
        """How many cards of each kind may come next."""
        left = Counter(VENGEANCE_CARDS.deck())
        left.subtract(self.cards + self.seen)
        return {card: left[card] for card in range(len(VENGEANCE_CARDS.names))}

    @property
    def minus(self) -> int:
        """What the minus cards in front take off."""
        return sum(2 * (card - MINUS_TWO + 1) for card in self.cards if MINUS_TWO <= card < HALF)

    @property
    def shown(self) -> int:
        """What the cards add up to, The Zero apart (V44, V46)."""
        total = sum(map(number_of, self.numbers))
        return self._floored((total // 2 if HALF in self.cards else total) - self.minus)

    @property
    def score(self) -> int:
        """What it banks if it stops now."""
        return 0 if self.must_hit else self.shown

    def _floored(self, points: int) -> int:
        return max(points, 0) if self.rules.score_floor == "0" else points

    def chances(self) -> dict[int, Fraction]:
        """The chance that each kind of card comes next.

        Raises
        ------
        Flip7Error
            If no card is left.
        """
        left = self.left
        total = sum(left.values())
        if not total:
            raise Flip7Error("seen: no card is left; the discard pile would be shuffled, and all be unseen again")
        return {card: Fraction(count, total) for card, count in left.items()}

    def busts(self, card: int) -> bool:
        """Whether a card busts (V34, V38); the Unlucky 7 never does (V37)."""
        held = [number for number in map(number_of, self.numbers) if number == number_of(card)]
        if card == UNLUCKY_7 or card >= MINUS_TWO or not held:
            return False
        return number_of(card) != THIRTEEN or len(held) > 1 or LUCKY_13 not in (card, *self.cards)

    def bust(self) -> Fraction:
        """The chance that the next card busts."""
        return sum((chance for card, chance in self.chances().items() if self.busts(card)), Fraction(0))

    def _with(self, card: int) -> "VengeanceHand":
        """The hand after a card that does not bust, in rules where there is no Flip 7."""
        roomy = self.rules.with_options(flip7_size=self.rules.largest_flip7)
        return VengeanceHand(roomy, (card,) if card == UNLUCKY_7 else (*self.cards, card))

    def makes_flip7(self, card: int) -> bool:
        """Whether a card makes a Flip 7 (V35)."""
        return card < MINUS_TWO and not self.busts(card) and self._with(card).count >= self.rules.flip7_size

    def flip7(self) -> Fraction:
        """The chance that the next card makes a Flip 7."""
        made = (chance for card, chance in self.chances().items() if chance and self.makes_flip7(card))
        return sum(made, Fraction(0))

    def after_one_card(self, alone: bool) -> Fraction:
        """The expected score of taking one card, and stopping; an action adds nothing.

        Parameters
        ----------
        alone : bool
            Whether a modifier must be kept, as there is nobody else; else it is given away (V39).
        """
        expected = Fraction(0)
        for card, chance in self.chances().items():
            if not chance:
                continue
            if card >= JUST_ONE_MORE or (card >= MINUS_TWO and not alone):
                value = self.score
            elif self.busts(card):
                value = self._floored(-self.minus) if self.rules.modifiers_to_busted else 0
            elif self.makes_flip7(card):
                value = self._with(card).shown + self.rules.flip7_bonus
            else:
                value = self._with(card).score
            expected += chance * value
        return expected


@dataclass(frozen=True)
class VengeanceOdds:
    """What the next card may bring to a hand; every number is exact.

    Attributes
    ----------
    hand : VengeanceHand
        The hand, and what else was seen.
    """

    hand: VengeanceHand

    @property
    def summary(self) -> dict[str, Any]:
        """The main figures; `go_on` is None: with actions, what going on is worth is not known exactly."""
        hand = self.hand
        one_card = hand.after_one_card(alone=False)
        return {
            "bust": float(hand.bust()),
            "flip7": float(hand.flip7()),
            "stop_now": hand.score,
            "one_card": float(one_card),
            "one_card_alone": float(hand.after_one_card(alone=True)),
            "go_on": None,
            "better": "hit" if hand.must_hit or one_card > hand.score else "stay",
        }

    @property
    def cards(self) -> list[dict[str, Any]]:
        """The chance of each kind of card."""
        left = self.hand.left
        return [
            {"card": VENGEANCE_CARDS.names[card], "left": left[card], "chance": float(chance)}
            for card, chance in self.hand.chances().items()
        ]


def vengeance_odds(hand: str, seen: str, rules: Rules) -> VengeanceOdds:
    """The odds of the next card for a hand, and for what else was seen, as texts like ``3 8 13 lucky13 -4``.

    Raises
    ------
    Flip7Error
        If there can be no such hand, or no card is left.
    """
    if rules.decks not in ("auto", 1):
        raise Flip7Error(f"decks: {rules.decks} cannot be worked out; it must be 1")
    kinds = rules.cards
    found = VengeanceHand(rules, parse_cards(hand, "hand", kinds), parse_cards(seen, "seen", kinds))
    found.chances()  # see that there is a card
    return VengeanceOdds(found)
