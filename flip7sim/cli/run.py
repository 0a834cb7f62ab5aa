"""`flip7sim run`: a command whose options stand in a TOML file."""

import itertools
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from flip7sim.cli.output import say
from flip7sim.errors import Flip7Error, suggest

#: The commands that an experiment may run.
COMMANDS = ("tournament", "sweep", "best-response")


@click.command("run", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.argument("experiment", required=False)
@click.argument("options", nargs=-1, type=click.UNPROCESSED, metavar="[OPTIONS OF THE COMMAND]...")
@click.pass_context
def command(ctx: click.Context, experiment: str | None, options: tuple[str, ...]) -> None:
    """Run an experiment: a command with the options that stand in a file.

    EXPERIMENT is a TOML file, or the name of one that comes with the program; without any, those are listed. The file
    has a title and one table, named tournament, sweep or best-response: its keys are the options of that command. What
    can be given again and again is a list there, name=value pairs are a table of their own, and a flag is true. Options
    after the file go over what it says. Results go to results/NAME, with the name of the file.

    \b
    Examples:
      flip7sim run
      flip7sim run league
      flip7sim run experiments/league.toml --games 50000 --jobs 1
    """  # noqa: D301 (click reads the escape)
    if experiment is None:
        listed = _listed()
        width = max(len(name) for name, _ in listed)
        for name, title in listed:
            click.echo(f"  {name:<{width}}  {title}")
        say(f"run one with: flip7sim run {listed[0][0]}")
        return
    path = _find(experiment)
    where = f"experiment {str(path)!r}"
    name, _, values = _read(path)
    called = _command(name)
    known = _keys(called)
    inner = click.Context(called, parent=ctx, info_name=f"run {experiment}")
    # What is given on the command line takes the place of what the file says.
    given = {key for key, value in called.make_parser(inner).parse_args(list(options))[0].items() if _some(value)}
    kept = {key: value for key, value in values.items() if key not in known or known[key].name not in given}
    if not {"name", "out"} & ({*kept} | given):
        kept["name"] = path.stem
    arguments: list[str] = []
    positional: dict[str, list[str]] = {}
    for key, value in kept.items():
        if key not in known:
            raise Flip7Error(f"{where}: key {key!r} of {name} is unknown; {suggest(key, known)}")
        parameter = known[key]
        texts = list(_texts(parameter, value, f"{where}: key {key!r}"))
        if isinstance(parameter, click.Argument):
            positional[key] = texts
        elif isinstance(parameter, click.Option) and parameter.is_flag:
            arguments += [f"--{key}"] * len(texts)
        else:
            arguments += [f"--{key}={text}" for text in texts]
    places = [key for key, parameter in known.items() if isinstance(parameter, click.Argument)]
    for before, key in itertools.pairwise(places):
        if key in positional and before not in {*positional, *given}:
            raise Flip7Error(f"{where}: key {key!r} needs a key {before!r} beside it")
    arguments += [*options, "--", *(text for key in places for text in positional.get(key, []))]
    try:
        inner = called.make_context(f"run {experiment}", arguments, parent=ctx)
    except click.BadParameter as error:
        wrong = [key for key in kept if error.param is known[key]]
        if not wrong:
            raise
        raise Flip7Error(f"{where}: key {wrong[0]!r}: {error.message.rstrip('.')}") from None
    try:
        called.invoke(inner)
    except Flip7Error as error:
        raise type(error)(f"{where}: {error}") from error


def _some(value: object) -> bool:
    """Whether a parser found anything for a parameter."""
    return bool(value) and "UNSET" not in repr(value)


def _command(name: str) -> click.Command:
    """The command that a table is named after."""
    from flip7sim.cli.main import cli

    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


def _keys(called: click.Command) -> dict[str, click.Parameter]:
    """The parameters of a command by the key that stands for each: its long option, without dashes."""
    keys: dict[str, click.Parameter] = {}
    for parameter in called.params:
        if isinstance(parameter, click.Argument):
            keys[str(parameter.name)] = parameter
        else:
            keys |= {text.removeprefix("--"): parameter for text in parameter.opts if text.startswith("--")}
    return keys


def _folder() -> Path:
    """The experiments that come with the program: in an installed package, or at the top of a checkout."""
    package = Path(__file__).parent.parent
    places = (package / "experiments", package.parent / "experiments")
    return next((place for place in places if place.is_dir()), places[0])


def _listed() -> list[tuple[str, str]]:
    """Name and title of each experiment that comes with the program."""
    rows = [(path.stem, _read(path)[1]) for path in sorted(_folder().glob("*.toml"))]
    if not rows:
        raise Flip7Error("the experiments that come with flip7sim are missing: name a file, or install flip7sim again")
    return rows


def _find(experiment: str) -> Path:
    """The file of an experiment."""
    path = Path(experiment)
    own = _folder() / f"{experiment}.toml"
    if path.suffix != ".toml" and path.name == experiment and own.is_file():
        return own
    if path.is_file():
        return path
    names = [known.stem for known in sorted(_folder().glob("*.toml"))]
    raise Flip7Error(f"experiment {experiment!r} is neither a file nor known by name; {suggest(experiment, names)}")


def _read(path: Path) -> tuple[str, str, dict[str, Any]]:
    """Command, title and keys of an experiment file.

    Raises
    ------
    Flip7Error
        If it cannot be read.
    """
    where = f"experiment {str(path)!r}"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Flip7Error(f"{where} cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise Flip7Error(f"{where} is not a TOML text in UTF-8: {error}") from None
    title = data.pop("title", "")
    if not isinstance(title, str):
        raise Flip7Error(f"{where}: key 'title' must be a text")
    unknown = [key for key in data if key not in COMMANDS]
    if unknown:
        raise Flip7Error(f"{where}: key {unknown[0]!r} is unknown; {suggest(unknown[0], ['title', *COMMANDS])}")
    if len(data) != 1:
        what = f"tables {', '.join(data)}" if data else "no table"
        raise Flip7Error(f"{where} has {what}: it must have one of [{'], ['.join(COMMANDS)}]")
    ((name, values),) = data.items()
    if not isinstance(values, dict):
        raise Flip7Error(f"{where}: key {name!r} must be a table: write [{name}] and the options below it")
    return name, title, values


def _texts(parameter: click.Parameter, value: Any, where: str) -> Iterator[str]:
    """The values of a key, as they would stand on the command line."""
    several = parameter.multiple or parameter.nargs == -1
    if isinstance(parameter, click.Option) and parameter.is_flag:
        if not isinstance(value, bool):
            raise Flip7Error(f"{where} must be true or false, not {value!r}")
        yield from ["yes"] * value
    elif isinstance(value, list | dict) and not several:
        raise Flip7Error(f"{where} must be one value, not a list or a table")
    elif isinstance(value, list):
        for one in value:
            yield _text(one, where)
    elif isinstance(value, dict):
        for name, one in value.items():
            joined = ",".join(_text(each, where) for each in one) if isinstance(one, list) else _text(one, where)
            yield f"{name}={joined}"
    else:
        yield _text(value, where)


def _text(value: Any, where: str) -> str:
    """One value."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str | int | float):
        return str(value)
    raise Flip7Error(f"{where} cannot be {value!r}: write a text, a number, or a list of them")
