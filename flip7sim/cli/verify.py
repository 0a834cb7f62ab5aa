"""`flip7sim verify`."""

import click

from flip7sim.alone import DEFAULT_STRATEGIES
from flip7sim.cli.options import (
    deck_option,
    format_option,
    jobs_option,
    quiet_option,
    rules_from,
    rules_options,
    seed_option,
)
from flip7sim.cli.output import announce_compilation, progress_bar, say, show_table
from flip7sim.verification import LIMIT, verify


@click.command("verify")
@click.argument("strategies", nargs=-1, metavar="[STRATEGY]...")
@deck_option
@click.option("--rounds", type=int, default=10_000_000, show_default=True, help="Rounds that each strategy plays.")
@seed_option
@rules_options
@jobs_option
@format_option("table", "csv", "json")
@quiet_option
def command(
    strategies: tuple[str, ...],
    deck: str | None,
    rounds: int,
    seed: int,
    rules: str,
    options: tuple[str, ...],
    jobs: int | None,
    form: str,
    quiet: bool,
) -> None:
    """Check Monte Carlo against the exact solver.

    The engine plays rounds alone; their mean score, busts and Flip 7s are compared with what is exact. z is the
    difference in standard errors. Exit status 1 if one is 4 or more. The decks are those of `flip7sim exact`.
    """
    announce_compilation(quiet)
    with progress_bar(rounds, quiet) as progress:
        chosen = strategies or DEFAULT_STRATEGIES
        found = verify(chosen, deck, rounds, seed, rules_from(rules, options), jobs, progress)
    table = found.table
    if form == "table":
        table["estimate"] = [f"{each.estimate:.6f}" for each in found]
        table["exact"] = [f"{each.exact:.6f}" for each in found]
        table["z"] = [f"{each.z:+.2f}" for each in found]
        table["rounds"] = [f"{each.rounds:,}" for each in found]
    show_table(table, form)
    wrong = [each for each in found if not each.ok]
    if wrong:
        say(f"{len(wrong)} of {len(found)} figures are {LIMIT:g} standard errors off, or more")
        raise click.exceptions.Exit(1)
