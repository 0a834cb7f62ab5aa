"""A game of a simulation as a replay: any game of a seeded run, told or written as a file."""

import threading
from collections.abc import Iterable
from dataclasses import dataclass

from flip7sim.codes import CARD_QUESTIONS, RAISED
from flip7sim.engine.single import Sitter, play_entries
from flip7sim.errors import Flip7Error
from flip7sim.policy.declare import Strategy
from flip7sim.policy.entries import entry_of
from flip7sim.policy.registry import Entrant, find_all
from flip7sim.replays.export import to_toml
from flip7sim.replays.transcript import tell
from flip7sim.rules import Rules
from flip7sim.runs.schedule import check_players
from flip7sim.runs.seating import seated
from flip7sim.runs.totals import check_totals
from flip7sim.table import Finish, SeatStart, Start, seat_name

__all__ = ["SimulatedGame", "simulated_game"]


@dataclass(frozen=True)
class SimulatedGame:
    """A game of a run.

    Attributes
    ----------
    start : Start
        Its beginning.
    finish : Finish
        Its end.
    entrants : tuple of Entrant
        Who sat where.
    error : BaseException or None
        What a strategy raised.
    """

    start: Start
    finish: Finish
    entrants: tuple[Entrant, ...]
    error: BaseException | None = None

    @property
    def names(self) -> list[str]:
        """The names of the seats: A, B, C ..."""
        return [seat_name(place) for place in range(len(self.entrants))]

    @property
    def title(self) -> str:
        """Which game it is."""
        return f"Game {self.start.game} of seed {self.start.seed}, {self.start.rules.label}"

    @property
    def seating(self) -> list[str]:
        """A line for each seat: who sits there."""
        triples = zip(self.names, self.entrants, self.start.seats, strict=True)
        return [f"{name}: {who.label}" + (f", from {seat.total}" if seat.total else "") for name, who, seat in triples]

    @property
    def problem(self) -> str | None:
        """What stopped the game before its end, if anything did."""
        asked = self.finish.asked
        if asked is None:
            return None
        raised = f"raised {type(self.error).__name__}: {self.error}" if self.error else "raised an exception"
        what = raised if asked.answer == RAISED else f"answered {asked.answer}"
        name, entrant = self.names[asked.seat], self.entrants[asked.seat]
        some = asked.legal if asked.question not in CARD_QUESTIONS else ()
        legal = ", ".join(str(answer) for answer in some) or "a card that may be named"
        return f"seat {name} ({entrant.label}), asked {asked.question.name.lower()}, {what} (legal: {legal})"

    def transcript(self) -> list[str]:
        """The game told in sentences."""
        return [*self.seating, "", *tell(self.start, self.names, self.finish)]

    def to_toml(self) -> str:
        """The game as a replay file, with who sat where in a comment."""
        comments = "".join(f"# {line}\n" for line in self.seating)
        return comments + to_toml(self.start, self.finish, title=self.title, names=self.names)


def simulated_game(
    strategies: Iterable[str | Strategy | Entrant],
    seed: int,
    game: int,
    rules: Rules | str = "fr-2.0",
    totals: Iterable[int] = (),
    against: Iterable[str | Strategy | Entrant] = (),
) -> SimulatedGame:
    """Play one game of a line-up again, as it was played in a run with the same seed.

    Parameters
    ----------
    strategies : iterable of str, Strategy or Entrant
        The line-up, a strategy for each seat, in any order: who sits where is a function of the seed and the game.
        Of a game of a sweep, or of the schedule `field`, the candidate only.
    seed, game : int
        Which game.
    rules : Rules or str
        The rules.
    totals : iterable of int, optional
        What they begin with, in the order of the strategies; by default nothing.
    against : iterable of str, Strategy or Entrant, optional
        The others, of a game of a sweep, or of the schedule `field`.

    Returns
    -------
    SimulatedGame

    Raises
    ------
    Flip7Error
        If there is no such strategy or game, or it cannot begin so.
    """
    named, field = find_all(strategies), find_all(against)
    players = len(named) + len(field)
    check_players(players)
    if game < 0 or game >= 2**62:
        raise Flip7Error(f"game: {game} cannot be played; it must be 0 or more")
    rules = Rules.of(rules) if isinstance(rules, str) else rules
    begun = check_totals(totals, players, rules) or (0,) * players
    ours, theirs = zip(named, begun, strict=False), zip(field, begun[len(named) :], strict=True)
    line_up = [pair for side in (ours, theirs) for pair in sorted(side, key=lambda pair: pair[0].label)]
    pairs, dealer = seated(line_up, seed, game)
    seats = [entrant for entrant, _ in pairs]
    start = Start(rules, tuple(SeatStart(total=total) for _, total in pairs), dealer=dealer, seed=seed, game=game)
    entries = [entry_of(entrant.strategy) for entrant in seats]
    sitters = [Sitter(entry.address, entrant.codes) for entry, entrant in zip(entries, seats, strict=True)]
    errors: list[BaseException] = []
    finish = play_entries(start, sitters, errors.append)
    if finish.asked is not None and not errors and finish.asked.answer == RAISED:
        errors += [error for error in [entries[finish.asked.seat].errors.get(threading.get_ident())] if error]
    return SimulatedGame(start, finish, tuple(seats), errors[0] if errors else None)
