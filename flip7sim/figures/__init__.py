"""Pictures: functions that take a DataFrame and, if there is one already, the Axes to draw on, and return the Axes.

Each module is one family of pictures; `style` is what they have in common. The DataFrames have the columns of the files
that the commands write. Nothing is drawn through pyplot, so there is no global state, and no display is needed.
"""

from flip7sim.figures.curves import curve, surface
from flip7sim.figures.meetings import head_to_head, invasions, response_map
from flip7sim.figures.odds import bust_odds
from flip7sim.figures.races import race
from flip7sim.figures.replies import best_by_lead, best_by_players
from flip7sim.figures.scores import round_scores
from flip7sim.figures.seats import seat_differences, win_rate_by_seat
from flip7sim.figures.standings import risk_and_reward, standings
from flip7sim.figures.style import add_caption

__all__ = [
    "add_caption",
    "best_by_lead",
    "best_by_players",
    "bust_odds",
    "curve",
    "head_to_head",
    "invasions",
    "race",
    "response_map",
    "risk_and_reward",
    "round_scores",
    "seat_differences",
    "standings",
    "surface",
    "win_rate_by_seat",
]
