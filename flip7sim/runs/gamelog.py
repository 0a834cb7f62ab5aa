"""What each seat did in each game, as rows of a CSV or Parquet file, written as they come: never all in memory."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pandas as pd

from flip7sim.engine.batch import LOG
from flip7sim.errors import Flip7Error
from flip7sim.files import check_folder
from flip7sim.runs.counts import Ints, Plan
from flip7sim.table import seat_name

__all__ = ["COLUMNS", "ENDINGS", "Writer", "open_log"]

#: What a file's name may end in.
ENDINGS = (".csv", ".parquet")
#: The columns: line-up from 1; number of the game; seat as in replays; its position from the first dealer (1: the
#: dealer's left, the last one: the dealer); strategy; total; rank (1: the winner; equals share the mean); win (1 or 0);
#: rounds; points (the sum of all round scores); busts, Flip 7s; unfinished (1 or 0).
COLUMNS = tuple("rank" if name == "rank2" else name for name in LOG)


class Writer(Protocol):
    """Takes rows, a work item after the other."""

    def __call__(self, log: Ints) -> None:
        """Write the rows of a log (see `engine.batch.LOG`)."""


def _table(plan: Plan, log: Ints) -> pd.DataFrame:
    """Rows of a log as a DataFrame with `COLUMNS`."""
    # A field may have a strategy twice.
    codes, labels = pd.factorize(np.array([entrant.label for entrant in plan.entrants], dtype=object))
    seats = pd.Index([seat_name(seat) for seat in range(plan.players)], dtype=object)
    columns: dict[str, Any] = dict(zip(LOG, log.T, strict=True))
    columns["line_up"] = columns["line_up"] + 1
    columns["position"] = columns["position"] + 1
    columns["seat"] = pd.Categorical.from_codes(columns["seat"], seats)
    columns["strategy"] = pd.Categorical.from_codes(codes[columns["strategy"]], pd.Index(labels, dtype=object))
    columns["rank2"] = columns["rank2"] / 2
    return pd.DataFrame(columns).set_axis(list(COLUMNS), axis=1)


@contextmanager
def open_log(path: Path, plan: Plan) -> Iterator[Writer]:
    """A file of rows that is there when all is written; with an error on the way it is not.

    Parameters
    ----------
    path : Path
        Ends in one of `ENDINGS`; Parquet needs pyarrow.
    plan : Plan
        What is played.

    Raises
    ------
    Flip7Error
        If the file cannot be written, or is of another kind.
    """
    if path.suffix not in ENDINGS:
        raise Flip7Error(f"file {str(path)!r} cannot be written: its name must end in {' or '.join(ENDINGS)}")
    open_file = _csv if path.suffix == ".csv" else _parquet
    if path.is_dir():
        raise Flip7Error(f"file {str(path)!r} is a directory: name a file in it")
    check_folder(path.parent)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open_file(part, plan) as write:
            yield write
        part.replace(path)
    except OSError as error:
        raise Flip7Error(f"file {str(path)!r} cannot be written: {error.strerror or error}") from None
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def _csv(path: Path, plan: Plan) -> Iterator[Writer]:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(",".join(COLUMNS) + "\n")
        yield lambda log: _table(plan, log).to_csv(file, index=False, header=False, lineterminator="\n")


@contextmanager
def _parquet(path: Path, plan: Plan) -> Iterator[Writer]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise Flip7Error(
            "a Parquet file needs pyarrow, which is not installed: pip install 'flip7sim[parquet]', or write a .csv"
        ) from None
    schema = pa.Schema.from_pandas(_table(plan, np.zeros((0, len(LOG)), np.int64)), preserve_index=False)
    with pq.ParquetWriter(path, schema.remove_metadata(), compression="zstd") as writer:
        yield lambda log: writer.write_table(
            pa.Table.from_pandas(_table(plan, log), schema=schema, preserve_index=False).replace_schema_metadata(None)
        )
