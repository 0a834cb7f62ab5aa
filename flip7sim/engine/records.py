"""The state of a game as one flat record, and fast access to its parts.

A table is one aligned structured record; everything that a game needs lies in it, so nothing is allocated while games
are played, and a kernel passes one pointer around. Arrays that lie in a record are slow in numba (each use makes an
array object), so they are reached through the small intrinsics below, which compute an address and no more.
"""

from typing import Any

import numba as nb
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from flip7sim.codes import MAX_CARDS, MAX_KINDS, MAX_PARAMETERS, MAX_SEATS, MAX_SUBSTITUTES, MAX_WAITING

__all__ = ["SEAT", "TABLE", "inline", "new_table", "seat_at"]

JIT = not nb.config.DISABLE_JIT

# No field may be called like a method of numpy's records (sum, round ...): plain Python strategies read attributes.
SEAT = np.dtype(
    [
        # this round, public
        ("index", np.int64),  # 0 .. players - 1, clockwise
        ("status", np.int64),  # codes.Status
        ("numbers", np.int64),  # the line as a set of bits: bit v for number v
        ("count", np.int64),  # how many different numbers it holds, as they count toward a Flip 7
        ("line_sum", np.int64),  # and what its cards add up to
        ("modifiers", np.int64),  # four bits for each kind: how many +2, +4, +6, +8, +10, x2 (-2 ... -10, /2)
        ("plus", np.int64),  # what its plus cards add up to
        ("doubled", np.int64),  # 1 with a x2 in front
        ("second_chance", np.int64),  # 1 with a Second Chance in front
        ("score", np.int64),  # what it would bank if the round ended now
        # this round in Vengeance, public
        ("line", np.int64),  # four bits for each kind of number card: how many lie in the line
        ("kinds", np.int64),  # the kinds of number and modifier cards in front, as bits
        ("minus", np.int64),  # what its minus cards add up to
        ("halved", np.int64),  # 1 with a /2 in front
        # this game, public
        ("total", np.int64),
        ("out", np.int64),  # 1: sits out a tie-break
        # counted for statistics
        ("rounds", np.int64),  # rounds it played in this game
        ("points", np.int64),  # what it banked in them
        ("busts", np.int64),
        ("flip7s", np.int64),
        ("luck", np.int64),  # in this game, in points by LUCK_SCALE (see engine.luck)
        ("held", np.int64),  # the fields of the numbers in its line
        # who plays here
        ("strategy", np.int64),  # its number in the tournament
        ("entry", np.uint64),  # address of its compiled entry (see engine.entries)
        ("stream", np.uint64),  # its own random stream
        ("parameters", np.float64, (MAX_PARAMETERS,)),
    ],
    align=True,
)

