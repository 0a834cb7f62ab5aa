"""`flip7sim solve`."""

import textwrap
from pathlib import Path

import click
import pandas as pd

from flip7sim.alone import Alone, solve, solve_rounds
from flip7sim.cli.exact import readable
from flip7sim.cli.options import deck_option, format_option, jobs_option, quiet_option, rules_from, rules_options
from flip7sim.cli.output import aligned, announce_compilation, say, show_table, step_bar
from flip7sim.exact.decks import DEFAULT_DECK
from flip7sim.files import write_all
from flip7sim.rows import Rows
from flip7sim.rules import Rules
from flip7sim.thumb import SimpleRule, simple_rules

#: Where lines of text are broken.
WIDTH = 100
SHOWS = ("summary", "stops", "simple")


@click.command("solve")
@deck_option
@click.option(
    "--goal",
    type=click.Choice(["score", "rounds"]),
    default="score",
    show_default=True,
    help="The highest expected score, or the fewest expected rounds to the target score (decks without actions).",
)
@click.option(
    "--show",
    type=click.Choice(SHOWS),
    help="Only the main figures, from which scores on it stays, or what simple rules lose.  [default: all as a table; "
    "without simple rules for deck full, where they take minutes; summary as csv or json]",
)
@click.option(
    "--save", type=click.Path(path_type=Path, dir_okay=False), help="Write all decisions to a file, as a compact table."
)
@rules_options
@jobs_option
@format_option("table", "csv", "json")
@quiet_option
def command(
    deck: str | None,
    goal: str,
    show: str | None,
    save: Path | None,
    rules: str,
    options: tuple[str, ...],
    jobs: int | None,
    form: str,
    quiet: bool,
) -> None:
    """Find the best expected score of a round played alone.

    By backward induction over every state there is, without any approximation; then what comes of playing so, from
    which score on it stays, and what simple rules lose. The round is that of `flip7sim exact`, and so are the decks.
    The strategy optimal-round plays the decisions for deck full.

    In Vengeance the decks are numbers and modifiers, and there are no simple rules, files and expected rounds.

    \b
    Examples:
      flip7sim solve --deck numbers --goal rounds
      flip7sim solve --show simple --format csv
    """  # noqa: D301 (click reads the escape)
    chosen = rules_from(rules, options)
    announce_compilation(quiet)
    if goal == "rounds":
        if show or save:
            raise click.UsageError("--goal rounds has nothing to --show or --save: it prints expected rounds")
        _rounds(deck, chosen, jobs, form, quiet)
        return
    if chosen.game == "vengeance" and (save or show == "simple"):
        raise click.UsageError(
            "--save and --show simple are of the base game; in Vengeance there are summary and stops"
        )
    with step_bar(quiet) as progress:
        value, best = solve(deck, chosen, jobs, progress)
    deck = best.deck
    if save:
        write_all(save.parent, {save.name: best.decisions})
        say(f"wrote {save} ({len(best.decisions):,} bytes)", quiet)
    wanted = (
        (show,)
        if show
        else SHOWS[: 2 if deck == "full" or best.game == "vengeance" else 3]
        if form == "table"
        else ("summary",)
    )
    simple: list[SimpleRule] = []
    if "simple" in wanted:
        with step_bar(quiet) as progress:
            simple = simple_rules(deck, chosen, jobs, progress)
    tables = {
        "summary": Rows([best]).table,
        "stops": best.stops.table,
        "simple": pd.DataFrame(
            [
                {
                    "rule": rule.strategy,
                    "deck": deck,
                    "expected_score": rule.expected_score,
                    "loses": value - rule.expected_score,
                }
                for rule in simple
            ]
        ),
    }
    if form != "table":
        show_table(tables[wanted[0]], form)
        return
    click.echo(f"deck {deck}, rules {chosen.label}: the best expected score of a round alone is {value:.10f} (exact)")
    if "summary" in wanted:
        click.echo("\n" + aligned(readable(tables["summary"])))
    if "stops" in wanted:
        _stops(best)
    if not show and deck == "full":
        say("what simple rules lose with this deck takes minutes to find: --show simple", quiet)
    if "simple" in wanted:
        click.echo("\nWhat simple rules lose: the best of each kind, exactly\n")
        click.echo(aligned(readable(tables["simple"])))
        click.echo("\nIn words:\n")
        for rule in simple:
            words = f"{rule.strategy.partition('(')[0]}: {rule.words}"
            click.echo(textwrap.fill(words, WIDTH, subsequent_indent="  "))


def _stops(best: Alone) -> None:
    """Print from which scores on the best player stays."""
    click.echo("\nIt stays from these scores on (in so many per cent of the decisions it does otherwise):\n")
    stops = {tuple(row.values())[:3]: row for row in best.stops}
    third, second = ("with x2", "with a Second Chance") if best.game == "base" else ("with /2", "with the Unlucky 7")
    kinds = {(False, False): "stay from", (False, True): third, (True, False): second, (True, True): "with both"}
    kinds = {kind: name for kind, name in kinds.items() if any(key[1:] == kind for key in stops)}
    rows = []
    for cards in sorted({key[0] for key in stops}):
        row: dict[str, object] = {"number cards": cards}
        for kind, name in kinds.items():
            stop = stops.get((cards, *kind))
            row[name] = "–" if stop is None else "never" if stop["stay_from"] is None else stop["stay_from"]
            row["%" + " " * len(row)] = "–" if stop is None else f"{stop['disagree']:.2f}"
        rows.append(row)
    click.echo(aligned(pd.DataFrame(rows)))


def _rounds(deck: str | None, rules: Rules, jobs: int | None, form: str, quiet: bool) -> None:
    """Print the fewest expected rounds."""
    with step_bar(quiet) as progress:
        fewest = solve_rounds(deck, rules, progress)
    deck = deck or DEFAULT_DECK
    table = pd.DataFrame(
        {"deck": deck, "points_needed": range(1, len(fewest)), "expected_rounds": fewest[1:]},
    )
    if form != "table":
        show_table(table, form)
        return
    target = rules.target_score
    _, best = solve(deck, rules, jobs)
    other = best.distribution.expected_rounds(target)
    click.echo(
        f"deck {deck}, rules {rules.label}: {target} points take {fewest[-1]:.10f} rounds at the fewest, on average "
        f"(exact);\nwho plays each round for the highest score needs {other:.4f}\n"
    )
    shown = sorted({*range(target, 0, -max(target // 10, 1)), 1})
    texts = {"points needed": shown, "expected rounds": [f"{fewest[needed]:.6f}" for needed in shown]}
    click.echo(aligned(pd.DataFrame(texts)))
