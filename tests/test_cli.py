"""Every command of the command line, with small counts."""

import csv
import importlib
import importlib.metadata
import io
import json
import signal
import subprocess
import sys
import time

import click
import pytest
from click.testing import CliRunner

from flip7sim.cli.main import COMMANDS, cli
from flip7sim.rules import OPTIONS, PRESETS, Rules
from flip7sim.runs import backends

CSV_FILES = [
    *("differences.csv", "head_to_head.csv", "lineups.csv", "race.csv", "ratings.csv", "round_scores.csv"),
    *("seats.csv", "summary.csv"),
]
SUMMARY = [
    *("strategy", "games", "wins", "win_rate", "win_rate_se", "win_rate_low", "win_rate_high", "unfinished"),
    *("rounds", "round_score", "round_score_se", "bust_rate", "bust_rate_se", "flip7_rate", "flip7_rate_se"),
    *("mean_rank", "mean_rank_se", "rank_low", "rank_high", "win_rate_fair", "win_rate_fair_se"),
]
SMALL = ("tournament", "--games", 420, "-s", "stop-at(score=20)", "-s", "stop-at", "-s", "random(p=0.3)")


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def program(*arguments):
    """The command line in a process of its own."""
    return [sys.executable, "-c", "from flip7sim.cli.main import main; main()", *arguments]


# Help


def all_commands(command=cli, path=()):
    yield path
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            yield from all_commands(command.get_command(click.Context(command), name), (*path, name))


@pytest.mark.parametrize("path", list(all_commands()), ids=" ".join)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_has_help_with_every_option_explained(path, flag):
    result = CliRunner().invoke(cli, [*path, flag], prog_name="flip7sim")
    assert result.exit_code == 0
    assert result.output.startswith("Usage: flip7sim")
    command = cli
    for name in path:
        command = command.get_command(click.Context(command), name)
    assert command.help
    assert all(option.help for option in command.params if isinstance(option, click.Option))


def test_the_list_of_commands_says_what_each_command_says():
    assert set(COMMANDS) == {path[0] for path in all_commands() if path}
    for name, text in COMMANDS.items():
        command = importlib.import_module(f"flip7sim.cli.{name.replace('-', '_')}").command
        assert command.name == name
        assert command.help.splitlines()[0] == text
        assert text in " ".join(CliRunner().invoke(cli, ["--help"]).output.split())


def test_help_wakes_neither_the_compiler_nor_pandas():
    script = "import sys\nfrom flip7sim.cli.main import main\ntry:\n main(['--help'])\nfinally:\n print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.splitlines()[-1].split())
    assert "flip7sim.cli.main" in loaded
    assert not loaded & {"numba", "pandas", "numpy", "scipy", "matplotlib"}


def test_the_version_is_that_of_the_package(run):
    assert run("--version").out == f"flip7sim, version {importlib.metadata.version('flip7sim')}\n"


# Tournaments


def test_a_tournament_prints_a_table_and_writes_its_files(run, tmp_path):
    ran = run(*SMALL, "--seed", 3)
    assert ran.status == 0
    folder = tmp_path / "results" / "tournament"
    assert sorted(path.name for path in folder.iterdir()) == sorted([*CSV_FILES, "counts.npz", "manifest.json"])
    lines = ran.out.splitlines()
    assert lines[0] == "420 games, 1 line-up of 3, rules fr-2.0, seed 3"
    for label in ("stop-at(score=20)", "stop-at(score=25)", "random(p=0.3)"):
        assert any(line.startswith(label) for line in lines)
    assert "rounds per game" in ran.out
    assert ran.errors == [
        "results in results/tournament: summary.csv, lineups.csv, seats.csv, round_scores.csv, differences.csv, "
        "head_to_head.csv, ratings.csv, race.csv, counts.npz, manifest.json"
    ]


