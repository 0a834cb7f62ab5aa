"""What a strategy sees, how one is declared, found, compiled and checked.

A strategy file can take all of this from `flip7sim` itself: ``from flip7sim import strategy, bust_chance``.
"""

from flip7sim.codes import Question, Status
from flip7sim.engine.records import seat_at
from flip7sim.policy.declare import Parameter, Strategy, strategy
from flip7sim.policy.targeting import TARGETING, aim
from flip7sim.policy.vengeance import exchange_of, place_of, score_after
from flip7sim.policy.view import bust_chance, cards_left, chance_of, count_of, expected_gain, uniform

__all__ = [
    "TARGETING",
    "Parameter",
    "Question",
    "Status",
    "Strategy",
    "aim",
    "bust_chance",
    "cards_left",
    "chance_of",
    "count_of",
    "exchange_of",
    "expected_gain",
    "place_of",
    "score_after",
    "seat_at",
    "strategy",
    "uniform",
]