TABLE = np.dtype(
    [
        # rules, public
        ("players", np.int64),
        ("deck_size", np.int64),  # cards in all decks together
        ("target_score", np.int64),
        ("flip7_size", np.int64),
        ("flip7_bonus", np.int64),
        ("initial_deal", np.int64),
        ("stay_requires_card", np.int64),
        ("flip3_immediate", np.int64),  # a Second Chance in a Flip Three is usable at once (B18)
        ("flip3_discard", np.int64),  # a bust in a Flip Three discards what waits (B19)
        ("assign_first", np.int64),  # waiting actions are all assigned before one is resolved (B21)
        ("tied_only", np.int64),
        ("reshuffle_every_round", np.int64),
        ("max_rounds", np.int64),
        ("vengeance", np.int64),  # 1: that game is played; the rest of the rules is its own
        ("stayed_are_targets", np.int64),  # V33
        ("lucky13_cards", np.int64),  # two 13 count as two toward a Flip 7 (V35)
        ("score_floor", np.int64),  # no round scores less than 0 (V46)
        ("modifiers_to_busted", np.int64),
        ("flip7_penalty", np.int64),
        # the game, public
        ("round_number", np.int64),
        ("dealer", np.int64),
        ("turn", np.int64),  # the seat whose visit it is
        ("active", np.int64),  # seats that are active, as bits
        ("standing", np.int64),  # seats that play and have not bust, as bits
        ("question", np.int64),  # what is being asked (codes.Question)
        ("legal", np.int64),  # seats that a target, or a card in front of one, may be chosen from, as bits
        ("card", np.int64),  # the modifier that is to be given, or -1 (V39)
        # progress
        ("asked", np.int64),  # the seat that is asked for a target; -1: the one whose visit it is, hit or stay
        ("deal", np.int64),  # 1: the opening deal of this round is still to come
        ("stop", np.int64),  # codes.Stop
        ("fault", np.int64),  # the answer that was not legal
        ("flip7", np.int64),  # the seat that made one, or -1
        ("winner", np.int64),  # or -1
        ("unfinished", np.int64),  # 1: cut at max_rounds
        ("over", np.int64),  # 1: the round is over
        ("one_round", np.int64),  # 1: play stops after one round
        ("taken", np.int64),  # cards taken in this round
        ("cards", np.int64),  # and in the game
        # piles
        ("draw_left", np.int64),
        ("discarded", np.int64),  # cards on the discard pile
        ("laid", np.int64),  # cards that lie in front of seats, Second Chances excepted (base game)
        ("waiting", np.int64),  # depth of the stack of actions
        ("ordered", np.int64),  # 1: the draw pile is in its order; 0: it is shuffled as it is drawn
        # randomness
        ("seed", np.int64),
        ("game", np.int64),
        ("key", np.uint64),  # of this game
        ("shuffles", np.int64),
        ("stream", np.uint64),  # of this shuffle
        # memory outside the record: address and length
        ("histogram", np.uint64),
        ("histogram_width", np.int64),
        ("histogram_low", np.int64),  # the round score that its first place counts
        ("race", np.uint64),  # of RACE_ROUNDS rounds for each strategy
        ("log", np.uint64),
        ("log_size", np.int64),
        ("logged", np.int64),
        ("script", np.uint64),
        ("script_size", np.int64),
        ("scripted", np.int64),
        ("orders", np.uint64),  # given orders of later piles: length, cards, length, cards ...
        ("orders_size", np.int64),
        ("orders_read", np.int64),
        # who else might sit on a seat (see engine.substitutes)
        ("alike", np.int64),  # so many substitutes, the first ones, have answered alike so far
        ("substitute", np.int64),  # the one that is asked, or -1
        ("replaced", np.int64),  # the seat that they might sit on
        ("scores", np.uint64),  # address of the round scores of this game, while anybody is alike
        ("scored", np.int64),  # how many there are
        # luck (see engine.luck)
        ("numbers_left", np.int64),  # the number cards of the draw pile, a field for each number
        ("units", np.int64, (MAX_KINDS,)),  # one card of each number
        ("masks", np.int64, (MAX_KINDS,)),  # the field of each number
        ("shares", np.int64, (MAX_CARDS,)),  # LUCK_SCALE by 1, 2, 3 ...
        # arrays
        ("fresh", np.int64, (MAX_KINDS,)),  # composition of the whole deck by card
        ("unseen", np.int64, (MAX_KINDS,)),  # composition of the draw pile by card
        ("gone", np.int64, (MAX_KINDS,)),  # composition of the discard pile by card
        ("aside", np.int64, (4,)),
        ("stack", np.int64, (MAX_WAITING,)),
        ("front", np.uint16, (MAX_CARDS,)),  # card + 256 * seat
        ("deck", np.uint8, (MAX_CARDS,)),  # all cards in ascending order
        ("draw_pile", np.uint8, (MAX_CARDS,)),  # the top card is the last one
        ("seats", SEAT, (MAX_SEATS,)),
        ("substitutes", SEAT, (MAX_SUBSTITUTES,)),
    ],
    align=True,
)


#: Rounds that are counted one by one; all that come later are counted with the last of them.
RACE_ROUNDS = 40


def offset(name: str) -> int:
    """Position in bytes of the field `name` in a table."""
    return int(TABLE.fields[name][1])  # type: ignore[index]


FRESH, UNSEEN, GONE = offset("fresh"), offset("unseen"), offset("gone")
DECK, DRAW_PILE = offset("deck"), offset("draw_pile")
FRONT, ASIDE, STACK = offset("front"), offset("aside"), offset("stack")
#: So many bytes of a seat, the first ones, are its state in a game; the rest is who plays there.
STATE_SIZE = int(SEAT.fields["strategy"][1])  # type: ignore[index]
SEATS, SEAT_SIZE, PARAMETERS = offset("seats"), SEAT.itemsize, int(SEAT.fields["parameters"][1])  # type: ignore[index]

TABLE_TYPE = nb.from_dtype(TABLE)
SEAT_TYPE = nb.from_dtype(SEAT)

#: The one decorator of all that is inlined into the kernels.
inline = nb.njit(forceinline=True, error_model="numpy", nogil=True)
#: And of what is too large, or too rare, to be.
outline = nb.njit(error_model="numpy", nogil=True)


def new_table() -> Any:
    """An empty table (all zero)."""
    return np.zeros(1, dtype=TABLE).view(np.recarray)[0]


