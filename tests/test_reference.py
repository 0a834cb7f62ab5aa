"""The readable reference by itself: scores, cards that never get lost, determinism, and export."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flip7sim import reference
from flip7sim.cards import BASE_CARDS, FLIP_THREE, FREEZE, SECOND_CHANCE
from flip7sim.codes import MISFIT, NO_CARD, Event, Question, Status
from flip7sim.errors import Flip7Error
from flip7sim.randomness import game_key, shuffled, stream_of
from flip7sim.reference import Halt, play, play_script
from flip7sim.reference.cards import score_of
from flip7sim.reference.view import fill_view, new_view
from flip7sim.replays import parse_situation, replay, to_toml
from flip7sim.rules import OPTIONS, PRESETS, Rules
from flip7sim.table import SeatStart, Start

CODE = BASE_CARDS.code
BASE = [name for name, rules in PRESETS.items() if rules.game == "base"]


def new_game(rules=None, seats=3, seed=0, **more):
    return Start(rules or Rules(), (SeatStart(),) * seats, more.pop("dealer", seats - 1), seed=seed, **more)


def at_random(seed, hit=0.8):
    dice = random.Random(seed)

    def choose(game, asked):
        if asked.question is Question.HIT:
            return int(dice.random() < hit)
        return dice.choice(asked.legal)

    return choose


@st.composite
def rule_sets(draw):
    words = {
        name: draw(st.sampled_from(option.values))
        for name, option in OPTIONS.items()
        if option.values and name != "decks" and "base" in option.games
    }
    numbers = {
        "target_score": draw(st.sampled_from([20, 50, 200])),
        "flip7_size": draw(st.integers(1, 9)),
        "decks": draw(st.sampled_from(["auto", 1, 2])),
        "max_rounds": 12,
    }
    return Rules.of(draw(st.sampled_from(sorted(BASE))), **words, **numbers)


starts = st.builds(
    lambda rules, seats, seed, dealer: new_game(rules, seats, seed, dealer=dealer % seats),
    rule_sets(),
    st.integers(1, 20),
    st.integers(0, 1 << 62),
    st.integers(0, 19),
)
quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize(
    ("numbers", "modifiers", "flip7", "points"),
    [
        ([3, 11, 5, 7, 10], ["x2", "+10"], False, 82),
        ([2, 5, 9], ["x2"], False, 32),
        ([0, 1, 2, 4, 7, 10, 12], ["x2", "+6"], True, 93),
        ([3, 8, 12], ["+4"], False, 27),
        ([], ["+2", "+6", "x2"], False, 8),
        ([], ["x2"], False, 0),
        ([10], ["x2", "x2"], False, 20),
        ([], ["+2", "+4", "+6", "+8", "+10"], False, 30),
        ([], [], False, 0),
    ],
)
def test_scores(numbers, modifiers, flip7, points):
    assert score_of(Rules(), numbers, [CODE(card) for card in modifiers], flip7=flip7) == points


def test_splitmix_stream():
    # the published sequence of SplitMix64 from state 1234567
    state, words = 1234567, []
    for _ in range(3):
        words.append(stream_of(state, 0))
        state = (state + 0x9E3779B97F4A7C15) & ((1 << 64) - 1)
    assert words == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_shuffle_is_a_permutation_and_depends_on_the_cards_alone():
    deck = BASE_CARDS.deck()
    order = shuffled(deck, stream_of(game_key(1, 2), 0))
    assert sorted(order) == deck
    assert order == shuffled(deck[::-1], stream_of(game_key(1, 2), 0))
    assert order != shuffled(deck, stream_of(game_key(1, 3), 0))


def check_conservation(game):
    front = [] if game.round_over else [card for seat in game.seats for card in seat.front]
    cards = game.draw_pile + game.discard_pile + game.in_process + front
    assert Counter(cards) == Counter(game.deck)


@quick
@given(starts, st.integers(0, 1 << 30), st.sampled_from([0.3, 0.8, 1.0]))
def test_cards_never_get_lost(start, dice, hit):
    answer = at_random(dice, hit)

    def choose(game, asked):
        check_conservation(game)
        assert len(asked.legal) >= 2
        if asked.question is not Question.HIT:
            assert all(game.seats[seat].active for seat in asked.legal)
        for seat in game.seats:
            check_seat(game, seat)
        return answer(game, asked)

    game = reference.new_game(start, choose)
    finish = game.play()
    check_conservation(game)
    assert game.in_process == []
    check_finish(start, finish)


def check_seat(game, seat):
    different = len(set(seat.numbers))
    assert different < game.rules.flip7_size
    assert len(seat.numbers) - different == (seat.status is Status.BUST)
    if seat.status is Status.BUST:
        assert not seat.second_chance
    if seat.status is Status.OUT:
        assert seat.front == []


def check_finish(start, finish):
    assert finish.round_over
    assert finish.asked is None
    assert sorted(finish.draw_pile + finish.discard_pile) == BASE_CARDS.deck(start.rules.decks_for(len(start.seats)))
    totals = [0] * len(start.seats)
    for event, seat, value in finish.events:
        if event is Event.SCORE:
            totals[seat] += value
    assert totals == [seat.total for seat in finish.seats]
    assert (finish.winner >= 0) != finish.unfinished
    if finish.winner >= 0:
        best = max(totals)
        assert totals[finish.winner] == best >= start.rules.target_score
        assert totals.count(best) == 1
    assert sum(event is Event.DRAW for event, _, _ in finish.events) == finish.cards
    asked = sum(event in (Event.STAY, Event.HIT, Event.CHOOSE) for event, _, _ in finish.events)
    assert asked == len(finish.choices)


@quick
@given(starts, st.integers(0, 1 << 30))
def test_the_same_game_twice_is_the_same(start, dice):
    assert play(start, at_random(dice)) == play(start, at_random(dice))


@quick
@given(starts, st.integers(0, 1 << 30))
def test_an_exported_game_plays_to_the_same_end(start, dice):
    finish = play(start, at_random(dice))
    text = to_toml(start, finish, title="exported")
    result = replay(parse_situation(text), "reference")
    assert result.error is None
    assert result.mismatches == []
    assert result.finish.seats == finish.seats
    assert result.finish.choices == finish.choices
    # the deck is given there, not shuffled
    assert result.finish.events == finish.events[1:]
    assert result.finish.shuffles == finish.shuffles[1:]
    assert result.transcript


@quick
@given(starts, st.integers(0, 1 << 30), st.integers(0, 40))
def test_a_script_that_ends_early_halts_where_it_ends(start, dice, length):
    whole = play(start, at_random(dice))
    lines = [choice.line for choice in whole.choices]
    finish = play_script(start, lines[:length])
    assert finish.choices == whole.choices[:length]
    assert finish.events == whole.events[: len(finish.events)]
    if length < len(lines):
        assert finish.asked == replace(whole.choices[length], answer=None)
    else:
        assert finish == whole


def test_one_round_stops_after_it():
    finish = play(new_game(one_round=True), at_random(1))
    assert finish.round == 1
    assert finish.round_over


def test_first_seat_can_be_given():
    finish = play_script(new_game(first=1), [])
    assert finish.asked.seat == 1
    assert finish.asked.answer is None


def test_an_illegal_answer_halts():
    finish = play(new_game(), lambda game, asked: 7)
    assert finish.asked.answer == 7
    assert finish.choices == ()


def test_a_line_for_another_seat_halts():
    finish = play_script(new_game(), [(0, 0, 1, NO_CARD), (0, 0, 1, NO_CARD)])
    assert finish.asked.seat == 1
    assert finish.asked.answer == MISFIT
    assert len(finish.choices) == 1


def test_given_orders_come_first_and_count_as_shuffles():
    start = Start(
        Rules(), (SeatStart(),), 0, draw_pile=(1,), discard_pile=(5, 2, 3), reshuffles=((3, 5, 2),), one_round=True
    )
    finish = play_script(start, [(0, 0, 1, NO_CARD)] * 4)
    assert finish.shuffles == ((3, 5, 2),)
    assert finish.seats[0].numbers == (1, 2, 3, 5)
    other = play_script(replace(start, reshuffles=()), [(0, 0, 1, NO_CARD)] * 4)
    assert other.shuffles == (tuple(shuffled([2, 3, 5], stream_of(game_key(0, 0), 0))),)


def test_a_reshuffle_that_does_not_fit_is_named():
    start = Start(Rules(), (SeatStart(),), 0, draw_pile=(), discard_pile=(5, 2, SECOND_CHANCE), reshuffles=((5, 3, 2),))
    with pytest.raises(Flip7Error, match=r"order 1 .* second_chance missing; 3 too many"):
        play_script(start, [(0, 0, 1, NO_CARD)])


def test_tie_break_from_the_start():
    rules = Rules.of("fr-2.0", tie_break="tied_only")
    seats = (SeatStart(total=203), SeatStart(total=150), SeatStart(total=203))
    finish = play_script(Start(rules, seats, 2), [(0, 0, 0, NO_CARD)])
    assert finish.asked.seat == 2
    assert finish.seats[1].status is Status.OUT


def test_view_of_a_question():
    start = Start(
        Rules.of("us-3.1"),
        (
            SeatStart((3, 8), (CODE("+4"), CODE("x2")), second_chance=True, total=20),
            SeatStart((5, 5), status=Status.BUST),
            SeatStart((7,), status=Status.FROZEN),
            SeatStart((2,)),
        ),
        3,
        draw_pile=(FREEZE, 12),
        discard_pile=(FLIP_THREE, 1),
        deal=False,
    )
    seen = []

    def choose(game, asked):
        table = new_view(game) if not seen else seen[0]
        me = fill_view(table, game, asked)
        seen.append(table)
        if asked.question is Question.HIT:
            assert (me.index, me.score, me.line_sum, me.count, me.plus, me.doubled) == (0, 26, 11, 2, 4, 1)
            assert me.stream == stream_of(game.key, 1 << 20)
            me.stream = 5
            assert table.draw_left == 2
            assert table.unseen[12] == 1
            assert table.active == 0b1001
            return 1
        assert me.stream == 5
        assert table.legal == 0b1001
        assert table.question == Question.FREEZE
        assert (table.taken, table.draw_left, table.discarded) == (1, 1, 2)
        assert list(table.seats["status"][:4]) == [0, 3, 2, 0]
        assert table.seats[1]["numbers"] == 1 << 5
        assert table.gone[FLIP_THREE] == 1
        assert table.fresh.sum() == table.deck_size == 94
        raise Halt

    assert play(start, choose).asked.question is Question.FREEZE
