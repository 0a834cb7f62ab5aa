"""Who ends above whom, and who invades whom: maps of pairs of strategies."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from flip7sim.figures.style import GREY, brightness, heat_map, new_axes, plain, styled, text_colour, wrapped

__all__ = ["head_to_head", "invasions", "response_map"]

#: With more strategies the numbers would be too small to read.
NUMBERED = 9


@styled
def head_to_head(meetings: pd.DataFrame, order: Sequence[str] | None = None, ax: Axes | None = None) -> Axes:
    """How often each strategy (rows) ends above another one (columns) at the same table.

    Columns are numbered as the rows are. A dot, or the sign = behind a number, marks what cannot be told from even: the
    95 % interval holds it.

    Parameters
    ----------
    meetings : DataFrame
        As in `head_to_head.csv`.
    order : sequence of str, optional
        The strategies in the order in which they are to stand.
    ax : Axes, optional
        Where to draw.

    Returns
    -------
    Axes
    """
    table = meetings.rename(columns={"strategy": "row", "rival": "column"})
    for end in ("", "_se", "_low", "_high"):
        table = table.rename(columns={f"share{end}": f"value{end}"})
    ax = _map(table, 0.5, "ends above (%); ties count half", order, ax)
    ax.set_title("Head to head")
    return ax


@styled
def invasions(table: pd.DataFrame, players: int, order: Sequence[str] | None = None, ax: Axes | None = None) -> Axes:
    """How often one seat of a strategy (columns) wins among seats of another (rows).

    Parameters
    ----------
    table : DataFrame
        As in `invasions.csv`.
    players : int
        Seats at a table.
    order : sequence of str, optional
        The strategies in the order in which they are to stand.
    ax : Axes, optional
        Where to draw.

    Returns
    -------
    Axes
    """
    table = table.rename(columns={"resident": "row", "invader": "column"})
    for end in ("", "_se", "_low", "_high"):
        table = table.rename(columns={f"win_rate{end}": f"value{end}"})
    ax = _map(table, 1 / players, f"games won by the invader (%); even is {100 / players:.3g}", order, ax)
    ax.set_title("One seat among seats of another")
    ax.set_xlabel(ax.get_xlabel().replace("against strategy number", "invader: strategy number"))
    return ax


@styled
def response_map(table: pd.DataFrame, parameter: str, players: int, ax: Axes | None = None) -> Axes:
    """How often one seat wins with a value of a parameter (upwards) when all others have another (across).

    On the diagonal all are equal. The best reply to each value has a star; a dot marks what may be as good: its 95 %
    interval overlaps that of the best.

    Parameters
    ----------
    table : DataFrame
        As in `invasions.csv`, with numbers, the values of the parameter, in `resident` and `invader`.
    parameter : str
        What it is called.
    players : int
        Seats at a table.
    ax : Axes, optional
        Where to draw.

    Returns
    -------
    Axes
    """
    even = 1 / players
    values = sorted({*table["resident"], *table["invader"]})
    equals = pd.DataFrame({"resident": values, "invader": values})
    table = pd.concat([table, equals.assign(win_rate=even, win_rate_low=even, win_rate_high=even)])
    rates = table.pivot_table(index="invader", columns="resident", values="win_rate")
    ax = new_axes(ax, 2.2 + min(6.0, 0.34 * len(values)))
    limit = float(np.nanmax(np.abs(rates.to_numpy(float) - even), initial=0.0)) or even
    bounds = {"vmin": 100 * (even - limit), "vmax": 100 * (even + limit)}
    label = f"games won by the one (%); even is {100 * even:.3g}"
    cells = heat_map(ax, 100 * rates.to_numpy(float), label, cmap="PuOr", **bounds)
    ax.invert_yaxis()
    places = {value: place for place, value in enumerate(values)}
    ax.plot((-0.5, len(values) - 0.5), (-0.5, len(values) - 0.5), color=GREY, linewidth=0.8, linestyle=(0, (4, 3)))
    for resident, rows in table.groupby("resident"):
        best = rows.loc[rows["win_rate"] == rows["win_rate"].max()].iloc[0]
        for row in rows[rows["win_rate_high"] >= best["win_rate_low"]].to_dict("records"):
            mark, size = ("*", 12) if row["invader"] == best["invader"] else ("o", 3)
            colour = text_colour(brightness(cells.cmap(cells.norm(100 * row["win_rate"]))))
            ax.plot(places[resident], places[row["invader"]], mark, markersize=size, color=colour)
    every = -(-len(values) // 20)
    for axis, who in ((ax.xaxis, "of all the others"), (ax.yaxis, "of the one")):
        axis.set_ticks(range(0, len(values), every), [f"{value:g}" for value in values[::every]])
        axis.set_label_text(plain(f"{parameter} {who}"))
    ax.set_xlabel(ax.get_xlabel() + "    (★: the best reply; •: may be as good)")
    ax.set_title(plain(f"{parameter} against {parameter}"))
    return ax


def _map(table: pd.DataFrame, even: float, label: str, order: Sequence[str] | None, ax: Axes | None) -> Axes:
    """A map of the columns `value`, `value_se`, `value_low`, `value_high` by `row` and `column`."""
    labels = list(dict.fromkeys([*(order or []), *table["row"], *table["column"]]))
    places = {name: place for place, name in enumerate(labels)}
    values = np.full((len(labels), len(labels)), np.nan)
    for row, column, value in zip(table["row"], table["column"], table["value"], strict=True):
        values[places[row], places[column]] = value
    ax = new_axes(ax, max(2.6, 1.4 + 0.4 * len(labels)))
    limit = float(np.nanmax(np.abs(values - even), initial=0.0)) or even
    bounds = {"vmin": 100 * (even - limit), "vmax": 100 * (even + limit)}
    cells = heat_map(ax, 100 * values, label, cmap="PuOr", **bounds)
    columns = (table[name] for name in ("row", "column", "value", "value_se", "value_low", "value_high"))
    for row, column, value, error, low, high in zip(*columns, strict=True):
        level = not (low > even or high < even)
        colour = text_colour(brightness(cells.cmap(cells.norm(100 * value))))
        if len(labels) <= NUMBERED:
            shown = "?" if error != error else f"{100 * error:.1f}"
            text = f"{100 * value:.1f}{' =' if level else ''}\n± {shown}"
            where = (places[column], places[row])
            ax.text(*where, text, ha="center", va="center", fontsize=7.5, color=colour, linespacing=1.25)
        elif level:
            ax.plot(places[column], places[row], "o", markersize=2.6, color=colour)
    names = [f"{wrapped(str(name), 34)}   {place}" for place, name in enumerate(labels, 1)]
    ax.set_yticks(range(len(labels)), names)
    ax.set_xticks(range(len(labels)), [str(place) for place in range(1, len(labels) + 1)])
    sign = "=" if len(labels) <= NUMBERED else "•"
    ax.set_xlabel(f"against strategy number ...    ({sign}: cannot be told from even)")
    return ax
