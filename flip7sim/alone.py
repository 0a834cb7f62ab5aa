"""Rounds played alone, exactly: what a strategy makes of a round, and the best there is.

One seat, a fresh deck, no opening deal; with nothing in front it must hit. A Freeze and a Flip Three hit the seat
itself, an extra Second Chance is discarded; in Vengeance there are no actions, and modifiers are kept. Nothing here is
estimated.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from flip7sim.engine.cache import cache_folder, digest
from flip7sim.errors import Flip7Error
from flip7sim.exact.decks import DEFAULT_DECK, Deck, deck_of
from flip7sim.exact.distribution import Distribution
from flip7sim.exact.round import Round
from flip7sim.exact.rounds import fewest_rounds
from flip7sim.exact.store import Answer, remembered, remembered_array, solver_sources
from flip7sim.exact.vengeance_decks import VengeanceDeck
from flip7sim.exact.vengeance_round import VengeanceRound, vengeance_round_of
from flip7sim.policy.alone import decisions
from flip7sim.policy.best_round import pack
from flip7sim.policy.declare import Strategy
from flip7sim.policy.entries import source_hash
from flip7sim.policy.registry import Entrant, find_all
from flip7sim.policy.vengeance_alone import decisions_in_vengeance
from flip7sim.rows import Rows
from flip7sim.rules import Rules
from flip7sim.runs.simulate import available_jobs

__all__ = [
    "DEFAULT_STRATEGIES",
    "Alone",
    "base_round_of",
    "evaluate",
    "expected_score",
    "round_of",
    "solve",
    "solve_rounds",
]

DEFAULT_STRATEGIES = ("stop-at(score=23)", "stop-at-cards(count=4)", "bust-limit(p=0.3)", "expected-gain")
MAX_SIZE = 7
#: What the axes of `Distribution.visits` after the first stand for, by game.
_KINDS = {"base": ("second_chance", "times_two"), "vengeance": ("unlucky7", "halved")}
Floats = npt.NDArray[np.float64]
Progress = Callable[[int, int], object]
AnyDeck = Deck | VengeanceDeck


@dataclass(frozen=True)
class Alone:
    """What comes of a round alone.

    Attributes
    ----------
    strategy : str
        Label of the strategy, or ``best`` for the best there is.
    deck : str
        Name of the deck.
    distribution : Distribution
        Everything about the round.
    decisions : bytes
        Of the best there is: all decisions as a compact table (see `flip7sim.policy.best_round`); not in Vengeance.
    game : str
        ``base`` or ``vengeance``.
    """

    strategy: str
    deck: str
    distribution: Distribution
    decisions: bytes = b""
    game: str = "base"

    @property
    def summary(self) -> dict[str, Any]:
        """The main figures: a row of the table."""
        found = self.distribution
        return {
            "strategy": self.strategy,
            "deck": self.deck,
            "expected_score": found.expected_score,
            "sd": found.sd,
            "bust": found.bust,
            "flip7": found.flip7,
            "frozen": found.frozen,
            "decisions": found.decisions,
            "rounds_to_200": found.expected_rounds(200),
        }

    @property
    def scores(self) -> Rows[dict[str, Any]]:
        """The chance of each round score."""
        return Rows(
            {"strategy": self.strategy, "deck": self.deck, "score": score, "chance": float(chance)}
            for score, chance in enumerate(self.distribution.scores)
            if chance > 0
        )

    @property
    def rounds(self) -> Rows[dict[str, Any]]:
        """The chance to have 200 points after exactly so many independent rounds."""
        return Rows(
            {"strategy": self.strategy, "deck": self.deck, "rounds": rounds, "chance": float(chance)}
            for rounds, chance in enumerate(self.distribution.rounds_to(), 1)
            if chance > 0
        )

    @property
    def stops(self) -> Rows[dict[str, Any]]:
        """From which score on it stays, by number cards, Second Chance and x2 held: the best single score for each.

        In Vengeance by number cards, Unlucky 7 and /2 held.

        `disagree` is how often, of 100 such decisions, that score decides otherwise than the strategy does.
        """
        rows = Rows[dict[str, Any]]()
        visits = self.distribution.visits
        for cards, held, doubled in np.ndindex(visits.shape[:3]):
            stays, hits = visits[cards, held, doubled].T
            total = float(stays.sum() + hits.sum())
            if total < 1e-12:
                continue
            # Staying from score s on is wrong where the strategy stays below s, or hits from s on.
            wrong = np.concatenate([[0.0], np.cumsum(stays)]) + np.concatenate([np.cumsum(hits[::-1])[::-1], [0.0]])
            best = int(np.argmin(wrong))
            never = best == len(stays) or float(stays[best:].sum()) == 0.0
            rows.append(
                {
                    "number_cards": cards,
                    **dict(zip(_KINDS[self.game], (bool(held), bool(doubled)), strict=True)),
                    "stay_from": None if never else best,
                    "decisions": total,
                    "disagree": 100 * float(wrong[best]) / total,
                }
            )
        return rows


def round_of(deck: str | AnyDeck | None, rules: Rules | str = "fr-2.0") -> Round | VengeanceRound:
    """The round that is played alone under some rules.

    Of the rules only the Flip Three's Second Chance (B18), the size of a Flip 7 and its bonus matter, and in Vengeance
    what two 13 count.

    Raises
    ------
    Flip7Error
        If there is no such deck, or the rules ask for more than the solver can do.
    """
    rules = Rules.of(rules) if isinstance(rules, str) else rules
    if rules.game != "vengeance":
        return base_round_of(deck, rules)
    if isinstance(deck, Deck):
        raise Flip7Error(f"deck {deck.name!r} is one of the base game; the rules are those of {rules.preset}")
    return vengeance_round_of(deck, rules)


def base_round_of(deck: str | AnyDeck | None, rules: Rules) -> Round:
    """The round of the base game (see `round_of`)."""
    if isinstance(deck, VengeanceDeck):
        raise Flip7Error(f"deck {deck.name!r} is one of Vengeance; the rules are those of {rules.preset}")
    if rules.flip7_size > MAX_SIZE:
        raise Flip7Error(f"flip7_size: {rules.flip7_size} cannot be solved exactly; it must be {MAX_SIZE} or less")
    if rules.decks not in ("auto", 1):
        raise Flip7Error(f"decks: {rules.decks} cannot be solved exactly; it must be 1")
    if not isinstance(deck, Deck):
        deck = deck_of(deck or DEFAULT_DECK)
    return Round(deck, rules.flip3_second_chance, rules.flip7_size, rules.flip7_bonus)


def evaluate(
    strategies: Iterable[str | Strategy | Entrant] = DEFAULT_STRATEGIES,
    deck: str | AnyDeck | None = None,
    rules: Rules | str = "fr-2.0",
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Rows[Alone]:
    """What strategies make of a round alone, exactly.

    Parameters
    ----------
    strategies : iterable of str, Strategy or Entrant
        Jitted strategies whose answer is a function of their own hand, or of the cards that have not been seen.
    deck : str, Deck or VengeanceDeck, optional
        ``numbers``, ``modifiers``, ``second-chance`` (the default) or ``full``; in Vengeance ``numbers`` (the default)
        or ``modifiers``.
    rules : Rules or str
        See `round_of`.
    jobs : int, optional
        Threads; all processors by default.
    progress : callable, optional
        Called with how many steps are done, and how many there are, for each strategy.

    Returns
    -------
    list of Alone
        Its `table` is a DataFrame of the main figures.

    Raises
    ------
    Flip7Error
        If a strategy cannot be evaluated, or there is no such deck.
    """
    alone = round_of(deck, rules)
    threads = jobs or available_jobs()
    found = Rows[Alone]()
    for entrant in find_all(strategies):

        def work_out(entrant: Entrant = entrant) -> Answer:
            distribution = alone.evaluate(_hits(alone, entrant, threads), threads, progress)
            return Answer(distribution.expected_score, distribution)

        answer = remembered(_place(alone, *_key(entrant)), work_out)
        found.append(Alone(entrant.label, alone.deck.name, answer.distribution, game=_game(alone)))
    return found


def expected_score(
    strategy: str | Strategy | Entrant,
    deck: str | AnyDeck | None = None,
    rules: Rules | str = "fr-2.0",
    jobs: int | None = None,
    progress: Progress | None = None,
) -> float:
    """The expected score of a strategy's round alone, and no more: several times quicker than `evaluate`.

    Parameters
    ----------
    strategy
        One of the strategies that `evaluate` takes.
    deck, rules, jobs, progress
        As there.

    Returns
    -------
    float
        Points.

    Raises
    ------
    Flip7Error
        As there.
    """
    alone = round_of(deck, rules)
    threads = jobs or available_jobs()
    (entrant,) = find_all([strategy])

    def work_out() -> Floats:
        if isinstance(alone, VengeanceRound):  # there the hands that come up are a few of all
            return np.array([alone.evaluate(_hits(alone, entrant, threads), threads, progress).expected_score])
        return np.array([alone.value(_hits(alone, entrant, threads), threads, progress)])

    return float(remembered_array(_place(alone, "expected score", *_key(entrant)), work_out)[0])


def _key(entrant: Entrant) -> tuple[str, str]:
    """What the decisions of a strategy depend on."""
    return source_hash(entrant.strategy), repr(entrant.codes)


def _game(alone: Round | VengeanceRound) -> str:
    return "vengeance" if isinstance(alone, VengeanceRound) else "base"


def _hits(alone: Round | VengeanceRound, entrant: Entrant, threads: int) -> Callable[[Any], npt.NDArray[np.uint8]]:
    """The decisions of a strategy, by Flip Threes played; in Vengeance by phase."""
    if not entrant.strategy.jit:
        raise Flip7Error(f"strategy {entrant.label} is plain Python: to evaluate it exactly it must be jitted")
    if isinstance(alone, VengeanceRound):
        return partial(decisions_in_vengeance, entrant, alone.rules, alone.deck.copies)
    cards = alone.deck
    actions = (cards.second_chances, cards.freezes, cards.flip_threes)
    about = (alone.size, alone.bonus, alone.modifiers, alone.second_chance == "immediate", threads)
    return lambda played: decisions(
        entrant, alone.lines, cards.numbers, cards.modifiers, actions, played, *about
    )  # fmt: skip


def _place(alone: Round | VengeanceRound, *key: str) -> Path:
    """Where an answer about a round is kept."""
    if isinstance(alone, VengeanceRound):
        about: tuple[object, ...] = (alone.deck, alone.rules)
    else:
        about = (alone.deck, alone.second_chance, alone.size, alone.bonus)
    return cache_folder() / f"alone_{digest(solver_sources(), repr(about), *key)}.npz"


def solve(
    deck: str | AnyDeck | None = None,
    rules: Rules | str = "fr-2.0",
    jobs: int | None = None,
    progress: Progress | None = None,
) -> tuple[float, Alone]:
    """The best expected score of a round alone, and what comes of playing for it.

    Parameters
    ----------
    deck, rules, jobs, progress
        As in `evaluate`.

    Returns
    -------
    value : float
        The best expected score, by backward induction.
    best : Alone
        What comes of the decisions that reach it, worked out forward: its expected score is the same number.
    """
    alone = round_of(deck, rules)
    threads = jobs or available_jobs()

    def work_out() -> Answer:
        if isinstance(alone, VengeanceRound):
            return Answer(*alone.solve(threads, progress))
        best = alone.solve(threads, progress)
        distribution = alone.evaluate(best.hits.__getitem__, threads, progress)
        return Answer(best.value, distribution, pack(alone.lines, alone.deck.numbers, alone.modifiers, best.hits))

    answer = remembered(_place(alone, "best"), work_out)
    return answer.value, Alone("best", alone.deck.name, answer.distribution, answer.decisions, _game(alone))


def solve_rounds(
    deck: str | AnyDeck | None = None, rules: Rules | str = "fr-2.0", progress: Progress | None = None
) -> Floats:
    """The fewest expected rounds to the rules' target score, alone, with a fresh deck each round.

    Parameters
    ----------
    deck, rules
        As in `solve`; only decks without actions are quick enough.
    progress : callable, optional
        Called with how many totals are done, and how many there are.

    Returns
    -------
    float64 array (target + 1,)
        The expected number of rounds by points that are still needed.

    Raises
    ------
    Flip7Error
        If the deck has actions, or the game is Vengeance.
    """
    rules = Rules.of(rules) if isinstance(rules, str) else rules
    if rules.game == "vengeance":
        raise Flip7Error(f"rules {rules.preset}: the fewest rounds are worked out for the base game only")
    alone = base_round_of(deck, rules)
    cards = alone.deck
    if cards.second_chances or cards.freezes or cards.flip_threes:
        raise Flip7Error(
            f"deck {cards.name!r} cannot be solved for the fewest rounds: that takes a deck without actions, "
            "numbers or modifiers"
        )
    target = rules.target_score
    return remembered_array(_place(alone, "rounds", str(target)), lambda: fewest_rounds(alone, target, progress))
