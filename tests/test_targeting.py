"""Targeting rules on hand-made tables, and what a strategy can work out from the table."""

import random
from collections import Counter

import numpy as np
import pytest
from helpers import random_table
from hypothesis import given, settings
from hypothesis import strategies as st

from flip7sim import aim, bust_chance, cards_left, chance_of, count_of, expected_gain, uniform
from flip7sim.cards import MINUS_TWO, SECOND_CHANCE, UNLUCKY_7, VENGEANCE_CARDS
from flip7sim.codes import NOBODY, PLACE_SHIFT, SEAT_SHIFT, Question, Status
from flip7sim.engine.kernels import table_for
from flip7sim.engine.lines import points, put
from flip7sim.engine.records import new_table
from flip7sim.policy.targeting import TARGETING
from flip7sim.policy.vengeance import score_after
from flip7sim.randomness import SEAT_PURPOSE, Stream, game_key, stream_of
from flip7sim.reference import Halt, play
from flip7sim.reference.cards import can_lie_together, score_of
from flip7sim.reference.cards import count_of as count_of_line
from flip7sim.reference.view import fill_view, new_view
from flip7sim.rules import Rules

ACTIONS = [Question.FREEZE, Question.FLIP_THREE]


def chosen(rule, chooser, totals, legal=None, question=Question.FREEZE, scores=None):
    """Whom the chooser picks, at a table with these totals and round scores."""
    table = new_table()
    table.players = len(totals)
    legal = range(len(totals)) if legal is None else legal
    table.legal = sum(1 << seat for seat in legal)
    for seat, total in enumerate(totals):
        record = table.seats[seat]
        record.index, record.total = seat, total
        record.score = scores[seat] if scores else 0
    me = table.seats.view(np.recarray)[chooser]
    me.stream = 12345
    return aim(me, table, int(question), TARGETING.index(rule))


@pytest.mark.parametrize("question", ACTIONS)
def test_leader_is_the_other_seat_with_the_highest_total(question):
    assert chosen("leader", 0, [99, 10, 30, 20], question=question) == 2
    assert chosen("leader", 2, [50, 10, 99, 20], question=question) == 0


@pytest.mark.parametrize("question", ACTIONS)
def test_ties_go_to_the_first_clockwise_from_the_chooser(question):
    totals = [30, 30, 10, 30, 30]
    assert [chosen("leader", seat, totals, question=question) for seat in range(5)] == [1, 3, 3, 4, 0]


@pytest.mark.parametrize("rule", TARGETING)
@pytest.mark.parametrize("question", ACTIONS)
def test_seats_that_are_not_legal_are_passed_over(rule, question):
    for seat in range(4):
        others = [other for other in (1, 3) if other != seat]
        assert chosen(rule, seat, [100, 5, 100, 6], legal=[1, 3], question=question) in {*others, seat} & {1, 3}


@pytest.mark.parametrize("rule", ["leader", "random", "weakest", "most-to-lose"])
def test_itself_only_when_it_is_alone(rule):
    assert chosen(rule, 1, [0, 50, 0], legal=[1]) == 1
    for totals in ([0, 50, 0], [9, 0, 9], [0, 0, 0]):
        assert chosen(rule, 1, totals) != 1


def test_self_is_the_seat_itself_while_it_is_active_else_as_leader():
    assert chosen("self", 1, [50, 0, 60]) == 1
    assert chosen("self", 1, [50, 0, 60], legal=[0, 2]) == 2


def test_weakest_is_the_other_seat_with_the_lowest_total():
    assert chosen("weakest", 0, [0, 40, 20, 30]) == 2
    assert chosen("weakest", 3, [20, 40, 20, 10]) == 0


def test_most_to_lose_is_the_other_seat_with_the_highest_score_of_the_round():
    assert chosen("most-to-lose", 0, [0, 90, 20, 30], scores=[99, 5, 12, 8]) == 2
    assert chosen("most-to-lose", 2, [0, 90, 20, 30], scores=[12, 12, 50, 12]) == 3


