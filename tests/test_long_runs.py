"""Runs that are cut short go on later, to the same bytes; files of counts hold all that was counted."""

import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from helpers import csv_texts

from flip7sim.errors import Flip7Error
from flip7sim.runs import items, stored
from flip7sim.runs import simulate as simulation
from flip7sim.runs.simulate import simulate
from flip7sim.runs.stored import CHECKPOINT, COUNTS, Recorder, about, pack, unpack
from flip7sim.sequential import Goal
from flip7sim.tournaments import plan, play_plan, tournament

FOUR = ["stop-at(score=25)", "random(p=0.2)", "expected-gain", "always-stay"]
#: 4 line-ups of 3: at the end some have a block more than others, and one a part of one.
GAMES = 9003


def texts(folder):
    """The files of a result that are a function of what was played."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "manifest.json"}


@pytest.fixture
def small_items(monkeypatch):
    monkeypatch.setattr(simulation, "ITEM_SEATS", 2_000)


# Files of counts


@pytest.mark.parametrize("games", [1, 12, 500, GAMES])
def test_a_file_holds_the_counts_exactly(tmp_path, games, small_items):
    what = plan(FOUR, 3, games, seed=5)
    played = play_plan(what, 2)
    (tmp_path / COUNTS).write_bytes(played.stored)
    found = unpack(tmp_path / COUNTS)
    for place, array in enumerate(played.counts.arrays):
        assert np.array_equal(sum(batch.arrays[place] for batch in found.batches), array)
    assert sum(batch.games for batch in found.batches) == games
    whole = found.counts(what)
    assert whole.blocks == what.whole_blocks
    assert whole.games == 12 * what.whole_blocks
    fewer = simulate(plan(FOUR, 3, 12 * what.whole_blocks, seed=5), 1) if what.whole_blocks else whole
    assert len(whole.batches) == len(fewer.batches)
    for one, other in zip([whole, *whole.batches], [fewer, *fewer.batches], strict=True):
        assert (one.games, one.blocks, one.lowest_score) == (other.games, other.blocks, other.lowest_score)
        assert all(np.array_equal(a, b) for a, b in zip(one.arrays, other.arrays, strict=True))


def test_a_file_can_be_read_without_the_program(tmp_path):
    played = tournament(FOUR, 3, 600, seed=5)
    played.save(tmp_path)
    with np.load(tmp_path / COUNTS) as data:
        assert '"seeds": [5]' in str(data["about"])
        assert data["line_ups"].tolist() == [list(lineup) for lineup in played.plan.lineups]
        assert data["games"].sum() == 600
        assert np.array_equal(data["sheet_pairs"].sum(axis=0, dtype=np.int64), played.counts.sheet.pairs)


def test_a_file_takes_no_more_room_than_it_must():
    # Counts of a default tournament: 600 kB; of 8 bytes each they would take five megabytes.
    played = tournament(FOUR, 3, 4 * 3 * 128, seed=5)
    assert len(played.counts.batches) == 64
    assert len(played.stored) < sum(array.nbytes for array in played.counts.arrays) * 64 / 8


@pytest.mark.parametrize("text", [b"", b"PK", b"no archive"])
def test_a_damaged_file_is_refused(tmp_path, text):
    (tmp_path / COUNTS).write_bytes(text)
    with pytest.raises(Flip7Error, match=r"counts '.*counts.npz' are damaged: .*; play the run again"):
        unpack(tmp_path / COUNTS)


def test_a_file_that_was_cut_is_refused(tmp_path):
    whole = tournament(FOUR, 3, 600, seed=5).stored
    for length in (len(whole) - 1, len(whole) // 2):
        (tmp_path / COUNTS).write_bytes(whole[:length])
        with pytest.raises(Flip7Error, match="are damaged"):
            unpack(tmp_path / COUNTS)


# Going on


def test_a_run_goes_on_from_any_checkpoint_to_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(simulation, "ITEM_SEATS", 8_000)
    what = plan(FOUR, 3, GAMES, seed=5)
    monkeypatch.setattr(stored, "PATIENCE", 0.0)
    seen = []
    recorder = Recorder(what, tmp_path, 0.0)

    def keep(games):
        text = (tmp_path / CHECKPOINT).read_bytes()
        if text not in seen:
            seen.append(text)

    usual = play_plan(what, 2, keep, recorder=recorder)
    assert len(seen) > 10
    for text in [*random.Random(2).sample(seen, 5), seen[-1]]:
        (tmp_path / CHECKPOINT).write_bytes(text)
        played = play_plan(what, 2, recorder=Recorder(what, tmp_path), resume=True)
        assert played.manifest["resumed_from"] == sum(batch.games for batch in unpack(tmp_path / CHECKPOINT).batches)
        assert csv_texts(played) == csv_texts(usual)
        assert played.stored == usual.stored
    recorder.forget()
    assert not list(tmp_path.iterdir())


def test_a_finished_run_goes_on_to_more_games(run, tmp_path, small_items):
    options = ("tournament", *(word for spec in FOUR for word in ("-s", spec)), "-p", 3, "--quiet")
    for games in (50, 5000, 5000, GAMES):
        assert run(*options, "-g", games, "--out", "a", "--resume").status == 0
    run(*options, "-g", GAMES, "--out", "b")
    assert texts(tmp_path / "a") == texts(tmp_path / "b")
    ran = run(*options, "-g", 600, "--out", "a", "--resume")
    assert ran.status == 2
    assert ran.errors == ["flip7sim: error: games: 600 are fewer than have been played already (9,000)"]
    assert texts(tmp_path / "a") == texts(tmp_path / "b")


def test_a_run_that_stops_when_it_is_sure_goes_on_to_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(simulation, "ITEM_SEATS", 8_000)
    monkeypatch.setattr(stored, "PATIENCE", 0.0)
    what, goal = plan(FOUR, 3, 10**6, seed=5), Goal(0.02)
    seen = []
    usual = play_plan(what, 2, lambda games: seen.append((tmp_path / CHECKPOINT).read_bytes()), goal,
                      Recorder(what, tmp_path, 0.0))  # fmt: skip
    assert usual.counts.looks > 2
    assert usual.counts.games < 10**5
    for text in [*random.Random(3).sample(seen, 3), seen[-1]]:
        (tmp_path / CHECKPOINT).write_bytes(text)
        played = play_plan(what, 2, goal=goal, recorder=Recorder(what, tmp_path), resume=True)
        assert csv_texts(played) == csv_texts(usual)
        assert played.stored == usual.stored


def test_ctrl_c_leaves_what_resume_goes_on_from(run, tmp_path, monkeypatch, small_items):
    usual = run("tournament", "-s", FOUR[0], "-s", FOUR[3], "-g", 9000, "--out", "b").out
    before = items.Prepared.play

    pressed = []

    def press_ctrl_c(self, first, blocks, logged):
        if first > 1000 and not pressed:
            pressed.append(first)
            signal.raise_signal(signal.SIGINT)
        return before(self, first, blocks, logged)

    with monkeypatch.context() as patch:
        patch.setattr(items.Prepared, "play", press_ctrl_c)
        ran = run("tournament", "-s", FOUR[0], "-s", FOUR[3], "-g", 9000, "-j", 1, "--out", "a")
    assert ran.status == 130
    assert "are saved in a, and --resume goes on from there" in ran.err
    assert texts(tmp_path / "a") != texts(tmp_path / "b")
    ran = run("tournament", "-s", FOUR[0], "-s", FOUR[3], "-g", 9000, "--out", "a", "--resume")
    assert (ran.status, ran.out) == (0, usual)
    assert texts(tmp_path / "a") == texts(tmp_path / "b")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (("--seed", 3), "with seed 2, not 3"),
        (("-p", 2), "with players 3, not 2"),
        (("-o", "target_score=60"), "with rules with target_score=200, not target_score=60"),
        (("-s", "stop-at(score=20)"), "with strategy stop-at(score=20), which is in one of them only"),
        (("--schedule", "invasion"), "with schedule mixed, not invasion"),
    ],
)
def test_another_run_is_not_gone_on_with(run, tmp_path, changed, message):
    options = ("tournament", *(word for spec in FOUR[:3] for word in ("-s", spec)), "-g", 60, "--seed", 2, "-p", 3)
    run(*options, "--out", "a")
    before = texts(tmp_path / "a")
    ran = run(*options, "--out", "a", *changed, "--resume")
    assert ran.status == 2
    assert len(ran.errors) == 1
    assert message in ran.errors[0]
    assert ran.errors[0].endswith("leave --resume out, or choose another")
    assert texts(tmp_path / "a") == before


def test_a_strategy_that_has_changed_is_another_run(tmp_path):
    entrants = []
    for limit in "34":
        (tmp_path / limit).mkdir()
        text = f"from flip7sim import strategy\n@strategy(jit=False)\ndef mine(me, table): return me.count < {limit}\n"
        (tmp_path / limit / "mine.py").write_text(text, encoding="utf-8")
        entrants.append(f"{tmp_path / limit}/mine.py")
    tournament([entrants[0], "always-stay"], 2, 40).save(tmp_path)
    what = plan([entrants[1], "always-stay"], 2, 40)
    with pytest.raises(Flip7Error, match="with another source of strategy mine: leave --resume out"):
        play_plan(what, recorder=Recorder(what, tmp_path), resume=True)


def test_resume_with_nothing_there_begins(run, tmp_path):
    ran = run("tournament", "-s", "always-stay", "-g", 40, "--out", "a", "--resume")
    assert ran.status == 0
    run("tournament", "-s", "always-stay", "-g", 40, "--out", "b")
    assert texts(tmp_path / "a") == texts(tmp_path / "b")


def test_a_run_that_takes_the_place_of_another_says_so(run, tmp_path):
    (tmp_path / "a").mkdir()
    what = plan(["always-hit"], games=40)
    counts = simulate(what, 1)
    (tmp_path / "a" / CHECKPOINT).write_bytes(pack(about(what) | {"lowest_score": 0}, counts.batches, 1))
    ran = run("tournament", "-s", "always-stay", "-g", 40, "--out", "a")
    assert ran.status == 0
    assert "a holds a run that was cut short, which this one takes the place of (--resume goes on" in ran.errors[0]
    assert not (tmp_path / "a" / CHECKPOINT).exists()


@pytest.mark.slow
def test_a_run_that_is_killed_again_and_again_comes_to_the_same_bytes(tmp_path):
    words = ["tournament", *(word for spec in FOUR for word in ("-s", spec)), "-p", "3", "-g", "300007", "--seed", "9"]
    program = [sys.executable, "-c", "from flip7sim.cli.main import main; main()", *words, "--quiet", "--out"]
    subprocess.run([*program, "whole"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    dice, place, kills = random.Random(1), tmp_path / "cut" / CHECKPOINT, 0
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        written = place.stat().st_mtime_ns if place.exists() else 0
        command = [*program, "cut", "--resume", "--checkpoint", "0"]
        with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL) as process:
            while kills < 3 and process.poll() is None:
                if place.exists() and place.stat().st_mtime_ns != written:
                    time.sleep(dice.random() * 0.2)
                    process.kill()
                    kills += 1
                    break
                time.sleep(0.002)
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL
    assert process.returncode == 0
    assert kills >= 2
    assert texts(tmp_path / "cut") == texts(tmp_path / "whole")
