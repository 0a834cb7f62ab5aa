"""`flip7sim replay`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from flip7sim.cli.options import (
    against_option,
    quiet_option,
    rules_from,
    rules_options,
    seed_option,
    strategy_option,
    totals_from,
    totals_option,
)
from flip7sim.cli.output import announce_compilation, say
from flip7sim.errors import Flip7Error
from flip7sim.replays import ENGINES, ReplayResult, replay
from flip7sim.tournaments import DEFAULT_STRATEGIES

if TYPE_CHECKING:
    from flip7sim.replays.simulated import SimulatedGame


@click.command("replay")
@click.argument("files", nargs=-1, type=click.Path(), metavar="[FILE]...")
@click.option("--engine", type=click.Choice(ENGINES), default="both", show_default=True, help="Who plays the files.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list, one object a file.")
@click.option("--export", is_flag=True, help="Write a game of a simulation as a replay file, to stdout or --out.")
@seed_option
@click.option("--game", type=click.IntRange(0, 2**62 - 1), default=0, show_default=True, help="Number of the game.")
@strategy_option
@against_option("The others, of a game of a sweep or of the schedule `field`.")
@totals_option
@rules_options
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Where --export writes.")
@quiet_option
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    engine: str,
    as_json: bool,
    export: bool,
    seed: int,
    game: int,
    strategies: tuple[str, ...],
    against: tuple[str, ...],
    totals: str | None,
    rules: str,
    options: tuple[str, ...],
    out: Path | None,
    quiet: bool,
) -> None:
    """Play replay files and check what must come of them.

    Or tell, or export, a game of a simulation.

    With files: the transcript of each, and what is not as the file expects. Exit status 1 for a mismatch, 2 for a file
    that cannot be played.

    Without: the game number --game of --seed, between the strategies of --strategy, one for each seat (who sits where
    is a function of seed and game, as in a tournament). In a sweep, and in the schedule `field`, one is the candidate:
    name that one with --strategy, and the others with --against.

    \b
    Examples:
      flip7sim replay table.toml
      flip7sim replay --seed 7 --game 12 -s 'stop-at(score=25)' -s expected-gain
      flip7sim replay --export --seed 7 --game 12 -s always-hit -s expected-gain --out game.toml
    """  # noqa: D301 (click reads the escape)
    announce_compilation(quiet)
    if files:
        mine = ("export", "seed", "game", "strategies", "against", "totals", "rules", "options", "out")
        given = [name for name in mine if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE]
        if given:
            raise Flip7Error(f"replay: {', '.join(given)} are for games of a simulation: leave them out, or the files")
        _play_files(files, engine, as_json)
    else:
        from flip7sim.replays.simulated import simulated_game

        if against and not strategies:
            raise Flip7Error("--against names the others: name the candidate with --strategy")
        chosen = strategies or DEFAULT_STRATEGIES[:4]
        played = simulated_game(chosen, seed, game, rules_from(rules, options), totals_from(totals), against)
        _tell_game(played, export, as_json, out, quiet)


def _play_files(files: tuple[str, ...], engine: str, as_json: bool) -> None:
    results = []
    for file in files:
        result = replay(file, engine)  # type: ignore[arg-type]
        results.append(result)
        if not as_json:
            _print_result(result)
    if as_json:
        click.echo(json.dumps([result.to_json_object() for result in results], indent=2, ensure_ascii=False))
    elif len(results) > 1:
        good = sum(result.ok for result in results)
        click.echo(f"{good} of {len(results)} files as expected")
    status = max(result.exit_status for result in results)
    if status:
        raise click.exceptions.Exit(status)


def _print_result(result: ReplayResult) -> None:
    if result.finish is not None:
        click.echo(f"{result.title} ({result.file})")
    for line in result.transcript:
        click.echo(f"  {line}" if line else "")
    for mismatch in result.mismatches:
        click.echo(f"  MISMATCH {mismatch['field']}: expected {mismatch['expected']!r}, got {mismatch['got']!r}")
    if result.error is not None:
        click.echo(f"flip7sim: error: {result.error}", err=True)
    elif result.ok:
        click.echo("  as expected")
    if result.finish is not None:
        click.echo()


def _tell_game(played: "SimulatedGame", export: bool, as_json: bool, out: Path | None, quiet: bool) -> None:
    from flip7sim.replays.transcript import event_objects

    if export:
        text = played.to_toml()
        if out is None:
            click.echo(text, nl=False)
        else:
            from flip7sim.files import write_text

            write_text(out, text)
            say(f"written: {out}", quiet)
    elif as_json:
        events = event_objects(played.start.rules, played.names, played.finish.events)
        seats = dict(zip(played.names, (entrant.label for entrant in played.entrants), strict=True))
        click.echo(json.dumps({"title": played.title, "seats": seats, "events": events}, indent=2, ensure_ascii=False))
    else:
        click.echo(played.title)
        for line in played.transcript():
            click.echo(line)
    if played.problem:
        raise Flip7Error(f"game {played.start.game} stopped: {played.problem}")