@pytest.mark.parametrize("rule", ["leader", "self", "most-to-lose"])
def test_an_extra_second_chance_goes_to_the_first_clockwise_that_may_have_it(rule):
    question = Question.SECOND_CHANCE
    assert chosen(rule, 1, [90, 0, 0, 80], legal=[0, 3], question=question, scores=[9, 0, 0, 1]) == 3
    assert chosen(rule, 3, [0, 90, 80, 0], legal=[1, 2], question=question, scores=[0, 1, 9, 0]) == 1


def test_weakest_gives_an_extra_second_chance_to_the_lowest_total():
    assert chosen("weakest", 1, [10, 0, 30, 5], legal=[0, 2, 3], question=Question.SECOND_CHANCE) == 3


@pytest.mark.parametrize("question", [*ACTIONS, Question.SECOND_CHANCE])
def test_random_is_any_other_legal_seat_equally_often(question):
    table = new_table()
    table.players, table.legal = 5, 0b10111
    for seat in range(5):
        table.seats[seat].index = seat
    me = table.seats.view(np.recarray)[1]
    me.stream = 1
    seen = Counter(int(aim(me, table, int(question), TARGETING.index("random"))) for _ in range(3000))
    assert set(seen) == {0, 2, 4}
    # binomial(3000, 1/3): mean 1000, standard deviation 25.8
    assert all(abs(count - 1000) < 4 * 25.8 for count in seen.values())


# In Vengeance

SEVEN, THIRTEEN, LUCKY = (VENGEANCE_CARDS.code(name) for name in (7, 13, "lucky13"))
MINUS_TEN, HALVED, ZERO = (VENGEANCE_CARDS.code(name) for name in ("-10", "/2", "zero"))
ATTACKS = [Question.MODIFIER, Question.JUST_ONE_MORE, Question.FLIP_FOUR]
GIFTS = [Question.SWAP, Question.STEAL, Question.DISCARD]


def laid_out(*lines, totals=None):
    """A table of Vengeance with these cards in front of the seats."""
    rules = Rules.of("vengeance")
    table = table_for(rules, len(lines))
    table.flip7 = NOBODY
    for number, line in enumerate(lines):
        seat = table.seats[number]
        for card in line:
            put(table, seat, card)
        seat.score, seat.total = points(table, seat), (totals or [0] * len(lines))[number]
    table.standing = table.active = table.legal = (1 << len(lines)) - 1
    return table


def answer(table, question, chooser=0, rule="leader"):
    if question in (Question.STEAL, Question.TAKE):
        table.legal &= ~(question == Question.TAKE) | ~(1 << chooser)
    return aim(table.seats.view(np.recarray)[chooser], table, int(question), TARGETING.index(rule))


@pytest.mark.parametrize("question", ATTACKS)
def test_modifiers_and_forced_cards_are_given_like_a_freeze(question):
    table = laid_out([5], [6], [8], totals=[90, 10, 30])
    assert answer(table, question) == 2
    assert answer(table, question, rule="weakest") == 1
    assert answer(table, question, rule="self") == 0


@pytest.mark.parametrize("question", GIFTS)
def test_a_swap_a_steal_or_a_discard_is_played_on_oneself(question):
    assert answer(laid_out([5], [6], [8], totals=[0, 10, 30]), question) == 0


def test_a_steal_that_can_only_harm_is_played_on_another():
    # every card of the others would bust it
    assert answer(laid_out([6, 8], [6], [8], totals=[0, 10, 30]), Question.STEAL) == 2


def test_a_discard_that_can_only_harm_is_played_on_another():
    assert answer(laid_out([6, 8], [], [], totals=[0, 10, 30]), Question.DISCARD) == 2


def test_a_swap_without_a_card_to_give_is_played_on_another():
    assert answer(laid_out([], [6], [8], totals=[0, 10, 30]), Question.SWAP) == 2


