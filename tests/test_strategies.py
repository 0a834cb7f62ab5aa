"""Strategies: how they are written, declared and found."""

import math
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Literal

import pytest
from helpers import SPECS, csv_texts
from hypothesis import given
from hypothesis import strategies as st

from flip7sim import strategy
from flip7sim.codes import Question
from flip7sim.errors import Flip7Error
from flip7sim.policy import registry
from flip7sim.policy.registry import Entrant, catalogue, find, find_all
from flip7sim.replays.simulated import simulated_game
from flip7sim.tournaments import DEFAULT_STRATEGIES, tournament

# Writing


@pytest.mark.parametrize(
    ("spec", "label"),
    [
        ("stop-at", "stop-at(score=25)"),
        ("stop_at", "stop-at(score=25)"),
        ("stop-at()", "stop-at(score=25)"),
        (" stop-at ( score = 25.0 ) ", "stop-at(score=25)"),
        ("stop-at(score=30,)", "stop-at(score=30)"),
        ("stop-at(score=30,target=leader)", "stop-at(score=30)"),
        ("stop-at(target=self,score=30)", "stop-at(score=30,target=self)"),
        ("bust-limit", "bust-limit(p=0.25)"),
        ("bust-limit(p=.3,counting=TRUE)", "bust-limit(p=0.3)"),
        ("bust-limit(p=0.30,counting=false)", "bust-limit(p=0.3,counting=no)"),
        ("expected-gain(counting=no)", "expected-gain(counting=no)"),
        ("expected-gain", "expected-gain"),
        ("random(p=1e-3)", "random(p=0.001)"),
        ("always-hit(target=most-to-lose)", "always-hit(target=most-to-lose)"),
    ],
)
def test_a_strategy_has_one_label_however_it_is_written(spec, label):
    assert find(spec).label == label
    assert find(label).label == label


TARGETS = "one of leader, self, random, weakest, most-to-lose"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "cannot be read; write name, name(parameter=value) or file.py:name(...)"),
        ("(score=3)", "cannot be read"),
        ("stop-at(score=3", "cannot be read"),
        ("stop-at score=3", "cannot be read"),
        ("stop-att", "strategy 'stop-att' is unknown; did you mean 'stop-at'?"),
        ("xyzzy", "strategy 'xyzzy' is unknown; known: bust-limit, expected-gain, "),
        ("stop-at(30)", "'30' is not of the form parameter=value"),
        ("stop-at(score=)", "'score=' is not of the form parameter=value"),
        ("stop-at(=30)", "'=30' is not of the form parameter=value"),
        ("stop-at(score=1,score=2)", "parameter 'score' is given twice"),
        ("stop-at(scor=30)", "parameter 'scor' is unknown; did you mean 'score'?"),
        ("always-stay(limit=3)", "parameter 'limit' is unknown; known: target"),
        ("stop-at(score=-1)", "parameter score=-1 cannot be used; it must be a whole number from 0 to 1000"),
        ("stop-at(score=1001)", "parameter score=1001 cannot be used"),
        ("stop-at(score=2.5)", "parameter score=2.5 cannot be used"),
        ("stop-at(score=many)", "parameter score=many cannot be used"),
        ("stop-at(score=nan)", "parameter score=nan cannot be used"),
        ("stop-at(score=inf)", "parameter score=inf cannot be used"),
        ("stop-at-cards(count=14)", "it must be a whole number from 0 to 13"),
        ("bust-limit(p=1.5)", "parameter p=1.5 cannot be used; it must be a number from 0 to 1"),
        ("bust-limit(p=nan)", "parameter p=nan cannot be used"),
        ("bust-limit(counting=perhaps)", "parameter counting=perhaps cannot be used; it must be yes or no"),
        ("stop-at(target=me)", f"parameter target=me cannot be used; it must be {TARGETS}"),
        ("none.py", "strategy file 'none.py' does not exist"),
        ("some/where.py:mine", "strategy file 'some/where.py' does not exist"),
    ],
)
def test_a_bad_spec_is_refused_with_one_line_that_helps(spec, message):
    with pytest.raises(Flip7Error) as error:
        find(spec)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("spec", SPECS)
