"""The odds of the next card."""

import pandas as pd
from matplotlib.axes import Axes

from flip7sim.figures.style import PALETTE, new_axes, styled

__all__ = ["bust_odds"]


@styled
def bust_odds(table: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """The chance that the next card busts, by number cards: mean, luckiest and unluckiest hand; or a Flip Three. Exact.

    Parameters
    ----------
    table : DataFrame
        As of `flip7sim odds --table --format csv`.
    ax : Axes, optional
        Where to draw.

    Returns
    -------
    Axes
    """
    ax = new_axes(ax, 4.6)
    cards = table["number_cards"].to_numpy(int)
    mean, best, worst, by_then = (
        100 * table[name].to_numpy(float)
        for name in ("bust_next_mean", "bust_next_best", "bust_next_worst", "bust_by_then")
    )
    ax.fill_between(cards, best, worst, color=PALETTE[0], alpha=0.15, linewidth=0)
    ax.plot(cards, mean, "-o", color=PALETTE[0], markersize=6, label="the next card,\non average over hands")
    ax.plot(cards, worst, "-v", color=PALETTE[0], markersize=4, linewidth=0.8, label="the same,\nthe unluckiest hand")
    ax.plot(cards, best, "-^", color=PALETTE[0], markersize=4, linewidth=0.8, label="the same,\nthe luckiest hand")
    ax.plot(cards, by_then, "--s", color=PALETTE[1], markersize=5, label="so many number cards\nhold a duplicate")
    if "bust_flip_three" in table:
        label = "one of the three cards\nof a Flip Three,\non average over hands"
        ax.plot(
            cards, 100 * table["bust_flip_three"].to_numpy(float), ":D", color=PALETTE[2], markersize=5, label=label
        )
    for card, value in zip(cards, mean, strict=True):
        ax.annotate(f"{value:.1f}", (card, value), xytext=(0, -15), textcoords="offset points", ha="center", fontsize=8)
    ax.set_xticks(cards)
    ax.set_ylim(bottom=0)
    ax.set_xlabel("number cards in hand")
    ax.set_ylabel("chance of a bust (%)")
    ax.set_title("How likely is a bust?")
    ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=8, labelspacing=0.9)
    return ax
