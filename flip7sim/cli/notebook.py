"""`flip7sim notebook`."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import click

from flip7sim.cli.output import say
from flip7sim.errors import Flip7Error
from flip7sim.files import write_all

#: What can show notebooks: module, and what it is called with.
SHOWS = ("jupyterlab", "notebook")


def shipped() -> list[Path]:
    """The notebooks that come with flip7sim: in an installed package, or at the top of a checkout."""
    package = Path(__file__).parent.parent
    for place in (package / "notebooks", package.parent / "notebooks"):
        found = sorted(place.glob("*.ipynb"))
        if found:
            return found
    raise Flip7Error("the notebooks are missing: install flip7sim again")


@click.command("notebook")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path("notebooks"))
@click.option("--copy", is_flag=True, help="Copy the notebooks, and do not open them.")
def command(folder: Path, copy: bool) -> None:
    """Open the notebooks in Jupyter.

    They are copied to FOLDER first (by default notebooks, here); what is there already is left as it is. Without
    Jupyter nothing is opened, and one line says how to install it.
    """
    missing = {path.name: path.read_bytes() for path in shipped() if not (folder / path.name).exists()}
    shows = next((name for name in SHOWS if find_spec(name)), None)
    if shows is None and not copy:
        raise Flip7Error("Jupyter is not installed: pip install 'flip7sim[notebooks]'; or take --copy to copy only")
    if missing:
        for path in write_all(folder, missing):
            say(f"copied {path}")
    if not copy:
        raise click.exceptions.Exit(subprocess.run([sys.executable, "-m", str(shows), str(folder)]).returncode)
