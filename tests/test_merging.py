"""Runs of one experiment are merged if, and only if, they belong together."""

import json

import numpy as np
import pytest
from helpers import csv_texts

from flip7sim.errors import Flip7Error
from flip7sim.merging import merge
from flip7sim.runs.counts import MOST_BATCHES
from flip7sim.runs.stored import COUNTS, unpack
from flip7sim.stats.intervals import ratio_error
from flip7sim.tournaments import tournament

FOUR = ["stop-at(score=25)", "random(p=0.2)", "expected-gain", "always-stay"]


@pytest.fixture
def played(tmp_path):
    """Play with a seed into a folder of its own."""

    def play(seed, games=3000, strategies=FOUR, players=3, **options):
        folder = tmp_path / f"seed-{seed}-{games}"
        result = tournament(strategies, players, games, seed=seed, **options)
        result.save(folder)
        return folder, result

    return play


@pytest.mark.parametrize("games", [(3000, 3000), (3000, 1234), (60, 6001, 6), (60_000, 3)])
def test_what_was_merged_is_the_sum_of_its_parts(tmp_path, played, games):
    parts = [played(seed, number) for seed, number in enumerate(games, 1)]
    merged = merge([folder for folder, _ in parts])
    assert merged.counts.games == sum(games)
    for place, array in enumerate(merged.counts.arrays):
        assert np.array_equal(sum(result.counts.arrays[place] for _, result in parts), array)
        assert np.array_equal(sum(batch.arrays[place] for batch in merged.counts.batches), array)
    assert len(merged.counts.batches) <= MOST_BATCHES
    lengths = [batch.blocks for batch in merged.counts.batches]
    assert max(lengths) < 4 * np.median(lengths) or len(lengths) < 16
    summary = merged.tables.summary.set_index("strategy")
    for number, entrant in enumerate(parts[0][1].plan.entrants):
        sums, moments, blocks = merged.counts.sheet.sums[number], merged.counts.sheet.moments[number], 0
        for _, result in parts:
            blocks += result.counts.blocks
        rate, error = ratio_error(sums, moments, 1, 0, blocks)
        row = summary.loc[entrant.label]
        assert (row["win_rate"], row["win_rate_se"]) == pytest.approx((rate, error))


def test_errors_shrink_as_those_of_more_games(played):
    four = [*FOUR[:3], "stop-at(score=30)"]
    one, two = (played(seed, 30_000, four) for seed in (1, 2))
    whole = tournament(four, 3, 60_000, seed=3)
    merged = merge([one[0], two[0]])
    for table, column in (("summary", "win_rate_se"), ("differences", "difference_se"), ("head_to_head", "share_se")):
        keys = [name for name in ("strategy", "rival") if name in getattr(whole.tables, table)]
        errors = [getattr(each.tables, table).set_index(keys)[column].sort_index() for each in (merged, whole)]
        both = errors[0].index.intersection(errors[1].index)
        assert len(both) >= 4
        assert (errors[0][both] / errors[1][both]).between(0.6, 1.6).all()


def test_the_order_does_not_matter_and_parts_of_parts_can_be_merged(tmp_path, played):
    folders = [played(seed)[0] for seed in (1, 2, 3)]
    one, other = merge(folders), merge(folders[::-1])
    assert csv_texts(one) == csv_texts(other)
    assert one.stored == other.stored
    merge(folders[:2]).save(tmp_path / "two")
    again = merge([folders[2], tmp_path / "two"])
    assert again.tables.summary.equals(one.tables.summary)
    assert [part["seed"] for part in again.manifest["merged"]] == [1, 2, 3]
    assert unpack(tmp_path / "two" / COUNTS).about["seeds"] == [1, 2]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"rules": "us-3.1"}, "it has rules with preset=us-3.1, not preset=fr-2.0"),
        ({"players": 2}, "it has players 2, not 3"),
        ({"strategies": FOUR[:3]}, "it has strategy always-stay, which is in one of them only"),
        ({"strategies": FOUR[::-1]}, "it has the same strategies in another order"),
        ({"schedule": "invasion"}, "it has schedule invasion, not mixed"),
        ({"seed": 1}, "has seed 1, and so has"),
        ({"precision": 0.05}, "stopped when it was sure"),
    ],
)
def test_what_does_not_belong_together_is_not_merged(played, changed, message):
    one, _ = played(1)
    other, _ = played(**({"seed": 2, "games": 3001} | changed))
    with pytest.raises(Flip7Error) as error:
        merge([one, other])
    assert message in str(error.value)
    assert str(other) in str(error.value)


def test_a_strategy_that_was_changed_in_between_is_another(tmp_path, played):
    folders = []
    for seed in (1, 2):
        (tmp_path / str(seed)).mkdir()
        text = f"from flip7sim import strategy\n@strategy(jit=False)\ndef mine(me, table): return me.count < {seed}\n"
        (tmp_path / str(seed) / "mine.py").write_text(text, encoding="utf-8")
        folders.append(played(seed, 60, [f"{tmp_path}/{seed}/mine.py", "always-stay"], 2)[0])
    with pytest.raises(Flip7Error, match="it has another source of strategy mine"):
        merge(folders)


def test_the_command_merges_into_a_result_like_any_other(run, tmp_path):
    words = ("tournament", "-g", 600, *(word for spec in FOUR for word in ("-s", spec)))
    for seed in (7, 5):
        run(*words, "--seed", seed, "--out", f"run {seed}")
    (tmp_path / "gone.py").touch()
    ran = run("merge", "run 7", "run 5")
    assert ran.status == 0
    assert ran.out.startswith("1,200 games, 1 line-up of 4, rules fr-2.0, seeds 5, 7\n")
    assert ran.errors[0].startswith("results in results/merged: summary.csv, ")
    manifest = json.loads((tmp_path / "results" / "merged" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["seed"] is None
    assert [(part["seed"], part["games"]) for part in manifest["merged"]] == [(5, 600), (7, 600)]
    assert manifest["games_played"] == 1200
    assert run("report").status == 0
    page = (tmp_path / "results" / "merged" / "report.html").read_text(encoding="utf-8")
    assert "seeds 5, 7" in page
    assert "flip7sim merge part-5 part-7" in page
    ran = run("tournament", "--again", "results/merged/manifest.json")
    assert ran.errors[0].endswith("is of runs that were merged: play them one by one, each with its seed")
    ran = run(*words, "--seed", 5, "--out", "results/merged", "--resume")
    assert (ran.status, "with seed 5, 7, not 5" in ran.errors[0]) == (2, True)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ((), "merge: it takes two results at least; name their folders"),
        (("a",), "merge: it takes two results at least"),
        (("a", "missing"), "result 'missing' does not exist"),
        (("a", "a"), "has seed 1, and so has 'a'"),
        (("a", "swept"), "result 'swept' is not one of a tournament"),
        (("a", "bare"), "counts 'bare/counts.npz' cannot be read"),
    ],
)
def test_what_cannot_be_merged_gets_one_line(run, tmp_path, names, message):
    run("tournament", "-g", 60, "-s", "always-stay", "--out", "a")
    run("sweep", "stop-at", "score=20:21", "-a", "always-hit", "-g", 8, "--out", "swept")
    run("tournament", "-g", 60, "-s", "always-stay", "--out", "bare")
    (tmp_path / "bare" / COUNTS).unlink()
    ran = run("merge", *names)
    assert ran.status == 2
    assert len(ran.errors) == 1
    assert message in ran.errors[0]
    assert not (tmp_path / "results").exists()
