"""The best value of a parameter by number of players, or by how one stands."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from flip7sim.figures.style import GREY, PALETTE, new_axes, plain, styled

__all__ = ["best_by_lead", "best_by_players"]


@styled
def best_by_players(curves: pd.DataFrame, parameter: str, ax: Axes | None = None) -> Axes:
    """The best reply of the last step for each number of players, with all values that cannot be told from it.

    Parameters
    ----------
    curves : DataFrame
        As in `curves.csv` of best responses.
    parameter : str
        The column of the parameter; it holds numbers.
    ax : Axes, optional
        Where to draw.

    Returns
    -------
    Axes
    """
    ax = new_axes(ax, 3.9)
    last = curves[curves["step"] == curves.groupby("players")["step"].transform("max")]
    _draw(ax, last, "players", parameter)
    ax.set_xlabel("players at the table")
    ax.set_title("Best reply by number of players")
    return ax


@styled
def best_by_lead(curves: pd.DataFrame, parameter: str, ax: Axes | None = None) -> Axes:
    """The best reply by how many points one is ahead of the best of the others, with all that cannot be told from it.

    Parameters
    ----------
    curves : DataFrame
        As in `curves.csv` of best responses from given totals, a lead once.
    parameter : str
        The column of the parameter; it holds numbers.
    ax : Axes, optional
        Where to draw.

    Returns
    -------
    Axes
    """
    ax = new_axes(ax, 3.9)
    _draw(ax, curves, "lead", parameter)
    ax.set_xlabel("points ahead of the best of the others at the beginning (below 0: behind)")
    ax.set_title("Best reply by standing")
    return ax


def _draw(ax: Axes, table: pd.DataFrame, across: str, parameter: str) -> None:
    """A star for the best value at each place, a bar behind all that may be, a ring round what the others play."""
    places = np.array(sorted(set(table[across])))
    step = float(np.diff(places).min()) if len(places) > 1 else 1.0
    values = np.unique(table[parameter].to_numpy(float))
    half = float(np.diff(values).min()) / 2 if len(values) > 1 else 0.5
    for place in places:
        rows = table[table[across] == place]
        level = rows[rows["may_be_best"]][parameter].to_numpy(float)
        ax.bar(
            np.full(len(level), place),
            np.full(len(level), 2 * half),
            0.5 * step,
            level - half,
            color=PALETTE[4],
            alpha=0.35,
        )
        own = rows[rows["strategy"] == rows["against"]][parameter].to_numpy(float)
        ax.plot(
            np.full(len(own), place), own, "o", color=PALETTE[0], fillstyle="none", markersize=17, markeredgewidth=1.6
        )
        best = float(rows[rows["best"]][parameter].iloc[0])
        ax.plot(place, best, "*", color=PALETTE[1], markersize=13, markeredgecolor="white", zorder=4)
    ax.set_xticks(places)
    ax.set_xlim(places[0] - 0.6 * step, places[-1] + 0.6 * step)
    ax.use_sticky_edges = False
    ax.margins(y=0.15)
    if pd.api.types.is_integer_dtype(table[parameter]):
        ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid(axis="x", visible=False)
    ax.set_ylabel(plain(parameter))
    ax.annotate(
        "★ wins most; shaded: may be the best; ○ what the others play",
        (1, 1),
        xycoords="axes fraction",
        xytext=(0, 2),
        textcoords="offset points",
        ha="right",
        va="bottom",
        fontsize=8,
        color=GREY,
    )
