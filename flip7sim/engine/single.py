"""One game at a time, from any table, with everything that happens written down."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from flip7sim.cards import FREEZE, HALF, MINUS_TWO, PLUS_TWO, TIMES_TWO, CardSet
from flip7sim.codes import CARD_QUESTIONS, HALT, MAX_PARAMETERS, NOBODY, SEAT_SHIFT, Event, Question, Status, Stop
from flip7sim.engine import lines as vengeance_lines
from flip7sim.engine.hooks import LOG_CARD, LOG_COLUMNS, LOG_PLACE, LOG_QUESTION, SCRIPT_COLUMNS
from flip7sim.engine.kernels import table_for, told_kernel
from flip7sim.engine.records import JIT
from flip7sim.errors import Flip7Error
from flip7sim.randomness import SEAT_PURPOSE, game_key, stream_of
from flip7sim.table import Asked, Finish, Happening, Line, SeatNow, SeatStart, Start

__all__ = ["Sitter", "play_entries", "play_script"]

#: Rows of the first log; a game that needs more is played again with a longer one.
LOG_ROWS = 1 << 14


@dataclass(frozen=True)
class Sitter:
    """Who sits on a seat: the address of a strategy's entry, and its parameters as numbers."""

    entry: int
    parameters: Sequence[float] = field(default_factory=tuple)


def play_script(start: Start, lines: Sequence[Line]) -> Finish:
    """Play a game whose choices are given.

    Parameters
    ----------
    start : Start
        The table.
    lines : sequence of Line
        In the order of the asking; play halts where they run out, do not fit, or are not legal.

    Returns
    -------
    Finish
    """
    _, script_entry = told_kernel(start.rules.game)
    return _play(start, [Sitter(script_entry)] * len(start.seats), lines)


def play_entries(
    start: Start, sitters: Sequence[Sitter], on_error: Callable[[Exception], object] | None = None
) -> Finish:
    """Play a game between strategies.

    Parameters
    ----------
    start : Start
        The table.
    sitters : sequence of Sitter
        Who sits where.
    on_error : callable, optional
        Called with what a jitted strategy raised.

    Returns
    -------
    Finish
        Halted at an answer that was not legal, if there was one, or where a strategy raised (the answer is then
        `codes.RAISED`).
    """
    return _play(start, sitters, (), on_error)


def _play(
    start: Start,
    sitters: Sequence[Sitter],
    lines: Sequence[Line],
    on_error: Callable[[Exception], object] | None = None,
) -> Finish:
    kernel, _ = told_kernel(start.rules.game)
    script = np.array(lines, np.int64).reshape(-1, SCRIPT_COLUMNS)
    orders = np.array([word for order in start.reshuffles for word in (len(order), *order)], np.int64)
    rows = LOG_ROWS
    while True:
        table = _set_up(start, sitters)
        log = np.zeros((rows, LOG_COLUMNS), np.int64)
        table.log, table.log_size = log.ctypes.data, rows
        table.script, table.script_size = script.ctypes.data, len(script)
        table.orders, table.orders_size = orders.ctypes.data, len(orders)
        try:
            with nullcontext() if JIT else np.errstate(over="ignore"):
                kernel(table, start.draw_pile is None)
        except Exception as error:  # a strategy's: the question that it was asked is the last in the log
            table.stop = Stop.FAULT
            if on_error:
                on_error(error)
        if table.logged <= rows:
            return _finish(start, table, log[: int(table.logged)])
        rows = int(table.logged)


def _set_up(start: Start, sitters: Sequence[Sitter]) -> Any:
    """The table record of a start."""
    table = table_for(start.rules, len(start.seats))
    table.seed, table.game = start.seed, start.game
    table.dealer = start.dealer
    table.one_round = start.one_round
    table.winner = table.flip7 = NOBODY
    for seat, sitter in zip(table.seats, sitters, strict=False):
        seat.strategy = seat.index
        seat.entry = sitter.entry
        seat.parameters[: len(sitter.parameters)] = sitter.parameters[:MAX_PARAMETERS]
    for seat, given in zip(table.seats, start.seats, strict=False):
        seat.total = given.total
    if start.draw_pile is None:
        return table
    key = game_key(start.seed, start.game)
    table.key = np.uint64(key)
    table.round_number = 1
    table.deal = start.deal and start.rules.initial_deal
    table.turn = start.dealer if start.first is None else (start.first - 1) % len(start.seats)
    table.ordered = 1
    table.draw_left = len(start.draw_pile)
    table.draw_pile[: len(start.draw_pile)] = start.draw_pile[::-1]
    table.discarded = len(start.discard_pile)
    for card in start.draw_pile:
        table.unseen[card] += 1
    for card in start.discard_pile:
        table.gone[card] += 1
    best = max(seat.total for seat in start.seats)
    leaders = [number for number, seat in enumerate(start.seats) if seat.total == best]
    tie_break = start.rules.tie_break == "tied_only" and best >= start.rules.target_score and len(leaders) > 1
    for number, given in enumerate(start.seats):
        seat = table.seats[number]
        seat.stream = np.uint64(stream_of(key, SEAT_PURPOSE + number))
        seat.out = given.status == Status.OUT or (tie_break and number not in leaders)
        seat.status = Status.OUT if seat.out else given.status
        lay_out = _lay_out_vengeance if table.vengeance else _lay_out_base
        lay_out(table, seat, given)
    table.asked = NOBODY
    seats = table.seats[: len(start.seats)]
    table.active = sum(1 << int(s.index) for s in seats if s.status == Status.ACTIVE)
    table.standing = sum(1 << int(s.index) for s in seats if s.status not in (Status.BUST, Status.OUT))
    return table


