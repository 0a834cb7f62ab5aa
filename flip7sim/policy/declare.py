"""Declaring a strategy: a function that says hit or stay becomes a `Strategy` with a name and parameters."""

import inspect
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numba as nb

from flip7sim.codes import MAX_PARAMETERS, Question
from flip7sim.errors import Flip7Error, suggest
from flip7sim.policy.targeting import TARGETING

__all__ = ["Parameter", "Strategy", "strategy"]

Value = bool | int | float | str
#: Whole numbers beyond this cannot be told apart by compiled code, which reads them as floating-point numbers.
MAX_WHOLE = 2**53
_WORDS = {"yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}


@dataclass(frozen=True)
class Parameter:
    """One named parameter of a strategy.

    Attributes
    ----------
    name : str
        As written in `name(parameter=value)`.
    default : bool, int, float or str
        Its type is the type of the parameter; a str is one of `choices`.
    low, high : float
        Bounds of a number, both included.
    choices : tuple of str
        What a word may be.
    """

    name: str
    default: Value
    low: float = -math.inf
    high: float = math.inf
    choices: tuple[str, ...] = ()

    @property
    def domain(self) -> str:
        """What the parameter can be, in words."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        if isinstance(self.default, bool):
            return "yes or no"
        kind = "a whole number" if isinstance(self.default, int) else "a number"
        if math.isinf(self.low) and math.isinf(self.high):
            return kind
        if math.isinf(self.high):
            return f"{kind}, {self.low:g} or more"
        return f"{kind} from {self.low:g} to {self.high:g}"

    def parse(self, value: object) -> Value:
        """Bring `value` (a word or a number) into the parameter's type.

        Raises
        ------
        Flip7Error
            If the parameter cannot have that value.
        """
        try:
            return self._parse(value)
        except (ValueError, TypeError, OverflowError, KeyError):
            raise Flip7Error(f"parameter {self.name}={value} cannot be used; it must be {self.domain}") from None

    def _parse(self, value: object) -> Value:
        if self.choices:
            if value not in self.choices:
                raise ValueError
            return str(value)
        if isinstance(self.default, bool):
            return _WORDS[str(value).lower()]
        number = float(str(value))
        if isinstance(self.default, int):
            if number != int(number):
                raise ValueError
            number = int(number)
            if abs(number) > MAX_WHOLE:
                raise ValueError
        if not self.low <= number <= self.high:
            raise ValueError
        return number

    def encode(self, value: Value) -> float:
        """The value as the number that compiled code reads."""
        return float(self.choices.index(str(value))) if self.choices else float(value)

    def text(self, value: Value) -> str:
        """The value as it is written."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        short = f"{value:g}" if isinstance(value, float) else str(value)
        return short if not isinstance(value, float) or float(short) == value else repr(value)


@dataclass(eq=False)
class Strategy:
    """A strategy: how to decide, under which name, with which parameters.

    Made by the decorator `strategy`; functions for other questions are added by the decorators below, each of which
    takes a function ``(me, table, *parameters) -> seat`` (or -> place, where cards are named).

    Attributes
    ----------
    name : str
        As written everywhere, for instance ``stop-at``.
    parameters : tuple of Parameter
        In the order of the function's arguments; a strategy that leaves some target to a rule has a last one, `target`.
    hit : callable
        ``(me, table, *parameters) -> bool``: hit or stay.
    targets : dict
        Function by `Question`.
    jit : bool
        Whether its functions are compiled; if not, they are plain Python: slow, but anything goes.
    summary : str
        First line of the function's docstring.
    """

    name: str
    parameters: tuple[Parameter, ...]
    hit: Callable[..., Any]
    jit: bool = True
    summary: str = ""
    targets: dict[Question, Callable[..., Any]] = field(default_factory=dict)

    def freeze(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Choose whom a Freeze goes to by `function`."""
        return self._target(Question.FREEZE, function)

    def flip_three(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Choose whom a Flip Three goes to by `function`."""
        return self._target(Question.FLIP_THREE, function)

    def second_chance(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Choose who gets an extra Second Chance by `function`."""
        return self._target(Question.SECOND_CHANCE, function)

    def modifier(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Choose whom a modifier goes to by `function` (V39)."""
        return self._target(Question.MODIFIER, function)

    def just_one_more(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Choose on whom a Just One More is played by `function` (V41)."""
        return self._target(Question.JUST_ONE_MORE, function)

    def flip_four(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Choose on whom a Flip Four is played by `function` (V42)."""
        return self._target(Question.FLIP_FOUR, function)

    def swap(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Choose on whom a Swap is played by `function` (V40)."""
        return self._target(Question.SWAP, function)

    def steal(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Choose on whom a Steal is played by `function` (V40)."""
        return self._target(Question.STEAL, function)

    def discard(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Choose on whom a Discard is played by `function` (V40)."""
        return self._target(Question.DISCARD, function)

    def exchange(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Choose the cards to exchange by `function`, whose answer is an `exchange_of` two places (V43)."""
        return self._target(Question.EXCHANGE, function)

    def take(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Choose the card to steal by `function`, whose answer is a place (V43)."""
        return self._target(Question.TAKE, function)

    def drop(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Choose the card to discard by `function`, whose answer is a place (V43)."""
        return self._target(Question.DROP, function)

    def bonus(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Choose by `function`: oneself for the bonus of a Flip 7, or the seat that gets the penalty (V46)."""
        return self._target(Question.BONUS, function)

    def _target(self, question: Question, function: Callable[..., Any]) -> Callable[..., Any]:
        self.targets[question] = compiled(function) if self.jit else function
        if len(self.targets) == len(Question) - 1:  # nothing is left to a rule
            self.parameters = tuple(parameter for parameter in self.parameters if parameter.name != "target")
        return function

    def values(self, given: Mapping[str, object]) -> tuple[Value, ...]:
        """A value for every parameter: those given, and the defaults.

        Raises
        ------
        Flip7Error
            For a parameter that the strategy does not have, or a value that it cannot have.
        """
        names = [parameter.name for parameter in self.parameters]
        for name in given:
            if name not in names:
                hint = suggest(name, names) if names else "it has none"
                raise Flip7Error(f"strategy {self.name}: parameter {name!r} is unknown; {hint}")
        try:
            return tuple(p.parse(given[p.name]) if p.name in given else p.default for p in self.parameters)
        except Flip7Error as error:
            raise Flip7Error(f"strategy {self.name}: {error}") from None

    def label(self, values: tuple[Value, ...]) -> str:
        """The strategy as it is written everywhere: numbers always, words only where they are not the default."""
        shown = [
            f"{parameter.name}={parameter.text(value)}"
            for parameter, value in zip(self.parameters, values, strict=True)
            if value != parameter.default or (not parameter.choices and not isinstance(value, bool))
        ]
        return f"{self.name}({','.join(shown)})" if shown else self.name

    def __call__(self, *args: Any) -> Any:
        """Ask hit or stay: ``(me, table, *parameters)``."""
        return self.hit(*args)


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, jitted unless it is already."""
    if hasattr(function, "py_func"):
        return function
    jitted: Callable[..., Any] = nb.njit(error_model="numpy", nogil=True)(function)
    return jitted


def _parameter(name: str, default: Any, hint: Any, bounds: tuple[float, float]) -> Parameter:
    if default is inspect.Parameter.empty:
        raise Flip7Error(f"strategy parameter {name!r} needs a default: write {name}=value in the function's head")
    if get_origin(hint) is Literal:
        return Parameter(name, default, choices=get_args(hint))
    if not isinstance(default, bool | int | float):
        raise Flip7Error(f"strategy parameter {name!r}: the default must be a number, True or False, not {default!r}")
    parameter = Parameter(name, default, *bounds)
    parameter.parse(default)
    return parameter


def strategy(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    jit: bool = True,
    bounds: Mapping[str, tuple[float, float]] | None = None,
) -> Any:
    """Make a strategy of a function ``(me, table, parameter=default, ...)`` that returns whether to hit.

    Parameters
    ----------
    function : callable
        Its name, with dashes for underscores, names the strategy; its arguments after `me` and `table` are the
        parameters; the first line of its docstring says what it does.
    name : str, optional
        Another name.
    jit : bool
        False: leave it plain Python.
    bounds : mapping of str to (float, float), optional
        The least and the greatest value of parameters.

    Returns
    -------
    Strategy
        Or a decorator that makes one, when called without a function.

    Raises
    ------
    Flip7Error
        If the function cannot be a strategy.
    """
    if function is None:
        return lambda inner: strategy(inner, name=name, jit=jit, bounds=bounds)
    plain = getattr(function, "py_func", function)
    title = name or plain.__name__.replace("_", "-")
    if not re.fullmatch(r"[A-Za-z][\w.-]*", title):
        raise Flip7Error(f"strategy name {title!r} cannot be used: letters, digits, '-', '.' and '_' only")
    signature = list(inspect.signature(plain).parameters.values())
    if len(signature) < 2 or any(p.kind is not p.POSITIONAL_OR_KEYWORD for p in signature):
        raise Flip7Error(f"strategy {title}: the function must take (me, table, parameter=default, ...)")
    hints = get_type_hints(plain)
    limits = bounds or {}
    for name_of_bound in limits:
        if name_of_bound not in [p.name for p in signature[2:]]:
            raise Flip7Error(f"strategy {title}: bounds name {name_of_bound!r}, which is no parameter of it")
    own = tuple(
        _parameter(p.name, p.default, hints.get(p.name), limits.get(p.name, (-math.inf, math.inf)))
        for p in signature[2:]
    )
    if any(parameter.name == "target" for parameter in own) or len(own) >= MAX_PARAMETERS:
        raise Flip7Error(f"strategy {title}: at most {MAX_PARAMETERS - 1} parameters, none of them called 'target'")
    target = Parameter("target", TARGETING[0], choices=TARGETING)
    summary = (inspect.getdoc(plain) or "").split("\n")[0]
    hit = compiled(function) if jit else function
    return Strategy(title, (*own, target), hit, jit, summary)
