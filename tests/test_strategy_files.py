"""Strategies from a user's file: found, compiled, and compiled again when anything that they use has changed."""

import json
import os
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from flip7sim.codes import Question
from flip7sim.errors import Flip7Error
from flip7sim.policy.registry import find
from flip7sim.replays.simulated import simulated_game

pytestmark = pytest.mark.usefixtures("throwaway_cache")

MINE = '''
from flip7sim import seat_at, strategy

LIMIT = 2


@strategy(bounds={"more": (0, 5)})
def cautious(me, table, more=1):
    """Stay with a few cards."""
    return me.count < LIMIT + more


@cautious.freeze
def last(me, table, more):
    for seat in range(table.players - 1, -1, -1):
        if (table.legal >> seat) & 1:
            return seat
    return -1


@cautious.flip_three
def lowest(me, table, more):
    best, target = 1000000, -1
    for seat in range(table.players):
        if (table.legal >> seat) & 1 and seat_at(table, seat).total < best:
            best, target = seat_at(table, seat).total, seat
    return target


@cautious.second_chance
def first(me, table, more):
    for seat in range(table.players):
        if (table.legal >> seat) & 1:
            return seat
    return -1
'''


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(MINE, encoding="utf-8")
    return path


@pytest.mark.parametrize("form", ["{}", "{}:cautious", "{}:cautious(more=1)", "{}:cautious( more = 1 )"])
def test_a_file_is_named_before_a_colon(mine, form):
    found = find(form.format(mine))
    assert found.label == "cautious(more=1)"
    assert found.origin == str(mine)
    assert found.spec == f"{mine}:cautious(more=1)"
    assert find(found.spec).strategy is found.strategy


def test_underscores_will_do_for_dashes_and_folders_may_be_relative(tmp_path, monkeypatch):
    (tmp_path / "sub").mkdir()
    text = "from flip7sim import strategy\n@strategy(jit=False)\ndef two_words(me, table):\n    return False\n"
    (tmp_path / "sub" / "some.py").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert find("./sub/some.py:two_words").label == find("sub/some.py:two-words").label == "two-words"


def test_what_the_file_says_is_what_is_played(mine):
    asked = set()
    for game in range(20):
        told = simulated_game([f"{mine}:cautious(more=2)", "always-hit(target=random)", *["always-hit"] * 4], 2, game)
        me = next(seat for seat, entrant in enumerate(told.entrants) if entrant.label == "cautious(more=2)")
        for choice in told.finish.choices:
            if choice.seat == me:
                asked.add(choice.question)
                if choice.question == Question.FREEZE:
                    assert choice.answer == max(choice.legal)
                if choice.question == Question.SECOND_CHANCE:
                    assert choice.answer == min(choice.legal)
    assert asked == {Question.HIT, Question.FREEZE, Question.FLIP_THREE, Question.SECOND_CHANCE}


def test_module_globals_and_parameters_decide(mine):
    hit = find(str(mine)).strategy.hit.py_func
    assert [hit(SimpleNamespace(count=count), None, 1) for count in range(5)] == [True, True, True, False, False]


def test_targets_are_asked_with_the_parameters_too(tmp_path):
    path = tmp_path / "aims.py"
    path.write_text(
        "from flip7sim import strategy\n"
        "@strategy\ndef aims(me, table, seat=0):\n    return True\n"
        "@aims.flip_three\n@aims.freeze\n"
        "def it(me, table, seat):\n    return seat if (table.legal >> seat) & 1 else me.index\n",
        encoding="utf-8",
    )
    # an extra Second Chance is left to a rule, so there is a `target` as well
    told = simulated_game([f"{path}:aims(seat={seat},target=self)" for seat in (0, 1, 2)], 1, 0)
    seen = set()
    for choice in told.finish.choices:
        if choice.question in (Question.FREEZE, Question.FLIP_THREE):
            wanted = told.entrants[choice.seat].values[0]
            assert choice.answer == (wanted if wanted in choice.legal else choice.seat)
            seen.add(choice.seat)
    assert len(seen) > 1


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("", "", "declares no strategy: put @strategy before a function in it"),
        ("x = 1\n", ":x", "declares no strategy"),
        ("def broken(:\n", "", "cannot be imported: SyntaxError"),
        ("import no_such_module_anywhere\n", "", "cannot be imported: ModuleNotFoundError"),
        ("raise RuntimeError('one\\ntwo')\n", "", "cannot be imported: RuntimeError: one"),
        (MINE, ":bold", "strategy 'bold' is not in "),
        (MINE, ":cautios", "did you mean 'cautious'?"),
        (MINE, ":cautious(more=6)", "strategy cautious: parameter more=6 cannot be used"),
        (MINE, ":cautious(aim=self)", "parameter 'aim' is unknown"),
        (MINE + "\n@strategy\ndef other(me, table):\n    return True\n", "", "has several: name one"),
        ("from flip7sim import strategy\n@strategy\ndef f(me, table, a):\n    return True\n", "", "needs a default"),
    ],
)
def test_a_bad_file_is_refused_with_one_line_that_helps(tmp_path, text, name, message):
    path = tmp_path / "bad.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Flip7Error) as error:
        find(f"{path}{name}")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_folder_is_not_a_strategy_file(tmp_path):
    (tmp_path / "folder.py").mkdir()
    with pytest.raises(Flip7Error, match="does not exist"):
        find(str(tmp_path / "folder.py"))


