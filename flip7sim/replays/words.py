"""What the cards are called when people are told about them."""

from flip7sim.cards import (
    DISCARD,
    FLIP_FOUR,
    FLIP_THREE,
    FREEZE,
    JUST_ONE_MORE,
    LUCKY_13,
    SECOND_CHANCE,
    STEAL,
    SWAP,
    TIMES_TWO,
    UNLUCKY_7,
    ZERO,
    CardSet,
)

__all__ = ["card_name", "the_card", "with_article"]

_PEOPLE = {
    "base": {FREEZE: "Freeze", FLIP_THREE: "Flip Three", SECOND_CHANCE: "Second Chance", TIMES_TWO: "×2"},
    "vengeance": {
        ZERO: "The Zero",
        LUCKY_13: "Lucky 13",
        UNLUCKY_7: "Unlucky 7",
        JUST_ONE_MORE: "Just One More",
        FLIP_FOUR: "Flip Four",
        SWAP: "Swap",
        STEAL: "Steal",
        DISCARD: "Discard",
    },
}
#: The special numbers of Vengeance: a deck has one of each.
_SPECIAL = (ZERO, LUCKY_13, UNLUCKY_7)


def card_name(cards: CardSet, card: int) -> str:
    """The card's name."""
    return _PEOPLE[cards.game].get(card, cards.names[card].replace("-", "−").replace("/", "÷"))


def with_article(cards: CardSet, card: int) -> str:
    """The card's name, as one of its kind."""
    if cards.game == "vengeance" and card in _SPECIAL:
        return the_card(cards, card)
    return f"{'an' if card in (8, 11) else 'a'} {card_name(cards, card)}"


def the_card(cards: CardSet, card: int) -> str:
    """The card's name, as that of a certain card."""
    name = card_name(cards, card)
    return name if name.startswith("The ") else f"the {name}"
