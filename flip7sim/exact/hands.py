"""A hand and what else has been seen: the odds of the next card, in fractions."""

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from flip7sim.cards import BASE_CARDS, FLIP_THREE, FREEZE, NUMBERS, PLUS_TWO, SECOND_CHANCE, TIMES_TWO, CardSet
from flip7sim.errors import Flip7Error, suggest
from flip7sim.exact.decks import Deck

__all__ = ["Hand", "parse_cards"]


def parse_cards(text: str, what: str, kinds: CardSet = BASE_CARDS) -> tuple[int, ...]:
    """The codes of the cards (of `kinds`) in a text like ``3 8 12 +4``, with spaces or commas between them.

    Raises
    ------
    Flip7Error
        For something that is no card; `what` says where it stood.
    """
    cards = []
    for name in text.replace(",", " ").split():
        try:
            cards.append(kinds.code(name))
        except KeyError:
            raise Flip7Error(f"{what}: card {name!r} is unknown; {suggest(name, kinds.names)}") from None
    return tuple(cards)


@dataclass(frozen=True)
class Hand:
    """What lies in front of a seat, and what else has been seen of one deck since it was shuffled.

    Attributes
    ----------
    cards : tuple of int
        In front of the seat: numbers, modifiers, a Second Chance.
    seen : tuple of int
        Everywhere else.
    size, bonus : int
        How many numbers make a Flip 7, and what it adds.

    Raises
    ------
    Flip7Error
        If nobody can have that hand in mid-round, or the deck does not hold these cards.
    """

    cards: tuple[int, ...] = ()
    seen: tuple[int, ...] = ()
    size: int = 7
    bonus: int = 15

    def __post_init__(self) -> None:
        """Make sure that there can be such a hand."""
        names = BASE_CARDS.names
        for card, count in Counter(self.cards).items():
            if card in (FREEZE, FLIP_THREE):
                raise Flip7Error(
                    f"hand: {names[card]} is no card to keep; a hand has numbers, modifiers, second_chance"
                )
            if count > 1:
                raise Flip7Error(f"hand: {names[card]} is there {count} times; once is all that can be")
        if len(self.numbers) >= self.size:
            raise Flip7Error(f"hand: {len(self.numbers)} numbers are a Flip {self.size}, which ends the round")
        for card, count in Counter(self.cards + self.seen).items():
            if count > BASE_CARDS.counts[card]:
                have = BASE_CARDS.counts[card]
                raise Flip7Error(f"hand and seen: {names[card]} is there {count} times; the deck has {have}")

    @property
    def numbers(self) -> tuple[int, ...]:
        """The number cards in front of the seat."""
        return tuple(sorted(card for card in self.cards if card < NUMBERS))

    @property
    def row(self) -> int:
        """The modifiers in front of it, as bits."""
        return sum(1 << (card - PLUS_TWO) for card in self.cards if PLUS_TWO <= card <= TIMES_TWO)

    @property
    def held(self) -> bool:
        """Whether it has a Second Chance."""
        return SECOND_CHANCE in self.cards

    def with_second_chance(self, held: bool) -> "Hand":
        """The same hand with a Second Chance, or without; one that is not in front has not been seen."""
        plain = tuple(card for card in self.cards if card != SECOND_CHANCE)
        return Hand((*plain, SECOND_CHANCE) if held else plain, self.seen, self.size, self.bonus)

    @property
    def deck(self) -> Deck:
        """The deck less what was seen elsewhere; the hand is still in it."""
        left = Counter(BASE_CARDS.deck())
        left.subtract(self.seen)
        return Deck(
            name="full" if not self.seen else "unseen",
            numbers=tuple(left[number] for number in range(NUMBERS)),
            modifiers=sum(1 << (card - PLUS_TWO) for card in range(PLUS_TWO, TIMES_TWO + 1) if left[card]),
            second_chances=left[SECOND_CHANCE],
            freezes=left[FREEZE],
            flip_threes=left[FLIP_THREE],
        )

    @property
    def left(self) -> dict[int, int]:
        """How many cards of each kind may come next."""
        left = Counter(BASE_CARDS.deck())
        left.subtract(self.cards + self.seen)
        return {card: left[card] for card in range(len(BASE_CARDS.names))}

    @property
    def score(self) -> int:
        """What it banks if it stops now (B25)."""
        plus = sum(2 * (card - PLUS_TWO + 1) for card in self.cards if PLUS_TWO <= card < TIMES_TWO)
        return sum(self.numbers) * (2 if TIMES_TWO in self.cards else 1) + plus

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

    def bust(self) -> Fraction:
        """The chance that the next card busts: 0 with a Second Chance."""
        return Fraction(0) if self.held else sum((self.chances()[card] for card in self.numbers), Fraction(0))

    def flip_three_busts(self, immediate: bool = False) -> Fraction:
        """The chance that the cards of a Flip Three bust (B16, B18); what they set aside comes later.

        The Flip Three itself is out of the deck: the one that `seen` names, or else one of those that are left. Of a
        pile that ends sooner, the cards that are there are taken.

        Parameters
        ----------
        immediate : bool
            Whether a Second Chance among the three saves from the next duplicate at once.
        """
        left = self.left
        left[FLIP_THREE] -= FLIP_THREE not in self.seen
        fresh = tuple(sorted(left[number] for number in range(NUMBERS) if number not in self.numbers and left[number]))
        duplicates = sum(left[number] for number in self.numbers)
        chances = left[SECOND_CHANCE] if immediate else 0
        total = sum(left.values())
        cards = min(3, total)
        rest = total - sum(fresh) - duplicates - chances
        missing = self.size - len(self.numbers)
        return Fraction(_busts(cards, duplicates, fresh, chances, rest, self.held, missing), math.perm(total, cards))

    def flip7(self) -> Fraction:
        """The chance that the next card makes a Flip 7."""
        if len(self.numbers) + 1 < self.size:
            return Fraction(0)
        return sum((chance for card, chance in self.chances().items() if self._is_new(card)), Fraction(0))

    def _is_new(self, card: int) -> bool:
        return card < NUMBERS and card not in self.numbers

    def after_one_card(self) -> Fraction:
        """The expected score of taking one card, and stopping; an action adds nothing."""
        self.chances()  # see that there is a card
        score, line, doubled = self.score, set(self.numbers), TIMES_TWO in self.cards
        bonus = self.bonus if len(line) + 1 == self.size else 0
        left = self.left
        total = 0
        for card, count in left.items():
            if card in line:
                total += count * score if self.held else 0
            elif card < NUMBERS:
                total += count * (score + (2 * card if doubled else card) + bonus)
            elif card < TIMES_TWO:
                total += count * (score + 2 * (card - PLUS_TWO + 1))
            elif card == TIMES_TWO:
                total += count * (score + sum(line))
            else:
                total += count * score
        return Fraction(total, sum(left.values()))


