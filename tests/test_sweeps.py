"""Sweeps: the values, the common deals, what is told of the best, and the command."""

import csv
import io
import itertools
import json
import signal

import numpy as np
import pytest

from flip7sim.alone import evaluate
from flip7sim.engine.batch import BUSTS, GAMES, ROUNDS, SCORE, WINS
from flip7sim.errors import Flip7Error
from flip7sim.policy.registry import find
from flip7sim.runs import simulate as simulation
from flip7sim.runs.counts import Plan
from flip7sim.runs.grids import grid_of, spread
from flip7sim.runs.simulate import simulate
from flip7sim.stats.comparisons import fair_win_rates
from flip7sim.stats.paired import Estimates, expected_rounds, jackknifed, may_be_best, ratios
from flip7sim.sweeps.plans import sweep_plan
from flip7sim.sweeps.play import GOALS, sweep

FIELD = ["stop-at(score=25)", "expected-gain(counting=no)", "random(p=0.3)"]


def texts(played):
    return [table.to_csv(index=False) for table in (played.table, played.best)]


# Values


@pytest.mark.parametrize(
    ("strategy", "name", "text", "values"),
    [
        ("stop-at", "score", "10:13", [10, 11, 12, 13]),
        ("stop-at", "score", "10:20:5", [10, 15, 20]),
        ("stop-at", "score", "10:19:5", [10, 15]),
        ("stop-at", "score", "30,10:12,11", [30, 10, 11, 12]),
        ("bust-limit", "p", "0.1:0.25:0.05", [0.1, 0.15, 0.2, 0.25]),
        ("bust-limit", "p", "0:1", [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]),
        ("bust-limit", "counting", "no,yes", [False, True]),
        ("stop-at", "target", "self,leader", ["self", "leader"]),
        ("stop-at", "score", [7, 8], [7, 8]),
    ],
)
def test_values_are_read_as_they_are_written(strategy, name, text, values):
    candidates, found = grid_of(strategy, {name: text})
    assert found == {name: values}
    assert [candidate.parameters[name] for candidate in candidates] == values


def test_two_parameters_make_pairs_and_the_others_stay():
    candidates, _ = grid_of("bust-limit(target=self)", {"p": "0.1,0.2", "counting": "yes,no"})
    assert [candidate.label for candidate in candidates] == [
        "bust-limit(p=0.1,target=self)",
        "bust-limit(p=0.1,counting=no,target=self)",
        "bust-limit(p=0.2,target=self)",
        "bust-limit(p=0.2,counting=no,target=self)",
    ]
    assert all(find(candidate.spec).values == candidate.values for candidate in candidates)


def test_candidates_from_a_file_are_found_again(tmp_path):
    path = tmp_path / "own.py"
    path.write_text(
        "from flip7sim import strategy\n@strategy\ndef own(me, table, at=3):\n    return me.count < at\n",
        encoding="utf-8",
    )
    candidates, _ = grid_of(f"{path}:own", {"at": "2:3"})
    assert [candidate.spec for candidate in candidates] == [f"{path}:own(at=2)", f"{path}:own(at=3)"]


@pytest.mark.parametrize(
    ("strategy", "parameters", "message"),
    [
        ("stop-at", {}, "strategy stop-at: name one parameter or two and their values, for instance score=0:50"),
        ("stop-at", {"score": "1:2", "target": "self", "x": "1"}, "name one parameter or two"),
        ("always-hit", {"x": "1"}, "parameter 'x' is unknown"),
        ("stop-at", {"scor": "1"}, "parameter 'scor' is unknown; did you mean 'score'"),
        ("stop-at", {"score": "9:1"}, "score=9:1 cannot be read; write first:last"),
        ("stop-at", {"score": "1:9:0"}, "score=1:9:0 cannot be read"),
        ("stop-at", {"score": "1:9:1:1"}, "cannot be read"),
        ("stop-at", {"score": "1:nan"}, "cannot be read"),
        ("stop-at", {"score": "a:b"}, "cannot be read"),
        ("stop-at", {"score": "1.5"}, "it must be a whole number from 0 to 1000"),
        ("stop-at", {"score": "0:2000"}, "too many values"),
        ("stop-at", {"score": []}, "parameter score: name a value"),
        ("stop-at", {"target": "leader:self"}, "cannot be read"),
        ("bust-limit", {"p": "0:1:0.01", "target": "self,leader,random,weakest,most-to-lose"}, "505 combinations"),
    ],
)
def test_values_that_cannot_be(strategy, parameters, message):
    with pytest.raises(Flip7Error, match=message):
        grid_of(strategy, parameters)