def test_the_files_agree_with_each_other(run, tmp_path):
    run(*SMALL, "-s", "always-hit", "--players", 3, "--games", 600, "--out", "here", "--seed", 4)
    tables = {name: rows((tmp_path / "here" / name).read_text(encoding="utf-8")) for name in CSV_FILES}
    summary = tables["summary.csv"]
    assert list(summary[0]) == SUMMARY
    rates = [float(row["win_rate"]) for row in summary]
    assert rates == sorted(rates, reverse=True)
    manifest = json.loads((tmp_path / "here" / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["games"], manifest["games_played"], manifest["interrupted"]) == (600, 600, False)
    assert manifest["rounds_per_game"] > 1
    assert manifest["cards_per_game"] > 10
    assert sum(int(row["wins"]) for row in summary) == 600
    assert sum(int(row["games"]) for row in summary) == 600 * 3
    for row in summary:
        label, low, rate, high = (row[key] for key in ("strategy", "win_rate_low", "win_rate", "win_rate_high"))
        assert float(low) <= float(rate) <= float(high)
        assert abs(float(row["win_rate_fair"]) - float(rate)) < 3 * float(row["win_rate_se"])
        assert 0 < float(row["win_rate_fair_se"]) < 1.1 * float(row["win_rate_se"])
        for name, key in (("lineups.csv", "wins"), ("seats.csv", "wins"), ("lineups.csv", "games")):
            assert sum(int(other[key]) for other in tables[name] if other["strategy"] == label) == int(row[key])
        histogram = [other for other in tables["round_scores.csv"] if other["strategy"] == label]
        assert sum(int(other["rounds"]) for other in histogram) == int(row["rounds"])
        mean = sum(int(other["score"]) * int(other["rounds"]) for other in histogram) / int(row["rounds"])
        assert mean == pytest.approx(float(row["round_score"]))
        assert sum(float(other["share"]) for other in histogram) == pytest.approx(1)
    overall = [row for row in tables["seats.csv"] if row["strategy"] == "(all)"]
    assert [int(row["seat"]) for row in overall] == [1, 2, 3]
    assert [int(row["games"]) for row in overall] == [600] * 3


@pytest.mark.parametrize("form", ["csv", "json"])
def test_stdout_can_be_read_by_programs(run, tmp_path, form):
    ran = run(*SMALL, "--format", form, "--out", "x")
    summary = rows((tmp_path / "x" / "summary.csv").read_text(encoding="utf-8"))
    found = rows(ran.out) if form == "csv" else json.loads(ran.out)
    assert [list(row) for row in found] == [SUMMARY] * 3
    for row, other in zip(found, summary, strict=True):
        assert row["strategy"] == other["strategy"]
        assert float(row["win_rate"]) == pytest.approx(float(other["win_rate"]))
        assert int(row["wins"]) == int(other["wins"])


def test_quiet_says_nothing_on_stderr(run):
    ran = run(*SMALL, "--quiet")
    assert ran.err == ""
    assert ran.out


def test_a_manifest_makes_the_same_run_again(run, tmp_path):
    (tmp_path / "mine.py").write_text(
        "from flip7sim import strategy\n@strategy(jit=False)\ndef mine(me, table, limit=3, p=0.123456789012345):\n"
        "    return me.count < limit and me.score < 100 * p\n",
        encoding="utf-8",
    )
    options = ("--rules", "us-3.1", "--option", "target_score=60", "-o", "initial_deal=no", "--seed", 2**62)
    first = run(*SMALL, "-s", "mine.py:mine(limit=4)", "--players", 2, *options, "--jobs", 2, "--out", "a")
    again = run("tournament", "--again", "a/manifest.json", "--out", "b", "--jobs", 1)
    assert again.out == first.out
    for name in CSV_FILES:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    one, other = (json.loads((tmp_path / folder / "manifest.json").read_text("utf-8")) for folder in "ab")
    told = ("rules", "players", "strategies", "seed", "games", "line_ups", "rounds_per_game", "cards_per_game")
    assert {key: one[key] for key in told} == {key: other[key] for key in told}


def test_unfinished_games_are_told_apart(run, tmp_path):
    ran = run("tournament", "-g", 40, "-s", "always-stay", "-p", 4, "-o", "max_rounds=9")
    assert "unfinished after 9 rounds: 40 games (100.00 %)" in ran.out
    assert json.loads((tmp_path / "results" / "tournament" / "manifest.json").read_text("utf-8"))["unfinished"] == 40


INTERRUPTED = """
import contextlib, pathlib
import flip7sim.cli.tournament as command
@contextlib.contextmanager
def bar(total, quiet):
    yield lambda done: pathlib.Path("begun").touch()
command.progress_bar = bar
from flip7sim.cli.main import main
main(["tournament", "--games", "1000000000", "--out", "here", "--jobs", "1"])
"""


def test_ctrl_c_saves_what_was_done(tmp_path):
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED], cwd=tmp_path, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
    deadline = time.monotonic() + 180
    while not (tmp_path / "begun").exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130
    manifest = json.loads((tmp_path / "here" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["interrupted"]
    assert 0 < manifest["games_played"] < manifest["games"] == 1_000_000_000
    played = f"{manifest['games_played']:,}"
    assert (
        f"interrupted after {played} of 1,000,000,000 games; those are saved in here, and --resume goes on from there"
        in err
    )
    assert "Traceback" not in err
    assert out.startswith(f"{played} games")
    wins = sum(int(row["wins"]) for row in rows((tmp_path / "here" / "summary.csv").read_text(encoding="utf-8")))
    assert wins == manifest["games_played"]


def test_ctrl_c_before_the_first_game_leaves_nothing(run, tmp_path, monkeypatch):
    pressed = []

    class Impatient(backends.ThreadPoolExecutor):
        def submit(self, *work):
            if not pressed:
                pressed.append(True)
                signal.raise_signal(signal.SIGINT)
            return super().submit(*work)

    monkeypatch.setattr(backends, "ThreadPoolExecutor", Impatient)
    ran = run("tournament", "--games", 100, "-s", "stop-at", "--jobs", 1, "--out", "here")
    assert ran.status == 130
    assert len(ran.errors) == 1
    assert not list(tmp_path.rglob("*.*"))


# The other commands


def test_strategies_are_listed_shown_and_checked(run):
    listed = run("strategies")
    assert listed.status == 0
    assert listed.out == run("strategies", "list").out
    assert "stop-at(score=25)" in listed.out
    names = {row["strategy"] for row in rows(run("strategies", "list", "--format", "csv").out)}
    assert names == {row["strategy"] for row in json.loads(run("strategies", "list", "--format", "json").out)}
    for name in names:
        shown = run("strategies", "show", name)
        assert shown.status == 0
        assert "def " in shown.out
        assert "target = leader" in shown.out
    checked = run("strategies", "check", "stop-at(score=30)", "random")
    assert checked.status == 0
    assert [line.split(":")[0] for line in checked.out.splitlines()] == [
        "ok    stop-at(score=30)",
        "ok    random(p=0.2)",
    ]


def test_a_strategy_that_breaks_the_contract_is_status_1(run, tmp_path):
    text = "from flip7sim import strategy\n@strategy(jit=False)\ndef seven(me, table):\n    return 7\n"
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    ran = run("strategies", "check", "mine.py")
    assert ran.status == 1
    assert ran.out.startswith("FAIL  seven: at table ")
    assert "answered 7, which is neither 1 (hit) nor 0 (stay)" in ran.out


def test_rules_are_listed_and_shown(run, tmp_path):
    listed = run("rules").out
    assert listed == run("rules", "list").out
    assert all(name in listed for name in [*PRESETS, *OPTIONS])
    for preset, rules in PRESETS.items():
        assert Rules.from_toml(run("rules", "show", preset, "--format", "toml").out) == rules
        assert Rules.from_json(run("rules", "show", preset, "--format", "json").out) == rules
        assert run("rules", "show", preset).out.startswith(preset)
    changed = run("rules", "show", "us-3.1", "-o", "target_score=300", "--format", "toml").out
    (tmp_path / "house.toml").write_text(changed, encoding="utf-8")
    assert run("rules", "show", "house.toml").out.startswith("us-3.1 with target_score=300")


@pytest.mark.parametrize("form", ["toml", "json"])
def test_a_tournament_takes_rules_from_a_file(run, tmp_path, form):
    rules = Rules.of("us-3.1", target_score=60)
    (tmp_path / f"house.{form}").write_text(getattr(rules, f"to_{form}")(), encoding="utf-8")
    run(*SMALL, "--rules", f"house.{form}", "--out", "a")
    run(*SMALL, "--rules", "us-3.1", "--option", "target_score=60", "--out", "b")
    for name in CSV_FILES:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_bench_prints_figures_and_one_object_as_json(run):
    told = run("bench", "--games", 200)
    assert told.status == 0
    assert "games a second" in told.out
    result = json.loads(run("bench", "always-hit", "stop-at", "--players", 2, "--games", 100, "--json").out)
    assert (result["games"], result["players"], result["jobs"]) == (100, 2, 1)
    assert result["cards"] > 100
    timed = ("cpu_seconds", "wall_seconds", "games_per_cpu_second", "games_per_second", "compile_seconds")
    assert all(result[key] > 0 for key in timed)


def test_a_game_is_told_exported_and_played_again(run, tmp_path):
    game = ("--seed", 7, "--game", 12, "-s", "stop-at", "-s", "always-hit(target=random)", "-r", "us-3.1")
    told = run("replay", *game)
    assert told.status == 0
    assert told.out.startswith("Game 12 of seed 7, us-3.1\n")
    assert "wins with" in told.out.splitlines()[-1]
    events = json.loads(run("replay", *game, "--json").out)["events"]
    assert events[-1]["event"] == "win"
    written = run("replay", *game, "--export", "--out", "game.toml")
    assert (written.out, written.errors) == ("", ["written: game.toml"])
    assert run("replay", *game, "--export").out == (tmp_path / "game.toml").read_text(encoding="utf-8")
    for engine in ("fast", "reference", "both"):
        played = run("replay", "game.toml", "--engine", engine)
        assert played.status == 0
        assert "as expected" in played.out
    (result,) = json.loads(run("replay", "game.toml", "--json").out)
    assert result["ok"]
    assert result["mismatches"] == []


def test_a_replay_that_comes_out_otherwise_is_status_1(run, tmp_path):
    (tmp_path / "x.toml").write_text("[[seat]]\nnumbers = [3]\n[expect.seat.A]\nscore = 4\n", encoding="utf-8")
    ran = run("replay", "x.toml")
    assert ran.status == 1
    assert "MISMATCH seat.A.score: expected 4, got 3" in ran.out
    (result,) = json.loads(run("replay", "x.toml", "--json").out)
    assert result["mismatches"] == [{"field": "seat.A.score", "expected": 4, "got": 3}]


def test_a_reader_that_goes_away_is_no_error():
    with subprocess.Popen(program("rules"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.close()
        complaints = process.stderr.read()
    assert (process.returncode, complaints) == (0, "")


@pytest.mark.parametrize(("games", "taken_out"), [(60, False), (600, True)])
def test_it_is_said_where_luck_is_taken_out(run, games, taken_out):
    """With few batches it is not (see `paired.FEWEST_BATCHES`)."""
    table = ("stop-at", "score=20,30", "-a", "stop-at", "-p", 4, "-g", games)
    assert ("luck is taken out" in run("sweep", *table).out) is taken_out
    assert ("luck is taken out" in run("best-response", *table).out) is taken_out
    rivals = ("-s", "stop-at", "-s", "random", "-p", 4)
    assert ("before luck was taken out" in run("tournament", *rivals, "-g", games).out) is taken_out
    assert "differences in wins" not in run("tournament", "-s", "stop-at", "-g", games).out
