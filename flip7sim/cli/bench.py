"""`flip7sim bench`."""

import json

import click

from flip7sim.benchmark import DEFAULT_STRATEGY, bench
from flip7sim.cli.options import rules_from, rules_options, seed_option
from flip7sim.cli.output import announce_compilation


@click.command("bench")
@click.argument("strategies", nargs=-1, metavar="[STRATEGY]...")
@click.option("--players", "-p", type=int, default=4, show_default=True, help="Seats at the table.")
@click.option("--games", "-g", type=int, default=1_000_000, show_default=True, help="Games to play.")
@click.option("--jobs", "-j", type=click.IntRange(1, 1024), default=1, show_default=True, help="Threads.")
@seed_option
@rules_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    strategies: tuple[str, ...],
    players: int,
    games: int,
    jobs: int,
    seed: int,
    rules: str,
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """Measure how fast games are played.

    Compilation apart. One table of the strategies that are named; a single one takes all the seats.
    """
    announce_compilation(quiet=False)
    result = bench(strategies or (DEFAULT_STRATEGY,), players, games, jobs, seed, rules_from(rules, options))
    if as_json:
        click.echo(json.dumps(result))
        return
    click.echo(f"{result['games']:,} games ({result['cards']:,} cards) of {', '.join(result['strategies'])}")
    click.echo(f"  {result['games_per_second']:>12,.0f} games a second with {result['jobs']} thread(s)")
    click.echo(f"  {result['games_per_cpu_second']:>12,.0f} games per second of processor time")
    click.echo(f"  {result['nanoseconds_per_card']:>12.2f} nanoseconds of processor time a card")
    click.echo(f"  {result['compile_seconds']:>12.2f} seconds to compile, or to load what was compiled before")
