"""Totals that the seats of a game begin with: read, checked, and dealt out to the places of a line-up."""

import itertools
import re
from collections.abc import Iterable, Sequence

from flip7sim.errors import Flip7Error
from flip7sim.rules import Rules

__all__ = ["MOST", "Totals", "check_totals", "placed", "read_totals"]

#: A total for each seat; none: all begin with nothing.
Totals = tuple[int, ...]
#: So many standings at most are read from one text.
MOST = 100


def read_totals(text: str) -> list[Totals]:
    """All standings that a text names.

    Parameters
    ----------
    text : str
        A total for each seat with commas or blanks between, as `150,140,60`; one may be `first:last` or
        `first:last:step`, which makes a standing for each of its values.

    Returns
    -------
    list of tuple of int

    Raises
    ------
    Flip7Error
        If it cannot be read.
    """
    wrong = Flip7Error(f"totals: {text!r} cannot be read; write one for each seat, for instance 150,140,60")
    seats: list[Sequence[int]] = []
    try:
        for part in re.split(r"\s*,\s*|\s+", text.strip()):
            first, *rest = (int(end) for end in part.split(":"))
            last, step = (*rest, 1)[:2] if rest else (first, 1)
            if len(rest) > 2 or step < 1 or last < first:
                raise wrong
            seats.append(range(first, last + 1, step))
    except ValueError:
        raise wrong from None
    count = 1
    for values in seats:
        count *= len(values)
    if count > MOST:
        raise Flip7Error(f"totals: {count:,} standings are too many; it must be {MOST} or fewer: take larger steps")
    return list(itertools.product(*seats))


def check_totals(totals: Iterable[int], players: int, rules: Rules) -> Totals:
    """The totals of a table, if a game can begin with them (B26, V46).

    Raises
    ------
    Flip7Error
        If there is not one for each seat, or one is out of range.
    """
    totals = tuple(int(total) for total in totals)
    if totals and len(totals) != players:
        raise Flip7Error(f"totals: {len(totals)} are given for {players} seats; write one for each seat")
    low = -10_000 if rules.score_floor == "none" or rules.flip7_penalty else 0
    for total in totals:
        if not low <= total < rules.target_score:
            raise Flip7Error(
                f"totals: a game cannot begin with {total}; it must be from {low} to {rules.target_score - 1}, "
                "one less than what ends a game"
            )
    return totals


def placed(totals: Totals, labels: Sequence[str]) -> Totals:
    """Totals in the order of a line-up, which has its members in the order of their labels.

    Parameters
    ----------
    totals : tuple of int
        In the order in which the strategies were named.
    labels : sequence of str
        The strategies: one for each total, or a single one for all.

    Raises
    ------
    Flip7Error
        If it is not said whose total is whose.
    """
    if len(labels) == 1:
        return totals
    if len(labels) != len(totals):
        seats = f"{len(totals)} seat{'s' if len(totals) > 1 else ''}"
        raise Flip7Error(
            f"totals: {seats} and {len(labels)} strategies do not say whose total is whose; name a strategy for each "
            "seat, or one for all"
        )
    return tuple(totals[place] for place in sorted(range(len(labels)), key=lambda place: labels[place]))
