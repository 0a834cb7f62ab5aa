"""The compiled kernels, cached on disk, and the tables that they play on."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from flip7sim.cards import NUMBERS, THIRTEEN
from flip7sim.codes import NO_CARD
from flip7sim.engine import base, batch, game, hooks, luck, piles, substitutes, vengeance
from flip7sim.engine.cache import load_module
from flip7sim.engine.records import JIT, new_table
from flip7sim.rules import Rules

__all__ = ["address_of", "blocks_kernel", "histogram_bounds", "table_for", "told_kernel"]

#: The module of each game's rounds, by `Rules.game`.
_GAMES: dict[str, Any] = {"base": base, "vengeance": vengeance}

_BLOCKS = """\
import numba as nb
from flip7sim.engine.batch import play_blocks
from flip7sim.engine.GAME import clear_table, play_round
from flip7sim.engine.MODULE import LISTENER as tell
from flip7sim.engine.substitutes import ask_all

@nb.njit(SIGNATURE, error_model="numpy", nogil=True, cache=True)
def kernel(table, seed, first, blocks, work, sheet, log):
    return play_blocks(table, seed, first, blocks, work, sheet, log, play_round, clear_table, ask_all, tell)
"""


@cache
def blocks_kernel(name: str, lucky: bool) -> Any:
    """The kernel that plays blocks of the game called `name` (see `batch.play_blocks`), and counts luck if it is to."""
    module, listener = ("luck", "tally_luck") if lucky else ("substitutes", "tally_all")
    if not JIT:
        rounds, tell = _GAMES[name], luck.tally_luck if lucky else substitutes.tally_all
        return lambda *args: batch.play_blocks(*args, rounds.play_round, rounds.clear_table, substitutes.ask_all, tell)
    from numba.core import types

    from flip7sim.engine.records import TABLE_TYPE

    i64, f64 = types.int64, types.float64
    record = types.NamedTuple  # type: ignore[attr-defined]
    work = record((i64[::1], i64[:, ::1], i64[::1], types.uint64[::1], f64[:, ::1], i64[::1], i64[::1]), batch.Work)
    dimensions = (i64[:, :, ::1], i64[:, ::1], i64[:, :, ::1], i64[:, ::1], i64[:, ::1], i64[:, :, ::1])
    signature = i64(TABLE_TYPE, i64, i64, i64, work, record(dimensions, batch.Sheet), i64[:, ::1])
    source = _BLOCKS.replace("GAME", name).replace("MODULE", module).replace("LISTENER", listener)
    return load_module(f"kernel_blocks_{name}_{listener}", source, {"SIGNATURE": signature}, "").kernel


_TOLD = """\
import numba as nb
from flip7sim.engine.GAME import clear_table, play_round
from flip7sim.engine.game import begin_game, play_game, tell_round
from flip7sim.engine.hooks import ask_recorded, read_script, record
from flip7sim.engine.piles import settle

@nb.njit(SIGNATURE, error_model="numpy", nogil=True, cache=True)
def kernel(table, new):
    if new:
        begin_game(table, table.seed, table.game, table.dealer, record)
    else:
        tell_round(table, record)
    play_game(table, play_round, clear_table, ask_recorded, record)
    settle(table)

@nb.njit(ENTRY_SIGNATURE, error_model="numpy", nogil=True, cache=True)
def script_entry(me, table, question):
    return read_script(me, table, question)
"""


@cache
def told_kernel(name: str) -> tuple[Any, int]:
    """The kernel that plays one game of the kind called `name` and logs it, and the entry of a scripted seat.

    The kernel takes a table and whether a new game is to begin on it.
    """
    if not JIT:

        def play(table: Any, new: bool) -> None:
            if new:
                game.begin_game(table, table.seed, table.game, table.dealer, hooks.record)
            else:
                game.tell_round(table, hooks.record)
            rounds = _GAMES[name]
            game.play_game(table, rounds.play_round, rounds.clear_table, hooks.ask_recorded, hooks.record)
            piles.settle(table)

        hooks.PYTHON_ENTRIES.append(hooks.read_script)
        return play, len(hooks.PYTHON_ENTRIES) - 1
    from numba.core import types

    from flip7sim.engine.records import TABLE_TYPE

    signatures = {"SIGNATURE": types.void(TABLE_TYPE, types.boolean), "ENTRY_SIGNATURE": hooks.ENTRY_SIGNATURE}
    module = load_module(f"kernel_told_{name}", _TOLD.replace("GAME", name), signatures, "")
    return module.kernel, address_of(module.script_entry)


def address_of(entry: Any) -> int:
    """The address of a compiled function with a single signature."""
    (result,) = entry.overloads.values()
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


def histogram_bounds(rules: Rules, players: int) -> tuple[int, int]:
    """The lowest round score that there can be, and how many there are from it on: the place of a histogram."""
    decks = rules.decks_for(players)
    if rules.game == "vengeance":
        low = 0 if rules.score_floor == "0" else -30 * decks
        numbers = sum(range(THIRTEEN, max(THIRTEEN - rules.flip7_size, 0), -1)) + THIRTEEN
        return low, numbers + rules.flip7_bonus + 1 - low
    numbers = sum(sorted(range(NUMBERS), reverse=True)[: rules.flip7_size])
    return 0, 2 * numbers + 30 * decks + rules.flip7_bonus + 1


def table_for(rules: Rules, players: int, copies: Sequence[int] | None = None) -> Any:
    """A table record with the rules set for so many seats.

    Parameters
    ----------
    rules : Rules
        The rules.
    players : int
        Seats.
    copies : sequence of int, optional
        How many cards of each kind there are, if it is not the deck of the rules.
    """
    table = new_table()
    decks = rules.decks_for(players)
    counts = [count * decks for count in rules.cards.counts] if copies is None else list(copies)
    table.players = players
    table.deck_size = sum(counts)
    table.target_score = rules.target_score
    table.flip7_size = rules.flip7_size
    table.flip7_bonus = rules.flip7_bonus
    table.initial_deal = rules.initial_deal
    table.stay_requires_card = rules.stay_requires_card
    table.flip3_immediate = rules.flip3_second_chance == "immediate"
    table.flip3_discard = rules.flip3_on_bust == "discard"
    table.assign_first = rules.deferred_order == "assign_then_resolve"
    table.tied_only = rules.tie_break == "tied_only"
    table.reshuffle_every_round = rules.reshuffle == "every_round"
    table.max_rounds = rules.max_rounds
    table.vengeance = rules.game == "vengeance"
    table.stayed_are_targets = rules.stayed_are_targets
    table.lucky13_cards = rules.lucky13_flip7 == "cards"
    table.score_floor = rules.score_floor == "0"
    table.modifiers_to_busted = rules.modifiers_to_busted
    table.flip7_penalty = rules.flip7_penalty
    table.card = NO_CARD
    table.fresh[: len(counts)] = counts
    table.deck[: table.deck_size] = np.repeat(np.arange(len(counts)), counts)
    for seat in range(players):
        table.seats[seat].index = seat
    luck.prepare_luck(table)
    return table