def test_a_range_in_a_strategy_is_one_for_each_value(tmp_path):
    path = tmp_path / "own (2).py"
    path.write_text(
        "from flip7sim import strategy\n@strategy\ndef own(me, table, at=3):\n    return me.count < at\n",
        encoding="utf-8",
    )
    found = spread(["stop-at(score=20:30:5,target=self)", "bust-limit(p=0.25)", f"{path}:own(at=2:3)", "always-hit"])
    assert [each.label for each in found] == [
        *(f"stop-at(score={score},target=self)" for score in (20, 25, 30)),
        *("bust-limit(p=0.25)", "own(at=2)", "own(at=3)", "always-hit"),
    ]
    with pytest.raises(Flip7Error, match="score=30:20 cannot be read"):
        spread(["stop-at(score=30:20)"])
    with pytest.raises(Flip7Error, match="'stop-at\\(score=20:30' cannot be read"):
        spread(["stop-at(score=20:30"])
    for twice in ("score=20:30,score=25", "score=20:30,score=31:32"):
        with pytest.raises(Flip7Error, match="parameter 'score' is given twice"):
            spread([f"stop-at({twice})"])


# Statistics


def test_a_difference_of_ratios_has_the_error_of_the_differences():
    dice = np.random.default_rng(1)
    shared = dice.integers(0, 500, 40)
    own = dice.integers(0, 40, (3, 40))
    under = np.full((3, 40), 1000)
    estimates = ratios(shared + own, under)
    differences, errors = estimates.differences(1)
    by_batch = (own[0] - own[1]) / 1000
    assert differences[0] == pytest.approx(by_batch.mean())
    assert errors[0] == pytest.approx(by_batch.std(ddof=1) / np.sqrt(40))
    assert errors[0] < estimates.errors[0] / 5
    assert (differences[1], errors[1]) == (0, 0)


def test_the_jackknife_of_a_mean_is_the_error_of_the_mean():
    values = np.random.default_rng(2).normal(size=(2, 30))
    without = (values.sum(axis=1, keepdims=True) - values) / 29
    one = jackknifed(values.mean(axis=1), without)
    other = ratios((values * 2**40).astype(np.int64), np.full((2, 30), 2**40))
    assert one.errors == pytest.approx(other.errors)
    assert one.influence == pytest.approx(other.influence)


@pytest.mark.parametrize("spec", ["stop-at(score=25)", "stop-at-cards(count=6)", "always-hit"])
def test_the_mean_number_of_rounds_is_that_of_its_distribution(spec):
    (alone,) = evaluate([spec], "numbers")
    found = expected_rounds(alone.distribution.scores)
    assert float(found) == pytest.approx(alone.summary["rounds_to_200"], rel=1e-9)


def test_who_never_scores_needs_no_number_of_rounds():
    assert np.isnan(expected_rounds(np.array([[7, 0, 0], [0, 0, 0]]))).all()
    assert expected_rounds(np.array([0, 1])) == 200


def test_one_batch_tells_nothing_apart():
    estimates = ratios(np.array([[3], [9]]), np.array([[10], [10]]))
    assert np.isnan(estimates.errors).all()
    best, may_be = may_be_best(estimates, 1)
    assert (best, may_be.tolist()) == (1, [True, True])


