"""Targeting rules on hand-made tables, and what a strategy can work out from the table."""

import random
from collections import Counter

import numpy as np
import pytest
from helpers import random_table
from hypothesis import given, settings
from hypothesis import strategies as st

from flip7sim import aim, bust_chance, cards_left, chance_of, count_of, expected_gain, uniform
from flip7sim.cards import BASE_CARDS, FREEZE, NUMBERS, SECOND_CHANCE
from flip7sim.codes import Question
from flip7sim.engine.records import new_table
from flip7sim.policy.targeting import TARGETING
from flip7sim.randomness import SEAT_PURPOSE, Stream, game_key, stream_of
from flip7sim.reference import Halt, play
from flip7sim.reference.cards import score_of
from flip7sim.reference.view import fill_view, new_view

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


# What can be worked out


def asked_at(start):
    """The first time somebody is asked hit or stay: the game, the seat's record and the table's; None if never."""
    found = []

    def choose(game, asked):
        if asked.question is Question.HIT:
            table = new_view(game)
            found.append((game, fill_view(table, game, asked), table))
            raise Halt
        return asked.legal[0]

    play(start, choose)
    return found[0] if found else None


def candidates(game, seat, counting):
    """All cards that the next one may be, as the player sees it."""
    if counting:
        return list(game.draw_pile or game.discard_pile)
    return list((Counter(game.deck) - Counter(seat.front)).elements())


def gain(game, seat, card):
    """What the card adds to the score of the round, if the seat then stays."""
    if card >= FREEZE:
        return 0
    before = score_of(game.rules, seat.numbers, seat.modifiers)
    if card >= NUMBERS:
        return score_of(game.rules, seat.numbers, [*seat.modifiers, card]) - before
    if card in seat.numbers:
        return 0 if seat.second_chance else -before
    line = [*seat.numbers, card]
    return score_of(game.rules, line, seat.modifiers, flip7=len(line) == game.rules.flip7_size) - before


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
    for card in range(len(BASE_CARDS.names)):
        assert count_of(me, table, card, counting) == cards.count(card)
        assert chance_of(me, table, card, counting) == pytest.approx(cards.count(card) / len(cards))
    busts = 0 if seat.second_chance else sum(card in seat.numbers for card in cards)
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
