"""The race to the target, round by round."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from flip7sim.figures.style import GREY, new_axes, point_style, styled, wrapped
from flip7sim.stats.intervals import Z95

__all__ = ["race"]

#: Rounds that fewer games than this share have are not drawn.
RARE = 0.005
SHADE = "#D9D9D9"


@styled
def race(table: pd.DataFrame, target: int | None = None, ax: Axes | None = None) -> Axes:
    """The mean total of each strategy after each round, with 95 % bands, and how many games are still in play.

    A game that is over keeps its totals, so that all curves are means over the same games throughout.

    Parameters
    ----------
    table : DataFrame
        As in `race.csv`: `strategy`, `round`, `in_play`, `total`, `total_se`.
    target : int, optional
        The total that ends a game: a line is drawn there.
    ax : Axes, optional
        Where to draw.

    Returns
    -------
    Axes
        The games in play are on a second one, whose scale is on the right.
    """
    labels = list(dict.fromkeys(table["strategy"]))
    lines = sum(wrapped(str(label), 28).count("\n") + 1 for label in labels)
    ax = new_axes(ax, max(4.4, 1.2 + 0.165 * lines + 0.06 * len(labels)))
    in_play = table.groupby("round")["in_play"].mean()
    last = max(1, int(in_play.index[in_play >= RARE].max()))
    share = ax.twinx()
    shown = in_play[in_play.index <= last]
    share.fill_between(shown.index, 100 * shown.to_numpy(float), color=SHADE, alpha=0.55, linewidth=0, step="mid")
    share.set_ylim(0, 100)
    share.set_ylabel("games that have such a round (%), shaded", color=GREY)
    share.grid(visible=False)
    share.spines["right"].set_visible(False)
    share.tick_params(axis="y", length=0)
    # The curves lie above the shade.
    ax.set_zorder(share.get_zorder() + 1)
    ax.patch.set_visible(False)
    if target is not None:
        ax.axhline(target, color=GREY, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    for number, label in enumerate(labels):
        rows = table[(table["strategy"] == label) & (table["round"] <= last)]
        x, y = rows["round"].to_numpy(float), rows["total"].to_numpy(float)
        half = Z95 * rows["total_se"].fillna(0).to_numpy(float)
        style = point_style(number)
        ax.fill_between(x, y - half, y + half, color=style["color"], alpha=0.22, linewidth=0)
        ax.plot(x, y, linewidth=1.4, markersize=3.6, label=wrapped(str(label), 28), zorder=3, **style)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlim(-0.3, last + 0.3)
    ax.set_xlabel("round")
    ax.set_ylabel("mean total after the round (points)")
    ax.set_title("The race to the target")
    ax.legend(loc="center left", bbox_to_anchor=(1.1, 0.5), fontsize=8)
    return ax
