"""Values for a strategy's parameters, one or two at a time: `score=10:60`, `p=0.1:0.4:0.05`, `counting=yes,no`."""

import itertools
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation

from flip7sim.errors import Flip7Error, suggest
from flip7sim.policy.declare import Parameter, Strategy, Value
from flip7sim.policy.registry import Entrant, find

__all__ = ["MOST", "Values", "default_values", "grid_of", "spread"]

#: So many candidates at most.
MOST = 500
Values = str | Iterable[Value]


def grid_of(
    strategy: str | Strategy | Entrant, parameters: Mapping[str, Values]
) -> tuple[list[Entrant], dict[str, list[Value]]]:
    """A candidate for each value, or pair of values.

    Parameters
    ----------
    strategy : str, Strategy or Entrant
        What the other parameters are read from.
    parameters : mapping of str to str or iterable
        The values of one parameter, or of two: `first:last`, `first:last:step`, a list with commas, or the values
        themselves. Without a step it is 1 for a whole number, and a tenth of the way for any other.

    Returns
    -------
    candidates : list of Entrant
        The second parameter moves faster.
    values : dict of str to list
        The values of each parameter.

    Raises
    ------
    Flip7Error
        If the strategy does not have such a parameter, or it cannot have such a value.
    """
    base = find(strategy)
    known = {parameter.name: parameter for parameter in base.strategy.parameters}
    name = base.strategy.name
    if not 1 <= len(parameters) <= 2:
        example = next((f"{p.name}={_example(p)}" for p in known.values()), "")
        what = f"for instance {example}" if example else "but it has none"
        raise Flip7Error(f"strategy {name}: name one parameter or two and their values, {what}")
    values: dict[str, list[Value]] = {}
    for parameter, given in parameters.items():
        if parameter not in known:
            raise Flip7Error(f"strategy {name}: parameter {parameter!r} is unknown; {suggest(parameter, known)}")
        texts = _listed(known[parameter], given) if isinstance(given, str) else list(given)
        values[parameter] = list(dict.fromkeys(known[parameter].parse(text) for text in texts))
        if not values[parameter]:
            raise Flip7Error(
                f"parameter {parameter}: name a value, for instance {parameter}={_example(known[parameter])}"
            )
    count = 1
    for each in values.values():
        count *= len(each)
    if count > MOST:
        raise Flip7Error(
            f"{count:,} combinations of values are too many; it must be {MOST:,} or fewer: take larger steps"
        )
    combinations = itertools.product(*values.values())
    return [find(base, **dict(zip(values, each, strict=True))) for each in combinations], values


def _example(parameter: Parameter) -> str:
    """Values that a parameter may well have, as they are written."""
    if parameter.choices or isinstance(parameter.default, bool):
        return ",".join(parameter.choices or ("yes", "no"))
    if isinstance(parameter.default, int):
        return f"{max(parameter.low, 0):g}:{min(parameter.high, max(10, 2 * parameter.default)):g}"
    return f"{max(parameter.low, 0):g}:{min(parameter.high, 1):g}:0.1"


def _listed(parameter: Parameter, text: str) -> list[str]:
    """All values that a text names."""
    found: list[str] = []
    for part in (part.strip() for part in text.split(",")):
        ends = part.split(":")
        if len(ends) == 1:
            found.append(part)
            continue
        wrong = Flip7Error(
            f"parameter {parameter.name}={part} cannot be read; write first:last or first:last:step, "
            f"for instance {parameter.name}={_example(parameter)}"
        )
        if len(ends) > 3 or parameter.choices or isinstance(parameter.default, bool):
            raise wrong
        try:
            first, last, *step = (Decimal(end) for end in ends)
        except InvalidOperation:
            raise wrong from None
        width = (
            step[0] if step else Decimal(1) if isinstance(parameter.default, int) else (last - first) / 10 or Decimal(1)
        )
        if not (first.is_finite() and last.is_finite() and width.is_finite()) or width <= 0 or last < first:
            raise wrong
        if (last - first) / width > MOST:
            raise Flip7Error(f"parameter {parameter.name}={part}: too many values; take larger steps")
        # Decimal numbers: 0.1, 0.15, 0.2 as they are written.
        found += [str(first + width * place) for place in range(int((last - first) / width) + 1)]
    return found


def default_values(strategy: str | Strategy | Entrant, parameter: str) -> str:
    """Values for a parameter that is named without any: from 0, or the least it can be, well past its default.

    Raises
    ------
    Flip7Error
        If the strategy does not have such a parameter.
    """
    base = find(strategy)
    known = {each.name: each for each in base.strategy.parameters}
    if parameter not in known:
        raise Flip7Error(
            f"strategy {base.strategy.name}: parameter {parameter!r} is unknown; {suggest(parameter, known)}"
        )
    return _example(known[parameter])


def spread(specs: Iterable[str | Strategy | Entrant]) -> list[Entrant]:
    """The strategies that are named; one whose parameter is a range, as in `stop-at(score=20:30)`, for each value.

    Parameters
    ----------
    specs : iterable of str, Strategy or Entrant
        As in `flip7sim.find`; one parameter or two of each may be `first:last` or `first:last:step`.

    Raises
    ------
    Flip7Error
        If there is no such strategy or parameter, or it cannot have such values.
    """
    found: list[Entrant] = []
    for spec in specs:
        # The file that a strategy is in may be called anything; what is in the last brackets are parameters.
        name, bracket, inside = spec.rpartition("(") if isinstance(spec, str) else ("", "", "")
        given = inside.removesuffix(")").split(",")
        ranges = [part.partition("=") for part in given if ":" in part.partition("=")[2]]
        if isinstance(spec, str) and bracket and ranges and inside.endswith(")"):
            names = [part.partition("=")[0].strip() for part in given if part.strip()]
            for twice in names:
                if names.count(twice) > 1:
                    raise Flip7Error(f"strategy {spec!r}: parameter {twice!r} is given twice")
            rest = ",".join(part for part in given if ":" not in part.partition("=")[2])
            base = f"{name}({rest})" if rest else name
            found += grid_of(base, {parameter.strip(): values.strip() for parameter, _, values in ranges})[0]
        else:
            found.append(find(spec))
    return found
