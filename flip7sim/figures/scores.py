"""The distribution of round scores, strategy above strategy."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from flip7sim.figures.style import GREY, new_axes, styled, wrapped

__all__ = ["round_scores"]

#: Scores that are rarer than this in all strategies together are not drawn.
TAIL = 1e-3
#: How high the highest score rises, in rows.
RISE = 1.2
#: Two lighter colours of the palette, in turn.
_FILLS = ("#5BA3CF", "#E8935A")


@styled
def round_scores(
    scores: pd.DataFrame, ax: Axes | None = None, *, notes: Mapping[str, str] | None = None, what: str = "Round scores"
) -> Axes:
    """The shares of all round scores but 0, a row for each strategy, all to one scale.

    Parameters
    ----------
    scores : DataFrame
        As in `round_scores.csv`, `strategy`, `score` and `share`; or of `flip7sim exact --show scores`, with `chance`.
    ax : Axes, optional
        Where to draw.
    notes : mapping of str to str, optional
        What is written beside a strategy: for instance how often it busts, which is a score of 0.
    what : str
        The title.

    Returns
    -------
    Axes
    """
    share = "share" if "share" in scores else "chance"
    labels = list(dict.fromkeys(scores["strategy"]))
    positive = scores[scores["score"] > 0]
    frequent = positive.groupby("score")[share].max()
    last = int(max(frequent.index[frequent > TAIL], default=10)) + 1
    top = float(frequent.max()) if len(frequent) else 1.0
    ax = new_axes(ax, 1.5 + max(0.32, 0.62 - 0.012 * len(labels)) * len(labels) + 0.3)
    axis = np.arange(1, last + 1)
    first = positive[positive["strategy"] == labels[0]][share].max() / top * RISE
    for place, label in enumerate(labels):
        rows = positive[positive["strategy"] == label].set_index("score")[share]
        heights = rows.reindex(axis, fill_value=0.0).to_numpy(float) / top * RISE
        colour = _FILLS[place % 2]
        order = 2 + place / len(labels)
        ax.fill_between(axis, place - heights, place, step="mid", color=colour, linewidth=0, zorder=order)
        ax.step(axis, place - heights, where="mid", color="white", linewidth=0.8, zorder=order)
        ax.axhline(place, color=GREY, linewidth=0.6, zorder=order)
        if notes and label in notes:
            ax.annotate(
                notes[label],
                (1, place),
                xycoords=("axes fraction", "data"),
                xytext=(6, 2),
                textcoords="offset points",
                fontsize=7.5,
                color=GREY,
                va="bottom",
            )
    ax.set_yticks(range(len(labels)), [wrapped(str(label)) for label in labels])
    ax.tick_params(axis="y", length=0)
    for tick in ax.get_yticklabels():
        tick.set_verticalalignment("bottom")
    ax.set_ylim(len(labels) - 0.75, -max(0.5, np.nan_to_num(first)) - 0.1)
    ax.set_xlim(0, last)
    ax.spines["left"].set_visible(False)
    ax.grid(axis="y", visible=False)
    ax.set_xlabel(
        "points banked in a round (a score of 0, mostly a bust, is left out; heights are shares of all rounds)"
    )
    ax.set_title(what)
    return ax
