"""The engine and the readable reference play the same games, card by card."""

import random
from dataclasses import fields, replace

import numpy as np
import pytest
from helpers import at_random, entrants, play_fast, random_game, random_table, script_of

from flip7sim import aim, reference, strategy, uniform
from flip7sim.codes import CARD_QUESTIONS, MISFIT, PLACE_SHIFT, SEAT_SHIFT, Question
from flip7sim.engine.records import SEAT, TABLE
from flip7sim.engine.single import play_script
from flip7sim.policy.entries import entry_of
from flip7sim.policy.registry import Entrant
from flip7sim.reference.view import fill_view, new_view
from flip7sim.rules import PRESETS
from flip7sim.table import Finish


def assert_same(fast, plain, start):
    """Compare field by field, so that a difference is short to read."""
    for field in fields(Finish):
        one, other = getattr(fast, field.name), getattr(plain, field.name)
        if one == other:
            continue
        place = 0
        if isinstance(one, list | tuple) and isinstance(other, list | tuple):
            place = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), -1)
            one, other = one[place - 3 : place + 2], other[place - 3 : place + 2]
        pytest.fail(f"{field.name} at {place}: engine {one}, reference {other}; {start}")


@pytest.mark.slow
@pytest.mark.parametrize("block", range(12))
def test_strategies_play_the_same_game_in_both(block):
    # The reference follows the engine's answers: it must ask the same seats the same questions, with the same choice.
    dice = random.Random(block)
    everyone = entrants()
    for _ in range(400):
        start = random_game(dice)
        finish = play_fast(start, dice.choices(everyone, k=len(start.seats)))
        assert_same(finish, reference.play_script(start, script_of(finish)), start)


@pytest.mark.slow
def test_the_largest_tables_play_the_same_game_in_both():
    dice = random.Random(36)
    everyone = entrants()
    for _ in range(20):
        start = random_game(dice, seats=(35, 36), rounds=(1, 4), decks="auto")
        finish = play_fast(start, dice.choices(everyone, k=len(start.seats)))
        assert_same(finish, reference.play_script(start, script_of(finish)), start)


@pytest.mark.parametrize("preset", PRESETS)
def test_whole_games_of_a_preset_are_the_same_in_both(preset):
    dice = random.Random(preset)
    everyone = entrants()
    for players in (1, 2, 4, 7, 20):
        start = random_game(dice, seats=(players,))
        start = replace(start, rules=PRESETS[preset].with_options(max_rounds=200))
        finish = play_fast(start, dice.choices(everyone, k=players))
        assert_same(finish, reference.play_script(start, script_of(finish)), start)


def ask_in_the_reference(seated):
    """A chooser that asks the same strategies, which see the reference's game."""
    views = []

    def choose(game, asked):
        if not views:
            views.append(new_view(game))
            for record, entrant in zip(views[0]["seats"], seated, strict=False):
                record["parameters"][: len(entrant.codes)] = entrant.codes
        me = fill_view(views[0], game, asked)
        entrant = seated[asked.seat]
        own = [value for value, p in zip(entrant.values, entrant.strategy.parameters, strict=True) if not p.choices]
        if asked.question is Question.HIT:
            return int(entrant.strategy.hit(me, views[0], *own))
        if asked.question in entrant.strategy.targets:
            return int(entrant.strategy.targets[asked.question](me, views[0], *own))
        return int(aim(me, views[0], int(asked.question), int(entrant.codes[-1])))

    return choose


def recorder(seen):
    """A plain Python strategy of random answers that keeps all that it sees."""

    def watch(me, table, p=0.2):
        seen.append((int(me.index), table.tobytes()))
        return bool(uniform(me) >= p)

    def choose(me, table, p):
        seen.append((int(me.index), table.tobytes()))
        legal = [seat for seat in range(int(table.players)) if int(table.legal) >> seat & 1]
        return one_of(me, legal)

    def name(me, table, p):
        seen.append((int(me.index), table.tobytes()))
        seats = [seat for seat in range(int(table.players)) if int(table.legal) >> seat & 1]
        places = []
        for seat in seats:
            kinds = int(table.seats[seat].kinds)
            places += [card + (seat << SEAT_SHIFT) for card in range(22) if kinds >> card & 1]
        place = one_of(me, places)
        if table.question != Question.EXCHANGE:
            return place
        others = [other for other in places if other >> SEAT_SHIFT != place >> SEAT_SHIFT]
        return place + (one_of(me, others) << PLACE_SHIFT)

    def one_of(me, members):
        return members[int(uniform(me) * len(members))]

    watching = strategy(watch, jit=False)
    for question in Question:
        if question is not Question.HIT:
            getattr(watching, question.name.lower())(name if question in CARD_QUESTIONS else choose)
    return watching


