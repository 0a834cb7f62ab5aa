"""Integer counts become tidy DataFrames, CSV files and a manifest."""

import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pandas as pd

from flip7sim.engine.batch import BUSTS, FLIP7S, GAMES, RANK2, ROUNDS, SCORE, UNFINISHED, WINS
from flip7sim.files import write_all
from flip7sim.policy.entries import source_hash
from flip7sim.policy.registry import Entrant
from flip7sim.runs.counts import Counts, Plan
from flip7sim.stats.comparisons import differences, fair_win_rates, head_to_head, ranks
from flip7sim.stats.evolution import invasions, mixture
from flip7sim.stats.intervals import effective_size, quantile, ratio_error, wilson
from flip7sim.stats.races import race, starts
from flip7sim.stats.ratings import ratings, skill

__all__ = ["Tables", "describe", "describe_entrant", "environment", "tables_of", "write_files"]


@dataclass(frozen=True)
class Tables:
    """The results of a run, as DataFrames.

    Attributes
    ----------
    summary : DataFrame
        One row a strategy, the most wins first.
    lineups : DataFrame
        One row a line-up and strategy.
    seats : DataFrame
        One row a strategy and seat, and one for `(all)` strategies; seat 1 is to the left of the first dealer.
    round_scores : DataFrame
        The histogram of round scores by strategy; a bust is a score of 0.
    differences : DataFrame
        One row a pair of strategies: by how much the one wins more, and how sure that is (see `comparisons`).
    head_to_head : DataFrame
        One row an ordered pair: how often the one ends above the other at the same table.
    ratings : DataFrame
        One row a strategy: its rating and share of points (see `ratings`).
    race : DataFrame
        One row a strategy and round: its total after it (see `races`).
    starts : DataFrame or None
        Where games begin with totals: how often each seat wins from its own (see `races`).
    invasions, mixture : DataFrame or None
        For the schedules `invasion` and `population`: which populations resist whom; the latter: what evolution settles
        on (see `evolution`).
    """

    summary: pd.DataFrame
    lineups: pd.DataFrame
    seats: pd.DataFrame
    round_scores: pd.DataFrame
    differences: pd.DataFrame
    head_to_head: pd.DataFrame
    ratings: pd.DataFrame
    race: pd.DataFrame
    starts: pd.DataFrame | None = None
    invasions: pd.DataFrame | None = None
    mixture: pd.DataFrame | None = None

    @property
    def files(self) -> dict[str, pd.DataFrame]:
        """Each table with the name of its file."""
        tables = {field.name: getattr(self, field.name) for field in fields(self)}
        return {f"{name}.csv": table for name, table in tables.items() if table is not None}


#: Column of the summary, numerator and denominator.
_RATIOS = (
    ("win_rate", WINS, GAMES),
    ("round_score", SCORE, ROUNDS),
    ("bust_rate", BUSTS, ROUNDS),
    ("flip7_rate", FLIP7S, ROUNDS),
    ("mean_rank", RANK2, GAMES),
)


