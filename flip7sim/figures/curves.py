"""A measure against a strategy's parameters: a curve with its band, several curves, or a map."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from flip7sim.figures.style import GREY, PALETTE, heat_map, measure_of, new_axes, plain, point_style, styled, wrapped
from flip7sim.stats.intervals import Z95

__all__ = ["curve", "surface"]


@styled
def curve(
    sweep: pd.DataFrame,
    parameter: str,
    measure: str = "round_score",
    ax: Axes | None = None,
    *,
    by: str | None = None,
    best: pd.DataFrame | None = None,
) -> Axes:
    """A measure against a parameter, with 95 % bands where it is not exact.

    Parameters
    ----------
    sweep : DataFrame
        As in `sweep.csv`.
    parameter : str
        The column of the parameter.
    measure : str
        The column of the measure.
    ax : Axes, optional
        Where to draw.
    by : str, optional
        The column of a second parameter: a curve for each of its values.
    best : DataFrame, optional
        As in `best.csv`: the best value is marked, and what cannot be told from it shaded.

    Returns
    -------
    Axes
    """
    about = measure_of(measure)
    ax = new_axes(ax, 3.9)
    groups = [(None, sweep)] if by is None else [(str(value), rows) for value, rows in sweep.groupby(by, sort=False)]
    words = not pd.api.types.is_numeric_dtype(sweep[parameter]) or pd.api.types.is_bool_dtype(sweep[parameter])
    names = list(dict.fromkeys(sweep[parameter].astype(str)))
    if best is not None and by is None and not words:
        _mark_best(ax, best[best["measure"] == measure], sweep, parameter, measure)
    for number, (value, rows) in enumerate(groups):
        x = np.array([names.index(str(one)) for one in rows[parameter]]) if words else rows[parameter].to_numpy(float)
        y = rows[measure].to_numpy(float) * about.scale
        error = rows[f"{measure}_se"].to_numpy(float) * about.scale
        style = point_style(number)
        label = None if by is None else wrapped(f"{by}={value}", 28)
        if words:  # points that no line joins
            ax.errorbar(x, y, Z95 * np.nan_to_num(error), linestyle="", capsize=4, markersize=6, label=label, **style)
            continue
        if np.nanmax(error, initial=0.0) > 0:
            ax.fill_between(x, y - Z95 * error, y + Z95 * error, color=style["color"], alpha=0.22, linewidth=0)
        ax.plot(x, y, linewidth=1.6, markersize=3.6, label=label, zorder=3, **style)
    if words:
        ax.set_xticks(range(len(names)), [plain(name) for name in names])
        ax.margins(x=0.1)
    else:
        ax.margins(x=0.02)
        if pd.api.types.is_integer_dtype(sweep[parameter]):
            ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    if by is not None:
        ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=8)
    ax.set_xlabel(plain(parameter))
    ax.set_ylabel(about.label)
    ax.set_title(about.title)
    return ax


def _mark_best(ax: Axes, best: pd.DataFrame, sweep: pd.DataFrame, parameter: str, measure: str) -> None:
    """Shade the values that cannot be told from the best one, and name the best."""
    if best.empty:
        return
    values = np.unique(sweep[parameter].to_numpy(float))
    step = float(np.diff(values).min()) if len(values) > 1 else 1.0
    level = best[best["may_be_best"]][parameter].to_numpy(float)
    for value in level:
        ax.axvspan(value - step / 2, value + step / 2, color=PALETTE[4], alpha=0.22, linewidth=0, zorder=0)
    top = float(best[best["best"]][parameter].iloc[0])
    row = sweep[sweep[parameter] == top].iloc[0]
    about = measure_of(measure)
    ax.plot(top, row[measure] * about.scale, "*", color=PALETTE[1], markersize=13, markeredgecolor="white", zorder=5)
    among = f"; {len(level)} values may be the best" if len(level) > 1 else ""
    ax.annotate(
        plain(f"★ best: {parameter}={top:g}{among}"),
        (1, 1),
        xycoords="axes fraction",
        xytext=(0, 11),
        textcoords="offset points",
        ha="right",
        va="bottom",
        fontsize=8,
        color=GREY,
    )


@styled
def surface(
    sweep: pd.DataFrame,
    parameters: tuple[str, str],
    measure: str = "round_score",
    ax: Axes | None = None,
    *,
    best: pd.DataFrame | None = None,
) -> Axes:
    """A measure against two parameters, as a map.

    Parameters
    ----------
    sweep : DataFrame
        As in `sweep.csv`.
    parameters : (str, str)
        The columns of the parameters: across, and upwards.
    measure : str
        The column of the measure.
    ax : Axes, optional
        Where to draw.
    best : DataFrame, optional
        As in `best.csv`: the best cell is marked with a star, those that cannot be told from it with a dot.

    Returns
    -------
    Axes
    """
    about = measure_of(measure)
    across, upwards = parameters
    table = sweep.pivot_table(index=upwards, columns=across, values=measure, sort=False) * about.scale
    ax = new_axes(ax, 2.0 + min(6.0, 0.34 * len(table)))
    heat_map(ax, table.to_numpy(float), about.label, cmap="cividis")
    ax.invert_yaxis()
    columns, rows = list(table.columns), list(table.index)
    if best is not None:
        for row in best[best["measure"] == measure].to_dict("records"):
            if row["may_be_best"]:
                mark, size = ("*", 12) if row["best"] else ("o", 3)
                ax.plot(
                    columns.index(row[across]),
                    rows.index(row[upwards]),
                    mark,
                    markersize=size,
                    color=PALETTE[1],
                    markeredgecolor="white",
                    markeredgewidth=0.8,
                )
    for axis, values, name in ((ax.xaxis, columns, across), (ax.yaxis, rows, upwards)):
        every = -(-len(values) // 20)
        axis.set_ticks(range(0, len(values), every), [plain(_text(value)) for value in values[::every]])
        axis.set_label_text(plain(name))
    if best is not None:
        ax.set_xlabel(plain(across) + "    (★: the best; •: cannot be told from it)")
    ax.set_title(about.title)
    return ax


def _text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
