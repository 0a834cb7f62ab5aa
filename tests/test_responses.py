"""Best responses: what wins most against a field, and where the iteration ends."""

import csv
import io
import json

import pytest

from flip7sim.errors import Flip7Error
from flip7sim.runs import simulate
from flip7sim.sweeps import responses
from flip7sim.sweeps.play import sweep
from flip7sim.sweeps.responses import best_response, response_plans

FIELD = ["expected-gain", "random(p=0.3)"]


def test_one_step_is_the_sweep_against_the_field():
    found = best_response("stop-at", {"score": "20:35:5"}, FIELD, games=600)
    played = sweep("stop-at", {"score": "20:35:5"}, FIELD, games=600)
    (step,) = found.steps.to_dict("records")
    assert step["players"] == 3
    assert step["strategy"] == played.table.loc[played.table["win_rate"].idxmax(), "strategy"]
    assert step["win_rate"] == played.table["win_rate"].max()
    assert step["end"] == ""
    assert found.curves[list(played.table)].to_csv() == played.table.to_csv()
    rows = played.best[played.best["measure"] == "win_rate"]
    assert found.curves["may_be_best"].tolist() == rows["may_be_best"].tolist()
    assert step["may_be_best"].split(" ") == rows.loc[rows["may_be_best"], "strategy"].tolist()


def test_it_goes_on_until_nobody_gains_and_each_field_is_the_last_reply():
    found = best_response("stop-at(score=5)", {"score": "5:30:5"}, players=4, games=8000, iterate=True)
    steps = found.steps
    assert len(steps) >= 2
    assert steps["against"][0] == "stop-at(score=5)"
    assert steps["against"].tolist()[1:] == steps["strategy"].tolist()[:-1]
    assert steps["end"].tolist() == [""] * (len(steps) - 1) + ["settled"]
    last = steps.iloc[-1]
    assert last["against"] in last["may_be_best"].split(" ")
    # against three that stop at 5, there is a lot to gain, and it is paired
    assert steps["gain"][0] > 10 * steps["gain_se"][0] > 0


def test_no_gain_is_known_over_a_field_that_is_no_candidate():
    found = best_response("stop-at", {"score": "20,30"}, ["expected-gain"], games=100)
    assert found.steps["gain"].isna().all()


def test_who_plays_the_best_already_has_nothing_to_gain():
    found = best_response("stop-at(score=25)", {"score": "5,25"}, players=2, games=2000, iterate=True)
    (step,) = found.steps.to_dict("records")
    assert (step["strategy"], step["gain"], step["gain_se"], step["end"]) == ("stop-at(score=25)", 0, 0, "settled")


def test_a_circle_is_noticed(monkeypatch):
    usual = responses.play_sweep
    calls = []

    def scissors(plan, jobs, progress):
        """Each of two values loses against the other."""
        played = usual(plan, jobs, progress)
        rows = played.best["measure"] == "win_rate"
        own = played.best["strategy"] == plan.against[0].label
        played.best.loc[rows, "best"] = ~own[rows]
        played.best.loc[rows, "may_be_best"] = ~own[rows]
        calls.append(plan.against[0].label)
        return played

    monkeypatch.setattr(responses, "play_sweep", scissors)
    found = best_response("stop-at(score=20)", {"score": "20,30"}, players=2, games=40, iterate=True)
    assert calls == ["stop-at(score=20)", "stop-at(score=30)"]
    assert found.steps["end"].tolist() == ["", "circle"]


def test_the_number_of_jobs_does_not_change_a_byte(monkeypatch):
    monkeypatch.setattr(simulate, "ITEM_SEATS", 700)
    one, other = (
        best_response("stop-at", {"score": "20:30:5"}, players=[2, 3], games=300, iterate=True, jobs=jobs)
        for jobs in (1, 3)
    )
    assert one.steps.to_csv() == other.steps.to_csv()
    assert one.curves.to_csv() == other.curves.to_csv()


@pytest.mark.parametrize(
    ("arguments", "players", "values"),
    [
        ({}, [4], list(range(51))),
        ({"strategy": "stop-at-cards", "parameters": {"count": None}}, [4], list(range(11))),
        ({"parameters": {"score": "1,2"}, "against": FIELD}, [3], [1, 2]),
        ({"parameters": {"score": [9]}, "players": [2, 5, 2]}, [2, 5], [9]),
    ],
)
def test_what_is_left_out_has_a_default(arguments, players, values):
    plans = response_plans(**arguments)
    assert [plan.players for plan in plans] == players
    assert list(plans[0].grid.values()) == [values]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"parameters": {"scor": None}}, "parameter 'scor' is unknown; did you mean 'score'"),
        ({"strategy": "bust-limit"}, "name one parameter or two and their values"),
        ({"players": []}, "players: name a number of seats"),
        ({"players": 1}, "leaves no place for the field"),
        ({"players": [3, 99]}, "players: 99 seats cannot be played"),
    ],
)
def test_what_cannot_be_answered(arguments, message):
    with pytest.raises(Flip7Error, match=message):
        response_plans(**arguments)


# The command


def test_the_command_writes_tables_and_a_manifest(run, tmp_path):
    ran = run("best-response", "stop-at", "score=20:30:5", "--seats", "2:3", "-g", 600, "--iterate", "--format", "csv")
    assert ran.status == 0
    assert ran.errors == ["results in results/best-response: steps.csv, curves.csv, manifest.json"]
    folder = tmp_path / "results" / "best-response"
    assert (folder / "steps.csv").read_text(encoding="utf-8") == ran.out
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    assert list(rows[0])[:5] == ["players", "step", "against", "strategy", "score"]
    assert [row["players"] for row in rows if row["end"] == "settled"] == ["2", "3"]
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["command"], manifest["players"], manifest["iterate"]) == ("best-response", [2, 3], True)
    assert manifest["games_played"] == 600 * 3 * len(rows)


def test_the_table_tells_how_it_ended(run):
    ran = run("best-response", "stop-at", "score=20:30:5", "-p", 2, "-g", 400, "--iterate")
    lines = ran.out.splitlines()
    assert lines[0] == "stop-at, 3 candidates, 400 games each in each step, rules fr-2.0, seed 1"
    assert any(line.endswith("settled: no other value can be told to win more") for line in lines)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("stop-at", "score="), "parameter 'score=' cannot be read; write parameter or parameter=values"),
        (("stop-at", "score", "score=3"), "parameter 'score' is given twice"),
        (("stop-at", "score", "-p", "two"), "players: 'two' cannot be read; write a number, first:last"),
        (("stop-at", "score", "-p", "2:99999999999"), "players: 37 seats cannot be played"),
        (("stop-at", "score", "-g", 0), "games: 0 cannot be played"),
    ],
)
def test_bad_input_is_refused_in_one_line(run, tmp_path, arguments, message):
    ran = run("best-response", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert len(ran.errors) == 1
    assert message in ran.errors[0]
    assert not (tmp_path / "results").exists()
