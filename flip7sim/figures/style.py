"""What all pictures have in common: colours, markers, sizes, labels, the caption, and how they become bytes.

The colours are those of M. Okabe and K. Ito (*Color Universal Design*, 2008), which people with any kind of colour
vision can tell apart; nothing is told by colour alone.
"""

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure

from flip7sim.errors import Flip7Error, suggest

__all__ = [
    "FORMATS",
    "GREY",
    "MEASURES",
    "PALETTE",
    "TITLE",
    "Measure",
    "add_caption",
    "figure_bytes",
    "figure_of",
    "heat_map",
    "measure_of",
    "new_axes",
    "new_figure",
    "point_style",
    "styled",
    "wrapped",
]

#: Okabe and Ito, without yellow, which is lost on paper.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#4D4D4D")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
GREY = "#6B6B6B"
#: Inches; all pictures are as wide, and as high as they need to be.
WIDTH = 8.0
FORMATS = ("png", "svg")
#: How a title is set on Axes that were drawn before.
TITLE: dict[str, Any] = {"loc": "left", "pad": 10.0, "fontsize": 12.0, "fontweight": "bold"}
_STYLE = {
    "axes.axisbelow": True,
    "axes.edgecolor": GREY,
    "axes.grid": True,
    "axes.labelcolor": "#333333",
    "axes.labelsize": 9.5,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlepad": 10.0,
    "axes.titlesize": 12.0,
    "axes.titleweight": "bold",
    "figure.dpi": 100.0,
    "font.family": ["DejaVu Sans"],
    "font.size": 9.0,
    "grid.color": "#E4E4E4",
    "grid.linewidth": 0.8,
    "legend.frameon": False,
    "savefig.dpi": 160.0,
    "svg.fonttype": "path",
    "svg.hashsalt": "flip7sim",
    "xtick.color": GREY,
    "xtick.labelcolor": "#333333",
    "ytick.color": GREY,
    "ytick.labelcolor": "#333333",
}


@dataclass(frozen=True)
class Measure:
    """Something that is measured of a strategy.

    Attributes
    ----------
    title : str
        What it is called.
    label : str
        What an axis says, with the unit.
    scale : float
        100 where a share is shown in per cent.
    best : int
        1 if more is better, -1 if less is, 0 if neither.
    """

    title: str
    label: str
    scale: float = 1.0
    best: int = 0


#: By column; `_se`, or `_low` and `_high`, stand beside it.
MEASURES = {
    "win_rate": Measure("Win rate", "games won (%)", 100, 1),
    "win_rate_fair": Measure("Win rate, luck taken out", "games won, luck taken out (%)", 100, 1),
    "round_score": Measure("Round score", "points a round", 1, 1),
    "bust_rate": Measure("Busts", "busts (% of rounds)", 100),
    "flip7_rate": Measure("Flip 7s", "Flip 7s (% of rounds)", 100),
    "mean_rank": Measure("Mean rank", "rank at the end of a game (1: the winner)", 1, -1),
    "rating": Measure("Rating", "rating (400 more: ten times the strength)", 1, 1),
    "share": Measure("Share", "share (%)", 100, 1),
    "score_share": Measure("Share of points", "share of the points made at its tables (%)", 100, 1),
    "fitness": Measure("Fitness", "games won in that population (%)", 100, 1),
    "rounds_to_200": Measure("Rounds to 200", "rounds to reach 200 points", 1, -1),
}


def measure_of(column: str) -> Measure:
    """The measure in a column.

    Raises
    ------
    Flip7Error
        If there is no such measure.
    """
    if column not in MEASURES:
        raise Flip7Error(f"measure {column!r} is unknown; {suggest(column, MEASURES)}")
    return MEASURES[column]


P = ParamSpec("P")
R = TypeVar("R")


def styled(function: Callable[P, R]) -> Callable[P, R]:
    """The function, run with the style of these pictures, whatever the user's own settings are."""

    @wraps(function)
    def inner(*args: P.args, **kwargs: P.kwargs) -> R:
        with mpl.rc_context():
            mpl.rcdefaults()
            mpl.rcParams.update(_STYLE)  # type: ignore[arg-type]
            return function(*args, **kwargs)

    return inner


