"""Compiled entries: the address through which the engine asks a strategy.

An entry is a function ``(me, table, question) -> answer`` with numba's calling convention. That of a jitted strategy is
a small generated module, compiled once and cached; its parameters lie in the seat's record, so other values need no
compiling. That of a plain Python function is a callback of the same form.
"""

import ctypes
import dis
import inspect
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from flip7sim.codes import RAISED, Question
from flip7sim.engine.cache import digest, load_module
from flip7sim.engine.hooks import PYTHON_ENTRIES
from flip7sim.engine.kernels import address_of
from flip7sim.engine.records import JIT, SEAT, TABLE
from flip7sim.errors import Flip7Error
from flip7sim.policy.declare import Parameter, Strategy
from flip7sim.policy.targeting import aim

__all__ = ["Entry", "entry_of", "source_hash"]


@dataclass
class Entry:
    """How the engine asks a strategy.

    Attributes
    ----------
    address : int
        What the seat's record holds.
    errors : dict of int to BaseException
        What a plain Python strategy raised last, by thread.
    keep : object
        Whatever must live as long as the address is used.
    """

    address: int
    errors: dict[int, BaseException] = field(default_factory=dict)
    keep: Any = None


def _argument(place: int, parameter: Parameter) -> str:
    """The source that reads one parameter from the seat's record, in its type."""
    text = f"load_float(me, PARAMETERS, {place})"
    if isinstance(parameter.default, float):
        return text
    return f"{text} != 0.0" if isinstance(parameter.default, bool) else f"np.int64({text})"


def _source(strategy: Strategy) -> str:
    """The module that holds the entry of a jitted strategy."""
    arguments = [_argument(place, parameter) for place, parameter in enumerate(strategy.parameters)]
    own = [text for text, parameter in zip(arguments, strategy.parameters, strict=True) if parameter.name != "target"]
    call = ", ".join(["me", "table", *own])
    lines = [
        "import numpy as np",
        "import numba as nb",
        "from flip7sim.engine.hooks import ENTRY_SIGNATURE, answer_of",
        "from flip7sim.engine.records import PARAMETERS, load_float",
        "",
        "@nb.njit(ENTRY_SIGNATURE, error_model='numpy', nogil=True, cache=CACHE)",
        "def entry(me, table, question):",
        f"    if question == {int(Question.HIT)}:",
        f"        return answer_of(hit({call}))",
    ]
    for question in strategy.targets:
        lines += [f"    if question == {int(question)}:", f"        return answer_of({question.name.lower()}({call}))"]
    if len(own) < len(arguments):
        lines.append(f"    return aim(me, table, question, {arguments[-1]})")
    else:
        lines.append("    return np.int64(-1)")
    return "\n".join(lines) + "\n"


def _plain(function: Any) -> Any:
    return getattr(function, "py_func", function)


def _used_names(code: CodeType) -> Iterator[str]:
    """The globals and attributes that a function's code refers to, those of inner functions included."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _used_names(constant)


def source_texts(function: Any, seen: set[int] | None = None) -> list[str]:
    """Everything that a compiled function is made from: its source, what it calls, and the globals that it reads.

    The package itself, numba and numpy are left out: they are part of every key.
    """
    seen = set() if seen is None else seen
    plain = _plain(function)
    if id(plain) in seen or plain.__module__.split(".")[0] in ("flip7sim", "numba", "numpy"):
        return []
    seen.add(id(plain))
    try:
        texts = [inspect.getsource(plain)]
    except OSError:
        texts = [dis.Bytecode(plain).dis(), repr(plain.__code__.co_consts)]
    names = sorted(set(_used_names(plain.__code__)))
    cells = dict(inspect.getclosurevars(plain).nonlocals)
    for name in sorted({*names, *cells}):
        texts += _value_texts(name, cells.get(name, plain.__globals__.get(name)), names, seen)
    return texts


def _value_texts(name: str, value: Any, names: Sequence[str], seen: set[int]) -> list[str]:
    """What a global adds to the texts: of a module, whatever of it is among the names that are used."""
    if isinstance(_plain(value), FunctionType):
        return source_texts(value, seen)
    if isinstance(value, ModuleType):
        if id(value) in seen or value.__name__.split(".")[0] in ("flip7sim", "numba", "numpy", "math"):
            return []
        seen.add(id(value))
        members = ((other, vars(value).get(other)) for other in names)
        return [text for other, member in members for text in _value_texts(other, member, names, seen)]
    if isinstance(value, np.ndarray):
        return [f"{name} {value.dtype} {value.shape} {value.tobytes().hex()}"]
    if isinstance(value, bool | int | float | str | tuple | np.generic):
        return [f"{name}={value!r}"]
    return []


def source_hash(strategy: Strategy) -> str:
    """Hash of all that a strategy is made from (see `source_texts`): 16 hexadecimal digits."""
    functions = (strategy.hit, *strategy.targets.values())
    return digest(*(text for function in functions for text in source_texts(function)))


def _has_file(strategy: Strategy) -> bool:
    """Whether numba can cache what is made of the strategy: not for a notebook's cell or an `exec`."""
    files = [_plain(function).__code__.co_filename for function in (strategy.hit, *strategy.targets.values())]
    return all(name.endswith(".py") and "ipykernel" not in name for name in files)


