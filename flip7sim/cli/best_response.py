"""`flip7sim best-response`."""

import os
from collections.abc import Iterable
from pathlib import Path

import click
import pandas as pd

from flip7sim.cli.options import format_option, jobs_option, quiet_option, rules_from, rules_options, seed_option
from flip7sim.cli.output import aligned, announce_compilation, say, show_table, step_bar
from flip7sim.codes import MAX_SEATS
from flip7sim.errors import Flip7Error
from flip7sim.files import check_folder
from flip7sim.responses import Responses, play_responses, response_plans
from flip7sim.sweeps import DEFAULT_GAMES

ENDS = {
    "settled": "settled: no other value can be told to win more",
    "circle": "goes round in a circle",
    "limit": "did not settle",
}


@click.command("best-response")
@click.argument("strategy", required=False)
@click.argument("parameters", nargs=-1, metavar="[PARAMETER[=VALUES]]...")
@click.option(
    "--against",
    "-a",
    multiple=True,
    metavar="STRATEGY",
    help="An opponent; can be given again and again.  [default: the strategy itself]",
)
@click.option(
    "--players",
    "--seats",
    "-p",
    metavar="SEATS",
    help="Seats at a table: a number, first:last, or a list with commas.  [default: one more than opponents, or 4]",
)
@click.option(
    "--games",
    "-g",
    type=int,
    default=DEFAULT_GAMES,
    show_default=True,
    help="Games that each candidate plays in each step.",
)
@click.option("--iterate", is_flag=True, help="Let all play the best reply, and go on until it settles.")
@seed_option
@rules_options
@jobs_option
@click.option("--name", default="best-response", show_default=True, help="Results go to results/NAME.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Or to this folder.")
@format_option("table", "csv", "json")
@quiet_option
def command(
    strategy: str | None,
    parameters: tuple[str, ...],
    against: tuple[str, ...],
    players: str | None,
    games: int,
    iterate: bool,
    seed: int,
    rules: str,
    options: tuple[str, ...],
    jobs: int | None,
    name: str,
    out: Path | None,
    form: str,
    quiet: bool,
) -> None:
    """Find the parameters that win most against a field.

    One seat is the candidate's, the others are the field's; all candidates play the same deals. With --iterate the best
    reply becomes the field, and so on, until no other value can be told to win more: an equilibrium, as far as these
    games can tell. Without any argument: stop-at score, against itself, at a table of 4.

    \b
    Examples:
      flip7sim best-response stop-at score=15:45 --against expected-gain --players 4
      flip7sim best-response stop-at score=20:40 --players 2:6 --iterate
    """  # noqa: D301 (click reads the escape)
    plans = response_plans(
        strategy or "stop-at",
        _given(parameters) or None,
        against,
        _seats(players),
        games,
        seed,
        rules_from(rules, options),
    )
    if Path(name).name != name:
        raise Flip7Error(f"name {name!r} cannot be used: it is a folder's name, without {os.sep!r} (see --out)")
    folder = out or Path("results") / name
    check_folder(folder)
    announce_compilation(quiet)
    with step_bar(quiet) as progress:
        found = play_responses(plans, iterate, jobs, progress)
    files = found.save(folder)
    if form == "table":
        click.echo(_report(found))
    else:
        show_table(found.steps, form)
    if found.manifest["interrupted"]:
        say(f"interrupted; what was done is saved in {folder}", quiet)
        raise click.exceptions.Exit(130)
    say(f"results in {folder}: {', '.join(path.name for path in files)}", quiet)


def _given(parameters: Iterable[str]) -> dict[str, str | None]:
    """The values by parameter; None where there are none."""
    given: dict[str, str | None] = {}
    for text in parameters:
        name, equals, values = (piece.strip() for piece in text.partition("="))
        if not name or (equals and not values):
            raise Flip7Error(f"parameter {text!r} cannot be read; write parameter or parameter=values")
        if name in given:
            raise Flip7Error(f"parameter {name!r} is given twice: write its values as one list, with commas")
        given[name] = values or None
    return given


def _seats(text: str | None) -> list[int] | None:
    """The numbers of seats."""
    if text is None:
        return None
    found: list[int] = []
    try:
        for part in text.split(","):
            first, _, last = part.partition(":")
            found += range(int(first), min(int(last or first), MAX_SEATS + 1) + 1)
    except ValueError:
        raise Flip7Error(
            f"players: {text!r} cannot be read; write a number, first:last, or a list with commas"
        ) from None
    return found


def _report(found: Responses) -> str:
    """The steps, and how each number of players ended."""
    steps, grid = found.steps, found.plans[0].grid

    def values(labels: str) -> str:
        rows = found.curves[found.curves["strategy"].isin(labels.split(" "))].drop_duplicates("strategy")
        pairs = [",".join(f"{row[name]}" for name in grid) for _, row in rows.iterrows()]
        return " ".join(pairs) if len(pairs) <= 8 else f"{' '.join(pairs[:7])} and {len(pairs) - 7} more"

    texts = pd.DataFrame(
        {
            "players": steps["players"],
            "step": steps["step"],
            "against": steps["against"],
            "best reply": [",".join(f"{name}={row[name]}" for name in grid) for _, row in steps.iterrows()],
            "wins %": [
                f"{100 * rate:.2f} ± {100 * error:.2f}"
                for rate, error in zip(steps["win_rate"], steps["win_rate_se"], strict=True)
            ],
            "gain %": [
                "–" if gain != gain or gain is None else f"{100 * gain:.2f} ± {100 * error:.2f}"
                for gain, error in zip(steps["gain"].astype(float), steps["gain_se"].astype(float), strict=True)
            ],
            "may be best": [values(labels) for labels in steps["may_be_best"]],
        }
    )
    plan = found.plans[0]
    lines = [
        f"{plan.base.strategy.name}, {len(plan.candidates)} candidates, {plan.games:,} games each in each step, "
        f"rules {plan.rules.label}, seed {plan.seed}",
        "",
        aligned(texts),
        "",
    ]
    for _, row in steps[steps["end"] != ""].iterrows():
        lines.append(f"{row['players']} players, against {row['against']}: {ENDS[row['end']]}")
    lines.append("± is one standard error; gain: wins more than the value that the others play; may be best: at 95 %")
    return "\n".join(lines)
