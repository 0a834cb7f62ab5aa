"""Without the compiler (NUMBA_DISABLE_JIT=1) everything is the same to the byte, only slower."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

REPLAYS = Path(__file__).parent / "replays"
CSV_FILES = [
    *("differences.csv", "head_to_head.csv", "lineups.csv", "race.csv", "ratings.csv", "round_scores.csv"),
    *("seats.csv", "summary.csv"),
]
TOURNAMENTS = {
    "many": ("--games", "24", "--players", "4", "--seed", "6"),
    "mixed": (
        *("--games", "9", "--rules", "us-3.1", "--option", "target_score=60"),
        *("-s", "stop-at(score=30,target=self)", "-s", "random(p=0.2,target=random)"),
        *("-s", "bust-limit(counting=no,target=most-to-lose)"),
    ),
    "alone": ("--games", "3", "-s", "expected-gain", "--players", "1", "--option", "flip7_size=4"),
    "vengeance": (
        *("--games", "12", "--rules", "vengeance-brutal", "-s", "under-attack", "-s", "random(target=random)"),
        *("-s", "stop-at(score=40,target=self)", "-s", "bust-limit(counting=no,target=most-to-lose)"),
    ),
    "begun": ("--games", "20", "-s", "stop-at", "-s", "random", "--totals", "120,30", "--option", "max_rounds=60"),
    "crowded": ("--games", "19", "--option", "max_rounds=1", "--players", "19"),
}


def run_flip7sim(folder, *arguments, jit):
    """Run a command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", "from flip7sim.cli.main import main; main()", *arguments],
        cwd=folder,
        env=os.environ | {"NUMBA_DISABLE_JIT": "0" if jit else "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )


def flip7sim(folder, *arguments, jit):
    """What a command prints that ends well."""
    ran = run_flip7sim(folder, *arguments, jit=jit)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", TOURNAMENTS)
def test_a_tournament_is_the_same_to_the_byte(tmp_path, name):
    shown = [flip7sim(tmp_path, "tournament", *TOURNAMENTS[name], "--out", str(jit), jit=jit) for jit in (True, False)]
    assert shown[0] == shown[1]
    for file in CSV_FILES:
        assert (tmp_path / "True" / file).read_bytes() == (tmp_path / "False" / file).read_bytes()


@pytest.mark.slow
def test_replay_files_play_in_both_engines(tmp_path):
    files = [str(path) for path in sorted(REPLAYS.glob("*.toml"))]
    out = flip7sim(tmp_path, "replay", "--engine", "both", *files, jit=False)
    assert f"{len(files)} of {len(files)} files as expected" in out
    assert out == flip7sim(tmp_path, "replay", "--engine", "both", *files, jit=True)


@pytest.mark.slow
def test_a_game_is_told_and_exported_just_the_same(tmp_path):
    game = ("replay", "--seed", "3", "--game", "5", "-s", "stop-at", "-s", "random(target=random)", "-s", "always-hit")
    for how in ((), ("--json",), ("--export",)):
        assert flip7sim(tmp_path, *game, *how, jit=False) == flip7sim(tmp_path, *game, *how, jit=True)


@pytest.mark.slow
def test_a_strategy_can_be_checked(tmp_path):
    checked = [flip7sim(tmp_path, "strategies", "check", "bust-limit", jit=jit) for jit in (True, False)]
    assert checked[0].startswith("ok    bust-limit(p=0.25): ")
    # the same tables; only what a decision costs is another matter
    assert checked[0].split(",")[:2] == checked[1].split(",")[:2]


@pytest.mark.slow
def test_a_strategy_that_raises_is_named_too(tmp_path):
    text = "from flip7sim import strategy\n@strategy\ndef mine(me, table):\n    return me.count < 3 or me.no_field\n"
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    ran = run_flip7sim(tmp_path, "tournament", "--games", "5", "-s", "mine.py", "-s", "stop-at", jit=False)
    assert ran.returncode == 2
    (line,) = ran.stderr.splitlines()
    assert line.startswith("flip7sim: error: strategy mine raised AttributeError: ")
    assert "see it with: flip7sim replay --export" in line