def test_exact_values_tell_all_apart_but_what_is_equal():
    estimates = Estimates(np.array([1.0, 2.0, 2.0, np.nan]), np.zeros((4, 0)))
    assert estimates.exact
    assert may_be_best(estimates, 1)[1].tolist() == [False, True, True, False]
    assert may_be_best(estimates, -1)[1].tolist() == [True, False, False, False]


def test_the_set_holds_the_true_best_as_often_as_it_says_and_sheds_what_is_worse():
    dice = np.random.default_rng(3)
    truth = np.array([1.0, 1.0, 0.98, 0.5])
    held = worse = 0
    for _ in range(400):
        shared = dice.normal(size=50)
        found = truth[:, None] + shared + 0.3 * dice.normal(size=(4, 50))
        value = found.mean(axis=1)
        _, may_be = may_be_best(Estimates(value, (found - value[:, None]) / 50), 1)
        held += may_be[0]
        worse += may_be[3]
    # 95 % are promised; Bonferroni's bound gives a little more
    assert held >= 380
    assert worse == 0


# Alone


def test_alone_it_is_what_the_exact_solver_says():
    played = sweep("stop-at", {"score": "20:24"}, deck="numbers")
    assert played.manifest["exact"]
    expected = evaluate([f"stop-at(score={score})" for score in range(20, 25)], "numbers")
    for row, alone in zip(played.table.to_dict("records"), expected, strict=True):
        assert row["strategy"] == alone.strategy
        assert row["round_score"] == alone.distribution.expected_score
        assert row["bust_rate"] == alone.distribution.bust
        assert row["round_score_se"] == row["bust_rate_se"] == 0
    best = played.best[played.best["best"] & (played.best["measure"] == "round_score")]
    # 23, as others have found (with another deck)
    assert list(best["score"]) == [23]


@pytest.mark.parametrize("measure", ["round_score", "bust_rate", "flip7_rate", "rounds_to_200"])
def test_simulated_it_agrees_with_what_is_exact(measure):
    grid = {"score": "15:55:8"}
    exact = sweep("stop-at", grid).table
    played = sweep("stop-at", grid, method="simulate", games=200_000, seed=11)
    assert not played.manifest["exact"]
    away = (played.table[measure] - exact[measure]) / played.table[f"{measure}_se"].replace(0, np.inf)
    assert away.abs().max() < 4
    assert (played.table["rounds"] == 200_000).all()


def test_what_cannot_be_exact_is_simulated():
    played = sweep("random", {"p": "0,0.5"}, games=500, deck="numbers")
    assert not played.manifest["exact"]
    assert not sweep("stop-at", {"score": "20"}, deck="full", games=500).manifest["exact"]
    with pytest.raises(Flip7Error, match="plays at random"):
        sweep("random", {"p": "0,0.5"}, method="exact", deck="numbers")


# At a table


def test_a_candidate_plays_what_its_line_up_plays():
    played = sweep("stop-at", {"score": "20,30"}, ["expected-gain"], games=1000, seed=3)
    for row in played.table.to_dict("records"):
        entrants = (find(row["strategy"]), find("expected-gain"))
        plan = Plan(played.plan.rules, entrants, ((0, 1),), (1000,), 3, schedule="field", field=1)
        counts = simulate(plan)
        sums = counts.sheet.sums[0]
        assert row["wins"] == sums[WINS]
        fair = fair_win_rates(plan, counts)
        assert (row["win_rate"], row["win_rate_se"]) == (fair.value[0], fair.errors[0])
        assert 0 < abs(row["win_rate"] - sums[WINS] / sums[GAMES]) < 3 * row["win_rate_se"]
        assert 0 < abs(row["round_score"] - sums[SCORE] / sums[ROUNDS]) < 3 * row["round_score_se"]
        assert row["bust_rate"] == sums[BUSTS] / sums[ROUNDS]


