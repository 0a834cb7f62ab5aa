"""Finding strategies: one door for the built-in ones, a user's file and installed packages."""

import hashlib
import importlib.util
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

from flip7sim.errors import Flip7Error, suggest
from flip7sim.policy.declare import Strategy, Value

__all__ = ["Entrant", "catalogue", "find", "find_all", "folder"]

GROUP = "flip7sim.strategies"
_SPEC = re.compile(r"\s*(?:(?P<file>.*\.py)(?::|$))?(?P<name>[^()=,\s]*)\s*(?:\((?P<given>.*)\))?\s*")


@dataclass(frozen=True, eq=False)
class Entrant:
    """A strategy with values for its parameters: what takes a seat.

    Attributes
    ----------
    strategy : Strategy
        The strategy.
    values : tuple
        A value for each of its parameters.
    origin : str
        Where it came from: ``built-in``, a file's path, or a package's name.
    spec : str
        What finds it again, wherever it came from.
    """

    strategy: Strategy
    values: tuple[Value, ...]
    origin: str
    spec: str

    @property
    def label(self) -> str:
        """How it is written everywhere: `stop-at(score=25)`."""
        return self.strategy.label(self.values)

    @property
    def parameters(self) -> dict[str, Value]:
        """The values by name."""
        return dict(zip((p.name for p in self.strategy.parameters), self.values, strict=True))

    @property
    def codes(self) -> list[float]:
        """The values as compiled code reads them."""
        return [p.encode(value) for p, value in zip(self.strategy.parameters, self.values, strict=True)]


@dataclass(frozen=True)
class Known:
    """A strategy in the catalogue, and where it came from."""

    strategy: Strategy
    origin: str


@cache
def folder() -> Path:
    """The folder of the built-in strategies: in an installed package, or at the top of a checkout."""
    package = Path(__file__).parent.parent
    for place in (package / "strategies", package.parent / "strategies"):
        if place.is_dir():
            return place
    raise Flip7Error("the built-in strategies are missing: install flip7sim again")


