"""The two functions that travel with a table: who answers (`ask`) and who listens (`tell`)."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from flip7sim.codes import Event
from flip7sim.engine.records import JIT, SEAT_TYPE, TABLE_TYPE, inline, load64, seat_at, store64

SCORE = int(Event.SCORE)

#: What every compiled entry of a strategy looks like: (me, table, question) -> answer.
ENTRY_SIGNATURE = types.int64(SEAT_TYPE, TABLE_TYPE, types.int64)


@intrinsic  # type: ignore[misc]
def _call_entry(typingctx: Any, address: Any, me: Any, table: Any, question: Any) -> Any:
    """Call the compiled function at `address`; what it raises goes on to the caller."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = ENTRY_SIGNATURE.args
        convention = context.call_conv
        kind = convention.get_function_type(types.int64, kinds)
        entry = builder.inttoptr(args[0], ir.PointerType(kind))
        status, answer = convention.call_function(builder, entry, types.int64, kinds, args[1:])
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return answer

    return types.int64(types.uint64, *ENTRY_SIGNATURE.args), codegen


#: Without the JIT there are no addresses: a seat's entry is a place in this list.
PYTHON_ENTRIES: list[Any] = []

if JIT:

    @inline
    def ask_entry(me, table, question):
        """Ask the strategy of the seat through the address of its compiled entry."""
        return _call_entry(me.entry, me, table, question)

else:

    def ask_entry(me, table, question):
        """Ask the strategy of the seat."""
        return PYTHON_ENTRIES[int(me.entry)](me, table, question)


@inline
def tally(table, event, seat, value):
    """Count the round scores; hear nothing else."""
    if event == SCORE:
        place = seat_at(table, seat).strategy * table.histogram_width + value
        store64(table.histogram, 0, place, load64(table.histogram, 0, place) + 1)
