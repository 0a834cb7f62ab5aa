"""What simple rules lose against the best round alone: the best of each family, found by exact evaluation."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from flip7sim.alone import expected_score
from flip7sim.exact.decks import DEFAULT_DECK, Deck
from flip7sim.policy.registry import find
from flip7sim.rows import Rows
from flip7sim.rules import Rules

__all__ = ["FAMILIES", "SimpleRule", "simple_rules"]

#: Steps from the start, by parameter.
Place = tuple[int, ...]


@dataclass(frozen=True)
class Grid:
    """The values of a parameter that are tried: from `start` in steps of `step`, not below `low`."""

    start: float
    step: float
    low: float = 0.0

    def at(self, steps: int) -> float:
        """The value so many steps from the start."""
        return round(self.start + steps * self.step, 6)


@dataclass(frozen=True)
class Family:
    """Rules that differ in numbers only: the parameters that are searched, and what a rule says, with these in it."""

    grids: dict[str, Grid]
    words: str


#: Strategies by name. Where a search starts does not matter, but for the time.
FAMILIES: dict[str, Family] = {
    "line-sum": Family(
        {"total": Grid(25, 1), "plus": Grid(0.5, 0.5), "six": Grid(10, 5)},
        "add up the number cards, and the plus cards times {plus}: stay from {total} on, with six number cards only "
        "{six} later; leave x2 out of account, and with a Second Chance always hit",
    ),
    "expected-gain": Family({}, "stay once the next card takes more than it adds, on average"),
    "bust-limit": Family({"p": Grid(0.22, 0.01)}, "stay once the next card busts with a chance above {p}"),
    "stop-at": Family({"score": Grid(27, 1)}, "stay once {score} points would be banked"),
    "stop-at-cards": Family({"count": Grid(3, 1, 1)}, "stay with {count} number cards"),
}


@dataclass(frozen=True)
class SimpleRule:
    """The best rule of a family.

    Attributes
    ----------
    strategy : str
        Its label.
    expected_score : float
        Of a round alone; exact.
    words : str
        What it says.
    """

    strategy: str
    expected_score: float
    words: str


def simple_rules(
    deck: str | Deck = DEFAULT_DECK,
    rules: Rules | str = "fr-2.0",
    jobs: int | None = None,
    progress: Callable[[int, int, str], object] | None = None,
) -> Rows[SimpleRule]:
    """The best rule of each family in `FAMILIES`, the best family first.

    The parameters are changed one at a time, a step up or down, as long as that is better: what is found is better than
    all that differ from it by one step in one parameter. Every rule that is tried is kept on disk: a search that was
    interrupted goes on where it was. With the whole deck it tries some twenty, in minutes.

    Parameters
    ----------
    deck, rules, jobs
        As in `flip7sim.alone.evaluate`.
    progress : callable, optional
        Called with how many steps are done and how many there are for a rule that is tried, and with the rule.

    Returns
    -------
    list of SimpleRule
        Its `table` is a DataFrame.
    """

    def search(name: str, family: Family) -> SimpleRule:
        grids = family.grids

        def values(place: Place) -> dict[str, str]:
            return {p: f"{g.at(steps):g}" for (p, g), steps in zip(grids.items(), place, strict=True)}

        def rule(place: Place) -> str:
            return f"{name}({','.join(f'{p}={value}' for p, value in values(place).items())})"

        @cache
        def score(place: Place) -> float:
            def tell(done: int, steps: int) -> None:
                if progress:
                    progress(done, steps, rule(place))

            return expected_score(rule(place), deck, rules, jobs, tell)

        here = (0,) * len(grids)
        while (there := _climb(here, [*grids.values()], score)) != here:
            here = there
        return SimpleRule(find(rule(here)).label, score(here), family.words.format(**values(here)))

    found = [search(name, family) for name, family in FAMILIES.items()]
    return Rows(sorted(found, key=lambda rule: -rule.expected_score))


def _climb(here: Place, grids: list[Grid], score: Callable[[Place], float]) -> Place:
    """Change one parameter after the other, as long as that is better."""
    for which, grid in enumerate(grids):
        for way in (1, -1):
            while True:
                place = (*here[:which], here[which] + way, *here[which + 1 :])
                if grid.at(place[which]) < grid.low or score(place) <= score(here):
                    break
                here = place
    return here
