"""`flip7sim tournament`."""

from pathlib import Path

import click

from flip7sim.cli.again import again_option, read_manifest, refuse_given, specs_of, tell_changes
from flip7sim.cli.options import (
    backend_options,
    folder_of,
    format_option,
    jobs_option,
    quiet_option,
    result_options,
    rules_from,
    rules_options,
    seed_option,
    strategy_option,
    totals_from,
    totals_option,
)
from flip7sim.cli.output import announce_compilation, progress_bar, say, show_table
from flip7sim.cli.standings import scheduled, standings
from flip7sim.errors import Flip7Error
from flip7sim.files import check_folder
from flip7sim.rules import Rules
from flip7sim.runs.backends import open_backend
from flip7sim.runs.counts import Plan
from flip7sim.runs.schedule import SCHEDULES
from flip7sim.runs.simulate import available_jobs
from flip7sim.runs.stored import CHECKPOINT, SECONDS, Recorder
from flip7sim.sequential import Goal
from flip7sim.tournaments import DEFAULT_GAMES, DEFAULT_STRATEGIES, estimate, plan, play_plan

#: The most games, and the precision, unless they are given.
MOST_GAMES = 100_000_000
DECIDE = 0.002


@click.command("tournament")
@strategy_option
@click.option(
    "--schedule",
    type=click.Choice(list(SCHEDULES)),
    default="mixed",
    show_default=True,
    help="Who meets whom: " + "; ".join(f"{name}: {what}" for name, what in SCHEDULES.items()) + ".",
)
@click.option(
    "--against",
    "-a",
    multiple=True,
    metavar="STRATEGY",
    help="The field of the schedule `field`. Can be given again and again.",
)
@click.option("--players", "-p", type=int, help="Seats at a table.  [default: 4, or as many as strategies]")
@click.option("--games", "-g", type=int, help=f"Games in all.  [default: {DEFAULT_GAMES:,}]")
@click.option(
    "--precision",
    type=float,
    metavar="SHARE",
    help="Play until every win rate is known to so much either way, for instance 0.001; looks are paid for.",
)
@click.option(
    "--decide",
    is_flag=True,
    help=f"Until every two are told apart, or their difference is known to --precision.  [default: {DECIDE:g}]",
)
@click.option(
    "--max-games", type=int, help=f"The most games that --precision and --decide play.  [default: {MOST_GAMES:,}]"
)
@totals_option
@seed_option
@rules_options
@jobs_option
@result_options("tournament")
@again_option
@click.option(
    "--resume",
    is_flag=True,
    help="Go on with the run that the folder holds: cut short (checkpoint.npz), or of fewer games (counts.npz).",
)
@click.option(
    "--checkpoint",
    type=click.FloatRange(0),
    default=SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="A checkpoint is written so often, from which --resume goes on after a kill.",
)
@click.option(
    "--per-game",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write what each seat did in each game to a .csv or .parquet file too.",
)
@backend_options
@click.option("--dry-run", is_flag=True, help="Say what would be played, and how long it would take; play nothing.")
@format_option("table", "csv", "json")
@quiet_option
@click.pass_context
def command(
    ctx: click.Context,
    strategies: tuple[str, ...],
    schedule: str,
    against: tuple[str, ...],
    players: int | None,
    games: int | None,
    precision: float | None,
    decide: bool,
    max_games: int | None,
    totals: str | None,
    seed: int,
    rules: str,
    options: tuple[str, ...],
    jobs: int | None,
    name: str,
    out: Path | None,
    again: Path | None,
    resume: bool,
    checkpoint: float,
    per_game: Path | None,
    backend: str,
    scheduler: str | None,
    dry_run: bool,
    form: str,
    quiet: bool,
) -> None:
    """Play strategies against each other and rank them.

    All line-ups of different strategies meet at tables of --players seats; every strategy plays every seat equally
    often. Without any option: eight built-in strategies, tables of 4, a million games. Other schedules let them meet in
    other ways; --dry-run lists what would be played.

    \b
    Examples:
      flip7sim tournament --games 100000
      flip7sim tournament -s 'stop-at(score=25)' -s expected-gain --players 4
      flip7sim tournament -s ./mine.py:cautious -s 'stop-at(score=28)' --rules us-3.1
      flip7sim tournament -s expected-gain --totals 150,140,60
      flip7sim tournament --schedule field -s 'stop-at(score=27)' -s 'stop-at(score=28)' -a expected-gain -a stop-at
    """  # noqa: D301 (click reads the escape)
    if again:
        refuse_given(ctx, _REPEATED)
        what, goal = _again(again)
    else:
        goal = _goal(precision, decide, games, max_games)
        usual = DEFAULT_GAMES if goal is None else MOST_GAMES
        wanted = games if goal is None else max_games
        what = plan(
            strategies or DEFAULT_STRATEGIES,
            players,
            usual if wanted is None else wanted,
            seed,
            rules_from(rules, options),
            schedule,
            against,
            totals_from(totals),
        )
    folder = folder_of(name, out)
    if dry_run:
        announce_compilation(quiet)
        jobs = jobs or available_jobs()
        click.echo(scheduled(what, estimate(what, jobs), jobs, form))
        return
    check_folder(folder)
    announce_compilation(quiet)
    if (folder / CHECKPOINT).is_file() and not resume:
        say(
            f"{folder} holds a run that was cut short, which this one takes the place of (--resume goes on with it)",
            quiet,
        )
    recorder = Recorder(what, folder, checkpoint)
    with open_backend(backend, jobs, scheduler) as workers, progress_bar(sum(what.games), quiet) as progress:
        played = play_plan(what, workers, progress, goal, recorder, resume, per_game)
    if not played.counts.games:
        say("interrupted before the first games were done: nothing is saved", quiet)
        raise click.exceptions.Exit(130)
    files = played.save(folder)
    recorder.forget()
    if played.counts.interrupted:
        say(
            f"interrupted after {played.counts.games:,} of {sum(what.games):,} games; those are saved in {folder}, "
            "and --resume goes on from there",
            quiet,
        )
    if form == "table":
        click.echo(standings(played))
    else:
        show_table(played.tables.summary, form)
    if not played.counts.interrupted:
        say(f"results in {folder}: {', '.join(path.name for path in files)}", quiet)
    if played.counts.interrupted:
        raise click.exceptions.Exit(130)


