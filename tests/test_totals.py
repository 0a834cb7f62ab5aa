"""Games that begin with totals: whose they are, that they are played as the rules say, and what is told of them."""

import json

import pytest

from flip7sim import best_response, sweep, tournament
from flip7sim.errors import Flip7Error
from flip7sim.replays.simulated import simulated_game
from flip7sim.rules import PRESETS
from flip7sim.runs.parcels import pack, unpack
from flip7sim.runs.totals import check_totals, placed, read_totals
from flip7sim.saved import load
from flip7sim.sweeps.plans import sweep_plan
from flip7sim.sweeps.responses import response_plans
from flip7sim.table import seat_name
from flip7sim.tournaments import plan


def share(played, total):
    """Win rate, and its standard error, of the seats that begin with a total."""
    rows = played.tables.starts[played.tables.starts["total"] == total]
    return rows["win_rate"].mean(), rows["win_rate_se"].max()


# What they are


@pytest.mark.parametrize(
    ("text", "standings"),
    [
        ("150,140,60", [(150, 140, 60)]),
        ("150 140  60", [(150, 140, 60)]),
        ("-5, 7", [(-5, 7)]),
        ("40:60:10,100", [(40, 100), (50, 100), (60, 100)]),
        ("1:2,5,7:8", [(1, 5, 7), (1, 5, 8), (2, 5, 7), (2, 5, 8)]),
    ],
)
def test_a_text_names_standings(text, standings):
    assert read_totals(text) == standings


@pytest.mark.parametrize("text", ["", ",", "1,,2", "1,2,", "a", "1;2", "1:2:3:4", "5:1", "1:5:0", "1.5", "0:200,0"])
def test_a_text_that_names_none_is_refused(text):
    with pytest.raises(Flip7Error, match=r"^totals: .*(cannot be read|too many)"):
        read_totals(text)


def test_a_game_cannot_begin_where_it_would_be_over():
    assert check_totals([0, 199], 2, PRESETS["fr-2.0"]) == (0, 199)
    for wrong in (200, -1):
        with pytest.raises(Flip7Error, match=f"cannot begin with {wrong}; it must be from 0 to 199"):
            check_totals([wrong, 0], 2, PRESETS["fr-2.0"])
    assert check_totals([-40, 0], 2, PRESETS["vengeance-brutal"]) == (-40, 0)  # V46
    with pytest.raises(Flip7Error, match="2 are given for 3 seats"):
        check_totals([1, 2], 3, PRESETS["fr-2.0"])


def test_totals_go_with_the_strategies_as_they_were_named():
    assert placed((1, 2, 3), ["c", "a", "b"]) == (2, 3, 1)
    what = plan(["stop-at", "always-hit", "stop-at"], totals=(10, 20, 30))
    members = [what.entrants[member].strategy.name for member in what.lineups[0]]
    assert list(zip(members, what.totals, strict=True)) == [("always-hit", 20), ("stop-at", 10), ("stop-at", 30)]
    assert plan(["stop-at"], totals=(10, 20)).players == 2
    table = sweep_plan("stop-at", {"score": "1,2"}, ["random", "always-hit"], totals=(7, 8, 9)).table
    assert [
        (table.entrants[member].strategy.name, total)
        for member, total in zip(table.lineups[1], table.totals, strict=True)
    ] == [
        ("stop-at", 7),
        ("always-hit", 9),
        ("random", 8),
    ]


# How they are played


def test_no_points_to_begin_with_are_no_totals():
    one, other = (tournament(["stop-at", "random", "expected-gain"], games=600, totals=t) for t in ((), (0, 0, 0)))
    assert one.tables.summary.to_csv() == other.tables.summary.to_csv()
    assert one.tables.race.to_csv() == other.tables.race.to_csv()
    assert one.tables.starts is None


def test_equals_win_equally_often_from_equal_totals():
    played = tournament(["stop-at"], games=40_000, totals=(120, 120, 120, 120))
    for _, row in played.tables.starts.iterrows():
        assert abs(row["win_rate"] - 0.25) < 4 * row["win_rate_se"]
    assert played.tables.starts["wins"].sum() == 40_000