def test_another_candidate_changes_nothing_of_the_others():
    few = sweep("stop-at", {"score": "20,30"}, FIELD, games=400).table
    many = sweep("stop-at", {"score": "20,25,30"}, FIELD, games=400).table
    assert many[many["score"] != 25].to_csv(index=False) == few.to_csv(index=False)


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_number_of_jobs_does_not_change_a_byte(jobs, monkeypatch):
    monkeypatch.setattr(simulation, "ITEM_SEATS", 700)
    for against in ([], FIELD):
        arguments = {"against": against, "games": 300, "method": "simulate"}
        one, other = (sweep("stop-at", {"score": "20:22"}, jobs=n, **arguments) for n in (2, jobs))
        assert texts(one) == texts(other)


def test_all_line_ups_of_the_field_are_met_equally_often():
    plan = sweep_plan("stop-at", {"score": "20,21"}, FIELD, players=3, games=900).table
    opponents = [tuple(plan.entrants[place].label for place in lineup[1:]) for lineup in plan.lineups]
    assert sorted(set(opponents)) == sorted(itertools.combinations(sorted(FIELD), 2))
    assert set(plan.games) == {300}
    assert [lineup[0] for lineup in plan.lineups] == [0, 0, 0, 1, 1, 1]


def test_a_field_of_one_fills_the_table():
    plan = sweep_plan("stop-at", {"score": "20"}, ["stop-at(score=20)"], players=4).table
    assert plan.lineups == ((0, 1, 1, 1),)
    assert sweep_plan(against=FIELD).players == 4


def test_against_itself_it_wins_its_share():
    row = sweep("stop-at", {"score": "25"}, ["stop-at(score=25)"], players=4, games=40_000).table.iloc[0]
    assert abs(row["win_rate"] - 0.25) < 4 * row["win_rate_se"]
    assert row["win_rate_low"] < 0.25 < row["win_rate_high"]


def test_common_deals_make_neighbours_easy_to_tell_apart():
    played = sweep("stop-at", {"score": "27,28"}, ["stop-at(score=25)"], players=4, games=40_000)
    errors = played.table["win_rate_se"]
    rows = played.best[played.best["measure"] == "win_rate"]
    paired = rows["difference_se"].max()
    # measured: a third of the variance of two independent runs
    assert paired**2 < 0.6 * (errors**2).sum()


def test_the_best_is_the_best_of_the_table():
    played = sweep("stop-at", {"score": "10:40:5"}, FIELD, games=2000)
    assert set(played.best["measure"]) == set(GOALS)
    for goal, sign in GOALS.items():
        rows = played.best[played.best["measure"] == goal].reset_index(drop=True)
        value = sign * played.table[goal]
        assert rows["best"].tolist() == [place == value.argmax() for place in range(len(value))]
        assert (sign * rows["difference"] <= 0).all()
        assert rows["may_be_best"][value.argmax()]
        assert not rows["may_be_best"][0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": 3}, "a table needs a field"),
        ({"against": FIELD, "players": 1}, "leaves no place for the field"),
        ({"against": FIELD, "players": 40}, "it must be from 1 to 36"),
        ({"games": 0}, "games: 0 cannot be played"),
        ({"method": "exactly"}, "method 'exactly' is unknown; did you mean 'exact'"),
        ({"against": FIELD, "method": "exact"}, "a table cannot be worked out exactly"),
        ({"deck": "fulll"}, "deck 'fulll' is unknown"),
        ({"method": "exact", "rules": "us-3.2"}, "preset 'us-3.2' is unknown"),
    ],
)
def test_what_cannot_be_swept(arguments, message):
    with pytest.raises(Flip7Error, match=message):
        sweep_plan(**arguments)


