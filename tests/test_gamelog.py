"""What each seat did in each game, as rows: they add up to the tables, and are the games that can be told."""

import signal

import pandas as pd
import pytest

from flip7sim.errors import Flip7Error
from flip7sim.replays.simulated import simulated_game
from flip7sim.runs import items
from flip7sim.runs import simulate as simulation
from flip7sim.runs.gamelog import COLUMNS, open_log
from flip7sim.sequential import Goal
from flip7sim.tournaments import plan, play_plan

FOUR = ["stop-at(score=25,target=random)", "random(p=0.2)", "expected-gain", "always-stay"]


@pytest.fixture(autouse=True)
def small_items(monkeypatch):
    monkeypatch.setattr(simulation, "ITEM_SEATS", 2_000)


@pytest.mark.parametrize("rules", ["fr-2.0", "vengeance-brutal"])
def test_rows_add_up_to_the_tables(tmp_path, rules):
    what = plan(FOUR, 3, 2003, seed=5, rules=rules)
    played = play_plan(what, 2, per_game=tmp_path / "rows.csv")
    rows = pd.read_csv(tmp_path / "rows.csv")
    assert tuple(rows.columns) == COLUMNS
    assert len(rows) == 2003 * 3
    assert not rows.duplicated(["line_up", "game", "seat"]).any()
    assert (rows.groupby(["line_up", "game"])["win"].sum() + rows.groupby(["line_up", "game"])["unfinished"].max() == 1
            ).all()  # fmt: skip
    assert (rows.groupby(["line_up", "game"])["rank"].sum() == 6).all()
    summed = rows.groupby("strategy")[["win", "rounds", "points", "busts", "flip7s"]].sum()
    means = rows.groupby("strategy")["rank"].mean()
    for row in played.tables.summary.itertuples():
        mine = summed.loc[row.strategy]
        assert (mine["win"], mine["rounds"]) == (row.wins, row.rounds)
        assert mine["points"] / mine["rounds"] == pytest.approx(row.round_score)
        assert mine["busts"] / mine["rounds"] == pytest.approx(row.bust_rate)
        assert mine["flip7s"] / mine["rounds"] == pytest.approx(row.flip7_rate)
        assert means[row.strategy] == pytest.approx(row.mean_rank)
    seats = played.tables.seats[played.tables.seats["strategy"] == "(all)"].set_index("seat")
    assert rows.groupby("position")["win"].sum().to_dict() == seats["wins"].to_dict()
    for row in played.tables.lineups.itertuples():
        mine = rows[(rows["line_up"] == row.line_up) & (rows["strategy"] == row.strategy)]
        assert (mine["win"].sum(), mine["game"].min()) == (row.wins, row.first_game)


def test_a_row_is_the_game_that_is_told(tmp_path):
    what = plan(FOUR, 4, 40, seed=5)
    play_plan(what, 1, per_game=tmp_path / "rows.csv")
    rows = pd.read_csv(tmp_path / "rows.csv")
    for game, seats in rows.groupby("game"):
        told = simulated_game(FOUR, 5, int(game)).transcript()
        winner = seats.loc[seats["win"] == 1].iloc[0]
        assert told[-1] == f"{winner['seat']} wins with {winner['total']} points."
        for row in seats.itertuples():
            assert any(line.startswith(f"{row.seat}: ") and row.strategy in line for line in told[:8]), told[:8]


def test_a_game_against_a_field_is_told_with_the_candidate_in_its_seat(tmp_path):
    field = ["expected-gain", "always-hit"]
    what = plan(["stop-at(score=30)", "stop-at(score=20)"], games=60, seed=5, schedule="field", against=field)
    play_plan(what, 1, per_game=tmp_path / "rows.csv")
    for (_, game), seats in pd.read_csv(tmp_path / "rows.csv").groupby(["line_up", "game"]):
        (candidate,) = set(seats["strategy"]) & {"stop-at(score=30)", "stop-at(score=20)"}
        finish = simulated_game([candidate], 5, int(game), against=field).finish
        assert [seat.total for seat in finish.seats] == list(seats["total"])


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_the_number_of_jobs_does_not_change_a_byte(tmp_path, ending):
    if ending == "parquet":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed (pip install 'flip7sim[parquet]')")
    what = plan(FOUR, 3, 2003, seed=5)
    for jobs in (1, 3):
        play_plan(what, jobs, per_game=tmp_path / f"{jobs}.{ending}")
    assert (tmp_path / f"1.{ending}").read_bytes() == (tmp_path / f"3.{ending}").read_bytes()


