"""What a seat is worth."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from flip7sim.figures.style import GREY, PALETTE, brightness, heat_map, new_axes, styled, text_colour, wrapped

__all__ = ["seat_differences", "win_rate_by_seat"]

ALL = "(all)"
#: Less than the rounding of an interval that ends where the rate itself is.
TINY = 1e-12


@styled
def win_rate_by_seat(seats: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """The share of games that each seat wins, whoever sits there, with 95 % intervals.

    Parameters
    ----------
    seats : DataFrame
        As in `seats.csv`; the rows of the strategy `(all)` are drawn.
    ax : Axes, optional
        Where to draw.

    Returns
    -------
    Axes
    """
    rows = seats[seats["strategy"] == ALL]
    ax = new_axes(ax, 3.8)
    places = rows["seat"].to_numpy(int)
    low, high, rate = (100 * rows[name].to_numpy(float) for name in ("win_rate_low", "win_rate_high", "win_rate"))
    ax.axhline(100 / len(places), color=GREY, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    ax.annotate(
        "if all were equal",
        (1, 100 / len(places)),
        xycoords=("axes fraction", "data"),
        xytext=(4, 0),
        textcoords="offset points",
        va="center",
        fontsize=7.5,
        color=GREY,
    )
    ax.vlines(places, low, high, color=PALETTE[0], linewidth=2.2, alpha=0.45)
    for ends in (low, high):
        ax.plot(places, ends, "_", color=PALETTE[0], markersize=8, markeredgewidth=1.4)
    ax.plot(places, rate, "o", color=PALETTE[0], markersize=5)
    names = [str(place) for place in places]
    names[0] = "1\ndealer's left"
    names[-1] = f"{places[-1]}\nfirst dealer"
    ax.set_xticks(places, names if len(places) > 1 else ["1"])
    if len(places) > 12:
        ax.tick_params(axis="x", labelsize=7.5)
    ax.grid(axis="x", visible=False)
    ax.set_xlim(0.4, len(places) + 0.6)
    ax.margins(y=0.15)
    ax.set_xlabel("seat, counted from the first dealer")
    ax.set_ylabel("games won (%)")
    ax.set_title("Win rate by seat")
    return ax


@styled
def seat_differences(seats: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """How much more or less often than on average each strategy wins from each seat.

    A dot marks what cannot be told from no difference: the 95 % interval holds the strategy's own mean.

    Parameters
    ----------
    seats : DataFrame
        As in `seats.csv`.
    ax : Axes, optional
        Where to draw.

    Returns
    -------
    Axes
    """
    rows = seats[seats["strategy"] != ALL]
    labels = list(dict.fromkeys(rows["strategy"]))
    count = int(rows["seat"].max())
    ax = new_axes(ax, max(2.6, 1.6 + 0.36 * len(labels)))
    means = rows.groupby("strategy")["wins"].sum() / rows.groupby("strategy")["games"].sum()
    away = np.full((len(labels), count), np.nan)
    for row in rows.to_dict("records"):
        place, seat, mean = labels.index(row["strategy"]), row["seat"] - 1, means[row["strategy"]]
        away[place, seat] = 100 * (row["win_rate"] - mean)
    limit = float(np.nanmax(np.abs(away))) or 1.0
    cells = heat_map(ax, away, "win rate less its mean (points)", cmap="PuOr", vmin=-limit, vmax=limit)
    for row in rows.to_dict("records"):
        if row["win_rate_low"] - TINY <= means[row["strategy"]] <= row["win_rate_high"] + TINY:
            place, seat = labels.index(row["strategy"]), row["seat"] - 1
            colour = text_colour(brightness(cells.cmap(cells.norm(away[place, seat]))))
            ax.plot(seat, place, "o", markersize=2.6, color=colour)
    ax.set_yticks(range(len(labels)), [wrapped(str(label)) for label in labels])
    ax.set_xticks(range(count), [str(seat + 1) for seat in range(count)])
    ax.set_xlabel("seat, counted from the first dealer    (•: cannot be told from no difference)")
    ax.set_title("What a seat is worth to each strategy")
    return ax
