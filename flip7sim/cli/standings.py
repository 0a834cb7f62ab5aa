"""A tournament as tables for people: the ranking, the seats, and what is sure; or what would be played."""

import math
from typing import Any

import pandas as pd

from flip7sim.cli.output import aligned
from flip7sim.runs.counts import Plan
from flip7sim.saved import luck_taken_out
from flip7sim.stats.comparisons import LEVEL
from flip7sim.tournaments import Tournament

__all__ = ["scheduled", "standings"]

#: So many line-ups of a schedule are shown.
SHOWN = 20


def _intervals(table: pd.DataFrame) -> list[str]:
    """The intervals of the win rates, as texts."""
    pairs = zip(table["win_rate_low"], table["win_rate_high"], strict=True)
    return [f"{100 * low:.2f} – {100 * high:.2f}" for low, high in pairs]


def _with_error(table: pd.DataFrame, column: str, scale: float, digits: int) -> list[str]:
    """A column with its standard errors, as texts."""
    pairs = zip(table[column], table[f"{column}_se"], strict=True)
    return [
        f"{scale * value:.{digits}f} ± " + ("?" if math.isnan(error) else f"{scale * error:.{digits}f}")
        for value, error in pairs
    ]


def standings(played: Tournament) -> str:
    """The ranked table, and what is to be said of the games as a whole."""
    what, manifest = played.plan, played.manifest
    summary = played.tables.summary
    rows = pd.DataFrame(
        {
            "strategy": summary["strategy"],
            "rank": _ranks(summary),
            "games": [f"{games:,}" for games in summary["games"]],
            "wins %": [f"{100 * rate:.2f}" for rate in summary["win_rate"]],
            "95 % interval": _intervals(summary),
            "round score": _with_error(summary, "round_score", 1, 3),
            "bust %": _with_error(summary, "bust_rate", 100, 2),
            "Flip 7 %": _with_error(summary, "flip7_rate", 100, 3),
            "mean rank": _with_error(summary, "mean_rank", 1, 3),
        }
    )
    if manifest["unfinished"]:
        rows["unfinished"] = [f"{count:,}" for count in summary["unfinished"]]
    seats = played.tables.seats[played.tables.seats["strategy"] == "(all)"]
    by_seat = pd.DataFrame(
        {
            "seat": [_seat_name(int(seat), what.players) for seat in seats["seat"]],
            "wins %": [f"{100 * rate:.2f}" for rate in seats["win_rate"]],
            "95 % interval": _intervals(seats),
        }
    )
    if manifest["unfinished"]:
        by_seat["unfinished"] = [f"{count:,}" for count in seats["unfinished"]]
    games = manifest["games_played"]
    seeds = [str(part["seed"]) for part in manifest.get("merged", [])]
    seed = f"seeds {', '.join(seeds)}" if seeds else f"seed {what.seed}"
    lines = [
        f"{games:,} game{'s' if games > 1 else ''}, {_line_ups(what)}, rules {what.rules.label}, {seed}",
        "",
        *_from_totals(played),
        aligned(rows),
        "",
        aligned(by_seat),
        "",
        *_sure(manifest),
        *_told_apart(played),
        f"rounds per game {_plain(manifest, 'rounds_per_game')}, cards per game {_plain(manifest, 'cards_per_game')}",
        "± is one standard error; intervals and errors allow for games that share a deal or a table",
    ]
    if manifest["unfinished"]:
        share = 100 * manifest["unfinished"] / manifest["games_played"]
        lines.append(
            f"unfinished after {what.rules.max_rounds} rounds: {manifest['unfinished']:,} games ({share:.2f} %)"
        )
    return "\n".join(lines)


def _from_totals(played: Tournament) -> list[str]:
    """Who wins from which total, if games begin with any."""
    starts = played.tables.starts
    if starts is None:
        return []
    rows = pd.DataFrame(
        {
            "from total": starts["total"],
            "strategy": starts["strategy"],
            "wins %": _with_error(starts, "win_rate", 100, 2),
            "95 % interval": _intervals(starts),
            "mean rank": _with_error(starts, "mean_rank", 1, 3),
        }
    )
    return [aligned(rows), ""]