def test_the_chance_is_a_matter_of_the_totals_not_of_their_order():
    one = tournament(["stop-at"], games=20_000, totals=(150, 140, 60))
    other = tournament(["stop-at"], games=20_000, totals=(60, 150, 140), seed=2)
    rates = []
    for total in (150, 140, 60):
        (first, error), (second, other_error) = share(one, total), share(other, total)
        assert abs(first - second) < 4 * (error**2 + other_error**2) ** 0.5
        rates.append(first)
    assert rates == sorted(rates, reverse=True)


def test_with_199_points_one_card_is_enough():
    played = tournament(["stop-at(score=1)", "always-stay"], games=2000, totals=(199, 0))
    # Who stops with the first points has them within a few rounds, and the other one has none.
    assert share(played, 199)[0] == 1.0
    assert played.tables.summary["rounds"].max() < 2 * 2000


def test_a_game_of_a_run_is_the_game_that_a_replay_tells(tmp_path):
    import pandas as pd

    from flip7sim.tournaments import play_plan

    specs, totals = ["expected-gain", "stop-at(score=30)", "expected-gain"], (10, 50, 120)
    play_plan(plan(specs, games=60, totals=totals), per_game=tmp_path / "games.csv")
    rows = pd.read_csv(tmp_path / "games.csv")
    for number, seats in rows.groupby("game"):
        game = simulated_game(specs, 1, int(number), totals=totals)
        assert sorted(seat.total for seat in game.start.seats) == sorted(totals)
        finish = {seat_name(place): seat.total for place, seat in enumerate(game.finish.seats)}
        assert dict(zip(seats["seat"], seats["total"], strict=True)) == finish
        begun = {seat_name(place): seat.total for place, seat in enumerate(game.start.seats)}
        assert [begun[row.seat] + row.points for row in seats.itertuples()] == list(seats["total"])


def test_totals_travel_with_a_plan():
    what = plan(["stop-at", "random"], totals=(3, 4))
    assert unpack(pack(what)).totals == what.totals == (4, 3)


# The race


@pytest.mark.parametrize("rules", ["fr-2.0", "vengeance-brutal"])
def test_the_race_ends_with_the_totals_of_the_games(rules, tmp_path):
    import pandas as pd

    from flip7sim.tournaments import play_plan

    played = play_plan(
        plan(["stop-at", "expected-gain"], games=400, rules=rules, totals=(30, 0)), per_game=tmp_path / "games.csv"
    )
    games = pd.read_csv(tmp_path / "games.csv")
    race = played.tables.race
    for name, rows in race.groupby("strategy"):
        own = games[games["strategy"] == name]
        assert rows["total"].iloc[-1] == pytest.approx(own["total"].mean())
        assert rows["total"].iloc[0] == (30 if name.startswith("stop-at") else 0)
        assert list(rows["round"]) == list(range(len(rows)))
        lengths = [(own["rounds"] >= number).mean() for number in rows["round"]]
        assert list(rows["in_play"]) == pytest.approx(lengths)
        assert own["rounds"].max() == rows["round"].max()
    # and the error of the final mean is about that of as many independent games
    last = race.groupby("strategy").last()
    for name, row in last.iterrows():
        alone = games.loc[games["strategy"] == name, "total"].std() / 400**0.5
        assert alone / 1.6 < row["total_se"] < 1.6 * alone


# Sweeps and best responses


def test_a_candidate_far_behind_must_dare():
    behind = sweep("stop-at", {"score": "20,50"}, ["stop-at"], games=4000, totals=(80, 170, 170))
    level = sweep("stop-at", {"score": "20,50"}, ["stop-at"], games=4000, totals=(0, 0, 0))
    for played, best in ((behind, 50), (level, 20)):
        assert played.best[(played.best["measure"] == "win_rate") & played.best["may_be_best"]]["score"].tolist() == [
            best
        ]