def place(seat, card):
    return card + (seat << SEAT_SHIFT)


def test_the_best_card_to_take_is_not_one_that_busts():
    assert answer(laid_out([12, 3], [12, 5], [9]), Question.TAKE) == place(2, 9)
    assert answer(laid_out([THIRTEEN], [THIRTEEN, LUCKY], [12]), Question.TAKE) == place(1, LUCKY)


def test_the_best_card_to_drop_may_be_ones_own():
    assert answer(laid_out([12, MINUS_TEN], [5], [9]), Question.DROP) == place(0, MINUS_TEN)
    assert answer(laid_out([12, 11, 10, HALVED], [5], [9]), Question.DROP) == place(0, HALVED)
    assert answer(laid_out([12, ZERO], [5], [11]), Question.DROP) == place(0, ZERO)
    assert answer(laid_out([12], [5], [11]), Question.DROP) == place(2, 11)


def test_the_best_exchange_gives_what_busts():
    # its 8 for their 12: they have an 8
    found = answer(laid_out([8, 3], [12, 8], [2]), Question.EXCHANGE)
    assert found == place(0, 8) + (place(1, 12) << PLACE_SHIFT)


def test_the_worst_card_is_given_for_the_best():
    found = answer(laid_out([8, MINUS_TEN], [12, 2], [11]), Question.EXCHANGE)
    assert found == place(0, MINUS_TEN) + (place(1, 12) << PLACE_SHIFT)


@pytest.mark.parametrize("rule", TARGETING)
def test_the_bonus_of_a_flip_7_is_kept(rule):
    assert answer(laid_out([5], [6], [8], totals=[90, 10, 30]), Question.BONUS, rule=rule) == 0


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**9))
def test_a_score_after_a_card_is_lost_and_gained_is_that_of_the_line(seed):
    dice = random.Random(seed)
    start = random_table(dice, preset="vengeance")
    seat = dice.choice(start.seats)
    if seat.status == Status.BUST:
        return
    table = laid_out([*seat.numbers, *seat.modifiers])
    table.flip7_size, table.lucky13_cards = start.rules.flip7_size, start.rules.lucky13_flip7 == "cards"
    table.flip7_bonus, table.score_floor = start.rules.flip7_bonus, start.rules.score_floor == "0"
    front = [*seat.numbers, *seat.modifiers]
    lost = dice.choice([-1, *front])
    gained = dice.choice([-1, *range(22)])
    if lost >= 0:
        front.remove(lost)
    line, modifiers = [card for card in front if card < MINUS_TWO], [card for card in front if card >= MINUS_TWO]
    if gained == UNLUCKY_7:
        line, modifiers = [], []
    if gained >= 0:
        (line if gained < MINUS_TWO else modifiers).append(gained)
    fits = can_lie_together(line)
    flip7 = fits and count_of_line(start.rules, line) >= start.rules.flip7_size
    expected = score_of(start.rules, line, modifiers, flip7=flip7) if fits else 0
    assert score_after(table.seats.view(np.recarray)[0], table, gained, lost) == expected


# What can be worked out


def asked_at(start):
    """The first time somebody is asked hit or stay: the game, the seat's record and the table's; None if never."""
    found = []

    def choose(game, asked):
        if asked.question is Question.HIT:
            table = new_view(game)
            found.append((game, fill_view(table, game, asked), table))
            raise Halt
        if asked.question is Question.EXCHANGE:
            return asked.legal[0] + (asked.legal[-1] << PLACE_SHIFT)
        return asked.legal[0]

    play(start, choose)
    return found[0] if found else None


def candidates(game, seat, counting):
    """All cards that the next one may be, as the player sees it."""
    if counting:
        return list(game.draw_pile or game.discard_pile)
    return list((Counter(game.deck) - Counter(seat.front)).elements())