@styled
def new_figure(height: float, rows: int = 1, columns: int = 1, **options: Any) -> tuple[Figure, Any]:
    """A figure of the common width, and its Axes as `Figure.subplots` gives them."""
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    return figure, figure.subplots(rows, columns, **options)


def new_axes(ax: Axes | None, height: float) -> Axes:
    """The Axes to draw on: those that are given, or those of a new figure, so many inches high."""
    if ax is not None:
        return ax
    found: Axes = new_figure(height)[1]
    return found


def figure_of(ax: Axes) -> Figure:
    """The figure that holds the Axes."""
    figure = ax.get_figure(root=True)
    if figure is None:
        raise Flip7Error("these Axes are on no figure: take them from a Figure")
    return figure


def point_style(number: int) -> dict[str, Any]:
    """Colour and marker number `number`: no two of the first 60 are the same pair."""
    turn = number // len(PALETTE)
    return {"color": PALETTE[number % len(PALETTE)], "marker": MARKERS[(number + turn) % len(MARKERS)]}


def wrapped(label: str, width: int = 30) -> str:
    """A strategy's label, or several, on several lines if it is long, broken after a bracket, a comma or a space."""
    lines = [""]
    for piece in re.split(r"(?<=[(, ])", label):
        if lines[-1] and len(lines[-1]) + len(piece) > width:
            lines.append("")
        lines[-1] += piece
    return "\n".join(plain(line) for line in lines)


def plain(text: str) -> str:
    """A text that matplotlib shows as it is: a dollar sign would start a formula."""
    return text.replace("$", r"\$")


@styled
def add_caption(figure: Figure, text: str) -> None:
    """Write the caption below a figure: rules, seed, number of games, or that it is exact."""
    figure.supxlabel(plain(text), x=0.012, ha="left", fontsize=7.5, color=GREY)


@styled
def figure_bytes(figure: Figure, form: str) -> bytes:
    """A figure as a file, the same bytes every time.

    Parameters
    ----------
    figure : Figure
        The picture.
    form : {"png", "svg"}
        What kind of file.
    """
    target = io.BytesIO()
    # No date and no version: nothing but what is drawn.
    metadata = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}[form]
    figure.savefig(target, format=form, metadata=metadata, facecolor="white")
    return target.getvalue()


def heat_map(ax: Axes, values: npt.NDArray[np.float64], label: str, **colours: Any) -> QuadMesh:
    """Draw a cell for each value, the first row on top, and a bar that explains the colours.

    Parameters
    ----------
    ax : Axes
        Where to draw; cell (row, column) is centred on x = column, y = row.
    values : float64 array (rows, columns)
        nan: no cell.
    label : str
        What the bar says.
    **colours
        `cmap`, `vmin` and `vmax` of matplotlib.

    Returns
    -------
    QuadMesh
        The cells: each is a shape of its own, so that they are sharp at any size.
    """
    rows, columns = values.shape
    edges = (np.arange(size + 1) - 0.5 for size in (columns, rows))
    cells = ax.pcolormesh(*edges, np.ma.masked_invalid(values), edgecolors="white", linewidth=0.8, **colours)
    ax.set_ylim(rows - 0.5, -0.5)
    ax.tick_params(length=0)
    ax.grid(visible=False)
    ax.spines[:].set_visible(False)
    bar = figure_of(ax).colorbar(cells, ax=ax, pad=0.02, fraction=0.05, aspect=20)
    bar.set_label(label, fontsize=8)
    bar.outline.set_visible(False)
    return cells


def text_colour(shade: float) -> str:
    """Black or white, whichever is read better on a cell whose brightness is `shade`, 0 to 1."""
    return "black" if shade > 0.5 else "white"


def brightness(rgba: Any) -> float:
    """How bright a colour is (Rec. 709 luma)."""
    return float(np.dot(rgba[:3], (0.2126, 0.7152, 0.0722)))
