"""DataFrames as tables of a page: what a cell shows, and the number that it is sorted by."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

from flip7sim.figures.style import MEASURES
from flip7sim.pages.words import in_sentence, interval, shown
from flip7sim.saved import Saved

__all__ = ["Cell", "Table", "tables_of"]

#: A table with more rows stays in its file.
MOST_ROWS = 400
_TITLES = {
    "line_up": "line-up",
    "may_be_best": "may be best",
    "difference": "difference",
    "p_holm": "p (Holm)",
    "score_share": "share of points",
    "share": "share",
}


#: Tables that a tournament may have: their files, titles and columns.
_MORE = (
    ("starts", "Wins by the total at the beginning", ["total", "strategy", "games", "win_rate", "mean_rank"]),
    ("differences", "Differences in wins, paired by deals", ["strategy", "rival", "difference", "p_holm"]),
    ("ratings", "Ratings", ["strategy", "rating", "score_share"]),
    ("head_to_head", "Who ends above whom", ["strategy", "rival", "meetings", "share"]),
    ("invasions", "One seat among seats of another", ["resident", "invader", "games", "win_rate", "outcome"]),
    ("mixture", "What evolution settles on", ["strategy", "share", "fitness"]),
)


@dataclass(frozen=True)
class Cell:
    """What is shown, and what it is sorted by; without a number it is sorted as text."""

    text: str
    number: float | None = None


@dataclass(frozen=True)
class Table:
    """A table of a page.

    Attributes
    ----------
    title, file : str
        What it shows, and the file that holds it in full.
    heads : list of (str, bool)
        The columns' titles, and whether they hold numbers.
    rows : list of list of Cell
        The rows; none: the table is too long for a page.
    """

    title: str
    file: str
    heads: list[tuple[str, bool]]
    rows: list[list[Cell]]


def tables_of(saved: Saved) -> Iterator[Table]:
    """The tables of a result that people want to read."""
    tables = saved.tables
    if saved.kind == "tournament":
        cut = ["unfinished"] if saved.manifest["unfinished"] else []
        measures = ["win_rate", "round_score", "bust_rate", "flip7_rate", "mean_rank"]
        yield _table("Strategies", "summary", tables["summary"], ["strategy", "games", *measures, *cut])
        for name, title, columns in _MORE:
            if name in tables:
                yield _table(title, name, tables[name], columns, "win_rate")
        if saved.manifest["players"] > 1:
            yield _table("Seats", "seats", tables["seats"], ["strategy", "seat", "games", "wins", "win_rate"])
        if len(set(tables["lineups"]["line_up"])) > 1:
            yield _table("Line-ups", "lineups", tables["lineups"], ["line_up", "strategy", "games", "wins", "win_rate"])
        return
    parameters = list(saved.manifest["parameters"])
    if saved.kind == "best-response":
        steps = ["players", "totals", "lead", "step", "against", *parameters, "win_rate", "gain", "end"]
        yield _table("Steps", "steps", tables["steps"], steps)
        curves = ["players", "totals", "lead", "step", "against", *parameters, "win_rate", "may_be_best"]
        yield _table("Candidates", "curves", tables["curves"], curves)
        return
    measures = ["win_rate", "round_score", "bust_rate", "flip7_rate", "rounds_to_200"]
    yield _table("Candidates", "sweep", tables["sweep"], [*parameters, *measures])
    for goal, rows in tables["best"].groupby("measure", sort=False):
        title = f"How far from the best: {in_sentence(MEASURES[str(goal)].title)}"
        yield _table(title, "best", rows, [*parameters, "difference", "may_be_best"], str(goal))


def _table(title: str, file: str, table: pd.DataFrame, columns: list[str], measure: str = "") -> Table:
    """Some columns of a table, each value with its error in one cell, and an interval beside it if it has one."""
    shown_columns = [name for name in columns if name in table]
    makers = [(name, wide) for name in shown_columns for wide in (False, True) if not wide or f"{name}_low" in table]
    rows = [[_cell(row, name, wide, measure) for name, wide in makers] for row in table.to_dict("records")]
    numeric = [any(cell.number is not None for cell in column) for column in zip(*rows, strict=True)]
    titles = ["95 % interval" if wide else _title(name) for name, wide in makers]
    heads = list(zip(titles, numeric, strict=True))
    return Table(title, f"{file}.csv", heads, rows if len(rows) <= MOST_ROWS else [])


def _title(name: str) -> str:
    about = MEASURES.get(name)
    return in_sentence(about.title) if about else _TITLES.get(name, name.replace("_", " "))


def _cell(row: dict[Any, Any], name: str, wide: bool, measure: str) -> Cell:
    value = row[name]
    if wide:
        about = {"difference": measure}.get(name, name)
        return Cell(interval(row[f"{name}_low"], row[f"{name}_high"], about), float(row[f"{name}_low"]))
    if isinstance(value, bool):
        return Cell("yes" if value else "no", float(value))
    if isinstance(value, str):
        return Cell(value)
    if value != value:
        return Cell("–")
    number = float(value)
    if name == "p_holm":
        return Cell(f"{number:.2g}" if number >= 1e-4 else "< 0.0001", number)
    if name in MEASURES or name in ("difference", "gain"):
        error = row.get(f"{name}_se")
        error = None if f"{name}_low" in row or error == 0 else error
        return Cell(shown(number, {"difference": measure, "gain": "win_rate"}.get(name, name), error), number)
    return Cell(f"{number:,.0f}" if number == int(number) and abs(number) >= 1000 else f"{number:g}", number)
