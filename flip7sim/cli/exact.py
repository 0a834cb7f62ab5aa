"""`flip7sim exact`."""

import click
import pandas as pd

from flip7sim.alone import DEFAULT_STRATEGIES, evaluate
from flip7sim.cli.options import deck_option, format_option, jobs_option, quiet_option, rules_from, rules_options
from flip7sim.cli.output import announce_compilation, show_table, step_bar


@click.command("exact")
@click.argument("strategies", nargs=-1, metavar="[STRATEGY]...")
@deck_option
@click.option(
    "--show",
    type=click.Choice(["summary", "scores", "rounds"]),
    default="summary",
    show_default=True,
    help="The main figures, the chance of each round score, or of each number of rounds to 200.",
)
@rules_options
@jobs_option
@format_option("table", "csv", "json")
@quiet_option
def command(
    strategies: tuple[str, ...],
    deck: str | None,
    show: str,
    rules: str,
    options: tuple[str, ...],
    jobs: int | None,
    form: str,
    quiet: bool,
) -> None:
    """Work out exactly what strategies make of a round played alone.

    One seat, a fresh deck, nothing estimated: for any jitted strategy that decides by its own hand, or by the cards
    that it has not seen. With nothing in front it must hit; a Freeze and a Flip Three hit the seat itself, an extra
    Second Chance is discarded. Of the rules, flip3_second_chance, flip7_size and flip7_bonus matter.

    The decks: numbers (79 cards), modifiers (85), second-chance (88), full (94; takes a minute and 3 GB of memory).

    In Vengeance: numbers (92), modifiers (98; they are kept; takes several minutes). With actions a round cannot be
    exact: what a Discard takes away has left the deck, and there would be too much to remember. Of the rules,
    flip7_size, flip7_bonus and lucky13_flip7 matter.
    """
    announce_compilation(quiet)
    with step_bar(quiet) as progress:
        found = evaluate(strategies or DEFAULT_STRATEGIES, deck, rules_from(rules, options), jobs, progress)
    if show == "summary":
        table = found.table
    else:
        table = pd.DataFrame([row for each in found for row in (each.scores if show == "scores" else each.rounds)])
    show_table(readable(table) if form == "table" else table, form)


def readable(table: pd.DataFrame) -> pd.DataFrame:
    """Exact numbers with as many digits as people want to read."""
    texts = table.copy()
    for name in table.columns:
        if table[name].dtype == float:
            digits = 4 if name in ("expected_score", "sd", "decisions", "rounds_to_200", "disagree") else 6
            texts[name] = ["–" if value != value else f"{value:.{digits}f}" for value in table[name]]
    return texts
