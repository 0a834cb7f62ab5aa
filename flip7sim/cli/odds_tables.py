"""Tables of `flip7sim odds`: the chance of a bust by number of cards, and the odds in Vengeance."""

from collections.abc import Sequence

import click
import pandas as pd

from flip7sim.cards import VENGEANCE_CARDS
from flip7sim.cli.output import aligned, show_table
from flip7sim.exact.bust_table import BustRow
from flip7sim.exact.vengeance_hands import vengeance_odds
from flip7sim.exact.vengeance_table import vengeance_bust_table
from flip7sim.rules import Rules

__all__ = ["show_bust_table", "show_vengeance"]


def show_bust_table(found: Sequence[BustRow], names: Sequence[str], form: str) -> None:
    """Print the chance of a bust by number of cards; `names` are those of the cards."""
    rows = [
        {
            "number_cards": row.cards,
            "bust_next_mean": float(row.mean),
            "bust_next_best": float(row.best),
            "best_hand": " ".join(names[card] for card in row.best_hand),
            "bust_next_worst": float(row.worst),
            "worst_hand": " ".join(names[card] for card in row.worst_hand),
            "bust_by_then": float(row.by_then),
        }
        for row in found
    ]
    table = pd.DataFrame(rows)
    threes = [float(row.flip_three) for row in found if row.flip_three is not None]
    if threes:
        table["bust_flip_three"] = threes
    if form != "table":
        show_table(table, form)
        return
    base = names is not VENGEANCE_CARDS.names
    texts = pd.DataFrame(
        {
            "number cards": table["number_cards"],
            "next card busts %": [f"{100 * value:.2f}" for value in table["bust_next_mean"]],
            "best hand %": [f"{100 * value:.2f}" for value in table["bust_next_best"]],
            "which": table["best_hand"],
            "worst hand %": [f"{100 * value:.2f}" for value in table["bust_next_worst"]],
            "which ": table["worst_hand"],
            "not all different %" if base else "bust by then %": [f"{100 * v:.2f}" for v in table["bust_by_then"]],
        }
    )
    if threes:
        texts["Flip Three busts %"] = [f"{100 * value:.2f}" for value in threes]
    click.echo(aligned(texts))


def show_vengeance(hand: str, seen: str, table: bool, rules: Rules, form: str) -> None:
    """Print the odds of a hand in Vengeance, or the chance of a bust by number of cards."""
    if table:
        show_bust_table(vengeance_bust_table(), VENGEANCE_CARDS.names, form)
        if form == "table":
            click.echo(
                "\nA fresh deck of 108 cards; all numbers are exact. The mean is over all ways to take so many number"
                "\ncards in a row without a bust, and by then is for who always hits, both with what the Unlucky 7"
                "\ndoes; best and worst hand are of so many number cards in front, with nothing else seen."
            )
        return
    odds = vengeance_odds(hand, seen, rules)
    summary = odds.summary
    if form == "json":
        # An object column keeps None, which pandas would write as NaN.
        show_table(pd.DataFrame([summary | {"cards": odds.cards}]), form)
        return
    if form == "csv":
        show_table(pd.DataFrame([summary]), form)
        return
    click.echo(f"hand {hand or '(nothing)'}, seen elsewhere {seen or '(nothing)'}; all numbers are exact\n")
    texts = {
        "bust %": f"{100 * summary['bust']:.3f}",
        "Flip 7 %": f"{100 * summary['flip7']:.3f}",
        "stop now": summary["stop_now"],
        "one card, stop": f"{summary['one_card']:.4f}",
        "alone": f"{summary['one_card_alone']:.4f}",
        "better": "must hit" if odds.hand.must_hit else summary["better"],
    }
    click.echo(aligned(pd.DataFrame([texts])))
    click.echo("\nthe next card\n")
    rows = [
        {"card": row["card"], "left": row["left"], "%": f"{100 * row['chance']:.3f}"}
        for row in odds.cards
        if row["left"]
    ]
    click.echo(aligned(pd.DataFrame(rows)))