def _goal(precision: float | None, decide: bool, games: int | None, max_games: int | None) -> Goal | None:
    """When to stop, if it is not after a number of games."""
    if precision is None and not decide:
        if max_games is not None:
            raise Flip7Error("--max-games goes with --precision or --decide; write --games for a number of games")
        return None
    if games is not None:
        raise Flip7Error("--games is a number of games; with --precision or --decide write --max-games")
    return Goal(DECIDE if precision is None else precision, decide)


#: What `--again` reads from the manifest.
_REPEATED = (
    *("strategies", "schedule", "against", "players", "games", "precision", "decide", "max_games", "totals", "seed"),
    *("rules", "options"),
)


def _again(path: Path) -> tuple[Plan, Goal | None]:
    """The plan and the goal of the tournament whose manifest this is."""
    kinds = {
        **{"strategies": list, "schedule": str, "against": list, "players": int, "games": int, "seed": int},
        "rules": dict,
    }
    manifest = read_manifest(path, "tournament", kinds)
    goal = None
    if manifest.get("precision") is not None:
        goal = Goal(float(manifest["precision"]), bool(manifest.get("decide")))
    what = plan(
        specs_of(path, "tournament", manifest["strategies"]),
        manifest["players"],
        manifest["games"] if goal is None else int(manifest["max_games"]),
        manifest["seed"],
        Rules.from_dict(manifest["rules"]),
        manifest["schedule"],
        specs_of(path, "tournament", manifest["against"]),
        manifest["totals"],
    )
    tell_changes(path, what.entrants, [*manifest["strategies"], *manifest["against"]])
    return what, goal