def test_parquet_holds_the_same_as_csv(tmp_path):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed (pip install 'flip7sim[parquet]')")
    what = plan(FOUR, 3, 2003, seed=5)
    for ending in ("csv", "parquet"):
        play_plan(what, 2, per_game=tmp_path / f"rows.{ending}")
    found = pd.read_parquet(tmp_path / "rows.parquet")
    for name in ("seat", "strategy"):
        found[name] = found[name].astype(str)
    pd.testing.assert_frame_equal(found, pd.read_csv(tmp_path / "rows.csv"), check_dtype=False)


def test_a_strategy_that_a_field_has_twice_is_one(tmp_path):
    what = plan(["stop-at", "always-hit"], games=80, schedule="field", against=["random", "stop-at", "stop-at"])
    lineups = play_plan(what, 1, per_game=tmp_path / "rows.csv").tables.lineups
    others = [["random(p=0.2)", "field", 1], ["stop-at(score=25)", "field", 2]]
    assert lineups[["strategy", "role", "seats"]].to_numpy().tolist() == [
        *(["always-hit", "contender", 1], *others, ["stop-at(score=25)", "contender", 1], *others)
    ]
    for name, rows in pd.read_csv(tmp_path / "rows.csv").groupby("strategy"):
        counted = lineups[lineups["strategy"] == name]
        assert (counted["games"].sum(), counted["wins"].sum()) == (len(rows), rows["win"].sum())


def test_rows_of_a_run_that_stops_when_it_is_sure_are_all_of_its_games(tmp_path):
    played = play_plan(plan(FOUR, 3, 10**6, seed=5), 2, goal=Goal(0.05), per_game=tmp_path / "rows.csv")
    assert len(pd.read_csv(tmp_path / "rows.csv")) == 3 * played.counts.games < 10**5


def test_rows_of_an_interrupted_run_are_those_that_were_counted(run, tmp_path, monkeypatch):
    usual, pressed = items.Prepared.play, []

    def press_ctrl_c(self, first, blocks, logged):
        if first > 100 and not pressed:
            pressed.append(first)
            signal.raise_signal(signal.SIGINT)
        return usual(self, first, blocks, logged)

    monkeypatch.setattr(items.Prepared, "play", press_ctrl_c)
    ran = run("tournament", "-s", FOUR[0], "-s", FOUR[3], "-g", 9000, "-j", 1, "--per-game", "rows.csv")
    assert ran.status == 130
    summary = pd.read_csv(tmp_path / "results" / "tournament" / "summary.csv")
    rows = pd.read_csv(tmp_path / "rows.csv")
    assert rows.groupby("strategy").size().to_dict() == summary.set_index("strategy")["games"].to_dict()


def test_an_error_leaves_no_file(tmp_path):
    with pytest.raises(ZeroDivisionError), open_log(tmp_path / "rows.csv", plan(FOUR, 3, 10)):
        1 / 0  # noqa: B018
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rows.txt",), "file 'rows.txt' cannot be written: its name must end in .csv or .parquet"),
        (("rows.csv", "--resume"), "per-game rows are of a whole run: leave resume out, or per-game"),
        (("way/rows.csv",), "output folder 'way' cannot be written to"),
        (("folder.csv",), "is a directory"),
    ],
)
def test_what_cannot_be_written_gets_one_line(run, tmp_path, arguments, message):
    (tmp_path / "way").touch()
    (tmp_path / "folder.csv").mkdir()
    ran = run("tournament", "-g", 10, "-s", "always-stay", "--per-game", *arguments)
    assert ran.status == 2
    assert len(ran.errors) == 1
    assert message in ran.errors[0]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.csv", "way"]


def test_parquet_without_pyarrow_gets_one_line(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(Flip7Error, match=r"a Parquet file needs pyarrow, .* pip install 'flip7sim\[parquet\]'"):
        play_plan(plan(FOUR, 3, 10), 1, per_game=tmp_path / "rows.parquet")
    assert not list(tmp_path.iterdir())
