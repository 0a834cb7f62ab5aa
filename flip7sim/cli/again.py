"""`--again`: a run's manifest, read as the arguments that play it again."""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from flip7sim.cli.output import say
from flip7sim.codes import MAX_SEATS
from flip7sim.errors import Flip7Error
from flip7sim.policy.entries import source_hash
from flip7sim.policy.registry import Entrant

__all__ = ["again_option", "read_manifest", "refuse_given", "specs_of", "tell_changes"]

again_option: Callable[[Any], Any] = click.option(
    "--again",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="MANIFEST",
    help="Play the run of a manifest.json again; other options than --jobs and where it goes are read from it.",
)


def refuse_given(ctx: click.Context, names: Iterable[str]) -> None:
    """Raise a Flip7Error if something was given that `--again` reads from the manifest."""
    given = [name for name in names if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if given:
        raise Flip7Error(f"--again takes {', '.join(given)} from the manifest: leave them out")


def read_manifest(path: Path, command: str, kinds: Mapping[str, type]) -> dict[str, Any]:
    """The manifest of a run of a command.

    Parameters
    ----------
    path : Path
        The file.
    command : str
        The command that must have written it.
    kinds : mapping of str to type
        The keys that are needed, and of what type their values must be.

    Raises
    ------
    Flip7Error
        If it cannot be read, or is of something else.
    """
    article = f"manifest {str(path)!r} is not one of a {command}"
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Flip7Error(f"manifest {str(path)!r} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise Flip7Error(f"{article}: {error}") from None
    if not isinstance(manifest, dict):
        raise Flip7Error(f"{article}: it must be an object")
    wrote = manifest.get("command", command)
    if wrote != command:
        raise Flip7Error(f"{article}: flip7sim {wrote} wrote it, so play it again with that")
    if manifest.get("merged"):
        raise Flip7Error(
            f"manifest {str(path)!r} is of runs that were merged: play them one by one, each with its seed"
        )
    for key, kind in kinds.items():
        if not isinstance(manifest.get(key), kind):
            raise Flip7Error(f"{article}: {key!r} must be of type {kind.__name__}")
    if command == "best-response" and not _are_whole(manifest["players"]):
        raise Flip7Error(f"{article}: 'players' must be a list of whole numbers")
    if manifest.get("precision") is not None:
        for key in ("precision", "max_games"):
            if type(manifest.get(key)) not in (int, float):
                raise Flip7Error(f"{article}: {key!r} must be a number")
    if not all(isinstance(values, list) for values in manifest.get("parameters", {}).values()):
        raise Flip7Error(f"{article}: each of the 'parameters' must have a list of values")
    several, totals = command == "best-response", manifest.setdefault("totals", [])
    if not (isinstance(totals, list) and all(map(_are_whole, totals)) if several else _are_whole(totals)):
        what = "of lists of whole numbers" if several else "of whole numbers"
        raise Flip7Error(f"{article}: 'totals' must be a list {what}")
    return manifest


def _are_whole(values: Any) -> bool:
    """Whether it is a list of whole numbers."""
    return isinstance(values, list) and all(type(value) is int for value in values)


def specs_of(path: Path, command: str, entries: Iterable[Any]) -> list[str]:
    """How strategies in a manifest are named; one with several seats as often as it has seats.

    Raises
    ------
    Flip7Error
        If an entry does not say so.
    """
    specs: list[str] = []
    article = f"manifest {str(path)!r} is not one of a {command}"
    for entry in entries:
        spec = entry.get("spec") if isinstance(entry, dict) else None
        if not isinstance(spec, str):
            raise Flip7Error(f"{article}: each strategy must have a 'spec', a string")
        seats = entry.get("seats") or 1
        if type(seats) is not int or not 1 <= seats <= MAX_SEATS:
            raise Flip7Error(f"{article}: 'seats' of a strategy must be a number from 1 to {MAX_SEATS}")
        specs += [spec] * seats
    return specs


def tell_changes(path: Path, entrants: Iterable[Entrant], entries: Iterable[Mapping[str, Any]]) -> None:
    """Warn of every strategy whose source is not what it was when the manifest was written."""
    for entrant, entry in zip(entrants, entries, strict=False):
        if source_hash(entrant.strategy) != entry.get("source_hash"):
            say(f"warning: strategy {entrant.label} has changed since {path} was written")