def test_a_parameter_that_is_called_like_a_column(tmp_path):
    path = tmp_path / "named.py"
    path.write_text(
        "from flip7sim import strategy\n@strategy\ndef named(me, table, games=3):\n    return me.count < games\n",
        encoding="utf-8",
    )
    with pytest.raises(Flip7Error, match="parameter 'games' cannot be swept: a column of the table"):
        sweep_plan(f"{path}:named", {"games": "2:3"})


# The command

COLUMNS = ["strategy", "score", "games", "wins", "win_rate", "win_rate_se", "win_rate_low", "win_rate_high", "rounds"]
MEASURES = ["round_score", "bust_rate", "flip7_rate", "rounds_to_200"]
MEASURES = [column for name in MEASURES for column in (name, f"{name}_se")]


def test_the_command_writes_tables_and_a_manifest(run, tmp_path):
    ran = run("sweep", "stop-at", "score=20:22", "--against", "stop-at", "--seats", 4, "--games", 80, "--format", "csv")
    assert ran.status == 0
    assert ran.errors == ["results in results/sweep: sweep.csv, best.csv, manifest.json"]
    folder = tmp_path / "results" / "sweep"
    assert (folder / "sweep.csv").read_text(encoding="utf-8") == ran.out
    assert list(next(csv.DictReader(io.StringIO(ran.out)))) == COLUMNS + MEASURES
    best = (folder / "best.csv").read_text(encoding="utf-8").splitlines()
    assert best[0] == "measure,strategy,score,difference,difference_se,best,may_be_best"
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["command"] == "sweep"
    assert manifest["parameters"] == {"score": [20, 21, 22]}
    assert (manifest["players"], manifest["games"], manifest["games_played"]) == (4, 80, 240)


def test_without_a_table_it_is_exact_and_says_so(run):
    ran = run("sweep", "stop-at", "score=22:24", "--deck", "numbers")
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert lines[0] == "stop-at, 3 candidates, rounds alone with deck numbers, rules fr-2.0"
    assert lines[-1] == "all numbers are exact"
    assert "best round score: score=23" in lines


def test_by_default_it_is_stop_at(run):
    ran = run("sweep", "--method", "simulate", "--games", 100, "--format", "csv")
    assert [row["score"] for row in csv.DictReader(io.StringIO(ran.out))] == [str(score) for score in range(10, 61)]


def test_yes_and_no_are_written_as_words(run):
    ran = run("sweep", "bust-limit", "counting=yes,no", "--method", "simulate", "--games", 100, "--format", "csv")
    assert [row["counting"] for row in csv.DictReader(io.StringIO(ran.out))] == ["yes", "no"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("score=20:30",), "name a strategy before 'score=20:30'"),
        (("stop-at", "score"), "parameter 'score' cannot be read; write parameter=values"),
        (("stop-at", "score=1", "score=2"), "parameter 'score' is given twice"),
        (("stop-at", "score=1", "-a", "stop-at", "--deck", "full"), "--deck is for rounds alone"),
        (("stop-at", "score=1", "--name", "a/b"), "name 'a/b' cannot be used"),
        (("stop-at", "score=1", "--out", "/proc/nowhere"), "cannot be written to"),
    ],
)
def test_bad_input_is_refused_in_one_line(run, tmp_path, arguments, message):
    ran = run("sweep", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert len(ran.errors) == 1
    assert message in ran.errors[0]
    assert not (tmp_path / "results").exists()


def test_an_interrupted_sweep_keeps_what_was_done(run, monkeypatch):
    monkeypatch.setattr(simulation, "ITEM_SEATS", 1)
    usual = simulation.Counts.append

    def append(counts, other):
        usual(counts, other)
        if counts.blocks == 3:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(simulation.Counts, "append", append)
    ran = run("sweep", "stop-at", "score=20", "-a", "stop-at", "--games", 400, "--format", "csv")
    assert ran.status == 130
    assert ran.errors == ["interrupted; what was done is saved in results/sweep"]
    (row,) = csv.DictReader(io.StringIO(ran.out))
    assert row["games"] == "6"