def test_best_responses_answer_for_each_standing():
    found = best_response("stop-at", {"score": "20,50"}, ["stop-at"], totals=[(80, 170), (150, 50)], games=2000)
    assert found.steps["totals"].tolist() == ["80 170", "150 50"]
    assert found.steps["lead"].tolist() == [-90, 100]
    assert found.steps["score"].tolist() == [50, 20]
    alone = sweep("stop-at", {"score": "20,50"}, ["stop-at"], totals=(150, 50), games=2000)
    rows = found.curves[found.curves["lead"] == 100]
    assert rows["win_rate"].tolist() == alone.table["win_rate"].tolist()


def test_a_standing_that_is_named_twice_is_one():
    standings = [(80, 170), (150, 50), (80, 170)]
    plans = response_plans("stop-at", {"score": "20,50"}, totals=standings)
    assert [plan.totals for plan in plans] == standings[:2]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: plan(["stop-at", "random"], players=3, totals=(1, 2, 3)), "do not say whose total is whose"),
        (lambda: plan(["stop-at", "random"], totals=(1, 2), schedule="heads-up"), "lets all sit everywhere"),
        (lambda: plan(["stop-at"], players=3, totals=(1, 2)), "2 are given for 3 seats"),
        (lambda: sweep_plan("stop-at", {"score": "1"}, totals=(1,)), "a table needs a field"),
        (lambda: sweep_plan("stop-at", {"score": "1"}, ["random", "stop-at"], totals=(1, 2, 3, 4)), "whose total"),
        (lambda: response_plans("stop-at", {"score": "1"}, totals=[(1, 2), (1, 250)]), "cannot begin with 250"),
        (
            lambda: response_plans("stop-at", {"score": "1"}, players=[2, 3], totals=[(1, 2), (1, 2, 3, 4)]),
            "4 are given for 2",
        ),
        (lambda: response_plans("stop-at", {"score": "1"}, players=[2, 3], totals=[(1, 2)]), "2 are given for 3 seats"),
        (lambda: best_response(totals=[(1, 2)], iterate=True), "leave iterate out"),
    ],
)
def test_what_cannot_be_played(call, message):
    with pytest.raises(Flip7Error, match=message):
        call()


# The commands

AGAIN = {
    "tournament": ("-s", "stop-at", "-s", "random", "-s", "stop-at", "--totals", "5,60,120"),
    "sweep": ("bust-limit", "p=0.1,0.25", "counting=yes,no", "-a", "random", "-a", "always-hit", "--totals", "9 80 30"),
    "best-response": (
        "stop-at",
        "score=20,30",
        "--totals",
        "10:30:20,150",
        "--totals",
        "90,100,110",
        "-o",
        "target_score=160",
    ),
}


