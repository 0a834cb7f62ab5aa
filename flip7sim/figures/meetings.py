"""Who beats whom."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from flip7sim.figures.style import brightness, heat_map, new_axes, styled, text_colour, wrapped
from flip7sim.statistics import Z95, effective_size, wilson

__all__ = ["head_to_head"]

#: With more strategies the numbers would be too small to read.
NUMBERED = 9


@styled
def head_to_head(lineups: pd.DataFrame, summary: pd.DataFrame, players: int, ax: Axes | None = None) -> Axes:
    """How often each strategy (rows) wins at the tables where another one (columns) sits too.

    Columns are numbered as the rows are. A dot, or the sign = behind a number, marks what cannot be told from an even
    share of the wins: the 95 % interval holds it.

    Parameters
    ----------
    lineups : DataFrame
        As in `lineups.csv`.
    summary : DataFrame
        As in `summary.csv`: the order of the strategies, and what their games are worth, since games that share a deal
        are not independent.
    players : int
        Seats at a table.
    ax : Axes, optional
        Where to draw.

    Returns
    -------
    Axes
    """
    labels = list(summary["strategy"])
    worth = [
        effective_size(rate, error, games, games) / games
        for rate, error, games in zip(summary["win_rate"], summary["win_rate_se"], summary["games"], strict=True)
    ]
    wins, games = _meetings(lineups, labels)
    with np.errstate(invalid="ignore"):
        rates = wins / games
    even = 1 / players
    ax = new_axes(ax, max(2.6, 1.4 + 0.4 * len(labels)))
    limit = float(np.nanmax(np.abs(rates - even), initial=0.0)) or even
    low, high = 100 * (even - limit), 100 * (even + limit)
    label = f"games won (%); even is {100 * even:.3g}"
    cells = heat_map(ax, 100 * rates, label, cmap="PuOr", vmin=low, vmax=high)
    for row, column in np.argwhere(games > 0):
        low, high = wilson(rates[row, column], games[row, column] * worth[row])
        level = low <= even <= high
        colour = text_colour(brightness(cells.cmap(cells.norm(100 * rates[row, column]))))
        if len(labels) <= NUMBERED:
            error = 100 * (high - low) / 2 / Z95
            text = f"{100 * rates[row, column]:.1f}{' =' if level else ''}\n± {error:.1f}"
            ax.text(column, row, text, ha="center", va="center", fontsize=7.5, color=colour, linespacing=1.25)
        elif level:
            ax.plot(column, row, "o", markersize=2.6, color=colour)
    names = [f"{wrapped(str(label), 34)}   {place}" for place, label in enumerate(labels, 1)]
    ax.set_yticks(range(len(labels)), names)
    ax.set_xticks(range(len(labels)), [str(place) for place in range(1, len(labels) + 1)])
    sign = "=" if len(labels) <= NUMBERED else "•"
    ax.set_xlabel(f"against strategy number ...    ({sign}: cannot be told from even)")
    ax.set_title("Head to head" if players == 2 else "Who wins how often where another one sits too")
    return ax


def _meetings(lineups: pd.DataFrame, labels: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Wins and games of each strategy at the tables where each other one sits."""
    places = {label: place for place, label in enumerate(labels)}
    wins = np.zeros((len(labels), len(labels)))
    games = np.zeros_like(wins)
    for _, table in lineups.groupby("line_up"):
        there = [places[label] for label in table["strategy"]]
        for own, won, played in zip(there, table["wins"], table["games"], strict=True):
            for other in there:
                if other != own:
                    wins[own, other] += won
                    games[own, other] += played
    return wins, games