def test_a_spec_finds_the_same_strategy_again(spec):
    found = find(spec)
    again = find(found.spec)
    assert (again.strategy, again.values, again.label) == (found.strategy, found.values, found.label)


@given(st.floats(0, 1))
def test_a_spec_keeps_every_digit_of_a_number(p):
    found = find(f"random(p={p!r})")
    assert found.values[0] == p
    assert find(found.spec).values == found.values


def test_the_same_strategy_written_twice_is_one():
    one, other = find_all(["stop_at", "stop-at(score=25)"])
    assert one.label == other.label
    assert one.strategy is other.strategy


def test_two_strategies_of_the_same_label_are_refused():
    mine = strategy(lambda me, table, score=25: True, name="stop-at", jit=False)
    with pytest.raises(Flip7Error, match=r"'stop-at.score=25.' is there twice, from built-in and given: rename one"):
        find_all(["stop-at", mine])


def test_the_families_to_begin_with_are_there():
    families = {"stop-at", "stop-at-cards", "line-sum", "bust-limit", "expected-gain", "optimal-round"}
    families |= {"always-hit", "always-stay", "random"}
    assert set(catalogue()) >= families
    assert len({find(spec).label for spec in DEFAULT_STRATEGIES}) == 8
    for name in families:
        assert catalogue()[name].origin == "built-in"
        assert catalogue()[name].strategy.summary
        assert catalogue()[name].strategy.parameters[-1].name == "target"


# Declaring


def test_name_parameters_and_summary_come_from_the_function():
    def my_own(me, table, limit=3, p=0.5, bold=False, mood: Literal["calm", "wild"] = "calm"):
        """Do as it likes.

        And more.
        """

    made = strategy(my_own, jit=False, bounds={"p": (0, 1)})
    assert (made.name, made.summary) == ("my-own", "Do as it likes.")
    domains = [(parameter.name, parameter.domain) for parameter in made.parameters]
    assert domains[:4] == [
        ("limit", "a whole number"),
        ("p", "a number from 0 to 1"),
        ("bold", "yes or no"),
        ("mood", "one of calm, wild"),
    ]
    entrant = Entrant(made, made.values({"mood": "wild", "limit": "4"}), "", "")
    assert entrant.label == "my-own(limit=4,p=0.5,mood=wild)"
    assert entrant.codes == [4.0, 0.5, 0.0, 1.0, 0.0]


def test_a_strategy_that_decides_all_targets_has_no_targeting_rule():
    made = strategy(lambda me, table: True, name="mine", jit=False)
    for question in Question:
        if question is not Question.HIT:
            assert made.parameters[-1].name == "target"
            getattr(made, question.name.lower())(lambda me, table: 0)
    assert made.parameters == ()
    assert set(made.targets) == set(Question) - {Question.HIT}


def with_no_default(me, table, limit):
    return True


def with_a_word(me, table, mood="calm"):
    return True


def with_a_target(me, table, target=1):
    return True


def with_too_many(me, table, a=1, b=1, c=1, d=1, e=1, f=1, g=1, h=1):
    return True


def with_any_number(me, table, *more):
    return True


def alone(me):
    return True


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (with_no_default, "parameter 'limit' needs a default"),
        (with_a_word, "the default must be a number, True or False, not 'calm'"),
        (with_a_target, "none of them called 'target'"),
        (with_too_many, "at most 7 parameters"),
        (with_any_number, r"the function must take \(me, table, parameter=default, ...\)"),
        (alone, r"the function must take \(me, table, parameter=default, ...\)"),
        (lambda me, table: True, "strategy name '<lambda>' cannot be used"),
    ],
)
def test_a_function_that_cannot_be_a_strategy_is_refused(function, message):
    with pytest.raises(Flip7Error, match=message):
        strategy(function, jit=False)


