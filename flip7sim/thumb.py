"""What simple rules lose against the best round alone: the best of each family, found by exact evaluation."""

from collections.abc import Callable
from dataclasses import dataclass

from flip7sim.alone import expected_score
from flip7sim.exact.decks import DEFAULT_DECK, Deck
from flip7sim.policy.registry import find
from flip7sim.rows import Rows
from flip7sim.rules import Rules

__all__ = ["FAMILIES", "SimpleRule", "simple_rules"]


@dataclass(frozen=True)
class Grid:
    """The values of a parameter that are tried: from `start` in steps of `step`, not below `low`."""

    start: float
    step: float
    low: float = 0.0


#: Strategies by name with the parameters that are searched. Where a search starts does not matter, but for the time.
FAMILIES: dict[str, dict[str, Grid]] = {
    "line-sum": {"total": Grid(25, 1), "plus": Grid(0.5, 0.5), "six": Grid(10, 5)},
    "expected-gain": {},
    "bust-limit": {"p": Grid(0.22, 0.01)},
    "stop-at": {"score": Grid(27, 1)},
    "stop-at-cards": {"count": Grid(3, 1, 1)},
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
    """

    strategy: str
    expected_score: float


def simple_rules(
    deck: str | Deck = DEFAULT_DECK,
    rules: Rules | str = "fr-2.0",
    jobs: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Rows[SimpleRule]:
    """The best rule of each family in `FAMILIES`, the best family first.

    The parameters are changed one at a time, a step up or down, as long as that is better: what is found is better than
    all that differ from it by one step in one parameter.

    Parameters
    ----------
    deck, rules, jobs, progress
        As in `flip7sim.alone.evaluate`.

    Returns
    -------
    list of SimpleRule
        Its `table` is a DataFrame.
    """

    def search(name: str, grids: dict[str, Grid]) -> SimpleRule:
        known: dict[tuple[int, ...], float] = {}

        def spec(place: tuple[int, ...]) -> str:
            values = (
                f"{p}={round(g.start + at * g.step, 6):g}" for (p, g), at in zip(grids.items(), place, strict=True)
            )
            return f"{name}({','.join(values)})"

        def score(place: tuple[int, ...]) -> float:
            if place not in known:
                known[place] = expected_score(spec(place), deck, rules, jobs, progress)
            return known[place]

        here = (0,) * len(grids)
        while True:
            near = [here]
            for which, grid in enumerate(grids.values()):
                for way in (1, -1):
                    place = (*here[:which], here[which] + way, *here[which + 1 :])
                    if grid.start + place[which] * grid.step >= grid.low:
                        near.append(place)
            best = max(near, key=score)
            if best == here:
                return SimpleRule(find(spec(here)).label, score(here))
            here = best

    found = [search(name, grids) for name, grids in FAMILIES.items()]
    return Rows(sorted(found, key=lambda rule: -rule.expected_score))
