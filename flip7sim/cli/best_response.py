"""`flip7sim best-response`."""

from pathlib import Path

import click
import pandas as pd

from flip7sim.cli.again import again_option, read_manifest, refuse_given, specs_of, tell_changes
from flip7sim.cli.options import (
    against_option,
    backend_options,
    folder_of,
    format_option,
    jobs_option,
    quiet_option,
    result_options,
    rules_from,
    rules_options,
    seed_option,
    values_from,
)
from flip7sim.cli.output import aligned, announce_compilation, say, show_table, step_bar
from flip7sim.codes import MAX_SEATS
from flip7sim.errors import Flip7Error
from flip7sim.files import check_folder
from flip7sim.rules import Rules
from flip7sim.runs.backends import open_backend
from flip7sim.runs.totals import read_totals
from flip7sim.saved import luck_taken_out
from flip7sim.sweeps.plans import DEFAULT_GAMES, SweepPlan
from flip7sim.sweeps.responses import Responses, play_responses, response_plans

ENDS = {
    "settled": "settled: no other value can be told to win more",
    "circle": "goes round in a circle",
    "limit": "did not settle",
}


@click.command("best-response")
@click.argument("strategy", required=False)
@click.argument("parameters", nargs=-1, metavar="[PARAMETER[=VALUES]]...")
@against_option(" [default: the strategy itself]")
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
@click.option(
    "--totals",
    multiple=True,
    metavar="TOTALS",
    help="What each seat begins a game with, the candidate's first: 100,180,150,150. Again, or with a range, as in "
    "80:180:20,150,150: an answer for each standing.  [default: nothing]",
)
@seed_option
@rules_options
@jobs_option
@backend_options
@result_options("best-response")
@again_option
@format_option("table", "csv", "json")
@quiet_option
@click.pass_context
def command(
    ctx: click.Context,
    strategy: str | None,
    parameters: tuple[str, ...],
    against: tuple[str, ...],
    players: str | None,
    games: int,
    iterate: bool,
    totals: tuple[str, ...],
    seed: int,
    rules: str,
    options: tuple[str, ...],
    jobs: int | None,
    backend: str,
    scheduler: str | None,
    name: str,
    out: Path | None,
    again: Path | None,
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
      flip7sim best-response stop-at score=15:50 --against 'stop-at(score=27)' --totals 60:180:20,140,140,140
    """  # noqa: D301 (click reads the escape)
    if again:
        refuse_given(ctx, _REPEATED)
        plans, iterate = _again(again)
    else:
        plans = response_plans(
            strategy or "stop-at",
            values_from(parameters, bare=True) or None,
            against,
            _seats(players),
            games,
            seed,
            rules_from(rules, options),
            [standing for text in totals for standing in read_totals(text)],
        )
    folder = folder_of(name, out)
    check_folder(folder)
    announce_compilation(quiet)
    with open_backend(backend, jobs, scheduler) as workers, step_bar(quiet) as progress:
        found = play_responses(plans, iterate, workers, progress)
    files = found.save(folder)
    if form == "table":
        click.echo(_report(found))
    else:
        show_table(found.steps, form)
    if found.manifest["interrupted"]:
        say(f"interrupted; what was done is saved in {folder}", quiet)
        raise click.exceptions.Exit(130)
    say(f"results in {folder}: {', '.join(path.name for path in files)}", quiet)


#: What `--again` reads from the manifest.
_REPEATED = (
    *("strategy", "parameters", "against", "players", "games", "iterate", "totals", "seed", "rules", "options"),
)


def _again(path: Path) -> tuple[tuple[SweepPlan, ...], bool]:
    """The first steps of the best responses whose manifest this is, and whether they went on."""
    kinds = {"strategy": dict, "parameters": dict, "against": list, "players": list, "games": int, "seed": int}
    manifest = read_manifest(path, "best-response", kinds | {"rules": dict, "iterate": bool})
    (strategy,) = specs_of(path, "best-response", [manifest["strategy"]])
    plans = response_plans(
        strategy,
        manifest["parameters"],
        specs_of(path, "best-response", manifest["against"]),
        manifest["players"],
        manifest["games"],
        manifest["seed"],
        Rules.from_dict(manifest["rules"]),
        manifest["totals"],
    )
    tell_changes(path, [plans[0].base, *plans[0].against], [manifest["strategy"], *manifest["against"]])
    return plans, manifest["iterate"]


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
            **{name: steps[name] for name in ("totals", "lead") if name in steps},
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
    luck = "; luck is taken out" if luck_taken_out(found.curves) else ""
    lines.append(
        f"± is one standard error{luck}; gain: wins more than the value that the others play; may be best: at 95 %"
    )
    return "\n".join(lines)
