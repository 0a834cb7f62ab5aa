"""Every picture that a result allows, and where they are kept."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from flip7sim import figures
from flip7sim.errors import Flip7Error, suggest
from flip7sim.figures.standings import row_height
from flip7sim.figures.style import FORMATS, TITLE, figure_bytes, figure_of, new_figure
from flip7sim.files import write_all
from flip7sim.saved import Saved, load, newest

__all__ = ["Picture", "caption", "pictures", "plot"]

#: With more values of a second parameter there is a map instead of curves.
MOST_CURVES = 6


@dataclass(frozen=True)
class Picture:
    """A picture of a result.

    Attributes
    ----------
    name : str
        Of its file, without the ending.
    title : str
        What it shows, in a few words.
    figure : Figure
        The picture itself.
    """

    name: str
    title: str
    figure: Figure


def caption(saved: Saved) -> str:
    """Rules, seats, games and seed of a result, or that it is exact."""
    if not saved.manifest:
        decks = dict.fromkeys(saved.tables[saved.kind].get("deck", ["full"]))
        return f"exact, a fresh deck ({', '.join(map(str, decks))})"
    manifest = saved.manifest
    parts = [f"rules {saved.rules.label}"]
    alone = manifest.get("deck")
    seats = manifest["players"] if isinstance(manifest["players"], list) else [manifest["players"]]
    parts.append(f"rounds alone with deck {alone}" if alone else f"{', '.join(map(str, seats))} seats")
    if saved.totals and saved.kind != "best-response":
        parts.append(f"from totals {', '.join(map(str, saved.totals))}")
    if manifest.get("against"):
        field = ", ".join(entry["strategy"] for entry in manifest["against"])
        first = "at first " if manifest.get("iterate") else ""
        parts.append(
            f"{first}against {field}" if len(field) < 60 else f"{first}against a field of {len(manifest['against'])}"
        )
    if manifest.get("exact"):
        return ", ".join([*parts, "exact"])
    each = "" if saved.kind == "tournament" else " each"
    games = manifest["games"] if each else manifest["games_played"]
    parts.append(f"{games:,} {'rounds' if alone else 'games'}{each}, {saved.seeds}")
    return f"{', '.join(parts)}; intervals: 95 %, ±: one standard error"


def pictures(saved: Saved) -> Iterator[Picture]:
    """Every picture that a result allows, one after the other."""
    for picture in _MAKERS[saved.kind](saved):
        figures.add_caption(picture.figure, caption(saved))
        yield picture


def plot(
    result: str | Path | None = None, out: str | Path | None = None, formats: Iterable[str] = FORMATS
) -> list[Path]:
    """Make every picture that a result allows.

    Parameters
    ----------
    result : str or Path, optional
        See `flip7sim.saved.load`; by default the newest folder in `results`.
    out : str or Path, optional
        Where the pictures go; by default the folder `figures` beside the result's tables.
    formats : iterable of str
        ``png``, ``svg``; both by default.

    Returns
    -------
    list of Path
        The files. The same result gives the same bytes.

    Raises
    ------
    Flip7Error
        If there is no such result, or the pictures cannot be written.
    """
    forms = list(dict.fromkeys(formats))
    for form in forms:
        if form not in FORMATS:
            raise Flip7Error(f"format {form!r} is unknown; {suggest(form, FORMATS)}")
    saved = load(newest() if result is None else result)
    contents: dict[str, str | bytes] = {}
    for picture in pictures(saved):
        contents |= {f"{picture.name}.{form}": figure_bytes(picture.figure, form) for form in forms}
    return write_all(Path(out) if out is not None else saved.folder / "figures", contents)


def _tournament(saved: Saved) -> Iterator[Picture]:
    summary, seats, scores = (saved.tables[name] for name in ("summary", "seats", "round_scores"))
    players = int(saved.manifest["players"])
    strategies = len(summary)
    if players > 1:
        ax = figures.standings(summary, even=1 / players)
        yield Picture("win-rates", "Win rates", figure_of(ax))
    yield Picture("rates", "Points, busts and Flip 7s", _rates(summary))
    if strategies > 1:
        yield Picture("points-and-busts", "Points and busts", figure_of(figures.risk_and_reward(summary)))
    busts = zip(summary["strategy"], summary["bust_rate"], summary["bust_rate_se"], strict=True)
    notes = {label: f"bust {100 * rate:.1f} ± {100 * error:.1f} %" for label, rate, error in busts}
    yield Picture(
        "round-scores", "Round scores", figure_of(figures.round_scores(_ranked(scores, summary), notes=notes))
    )
    if players > 1:
        yield Picture("seats", "Win rate by seat", figure_of(figures.win_rate_by_seat(seats)))
    if players > 1 and strategies > 1:
        yield Picture(
            "seats-by-strategy", "What a seat is worth", figure_of(figures.seat_differences(_ranked(seats, summary)))
        )
    order = list(summary["strategy"])
    if "starts" in saved.tables:
        starts = saved.tables["starts"]
        labels = [f"{total}: {label}" for total, label in zip(starts["total"], starts["strategy"], strict=True)]
        ax = figures.standings(starts.assign(strategy=labels), even=1 / players)
        ax.set_title("Win rate by total", **TITLE)
        yield Picture("starts", "Win rate by the total at the beginning", figure_of(ax))
    if "race" in saved.tables:
        yield Picture(
            "race",
            "The race to the target",
            figure_of(figures.race(_ranked(saved.tables["race"], summary), saved.rules.target_score)),
        )
    if "head_to_head" in saved.tables:
        ax = figures.head_to_head(saved.tables["head_to_head"], order)
        yield Picture("head-to-head", "Who ends above whom", figure_of(ax))
    if "invasions" in saved.tables:
        table, parameter = saved.tables["invasions"], _only_parameter(saved.manifest["strategies"])
        if parameter is None:
            yield Picture("invasions", "Who invades whom", figure_of(figures.invasions(table, players, order)))
        else:
            values = {entry["strategy"]: entry["parameters"][parameter] for entry in saved.manifest["strategies"]}
            table = table.assign(**{name: table[name].map(values) for name in ("resident", "invader")})
            ax = figures.response_map(table, parameter, players)
            yield Picture("response-map", "One value against another", figure_of(ax))


def _only_parameter(entries: list[dict[str, Any]]) -> str | None:
    """The one parameter, a number, in which strategies differ, if they are the same but for that."""
    if len({entry["name"] for entry in entries}) > 1:
        return None
    names = [name for name in entries[0]["parameters"] if len({entry["parameters"][name] for entry in entries}) > 1]
    if len(names) != 1 or any(isinstance(entry["parameters"][names[0]], bool | str) for entry in entries):
        return None
    return str(names[0])


def _ranked(table: pd.DataFrame, summary: pd.DataFrame) -> pd.DataFrame:
    """The rows of a table, the strategies in the order of the summary."""
    order = {label: place for place, label in enumerate(summary["strategy"])}
    return table.sort_values("strategy", key=lambda column: column.map(order), kind="stable", ignore_index=True)


def _rates(summary: pd.DataFrame) -> Figure:
    """Three measures side by side, with common names."""
    columns = ("round_score", "bust_rate", "flip7_rate")
    figure, axes = new_figure(1.35 + row_height(summary["strategy"]) * len(summary), 1, len(columns), sharey=True)
    for ax, column in zip(axes, columns, strict=True):
        figures.standings(summary, column, ax)
    for ax in axes[1:]:
        ax.tick_params(labelleft=False)
    return figure


def _sweep(saved: Saved) -> Iterator[Picture]:
    table, best = saved.tables["sweep"], saved.tables["best"]
    # The parameter with more values goes along the axis; of one with few values each gets a curve.
    across, *other = sorted(saved.manifest["parameters"], key=lambda name: -len(set(table[name])))
    by = other[0] if other else None
    curves = by is None or len(set(table[by])) <= MOST_CURVES

    def drawn(measure: str, ax: Axes | None = None) -> Axes:
        if curves:
            return figures.curve(table, across, measure, ax, by=by, best=best)
        return figures.surface(table, (across, str(by)), measure, ax, best=best)

    if "win_rate" in table:
        yield Picture("win-rate", "Win rate", figure_of(drawn("win_rate")))
    if curves:
        figure, axes = new_figure(6.2, 2, 1, sharex=True)
        for measure, ax in zip(("round_score", "bust_rate"), axes, strict=True):
            drawn(measure, ax)
        axes[0].set_xlabel("")
        if by is not None:
            axes[1].get_legend().remove()
        yield Picture("points-and-busts", "Points and busts", figure)
    else:
        yield Picture("round-score", "Round score", figure_of(drawn("round_score")))
        yield Picture("busts", "Busts", figure_of(drawn("bust_rate")))
    yield Picture("flip-7s", "Flip 7s", figure_of(drawn("flip7_rate")))
    if table["rounds_to_200"].notna().any():
        yield Picture("rounds-to-200", "Rounds to 200", figure_of(drawn("rounds_to_200")))


def _best_response(saved: Saved) -> Iterator[Picture]:
    curves = saved.tables["curves"].assign(measure="win_rate")
    across, *other = list(saved.manifest["parameters"])
    standings = "totals" in curves
    if not other and pd.api.types.is_numeric_dtype(curves[across]):
        if not standings and len(set(curves["players"])) > 1:
            ax = figures.best_by_players(curves, across)
            yield Picture("best-by-players", "Best reply by number of players", figure_of(ax))
        if standings and 1 < len(set(curves["lead"])) == len(set(curves["totals"])):
            yield Picture("best-by-lead", "Best reply by standing", figure_of(figures.best_by_lead(curves, across)))
    for (players, totals), rows in curves.groupby(["players", "totals" if standings else "players"], sort=False):
        last = rows[rows["step"] == rows["step"].max()]
        if other:
            ax = figures.surface(last, (across, other[0]), "win_rate", best=last)
        elif len(set(rows["step"])) > 1:
            ax = figures.curve(rows, across, "win_rate", by="against")
        else:
            ax = figures.curve(rows, across, "win_rate", best=rows)
        where = f"from {totals}" if standings else f"{players} players"
        ax.set_title(f"Win rate, {where}", **TITLE)
        name = f"from-{str(totals).replace(' ', '-')}" if standings else f"{players}-players"
        yield Picture(f"win-rate-{name}", f"Win rate {where if standings else f'with {where}'}", figure_of(ax))


def _bust_odds(saved: Saved) -> Iterator[Picture]:
    yield Picture("bust-odds", "How likely is a bust?", figure_of(figures.bust_odds(saved.tables[saved.kind])))


def _exact_scores(saved: Saved) -> Iterator[Picture]:
    table = saved.tables[saved.kind]
    many = len(set(table["deck"])) > 1
    table = table.assign(strategy=table["strategy"] + ", " + table["deck"]) if many else table
    zero = table[table["score"] == 0].groupby("strategy")["chance"].sum()
    notes = {str(label): f"0 points {100 * chance:.2f} %" for label, chance in zero.items()}
    yield Picture("exact-scores", "Round scores, exactly", figure_of(figures.round_scores(table, notes=notes)))


_MAKERS: dict[str, Callable[[Saved], Iterator[Picture]]] = {
    "tournament": _tournament,
    "sweep": _sweep,
    "best-response": _best_response,
    "bust-odds": _bust_odds,
    "exact-scores": _exact_scores,
}
