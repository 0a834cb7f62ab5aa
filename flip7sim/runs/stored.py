"""Counts on disk, exactly: what a run goes on from after a break, and what runs are merged from.

A file is a NumPy archive (`numpy.load` reads it):

- `about`: a text, in JSON: what was played (`about`). Two files belong together if it differs in the seeds only.
- `line_ups` (line-ups, players): the members of each line-up, as positions among the strategies, the field last.
- `blocks`, `games` (batches,): how many each batch of deals has.
- `sheet_lineups`, `sheet_games`, `sheet_seats`, `sheet_pairs`, `sheet_sums`, `sheet_moments`, `histogram`, `race`, each
  (batches, ...): the counts of each batch (see `engine.batch.Sheet` and `counts.Counts`).
- `whole`: the first so many batches are whole blocks, from which a longer run goes on. What comes after them, if
  anything, is a last batch of its own.
"""

import copy
import io
import json
import time
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from flip7sim.engine.batch import Sheet
from flip7sim.errors import Flip7Error
from flip7sim.files import write_all
from flip7sim.policy.entries import source_hash
from flip7sim.runs.counts import Counts, Plan

__all__ = ["CHECKPOINT", "COUNTS", "Recorder", "Stored", "about", "difference", "pack", "unpack"]

#: What a result keeps of its counts, and where they are kept while it is played.
COUNTS = "counts.npz"
CHECKPOINT = "checkpoint.npz"
#: Changes whenever what is counted, or how it is written, does.
FORMAT = 2
#: A checkpoint is written every so many seconds, and no more often than this many times what writing it takes.
SECONDS = 20.0
PATIENCE = 20.0
_ARRAYS = (*(f"sheet_{name}" for name in Sheet._fields), "histogram", "race")


def about(plan: Plan) -> dict[str, Any]:
    """What is played, without the number of games."""
    strategies = [{"strategy": each.label, "source_hash": source_hash(each.strategy)} for each in plan.entrants]
    return {
        "format": FORMAT,
        "version": version("flip7sim"),
        "rules": plan.rules.to_dict(),
        "deck": plan.copies and list(plan.copies),
        "players": plan.players,
        "schedule": plan.schedule,
        "totals": list(plan.totals),
        "strategies": strategies[: plan.contenders],
        "against": strategies[plan.contenders :],
        "line_ups": [list(lineup) for lineup in plan.lineups],
        "seeds": [plan.seed],
    }


