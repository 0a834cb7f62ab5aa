"""`flip7sim strategies`."""

import inspect

import click
import pandas as pd

from flip7sim.cli.options import format_option
from flip7sim.cli.output import announce_compilation, show_table
from flip7sim.policy.check import check
from flip7sim.policy.registry import catalogue, find
from flip7sim.policy.targeting import TARGETING


@click.group("strategies", invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """List, show and check strategies.

    A strategy is written name(parameter=value,...). It comes with flip7sim, from an installed package (entry-point
    group flip7sim.strategies), or from a file: ./mine.py:name(parameter=value).
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(listing, form="table")


@command.command("list")
@format_option("table", "csv", "json")
def listing(form: str) -> None:
    """List the strategies that can be named without a file."""
    rows = [
        {
            "strategy": name,
            "parameters": ", ".join(
                f"{p.name}={p.text(p.default)}" for p in known.strategy.parameters if p.name != "target"
            ),
            "origin": known.origin,
            "summary": known.strategy.summary,
        }
        for name, known in sorted(catalogue().items())
    ]
    if form != "table":
        show_table(pd.DataFrame(rows), form)
        return
    for row in rows:
        head = f"{row['strategy']}({row['parameters']})" if row["parameters"] else row["strategy"]
        origin = "" if row["origin"] == "built-in" else f" [{row['origin']}]"
        click.echo(f"  {head:<38}{row['summary']}{origin}")
    click.echo(f"\nEach also takes target=RULE, who gets what is given away: {', '.join(TARGETING)}.")


@command.command("show")
@click.argument("spec", default="stop-at", metavar="[STRATEGY]")
def show(spec: str) -> None:
    """Show one strategy: its parameters, where it comes from, its source."""
    entrant = find(spec)
    found = entrant.strategy
    click.echo(f"{entrant.label}  ({entrant.origin})\n  {found.summary}\n")
    for parameter, value in zip(found.parameters, entrant.values, strict=True):
        default = f"default {parameter.text(parameter.default)}"
        click.echo(f"  {parameter.name} = {parameter.text(value)}  ({parameter.domain}; {default})")
    plain = getattr(found.hit, "py_func", found.hit)
    try:
        click.echo("\n" + inspect.getsource(plain).rstrip())
    except OSError:
        click.echo("\n(its source is not at hand)")


@command.command("check")
@click.argument("specs", nargs=-1, metavar="[STRATEGY]...")
def check_command(specs: tuple[str, ...]) -> None:
    """Test strategies against the contract.

    At every table: a legal answer, no exception, the same answer again, nothing changed but the seat's own stream.

    Without a name: all that `flip7sim strategies list` lists. Exit status 1 if one does not keep it.
    """
    announce_compilation(quiet=False)
    failed = False
    for entrant in [find(spec) for spec in specs or sorted(catalogue())]:
        report = check(entrant)
        failed |= not report.ok
        if report.ok:
            click.echo(f"ok    {entrant.label}: {report.states:,} tables, {report.nanoseconds:,.0f} ns a decision")
        else:
            click.echo(f"FAIL  {entrant.label}: at table {report.states:,}")
            for fault in report.faults:
                click.echo(f"        {fault}")
    if failed:
        raise click.exceptions.Exit(1)