def _summary(plan: Plan, counts: Counts, found: pd.DataFrame) -> pd.DataFrame:
    rows = []
    deals = counts.blocks * plan.players
    fair = fair_win_rates(plan, counts)
    fair_errors = fair.errors
    for number, entrant in enumerate(plan.entrants[: plan.contenders]):
        sums, moments = counts.sheet.sums[number], counts.sheet.moments[number]
        if sums[GAMES] == 0:
            continue
        row: dict[str, Any] = {
            "strategy": entrant.label,
            "games": int(sums[GAMES]),
            "wins": int(sums[WINS]),
            "unfinished": int(counts.sheet.seats[number, :, UNFINISHED].sum()),
            "rounds": int(sums[ROUNDS]),
        }
        for name, over, under in _RATIOS:
            ratio, error = ratio_error(sums, moments, over, under, counts.blocks)
            half = 0.5 if over == RANK2 else 1.0
            row |= {name: ratio * half, f"{name}_se": error * half}
            if over == WINS:
                size = effective_size(ratio, error, row["games"], deals)
                row["win_rate_low"], row["win_rate_high"] = wilson(ratio, size, quantile(counts.blocks, counts.error))
                row["win_rate_fair"], row["win_rate_fair_se"] = float(fair.value[number]), float(fair_errors[number])
        rows.append(row)
    columns = ["strategy", "games", "wins", "win_rate", "win_rate_se", "win_rate_low", "win_rate_high"]
    columns += ["unfinished", "rounds"]
    columns += [column for name, *_ in _RATIOS[1:] for column in (name, f"{name}_se")]
    last = ["win_rate_fair", "win_rate_fair_se"]
    table = pd.DataFrame(rows, columns=[*columns, *last]).merge(
        ranks(found, [row["strategy"] for row in rows]), on="strategy"
    )
    table = table[[*table.columns.drop(last), *last]]
    return table.sort_values(["win_rate", "strategy"], ascending=[False, True], ignore_index=True)


def _lineups(plan: Plan, counts: Counts) -> pd.DataFrame:
    rows = []
    for number, members in enumerate(plan.lineups):
        found: dict[tuple[str, str], list[int]] = {}
        for place, member in enumerate(members):
            # A field may have a strategy twice.
            role = "contender" if member < plan.contenders else "field"
            found.setdefault((plan.entrants[member].label, role), []).append(place)
        for (label, role), places in found.items():
            sums = counts.sheet.lineups[number, places].sum(axis=0)
            games, wins = int(sums[GAMES]), int(sums[WINS])
            if games == 0:
                continue
            low, high = wilson(wins / games, games, quantile(0, counts.error))
            rows.append(
                {
                    "line_up": number + 1,
                    "strategy": label,
                    "role": role,
                    "seats": len(places),
                    "first_game": plan.first_games[number],
                    "games": games,
                    "wins": wins,
                    "win_rate": wins / games,
                    "win_rate_low": low,
                    "win_rate_high": high,
                    "rounds": int(sums[ROUNDS]),
                    "points": int(sums[SCORE]),
                    "busts": int(sums[BUSTS]),
                    "flip7s": int(sums[FLIP7S]),
                    "unfinished": int(counts.sheet.games[number, 1]),
                }
            )
    return pd.DataFrame(rows)


def _seats(plan: Plan, counts: Counts) -> pd.DataFrame:
    rows = []
    strategies, deals = len(plan.entrants), counts.blocks * plan.players
    for number in (*range(plan.contenders), strategies):
        for seat in range(plan.players):
            if number == strategies:
                place = strategies + seat
                label, games, wins = "(all)", int(counts.sheet.sums[place, GAMES]), int(counts.sheet.sums[place, WINS])
                unfinished = int(counts.sheet.seats[:, seat, UNFINISHED].sum())
                rate, error = ratio_error(
                    counts.sheet.sums[place], counts.sheet.moments[place], WINS, GAMES, counts.blocks
                )
                size = effective_size(rate, error, games, deals)
            else:
                label = plan.entrants[number].label
                games, wins, unfinished = (int(count) for count in counts.sheet.seats[number, seat])
                # What a game is worth for the strategy as a whole, it is worth in each seat.
                total = ratio_error(counts.sheet.sums[number], counts.sheet.moments[number], WINS, GAMES, counts.blocks)
                all_games = max(1, int(counts.sheet.sums[number, GAMES]))
                size = games * effective_size(*total, all_games, deals) / all_games
            if games == 0:
                continue
            low, high = wilson(wins / games, size, quantile(counts.blocks, counts.error))
            rows.append((label, seat + 1, games, wins, wins / games, low, high, unfinished))
    columns = ["strategy", "seat", "games", "wins", "win_rate", "win_rate_low", "win_rate_high", "unfinished"]
    return pd.DataFrame(rows, columns=columns)


