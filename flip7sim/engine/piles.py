"""Draw pile, discard pile and the cards in front of seats (rules B11, B27 to B29).

A pile is shuffled as it is drawn, so that a game pays for the cards that it sees: after each draw one of the cards left
is turned up to be the next, early, so that a processor that guesses wrong about a card finds out soon. `settle` fixes
the order of what is left without changing a single later draw, which is how a game is exported.
"""

from flip7sim.codes import MAX_KINDS, MISFIT, NO_CARD, NOBODY, Event, Stop
from flip7sim.engine.records import (
    DECK,
    DRAW_PILE,
    FRESH,
    FRONT,
    GONE,
    UNSEEN,
    inline,
    load8,
    load16,
    load64,
    outline,
    store8,
    store16,
    store64,
)
from flip7sim.engine.stream import GAMMA, mix, scale, stream_of

SHUFFLE, DRAW = int(Event.SHUFFLE), int(Event.DRAW)
FAULT = int(Stop.FAULT)


@inline
def turn_up(table, left):
    """Put one of the `left` cards of the draw pile on top, at random."""
    table.stream += GAMMA
    place = scale(mix(table.stream), left)
    card = load8(table, DRAW_PILE, place)
    store8(table, DRAW_PILE, place, load8(table, DRAW_PILE, left - 1))
    store8(table, DRAW_PILE, left - 1, card)


@outline
def settle(table):
    """Fix the order of the draw pile, which stays what it would have been."""
    if table.ordered == 0:
        for left in range(table.draw_left - 1, 0, -1):
            turn_up(table, left)
        table.ordered = 1


@outline
def shuffle(table):
    """Shuffle both piles into a new draw pile (B27; the draw pile is empty but for `reshuffle = every_round`).

    The cards are laid out in ascending order first, so that a shuffle depends on which cards there are, never on how
    they came to be on the piles.
    """
    size = 0
    for kind in range(MAX_KINDS):
        count = load64(table, UNSEEN, kind) + load64(table, GONE, kind)
        store64(table, UNSEEN, kind, count)
        store64(table, GONE, kind, 0)
        for _ in range(count):
            store8(table, DRAW_PILE, size, kind)
            size += 1
    begin_pile(table, size)


@inline
def begin_pile(table, size):
    """Draw the cards that lie in ascending order on the draw pile at random from now on."""
    table.draw_left = size
    table.discarded = 0
    if size > 0:
        table.stream = stream_of(table.key, table.shuffles)
        table.shuffles += 1
        table.ordered = 0
        turn_up(table, size)


@outline
def shuffle_deck(table, tell):
    """Shuffle a whole deck into the draw pile of a new game (as `shuffle` would, but the cards lie there in order)."""
    for kind in range(MAX_KINDS):
        store64(table, UNSEEN, kind, load64(table, FRESH, kind))
        store64(table, GONE, kind, 0)
    for place in range(table.deck_size):
        store8(table, DRAW_PILE, place, load8(table, DECK, place))
    begin_pile(table, table.deck_size)
    tell(table, SHUFFLE, NOBODY, table.draw_left)


@outline
def reshuffle(table, tell):
    """A later draw pile: shuffled, or in the next order that was given."""
    shuffle(table)
    if table.draw_left == 0:
        return
    if table.orders_read < table.orders_size:
        take_order(table)
    if table.stop != FAULT:
        tell(table, SHUFFLE, NOBODY, table.draw_left)


@outline
def take_order(table):
    """Put the draw pile in the next order that was given; one that does not fit the pile is a fault."""
    size = load64(table.orders, 0, table.orders_read)
    start = table.orders_read + 1
    table.orders_read = start + size
    fits = size == table.draw_left
    for kind in range(MAX_KINDS):
        count = 0
        for place in range(size):
            count += load64(table.orders, 0, start + place) == kind
        fits &= count == load64(table, UNSEEN, kind)
    if not fits:
        table.stop = FAULT
        table.fault = MISFIT
        table.asked = NOBODY
        return
    for place in range(size):
        store8(table, DRAW_PILE, size - 1 - place, load64(table.orders, 0, start + place))
    table.ordered = 1


@inline
def draw(table, seat, tell):
    """Take the next card for `seat`, or `NO_CARD` if both piles are empty (B28, B29)."""
    left = table.draw_left
    if left == 0:
        reshuffle(table, tell)
        left = table.draw_left
        if left == 0 or table.stop == FAULT:
            return NO_CARD
    left -= 1
    card = load8(table, DRAW_PILE, left)
    table.draw_left = left
    if table.ordered == 0 and left > 0:
        turn_up(table, left)
    store64(table, UNSEEN, card, load64(table, UNSEEN, card) - 1)
    table.taken += 1
    tell(table, DRAW, seat, card)
    return card


@inline
def discard(table, card):
    """Put `card` on the discard pile."""
    store64(table, GONE, card, load64(table, GONE, card) + 1)
    table.discarded += 1


@inline
def lay(table, seat, card):
    """Put `card` in front of `seat`."""
    store16(table, FRONT, table.laid, card + (seat << 8))
    table.laid += 1


@inline
def clear_front(table):
    """All that lies in front of seats goes to the discard pile (B11)."""
    for place in range(table.laid):
        card = load16(table, FRONT, place) & 255
        store64(table, GONE, card, load64(table, GONE, card) + 1)
    table.discarded += table.laid
