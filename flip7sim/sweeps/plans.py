"""What a sweep plays: candidates, one for every value of a parameter or two, alone or against a field."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from flip7sim.errors import Flip7Error, suggest
from flip7sim.exact.decks import DEFAULT_DECK, deck_of
from flip7sim.exact.vengeance_decks import DEFAULT_VENGEANCE_DECK, VENGEANCE_DECKS
from flip7sim.policy.declare import Strategy, Value
from flip7sim.policy.registry import Entrant, find, find_all
from flip7sim.rules import Rules
from flip7sim.runs.counts import Plan
from flip7sim.runs.grids import Values, grid_of
from flip7sim.runs.schedule import check_players, schedule_of, share_games
from flip7sim.runs.totals import Totals, check_totals, placed

__all__ = ["DEFAULT_GAMES", "DEFAULT_ROUNDS", "METHODS", "SweepPlan", "columns", "sweep_plan"]

#: Games that each candidate plays at a table, and rounds that it plays alone.
DEFAULT_GAMES = 100_000
DEFAULT_ROUNDS = 1_000_000
MAX_GAMES = 10**12
METHODS = ("auto", "exact", "simulate")
#: What is measured of rounds, whatever is swept.
MEASURES = ("round_score", "bust_rate", "flip7_rate")


@dataclass(frozen=True)
class SweepPlan:
    """What a sweep is to play.

    Attributes
    ----------
    base : Entrant
        The strategy, with the values of the parameters that stay.
    candidates : tuple of Entrant
        One for each value, or pair of values.
    grid : dict of str to list
        The values of each parameter.
    against : tuple of Entrant
        The field; empty: each candidate plays rounds alone.
    players : int
        Seats at a table.
    games : int
        Games, or rounds alone, that each candidate plays.
    seed : int
        The result is a function of it.
    rules : Rules
        The rules.
    deck : str
        With which deck rounds are played alone.
    method : {"auto", "exact", "simulate"}
        How rounds alone are worked out; `auto`: exactly if that can be had within seconds.
    totals : tuple of int
        What the candidate and then each of the others begins a game with; empty: all begin with nothing.
    """

    base: Entrant
    candidates: tuple[Entrant, ...]
    grid: dict[str, list[Value]]
    against: tuple[Entrant, ...]
    players: int
    games: int
    seed: int
    rules: Rules
    deck: str
    method: str
    totals: Totals = ()

    @property
    def table(self) -> Plan:
        """The plan for the engine: a candidate is the first of its line-up, so all of them sit in the same seats."""
        ours = len(self.candidates)
        if not self.against:
            seats = tuple((candidate,) for candidate in range(ours))
            games, copies = (self.games,) * ours, _copies(self.deck, self.rules)
            return Plan(self.rules.alone, self.candidates, seats, games, self.seed, copies, schedule="field")
        labels, field = ([entrant.label for entrant in each] for each in (self.candidates, self.against))
        lineups = schedule_of("field", labels, field, self.players)
        # By the order of the candidates, each with the same games.
        lineups.sort(key=lambda line: line[0])
        shares = share_games(self.games, len(lineups) // ours, self.players)
        return Plan(
            rules=self.rules,
            entrants=(*self.candidates, *self.against),
            lineups=tuple(lineups),
            games=tuple(shares * ours),
            seed=self.seed,
            schedule="field",
            field=len(self.against),
            totals=(*self.totals[:1], *placed(self.totals[1:], field)) if self.totals else (),
        )


def _copies(deck: str, rules: Rules) -> tuple[int, ...]:
    """How many cards of each kind a deck for rounds alone holds.

    Raises
    ------
    Flip7Error
        If there is no such deck.
    """
    if rules.game == "base":
        return deck_of(deck).copies
    decks = {name: each.copies for name, each in VENGEANCE_DECKS.items()} | {"full": rules.cards.counts}
    if deck not in decks:
        raise Flip7Error(f"deck {deck!r} is unknown in Vengeance; {suggest(deck, decks)}")
    return decks[deck]


def sweep_plan(
    strategy: str | Strategy | Entrant = "stop-at",
    parameters: Mapping[str, Values] | None = None,
    against: Iterable[str | Strategy | Entrant] = (),
    players: int | None = None,
    games: int | None = None,
    seed: int = 1,
    rules: Rules | str = "fr-2.0",
    deck: str | None = None,
    method: str = "auto",
    totals: Iterable[int] = (),
) -> SweepPlan:
    """What a sweep would play (see `sweep` for the arguments).

    Raises
    ------
    Flip7Error
        If it cannot be played as asked.
    """
    if parameters is None:
        parameters = {"score": "10:60"} if find(strategy).strategy.name == "stop-at" else {}
    candidates, values = grid_of(strategy, parameters)
    for name in values:
        if name in columns({}):
            raise Flip7Error(f"parameter {name!r} cannot be swept: a column of the table has that name; rename it")
    field = find_all(against)
    if players is not None and not field:
        raise Flip7Error("players: a table needs a field; name opponents with against, or leave players out")
    totals = tuple(totals)
    if totals and not field:
        raise Flip7Error("totals: a table needs a field; name opponents with against, or leave totals out")
    if players is None:
        players = len(totals) or len(field) + 1
    check_players(players)
    if field and players < 2:
        raise Flip7Error(f"players: {players} seat leaves no place for the field; it must be 2 or more")
    games = (DEFAULT_GAMES if field else DEFAULT_ROUNDS) if games is None else games
    if not 1 <= games <= MAX_GAMES:
        raise Flip7Error(f"games: {games} cannot be played; it must be from 1 to {MAX_GAMES:,}")
    if method not in METHODS:
        raise Flip7Error(f"method {method!r} is unknown; {suggest(method, METHODS)}")
    if field and method == "exact":
        raise Flip7Error("method: a table cannot be worked out exactly; leave against or exact out")
    rules = Rules.of(rules) if isinstance(rules, str) else rules
    deck = deck or (DEFAULT_DECK if rules.game == "base" else DEFAULT_VENGEANCE_DECK)
    _copies(deck, rules)
    totals = check_totals(totals, players, rules)
    if totals:
        placed(totals[1:], [entrant.label for entrant in field])
    base, found, others = find(strategy), tuple(candidates), tuple(field)
    return SweepPlan(base, found, values, others, players, games, seed, rules, deck, method, totals)


def columns(values: Mapping[str, object]) -> list[str]:
    """The columns of `sweep.csv`, for whatever is measured."""
    rates = ["win_rate", "win_rate_se", "win_rate_low", "win_rate_high"]
    rest = [column for name in (*MEASURES, "rounds_to_200") for column in (name, f"{name}_se")]
    return ["strategy", *values, "games", "wins", *rates, "rounds", *rest]