def _reason(error: Exception) -> str:
    """What is wrong with a function that cannot be compiled, in one line."""
    lines = [line.strip() for line in str(error).split("\n") if line.strip()]
    nested = [line.removeprefix("TypingError: ") for line in lines if line.startswith("TypingError: ")]
    telling = [line for line in lines if not line.startswith(("Failed in", "No implementation", "During:", "-"))]
    return [*nested, *telling, *lines, type(error).__name__][0]


def _jitted(strategy: Strategy) -> Entry:
    names: dict[str, Any] = {question.name.lower(): function for question, function in strategy.targets.items()}
    names |= {"hit": strategy.hit, "aim": aim, "CACHE": _has_file(strategy)}
    text = _source(strategy)
    try:
        if names["CACHE"]:
            # The module's name too: compiled code looks its modules up by name.
            functions = (strategy.hit, *strategy.targets.values())
            key = digest(_plain(strategy.hit).__module__, *(text for f in functions for text in source_texts(f)))
            title = "entry_" + strategy.name.replace("-", "_").replace(".", "_")
            module = load_module(title, text, names, key)
            entry = module.entry
        else:
            exec(compile(text, f"<entry of {strategy.name}>", "exec"), names)
            entry = names["entry"]
        address = address_of(entry)
    except Exception as error:  # whatever the compiler makes of a mistake
        raise Flip7Error(
            f"strategy {strategy.name} cannot be compiled: {_reason(error)} (mend it, or declare it with "
            "@strategy(jit=False))"
        ) from error
    return Entry(address, keep=entry)


#: numba's calling convention for an entry: status code; pointers to the result and to an exception come first.
_CALLBACK = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.POINTER(ctypes.c_int64), ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64
)


@cache
def _record(address: int, dtype: np.dtype[Any]) -> Any:
    """The record that lies at an address, as numpy sees it."""
    memory = (ctypes.c_char * dtype.itemsize).from_address(address)
    return np.recarray(1, dtype=dtype, buf=memory)[0]


def python_entry(strategy: Strategy, decode: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any, Any, int], int]:
    """The entry of a strategy as a Python function ``(me, table, question) -> answer``."""
    rule = next((place for place, p in enumerate(strategy.parameters) if p.name == "target"), None)

    def answer(me: Any, table: Any, question: int) -> int:
        values = decode(me)
        own = values if rule is None else values[:-1]
        if question == Question.HIT:
            return _whole(strategy.hit(me, table, *own))
        if Question(question) in strategy.targets:
            return _whole(strategy.targets[Question(question)](me, table, *own))
        return int(aim(me, table, question, values[-1]))

    return answer


def _whole(answer: Any) -> int:
    """The answer of a plain Python function."""
    if isinstance(answer, bool | int | np.bool_ | np.integer):
        return int(answer)
    raise TypeError(f"a strategy must answer with a bool or an int, not {answer!r}")


def _decoder(strategy: Strategy) -> Callable[[Any], tuple[Any, ...]]:
    kinds = [int if isinstance(p.default, str) else type(p.default) for p in strategy.parameters]
    return lambda me: tuple(kind(me.parameters[place]) for place, kind in enumerate(kinds))


def _interpreted(strategy: Strategy) -> Entry:
    answer = python_entry(strategy, _decoder(strategy))
    if not JIT:
        PYTHON_ENTRIES.append(answer)
        return Entry(len(PYTHON_ENTRIES) - 1)
    errors: dict[int, BaseException] = {}

    def callback(result: Any, _exception: Any, me: int, table: int, question: int) -> int:
        try:
            result[0] = answer(_record(me, SEAT), _record(table, TABLE), question)
        except BaseException as error:
            errors[threading.get_ident()] = error
            result[0] = RAISED
        return 0

    function = _CALLBACK(callback)
    return Entry(ctypes.cast(function, ctypes.c_void_p).value or 0, errors=errors, keep=function)


@cache
def entry_of(strategy: Strategy) -> Entry:
    """The entry of a strategy, compiled if it has to be.

    Raises
    ------
    Flip7Error
        If its functions cannot be compiled.
    """
    return _jitted(strategy) if strategy.jit and JIT else _interpreted(strategy)
