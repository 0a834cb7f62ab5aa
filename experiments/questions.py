"""Strategies for docs/questions.md and claims.py: known ones with one thing that can be turned.

None counts cards, as most people do not.

What can be turned is a parameter: a sweep then plays all its values on the same deals, and differences are sharp.
"""

from typing import Literal

import numba as nb

from flip7sim import aim, expected_gain, seat_at, strategy
from flip7sim.policy import Question

Rule = Literal["leader", "self", "random", "weakest", "most-to-lose", "shows-least"]
LEADER, SHOWS_LEAST = 0, 5
FREEZE, FLIP_THREE, SECOND_CHANCE = int(Question.FREEZE), int(Question.FLIP_THREE), int(Question.SECOND_CHANCE)


@strategy
def aims(me, table, freeze: Rule = "leader", flip_three: Rule = "leader", extra: Rule = "leader"):
    """Play as expected-gain; each kind of card that is given away has a rule of its own."""
    return expected_gain(me, table, False) > 0


@nb.njit
def by_rule(me, table, question, rule):
    """Aim by a targeting rule, or at the other seat that shows least in this round."""
    if rule != SHOWS_LEAST:
        return aim(me, table, question, int(rule))
    target, least = me.index, 1 << 30
    for seat in range(table.players):
        if (table.legal >> seat) & 1 and seat != me.index and seat_at(table, seat).score < least:
            target, least = seat, seat_at(table, seat).score
    return target


@aims.freeze
def aims_freeze(me, table, freeze, flip_three, extra):
    """A Freeze by its rule."""
    return by_rule(me, table, FREEZE, freeze)


@aims.flip_three
def aims_flip_three(me, table, freeze, flip_three, extra):
    """A Flip Three by its rule."""
    return by_rule(me, table, FLIP_THREE, flip_three)


@aims.second_chance
def aims_second_chance(me, table, freeze, flip_three, extra):
    """An extra Second Chance by its rule."""
    return by_rule(me, table, SECOND_CHANCE, extra)


@strategy(bounds={"points": (0, 1000), "numbers": (0, 7)})
def on_itself(me, table, points=1000, numbers=0):
    """Play as expected-gain; take a Freeze from `points` shown on, a Flip Three with fewer than `numbers` numbers."""
    return expected_gain(me, table, False) > 0


@on_itself.freeze
def freeze_on_itself(me, table, points, numbers):
    """A Freeze banks a good round of one's own."""
    if me.score >= points and (table.legal >> me.index) & 1:
        return me.index
    return aim(me, table, FREEZE, LEADER)


@on_itself.flip_three
def flip_three_on_itself(me, table, points, numbers):
    """A Flip Three is three cards for who can take them."""
    if me.count < numbers and (table.legal >> me.index) & 1:
        return me.index
    return aim(me, table, FLIP_THREE, LEADER)


@strategy(bounds={"lead": (0, 1000), "more": (-100, 100)})
def hurried(me, table, score=27, lead=180, more=0):
    """Stay at `score`, at `more` on top of it once another seat has a total of `lead`."""
    wanted = score
    for seat in range(table.players):
        if seat != me.index and seat_at(table, seat).total >= lead:
            wanted = score + more
    return me.score < wanted


@strategy(bounds={"score": (0, 1000), "later": (0, 1000)})
def this_round(me, table, score=27, later=27):
    """Stay at `score` in the first round of a game, which may begin with totals, and at `later` in all others."""
    return me.score < (score if table.round_number == 1 else later)


@strategy(bounds={"margin": (0, 1000)})
def by_standing(me, table, behind=27, level=27, ahead=27, margin=20):
    """Stay at a score that depends on how far one is ahead of the best of the others, or behind it."""
    best = -1000
    for seat in range(table.players):
        if seat != me.index and seat_at(table, seat).total > best:
            best = seat_at(table, seat).total
    lead = me.total - best
    return me.score < (behind if lead < -margin else ahead if lead > margin else level)


@strategy
def last_call(me, table, chase=True):
    """Play as expected-gain; hit as long as another seat would end the game ahead (`chase`)."""
    best = -1
    for seat in range(table.players):
        other = seat_at(table, seat)
        if seat != me.index and (table.standing >> seat) & 1 and other.total + other.score > best:
            best = other.total + other.score
    if chase and best >= table.target_score and me.total + me.score <= best:
        return True
    return expected_gain(me, table, False) > 0


@strategy(bounds={"share": (-10, 10)})
def gap(me, table, score=25, share=0.1):
    """Stay at `score` and `share` of the points by which the leader is ahead."""
    lead = me.total
    for seat in range(table.players):
        if seat_at(table, seat).total > lead:
            lead = seat_at(table, seat).total
    return me.score < score + share * (lead - me.total)


@strategy
def with_a_net(me, table, always=True):
    """Play as expected-gain; with a Second Chance always hit, or (`always=no`) not for its sake."""
    return (always and me.second_chance == 1) or expected_gain(me, table, False) > 0


@strategy
def six_and_on(me, table, chase: Literal["gain", "always", "never"] = "gain"):
    """Play as expected-gain; with one number short of a Flip 7 hit by that, always or never."""
    if me.count == table.flip7_size - 1 and chase != 0:
        return chase == 1
    return expected_gain(me, table, False) > 0


@strategy
def ganging_up(me, table, gang=True):
    """Play as expected-gain; Freezes and Flip Threes go to whoever sits left of the first dealer (`gang`)."""
    return expected_gain(me, table, False) > 0


@nb.njit
def at_the_victim(me, table, question, gang):
    """The seat left of the first dealer, which is seat 1 of seats.csv; that seat itself aims at the leader."""
    victim = (table.dealer - (table.round_number - 1) + 1) % table.players
    if gang and victim != me.index and (table.legal >> victim) & 1:
        return victim
    return aim(me, table, question, LEADER)


@ganging_up.freeze
def gang_freeze(me, table, gang):
    """A Freeze for the victim."""
    return at_the_victim(me, table, FREEZE, gang)


@ganging_up.flip_three
def gang_flip_three(me, table, gang):
    """A Flip Three for the victim."""
    return at_the_victim(me, table, FLIP_THREE, gang)
