"""Experiments: a file does what the options of a command do, and bad ones are refused by file and key."""

import json
import re

import pytest

from flip7sim.cli import run as running

FOLDER = running._folder()
NAMES = sorted(path.stem for path in FOLDER.glob("*.toml"))
CSV = ["differences.csv", "head_to_head.csv", "lineups.csv", "round_scores.csv", "seats.csv", "summary.csv"]


def same_files(one, other, names):
    return all((one / name).read_bytes() == (other / name).read_bytes() for name in names)


@pytest.fixture
def write(tmp_path):
    def write(text, name="mine.toml"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return name

    return write


TOURNAMENT = """
title = "Who wins?"
[tournament]
schedule = "field"
strategy = ["stop-at(score=20)", "always-stay"]
against = ["always-hit"]
players = 3
games = 120
seed = 7
rules = "us-3.1"
option = { target_score = 60, initial_deal = false }
quiet = true
"""
OPTIONS = (
    *("--schedule", "field", "-s", "stop-at(score=20)", "-s", "always-stay", "-a", "always-hit", "-p", 3, "-g", 120),
    *("--seed", 7, "-r", "us-3.1", "-o", "target_score=60", "-o", "initial_deal=no", "--quiet"),
)


def test_a_file_does_what_the_options_do(run, write, tmp_path):
    ran = run("run", write(TOURNAMENT))
    by_options = run("tournament", *OPTIONS, "--name", "other")
    assert (ran.status, ran.out, ran.err) == (0, by_options.out, "")
    assert same_files(tmp_path / "results" / "mine", tmp_path / "results" / "other", CSV)


def test_options_after_the_file_go_over_it(run, write, tmp_path):
    ran = run("run", write(TOURNAMENT), "--games", 60, "-s", "random", "--out", "here", "--jobs", 1)
    assert ran.status == 0
    manifest = json.loads((tmp_path / "here" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["games"] == 60
    assert [each["strategy"] for each in manifest["strategies"]] == ["random(p=0.2)"]
    assert [each["strategy"] for each in manifest["against"]] == ["always-hit"]
    assert not (tmp_path / "results").exists()


def test_a_sweep_and_a_best_response_are_run_too(run, write, tmp_path):
    text = '[sweep]\nstrategy = "stop-at"\nagainst = ["always-stay"]\ngames = 40\n'
    for values in ('["score=20:22"]', '{ score = "20:22" }', "{ score = [20, 21, 22] }"):
        ran = run("run", write(f"{text}parameters = {values}\n"))
        assert ran.status == 0
        other = run("sweep", "stop-at", "score=20:22", "-a", "always-stay", "-g", 40, "--out", "x")
        assert ran.out == other.out
        assert same_files(tmp_path / "results" / "mine", tmp_path / "x", ["sweep.csv", "best.csv"])
    text = '[best-response]\nparameters = { score = "20:22" }\nstrategy = "stop-at"\nplayers = "2,3"\n'
    ran = run("run", write(f"{text}iterate = true\ngames = 40\n"))
    assert ran.status == 0
    assert ran.out == run("best-response", "stop-at", "score=20:22", "-p", "2,3", "--iterate", "-g", 40).out


def test_a_strategy_file_is_found_from_where_the_program_is_called(run, write):
    write(
        "from flip7sim import strategy\n@strategy(jit=False)\ndef three(me, table):\n    return me.count < 3\n",
        "three.py",
    )
    assert run("run", write('[tournament]\nstrategy = ["./three.py", "always-stay"]\ngames = 20\n')).status == 0


def test_without_a_file_the_experiments_are_listed(run):
    ran = run("run")
    assert ran.status == 0
    assert [line.split()[0] for line in ran.out.splitlines()] == NAMES
    assert ran.errors == [f"run one with: flip7sim run {NAMES[0]}"]
    assert all(re.search(r"  \w+ +\S+ .*[?)]$", line) for line in ran.out.splitlines())


@pytest.mark.parametrize("name", NAMES)
def test_every_experiment_that_comes_with_the_program_can_be_played(run, tmp_path, name):
    assert f"`{name}.toml`" in (FOLDER / "README.md").read_text(encoding="utf-8")
    command = running._read(FOLDER / f"{name}.toml")[0]
    fewer = {"tournament": ("--dry-run",), "sweep": ("--games", 8), "best-response": ("--games", 8)}[command]
    if name == "alone":
        fewer = ("--deck", "numbers")
    ran = run("run", name, *fewer)
    assert ran.status == 0, ran.err
    assert ran.out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no table: it must have one of [tournament], [sweep], [best-response]"),
        ("title = 3\n[tournament]\n", "key 'title' must be a text"),
        ("[tournament]\n[sweep]\n", "has tables tournament, sweep: it must have one of"),
        ("[tournment]\n", "key 'tournment' is unknown; did you mean 'tournament'?"),
        ("tournament = 3\n", "key 'tournament' must be a table: write [tournament] and the options below it"),
        ("[tournament]\ngamse = 3\n", "key 'gamse' of tournament is unknown; did you mean 'games'?"),
        ("[tournament]\ngames = 1.5\n", "key 'games': '1.5' is not a valid integer"),
        ("[tournament]\ngames = [1, 2]\n", "key 'games' must be one value, not a list or a table"),
        ("[tournament]\ngames = 0\n", "games: 0 cannot be played; it must be from 1 to"),
        ("[tournament]\nschedule = 'mixd'\n", "key 'schedule': 'mixd' is not one of"),
        ("[tournament]\nquiet = 1\n", "key 'quiet' must be true or false, not 1"),
        ("[tournament]\nseed = 2020-01-01\n", "key 'seed' cannot be datetime.date(2020, 1, 1): write a text"),
        ("[tournament]\nstrategy = [['a']]\n", "key 'strategy' cannot be ['a']: write a text, a number"),
        ("[tournament]\nstrategy = ['stop']\n", "strategy 'stop' is unknown"),
        ("[tournament]\noption = { target_scor = 3 }\n", "did you mean 'target_score'?"),
        ("[sweep]\nstrategy = 'stop-at'\nparameters = { scor = '2:3' }\n", "scor"),
        ("[sweep]\nparameters = { score = '2:3' }\n", "key 'parameters' needs a key 'strategy' beside it"),
        ("[best-response]\nplayers = 'two'\n", "players: 'two' cannot be read"),
        ("[tournament\n", "is not a TOML text in UTF-8"),
    ],
)
def test_a_bad_file_gets_one_line_that_names_file_and_key(run, write, tmp_path, text, message):
    ran = run("run", write(text))
    assert ran.status == 2
    assert ran.out == ""
    assert len(ran.errors) == 1
    assert ran.errors[0].startswith("flip7sim: error: experiment 'mine.toml'")
    assert message in ran.errors[0]
    assert [path.name for path in tmp_path.iterdir()] == ["mine.toml"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("leage",), "experiment 'leage' is neither a file nor known by name; did you mean 'league'?"),
        (("missing.toml",), "experiment 'missing.toml' is neither a file nor known by name; known: alone, brutal"),
        (("league", "--gamse", 3), "No such option"),
        (("league", "--games", "x"), "'x' is not a valid integer"),
        (("league", "more"), "unexpected extra argument"),
    ],
)
def test_a_bad_call_gets_one_line(run, tmp_path, arguments, message):
    ran = run("run", *arguments)
    assert ran.status == 2
    assert len(ran.errors) == 1
    assert message in ran.errors[0]
    assert not list(tmp_path.iterdir())
