"""`flip7sim solve`."""

import click
import pandas as pd

from flip7sim.alone import solve
from flip7sim.cli.exact import readable
from flip7sim.cli.options import deck_option, format_option, jobs_option, quiet_option, rules_from, rules_options
from flip7sim.cli.output import aligned, show_table, step_bar


@click.command("solve")
@deck_option
@rules_options
@jobs_option
@format_option("table", "csv", "json")
@quiet_option
def command(deck: str, rules: str, options: tuple[str, ...], jobs: int | None, form: str, quiet: bool) -> None:
    """Find the best expected score of a round played alone.

    By backward induction over every state there is, without any approximation; then what comes of playing so, and from
    which score on it stays, by number cards in hand. The round is that of `flip7sim exact`, and so are the decks.
    """
    chosen = rules_from(rules, options)
    with step_bar(quiet) as progress:
        value, best = solve(deck, chosen, jobs, progress)
    summary = pd.DataFrame([best.summary])
    if form != "table":
        show_table(summary, form)
        return
    click.echo(f"deck {deck}, rules {chosen.label}: the best expected score of a round alone is {value:.10f} (exact)\n")
    click.echo(aligned(readable(summary)))
    click.echo("\nIt stays from these scores on (in so many per cent of the decisions it does otherwise):\n")
    rows = [
        {
            "number cards": row["number_cards"],
            "Second Chance": "yes" if row["second_chance"] else "no",
            "stay from": "never" if row["stay_from"] is None else row["stay_from"],
            "decisions a round": f"{row['decisions']:.5f}",
            "otherwise %": f"{row['disagree']:.2f}",
        }
        for row in best.stops
    ]
    click.echo(aligned(pd.DataFrame(rows)))
