"""`flip7sim report`."""

from pathlib import Path

import click

from flip7sim.cli.output import say


@click.command("report")
@click.argument("result", required=False, type=click.Path(path_type=Path), metavar="[RESULT]")
@click.option("--out", type=click.Path(path_type=Path), help="The page's file.  [default: RESULT/report.html]")
def command(result: Path | None, out: Path | None) -> None:
    """Write a result as one HTML page that needs no network.

    RESULT is a folder that a command wrote; without it, the one in results/ whose manifest was written last. The page
    has the question, the answer in words with its uncertainty, tables that sort by a click, the figures, and the
    command that makes it all again. Its name is printed on stdout; the same result gives the same bytes.
    """
    from flip7sim.pages.page import report
    from flip7sim.saved import newest

    if result is None:
        result = newest()
        say(f"result {result}")
    click.echo(report(result, out))