def _round_scores(plan: Plan, counts: Counts) -> pd.DataFrame:
    rows = []
    for entrant, histogram in zip(plan.entrants[: plan.contenders], counts.histogram, strict=False):
        total = int(histogram.sum())
        rows += [
            (entrant.label, score, int(count), int(count) / total)
            for score, count in enumerate(histogram, counts.lowest_score)
            if count > 0
        ]
    return pd.DataFrame(rows, columns=["strategy", "score", "rounds", "share"])


def tables_of(plan: Plan, counts: Counts) -> Tables:
    """The DataFrames of a run.

    Parameters
    ----------
    plan : Plan
        What was to be played.
    counts : Counts
        What was counted.

    Returns
    -------
    Tables
    """
    found = differences(plan, counts)
    return Tables(
        summary=_summary(plan, counts, found),
        lineups=_lineups(plan, counts),
        seats=_seats(plan, counts),
        round_scores=_round_scores(plan, counts),
        differences=found,
        head_to_head=head_to_head(plan, counts),
        ratings=ratings(plan, counts),
        race=race(plan, counts),
        starts=starts(plan, counts) if plan.totals else None,
        invasions=invasions(plan, counts) if plan.schedule in ("invasion", "population") else None,
        mixture=mixture(plan, counts) if plan.schedule == "population" else None,
    )


def describe(plan: Plan, counts: Counts) -> dict[str, Any]:
    """What a manifest says of a run: all that is needed to play it again, and what came of the games as a whole."""
    everything = len(plan.entrants) + plan.players
    sums, moments = counts.sheet.sums[everything], counts.sheet.moments[everything]
    rounds, rounds_error = ratio_error(sums, moments, 2, 0, counts.blocks)
    cards, cards_error = ratio_error(sums, moments, 3, 0, counts.blocks)
    explained, explained_error = skill(plan, counts)
    return {
        **environment(),
        "rules": plan.rules.to_dict(),
        "players": plan.players,
        "schedule": plan.schedule,
        "strategies": [
            describe_entrant(entrant) | {"seats": plan.seats_of(number)}
            for number, entrant in enumerate(plan.entrants[: plan.contenders])
        ],
        "totals": list(plan.named_totals),
        "against": [describe_entrant(entrant) for entrant in plan.entrants[plan.contenders :]],
        "seed": plan.seed,
        "line_ups": len(plan.lineups),
        "games": sum(plan.games),
        "games_played": counts.games,
        "interrupted": counts.interrupted,
        "looks": counts.looks,
        "unfinished": int(sums[1]),
        "skill": _number(explained),
        "skill_se": _number(explained_error),
        "rounds_per_game": _number(rounds),
        "rounds_per_game_se": _number(rounds_error),
        "cards_per_game": _number(cards),
        "cards_per_game_se": _number(cards_error),
    }


def describe_entrant(entrant: Entrant) -> dict[str, Any]:
    """What a manifest says of a strategy."""
    return {
        "strategy": entrant.label,
        "name": entrant.strategy.name,
        "parameters": entrant.parameters,
        "origin": entrant.origin,
        "spec": entrant.spec,
        "source_hash": source_hash(entrant.strategy),
    }


def environment() -> dict[str, Any]:
    """What a manifest says of the programs that played."""
    packages = {name: version(name) for name in ("numba", "numpy", "pandas")}
    return {"version": version("flip7sim"), "python": platform.python_version(), "packages": packages}


def _number(value: float) -> float | None:
    """A number as JSON has it: null for nan."""
    return None if value != value else value


def write_files(
    folder: Path,
    tables: Mapping[str, pd.DataFrame],
    manifest: Mapping[str, Any],
    more: Mapping[str, bytes] | None = None,
) -> list[Path]:
    """Write the CSV files, other files by name, and the manifest of a run into a folder (see `files.write_all`)."""
    texts: dict[str, str | bytes] = {
        name: table.to_csv(index=False, lineterminator="\n") for name, table in tables.items()
    }
    return write_all(
        folder, texts | dict(more or {}) | {"manifest.json": json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"}
    )
