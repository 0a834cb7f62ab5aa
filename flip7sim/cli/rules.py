"""`flip7sim rules`."""

import click

from flip7sim.cli.options import format_option, rules_from
from flip7sim.rules import OPTIONS, PRESETS, Rules, option_text


@click.group("rules", invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """List the rule sets and their options, or show one in full.

    Any option can be set over a preset: --rules us-3.1 --option target_score=300.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(listing)


@command.command("list")
def listing() -> None:
    """List presets and options."""
    default = Rules()
    click.echo("presets")
    for name, rules in PRESETS.items():
        different = [
            f"{option}={option_text(value)}"
            for option, value in rules.options.items()
            if value != getattr(default, option)
        ]
        what = ", ".join(different) or "the booklet 2.0 of the French edition (default)"
        click.echo(f"  {name:<17} {what}")
    for game in ("base and vengeance", "base", "vengeance"):
        click.echo(f"\noptions of {game}, with their values if nothing else is said")
        for option in OPTIONS.values():
            if " and ".join(option.games) == game:
                click.echo(f"  {option.name} = {option_text(getattr(default, option.name))}")
                click.echo(f"      {option.help}; {option.domain}")


@command.command("show")
@click.argument("rules", default="fr-2.0", metavar="[RULES]")
@click.option("--option", "-o", "options", multiple=True, metavar="NAME=VALUE", help="An option over the rules.")
@format_option("table", "toml", "json")
def show(rules: str, options: tuple[str, ...], form: str) -> None:
    """Show one rule set in full: a preset, or a TOML or JSON file."""
    chosen = rules_from(rules, options)
    if form == "toml":
        click.echo(chosen.to_toml(), nl=False)
    elif form == "json":
        click.echo(chosen.to_json())
    else:
        click.echo(chosen.label)
        for name, value in chosen.options.items():
            click.echo(f"  {name:<20} {option_text(value):<20} {OPTIONS[name].help}")
