"""flip7sim: the press-your-luck card game Flip 7, simulated by the letter of its rules.

The public functions, each of which a command of the command line calls:

- `tournament`: strategies against each other, with tables as DataFrames
- `merge`: runs of one experiment with different seeds, made one
- `sweep`: a strategy for every value of a parameter or two
- `best_response`: the parameters that win most against a field, and the equilibrium
- `replay`: a replay file played and checked
- `simulated_game`: one game of a run, told or written as a replay file
- `odds`, `evaluate`, `expected_score`, `solve`, `solve_rounds`, `simple_rules`: the next card, and a round played
  alone, exactly
- `verify`: Monte Carlo against the exact solver
- `plot`: every picture that a saved result allows; `figures`: one at a time, from DataFrames
- `report`: a saved result as one HTML page
- `bench`: how fast games are played
- `check`: the contract of a strategy, tested
- `Rules`: rule sets
- `strategy`, `find`: declaring a strategy, finding one; and what a strategy can ask: `bust_chance`, `expected_gain`,
  `count_of`, `chance_of`, `cards_left`, `seat_at`, `aim`, `uniform`, and in Vengeance `score_after`, `place_of`,
  `exchange_of` (see `flip7sim.policy`)

They are imported when they are first used, since the engine's compiler takes a while to wake up.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flip7sim import figures
    from flip7sim.alone import Alone, evaluate, expected_score, solve, solve_rounds
    from flip7sim.benchmark import bench
    from flip7sim.errors import Flip7Error, StrategyError
    from flip7sim.gallery import plot
    from flip7sim.merging import merge
    from flip7sim.next_card import Odds, odds
    from flip7sim.pages.page import report
    from flip7sim.policy import (
        Strategy,
        aim,
        bust_chance,
        cards_left,
        chance_of,
        count_of,
        exchange_of,
        expected_gain,
        place_of,
        score_after,
        seat_at,
        strategy,
        uniform,
    )
    from flip7sim.policy.check import check
    from flip7sim.policy.registry import find
    from flip7sim.replays import ReplayResult, replay
    from flip7sim.replays.simulated import SimulatedGame, simulated_game
    from flip7sim.rules import Rules
    from flip7sim.sweeps.play import Sweep, sweep
    from flip7sim.sweeps.responses import Responses, best_response
    from flip7sim.thumb import simple_rules
    from flip7sim.tournaments import Tournament, tournament
    from flip7sim.verification import Comparison, verify

__all__ = [
    "Alone",
    "Comparison",
    "Flip7Error",
    "Odds",
    "ReplayResult",
    "Responses",
    "Rules",
    "SimulatedGame",
    "Strategy",
    "StrategyError",
    "Sweep",
    "Tournament",
    "aim",
    "bench",
    "best_response",
    "bust_chance",
    "cards_left",
    "chance_of",
    "check",
    "count_of",
    "evaluate",
    "exchange_of",
    "expected_gain",
    "expected_score",
    "figures",
    "find",
    "merge",
    "odds",
    "place_of",
    "plot",
    "replay",
    "report",
    "score_after",
    "seat_at",
    "simple_rules",
    "simulated_game",
    "solve",
    "solve_rounds",
    "strategy",
    "sweep",
    "tournament",
    "uniform",
    "verify",
]

_HOMES = {
    "Alone": "alone",
    "Odds": "next_card",
    "odds": "next_card",
    "evaluate": "alone",
    "solve": "alone",
    "expected_score": "alone",
    "solve_rounds": "alone",
    "simple_rules": "thumb",
    "Flip7Error": "errors",
    "StrategyError": "errors",
    "merge": "merging",
    "plot": "gallery",
    "report": "pages.page",
    "ReplayResult": "replays.run",
    "replay": "replays.run",
    "SimulatedGame": "replays.simulated",
    "simulated_game": "replays.simulated",
    "Rules": "rules",
    "Strategy": "policy.declare",
    "strategy": "policy.declare",
    "aim": "policy",
    "bust_chance": "policy",
    "cards_left": "policy",
    "chance_of": "policy",
    "count_of": "policy",
    "exchange_of": "policy",
    "expected_gain": "policy",
    "place_of": "policy",
    "score_after": "policy",
    "seat_at": "policy",
    "uniform": "policy",
    "check": "policy.check",
    "find": "policy.registry",
    "Responses": "sweeps.responses",
    "best_response": "sweeps.responses",
    "Sweep": "sweeps.play",
    "sweep": "sweeps.play",
    "Tournament": "tournaments",
    "tournament": "tournaments",
    "bench": "benchmark",
    "Comparison": "verification",
    "verify": "verification",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name == "figures":
        return importlib.import_module("flip7sim.figures")
    if name not in _HOMES:
        raise AttributeError(f"module 'flip7sim' has no attribute {name!r}")
    return getattr(importlib.import_module(f"flip7sim.{_HOMES[name]}"), name)
