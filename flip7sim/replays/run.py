"""Playing a replay file with one of the two players of the game, or with both, which must agree."""

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from flip7sim.errors import Flip7Error, suggest
from flip7sim.replays.check import check, state_of
from flip7sim.replays.script import script_error
from flip7sim.replays.situation import Situation, read_file, situation_of
from flip7sim.replays.transcript import event_objects, tell
from flip7sim.table import Finish

__all__ = ["ENGINES", "Engine", "ReplayResult", "replay"]

Engine = Literal["fast", "reference", "both"]
ENGINES: tuple[Engine, ...] = ("fast", "reference", "both")


@dataclass(frozen=True)
class ReplayResult:
    """What came of a replay file.

    Attributes
    ----------
    file, title : str
        Where it comes from, and what it shows.
    mismatches : list of dict
        What is not as the file expects: `field`, `expected` and `got`.
    error : str or None
        Why the file cannot be played.
    state : dict or None
        The state that it came to, as `check.state_of` gives it; None where there is an error.
    events : list of dict
        What happened, an object each.
    transcript : list of str
        The same as lines for people.
    finish : Finish or None
        Where play stopped.
    """

    file: str
    title: str
    mismatches: list[dict[str, Any]] = field(default_factory=list)
    error: str | None = None
    state: dict[str, Any] | None = None
    events: list[dict[str, Any]] = field(default_factory=list)
    transcript: list[str] = field(default_factory=list)
    finish: Finish | None = None

    @property
    def ok(self) -> bool:
        """Whether it could be played, and all came as expected."""
        return self.error is None and not self.mismatches

    @property
    def exit_status(self) -> int:
        """0: as expected, 1: a mismatch, 2: it cannot be played."""
        return 2 if self.error is not None else 1 if self.mismatches else 0

    def to_json_object(self) -> dict[str, Any]:
        """The object that ``flip7sim replay --json`` prints for the file."""
        keys = ("file", "title", "ok", "mismatches", "error", "state", "events")
        return {key: getattr(self, key) for key in keys}


def replay(source: str | Path | Situation, engine: Engine = "both") -> ReplayResult:
    """Play a replay file, and compare what comes of it with what it expects.

    Parameters
    ----------
    source : str, Path or Situation
        The path of a file, or what has been read from one (see `situation.parse_situation` for texts).
    engine : {"both", "fast", "reference"}
        Who plays; if both do, they must agree in every detail.

    Returns
    -------
    ReplayResult
        A file that cannot be played gives one with an `error`; nothing is raised for it.
    """
    if engine not in ENGINES:
        raise Flip7Error(f"engine {engine!r} is unknown; {suggest(engine, ENGINES)}")
    if isinstance(source, Situation):
        return _replay(source, engine)
    title = Path(source).stem
    try:
        data = read_file(source)
        title = data["title"] if isinstance(data.get("title"), str) else title
        return _replay(situation_of(data, str(source)), engine)
    except Flip7Error as error:
        return ReplayResult(str(source), title, error=str(error))


def _replay(situation: Situation, engine: Engine) -> ReplayResult:
    """Play, and see what came of it."""
    told: dict[str, Any] = {}
    try:
        finish = _play(situation, engine)
        told = {
            "events": event_objects(situation.start.rules, situation.names, finish.events),
            "transcript": tell(situation.start, situation.names, finish),
            "finish": finish,
        }
        problem = script_error(situation.script, finish, situation.names, situation.start.rules)
        if problem:
            raise Flip7Error(problem)
    except Flip7Error as error:
        return ReplayResult(situation.file, situation.title, error=f"{situation.file}: {error}", **told)
    state = state_of(situation.start.rules, situation.names, finish)
    found = check(situation.expect, state, finish)
    return ReplayResult(situation.file, situation.title, found, state=state, **told)


def _play(situation: Situation, engine: Engine) -> Finish:
    """Let the engine play, or the reference, or both."""
    if engine != "fast":
        from flip7sim.reference import play_script as play_slowly

        plain = play_slowly(situation.start, situation.lines)
        if engine == "reference":
            return plain
    from flip7sim.engine.single import play_script as play_fast  # late: its compiler takes a second to wake up

    finish: Finish = play_fast(situation.start, situation.lines)
    if engine == "both" and finish != plain:
        raise Flip7Error(f"the engines disagree: {_difference(finish, plain)}")
    return finish


def _difference(fast: Finish, plain: Finish) -> str:
    """The first difference between two ends of the same game."""
    for each in fields(Finish):
        one, other = getattr(fast, each.name), getattr(plain, each.name)
        if one == other:
            continue
        if isinstance(one, list | tuple) and isinstance(other, list | tuple):
            place = next(
                (k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
            )
            one, other = one[place : place + 1], other[place : place + 1]
            return f"{each.name} {place}: fast {one}, reference {other}"
        return f"{each.name}: fast {one}, reference {other}"
    return "nothing"
