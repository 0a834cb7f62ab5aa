"""`flip7sim odds`."""

import click
import pandas as pd

from flip7sim.cards import BASE_CARDS
from flip7sim.cli.odds_tables import show_bust_table, show_vengeance
from flip7sim.cli.options import format_option, jobs_option, quiet_option, rules_from, rules_options
from flip7sim.cli.output import aligned, show_table, step_bar
from flip7sim.exact.bust_table import bust_table, hands_to_hit_on
from flip7sim.next_card import odds

DEFAULT_HANDS = {"base": "3 8 12 +4", "vengeance": "3 8 12 -4"}


@click.command("odds")
@click.option(
    "--hand",
    metavar="CARDS",
    help="What lies in front of the seat.  [default: {base}; in Vengeance {vengeance}]".format(**DEFAULT_HANDS),
)
@click.option("--seen", default="", metavar="CARDS", help="What else has been seen since the last shuffle.")
@click.option("--table", "table", is_flag=True, help="The chance of a bust by number of cards instead.")
@click.option("--hands", "hands", is_flag=True, help="The best and the worst hands to hit on instead.")
@rules_options
@jobs_option
@format_option("table", "csv", "json")
@quiet_option
def command(
    hand: str | None,
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

    In Vengeance that is not known exactly, so that it is left out, and "better" compares stopping now with one more
    card, at a table with others: a modifier is then given away. Alone it is kept.

    \b
    Examples:
      flip7sim odds --hand "3 8 12 +4" --seen "12 12 5 freeze"
      flip7sim odds --table
      flip7sim odds --hands
      flip7sim odds --rules vengeance --hand "3 8 13 lucky13 -4" --seen "12 12 swap"
    """  # noqa: D301 (click reads the escape)
    chosen = rules_from(rules, options)
    hand = DEFAULT_HANDS[chosen.game] if hand is None else hand
    if chosen.game == "vengeance":
        if hands:
            raise click.UsageError("--hands is a table of the base game; in Vengeance there is --table")
        show_vengeance(hand, seen, table, chosen, form)
        return
    if table or hands:
        if table and hands:
            raise click.UsageError("--table and --hands are two tables: ask for one")
        (_bust_table if table else _hands)(form)
        return
    with step_bar(quiet) as progress:
        found = odds(hand, seen, chosen, jobs, progress)
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
            "in a Flip Three": [f"{100 * value:.3f}" for value in summary["bust_flip_three"]],
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
    show_bust_table(bust_table(), BASE_CARDS.names, form)
    if form == "table":
        click.echo(
            "\nA fresh deck of 94 cards, no Second Chance; all numbers are exact. The mean is over all hands, each as"
            "\nlikely as it is dealt. Not all different: so many number cards in a row hold a duplicate, a bust"
            "\nby then. Flip Three: one of its three cards busts; the Flip Three itself is out of the deck."
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
