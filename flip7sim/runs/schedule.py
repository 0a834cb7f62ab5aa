"""Line-ups: which strategies meet at a table, and how many games each line-up plays."""

import itertools
import math
import random
from collections.abc import Sequence

from flip7sim.codes import MAX_SEATS
from flip7sim.errors import Flip7Error, suggest

__all__ = ["MAX_LINEUPS", "SCHEDULES", "check_players", "lineups_of", "schedule_of", "share_games"]

#: So many line-ups are played at most; if there are more, a balanced sample of them is (or it is refused).
MAX_LINEUPS = 1000
#: The schedules by name, and what each lets meet.
SCHEDULES = {
    "mixed": "all line-ups of different strategies, or a balanced sample of them",
    "field": "each strategy in the first place of all line-ups of a given field, on the same deals and seats",
    "heads-up": "every pair of strategies at tables of the two, in every split of the seats",
    "invasion": "every pair: one seat of the one among seats of the other",
    "population": "every line-up there can be, strategies repeated or not",
}


def check_players(players: int) -> None:
    """Raise a Flip7Error unless a table can have so many seats (B2)."""
    if not 1 <= players <= MAX_SEATS:
        raise Flip7Error(f"players: {players} seats cannot be played; it must be from 1 to {MAX_SEATS}")


def lineups_of(labels: Sequence[str], players: int, most: int = MAX_LINEUPS) -> list[tuple[int, ...]]:
    """All line-ups of `players` seats in which every strategy sits as equally often as can be.

    With at least as many strategies as seats these are all combinations of distinct strategies. With fewer, each
    strategy takes players // strategies seats, and every combination of strategies takes the seats that are left.

    Parameters
    ----------
    labels : sequence of str
        The strategies; a line-up names them by position, in the order of their labels, so that it does not depend on
        the order in which they were given.
    players : int
        Seats at the table.
    most : int
        If there are more line-ups than this, a sample of about so many in which all strategies sit equally often.

    Returns
    -------
    list of tuple of int
    """
    check_players(players)
    order = sorted(range(len(labels)), key=lambda place: labels[place])
    if len(order) == players:
        return [tuple(order)]
    distinct = [place for rank, place in enumerate(order) if rank == 0 or labels[place] != labels[order[rank - 1]]]
    everyone, extra = divmod(players, len(distinct))
    if math.comb(len(distinct), extra) <= most:
        chosen = [set(pick) for pick in itertools.combinations(range(len(distinct)), extra)]
    else:
        chosen = _sample(len(distinct), extra, most)
    return [
        tuple(place for rank, place in enumerate(distinct) for _ in range(everyone + (rank in pick))) for pick in chosen
    ]


def schedule_of(kind: str, labels: Sequence[str], field: Sequence[str], players: int) -> list[tuple[int, ...]]:
    """The line-ups of a schedule.

    Parameters
    ----------
    kind : str
        One of `SCHEDULES`.
    labels : sequence of str
        The strategies that it is about.
    field : sequence of str
        Those that they are played against; line-ups name them by their position after all of `labels`.
    players : int
        Seats at a table.

    Returns
    -------
    list of tuple of int
        The members of each line-up, by position; a game's seats are dealt out to the places of a line-up, so that
        line-ups that differ in one place differ in one seat.

    Raises
    ------
    Flip7Error
        If there is no such schedule, or it cannot be drawn up from these.
    """
    if kind not in SCHEDULES:
        raise Flip7Error(f"schedule {kind!r} is unknown; {suggest(kind, SCHEDULES)}")
    check_players(players)
    if (kind == "field") != bool(field):
        wrong = "needs a field: name one with against" if kind == "field" else "takes no field: leave against out"
        raise Flip7Error(f"schedule {kind}: it {wrong}")
    if kind == "mixed":
        return lineups_of(labels, players)
    if players < 2:
        raise Flip7Error(f"schedule {kind}: {players} seat leaves nobody to meet; players must be 2 or more")
    order = sorted(range(len(labels)), key=lambda place: labels[place])
    if kind == "field":
        fields = [tuple(len(labels) + place for place in line) for line in lineups_of(field, players - 1)]
        found = [(one, *line) for one in order for line in fields]
    else:
        if len(set(labels)) < 2:
            raise Flip7Error(f"schedule {kind}: it needs two different strategies at least")
        pairs = itertools.combinations(order, 2)
        if kind == "heads-up":
            found = [
                (*[one] * seats, *[other] * (players - seats)) for one, other in pairs for seats in range(1, players)
            ]
        elif kind == "invasion":
            found = [(one, *[other] * (players - 1)) for one, other in itertools.permutations(order, 2)]
        else:
            if math.comb(len(order) + players - 1, players) > MAX_LINEUPS:
                number = math.comb(len(order) + players - 1, players)
                raise Flip7Error(
                    f"schedule {kind}: {number:,} line-ups are too many; {MAX_LINEUPS:,} can be played: name fewer "
                    "strategies, or fewer players"
                )
            found = list(itertools.combinations_with_replacement(order, players))
    return found


def _sample(strategies: int, size: int, most: int) -> list[set[int]]:
    """Different combinations of `size` strategies, the same every time, with all strategies in equally many.

    Each combination that is drawn comes with all its rotations through the list of strategies.
    """
    chance = random.Random(strategies * MAX_SEATS + size)
    picks: dict[frozenset[int], None] = {}
    while not picks or len(picks) + strategies <= most:
        drawn = chance.sample(range(strategies), size)
        for shift in range(strategies):
            picks[frozenset((place + shift) % strategies for place in drawn)] = None
    return [set(pick) for pick in picks]


def share_games(games: int, lineups: int, players: int) -> list[int]:
    """How many of `games` each line-up plays, in whole blocks of `players` games as far as they go.

    A block seats everyone everywhere once, so that all strategies play all seats equally often; what is left over of
    the last block is played by one line-up.
    """
    blocks, rest = divmod(games, players)
    share, more = divmod(blocks, lineups)
    # The line-ups that play a block more are spread over all.
    counts = [players * (share + ((place + 1) * more // lineups - place * more // lineups)) for place in range(lineups)]
    counts[counts.index(min(counts))] += rest
    return counts