def _busts(
    cards: int, duplicates: int, fresh: tuple[int, ...], chances: int, rest: int, held: bool, missing: int
) -> int:
    """In how many orders so many cards, one after the other, bust a line.

    Parameters
    ----------
    cards : int
        So many are taken, if there is neither a bust nor a Flip 7 before.
    duplicates : int
        Cards left whose number is in the line.
    fresh : tuple of int
        How many are left of each other number.
    chances, rest : int
        Second Chances left that can be used, and all other cards.
    held : bool
        Whether there is a Second Chance.
    missing : int
        How many numbers are missing to a Flip 7.
    """
    if not cards:
        return 0
    total = duplicates + sum(fresh) + chances + rest
    if not held:
        found = duplicates * math.perm(total - 1, cards - 1)
        if cards == 1:
            return found
    elif cards == 1:
        return 0
    else:
        found = duplicates and duplicates * _busts(cards - 1, duplicates - 1, fresh, chances, rest, False, missing)
    if missing > 1:
        for place, count in enumerate(fresh):
            others = fresh[:place] + fresh[place + 1 :]
            found += count * _busts(cards - 1, duplicates + count - 1, others, chances, rest, held, missing - 1)
    if chances:
        found += chances * _busts(cards - 1, duplicates, fresh, chances - 1, rest, True, missing)
    if rest:
        found += rest * _busts(cards - 1, duplicates, fresh, chances, rest - 1, held, missing)
    return found
