"""What a strategy sees of a reference game: the public fields of the engine's record, from the reference's own state.

With it the very functions that play in the engine can be asked in the reference, so that whole games can be compared.
"""

from collections import Counter
from typing import Any

import numpy as np

from flip7sim.cards import HALF, MINUS_TWO, PLUS_TWO, TIMES_TWO
from flip7sim.codes import CARD_QUESTIONS, MAX_KINDS, NOBODY, SEAT_SHIFT, Question, Status
from flip7sim.engine.records import new_table
from flip7sim.randomness import SEAT_PURPOSE, stream_of
from flip7sim.reference.cards import Seat, count_of, minus_of, number_on
from flip7sim.reference.game import ReferenceGame
from flip7sim.table import Asked

__all__ = ["fill_view", "new_view"]


def new_view(game: ReferenceGame) -> Any:
    """A record for the whole of one game, with each seat's own random stream at its start.

    The streams are the strategies' to advance: keep the record, and refill it with `fill_view` before each question.
    """
    table = new_table()
    for seat in game.seats:
        table["seats"][seat.index]["stream"] = stream_of(game.key, SEAT_PURPOSE + seat.index)
    _fill_rules(table, game)
    return table


def fill_view(table: Any, game: ReferenceGame, asked: Asked) -> Any:
    """Bring the public fields of `table` up to date, and return the record of the seat that is asked.

    Parameters
    ----------
    table : TABLE record
        Made by `new_view`; `stream`, `parameters`, `strategy` and `entry` of its seats are left alone.
    game : ReferenceGame
        As it stands.
    asked : Asked
        The question.

    Returns
    -------
    SEAT record
        The first argument of a strategy's function.
    """
    table["round_number"], table["dealer"], table["turn"] = game.round, game.dealer, game.turn
    table["active"] = sum(1 << seat.index for seat in game.seats if seat.active)
    table["standing"] = sum(1 << seat.index for seat in game.seats if seat.status not in (Status.BUST, Status.OUT))
    table["question"] = asked.question
    table["asked"] = NOBODY if asked.question is Question.HIT else asked.seat
    table["card"] = asked.card
    if asked.question in CARD_QUESTIONS:
        table["legal"] = sum(1 << seat for seat in {place >> SEAT_SHIFT for place in asked.legal})
    elif asked.question is not Question.HIT:
        table["legal"] = sum(1 << seat for seat in asked.legal)
    table["deal"] = game.deal_to_come
    table["flip7"], table["winner"], table["over"] = game.flip7, game.winner, game.round_over
    table["unfinished"] = game.unfinished
    table["taken"], table["cards"] = game.taken, game.cards - game.taken
    table["draw_left"], table["discarded"] = len(game.draw_pile), len(game.discard_pile)
    if game.rules.game == "base":
        table["laid"] = sum(len(seat.front) - seat.second_chance for seat in game.seats)
    table["shuffles"] = len(game.shuffles)
    table["unseen"][:] = _composition(game.draw_pile)
    table["gone"][:] = _composition(game.discard_pile)
    for seat in game.seats:
        _fill_seat(table["seats"][seat.index], seat, game)
    return table["seats"].view(np.recarray)[asked.seat]


def _fill_rules(table: Any, game: ReferenceGame) -> None:
    """The fields that stay the same for a whole game."""
    rules = game.rules
    table["players"], table["deck_size"] = len(game.seats), len(game.deck)
    for name in ("target_score", "flip7_size", "flip7_bonus", "initial_deal", "stay_requires_card", "max_rounds"):
        table[name] = getattr(rules, name)
    table["flip3_immediate"] = rules.flip3_second_chance == "immediate"
    table["flip3_discard"] = rules.flip3_on_bust == "discard"
    table["assign_first"] = rules.deferred_order == "assign_then_resolve"
    table["tied_only"] = rules.tie_break == "tied_only"
    table["reshuffle_every_round"] = rules.reshuffle == "every_round"
    table["vengeance"] = rules.game == "vengeance"
    table["lucky13_cards"] = rules.lucky13_flip7 == "cards"
    table["score_floor"] = rules.score_floor == "0"
    for name in ("stayed_are_targets", "modifiers_to_busted", "flip7_penalty"):
        table[name] = getattr(rules, name)
    table["one_round"] = game.start.one_round
    table["seed"], table["game"], table["key"] = game.start.seed, game.start.game, game.key
    table["fresh"][:] = _composition(game.deck)


def _fill_seat(record: Any, seat: Seat, game: ReferenceGame) -> None:
    """One seat: what its line shows, and what it has done in the game."""
    record["index"], record["status"], record["out"] = seat.index, seat.status, seat.status is Status.OUT
    record["score"], record["total"] = game.score(seat), seat.total
    record["rounds"], record["points"] = seat.rounds, seat.points
    record["busts"], record["flip7s"] = seat.busts, seat.flip7s
    if game.rules.game == "base":
        _fill_line(record, seat)
    else:
        _fill_line_of_vengeance(record, seat, game)


def _fill_line(record: Any, seat: Seat) -> None:
    """A line of the base game; in its numbers and their sum the duplicate of a busted one counts once."""
    line = set(seat.numbers)
    record["numbers"], record["count"], record["line_sum"] = sum(1 << number for number in line), len(line), sum(line)
    record["modifiers"] = sum(1 << (4 * (card - PLUS_TWO)) for card in seat.modifiers)
    record["plus"] = sum(2 * (card - PLUS_TWO + 1) for card in seat.modifiers if card != TIMES_TWO)
    record["doubled"], record["second_chance"] = TIMES_TWO in seat.modifiers, seat.second_chance


def _fill_line_of_vengeance(record: Any, seat: Seat, game: ReferenceGame) -> None:
    """A line of Vengeance; the duplicate that has bust it lies beside what the line was."""
    line = seat.numbers[:-1] if seat.status is Status.BUST else seat.numbers
    record["numbers"] = sum(1 << number for number in {number_on(card) for card in line})
    record["count"], record["line_sum"] = count_of(game.rules, line), sum(number_on(card) for card in line)
    record["line"] = sum(1 << (4 * card) for card in seat.numbers)
    record["kinds"] = sum(1 << card for card in {*line, *seat.modifiers})
    record["modifiers"] = sum(1 << (4 * (card - MINUS_TWO)) for card in seat.modifiers)
    record["minus"], record["halved"] = minus_of(seat.modifiers), HALF in seat.modifiers


def _composition(cards: list[int]) -> list[int]:
    """How many of each kind there are."""
    counts = Counter(cards)
    return [counts[kind] for kind in range(MAX_KINDS)]
