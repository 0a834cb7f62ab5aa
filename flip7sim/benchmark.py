"""How fast games are played."""

import time
from collections.abc import Iterable
from typing import Any

from flip7sim.policy.declare import Strategy
from flip7sim.policy.registry import Entrant
from flip7sim.rules import Rules
from flip7sim.runs.simulate import prepare, simulate
from flip7sim.tournaments import DEFAULT_SEED, plan

__all__ = ["DEFAULT_STRATEGY", "bench"]

DEFAULT_STRATEGY = "stop-at(score=28)"
WARM_UP_GAMES = 1000


def bench(
    strategies: Iterable[str | Strategy | Entrant] = (DEFAULT_STRATEGY,),
    players: int = 4,
    games: int = 1_000_000,
    jobs: int = 1,
    seed: int = DEFAULT_SEED,
    rules: Rules | str = "fr-2.0",
) -> dict[str, Any]:
    """Play games and take the time, through the door that tournaments take.

    Parameters
    ----------
    strategies, players, games, jobs, seed, rules
        As in `flip7sim.tournaments.tournament`.

    Returns
    -------
    dict
        `games`, `cards`, `cpu_seconds`, `wall_seconds`, `games_per_cpu_second`, `games_per_second`,
        `nanoseconds_per_card`, `jobs`, `players`, `strategies`, and `compile_seconds`: what came before, compiling
        or loading what was compiled before.
    """
    start = time.perf_counter()
    what = plan(strategies, players, games, seed, rules)
    prepare(what)
    simulate(plan(strategies, players, WARM_UP_GAMES, seed, rules), jobs)
    compile_seconds = time.perf_counter() - start
    wall, cpu = time.perf_counter(), time.process_time()
    counts = simulate(what, jobs)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    if counts.interrupted:
        raise KeyboardInterrupt
    cards = int(counts.sheet.games[:, 3].sum())
    return {
        "strategies": [entrant.label for entrant in what.entrants],
        "players": players,
        "games": counts.games,
        "cards": cards,
        "cpu_seconds": cpu,
        "wall_seconds": wall,
        "games_per_cpu_second": counts.games / cpu,
        "games_per_second": counts.games / wall,
        "nanoseconds_per_card": 1e9 * cpu / cards if cards else None,
        "jobs": jobs,
        "compile_seconds": compile_seconds,
    }
