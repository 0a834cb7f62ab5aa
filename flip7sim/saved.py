"""Results that were saved: a folder with a manifest and CSV files, or one CSV file, read and checked."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from flip7sim.errors import Flip7Error
from flip7sim.rules import Rules

__all__ = ["RESULTS", "Saved", "load", "luck_taken_out", "newest"]

#: Where commands put their results.
RESULTS = Path("results")
MANIFEST = "manifest.json"
_RATE = ("win_rate", "win_rate_low", "win_rate_high")
#: The tables of each kind of result, with the columns that are needed of them.
KINDS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "tournament": {
        "summary": (
            *("strategy", "games", "wins", *_RATE, "round_score", "round_score_se", "bust_rate", "bust_rate_se"),
            *("rank_low", "rank_high"),
        ),
        "lineups": ("line_up", "strategy", "games", "wins"),
        "seats": ("strategy", "seat", "games", "wins", *_RATE),
        "round_scores": ("strategy", "score", "share"),
    },
    "sweep": {
        "sweep": ("strategy", "round_score", "round_score_se", "bust_rate", "bust_rate_se", "flip7_rate_se"),
        "best": ("measure", "strategy", "difference", "difference_se", "best", "may_be_best"),
    },
    "best-response": {
        "steps": ("players", "step", "against", "strategy", *_RATE, "win_rate_se", "gain", "gain_se", "end"),
        "curves": ("players", "step", "against", "strategy", *_RATE, "win_rate_se", "best", "may_be_best"),
    },
}
#: Columns of these tables that do not hold numbers.
_TEXTS = {"strategy", "rival", "resident", "invader", "outcome", "measure", "against", "end", "deck"}
#: What is needed of each kind of manifest, besides the rules.
_COMMON = ("version", "started", "players", "against", "seed", "games")
_NEEDED: Mapping[str, tuple[str, ...]] = {
    "tournament": (
        *(*_COMMON, "strategies", "schedule", "games_played", "unfinished", "skill", "skill_se"),
        *("rounds_per_game", "rounds_per_game_se", "cards_per_game", "cards_per_game_se"),
    ),
    "sweep": (*_COMMON, "strategy", "parameters", "exact"),
    "best-response": (*_COMMON, "strategy", "parameters", "iterate"),
}
#: Tables that a result may be without, or that may have no rows.
EXTRA: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "tournament": {
        "differences": ("strategy", "rival", "difference", "difference_se", "p_holm"),
        "head_to_head": ("strategy", "rival", "meetings", "share", "share_se", "share_low", "share_high"),
        "ratings": ("strategy", "rating", "rating_se", "rating_low", "rating_high", "score_share", "score_share_se"),
        "race": ("strategy", "round", "in_play", "total", "total_se"),
        "starts": ("strategy", "total", "games", "wins", *_RATE, "win_rate_se", "mean_rank", "mean_rank_se"),
        "invasions": ("resident", "invader", "games", *_RATE, "win_rate_se", "outcome"),
        "mixture": ("strategy", "share", "share_se", "fitness"),
    },
}
#: And what single files may hold.
SINGLE: Mapping[str, tuple[str, ...]] = {
    "bust-odds": ("number_cards", "bust_next_mean", "bust_next_best", "bust_next_worst", "bust_by_then"),
    "exact-scores": ("strategy", "deck", "score", "chance"),
}


@dataclass(frozen=True)
class Saved:
    """A result that was read.

    Attributes
    ----------
    path : Path
        The folder, or the file.
    kind : str
        The command that made it, or what the single file holds.
    manifest : dict
        What `manifest.json` holds; empty for a single file.
    tables : dict of str to DataFrame
        The CSV files, by name without the ending; of those in `EXTRA` the ones that have rows.
    """

    path: Path
    kind: str
    manifest: dict[str, Any]
    tables: dict[str, pd.DataFrame]

    @property
    def folder(self) -> Path:
        """The folder that it lies in."""
        return self.path if self.path.is_dir() else self.path.parent

    @property
    def seeds(self) -> str:
        """The seed, or the seeds of runs that were merged, in words."""
        merged = self.manifest.get("merged")
        if merged:
            return f"seeds {', '.join(str(part['seed']) for part in merged)}"
        return f"seed {self.manifest['seed']}"

    @property
    def totals(self) -> list[Any]:
        """The totals that games begin with, for best responses a list of them; empty: all begin with nothing."""
        return list(self.manifest.get("totals") or [])

    @property
    def luck_taken_out(self) -> bool:
        """Whether luck was taken out of what is compared: win rates are then not just wins by games."""
        name, column = {"tournament": ("summary", "win_rate_fair"), "best-response": ("curves", "win_rate")}.get(
            self.kind, ("sweep", "win_rate")
        )
        table = self.tables.get(name)
        if table is None or self.manifest.get("exact"):
            return False
        # Rounds alone have no wins.
        alone = self.kind == "sweep" and column not in table and len(table) > 1 and self.rules.game == "base"
        return alone or luck_taken_out(table, column)

    @property
    def rules(self) -> Rules:
        """The rules that were played."""
        return Rules.from_dict(self.manifest["rules"])


def luck_taken_out(table: pd.DataFrame, column: str = "win_rate") -> bool:
    """Whether win rates are not just wins by games: with few games, and in Vengeance, they are.

    Parameters
    ----------
    table : DataFrame
        With `wins` and `games`; without them the answer is no.
    column : str
        The win rates.
    """
    if not {column, "wins", "games"} <= set(table):
        return False
    return not np.allclose(table[column], table["wins"] / table["games"], rtol=0, atol=1e-12)


def newest(results: Path = RESULTS) -> Path:
    """The folder of `results` whose manifest was written last.

    Raises
    ------
    Flip7Error
        If there is none.
    """
    found = sorted(results.glob(f"*/{MANIFEST}"), key=lambda path: (path.stat().st_mtime_ns, path))
    if not found:
        raise Flip7Error(f"there is no result in {str(results)!r} yet: run flip7sim tournament first, or name a folder")
    return found[-1].parent


def load(path: str | Path) -> Saved:
    """Read a result.

    Parameters
    ----------
    path : str or Path
        A folder that a command wrote, or a CSV file of `flip7sim odds --table` or `flip7sim exact --show scores`.

    Raises
    ------
    Flip7Error
        If there is none, or it is damaged.
    """
    path = Path(path)
    if path.is_file():
        return _load_file(path)
    if not (path / MANIFEST).is_file():
        what = "holds no manifest.json" if path.is_dir() else "does not exist"
        raise Flip7Error(f"result {str(path)!r} {what}; name a folder that a command wrote, such as results/tournament")
    try:
        manifest = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
        if not isinstance(manifest, dict):
            raise ValueError("not an object")
        Rules.from_dict(manifest["rules"])
    except OSError as error:
        raise Flip7Error(f"manifest {str(path / MANIFEST)!r} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise Flip7Error(f"manifest {str(path / MANIFEST)!r} is damaged: {error}; run the command again") from None
    kind = str(manifest.get("command", "tournament"))
    if kind not in KINDS:
        raise Flip7Error(f"result {str(path)!r} was written by {kind!r}, which this version does not know")
    gone = [key for key in _NEEDED[kind] if key not in manifest]
    if gone:
        raise Flip7Error(f"manifest {str(path / MANIFEST)!r} is damaged: it has no {gone[0]!r}; run the command again")
    tables = {name: _read(path / f"{name}.csv", columns) for name, columns in KINDS[kind].items()}
    for name, columns in EXTRA.get(kind, {}).items():
        if (path / f"{name}.csv").exists():
            table = _read(path / f"{name}.csv", columns, may_be_empty=True)
            tables |= {name: table} if len(table) else {}
    return Saved(path, kind, manifest, tables)


def _load_file(path: Path) -> Saved:
    table = _read(path, ())
    for kind, columns in SINGLE.items():
        if set(columns) <= set(table.columns):
            _check_numbers(path, table, columns)
            return Saved(path, kind, {}, {kind: table})
    raise Flip7Error(
        f"file {str(path)!r} cannot be drawn: it must be the CSV of 'flip7sim odds --table' or of "
        "'flip7sim exact --show scores'; or name the folder of a result"
    )


def _read(path: Path, columns: tuple[str, ...], may_be_empty: bool = False) -> pd.DataFrame:
    """A CSV file with at least these columns."""
    try:
        # A strategy may be called NA; only an empty cell is a number that is not known.
        table = pd.read_csv(path, keep_default_na=False, na_values=[""])
    except OSError as error:
        raise Flip7Error(f"table {str(path)!r} cannot be read: {error.strerror or error}") from None
    except (ValueError, UnicodeDecodeError) as error:
        raise Flip7Error(f"table {str(path)!r} is not a CSV file: {str(error).strip()}") from None
    missing = [name for name in columns if name not in table]
    if missing or (table.empty and not may_be_empty):
        what = f"has no column {missing[0]!r}" if missing else "has no rows"
        raise Flip7Error(f"table {str(path)!r} {what}; run the command that made it again")
    _check_numbers(path, table, columns)
    return table


def _check_numbers(path: Path, table: pd.DataFrame, columns: tuple[str, ...]) -> None:
    """Raise a Flip7Error if one of these columns holds a text where numbers belong."""
    for name in columns:
        if len(table) and name not in _TEXTS and not pd.api.types.is_numeric_dtype(table[name]):
            raise Flip7Error(f"table {str(path)!r} has a text in column {name!r}; run the command that made it again")