#: What is nobody's business, or has no meaning, in the reference: memory, who plays, and the state of the machinery.
PRIVATE = {
    *(
        "stop",
        "fault",
        "waiting",
        "ordered",
        "stream",
        "histogram",
        "histogram_width",
        "histogram_low",
        "race",
        "seats",
        "legal",
    ),
    *("log", "log_size", "logged", "script", "script_size", "scripted", "orders", "orders_size", "orders_read"),
    *("aside", "stack", "front", "draw_pile", "deck"),
    *("substitutes", "substitute", "alike", "replaced", "scores", "scored"),
    *("numbers_left", "units", "masks", "shares"),
}
PUBLIC = [name for name in TABLE.names if name not in PRIVATE]
PUBLIC_OF_SEATS = [name for name in SEAT.names if name not in ("strategy", "entry", "luck", "held")]


def test_what_a_strategy_sees_is_the_same_in_both():
    dice = random.Random(5)
    decisions = 0
    for _ in range(120):
        start = random_game(dice, seats=(1, 2, 3, 5, 8, 20), rounds=(2, 4))
        fast, plain = [], []
        watchers = [recorder(fast), recorder(plain)]
        values = [(dice.choice([0.05, 0.2, 0.4]),) for _ in start.seats]
        one = play_fast(start, [Entrant(watchers[0], value, "", "") for value in values])
        other = reference.play(start, ask_in_the_reference([Entrant(watchers[1], value, "", "") for value in values]))
        assert_same(one, other, start)
        assert len(fast) == len(plain)
        for (seat, memory), (other_seat, other_memory) in zip(fast, plain, strict=True):
            assert seat == other_seat
            compare_views(np.frombuffer(memory, TABLE)[0], np.frombuffer(other_memory, TABLE)[0], len(start.seats))
        decisions += len(fast)
        assert entry_of(watchers[0]).errors == {}
    assert decisions > 2000


def compare_views(one, other, players):
    for name in PUBLIC:
        assert np.array_equal(one[name], other[name]), name
    if one["question"] != Question.HIT:
        assert one["legal"] == other["legal"]
    for name in PUBLIC_OF_SEATS:
        assert np.array_equal(one["seats"][name][:players], other["seats"][name][:players]), name


def test_strategies_decide_the_same_on_either_view():
    dice = random.Random(8)
    everyone = entrants()
    for _ in range(40):
        start = random_game(dice, seats=(1, 2, 3, 6), rounds=(1, 5))
        seated = dice.choices(everyone, k=len(start.seats))
        assert_same(play_fast(start, seated), reference.play(start, ask_in_the_reference(seated)), start)


@pytest.mark.slow
def test_both_play_on_from_any_table():
    dice = random.Random(11)
    for _ in range(1500):
        start = random_table(dice)
        finish = reference.play(start, at_random(dice, dice.choice([0.3, 0.75, 0.95])))
        assert_same(play_script(start, script_of(finish)), finish, start)


def test_both_halt_where_a_script_ends_or_does_not_fit():
    dice = random.Random(12)
    answers = set()
    for _ in range(300):
        start = random_table(dice)
        lines = script_of(reference.play(start, at_random(dice)))
        lines = lines[: dice.randrange(len(lines) + 1)]
        if lines:
            seat, question, answer, card = lines[-1]
            wrong = [(seat, question, 63, card), (seat + 1, question, answer, card), (seat, question, answer, card + 1)]
            lines[-1] = dice.choice([lines[-1], *wrong])
        finish = play_script(start, lines)
        assert_same(finish, reference.play_script(start, lines), start)
        answers.add(finish.asked and finish.asked.answer)
    assert answers >= {None, 63, MISFIT}


def test_both_follow_given_reshuffles():
    dice = random.Random(13)
    reshuffled = 0
    for _ in range(300):
        start = random_table(dice)
        finish = reference.play(start, at_random(dice, 0.95))
        # Another seed: the orders are no longer a function of it.
        given = replace(start, reshuffles=finish.shuffles, seed=start.seed + 1)
        assert_same(play_script(given, script_of(finish)), finish, given)
        reshuffled += len(finish.shuffles)
    assert reshuffled > 100
