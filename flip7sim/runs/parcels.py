"""A plan as plain data that another process, or another machine, makes the plan from again.

Built-in strategies, and those of installed packages, are found there by their name. A strategy file travels as its
text, with the files that it imports from its own folder, and is loaded under the module's name that it has here, so
that what was compiled for it is found in the cache.
"""

import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from flip7sim.engine.cache import cache_folder, digest
from flip7sim.errors import Flip7Error
from flip7sim.policy.entries import source_hash
from flip7sim.policy.registry import FILE_PREFIX, Entrant, catalogue, load_file, module_name, strategies_in
from flip7sim.rules import Rules
from flip7sim.runs.counts import Plan

__all__ = ["Parcel", "pack", "unpack"]


@dataclass(frozen=True)
class Parcel:
    """A plan as plain data.

    Attributes
    ----------
    version : str
        Of the program; another one may play otherwise.
    rules : dict
        As `Rules.to_dict` gives it.
    entrants : list of dict
        Name, values, origin, spec, and hash of the source of each strategy; `file`: the file among `files`, or None.
    files : dict of str to dict
        The files of strategies by their path here: each with its module's name and the `texts` of the folder's files.
    plan : dict
        All else, by the names of `Plan`.
    """

    version: str
    rules: dict[str, Any]
    entrants: list[dict[str, Any]]
    files: dict[str, dict[str, Any]]
    plan: dict[str, Any]


def pack(plan: Plan) -> Parcel:
    """Make a parcel of a plan.

    Raises
    ------
    Flip7Error
        If a strategy is neither in a file, nor built in, nor from an installed package.
    """
    entrants: list[dict[str, Any]] = []
    files: dict[str, dict[str, Any]] = {}
    for entrant in plan.entrants:
        known = catalogue().get(entrant.strategy.name)
        path = None
        if known is None or known.strategy is not entrant.strategy:
            path = _file(entrant)
            files.setdefault(path, {"module": module_name(Path(path)), "texts": _texts(Path(path))})
        entrants.append(
            {
                **{"name": entrant.strategy.name, "values": entrant.values, "origin": entrant.origin},
                **{"spec": entrant.spec, "source_hash": source_hash(entrant.strategy), "file": path},
            }
        )
    rest = {
        **{"lineups": plan.lineups, "games": plan.games, "seed": plan.seed, "copies": plan.copies},
        **{"schedule": plan.schedule, "field": plan.field, "totals": plan.totals},
    }
    return Parcel(version("flip7sim"), plan.rules.to_dict(), entrants, files, rest)


def _file(entrant: Entrant) -> str:
    """The file that a strategy was loaded from."""
    for name, module in list(sys.modules.items()):
        here = name.startswith(FILE_PREFIX) and any(value is entrant.strategy for value in vars(module).values())
        if here and name == module_name(Path(str(module.__file__))):
            return str(module.__file__)
    raise Flip7Error(
        f"strategy {entrant.label} was not loaded from a file, so no other process can be told of it: save it in a "
        "file.py and name that, or use the back end threads"
    )


def _texts(path: Path) -> dict[str, str]:
    """The text of a strategy file, and of the modules in its folder that were imported."""
    folder, texts = path.parent, {path.name: path.read_text(encoding="utf-8")}
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if file and Path(file).parent == folder and module.__name__ == Path(file).stem:
            texts[Path(file).name] = Path(file).read_text(encoding="utf-8")
    return texts


def unpack(parcel: Parcel) -> Plan:
    """Make the plan again.

    Raises
    ------
    Flip7Error
        If this is another version of the program, or it has other strategies.
    """
    if parcel.version != version("flip7sim"):
        raise Flip7Error(f"a worker has flip7sim {version('flip7sim')}, but {parcel.version} asks it: install the same")
    loaded = {path: _load(Path(path), **about) for path, about in parcel.files.items()}
    entrants = []
    for about in parcel.entrants:
        name = about["name"]
        if about["file"] is None:
            strategy = catalogue()[name].strategy if name in catalogue() else None
        else:
            strategy = loaded[about["file"]].get(name)
        if strategy is None or source_hash(strategy) != about["source_hash"]:
            what = "has no" if strategy is None else "has another"
            raise Flip7Error(f"a worker {what} strategy {name!r} ({about['origin']}): install the same there")
        entrants.append(Entrant(strategy, tuple(about["values"]), about["origin"], about["spec"]))
    return Plan(Rules.from_dict(parcel.rules), tuple(entrants), **parcel.plan)


def _load(path: Path, module: str, texts: dict[str, str]) -> dict[str, Any]:
    """The strategies of a file: the file itself if it is here too, else one with the same text."""
    here = path.is_file() and all(
        (path.parent / name).is_file() and (path.parent / name).read_text(encoding="utf-8") == text
        for name, text in texts.items()
    )
    if not here and module not in sys.modules:
        folder = cache_folder() / f"files_{digest(module, *texts, *texts.values())}"
        folder.mkdir(exist_ok=True)
        for name, text in texts.items():
            part = folder / f"{name}.{id(text)}.part"
            part.write_text(text, encoding="utf-8")
            part.replace(folder / name)
        path = folder / path.name
    return dict(strategies_in(load_file(path, module)))