def _ranks(summary: pd.DataFrame) -> list[str]:
    """The ranks that each strategy may have."""
    pairs = zip(summary["rank_low"], summary["rank_high"], strict=True)
    return [str(low) if low == high else f"{low}–{high}" for low, high in pairs]


def _sure(manifest: dict[str, Any]) -> list[str]:
    """Whether a run that was to be sure is."""
    if "precision" not in manifest:
        return []
    looks = manifest["looks"]
    what = "differences" if manifest["decide"] else "win rates"
    text = f"{looks} look{'s' if looks > 1 else ''}, paid for: 95 % holds over all of them; "
    if not manifest["unsure"]:
        goal = (
            f"told apart, or known to ± {100 * manifest['precision']:g} %"
            if manifest["decide"]
            else (f"known to ± {100 * manifest['precision']:g} %")
        )
        return [text + f"all {what} are {goal}"]
    return [text + f"{len(manifest['unsure'])} {what} are not sure yet: {', '.join(manifest['unsure'][:3])} ..."]


def _told_apart(played: Tournament) -> list[str]:
    """What the data can tell, and what the deals, and taking luck out, do to the differences."""
    found = played.tables.differences
    if not len(found):
        return []
    sure = int((found["p_holm"] < LEVEL).sum())
    ratios = found[["variance_ratio", "deals_ratio"]].dropna()
    text = f"{sure} of {len(found)} differences in wins are sure (95 %, all together, Holm)"
    if len(ratios):
        both, deals = ratios.median()
        text += f"; their variance is {both:.2f} times that of independent deals (median)"
        if luck_taken_out(played.tables.summary, "win_rate_fair"):
            text += f", {deals:.2f} times before luck was taken out"
    return [text]


def scheduled(what: Plan, seconds: float, jobs: int, form: str) -> str:
    """What would be played: all line-ups in a table, or the first of them and how long they take."""
    rows = [
        {"line_up": number, "members": " | ".join(what.entrants[member].label for member in line), "games": games}
        for number, (line, games) in enumerate(zip(what.lineups, what.games, strict=True), 1)
    ]
    table = pd.DataFrame(rows)
    if form == "csv":
        return table.to_csv(index=False, lineterminator="\n").rstrip("\n")
    if form == "json":
        return str(table.to_json(orient="records", indent=2, force_ascii=False))
    shown = table.head(SHOWN)[["members", "line_up", "games"]]
    more = [f"... and {len(table) - SHOWN} more (--format csv lists all)"] if len(table) > SHOWN else []
    return "\n".join(
        [
            f"{sum(what.games):,} games, {_line_ups(what)}, rules {what.rules.label}, seed {what.seed}: "
            f"about {_duration(seconds)} on {jobs} thread{'s' if jobs > 1 else ''}",
            "",
            aligned(shown.rename(columns={"line_up": "line-up"})),
            *more,
        ]
    )


def _duration(seconds: float) -> str:
    """A time in words."""
    if seconds < 100:
        return f"{max(seconds, 0.1):.2g} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 6000 else f"{seconds / 3600:,.0f} hours"


def _line_ups(what: Plan) -> str:
    text = f"{len(what.lineups)} line-up{'s' if len(what.lineups) > 1 else ''} of {what.players}"
    if what.totals:
        text += f" from totals {', '.join(map(str, what.named_totals))}"
    return text if what.schedule == "mixed" else f"{text} ({what.schedule})"


def _seat_name(seat: int, players: int) -> str:
    if seat == players:
        return f"{seat} (first dealer)"
    return "1 (dealer's left)" if seat == 1 else str(seat)


def _plain(manifest: dict[str, object], name: str) -> str:
    error = manifest[f"{name}_se"]
    return f"{manifest[name]:.3f}" + (f" ± {error:.3f}" if error is not None else " (one block: no error known)")
