"""Distributions that were worked out before, kept on disk: the second time is instant."""

import os
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from flip7sim.exact.arrays import ENDS
from flip7sim.exact.distribution import Distribution

__all__ = ["Answer", "remembered", "remembered_array", "solver_sources"]


Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Answer:
    """What is kept.

    Attributes
    ----------
    value : float
        The expected score, by backward induction.
    distribution : Distribution
        Everything about the round.
    decisions : bytes
        The decisions as a compact table (see `flip7sim.policy.best_round`), if they are wanted.
    """

    value: float
    distribution: Distribution
    decisions: bytes = b""


@cache
def solver_sources() -> str:
    """The sources of the solver, and of what asks strategies: a part of every key, so that an edit makes it forget."""
    package = Path(__file__).parent.parent
    policy = (package / "policy" / name for name in ("alone.py", "best_round.py", "vengeance_alone.py"))
    files = [*sorted(package.glob("exact/*.py")), *policy]
    return "".join(path.read_text(encoding="utf-8") for path in files)


def remembered(path: Path, work_out: Callable[[], Answer]) -> Answer:
    """The answer that is kept at `path`, or else a new one, which is kept there.

    Parameters
    ----------
    path : Path
        A file whose name changes with everything that the answer depends on.
    work_out : callable
        Makes the answer.
    """
    try:
        with np.load(path) as kept:
            ends = dict(zip(ENDS, map(float, kept["ends"]), strict=True))
            distribution = Distribution(scores=kept["scores"], visits=kept["visits"], **ends)
            return Answer(float(kept["value"]), distribution, kept["decisions"].tobytes())
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        pass  # not there, or not whole
    answer = work_out()
    found = answer.distribution
    _keep(
        path,
        value=np.array(answer.value),
        scores=found.scores,
        visits=found.visits,
        ends=np.array([getattr(found, name) for name in ENDS]),
        decisions=np.frombuffer(answer.decisions, np.uint8),
    )
    return answer


def remembered_array(path: Path, work_out: Callable[[], Floats]) -> Floats:
    """The same for numbers."""
    try:
        with np.load(path) as kept:
            return np.asarray(kept["numbers"], np.float64)
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        pass
    numbers = work_out()
    _keep(path, numbers=numbers)
    return numbers


def _keep(path: Path, **arrays: npt.NDArray[Any]) -> None:
    """Write arrays to a file: all of it, or nothing."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **arrays)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
