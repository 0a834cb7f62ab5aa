"""Options that several commands share, and what they mean."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

from flip7sim.errors import Flip7Error
from flip7sim.exact.decks import DECKS, DEFAULT_DECK
from flip7sim.exact.vengeance_decks import DEFAULT_VENGEANCE_DECK
from flip7sim.rules import Rules
from flip7sim.runs.backends import BACKENDS
from flip7sim.runs.totals import Totals, read_totals

__all__ = [
    "against_option",
    "backend_options",
    "deck_option",
    "folder_of",
    "format_option",
    "jobs_option",
    "quiet_option",
    "result_options",
    "rules_from",
    "rules_options",
    "seed_option",
    "strategy_option",
    "totals_from",
    "totals_option",
    "values_from",
]

Decorator = Callable[[Any], Any]

strategy_option: Decorator = click.option(
    "--strategy",
    "-s",
    "strategies",
    multiple=True,
    metavar="STRATEGY",
    help="A strategy: name, 'name(parameter=value)' or 'file.py:name(...)'. Can be given again and again.",
)
seed_option: Decorator = click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True, help="The result is a function of it."
)
jobs_option: Decorator = click.option(
    "--jobs",
    "-j",
    type=click.IntRange(1, 1024),
    help="Threads; they do not change the result.  [default: all processors]",
)
deck_option: Decorator = click.option(
    "--deck",
    "-d",
    type=click.Choice(list(DECKS)),
    help=f"The deck.  [default: {DEFAULT_DECK}; in Vengeance {DEFAULT_VENGEANCE_DECK}]",
)
totals_option: Decorator = click.option(
    "--totals",
    metavar="TOTALS",
    help="What each seat begins a game with, in the order of the strategies: 150,140,60.  [default: nothing]",
)
quiet_option: Decorator = click.option("--quiet", "-q", is_flag=True, help="No messages and no progress on stderr.")


def format_option(*formats: str) -> Decorator:
    """`--format`, one of `formats`; the first is the default."""
    return click.option(
        "--format", "form", type=click.Choice(formats), default=formats[0], show_default=True, help="What stdout gets."
    )


def against_option(otherwise: str) -> Decorator:
    """`--against`, the opponents at a table; `otherwise` says what is without any."""
    return click.option(
        "--against",
        "-a",
        multiple=True,
        metavar="STRATEGY",
        help=f"An opponent; can be given again and again. {otherwise}",
    )


def result_options(default: str) -> Decorator:
    """`--name` and `--out`: where results go, `results/` and the default name if nothing else is said."""

    def decorate(function: Any) -> Any:
        function = click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Or to this folder.")(
            function
        )
        return click.option("--name", default=default, show_default=True, help="Results go to results/NAME.")(function)

    return decorate


def folder_of(name: str, out: Path | None) -> Path:
    """The folder that `--name` and `--out` say.

    Raises
    ------
    Flip7Error
        If the name is not one of a folder.
    """
    if Path(name).name != name:
        raise Flip7Error(f"name {name!r} cannot be used: it is a folder's name, without {os.sep!r} (see --out)")
    return out or Path("results") / name


def values_from(parameters: Iterable[str], bare: bool = False) -> dict[str, str | None]:
    """The values of each parameter, from arguments of the form parameter=values.

    Parameters
    ----------
    parameters : iterable of str
        The arguments.
    bare : bool
        Whether a parameter may stand without values: then they are None.

    Raises
    ------
    Flip7Error
        If one cannot be read, or comes again.
    """
    given: dict[str, str | None] = {}
    for text in parameters:
        name, equals, values = (piece.strip() for piece in text.partition("="))
        if not name or (equals and not values) or not (equals or bare):
            either = "parameter or parameter=values" if bare else "parameter=values, for instance score=10:60"
            raise Flip7Error(f"parameter {text!r} cannot be read; write {either}")
        if name in given:
            raise Flip7Error(f"parameter {name!r} is given twice: write its values as one list, with commas")
        given[name] = values or None
    return given


def backend_options(function: Any) -> Any:
    """Add `--backend` and `--scheduler` to a command."""
    function = click.option(
        "--scheduler", metavar="ADDRESS", help="A running Dask scheduler, for instance tcp://10.0.0.1:8786."
    )(function)
    return click.option(
        "--backend",
        type=click.Choice(list(BACKENDS)),
        default="threads",
        show_default=True,
        help="What plays: " + "; ".join(f"{name}: {what}" for name, what in BACKENDS.items()) + ".",
    )(function)


def totals_from(text: str | None) -> Totals:
    """The one standing that `--totals` names; none without it.

    Raises
    ------
    Flip7Error
        If it cannot be read, or names several.
    """
    standings = [()] if text is None else read_totals(text)
    if len(standings) > 1:
        raise Flip7Error(f"totals: {text!r} names {len(standings)} standings; only best-response takes more than one")
    return standings[0]


def rules_options(function: Any) -> Any:
    """Add `--rules` and `--option` to a command."""
    function = click.option(
        "--option",
        "-o",
        "options",
        multiple=True,
        metavar="NAME=VALUE",
        help="An option over the rules (flip7sim rules).",
    )(function)
    return click.option(
        "--rules", "-r", default="fr-2.0", show_default=True, metavar="RULES", help="A preset, or a TOML or JSON file."
    )(function)


def rules_from(rules: str, options: Iterable[str]) -> Rules:
    """The rule set that `--rules` and `--option` name.

    Raises
    ------
    Flip7Error
        If they do not make sense.
    """
    if rules.endswith((".toml", ".json")):
        try:
            text = Path(rules).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise Flip7Error(f"rules file {rules!r} cannot be read: {error}") from None
        if not text.strip():
            raise Flip7Error(f'rules file {rules!r} is empty; write at least preset = "fr-2.0"')
        chosen = Rules.from_toml(text) if rules.endswith(".toml") else Rules.from_json(text)
    else:
        chosen = Rules.of(rules)
    values: dict[str, object] = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise Flip7Error(f"option {option!r} cannot be read; write name=value, for instance target_score=300")
        values[name.strip()] = value.strip()
    return chosen.with_options(**values)
