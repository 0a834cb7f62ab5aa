"""With A Vengeance in the readable reference: scores, lines, cards that never get lost, games that end."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flip7sim.cards import VENGEANCE_CARDS
from flip7sim.codes import CARD_QUESTIONS, MISFIT, NO_CARD, PLACE_SHIFT, SEAT_SHIFT, Event, Question, Status
from flip7sim.reference import new_game, play, play_script
from flip7sim.reference.cards import bust_score_of, can_lie_together, count_of, number_on, score_of
from flip7sim.replays import parse_situation, replay, to_toml
from flip7sim.replays.vengeance_teller import VengeanceTeller
from flip7sim.rules import OPTIONS, Rules
from flip7sim.table import Asked, SeatStart, Start

CODE = VENGEANCE_CARDS.code
PRESETS = ("vengeance", "vengeance-brutal")
SEATS = (*(Question(question) for question in range(Question.MODIFIER, Question.EXCHANGE)), Question.BONUS)


def codes(*names):
    return [CODE(name) for name in names]


def place(seat, card):
    return CODE(card) + (seat << SEAT_SHIFT)


def at_random(seed, hit=0.8):
    dice = random.Random(seed)

    def choose(game, asked):
        if asked.question is Question.HIT:
            return int(dice.random() < hit)
        if asked.question is not Question.EXCHANGE:
            return dice.choice(asked.legal)
        pairs = [one + (other << PLACE_SHIFT) for one in asked.legal for other in asked.legal]
        return dice.choice([pair for pair in pairs if asked.allows(pair)])

    return choose


@st.composite
def rule_sets(draw):
    words = {
        name: draw(st.sampled_from(option.values))
        for name, option in OPTIONS.items()
        if option.values and name != "decks" and "vengeance" in option.games
    }
    numbers = {
        "target_score": draw(st.sampled_from([20, 50, 200])),
        "flip7_size": draw(st.integers(1, 9)),
        "decks": draw(st.sampled_from(["auto", 1, 2])),
        "max_rounds": 12,
    }
    return Rules.of(draw(st.sampled_from(PRESETS)), **words, **numbers)


starts = st.builds(
    lambda rules, seats, seed, dealer: Start(rules, (SeatStart(),) * seats, dealer % seats, seed=seed),
    rule_sets(),
    st.integers(1, 20),
    st.integers(0, 1 << 62),
    st.integers(0, 19),
)
quick = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize(
    ("numbers", "modifiers", "flip7", "points", "brutal"),
    [
        ([3, 11, 5, 7, 10, 8, 4], [], False, 48, 48),
        ([3, 11, 5, 7, 10, 8, 4], ["/2"], False, 24, 24),
        ([3, 11, 5, 7, 10, 8, 4], ["/2", "-4"], False, 20, 20),
        ([3, 11, 5, 7, 10, 8, 4], ["/2", "-4"], True, 35, 35),
        ([1], ["-10"], False, 0, -9),
        ([13, "lucky13", 5], ["-2"], False, 29, 29),
        ([9], ["/2"], False, 4, 4),
        ([10], ["/2", "/2"], False, 5, 5),
        ([], ["-2", "-4", "-6", "-8", "-10"], False, 0, -30),
        (["unlucky7", 6], [], False, 13, 13),
        (["zero", 12], [], False, 0, 0),
        (["zero", 1], ["-10"], False, 0, 0),
        (["zero", 1, 2, 3, 4, 5, 6], [], True, 36, 36),
        (["zero", 1, 2, 3, 4, 5, 6], ["-2", "-4", "-6", "-8", "-10"], True, 15, 6),
        ([], [], False, 0, 0),
    ],
)
def test_scores(numbers, modifiers, flip7, points, brutal):
    # V44, V46
    for preset, score in zip(PRESETS, (points, brutal), strict=True):
        assert score_of(Rules.of(preset), codes(*numbers), codes(*modifiers), flip7=flip7) == score


def test_score_of_a_flip_7_without_its_bonus():
    rules = Rules.of("vengeance-brutal")
    assert score_of(rules, codes("zero", 1, 2, 3, 4, 5, 6), codes("-2"), flip7=True, bonus=False) == 19


def test_score_of_a_bust():
    modifiers = codes("-4", "/2", "-10")
    assert bust_score_of(Rules.of("vengeance"), modifiers) == 0
    assert bust_score_of(Rules.of("vengeance", modifiers_to_busted=True), modifiers) == 0
    assert bust_score_of(Rules.of("vengeance", score_floor="none"), modifiers) == 0
    assert bust_score_of(Rules.of("vengeance-brutal"), modifiers) == -14


@pytest.mark.parametrize(
    ("numbers", "stands"),
    [
        ([], True),
        (["zero", 1, 13], True),
        ([8, 8], False),
        ([7, "unlucky7"], False),
        ([13, "lucky13"], True),
        ([13, 13], False),
        ([13, "lucky13", 13], False),
        ([13, "lucky13", 4, 4], False),
        (["lucky13", "lucky13"], True),
    ],
)
def test_which_numbers_can_lie_together(numbers, stands):
    # V34, V37, V38
    assert can_lie_together(codes(*numbers)) is stands


def test_what_counts_toward_a_flip_7():
    # V35
    line = codes(13, "lucky13", "zero", 2)
    assert count_of(Rules.of("vengeance"), line) == 3
    assert count_of(Rules.of("vengeance", lucky13_flip7="cards"), line) == 4
    assert [number_on(card) for card in line] == [13, 13, 0, 2]


def check_conservation(game):
    front = [] if game.round_over else [card for seat in game.seats for card in seat.front]
    assert Counter(game.draw_pile + game.discard_pile + game.in_process + front) == Counter(game.deck)


def check_seat(game, seat):
    assert seat.status is not Status.FROZEN
    assert not seat.second_chance
    assert can_lie_together(seat.numbers) or seat.status is Status.BUST
    if seat.status is Status.BUST:
        assert not can_lie_together(seat.numbers)
        assert can_lie_together(seat.numbers[:-1])
    elif game.flip7 != seat.index:
        assert count_of(game.rules, seat.numbers) < game.rules.flip7_size
    if seat.status is Status.OUT:
        assert seat.front == []


def check_question(game, asked):
    """Two answers at least are legal, and they are what the rules say (V33, V36, V39 to V43, V46)."""
    rules, seat = game.rules, game.seats[asked.seat]
    reach = (Status.ACTIVE, Status.STAYED) if rules.stayed_are_targets else (Status.ACTIVE,)
    targets = [other.index for other in game.seats if other.status in reach]
    front = {
        card + (other << SEAT_SHIFT): other
        for other in targets
        for card in game.seats[other].numbers + game.seats[other].modifiers
    }
    assert list(asked.legal) == sorted(set(asked.legal), reverse=asked.question is Question.HIT)
    if asked.question is Question.HIT:
        assert seat.active
        assert CODE("zero") not in seat.numbers
        return
    assert seat.status is not Status.OUT
    assert len(asked.legal) >= (3 if asked.question is Question.EXCHANGE else 2)
    if asked.question is Question.BONUS:
        assert game.flip7 == asked.seat
        assert asked.legal == tuple(other.index for other in game.seats if other.status is not Status.OUT)
        return
    assert game.flip7 < 0
    assert seat.status is not Status.BUST
    if asked.question is Question.MODIFIER:
        busted = [other.index for other in game.seats if other.status is Status.BUST]
        assert list(asked.legal) == sorted(targets + busted * rules.modifiers_to_busted)
        assert rules.cards.modifiers <= asked.card < rules.cards.actions
        return
    assert asked.card == NO_CARD
    if asked.question in CARD_QUESTIONS:
        own = asked.question is not Question.TAKE
        assert list(asked.legal) == sorted(where for where, other in front.items() if own or other != asked.seat)
        assert len(set(front.values())) >= 2 or asked.question is not Question.EXCHANGE
    else:
        assert list(asked.legal) == targets


@quick
@given(starts, st.integers(0, 1 << 30), st.sampled_from([0.3, 0.8, 1.0]))
def test_cards_never_get_lost(start, dice, hit):
    answer = at_random(dice, hit)

    def choose(game, asked):
        check_conservation(game)
        check_question(game, asked)
        for seat in game.seats:
            check_seat(game, seat)
        return answer(game, asked)

    game = new_game(start, choose)
    finish = game.play()
    check_conservation(game)
    assert game.in_process == []
    check_finish(start, finish)


def check_finish(start, finish):
    assert finish.round_over
    assert finish.asked is None
    deck = VENGEANCE_CARDS.deck(start.rules.decks_for(len(start.seats)))
    assert sorted(finish.draw_pile + finish.discard_pile) == deck
    totals = [0] * len(start.seats)
    for event, seat, value in finish.events:
        if event in (Event.SCORE, Event.PENALTY):
            totals[seat] += value if event is Event.SCORE else -value
    assert totals == [seat.total for seat in finish.seats]
    assert (finish.winner >= 0) != finish.unfinished
    if finish.winner >= 0:
        playing = [seat.total for seat in finish.seats if seat.status is not Status.OUT]
        assert totals[finish.winner] == max(playing) >= start.rules.target_score
        assert playing.count(max(playing)) == 1
    if start.rules.score_floor == "0":
        assert all(value >= 0 for event, _, value in finish.events if event is Event.SCORE)
    count = Counter(event for event, _, _ in finish.events)
    assert count[Event.DRAW] == finish.cards
    named = sum(choice.question in CARD_QUESTIONS for choice in finish.choices)
    assert count[Event.STAY] + count[Event.HIT] + count[Event.CHOOSE] + named == len(finish.choices)
    assert count[Event.BONUS] + count[Event.PENALTY] == (count[Event.FLIP7] if start.rules.flip7_penalty else 0)


def test_every_question_and_event_comes_up():
    questions, events = Counter(), Counter()
    for number in range(200):
        # with many a Flip 7 and tie; now and then a game that is cut, and one with hardly any cards
        flip7_size, target = ((3, 10), (5, 30))[number % 2]
        rules = Rules.of("vengeance-brutal", max_rounds=2 + number % 15, flip7_size=flip7_size, target_score=target)
        start = Start(rules, (SeatStart(),) * 4, 0, seed=number, draw_pile=None if number % 9 else tuple(range(9)))
        finish = play(start, at_random(number))
        questions.update(choice.question for choice in finish.choices)
        events.update(event for event, _, _ in finish.events)
    assert set(questions) == {Question.HIT, *SEATS, *CARD_QUESTIONS}
    assert set(Event) - set(events) == {Event.SAVED}


@quick
@given(starts, st.integers(0, 1 << 30))
def test_the_same_game_twice_is_the_same(start, dice):
    assert play(start, at_random(dice)) == play(start, at_random(dice))


@quick
@given(starts, st.integers(0, 1 << 30))
def test_an_exported_game_plays_to_the_same_end(start, dice):
    finish = play(start, at_random(dice))
    result = replay(parse_situation(to_toml(start, finish, title="exported")), "reference")
    assert result.error is None
    assert result.mismatches == []
    assert result.finish.seats == finish.seats
    assert result.finish.choices == finish.choices
    assert result.finish.events == finish.events[1:]
    assert result.finish.shuffles == finish.shuffles[1:]
    assert result.transcript


@quick
@given(starts, st.integers(0, 1 << 30))
def test_who_tells_a_game_has_the_same_table_in_mind(start, dice):
    finish = play(start, at_random(dice))
    teller = VengeanceTeller(start, [str(seat) for seat in range(len(start.seats))], finish)
    teller.tell()
    for seat, now in enumerate(finish.seats):
        assert tuple(sorted(teller.numbers[seat])) == now.numbers
        assert tuple(sorted(teller.modifiers[seat])) == now.modifiers
        assert teller.totals[seat] == now.total
        # after a tie those who will sit out do so already
        assert teller.status[seat] in (now.status, Status.OUT)


@quick
@given(starts, st.integers(0, 1 << 30), st.integers(0, 60))
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


def swap_to_come(**options):
    """A plays a Swap on itself; it has 10 and -2, B has 11."""
    seats = (SeatStart(numbers=(10,), modifiers=(CODE("-2"),)), SeatStart(numbers=(11,)))
    return Start(Rules.of("vengeance", **options), seats, 1, draw_pile=(CODE("swap"), 1), deal=False, one_round=True)


def test_an_exchange_may_be_named_either_way_round():
    lines = [(0, Question.HIT, 1, NO_CARD), (0, Question.SWAP, 0, NO_CARD)]
    mine, others = place(0, "-2"), place(1, 11)
    ends = [
        play_script(swap_to_come(), [*lines, (0, Question.EXCHANGE, one + (other << PLACE_SHIFT), NO_CARD)])
        for one, other in ((mine, others), (others, mine))
    ]
    assert ends[0].seats == ends[1].seats
    assert ends[0].events == ends[1].events
    assert ends[0].seats[0].numbers == (10, 11)
    assert ends[0].seats[1].modifiers == (CODE("-2"),)
    # the choices keep the answer as it was given
    assert [end.choices[2].answer for end in ends] == [mine + (others << PLACE_SHIFT), others + (mine << PLACE_SHIFT)]


def test_the_order_of_what_a_swap_tells():
    answer = place(1, 11) + (place(0, 10) << PLACE_SHIFT)
    lines = [(0, Question.HIT, 1, NO_CARD), (0, Question.SWAP, 0, NO_CARD), (0, Question.EXCHANGE, answer, NO_CARD)]
    assert play_script(swap_to_come(), lines).events[2:] == [
        (Event.DRAW, 0, CODE("swap")),
        (Event.CHOOSE, 0, 0),
        (Event.PLAY, 0, CODE("swap")),
        (Event.LOSE, 0, 10),
        (Event.LOSE, 1, 11),
        (Event.KEEP, 0, 11),
        (Event.KEEP, 1, 10),
    ]


@pytest.mark.parametrize(
    "answer",
    [0, place(0, 10), place(0, 10) + (place(0, "-2") << PLACE_SHIFT), place(0, 9) + (place(1, 11) << PLACE_SHIFT), -1],
)
def test_an_exchange_that_is_not_legal_halts(answer):
    lines = [(0, Question.HIT, 1, NO_CARD), (0, Question.SWAP, 0, NO_CARD), (0, Question.EXCHANGE, answer, NO_CARD)]
    finish = play_script(swap_to_come(), lines)
    assert finish.asked.answer == answer
    assert finish.asked.legal == (place(0, 10), place(0, "-2"), place(1, 11))
    assert len(finish.choices) == 2


def test_a_modifier_must_be_the_one_that_is_asked_for():
    minus = CODE("-2")
    seats = (SeatStart(), SeatStart())
    start = Start(Rules.of("vengeance"), seats, 1, draw_pile=(minus, 1, 5), deal=False)
    hit = (0, Question.HIT, 1, NO_CARD)
    assert play_script(start, [hit]).asked == Asked(0, Question.MODIFIER, (0, 1), None, minus)
    assert play_script(start, [hit, (0, Question.MODIFIER, 1, CODE("-4"))]).asked.answer == MISFIT
    given = play_script(start, [hit, (0, Question.MODIFIER, 1, minus)])
    assert given.seats[1].modifiers == (minus,)
    assert given.choices[1].line == (0, Question.MODIFIER, 1, minus)
