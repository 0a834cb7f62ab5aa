"""Distributions that were worked out before, kept on disk: the second time is instant."""

import os
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from flip7sim.exact.kernels import ENDS
from flip7sim.exact.round import Distribution

__all__ = ["remembered", "solver_sources"]

Answer = tuple[float, Distribution]


@cache
def solver_sources() -> str:
    """The sources of the solver, and of what asks strategies: a part of every key, so that an edit makes it forget."""
    package = Path(__file__).parent.parent
    files = [*sorted(package.glob("exact/*.py")), package / "policy" / "alone.py"]
    return "".join(path.read_text(encoding="utf-8") for path in files)


def remembered(path: Path, work_out: Callable[[], Answer]) -> Answer:
    """The answer that is kept at `path`, or else a new one, which is kept there.

    Parameters
    ----------
    path : Path
        A file whose name changes with everything that the answer depends on.
    work_out : callable
        Makes the answer: a value and a distribution.
    """
    try:
        with np.load(path) as kept:
            ends = dict(zip(ENDS, map(float, kept["ends"]), strict=True))
            return float(kept["value"]), Distribution(scores=kept["scores"], visits=kept["visits"], **ends)
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        pass  # not there, or not whole
    value, found = work_out()
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    with part.open("wb") as file:
        ends_array = np.array([getattr(found, name) for name in ENDS])
        np.savez_compressed(file, value=value, scores=found.scores, visits=found.visits, ends=ends_array)
    part.replace(path)
    return value, found
