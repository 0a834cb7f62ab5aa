"""`flip7sim tournament`."""

import json
import math
import os
from pathlib import Path
from typing import Any

import click
import pandas as pd
from click.core import ParameterSource

from flip7sim.cli.options import (
    format_option,
    jobs_option,
    quiet_option,
    rules_from,
    rules_options,
    seed_option,
    strategy_option,
)
from flip7sim.cli.output import aligned, announce_compilation, progress_bar, say, show_table
from flip7sim.errors import Flip7Error
from flip7sim.files import check_folder
from flip7sim.policy.entries import source_hash
from flip7sim.rules import Rules
from flip7sim.tournaments import DEFAULT_GAMES, DEFAULT_STRATEGIES, Tournament, plan, play_plan


@click.command("tournament")
@strategy_option
@click.option("--players", "-p", type=int, help="Seats at a table.  [default: 4, or as many as strategies]")
@click.option("--games", "-g", type=int, help=f"Games in all.  [default: {DEFAULT_GAMES:,}]")
@seed_option
@rules_options
@jobs_option
@click.option("--name", default="tournament", show_default=True, help="Results go to results/NAME.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Or to this folder.")
@click.option(
    "--again",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="MANIFEST",
    help="Play the run of a manifest.json again; other options than --jobs and where it goes are read from it.",
)
@format_option("table", "csv", "json")
@quiet_option
@click.pass_context
def command(
    ctx: click.Context,
    strategies: tuple[str, ...],
    players: int | None,
    games: int | None,
    seed: int,
    rules: str,
    options: tuple[str, ...],
    jobs: int | None,
    name: str,
    out: Path | None,
    again: Path | None,
    form: str,
    quiet: bool,
) -> None:
    """Play strategies against each other and rank them.

    All line-ups of different strategies meet at tables of --players seats; every strategy plays every seat equally
    often. Without any option: eight built-in strategies, tables of 4, a million games.

    \b
    Examples:
      flip7sim tournament --games 100000
      flip7sim tournament -s 'stop-at(score=25)' -s expected-gain --players 4
      flip7sim tournament -s ./mine.py:cautious -s 'stop-at(score=28)' --rules us-3.1
    """  # noqa: D301 (click reads the escape)
    if again:
        given = [name for name in _REPEATED if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE]
        if given:
            raise Flip7Error(f"--again takes {', '.join(given)} from the manifest: leave them out")
        manifest = _read_manifest(again)
        what = plan(**manifest["arguments"])
        for entrant, known in zip(what.entrants, manifest["hashes"], strict=False):
            if source_hash(entrant.strategy) != known:
                say(f"warning: strategy {entrant.label} has changed since {again} was written")
    else:
        what = plan(
            strategies or DEFAULT_STRATEGIES,
            players,
            DEFAULT_GAMES if games is None else games,
            seed,
            rules_from(rules, options),
        )
    if Path(name).name != name:
        raise Flip7Error(f"name {name!r} cannot be used: it is a folder's name, without {os.sep!r} (see --out)")
    folder = out or Path("results") / name
    check_folder(folder)
    announce_compilation(quiet)
    with progress_bar(sum(what.games), quiet) as progress:
        played = play_plan(what, jobs, progress)
    if not played.counts.games:
        say("interrupted before the first games were done: nothing is saved", quiet)
        raise click.exceptions.Exit(130)
    played.save(folder)
    if played.counts.interrupted:
        say(
            f"interrupted after {played.counts.games:,} of {sum(what.games):,} games; those are saved in {folder}",
            quiet,
        )
    if form == "table":
        click.echo(_report(played))
    else:
        show_table(played.tables.summary, form)
    if not played.counts.interrupted:
        say(f"results in {folder}: {', '.join([*played.tables.files, 'manifest.json'])}", quiet)
    if played.counts.interrupted:
        raise click.exceptions.Exit(130)


#: What `--again` reads from the manifest.
_REPEATED = ("strategies", "players", "games", "seed", "rules", "options")


def _read_manifest(path: Path) -> dict[str, Any]:
    """The arguments of a tournament from its manifest, and the hashes of its strategies' sources."""
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Flip7Error(f"manifest {str(path)!r} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise Flip7Error(f"manifest {str(path)!r} is not one of a tournament: {error}") from None
    kinds = {"strategies": list, "players": int, "games": int, "seed": int, "rules": dict}
    if not isinstance(manifest, dict):
        raise Flip7Error(f"manifest {str(path)!r} is not one of a tournament: it must be an object")
    for key, kind in kinds.items():
        if not isinstance(manifest.get(key), kind):
            raise Flip7Error(
                f"manifest {str(path)!r} is not one of a tournament: {key!r} must be of type {kind.__name__}"
            )
    strategies = [entry.get("spec") if isinstance(entry, dict) else None for entry in manifest["strategies"]]
    if not all(isinstance(spec, str) for spec in strategies):
        raise Flip7Error(
            f"manifest {str(path)!r} is not one of a tournament: each strategy must have a 'spec', a string"
        )
    arguments = {key: manifest[key] for key in kinds}
    arguments |= {"strategies": strategies, "rules": Rules.from_dict(manifest["rules"])}
    return {"arguments": arguments, "hashes": [entry.get("source_hash") for entry in manifest["strategies"]]}


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


def _report(played: Tournament) -> str:
    """The ranked table, and what is to be said of the games as a whole."""
    what, manifest = played.plan, played.manifest
    summary = played.tables.summary
    rows = pd.DataFrame(
        {
            "strategy": summary["strategy"],
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
    lineups = f"{len(what.lineups)} line-up{'s' if len(what.lineups) > 1 else ''} of {what.players}"
    games = manifest["games_played"]
    lines = [
        f"{games:,} game{'s' if games > 1 else ''}, {lineups}, rules {what.rules.label}, seed {what.seed}",
        "",
        aligned(rows),
        "",
        aligned(by_seat),
        "",
        f"rounds per game {_plain(manifest, 'rounds_per_game')}, cards per game {_plain(manifest, 'cards_per_game')}",
        "± is one standard error; intervals and errors allow for games that share a deal or a table",
    ]
    if manifest["unfinished"]:
        share = 100 * manifest["unfinished"] / manifest["games_played"]
        lines.append(
            f"unfinished after {what.rules.max_rounds} rounds: {manifest['unfinished']:,} games ({share:.2f} %)"
        )
    return "\n".join(lines)


def _seat_name(seat: int, players: int) -> str:
    if seat == players:
        return f"{seat} (first dealer)"
    return "1 (dealer's left)" if seat == 1 else str(seat)


def _plain(manifest: dict[str, object], name: str) -> str:
    error = manifest[f"{name}_se"]
    return f"{manifest[name]:.3f}" + (f" ± {error:.3f}" if error is not None else " (one block: no error known)")