# Edits. Each file stays with `limit` number cards, which it gets in some way or other.

BODY = "from flip7sim import strategy\n{}\n\n@strategy\ndef {}(me, table):\n    return me.count < {}\n"
WAYS = {
    "in_the_body": ("", "{limit}"),
    "a_global": ("LIMIT = {limit}", "LIMIT"),
    "a_tuple": ("LIMITS = (9, {limit})", "LIMITS[1]"),
    "an_array": ("import numpy as np\nLIMITS = np.array([9, {limit}])", "LIMITS[1]"),
    "a_numpy_number": ("import numpy as np\nLIMIT = np.int64({limit})", "LIMIT"),
    "a_constant_of_a_helper": ("from helper_of_mine import LIMIT", "LIMIT"),
    "a_constant_by_its_module": ("import helper_of_mine", "helper_of_mine.LIMIT"),
    "a_function_of_a_helper": ("from helper_of_mine import limit", "limit()"),
    "a_function_by_its_module": ("import helper_of_mine", "helper_of_mine.limit()"),
    "a_function_under_another_name": ("from helper_of_mine import limit as most", "most()"),
    "a_helper_of_the_helper": ("from helper_of_mine import indirect", "indirect()"),
    "a_constant_in_a_package": ("import package_of_mine.deep", "package_of_mine.deep.LIMIT"),
}
HELPER = """
import numba as nb
LIMIT = {limit}
@nb.njit
def limit():
    return {limit}
@nb.njit
def inner():
    return LIMIT
@nb.njit
def indirect():
    return inner()
"""
#: How many cards one seat takes in fifty rounds of ordinary play with each file, by the compiled code.
PLAY = """
import json, pathlib, sys
from flip7sim.engine import cache, kernels
kernels.blocks_kernel("base", False)
cache.cache_folder = lambda: pathlib.Path(sys.argv[1])
from flip7sim import Rules, tournament
rules = Rules.of("fr-2.0", max_rounds=1)
def cards(path):
    return int(tournament([path], 1, 50, rules=rules, jobs=1).counts.sheet.games[0, 3])
print(json.dumps({path: cards(path) for path in sys.argv[2:]}))
"""


def write_version(folder, limit, stamp):
    """All files with this limit; their times say that they are from another second, as an edit by hand would be."""
    (folder / "package_of_mine").mkdir(exist_ok=True)
    texts = {
        "helper_of_mine.py": HELPER.format(limit=limit),
        "package_of_mine/__init__.py": "",
        "package_of_mine/deep.py": f"LIMIT = {limit}\n",
    }
    for name, (head, value) in WAYS.items():
        texts[f"{name}.py"] = BODY.format(head.format(limit=limit), name, value.format(limit=limit))
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
        os.utime(folder / name, (stamp, stamp))


@pytest.fixture(scope="module")
def plays(tmp_path_factory):
    """Cards taken by way: with a limit of 0, after an edit to 3, and with nothing changed since."""
    folder, cache = tmp_path_factory.mktemp("edits"), tmp_path_factory.mktemp("cache")
    counts, compiled = [], []
    for limit, stamp in ((0, 1000), (3, 2000), (3, 2000)):
        write_version(folder, limit, time.time() - 10_000 + stamp)
        command = [sys.executable, "-c", PLAY, str(cache), *(f"{name}.py" for name in WAYS)]
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
        counts.append({path.removesuffix(".py"): cards for path, cards in json.loads(ran.stdout).items()})
        compiled.append(len(list((cache / "__pycache__").glob("*.nbi"))))
    return counts, compiled


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_an_edit_of_whatever_a_strategy_uses_is_noticed(plays, way):
    (before, after, _), _ = plays
    assert before[way] == 0
    # three number cards in each of fifty rounds, some of them broken off or with modifiers and actions on top
    assert after[way] > 100


@pytest.mark.slow
def test_what_has_not_changed_is_not_compiled_again(plays):
    (_, after, again), (_, compiled, compiled_again) = plays
    assert again == after
    assert compiled_again == compiled
