"""`flip7sim sweep`."""

from pathlib import Path

import click
import pandas as pd
from click.core import ParameterSource

from flip7sim.cli.again import again_option, read_manifest, refuse_given, specs_of, tell_changes
from flip7sim.cli.options import (
    against_option,
    backend_options,
    deck_option,
    folder_of,
    format_option,
    jobs_option,
    quiet_option,
    result_options,
    rules_from,
    rules_options,
    seed_option,
    totals_from,
    totals_option,
    values_from,
)
from flip7sim.cli.output import aligned, announce_compilation, say, show_table, step_bar
from flip7sim.errors import Flip7Error
from flip7sim.files import check_folder
from flip7sim.rules import Rules
from flip7sim.runs.backends import open_backend
from flip7sim.saved import luck_taken_out
from flip7sim.sweeps.plans import DEFAULT_GAMES, DEFAULT_ROUNDS, METHODS, SweepPlan, sweep_plan
from flip7sim.sweeps.play import Sweep, play_sweep

GOALS = {"win_rate": "wins", "round_score": "round score", "rounds_to_200": "rounds to 200"}
#: So many values are named in one line.
NAMED = 12


@click.command("sweep")
@click.argument("strategy", required=False)
@click.argument("parameters", nargs=-1, metavar="[PARAMETER=VALUES]...")
@against_option("Without any, each candidate plays rounds alone.")
@click.option("--players", "--seats", "-p", type=int, help="Seats at a table.  [default: one more than opponents]")
@click.option(
    "--games",
    "-g",
    type=int,
    help=f"Games that each candidate plays; alone, rounds.  [default: {DEFAULT_GAMES:,}; {DEFAULT_ROUNDS:,} rounds]",
)
@deck_option
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="auto",
    show_default=True,
    help="How rounds alone are worked out; auto: exactly if it takes seconds.",
)
@totals_option
@seed_option
@rules_options
@jobs_option
@backend_options
@result_options("sweep")
@again_option
@format_option("table", "csv", "json")
@quiet_option
@click.pass_context
def command(
    ctx: click.Context,
    strategy: str | None,
    parameters: tuple[str, ...],
    against: tuple[str, ...],
    players: int | None,
    games: int | None,
    deck: str | None,
    method: str,
    totals: str | None,
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
    """Play a strategy for every value of a parameter or two.

    Values are written first:last, first:last:step, or as a list with commas. Alone (the default), each candidate plays
    rounds with a fresh deck of its own, worked out exactly where that can be had. With --against, it takes one seat at
    a table, and all line-ups of the opponents take the others. All candidates play the same deals from the same seat,
    so that curves are smooth and differences are sharp. Without any argument: stop-at score=10:60, alone.

    \b
    Examples:
      flip7sim sweep stop-at score=15:40
      flip7sim sweep stop-at score=15:40 --against 'stop-at(score=25)' --players 4
      flip7sim sweep stop-at score=15:50 --against 'stop-at(score=27)' --totals 100,180,150,150
      flip7sim sweep bust-limit p=0.1:0.4:0.05 counting=yes,no --against expected-gain
    """  # noqa: D301 (click reads the escape)
    if against and ctx.get_parameter_source("deck") is ParameterSource.COMMANDLINE:
        raise Flip7Error("--deck is for rounds alone: leave it out, or leave --against out")
    if strategy and "=" in strategy.partition("(")[0]:
        raise Flip7Error(f"name a strategy before {strategy!r}, for instance: flip7sim sweep stop-at {strategy}")
    if again:
        refuse_given(ctx, _REPEATED)
        plan = _again(again)
    else:
        plan = sweep_plan(
            strategy or "stop-at",
            {name: str(values) for name, values in values_from(parameters).items()} or None,
            against,
            players,
            games,
            seed,
            rules_from(rules, options),
            deck,
            method,
            totals_from(totals),
        )
    folder = folder_of(name, out)
    check_folder(folder)
    announce_compilation(quiet)
    with open_backend(backend, jobs, scheduler) as workers, step_bar(quiet) as progress:
        played = play_sweep(plan, workers, progress)
    files = played.save(folder)
    if form == "table":
        click.echo(_report(played))
    else:
        show_table(played.table, form)
    if played.manifest["interrupted"]:
        say(f"interrupted; what was done is saved in {folder}", quiet)
        raise click.exceptions.Exit(130)
    say(f"results in {folder}: {', '.join(path.name for path in files)}", quiet)


#: What `--again` reads from the manifest.
_REPEATED = (
    *("strategy", "parameters", "against", "players", "games", "deck", "method", "totals", "seed", "rules", "options"),
)


def _again(path: Path) -> SweepPlan:
    """The plan of the sweep whose manifest this is."""
    kinds = {"strategy": dict, "parameters": dict, "against": list, "players": int, "games": int, "seed": int}
    manifest = read_manifest(path, "sweep", kinds | {"rules": dict, "method": str})
    (strategy,) = specs_of(path, "sweep", [manifest["strategy"]])
    field = specs_of(path, "sweep", manifest["against"])
    plan = sweep_plan(
        strategy,
        manifest["parameters"],
        field,
        manifest["players"] if field else None,
        manifest["games"],
        manifest["seed"],
        Rules.from_dict(manifest["rules"]),
        manifest.get("deck"),
        manifest["method"],
        manifest["totals"],
    )
    tell_changes(path, [plan.base, *plan.against], [manifest["strategy"], *manifest["against"]])
    return plan


def _report(played: Sweep) -> str:
    """The table, the best values, and what was played."""
    plan, table, exact = played.plan, played.table, played.manifest["exact"]
    texts = pd.DataFrame({name: table[name].map(_text) for name in plan.grid})
    columns = {
        "win_rate": ("wins %", 100, 2),
        "round_score": ("round score", 1, 3),
        "bust_rate": ("bust %", 100, 2),
        "flip7_rate": ("Flip 7 %", 100, 3),
        "rounds_to_200": ("rounds to 200", 1, 3),
    }
    for name, (title, scale, digits) in columns.items():
        if name not in table:
            continue
        pairs = zip(table[name] * scale, table[f"{name}_se"] * scale, strict=True)
        if exact:
            texts[title] = ["–" if value != value else f"{value:.{digits + 2}f}" for value, _ in pairs]
        else:
            texts[title] = [
                "–" if value != value else f"{value:.{digits}f} ± " + ("?" if error != error else f"{error:.{digits}f}")
                for value, error in pairs
            ]
    lines = [f"{plan.base.strategy.name}, {len(table)} candidates, {_what(played)}", "", aligned(texts), ""]
    lines += [_best_line(played, goal, title) for goal, title in GOALS.items() if goal in set(played.best["measure"])]
    if exact:
        lines.append("all numbers are exact")
    else:
        fair = luck_taken_out(table) if plan.against else plan.table.counts_luck
        luck = "; luck is taken out of wins and round scores" if fair else ""
        lines.append(f"± is one standard error; all candidates played the same deals{luck}")
    return "\n".join(lines)


def _what(played: Sweep) -> str:
    plan = played.plan
    rules = f"rules {plan.rules.label}"
    if played.manifest["exact"]:
        return f"rounds alone with deck {plan.deck}, {rules}"
    if not plan.against:
        return f"{plan.games:,} rounds alone each with deck {plan.deck}, {rules}, seed {plan.seed}"
    field = ", ".join(entrant.label for entrant in plan.against)
    begun = f", from totals {', '.join(map(str, plan.totals))}" if plan.totals else ""
    return f"{plan.games:,} games each against {field}, {plan.players} seats{begun}, {rules}, seed {plan.seed}"


def _best_line(played: Sweep, goal: str, title: str) -> str:
    """The best value, and those that cannot be told from it."""
    rows = played.best[played.best["measure"] == goal]

    def named(row: pd.Series) -> str:
        return ",".join(f"{name}={_text(row[name])}" for name in played.plan.grid)

    best = rows[rows["best"]].iloc[0]
    others = [named(row) for _, row in rows[rows["may_be_best"] & ~rows["best"]].iterrows()]
    if not others:
        return f"best {title}: {named(best)}" + ("" if played.manifest["exact"] else ", and no other may be the best")
    more = f" and {len(others) - NAMED} more (see best.csv)" if len(others) > NAMED else ""
    return f"best {title}: {named(best)}; it cannot be told (95 %) from {', '.join(others[:NAMED])}{more}"


def _text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
