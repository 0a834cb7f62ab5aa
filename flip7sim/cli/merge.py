"""`flip7sim merge`."""

import os
from pathlib import Path

import click

from flip7sim.cli.options import format_option, quiet_option
from flip7sim.cli.output import say, show_table
from flip7sim.cli.standings import standings
from flip7sim.errors import Flip7Error
from flip7sim.files import check_folder
from flip7sim.merging import merge


@click.command("merge")
@click.argument("results", nargs=-1, type=click.Path(path_type=Path), metavar="RESULT RESULT...")
@click.option("--name", default="merged", show_default=True, help="Results go to results/NAME.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Or to this folder.")
@format_option("table", "csv", "json")
@quiet_option
def command(results: tuple[Path, ...], name: str, out: Path | None, form: str, quiet: bool) -> None:
    """Merge runs of one experiment with different seeds.

    Each RESULT is the folder of a tournament. They are merged if, and only if, they belong together: the same rules,
    strategies (with all that they are made from), schedule and players, and different seeds; the numbers of games may
    differ. What comes out is a result like any other, with the errors of all games, and can be merged again.

    \b
    Examples:
      flip7sim tournament --seed 1 --out here
      flip7sim tournament --seed 2 --out there
      flip7sim merge here there
    """  # noqa: D301 (click reads the escape)
    if Path(name).name != name:
        raise Flip7Error(f"name {name!r} cannot be used: it is a folder's name, without {os.sep!r} (see --out)")
    folder = out or Path("results") / name
    merged = merge(results)
    check_folder(folder)
    files = merged.save(folder)
    if form == "table":
        click.echo(standings(merged))
    else:
        show_table(merged.tables.summary, form)
    say(f"results in {folder}: {', '.join(path.name for path in files)}", quiet)