def difference(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """In what two runs differ (see `about`), the seeds left out; empty if they belong together."""
    for key in ("format", "version", "players", "schedule", "deck", "totals"):
        if one[key] != other[key]:
            return f"{key} {one[key]}, not {other[key]}"
    if one["rules"] != other["rules"]:
        first, second = ({"preset": each["preset"], **each["options"]} for each in (one["rules"], other["rules"]))
        names = [name for name in {**first, **second} if first.get(name) != second.get(name)]
        texts = [f"{name}={each.get(name)}" for name in names[:1] for each in (first, second)]
        return f"rules with {texts[0]}, not {texts[1]}"
    for key in ("strategies", "against"):
        first, second = ({each["strategy"]: each["source_hash"] for each in run[key]} for run in (one, other))
        for label in {**first, **second}:
            if label not in first or label not in second:
                return f"strategy {label}, which is in one of them only"
            if first[label] != second[label]:
                return f"another source of strategy {label}"
        if list(first) != list(second):
            return "the same strategies in another order"
    return "" if one["line_ups"] == other["line_ups"] else "other line-ups"


@dataclass(frozen=True)
class Stored:
    """Counts that were stored.

    Attributes
    ----------
    about : dict
        What was played.
    batches : list of Counts
        All of it.
    whole : int
        The first so many of the batches are whole blocks.
    """

    about: dict[str, Any]
    batches: list[Counts]
    whole: int

    def counts(self, plan: Plan) -> Counts:
        """The counts of the whole blocks, from which `simulate` goes on."""
        total = Counts.empty(plan)
        for batch in self.batches[: self.whole]:
            total.add(batch)
            total.batches.append(batch)
        return total


def pack(about: Mapping[str, Any], batches: list[Counts], whole: int) -> bytes:
    """Counts as the bytes of a file.

    Parameters
    ----------
    about : mapping
        What was played (see `about`).
    batches : list of Counts
        What was counted.
    whole : int
        The first so many of them are whole blocks.

    Returns
    -------
    bytes
        The same for the same counts.
    """
    arrays: dict[str, npt.NDArray[Any]] = {
        "about": np.array(json.dumps({key: value for key, value in about.items() if key != "line_ups"})),
        "line_ups": _narrow(np.array(about["line_ups"], np.int64)),
        "whole": np.array(whole),
        "blocks": np.array([batch.blocks for batch in batches], np.int64),
        "games": np.array([batch.games for batch in batches], np.int64),
    }
    for place, name in enumerate(_ARRAYS):
        arrays[name] = _narrow(np.stack([batch.arrays[place] for batch in batches]))
    stream = io.BytesIO()
    np.savez_compressed(stream, allow_pickle=False, **arrays)
    return stream.getvalue()


def _narrow(array: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """The same numbers in the smallest type that holds them."""
    most = max(int(array.max(initial=0)), -int(array.min(initial=0)) - 1)
    return array.astype(next(kind for kind in (np.int8, np.int16, np.int32, np.int64) if most <= np.iinfo(kind).max))


def unpack(path: Path) -> Stored:
    """Read a file of counts.

    Raises
    ------
    Flip7Error
        If it cannot be read, or is damaged.
    """
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as data:
            found = json.loads(str(data["about"])) | {"line_ups": data["line_ups"].tolist()}
            stacks = [data[name].astype(np.int64) for name in _ARRAYS]
            *sheets, histograms, races = stacks
            batches = [
                Counts(Sheet(*(stack[place] for stack in sheets)), histogram, race, found["lowest_score"])
                for place, (histogram, race) in enumerate(zip(histograms, races, strict=True))
            ]
            for batch, blocks, games in zip(batches, data["blocks"], data["games"], strict=True):
                batch.blocks, batch.games = int(blocks), int(games)
            return Stored(found, batches, int(data["whole"]))
    except OSError as error:
        raise Flip7Error(f"counts {str(path)!r} cannot be read: {error.strerror or error}") from None
    except (ValueError, LookupError, TypeError, AttributeError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise Flip7Error(f"counts {str(path)!r} are damaged: {error}; play the run again") from None


@dataclass
class Recorder:
    """Keeps what a run needs to go on later, and writes it to disk now and then while it is played.

    Attributes
    ----------
    plan : Plan
        What is played.
    folder : Path or None
        Where checkpoints go; None: nowhere.
    seconds : float
        How long it is from one to the next.
    """

    plan: Plan
    folder: Path | None = None
    seconds: float = SECONDS
    _whole: Counts | None = None
    _due: float = field(default=0.0)

    def __post_init__(self) -> None:
        """Begin to wait."""
        self._due = time.monotonic() + self.seconds

    def resumed(self) -> Counts:
        """What a run before this one left in the folder; nothing, if it was cut before it left anything.

        Raises
        ------
        Flip7Error
            If that was another run, or it is damaged.
        """
        assert self.folder is not None
        path = next((self.folder / name for name in (CHECKPOINT, COUNTS) if (self.folder / name).is_file()), None)
        if path is None:
            return Counts.empty(self.plan)
        found, mine = unpack(path), about(self.plan)
        differs = difference(found.about, mine)
        if not differs and found.about["seeds"] != mine["seeds"]:
            differs = f"seed {', '.join(map(str, found.about['seeds']))}, not {self.plan.seed}"
        if differs:
            raise Flip7Error(f"{str(path)!r} is of another run, with {differs}: leave --resume out, or choose another")
        counts = found.counts(self.plan)
        self(counts)
        return counts

    def __call__(self, counts: Counts) -> None:
        """Take note of the counts so far (see `simulate`)."""
        end = self.plan.whole_blocks
        if counts.blocks == end < self.plan.blocks:
            self._whole = copy.deepcopy(counts)
        if self.folder and counts.blocks <= end and time.monotonic() >= self._due:
            clock = time.monotonic()
            write_all(self.folder, {CHECKPOINT: self.packed(counts)})
            now = time.monotonic()
            self._due = now + max(self.seconds, PATIENCE * (now - clock))

    def packed(self, counts: Counts) -> bytes:
        """All that was counted, as the bytes of a file."""
        whole = self._whole or (counts if counts.blocks <= self.plan.whole_blocks else Counts.empty(self.plan))
        batches = list(whole.batches)
        if counts.blocks > whole.blocks:
            rest = counts.like()
            rest.add(counts)
            for mine, done in zip(rest.arrays, whole.arrays, strict=True):
                mine -= done
            rest.games, rest.blocks = counts.games - whole.games, counts.blocks - whole.blocks
            batches.append(rest)
        what = about(self.plan) | {"lowest_score": counts.lowest_score}
        return pack(what, batches or [counts.like()], len(whole.batches))

    def forget(self) -> None:
        """Remove the checkpoint, and what a killed run left half-written beside it."""
        if self.folder:
            for path in [self.folder / CHECKPOINT, *self.folder.glob(f".{CHECKPOINT}.*.part")]:
                path.unlink(missing_ok=True)