def _lay_out_base(table: Any, seat: Any, given: SeatStart) -> None:
    """Put in front of a seat what lies there at the start."""
    line = set(given.numbers)
    seat.numbers = sum(1 << card for card in line)
    seat.count, seat.line_sum = len(line), sum(line)
    seat.second_chance = given.second_chance
    for card in given.modifiers:
        seat.modifiers += 1 << (4 * (card - PLUS_TWO))
        seat.doubled |= card == TIMES_TWO
        seat.plus += 0 if card == TIMES_TWO else 2 * (card - PLUS_TWO + 1)
    if given.status != Status.BUST:
        seat.score = (int(seat.line_sum) << int(seat.doubled)) + int(seat.plus)
    frozen = (FREEZE,) if given.status == Status.FROZEN else ()
    for card in (*given.numbers, *given.modifiers, *frozen):
        table.front[int(table.laid)] = card + (int(seat.index) << SEAT_SHIFT)
        table.laid += 1


def _lay_out_vengeance(table: Any, seat: Any, given: SeatStart) -> None:
    """Put in front of a seat what lies there at the start: what broke a line lies beside it (V34)."""
    for card in (*sorted(given.numbers, reverse=True), *given.modifiers):
        if card < MINUS_TWO and vengeance_lines.breaks(seat, card):
            seat.line += 1 << (4 * card)
        else:
            vengeance_lines.put(table, seat, card)
    seat.score = vengeance_lines.points(table, seat)


def _finish(start: Start, table: Any, log: np.ndarray[Any, np.dtype[np.int64]]) -> Finish:
    """What a table record says at the end."""
    events: list[Happening] = []
    shuffles: list[list[int]] = []
    choices: list[Asked] = []
    for event, seat, value, legal, card in log.tolist():
        if event == LOG_PLACE:
            choices[-1] = replace(choices[-1], legal=(*choices[-1].legal, value + (seat << SEAT_SHIFT)))
        elif event == LOG_CARD:
            shuffles[-1].append(value)
        elif event >= LOG_QUESTION:
            choices.append(_asked(seat, Question(event - LOG_QUESTION), legal, value, card))
        else:
            events.append((Event(event), seat, value))
            if event == Event.SHUFFLE:
                shuffles.append([])
    asked = None
    if table.stop == Stop.FAULT:
        if not choices or choices[-1].allows(choices[-1].answer or 0):  # nobody's fault: the order of a later pile
            number = sum(1 for event, *_ in events if event == Event.SHUFFLE) + 1
            raise Flip7Error(f"reshuffles: order {number} is not just the cards that are shuffled then")
        asked = choices.pop()
        asked = replace(asked, answer=None if asked.answer == HALT else asked.answer)
    seats = tuple(_seat_now(table, table.seats[seat], start.rules.cards) for seat in range(len(start.seats)))
    return Finish(
        seats=seats,
        dealer=int(table.dealer),
        round=int(table.round_number),
        draw_pile=tuple(int(card) for card in table.draw_pile[: int(table.draw_left)][::-1]),
        discard_pile=tuple(card for card, count in enumerate(table.gone) for _ in range(int(count))),
        round_over=bool(table.over),
        flip7=int(table.flip7),
        winner=int(table.winner),
        unfinished=bool(table.unfinished),
        asked=asked,
        cards=int(table.cards) + (0 if table.over else int(table.taken)),
        events=events,
        shuffles=tuple(tuple(order) for order in shuffles),
        choices=tuple(choices),
    )


def _asked(seat: int, question: Question, legal: int, answer: int, card: int) -> Asked:
    if question == Question.HIT:
        return Asked(seat, question, (1, 0), answer)
    seats = () if question in CARD_QUESTIONS else tuple(one for one in range(64) if legal >> one & 1)
    return Asked(seat, question, seats, answer, card)


def _front(table: Any, seat: Any) -> list[int]:
    """The number and modifier cards in front of a seat, sorted."""
    if not table.vengeance:
        front = (int(word) for word in table.front[: int(table.laid)])
        return sorted(word & 255 for word in front if word >> SEAT_SHIFT == seat.index)
    counts = [(card, int(seat.line) >> 4 * card & 15) for card in range(MINUS_TWO)]
    counts += [(card, int(seat.modifiers) >> 4 * (card - MINUS_TWO) & 15) for card in range(MINUS_TWO, HALF + 1)]
    return [card for card, count in counts for _ in range(count)]


def _seat_now(table: Any, seat: Any, kinds: CardSet) -> SeatNow:
    cards = _front(table, seat)
    return SeatNow(
        status=Status(int(seat.status)),
        numbers=tuple(card for card in cards if card < kinds.modifiers),
        modifiers=tuple(card for card in cards if kinds.modifiers <= card < kinds.actions),
        second_chance=bool(seat.second_chance),
        score=int(seat.score),
        total=int(seat.total),
    )