@pytest.mark.parametrize("command", AGAIN)
def test_a_run_from_totals_is_played_again_from_its_manifest(command, run, tmp_path):
    ran = run(command, *AGAIN[command], "--games", 120, "--seed", 3, "--out", "one")
    assert ran.status == 0, ran.err
    again = run(command, "--again", "one/manifest.json", "--out", "two", "--jobs", 1)
    assert (again.status, again.out) == (0, ran.out)
    files = sorted(path.name for path in (tmp_path / "one").iterdir() if path.suffix in (".csv", ".npz"))
    assert len(files) > 1
    assert all((tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes() for name in files)


def test_the_command_says_who_wins_from_which_total(run, tmp_path):
    ran = run("tournament", "-s", "expected-gain", "--totals", "150,140,60", "-g", 300)
    lines = ran.out.splitlines()
    assert lines[2].split() == ["from", "total", "strategy", "wins", "%", "95", "%", "interval", "mean", "rank"]
    assert [line.split()[0] for line in lines[4:7]] == ["150", "140", "60"]
    manifest = json.loads((tmp_path / "results" / "tournament" / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["totals"], manifest["strategies"][0]["seats"]) == ([150, 140, 60], 3)
    assert list(load("results/tournament").tables["starts"]["total"]) == [150, 140, 60]


def test_runs_from_other_totals_do_not_belong_together(run):
    assert run("tournament", "-s", "stop-at", "--totals", "9,20", "-g", 60, "--name", "one").status == 0
    assert run("tournament", "-s", "stop-at", "--totals", "9,30", "-g", 60, "--seed", 2, "--name", "two").status == 0
    ran = run("merge", "results/one", "results/two")
    assert ran.status == 2
    assert "it has totals [9, 30], not [9, 20]" in ran.err
    ran = run("tournament", "-s", "stop-at", "--totals", "9,30", "-g", 120, "--name", "one", "--resume")
    assert ran.status == 2
    assert "with totals [9, 20], not [9, 30]" in ran.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tournament", "--totals", "1:2,3"), "names 2 standings; only best-response takes more than one"),
        (("sweep", "--totals", "x", "-a", "stop-at"), "totals: 'x' cannot be read"),
        (("sweep", "stop-at", "--again", "manifest.json"), "--again takes strategy from the manifest"),
        (("best-response", "--again", "nowhere.json"), "manifest 'nowhere.json' cannot be read"),
        (("replay", "some.toml", "--totals", "1,2"), "totals are for games of a simulation"),
    ],
)
def test_bad_input_is_refused_in_one_line(run, arguments, message):
    ran = run(*arguments)
    assert (ran.status, ran.out, len(ran.errors)) == (2, "", 1)
    assert message in ran.errors[0]


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("totals", "9,20", "'totals' must be a list of whole numbers"),
        ("totals", [1.5, 2], "'totals' must be a list of whole numbers"),
        ("totals", [[1, 2]], "'totals' must be a list of whole numbers"),
        ("totals", [1], "1 are given for 2 seats"),
        ("parameters", {"score": 3}, "each of the 'parameters' must have a list of values"),
        ("parameters", [], "'parameters' must be of type dict"),
        ("strategy", {"spec": 3}, "each strategy must have a 'spec', a string"),
        ("against", [7], "each strategy must have a 'spec', a string"),
        ("against", [{"spec": "random", "seats": "x"}], "'seats' of a strategy must be a number from 1 to 36"),
        ("seed", "1", "'seed' must be of type int"),
    ],
)
def test_a_manifest_that_was_changed_is_refused_in_one_line(run, tmp_path, key, value, message):
    assert run("sweep", "stop-at", "score=20,30", "-a", "random", "-g", 20, "--out", "out").status == 0
    path = tmp_path / "out" / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | {key: value}), encoding="utf-8")
    ran = run("sweep", "--again", path)
    assert (ran.status, ran.out, len(ran.errors)) == (2, "", 1)
    assert message in ran.errors[0]


@pytest.mark.parametrize(
    ("command", "changes", "message"),
    [
        ("best-response", {"players": ["a"]}, "'players' must be a list of whole numbers"),
        ("best-response", {"totals": [1, 2]}, "'totals' must be a list of lists of whole numbers"),
        ("tournament", {"precision": "x", "max_games": 9}, "'precision' must be a number"),
        ("tournament", {"precision": 0.1, "max_games": "9"}, "'max_games' must be a number"),
        ("tournament", {"strategies": [{"spec": "random", "seats": 99}]}, "'seats' of a strategy must be a number"),
    ],
)
def test_so_is_that_of_other_commands(run, tmp_path, command, changes, message):
    what = ("-s", "random") if command == "tournament" else ("bust-limit", "p=0.1,0.2", "-a", "random")
    assert run(command, *what, "-g", 20, "--out", "out").status == 0
    path = tmp_path / "out" / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | changes), encoding="utf-8")
    ran = run(command, "--again", path)
    assert (ran.status, ran.out, len(ran.errors)) == (2, "", 1)
    assert message in ran.errors[0]


def test_a_manifest_of_another_command_is_refused(run):
    assert run("sweep", "stop-at", "score=20,30", "--out", "out").status == 0
    ran = run("best-response", "--again", "out/manifest.json")
    assert ran.status == 2
    assert "is not one of a best-response: flip7sim sweep wrote it" in ran.err
    assert run("sweep", "--again", "out/manifest.json", "--out", "other").status == 0