def test_what_cannot_be_compiled_is_refused_with_one_line(throwaway_cache):
    made = strategy(lambda me, table: me.no_such_field > 3, name="broken")
    with pytest.raises(Flip7Error, match=r"strategy broken cannot be compiled: .*no_such_field") as error:
        simulated_game([made, made], 1, 0)
    assert "\n" not in str(error.value)


# Plain Python


@pytest.mark.parametrize("spec", SPECS)
def test_a_plain_python_strategy_plays_just_as_when_it_is_compiled(spec):
    jitted = find(spec)
    bounds = {p.name: (p.low, p.high) for p in jitted.strategy.parameters if p.name != "target"}
    plain = strategy(jitted.strategy.hit.py_func, name=jitted.strategy.name, jit=False, bounds=bounds)
    slow = Entrant(plain, jitted.values, "given", spec)
    rivals = ["always-hit(target=random)", "stop-at(score=31)"]
    for game in range(4):
        fast_game, slow_game = (simulated_game([entrant, *rivals], 3, game) for entrant in (jitted, slow))
        assert fast_game.finish == slow_game.finish
    fast_run, slow_run = (tournament([entrant, *rivals], games=30, seed=3, jobs=2) for entrant in (jitted, slow))
    assert csv_texts(fast_run) == csv_texts(slow_run)


def test_the_parameters_of_a_plain_python_strategy_have_their_types():
    seen = set()

    def mine(me, table, limit=3, p=0.5, bold=False):
        seen.add((limit, type(limit), p, type(p), bold, type(bold)))
        return False

    made = strategy(mine, jit=False)
    entrant = Entrant(made, made.values({"bold": "yes", "p": 1}), "given", "mine")
    simulated_game([entrant, "always-hit"], 1, 0)
    assert seen == {(3, int, 1.0, float, True, bool)}


# Installed packages


@dataclass
class Point:
    """What `importlib.metadata.entry_points` gives."""

    name: str
    what: object
    dist: object = None

    def load(self):
        if isinstance(self.what, Exception):
            raise self.what
        return self.what


@pytest.fixture
def install(monkeypatch):
    def with_points(*points):
        monkeypatch.setattr(registry, "entry_points", lambda group: points if group == "flip7sim.strategies" else ())
        catalogue.cache_clear()

    yield with_points
    catalogue.cache_clear()


def test_a_package_can_bring_one_strategy_or_a_module_of_them(install):
    one, two, three = (strategy(lambda me, table: True, name=name, jit=False) for name in ("one", "two", "three"))
    module = ModuleType("theirs")
    module.two, module.three = two, three
    install(Point("one", one, SimpleNamespace(name="its-package")), Point("theirs", module))
    assert find("one").strategy is one
    assert find("one").origin == "its-package"
    assert [find(name).origin for name in ("two", "three")] == ["theirs", "theirs"]
    assert find("stop-at").origin == "built-in"


def test_a_package_cannot_take_a_name_that_is_there(install):
    install(Point("p", strategy(lambda me, table: True, name="stop-at", jit=False)))
    with pytest.raises(Flip7Error, match="package p: strategy 'stop-at' is there already, from built-in"):
        find("stop-at")


def test_a_package_that_cannot_be_loaded_is_named(install):
    install(Point("p", ImportError("no module named q")))
    with pytest.raises(Flip7Error, match="package p: its strategies cannot be loaded: no module named q"):
        find("stop-at")


def test_random_strategies_have_streams_of_their_own():
    # Three seats of the same strategy: their stays are not copies of each other's.
    told = simulated_game(["random(p=0.5)"] * 3, 1, 0)
    answers = [[c.answer for c in told.finish.choices if c.seat == seat and c.question == 0] for seat in range(3)]
    length = min(map(len, answers))
    assert length > 10
    assert len({tuple(mine[:length]) for mine in answers}) == 3
    # binomial(asked, 1/2) within four standard deviations
    hits, asked = sum(map(sum, answers)), sum(map(len, answers))
    assert abs(hits - asked / 2) < 4 * math.sqrt(asked / 4)
    assert simulated_game(["random(p=0.5)"] * 3, 1, 0).finish == told.finish