def score_with(game, seat, card):
    """What the seat would show with one more card in front of it; 0 if that busts it."""
    number = card < game.rules.cards.modifiers
    line, modifiers = [*seat.numbers, *[card] * number], [*seat.modifiers, *[card] * (not number)]
    if game.rules.game == "base":
        fits, count = len(set(line)) == len(line), len(line)
    elif card == UNLUCKY_7:
        line, modifiers, fits, count = [card], [], True, 1
    else:
        fits, count = can_lie_together(line), count_of_line(game.rules, line)
    return score_of(game.rules, line, modifiers, flip7=count >= game.rules.flip7_size) if fits else 0


def gain(game, seat, card):
    """What the card adds to the score of the round, if the seat then stays."""
    alone = not any(other.standing for other in game.seats if other is not seat)
    if card >= game.rules.cards.actions or (game.rules.game == "vengeance" and card >= MINUS_TWO and not alone):
        return 0
    if card in seat.numbers and seat.second_chance:
        return 0
    return score_with(game, seat, card) - score_of(game.rules, seat.numbers, seat.modifiers)


def breaks(game, seat, card):
    """Whether the card busts the seat."""
    if game.rules.game == "base":
        return card in seat.numbers and not seat.second_chance
    return card < UNLUCKY_7 and not can_lie_together([*seat.numbers, card])


tables = st.integers(0, 10**9).map(lambda seed: random_table(random.Random(seed)))
more = settings(max_examples=300, deadline=None)


@more
@given(tables, st.booleans())
def test_chances_are_those_of_the_cards_that_may_come_next(start, counting):
    found = asked_at(start)
    if found is None:
        return
    game, me, table = found
    seat = game.seats[me.index]
    cards = candidates(game, seat, counting)
    assert cards_left(me, table, counting) == len(cards) > 0
    for card in range(len(start.rules.cards.names)):
        assert count_of(me, table, card, counting) == cards.count(card)
        assert chance_of(me, table, card, counting) == pytest.approx(cards.count(card) / len(cards))
    busts = sum(breaks(game, seat, card) for card in cards)
    assert bust_chance(me, table, counting) == pytest.approx(busts / len(cards))
    mean = sum(gain(game, seat, card) for card in cards) / len(cards)
    assert expected_gain(me, table, counting) == pytest.approx(mean)


def test_tables_of_all_kinds_are_looked_at():
    found = [asked_at(random_table(random.Random(seed))) for seed in range(300)]
    games = [(game, game.seats[me.index]) for game, me, _ in filter(None, found)]
    assert len(games) > 200
    assert sum(not game.draw_pile for game, _ in games) > 10
    assert sum(seat.second_chance for _, seat in games) > 10
    assert sum(bool(seat.modifiers) for _, seat in games) > 10


def test_with_no_card_left_there_is_no_chance_of_anything():
    table = new_table()
    me = table.seats.view(np.recarray)[0]
    assert (bust_chance(me, table, True), expected_gain(me, table, True), chance_of(me, table, 5, True)) == (0, 0, 0)


def test_uniform_numbers_are_the_seats_own_stream():
    table = new_table()
    me = table.seats.view(np.recarray)[0]
    state = stream_of(game_key(4, 2), SEAT_PURPOSE)
    me.stream = state
    stream, numbers = Stream(state), []
    for _ in range(500):
        numbers.append(float(uniform(me)))
        # `below` takes the upper 32 bits of the same word
        assert int(numbers[-1] * 2**32) == stream.below(2**32)
    assert min(numbers) >= 0
    assert max(numbers) < 1
    # the mean of 500 uniform numbers has a standard deviation of 0.0129
    assert abs(np.mean(numbers) - 0.5) < 4 * 0.0129


def test_a_second_chance_in_front_is_not_in_the_fresh_deck_of_who_does_not_count():
    for seed in range(200):
        found = asked_at(random_table(random.Random(seed)))
        if found and found[1].second_chance:
            game, me, table = found
            assert count_of(me, table, SECOND_CHANCE, False) == game.deck.count(SECOND_CHANCE) - 1
            return
    pytest.fail("no table with a Second Chance")
