"""Runs of one experiment with different seeds, made one: the more games, the smaller the errors."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from flip7sim.errors import Flip7Error
from flip7sim.policy.declare import Strategy
from flip7sim.policy.registry import Entrant
from flip7sim.results import describe, tables_of
from flip7sim.rules import Rules
from flip7sim.runs.counts import MOST_BATCHES, Counts, Plan
from flip7sim.runs.stored import COUNTS, Stored, difference, pack, unpack
from flip7sim.saved import Saved, load
from flip7sim.tournaments import Tournament

__all__ = ["merge"]


def merge(results: Iterable[str | Path]) -> Tournament:
    """Merge runs of one experiment.

    Parameters
    ----------
    results : iterable of str or Path
        Two folders or more that a tournament wrote. The rules, the strategies with all that they are made from, the
        schedule and the players must be the same, and the seeds different; the numbers of games may differ.

    Returns
    -------
    Tournament
        Of all games. In whatever order the results are given, it is the same.

    Raises
    ------
    Flip7Error
        If the runs do not belong together, or one cannot be read.
    """
    paths = [Path(result) for result in results]
    if len(paths) < 2:
        raise Flip7Error("merge: it takes two results at least; name their folders, such as results/tournament")
    runs = sorted((_read(path) for path in paths), key=lambda run: run[1].about["seeds"])
    (first, one), seeds = runs[0], dict.fromkeys(runs[0][1].about["seeds"], runs[0][0].path)
    for saved, stored in runs[1:]:
        differs = difference(stored.about, one.about)
        if differs:
            raise Flip7Error(f"result {str(saved.path)!r} does not belong to {str(first.path)!r}: it has {differs}")
        for seed in stored.about["seeds"]:
            if seed in seeds:
                raise Flip7Error(
                    f"result {str(saved.path)!r} has seed {seed}, and so has {str(seeds[seed])!r}: their games are the "
                    "same ones; play it with another seed"
                )
            seeds[seed] = saved.path
    counts = _sum([stored for _, stored in runs])
    plan = _plan(first, one, counts)
    about = one.about | {"seeds": sorted(seeds)}
    seconds = round(sum(float(saved.manifest["seconds"]) for saved, _ in runs), 3)
    parts = [part for saved, _ in runs for part in _parts(saved.manifest)]
    manifest: dict[str, Any] = {"command": "tournament"} | describe(plan, counts)
    manifest |= {key: first.manifest[key] for key in ("strategies", "against")}
    manifest |= {"seed": None, "merged": sorted(parts, key=lambda part: int(part["seed"]))}
    manifest |= {
        "started": min(str(saved.manifest["started"]) for saved, _ in runs),
        "seconds": seconds,
        "games_per_second": round(counts.games / seconds, 1) if seconds else None,
        "jobs": max(int(saved.manifest["jobs"]) for saved, _ in runs),
    }
    return Tournament(plan, counts, tables_of(plan, counts), manifest, pack(about, counts.batches, 0))


def _read(path: Path) -> tuple[Saved, Stored]:
    """One result."""
    saved = load(path)
    if saved.kind != "tournament" or not path.is_dir():
        raise Flip7Error(f"result {str(path)!r} is not one of a tournament: nothing else can be merged")
    if saved.manifest.get("precision") is not None:
        raise Flip7Error(
            f"result {str(path)!r} stopped when it was sure, so that its length depends on what came of it: only runs "
            "of a fixed number of games can be merged"
        )
    return saved, unpack(path / COUNTS)


def _parts(manifest: dict[str, Any]) -> list[dict[str, Any]]:
    """The runs that a result was merged from, or itself."""
    parts: list[dict[str, Any]] | None = manifest.get("merged")
    return parts or [{key: manifest[key] for key in ("seed", "games", "games_played", "interrupted")}]


def _sum(runs: list[Stored]) -> Counts:
    """All counts. Batches are brought to one length, and are as many as in any other run at most."""
    longest = max(max(batch.blocks for batch in stored.batches) for stored in runs)
    batches = [batch for stored in runs for batch in _joined(stored.batches, longest)]
    while len(batches) > MOST_BATCHES:
        batches = _joined(batches, 2 * max(batch.blocks for batch in batches))
    total = batches[0].like()
    for batch in batches:
        total.add(batch)
    total.batches = batches
    return total


def _joined(batches: list[Counts], length: int) -> list[Counts]:
    """Neighbours put together, as long as they have no more blocks than `length`."""
    found: list[Counts] = []
    for batch in batches:
        if not found or found[-1].blocks + batch.blocks > length:
            found.append(batch.like())
        found[-1].add(batch)
    return found


def _plan(saved: Saved, stored: Stored, counts: Counts) -> Plan:
    """What was played; of the strategies it knows the names only, so that their files need not be there."""
    about = stored.about

    def named(entry: dict[str, Any]) -> Entrant:
        strategy = Strategy(entry["strategy"], (), lambda me, table: False, jit=False)
        return Entrant(strategy, (), entry["origin"], entry["spec"])

    field = saved.manifest["against"]
    return Plan(
        rules=Rules.from_dict(about["rules"]),
        entrants=tuple(named(entry) for entry in [*saved.manifest["strategies"], *field]),
        lineups=tuple(tuple(lineup) for lineup in about["line_ups"]),
        games=tuple(int(games) for games in counts.sheet.games[:, 0]),
        seed=about["seeds"][0],
        schedule=about["schedule"],
        field=len(field),
        totals=tuple(about["totals"]),
    )
