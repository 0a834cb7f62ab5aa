"""What people see: tables on stdout, messages and progress on stderr."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click
import pandas as pd

from flip7sim.engine import cache

__all__ = ["aligned", "announce_compilation", "progress_bar", "say", "show_table", "step_bar"]


def say(message: str, quiet: bool = False) -> None:
    """Print a message on stderr."""
    if not quiet:
        click.echo(message, err=True)


def show_table(table: pd.DataFrame, form: str) -> None:
    """Print a DataFrame on stdout as `csv`, `json` (a list of objects) or `table`."""
    if form == "csv":
        click.echo(table.to_csv(index=False, lineterminator="\n"), nl=False)
    elif form == "json":
        click.echo(table.to_json(orient="records", indent=2, double_precision=15, force_ascii=False))
    else:
        click.echo(aligned(table))


def aligned(table: pd.DataFrame) -> str:
    """A DataFrame of texts as columns: the first to the left, the others to the right."""
    columns = [[str(name), *(str(cell) for cell in table[name])] for name in table.columns]
    widths = [max(map(len, column)) for column in columns]
    lines = []
    for row in zip(*columns, strict=True):
        first, *rest = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        lines.append("  ".join([row[0].ljust(len(first)), *rest]).rstrip())
    lines.insert(1, "─" * max(map(len, lines)))
    return "\n".join(lines)


def announce_compilation(quiet: bool) -> None:
    """Say on stderr when something has to be compiled, which takes its time once and is then kept on disk."""
    cache.on_compile.clear()
    if not quiet:
        cache.on_compile.append(_announce)


def _announce(name: str) -> None:
    kind, _, rest = name.partition("_")
    if kind == "kernel":
        click.echo(f"compiling the engine ({rest}); this takes up to half a minute, once per version ...", err=True)
    else:
        click.echo(f"compiling strategy {rest.replace('_', '-')} (once) ...", err=True)


@contextmanager
def progress_bar(total: int, quiet: bool) -> Iterator[Callable[[int], Any] | None]:
    """A bar with games per second and the time left, on a terminal only.

    Yields
    ------
    callable or None
        To be called with the number of games done.
    """
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    with tqdm(total=total, unit=" games", unit_scale=True, dynamic_ncols=True, file=sys.stderr) as bar:

        def update(done: int) -> None:
            bar.update(done - bar.n)

        yield update


@contextmanager
def step_bar(quiet: bool) -> Iterator[Callable[..., Any] | None]:
    """A bar for work whose number of steps shows as it goes, on a terminal only.

    Yields
    ------
    callable or None
        To be called with the number of steps done, the number of all, and if need be what they are for.
    """
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    with tqdm(unit=" steps", dynamic_ncols=True, file=sys.stderr, leave=False) as bar:

        def update(done: int, total: int, what: str = "") -> None:
            bar.set_description_str(what, refresh=False)
            bar.total = total
            bar.n = done
            bar.refresh()

        yield update
