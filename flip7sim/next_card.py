"""The odds of the next card, and what is best from here on, alone at the table: exactly."""

from dataclasses import dataclass
from typing import Any

from flip7sim.alone import Progress, base_round_of
from flip7sim.cards import BASE_CARDS
from flip7sim.exact.hands import Hand, parse_cards
from flip7sim.exact.round import Round
from flip7sim.exact.vengeance_hands import VengeanceOdds, vengeance_odds
from flip7sim.rows import Rows
from flip7sim.rules import Rules
from flip7sim.runs.backends import available_jobs

__all__ = ["Odds", "odds"]


@dataclass(frozen=True)
class Odds:
    """What the next card may bring to a hand; every number is exact.

    Attributes
    ----------
    hand : Hand
        The hand, and what else was seen.
    go_on : float
        The expected score of taking a card, and going on as well as can be, alone at the table.
    immediate : bool
        Whether a Second Chance in a Flip Three is usable at once (B18).
    """

    hand: Hand
    go_on: float
    immediate: bool = False

    @property
    def summary(self) -> dict[str, Any]:
        """The main figures."""
        return {
            "second_chance": self.hand.held,
            "bust": float(self.hand.bust()),
            "bust_flip_three": float(self.hand.flip_three_busts(self.immediate)),
            "flip7": float(self.hand.flip7()),
            "stop_now": self.hand.score,
            "one_card": float(self.hand.after_one_card()),
            "go_on": self.go_on,
            "better": "hit" if self.go_on > self.hand.score else "stay",
        }

    @property
    def cards(self) -> Rows[dict[str, Any]]:
        """The chance of each kind of card."""
        names = BASE_CARDS.names
        left = self.hand.left
        return Rows(
            {"card": names[card], "left": left[card], "chance": float(chance)}
            for card, chance in self.hand.chances().items()
        )


def odds(
    hand: str = "",
    seen: str = "",
    rules: Rules | str = "fr-2.0",
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Rows[Odds] | Rows[VengeanceOdds]:
    """The odds of the next card, and what is best alone at the table, without a Second Chance in hand and with one.

    In Vengeance what is best is not worked out: with actions it is not known exactly.

    Parameters
    ----------
    hand : str
        What lies in front of the seat, like ``3 8 12 +4``.
    seen : str
        What else has been seen since the last shuffle; nothing, for a player who does not count cards.
    rules : Rules or str
        See `round_of`.
    jobs, progress
        As in `evaluate`.

    Returns
    -------
    list of Odds, or of VengeanceOdds
        For the hand without a Second Chance and with one (if one can be had); the hand as it was given comes first. In
        Vengeance just for the hand. Its `table` is a DataFrame.

    Raises
    ------
    Flip7Error
        If there can be no such hand.
    """
    rules = Rules.of(rules) if isinstance(rules, str) else rules
    if rules.game == "vengeance":
        return Rows([vengeance_odds(hand, seen, rules)])
    base = base_round_of("full", rules)
    given = Hand(parse_cards(hand, "hand"), parse_cards(seen, "seen"), base.size, base.bonus)
    plain = given.with_second_chance(False)
    plain.chances()  # see that there is a card
    alone = Round(plain.deck, base.second_chance, base.size, base.bonus, plain.numbers, plain.row)
    best = alone.solve(jobs or available_jobs(), progress)
    immediate = rules.flip3_second_chance == "immediate"
    found = Rows([Odds(plain, best.value, immediate)])
    if best.with_second_chance is not None:
        found.append(Odds(plain.with_second_chance(True), best.with_second_chance, immediate))
    return Rows(reversed(found)) if given.held else found
