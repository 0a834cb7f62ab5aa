"""Strategies side by side: one figure of each, with its interval, and busts against points."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from flip7sim.figures.style import GREY, PALETTE, measure_of, new_axes, point_style, styled, wrapped
from flip7sim.stats.intervals import Z95

__all__ = ["risk_and_reward", "row_height", "standings"]


def row_height(labels: pd.Series) -> float:
    """Inches that each row needs so that the longest label fits."""
    lines = max((wrapped(str(label)).count("\n") + 1 for label in labels), default=1)
    return 0.14 + 0.155 * lines


@styled
def standings(
    summary: pd.DataFrame, measure: str = "win_rate", ax: Axes | None = None, *, even: float | None = None
) -> Axes:
    """A measure of every strategy with its 95 % interval, in the order of the table.

    Parameters
    ----------
    summary : DataFrame
        As in `summary.csv`: `strategy`, and the measure with `_low` and `_high` or with `_se`.
    measure : str
        The column: `win_rate`, `win_rate_fair` (luck taken out), `round_score`, `bust_rate`, `flip7_rate` or
        `mean_rank`.
    ax : Axes, optional
        Where to draw.
    even : float, optional
        Where a line is drawn: the share of wins if all were equally good.

    Returns
    -------
    Axes
    """
    about = measure_of(measure)
    ax = new_axes(ax, 1.35 + row_height(summary["strategy"]) * len(summary))
    values = summary[measure].to_numpy(float) * about.scale
    if f"{measure}_low" in summary:
        low, high = (summary[f"{measure}_{end}"].to_numpy(float) * about.scale for end in ("low", "high"))
    else:
        half = Z95 * summary[f"{measure}_se"].to_numpy(float) * about.scale
        low, high = values - half, values + half
    places = np.arange(len(values))
    if even is not None:
        ax.axvline(even * about.scale, color=GREY, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
        ax.annotate(
            "if all were equal",
            (even * about.scale, 1),
            xycoords=("data", "axes fraction"),
            xytext=(0, 2),
            textcoords="offset points",
            ha="center",
            va="bottom",
            fontsize=7.5,
            color=GREY,
        )
    ax.hlines(places, low, high, color=PALETTE[0], linewidth=2.2, alpha=0.45, zorder=2)
    for ends in (low, high):  # without an interval (nan) there are no ends
        ax.plot(ends, places, "|", color=PALETTE[0], markersize=7, markeredgewidth=1.4, zorder=3)
    ax.plot(values, places, "o", color=PALETTE[0], markersize=5, zorder=4)
    ax.set_yticks(places, [wrapped(str(label)) for label in summary["strategy"]])
    ax.set_ylim(len(values) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    ax.margins(x=0.06)
    if np.nanmax(values) - np.nanmin(values) > 0.5 * np.nanmax(values):
        ax.set_xlim(left=min(0.0, ax.get_xlim()[0]))
    ax.set_xlabel(about.label)
    ax.set_title(about.title)
    return ax


@styled
def risk_and_reward(summary: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Points a round against busts, a point for each strategy, with 95 % intervals.

    Parameters
    ----------
    summary : DataFrame
        As in `summary.csv`: `strategy`, `bust_rate` and `round_score`, each with `_se`.
    ax : Axes, optional
        Where to draw.

    Returns
    -------
    Axes
    """
    lines = sum(wrapped(str(label)).count("\n") + 1 for label in summary["strategy"])
    ax = new_axes(ax, max(4.6, 1.2 + 0.165 * lines + 0.06 * len(summary)))
    for number, row in enumerate(summary.to_dict("records")):
        style = point_style(number)
        ax.errorbar(
            100 * row["bust_rate"],
            row["round_score"],
            xerr=_half(100 * row["bust_rate_se"]),
            yerr=_half(row["round_score_se"]),
            label=wrapped(str(row["strategy"]), 28),
            linestyle="",
            elinewidth=1,
            markersize=7,
            markeredgecolor="white",
            markeredgewidth=0.7,
            **style,
        )
    ax.margins(0.06)
    ax.set_xlabel(measure_of("bust_rate").label)
    ax.set_ylabel(measure_of("round_score").label)
    ax.set_title("Points and busts")
    ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=8, handletextpad=0.3)
    return ax


def _half(error: float) -> float | None:
    """Half a 95 % interval; None where the error is not known."""
    return None if np.isnan(error) else Z95 * error
