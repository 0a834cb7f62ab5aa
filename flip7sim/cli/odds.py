"""`flip7sim odds`."""

import click
import pandas as pd

from flip7sim.alone import odds
from flip7sim.cli.options import format_option, jobs_option, quiet_option, rules_from, rules_options
from flip7sim.cli.output import aligned, show_table, step_bar
from flip7sim.exact.bust_table import bust_table, hands_to_hit_on

DEFAULT_HAND = "3 8 12 +4"


@click.command("odds")
@click.option(
    "--hand", default=DEFAULT_HAND, show_default=True, metavar="CARDS", help="What lies in front of the seat."
)
@click.option("--seen", default="", metavar="CARDS", help="What else has been seen since the last shuffle.")
@click.option("--table", "table", is_flag=True, help="The chance of a bust by number of cards instead.")
@click.option("--hands", "hands", is_flag=True, help="The best and the worst hands to hit on instead.")
@rules_options
@jobs_option
@format_option("table", "csv", "json")
@quiet_option
def command(
    hand: str,
    seen: str,
    table: bool,
    hands: bool,
    rules: str,
    options: tuple[str, ...],
    jobs: int | None,
    form: str,
    quiet: bool,
) -> None:
    """Work out the odds of the next card, exactly, and whether to hit.

    For the hand as it is, and for the same hand with a Second Chance or without. What has been seen elsewhere is out of
    the deck; without --seen, the deck is fresh but for the hand. "go on" is the expected score of a player who hits now
    and goes on as well as can be, alone at the table (the longer the hand, the sooner it is there).

    \b
    Examples:
      flip7sim odds --hand "3 8 12 +4" --seen "12 12 5 freeze"
      flip7sim odds --table
      flip7sim odds --hands
    """  # noqa: D301 (click reads the escape)
    if table or hands:
        if table and hands:
            raise click.UsageError("--table and --hands are two tables: ask for one")
        (_bust_table if table else _hands)(form)
        return
    with step_bar(quiet) as progress:
        found = odds(hand, seen, rules_from(rules, options), jobs, progress)
    summary = found.table
    if form == "json":
        rows = [each.summary | {"cards": each.cards} for each in found]
        show_table(pd.DataFrame(rows), form)
        return
    if form == "csv":
        show_table(summary, form)
        return
    click.echo(f"hand {hand or '(nothing)'}, seen elsewhere {seen or '(nothing)'}; all numbers are exact\n")
    texts = pd.DataFrame(
        {
            "Second Chance": ["yes" if held else "no" for held in summary["second_chance"]],
            "bust %": [f"{100 * value:.3f}" for value in summary["bust"]],
            "Flip 7 %": [f"{100 * value:.3f}" for value in summary["flip7"]],
            "stop now": summary["stop_now"],
            "one card, stop": [f"{value:.4f}" for value in summary["one_card"]],
            "go on": [f"{value:.4f}" for value in summary["go_on"]],
            "better": summary["better"],
        }
    )
    click.echo(aligned(texts))
    click.echo("\nthe next card\n")
    cards = [row for row in found[0].cards if row["left"]]
    rows = [{"card": row["card"], "left": row["left"], "%": f"{100 * row['chance']:.3f}"} for row in cards]
    click.echo(aligned(pd.DataFrame(rows)))


def _bust_table(form: str) -> None:
    rows = [
        {
            "number_cards": row.cards,
            "bust_next_mean": float(row.mean),
            "bust_next_best": float(row.best),
            "best_hand": " ".join(map(str, row.best_hand)),
            "bust_next_worst": float(row.worst),
            "worst_hand": " ".join(map(str, row.worst_hand)),
            "bust_by_then": float(row.by_then),
        }
        for row in bust_table()
    ]
    table = pd.DataFrame(rows)
    if form != "table":
        show_table(table, form)
        return
    texts = pd.DataFrame(
        {
            "number cards": table["number_cards"],
            "next card busts %": [f"{100 * value:.2f}" for value in table["bust_next_mean"]],
            "best hand %": [f"{100 * value:.2f}" for value in table["bust_next_best"]],
            "which": table["best_hand"],
            "worst hand %": [f"{100 * value:.2f}" for value in table["bust_next_worst"]],
            "which ": table["worst_hand"],
            "not all different %": [f"{100 * value:.2f}" for value in table["bust_by_then"]],
        }
    )
    click.echo(aligned(texts))
    click.echo(
        "\nA fresh deck of 94 cards, no Second Chance; all numbers are exact. The mean is over all hands, each as"
        "\nlikely as it is dealt. Last column: so many number cards in a row hold a duplicate, which is a bust by then."
    )


def _hands(form: str) -> None:
    found = hands_to_hit_on()
    table = pd.DataFrame(
        [
            {
                "number_cards": len(row.hand),
                "rank": row.rank,
                "hand": " ".join(map(str, row.hand)),
                "score": row.score,
                "bust_next": float(row.bust),
                "gain": float(row.gain),
            }
            for row in found
        ]
    )
    if form != "table":
        show_table(table, form)
        return
    texts = pd.DataFrame(
        {
            "number cards": table["number_cards"],
            "": ["best" if row.rank == 1 else "worst" if row.rank == -1 else "" for row in found],
            "hand": table["hand"],
            "score": table["score"],
            "next card busts %": [f"{100 * value:.2f}" for value in table["bust_next"]],
            "one card adds": [f"{value:+.3f}" for value in table["gain"]],
        }
    )
    click.echo(aligned(texts))
    click.echo(
        "\nA fresh deck of 94 cards, no Second Chance; all numbers are exact. Of each size, the three hands to which"
        "\none more card, and then staying, adds most on average, and the three to which it adds least."
    )
