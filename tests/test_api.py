"""`import flip7sim as f7`: small, typed, explained; a command is a call; errors say what would be right."""

import inspect
import re
import subprocess
import sys

import pandas as pd
import pytest

import flip7sim as f7
from flip7sim.cli.main import COMMANDS

#: The call behind each command; what has none only shows files.
CALLS = {
    "tournament": f7.tournament,
    "sweep": f7.sweep,
    "best-response": f7.best_response,
    "replay": f7.replay,
    "strategies": f7.check,
    "rules": f7.Rules,
    "odds": f7.odds,
    "exact": f7.evaluate,
    "solve": f7.solve,
    "verify": f7.verify,
    "plot": f7.plot,
    "report": f7.report,
    "bench": f7.bench,
}


def plain(thing):
    return getattr(thing, "py_func", thing)


FUNCTIONS = [name for name in f7.__all__ if inspect.isfunction(plain(getattr(f7, name)))]
CLASSES = [name for name in f7.__all__ if inspect.isclass(getattr(f7, name))]


def test_every_public_name_is_a_function_a_class_or_the_figures():
    assert sorted([*FUNCTIONS, *CLASSES, "figures"]) == sorted(f7.__all__)
    names = {}
    exec("from flip7sim import *", names)
    assert set(f7.__all__) <= set(names)


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="tournamend"):
        f7.tournamend  # noqa: B018


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_says_what_it_takes_and_gives(name):
    function = plain(getattr(f7, name))
    text = inspect.getdoc(function)
    assert re.search(r"^Returns\n-------$", text, flags=re.MULTILINE)
    section = re.search(r"^Parameters\n----------\n(.*?)(?:\n\n\w+\n---|\Z)", text, flags=re.MULTILINE | re.DOTALL)[1]
    heads = [
        head
        for line in re.findall(r"^(\S.*)$", section, flags=re.MULTILINE)
        for head in line.split(" : ")[0].split(", ")
    ]
    assert sorted(head.lstrip("*") for head in heads) == sorted(inspect.signature(function).parameters)


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if not hasattr(getattr(f7, name), "py_func")])
def test_a_function_is_typed(name):
    signature = inspect.signature(getattr(f7, name))
    assert signature.return_annotation is not signature.empty
    assert all(parameter.annotation is not parameter.empty for parameter in signature.parameters.values())


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_says_what_it_holds(name):
    thing = getattr(f7, name)
    text = inspect.getdoc(thing)
    fields = getattr(thing, "__dataclass_fields__", {})
    missing = [
        field for field in fields if not re.search(rf"^(?:\w+, )*{field}(?:, \w+)*(?: :|$)", text, flags=re.MULTILINE)
    ]
    assert name == "Rules" or not missing


def test_every_command_is_a_call():
    assert set(CALLS) == set(COMMANDS) - {"notebook"}


@pytest.mark.parametrize("call", [f7.evaluate, f7.odds, f7.simple_rules])
def test_lists_of_results_are_tables(call):
    found = call("3 8 12 +4") if call is f7.odds else call(deck="numbers")
    assert isinstance(found.table, pd.DataFrame)
    assert len(found.table) == len(found)
    assert found.table.notna().all(axis=None)


def test_the_parts_of_a_result_are_tables():
    (alone,) = f7.evaluate(["stop-at(score=23)"], deck="numbers")
    assert alone.scores.table["chance"].sum() == pytest.approx(1)
    assert set(alone.stops.table["number_cards"]) == set(range(1, 7))
    assert f7.odds("3 8")[0].cards.table["chance"].sum() == pytest.approx(1)
    assert [each.ok for each in f7.verify(["stop-at(score=23)"], "numbers", rounds=10_000)] == [True] * 3


def test_a_strategy_gets_values_by_name():
    assert f7.find("stop-at", score=30).label == "stop-at(score=30)"
    assert f7.find("stop-at(score=20,target=self)", score=31).spec == "stop-at(score=31,target=self)"

    @f7.strategy
    def mine(me, table, count=3):
        """Stay with `count` numbers."""
        return me.count < count

    assert f7.find(mine, count=2).label == f7.find(mine, count=2).spec == "mine(count=2)"
    with pytest.raises(f7.Flip7Error, match="did you mean 'count'"):
        f7.find(mine, cound=2)


def test_figures_are_there_from_the_start():
    ran = subprocess.run(
        [sys.executable, "-c", "import flip7sim as f7; f7.figures.curve"], capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr


WRONG = {
    "tournament": (lambda: f7.tournament(["stop-att"]), "did you mean 'stop-at'"),
    "games": (lambda: f7.tournament(games=0), "must be from 1"),
    "schedule": (lambda: f7.tournament(schedule="mixd"), "did you mean 'mixed'"),
    "sweep": (lambda: f7.sweep("stop-at", {"scor": "1:2"}), "did you mean 'score'"),
    "best-response": (lambda: f7.best_response("stop-at", {"score": "x"}), "parameter score"),
    "odds": (lambda: f7.odds("3 8 twelve"), "known: 0, 1"),
    "deck": (lambda: f7.evaluate(deck="number"), "did you mean 'numbers'"),
    "solve": (lambda: f7.solve_rounds("full"), "numbers or modifiers"),
    "verify": (lambda: f7.verify(rounds=0), "must be from 1"),
    "plot": (lambda: f7.plot("nowhere"), "name a folder"),
    "report": (lambda: f7.report("nowhere"), "name a folder"),
    "bench": (lambda: f7.bench(rules="fr-3"), "did you mean 'fr-2.0'"),
    "check": (lambda: f7.check("always"), "did you mean 'always-"),
}


@pytest.mark.parametrize("name", WRONG)
def test_an_error_names_what_would_be_right(name):
    call, right = WRONG[name]
    with pytest.raises(f7.Flip7Error, match=re.escape(right)) as caught:
        call()
    assert "\n" not in str(caught.value)
