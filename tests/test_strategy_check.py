"""The contract of a strategy, and what is said when one breaks it in mid-game."""

import random
import re
import shlex

import pytest
from helpers import SPECS, wild

from flip7sim import check, find, strategy
from flip7sim.codes import Question
from flip7sim.errors import StrategyError
from flip7sim.policy.registry import catalogue
from flip7sim.replays import parse_situation, replay
from flip7sim.rules import Rules
from flip7sim.sweeps.play import sweep
from flip7sim.tournaments import tournament

pytestmark = pytest.mark.usefixtures("throwaway_cache")


@pytest.mark.parametrize("spec", sorted({*catalogue(), *SPECS}))
def test_the_strategies_that_come_with_it_keep_the_contract(spec):
    report = check(find(spec))
    assert report.faults == []
    assert report.ok
    assert report.states > 1000
    assert report.nanoseconds > 0


def test_one_that_chooses_all_targets_keeps_it_too():
    assert check(find(wild)).ok


def raises(me, table):
    if me.count < 20:
        raise ValueError("not today")
    return True


def seven(me, table):
    return 7


def minus_one(me, table):
    return -1


def meddles(me, table):
    me.score = 1000
    return False


def meddles_with_the_table(me, table):
    table.draw_left -= 1
    return False


def hits(me, table):
    return True


def nobody(me, table):
    return -1


def far_away(me, table):
    return 63


def far_beyond(me, table):
    return 1 << 40


def its_dealer(me, table):
    return table.dealer


@pytest.mark.parametrize("jit", [True, False])
@pytest.mark.parametrize(
    ("function", "fault"),
    [
        (raises, "asked hit at seat .*: raised ValueError.'not today'."),
        (seven, "asked hit at seat .*: answered 7, which is neither 1 .hit. nor 0 .stay."),
        (minus_one, "asked hit at seat .*: answered -1, which is neither .*"),
        (meddles, "asked hit at seat .*: changed the table"),
        (meddles_with_the_table, "asked hit at seat .*: changed the table"),
    ],
)
def test_a_bad_answer_to_hit_or_stay_is_found(function, fault, jit):
    report = check(find(strategy(function, jit=jit)))
    assert not report.ok
    assert re.fullmatch(fault, report.faults[0])


@pytest.mark.parametrize("jit", [True, False])
@pytest.mark.parametrize("question", ["freeze", "flip_three", "second_chance"])
@pytest.mark.parametrize("function", [nobody, far_away, far_beyond, its_dealer])
def test_an_illegal_target_is_found(function, question, jit):
    made = strategy(hits, jit=jit)
    getattr(made, question)(function)
    report = check(find(made))
    assert not report.ok
    assert re.fullmatch(rf"asked {question} at seat \d+: answered seat -?\d+, which is not a legal target",
                        report.faults[0])  # fmt: skip


def test_chance_that_is_not_the_seats_own_is_found():
    dice = random.Random(1)
    report = check(find(strategy(lambda me, table: dice.random() < 0.5, name="moody", jit=False)))
    assert not report.ok
    assert re.search(r"answered \d, then \d at the same table with the same stream", report.faults[0])


def test_no_more_faults_are_listed_than_can_be_read():
    assert len(check(find(strategy(seven, jit=False))).faults) <= 10


# In mid-game


def message_of(made, jobs=1, rules="fr-2.0", rivals=("always-hit", "stop-at")):
    with pytest.raises(StrategyError) as error:
        tournament([made, *rivals], games=300, seed=11, jobs=jobs, rules=rules)
    assert "\n" not in str(error.value)
    return str(error.value)


def only_late(me, table):
    if table.round_number == 4:
        raise ValueError("the fourth round")
    return me.count < 3


@pytest.mark.parametrize(
    ("function", "jit", "what"),
    [
        (only_late, True, "raised ValueError: the fourth round"),
        (only_late, False, "raised ValueError: the fourth round"),
        (seven, True, "answered 7 to hit or stay (1 or 0)"),
        (seven, False, "answered 7 to hit or stay (1 or 0)"),
    ],
)
def test_a_failure_names_strategy_game_seat_and_the_command_that_shows_it(function, jit, what):
    message = message_of(strategy(function, name="mine", jit=jit))
    assert message.startswith(f"strategy mine {what}, in game ")
    assert re.search(r", in game \d+, at seat [ABC]; see it with: flip7sim replay --export --seed 11 ", message)


@pytest.mark.parametrize("jit", [True, False])
def test_an_illegal_target_names_what_was_legal(jit):
    made = strategy(hits, name="mine", jit=jit)
    made.freeze(nobody)
    assert re.match(r"strategy mine gave freeze to seat number -1 \(legal: \d(, \d)+\), in game", message_of(made))


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_the_failure_is_the_first_one_whatever_the_number_of_jobs(jobs, monkeypatch):
    monkeypatch.setattr("flip7sim.runs.simulate.ITEM_SEATS", 90)
    made = strategy(only_late, name="mine", jit=False)
    assert message_of(made, jobs) == message_of(made, 1)


FILE = """
from flip7sim import strategy

@strategy
def mine(me, table, limit=3):
    if table.round_number == 4:
        raise ValueError("the fourth round")
    return me.count < limit

@strategy
def aims(me, table):
    return True

@aims.freeze
def nobody(me, table):
    return -1
"""


@pytest.mark.parametrize("rules", [Rules(), Rules.of("us-3.1", target_score=150, tie_break="tied_only")])
@pytest.mark.parametrize(("name", "question"), [("mine(limit=4)", "hit"), ("aims", "freeze")])
def test_the_command_that_is_named_shows_the_game_up_to_the_failure(run, tmp_path, name, question, rules):
    (tmp_path / "my own.py").write_text(FILE, encoding="utf-8")
    message = message_of(f"{tmp_path}/my own.py:{name}", rules=rules)
    game, seat = re.search(r"in game (\d+), at seat ([ABC])", message).groups()
    program, *arguments = shlex.split(message.split("see it with: ")[1])
    assert program == "flip7sim"
    ran = run(*arguments)
    assert ran.status == 2
    assert len(ran.errors) == 1
    assert f"game {game} stopped: seat {seat} ({name})" in ran.errors[0]
    result = replay(parse_situation(ran.out))
    assert result.error is None
    assert result.mismatches == []
    assert (result.state["awaiting"], result.finish.asked.question.name) == (seat, Question[question.upper()].name)


def test_the_command_that_is_named_can_be_given_to_a_shell_whatever_the_file_is_called(tmp_path):
    path = tmp_path / "it's $mine.py"
    path.write_text(FILE, encoding="utf-8")
    command = message_of(f"{path}:aims").split("see it with: ")[1]
    assert f"{path}:aims" in shlex.split(command)


def test_the_command_names_the_candidate_the_others_and_their_totals(run, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(FILE, encoding="utf-8")
    with pytest.raises(StrategyError) as failed:
        sweep(f"{path}:mine", {"limit": "3,4"}, ["stop-at", "always-hit"], games=600, totals=(120, 40, 60))
    game, seat = re.search(r"in game (\d+), at seat ([ABC])", str(failed.value)).groups()
    _, *arguments = shlex.split(str(failed.value).split("see it with: ")[1])
    assert arguments[arguments.index("--totals") + 1] == "120,60,40"  # always-hit comes before stop-at
    assert arguments.count("--strategy") == 1
    ran = run(*arguments)
    assert f"game {game} stopped: seat {seat} (mine(limit=" in ran.errors[0]