def _seats_from(start: int) -> Any:
    """Make the intrinsic that finds a record among those of the array that starts at `start` in a table."""

    @intrinsic
    def find(typingctx: Any, table: Any, index: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kind = context.get_value_type(SEAT_TYPE)
            base = builder.bitcast(args[0], ir.IntType(8).as_pointer())
            first = builder.gep(base, [ir.Constant(ir.IntType(64), start)])
            place = builder.gep(first, [builder.mul(args[1], ir.Constant(ir.IntType(64), SEAT_SIZE))])
            return builder.bitcast(place, kind)

        return SEAT_TYPE(TABLE_TYPE, types.int64), codegen

    return find


@intrinsic
def _copy_state(typingctx: Any, source: Any, target: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        cgutils.raw_memcpy(builder, args[1], args[0], ir.Constant(ir.IntType(64), STATE_SIZE), 1)
        return context.get_dummy_value()

    return types.void(SEAT_TYPE, SEAT_TYPE), codegen


_seat_at, _substitute_at = _seats_from(SEATS), _seats_from(offset("substitutes"))


@intrinsic
def _lowest_bit(typingctx: Any, word: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), codegen


def _accessors(numba_type: Any, bits: int) -> tuple[Any, Any]:
    """Make the intrinsics that load and store an integer (or a float) of `bits` bits in a record or at an address."""
    size = bits // 8
    kind = ir.DoubleType() if numba_type == types.float64 else ir.IntType(bits)
    i64 = ir.IntType(64)

    def place(builder: Any, args: Any) -> Any:
        if isinstance(args[0].type, ir.IntType):
            address = builder.add(args[0], builder.add(args[1], builder.mul(args[2], ir.Constant(i64, size))))
            return builder.inttoptr(address, kind.as_pointer())
        base = builder.bitcast(args[0], ir.IntType(8).as_pointer())
        start = builder.gep(base, [args[1]])
        where = builder.gep(start, [builder.mul(args[2], ir.Constant(i64, size))])
        return builder.bitcast(where, kind.as_pointer())

    @intrinsic
    def load(typingctx: Any, base: Any, start: Any, index: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            value = builder.load(place(builder, args))
            return value if bits == 64 else builder.zext(value, i64)

        result = types.float64 if numba_type == types.float64 else types.int64
        where = types.uint64 if isinstance(base, types.Integer) else base
        return result(where, types.int64, types.int64), codegen

    @intrinsic
    def store(typingctx: Any, base: Any, start: Any, index: Any, value: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            value = args[3] if bits == 64 else builder.trunc(args[3], kind)
            builder.store(value, place(builder, args))
            return context.get_dummy_value()

        what = types.float64 if numba_type == types.float64 else types.int64
        where = types.uint64 if isinstance(base, types.Integer) else base
        return types.void(where, types.int64, types.int64, what), codegen

    return load, store


load8, store8 = _accessors(types.uint8, 8)
load16, store16 = _accessors(types.uint16, 16)
load64, store64 = _accessors(types.int64, 64)
load_float, store_float = _accessors(types.float64, 64)

if JIT:

    @inline
    def seat_at(table, index):
        """The record of a seat.

        Parameters
        ----------
        table : record
            The table.
        index : int64
            0 to players - 1, clockwise.

        Returns
        -------
        record
            With the fields of `SEAT`.
        """
        return _seat_at(table, np.int64(index))

    @inline
    def substitute_at(table, index):
        """The record of a substitute: of a seat, but for what happens to it in a game, its random stream excepted."""
        return _substitute_at(table, np.int64(index))

    @inline
    def copy_state(me, other):
        """Make the state of one seat in a game that of another; who plays there stays."""
        _copy_state(me, other)

    @inline
    def lowest_bit(word):
        """Position of the lowest bit that is set; there must be one."""
        return _lowest_bit(np.int64(word))

else:  # NUMBA_DISABLE_JIT=1: the same in Python, on numpy records
    _STATE = [name for name, field in SEAT.fields.items() if field[1] < STATE_SIZE]  # type: ignore[union-attr]
    _FIELDS = {offset(name): name for name in TABLE.names or ()}

    def seat_at(table, index):
        """The record of a seat.

        Parameters
        ----------
        table : record
            The table.
        index : int64
            0 to players - 1, clockwise.

        Returns
        -------
        record
            With the fields of `SEAT`.
        """
        return table["seats"].view(np.recarray)[int(index)]

    def substitute_at(table, index):
        """The record of a substitute: of a seat, but for what happens to it in a game, its random stream excepted."""
        return table["substitutes"].view(np.recarray)[int(index)]

    def copy_state(me, other):
        """Make the state of one seat in a game that of another; who plays there stays."""
        for name in _STATE:
            other[name] = me[name]

    def lowest_bit(word):
        """Position of the lowest bit that is set; there must be one."""
        return (int(word) & -int(word)).bit_length() - 1

    def _array(base, start, numba_type):
        if isinstance(base, np.uint64):
            return (np.ctypeslib.ctypes.c_int64 * (1 << 40)).from_address(int(base))
        return base["parameters"] if base.dtype == SEAT else base[_FIELDS[int(start)]]

    def load64(base, start, index):
        return np.int64(_array(base, start, None)[int(index)])

    def store64(base, start, index, value):
        _array(base, start, None)[int(index)] = int(value)

    load8 = load16 = load64
    store8 = store16 = store64

    def load_float(base, start, index):
        return base["parameters"][int(index)]

    def store_float(base, start, index, value):
        base["parameters"][int(index)] = value
