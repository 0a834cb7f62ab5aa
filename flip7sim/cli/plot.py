"""`flip7sim plot`."""

from pathlib import Path

import click

from flip7sim.cli.output import say


@click.command("plot")
@click.argument("result", required=False, type=click.Path(path_type=Path), metavar="[RESULT]")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder.  [default: RESULT/figures]")
@click.option(
    "--format", "form", type=click.Choice(["both", "png", "svg"]), default="both", show_default=True, help="What kind."
)
def command(result: Path | None, out: Path | None, form: str) -> None:
    """Draw every picture that a result allows, as PNG and SVG.

    RESULT is a folder that a command wrote; without it, the one in results/ whose manifest was written last. It can
    also be a CSV file: of 'flip7sim odds --table --format csv' or of 'flip7sim exact --show scores --format csv'. The
    files that were written are listed on stdout; the same result gives the same bytes.
    """
    from flip7sim.gallery import plot
    from flip7sim.saved import newest

    if result is None:
        result = newest()
        say(f"result {result}")
    for path in plot(result, out, ("png", "svg") if form == "both" else (form,)):
        click.echo(path)