def load_file(path: Path) -> ModuleType:
    """Import the Python file at `path`, which need not be on the import path.

    Raises
    ------
    Flip7Error
        If there is no such file, or it cannot be imported.
    """
    if not path.is_file():
        raise Flip7Error(f"strategy file {str(path)!r} does not exist")
    full = path.resolve()
    # The same name in every process: compiled code in the cache looks its modules up by name.
    name = f"flip7sim_file_{full.stem}_{hashlib.sha256(str(full).encode()).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, full)
    if spec is None or spec.loader is None:
        raise Flip7Error(f"strategy file {str(path)!r} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(full.parent))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        text = str(error).split("\n")[0]
        raise Flip7Error(f"strategy file {str(path)!r} cannot be imported: {type(error).__name__}: {text}") from error
    finally:
        sys.path.remove(str(full.parent))
    _check_siblings(path, module)
    return module


def _check_siblings(path: Path, module: ModuleType) -> None:
    """Make sure that what a strategy file imports from its own folder is not another folder's module of that name."""
    for value in vars(module).values():
        name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
        sibling = path.resolve().parent / f"{name}.py"
        file = getattr(sys.modules.get(name or ""), "__file__", None)
        if isinstance(name, str) and file and sibling.is_file() and Path(file).resolve() != sibling:
            raise Flip7Error(f"strategy file {str(path)!r} imports {name!r}, but {file} goes by that name: rename one")


def strategies_in(module: ModuleType) -> dict[str, Strategy]:
    """The strategies that a module declares, by name."""
    return {value.name: value for value in vars(module).values() if isinstance(value, Strategy)}


@cache
def catalogue() -> dict[str, Known]:
    """Every strategy that can be named without a file: the built-in ones and those of installed packages.

    Raises
    ------
    Flip7Error
        If two have the same name, or a package's strategies cannot be loaded.
    """
    known: dict[str, Known] = {}
    for path in sorted(folder().glob("*.py")):
        for name, found in strategies_in(load_file(path)).items():
            known[name] = Known(found, "built-in")
    for point in entry_points(group=GROUP):
        package = point.dist.name if point.dist else point.name
        try:
            loaded = point.load()
        except Exception as error:
            raise Flip7Error(f"package {package}: its strategies cannot be loaded: {error}") from error
        found_here = {loaded.name: loaded} if isinstance(loaded, Strategy) else strategies_in(loaded)
        for name, found in found_here.items():
            if name in known:
                raise Flip7Error(f"package {package}: strategy {name!r} is there already, from {known[name].origin}")
            known[name] = Known(found, package)
    return known


def _given(text: str | None, spec: str) -> dict[str, str]:
    """The parameters of `name(a=1, b=2)`."""
    given: dict[str, str] = {}
    for part in (text or "").split(","):
        if not part.strip():
            continue
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not name or not value:
            raise Flip7Error(f"strategy {spec!r}: {part.strip()!r} is not of the form parameter=value")
        if name in given:
            raise Flip7Error(f"strategy {spec!r}: parameter {name!r} is given twice")
        given[name] = value
    return given


def _known_name(name: str, known: Mapping[str, object]) -> str:
    """A function's name will do for the strategy's: underscores for dashes."""
    return name.replace("_", "-") if name not in known and name.replace("_", "-") in known else name


def find(spec: "str | Strategy | Entrant", /, **values: Value) -> Entrant:
    """The strategy that `spec` names, with its parameters.

    Parameters
    ----------
    spec : str, Strategy or Entrant
        `name`, `name(parameter=value, ...)`, or either of them behind `path/to/file.py:`; or the thing itself.
    **values
        Parameters by name, in place of those that `spec` has.

    Returns
    -------
    Entrant
        The strategy, its values, and where it came from.

    Raises
    ------
    Flip7Error
        If there is no such strategy, file, parameter or value.
    """
    if values:
        base = find(spec)
        chosen = base.strategy.values(base.parameters | values)
        door = base.spec.removesuffix(base.label)
        return replace(base, values=chosen, spec=door + base.strategy.label(chosen))
    if isinstance(spec, Entrant):
        return spec
    if isinstance(spec, Strategy):
        chosen = spec.values({})
        return Entrant(spec, chosen, "given", spec.label(chosen))
    match = _SPEC.fullmatch(spec)
    if not match or not (match["file"] or match["name"]):
        raise Flip7Error(f"strategy {spec!r} cannot be read; write name, name(parameter=value) or file.py:name(...)")
    name = match["name"]
    if match["file"]:
        path = Path(match["file"]).expanduser()
        here = strategies_in(load_file(path))
        if not here:
            raise Flip7Error(f"strategy file {str(path)!r} declares no strategy: put @strategy before a function in it")
        if not name and len(here) > 1:
            raise Flip7Error(f"strategy file {str(path)!r} has several: name one, as in {path}:{next(iter(here))}")
        name = _known_name(name or next(iter(here)), here)
        if name not in here:
            raise Flip7Error(f"strategy {name!r} is not in {str(path)!r}; {suggest(name, here)}")
        found, origin, door = here[name], str(path), f"{path}:"
    else:
        known = catalogue()
        name = _known_name(name, known)
        if name not in known and "/" in name:
            raise Flip7Error(f"strategy {spec!r} is not a file: write file.py:name, with the ending .py")
        if name not in known:
            raise Flip7Error(f"strategy {name!r} is unknown; {suggest(name, known)}")
        found, origin, door = known[name].strategy, known[name].origin, ""
    chosen = found.values(_given(match["given"], spec))
    return Entrant(found, chosen, origin, door + found.label(chosen))


def find_all(specs: "Iterable[str | Strategy | Entrant]") -> list[Entrant]:
    """`find` for each; two different strategies may not go by the same label."""
    entrants = [find(spec) for spec in specs]
    seen: dict[str, Entrant] = {}
    for entrant in entrants:
        first = seen.setdefault(entrant.label, entrant)
        if first.strategy is not entrant.strategy:
            raise Flip7Error(
                f"strategy {entrant.label!r} is there twice, from {first.origin} and {entrant.origin}: rename one"
            )
    return entrants
