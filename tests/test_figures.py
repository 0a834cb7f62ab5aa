"""Pictures show what the tables say, can be read, and are the same every time."""

import itertools
import re
import xml.etree.ElementTree as ET

import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from flip7sim import figures
from flip7sim.figures.style import PALETTE, figure_of, point_style, wrapped
from flip7sim.gallery import pictures, plot
from flip7sim.saved import load, newest
from flip7sim.stats.intervals import Z95
from flip7sim.sweeps.play import sweep
from flip7sim.sweeps.responses import best_response
from flip7sim.tournaments import tournament

LONG = [
    f"bust-limit(p={p},counting=no,target={target})" for p in (0.1, 0.2, 0.3) for target in ("most-to-lose", "weakest")
]
FIELDS = {
    "two": ["stop-at(score=25)", "expected-gain"],
    "twenty": [*LONG, "random(p=0.2)", "always-stay", *(f"stop-at(score={score})" for score in range(17, 29))],
}
SWEEPS = {
    "exact": {"parameters": {"score": "20:30"}, "deck": "numbers"},
    "table": {"parameters": {"score": "20:30:2"}, "against": LONG, "players": 3, "games": 300},
    "words": {"parameters": {"target": "leader,self,weakest"}, "against": LONG[:1], "games": 100},
    "curves": {
        "strategy": "bust-limit",
        "parameters": {"p": "0.1:0.4:0.1", "counting": "yes,no"},
        "games": 5000,
        "method": "simulate",
    },
    "map": {
        "strategy": "bust-limit",
        "parameters": {"p": "0:1:0.04", "target": "leader,self,weakest"},
        "against": ["stop-at"],
        "games": 20,
    },
}
RESPONSES = {
    "players": {"parameters": {"score": "20:30:5"}, "players": [2, 4], "games": 2000, "iterate": True},
    "field": {"parameters": {"score": "5:25:5"}, "against": LONG[:3], "players": 3, "games": 2000, "iterate": True},
    "pairs": {
        "strategy": "bust-limit",
        "parameters": {"p": "0.1:0.4:0.1", "counting": "yes,no"},
        "against": LONG,
        "players": 3,
        "games": 60,
    },
}
NAMES = {
    "players": {"best-by-players", "win-rate-2-players", "win-rate-4-players"},
    "pairs": {"win-rate-3-players"},
    "exact": {"points-and-busts", "flip-7s", "rounds-to-200"},
    "table": {"win-rate", "points-and-busts", "flip-7s", "rounds-to-200"},
    "curves": {"points-and-busts", "flip-7s", "rounds-to-200"},
    "two": {
        "win-rates",
        "rates",
        "points-and-busts",
        "round-scores",
        "seats",
        "seats-by-strategy",
        "race",
        "head-to-head",
    },
    "alone": {"rates", "round-scores", "race"},
    "one table": {
        "win-rates",
        "rates",
        "points-and-busts",
        "round-scores",
        "seats",
        "seats-by-strategy",
        "race",
        "head-to-head",
    },
}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Tournaments that were saved, by name."""
    folder = tmp_path_factory.mktemp("results")
    for name, field in FIELDS.items():
        tournament(field, games=2000).save(folder / name)
    tournament(["stop-at"], games=50).save(folder / "alone")
    tournament(LONG[:4], games=200).save(folder / "one table")
    for name, arguments in SWEEPS.items():
        sweep(**arguments).save(folder / name)
    for name, arguments in RESPONSES.items():
        best_response(**arguments).save(folder / name)
    return folder


@pytest.fixture
def summary(results):
    return load(results / "two").tables["summary"]


def texts_of(figure):
    """All texts that can be seen, with the boxes that they fill."""
    FigureCanvasAgg(figure).draw()
    found = []
    for ax in figure.axes:
        for axis in (ax.xaxis, ax.yaxis):
            low, high = sorted(axis.get_view_interval())
            found += [tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
            found += [tick.label2 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
        found += [*ax.texts, ax.title, ax._left_title, ax.xaxis.label, ax.yaxis.label]
        if ax.get_legend():
            found += ax.get_legend().get_texts()
    found += [figure._supxlabel]
    shown = [text for text in found if text.get_text() and text.get_visible()]
    return [(text.get_text(), text.get_window_extent()) for text in shown]


# What is drawn


def test_the_points_of_a_standing_are_the_values_of_the_table(summary):
    ax = figures.standings(summary, even=0.5)
    points = ax.lines[-1]
    assert list(points.get_xdata()) == list(100 * summary["win_rate"])
    assert [tick.get_text() for tick in ax.get_yticklabels()] == list(summary["strategy"])
    assert ax.get_xlabel() == "games won (%)"


def test_the_intervals_of_a_standing_are_those_of_the_table(summary):
    ax = figures.standings(summary)
    low, high = (segment[:, 0] for segment in ax.collections[0].get_segments())
    assert [low[0], high[0]] == pytest.approx(list(100 * summary["win_rate_low"]))
    assert [low[1], high[1]] == pytest.approx(list(100 * summary["win_rate_high"]))
    ax = figures.standings(summary, "round_score")
    first = ax.collections[0].get_segments()[0][:, 0]
    row = summary.iloc[0]
    assert first == pytest.approx(
        [row.round_score - 1.96 * row.round_score_se, row.round_score + 1.96 * row.round_score_se]
    )


def test_it_is_drawn_where_one_says(summary):
    ax = Figure().subplots()
    assert figures.standings(summary, ax=ax) is ax
    assert figures.risk_and_reward(summary, ax=ax) is ax


def test_an_unknown_measure_says_which_there_are(summary):
    with pytest.raises(ValueError, match="measure 'win_rat' is unknown; did you mean 'win_rate'"):
        figures.standings(summary, "win_rat")


def test_no_interval_where_no_error_is_known(summary):
    one = summary.assign(round_score_se=float("nan"), bust_rate_se=float("nan"))
    for ax in (figures.standings(one, "round_score"), figures.risk_and_reward(one)):
        assert len(figures.style.figure_bytes(figure_of(ax), "png")) > 1000


def test_head_to_head_shows_shares_and_marks_what_is_even():
    meetings = pd.DataFrame(
        [
            ("a", "b", 10, 7, 0.7, 0.15, 0.4, 0.9),
            ("b", "a", 10, 3, 0.3, 0.15, 0.1, 0.6),
            ("a", "c", 900, 600, 0.667, 0.02, 0.63, 0.7),
            ("c", "a", 900, 300, 0.333, 0.02, 0.3, 0.37),
        ],
        columns=["strategy", "rival", "meetings", "above", "share", "share_se", "share_low", "share_high"],
    )
    ax = figures.head_to_head(meetings, ["c", "a", "b"])
    shown = ax.collections[0].get_array()
    assert shown[1, 2] == pytest.approx(70)
    assert shown[2, 1] == pytest.approx(30)
    assert shown[0, 1] == pytest.approx(33.3)
    assert shown.mask.tolist() == [[True, False, True], [False, True, False], [True, False, True]]
    level = {text.get_position(): "=" in text.get_text() for text in ax.texts}
    assert level == {(2, 1): True, (1, 2): True, (0, 1): False, (1, 0): False}


def test_invasions_are_shown_by_resident_and_invader():
    table = pd.DataFrame(
        [("a", "b", 100, 0.4, 0.01, 0.38, 0.42), ("b", "a", 100, 0.24, 0.01, 0.22, 0.26)],
        columns=["resident", "invader", "games", "win_rate", "win_rate_se", "win_rate_low", "win_rate_high"],
    )
    ax = figures.invasions(table, players=4)
    shown = ax.collections[0].get_array()
    assert (shown[0, 1], shown[1, 0]) == (pytest.approx(40), pytest.approx(24))
    assert ["=" in text.get_text() for text in ax.texts] == [False, True]


def test_the_rows_of_round_scores_are_as_high_as_their_shares():
    scores = pd.DataFrame({"strategy": "a", "score": [0, 10, 20], "share": [0.5, 0.1, 0.4]})
    ax = figures.round_scores(scores)
    heights = -ax.lines[0].get_ydata()
    assert heights[9] / heights[19] == pytest.approx(0.25)
    assert ax.get_xlim()[0] == 0


def test_a_curve_goes_through_the_values_and_marks_the_best(results):
    tables = load(results / "exact").tables
    ax = figures.curve(tables["sweep"], "score", best=tables["best"])
    line = next(line for line in ax.lines if len(line.get_xdata()) == 11)
    assert list(line.get_ydata()) == list(tables["sweep"]["round_score"])
    star = next(line for line in ax.lines if line.get_marker() == "*")
    assert list(star.get_xdata()) == [23]
    assert [text.get_text() for text in ax.texts] == ["★ best: score=23"]
    # exact: no band
    assert len(ax.collections) == 0


def test_a_band_is_as_wide_as_the_interval(results):
    table = load(results / "table").tables["sweep"]
    ax = figures.curve(table, "score", "win_rate")
    (band,) = ax.collections
    heights = band.get_paths()[0].vertices[:, 1]
    first = table.iloc[0]
    for sign in (-1, 1):
        edge = 100 * (first.win_rate + sign * Z95 * first.win_rate_se)
        assert min(abs(heights - edge)) < 1e-9


def test_a_map_has_a_cell_for_each_pair():
    table = pd.DataFrame([(a, b, 10 * a + b) for a in (1, 2, 3) for b in (5, 7)], columns=["a", "b", "round_score"])
    ax = figures.surface(table, ("a", "b"))
    assert ax.collections[0].get_array().tolist() == [[15, 25, 35], [17, 27, 37]]


def test_the_best_by_players_is_that_of_the_last_step():
    rows = [
        (2, 1, "s(20)", "s(20)", 20, False, True), (2, 1, "s(20)", "s(30)", 30, True, True),
        (2, 2, "s(30)", "s(20)", 20, False, False), (2, 2, "s(30)", "s(30)", 30, True, True),
        (3, 1, "s(20)", "s(20)", 20, True, True), (3, 1, "s(20)", "s(30)", 30, False, False),
    ]  # fmt: skip
    columns = ["players", "step", "against", "strategy", "score", "best", "may_be_best"]
    ax = figures.best_by_players(pd.DataFrame(rows, columns=columns), "score")
    stars = [line.get_xydata().tolist() for line in ax.lines if line.get_marker() == "*"]
    rings = [line.get_xydata().tolist() for line in ax.lines if line.get_marker() == "o"]
    assert stars == rings == [[[2, 30]], [[3, 20]]]


def test_the_bust_odds_are_those_of_the_table(run, tmp_path):
    (tmp_path / "odds.csv").write_text(run("odds", "--table", "--format", "csv").out, encoding="utf-8")
    saved = load(tmp_path / "odds.csv")
    table = saved.tables["bust-odds"]
    ax = figures.bust_odds(table)
    assert list(ax.lines[0].get_ydata()) == list(100 * table["bust_next_mean"])
    assert plot(tmp_path / "odds.csv") == [tmp_path / "figures" / f"bust-odds.{form}" for form in ("png", "svg")]


# Every picture of a result


@pytest.mark.parametrize("name", NAMES)
def test_what_a_result_allows_is_drawn(results, name):
    assert {picture.name for picture in pictures(load(results / name))} == NAMES[name]


@pytest.mark.parametrize("name", [*FIELDS, *SWEEPS, *RESPONSES, "alone"])
def test_no_label_lies_on_another_one_and_none_is_cut_off(results, name):
    for picture in pictures(load(results / name)):
        texts = texts_of(picture.figure)
        width, height = picture.figure.canvas.get_width_height()
        for text, box in texts:
            assert box.x0 >= -1, (picture.name, text)
            assert box.y0 >= -1, (picture.name, text)
            assert box.x1 <= width + 1, (picture.name, text)
            assert box.y1 <= height + 1, (picture.name, text)
        for (one, first), (other, second) in itertools.combinations(texts, 2):
            across = min(first.x1, second.x1) - max(first.x0, second.x0)
            upwards = min(first.y1, second.y1) - max(first.y0, second.y0)
            assert min(across, upwards) < 1.5, (picture.name, one, other)


def test_the_caption_says_rules_seats_games_and_seed(results):
    for picture in pictures(load(results / "two")):
        caption = picture.figure._supxlabel.get_text()
        assert caption == "rules fr-2.0, 2 seats, 2,000 games, seed 1; intervals: 95 %, ±: one standard error"


@pytest.mark.parametrize(("name", "form"), [("two", "svg"), ("table", "png")])
def test_the_same_result_gives_the_same_bytes(results, name, form, tmp_path):
    first, again = (plot(results / name, tmp_path / folder, [form]) for folder in ("first", "again"))
    assert [path.name for path in first] == [path.name for path in again]
    for one, other in zip(first, again, strict=True):
        assert one.read_bytes() == other.read_bytes()


def test_pictures_do_not_depend_on_the_users_settings(results, tmp_path):
    import matplotlib as mpl

    (plain, *_) = plot(results / "alone", tmp_path / "plain", ["png"])
    with mpl.rc_context({"font.size": 30, "axes.grid": False, "savefig.dpi": 20}):
        (other, *_) = plot(results / "alone", tmp_path / "other", ["png"])
        assert mpl.rcParams["font.size"] == 30
    assert plain.read_bytes() == other.read_bytes()


def test_svg_files_are_well_formed_and_name_no_date(results, tmp_path):
    for path in plot(results / "two", tmp_path / "svg", ["svg"]):
        text = path.read_text(encoding="utf-8")
        assert ET.fromstring(text).tag.endswith("svg")
        assert not re.search(r"20\d\d-\d\d", text)


# Style


def test_no_two_strategies_look_the_same():
    looks = [tuple(point_style(number).values()) for number in range(60)]
    assert len(set(looks)) == 60
    assert {colour for colour, _ in looks} == set(PALETTE)


@pytest.fixture(scope="module")
def family(tmp_path_factory):
    """A tournament of stop scores, each among three of another."""
    folder = tmp_path_factory.mktemp("family")
    tournament(["stop-at(score=15:35:10)"], players=4, games=6000, schedule="invasion").save(folder)
    return load(folder)


def test_a_family_of_values_is_drawn_as_a_map_of_one_against_another(family):
    names = [picture.name for picture in pictures(family)]
    assert "response-map" in names
    assert "invasions" not in names


def test_the_cells_of_a_response_map_are_the_wins_of_the_one(family):
    values = {f"stop-at(score={score})": score for score in (15, 25, 35)}
    table = family.tables["invasions"]
    table = table.assign(resident=table["resident"].map(values), invader=table["invader"].map(values))
    ax = figures.response_map(table, "score", 4)
    cells = ax.collections[0].get_array().reshape(3, 3)
    for row in table.to_dict("records"):
        place = (row["invader"] // 10 - 1, row["resident"] // 10 - 1)
        assert cells[place] == pytest.approx(100 * row["win_rate"])
    assert [cells[place, place] for place in range(3)] == [25, 25, 25]
    # one star a column, on its highest cell
    stars = [line for line in ax.lines if line.get_marker() == "*"]
    assert [int(line.get_xdata()[0]) for line in stars] == [0, 1, 2]
    assert [int(line.get_ydata()[0]) for line in stars] == list(cells.argmax(axis=0))
    assert (ax.get_xlabel()[:24], ax.get_ylabel()) == ("score of all the others ", "score of the one")


def test_the_race_is_drawn_to_where_hardly_any_game_is_left(results):
    table = load(results / "two").tables["race"]
    ax = figures.race(table, 200)
    dashed, *curves = ax.lines
    assert set(dashed.get_ydata()) == {200}
    for curve, (_, rows) in zip(curves, table.groupby("strategy", sort=False), strict=True):
        assert list(curve.get_ydata()) == list(rows["total"][: len(curve.get_ydata())])
    share = table.groupby("round")["in_play"].mean()
    assert share[curves[0].get_xdata()[-1]] >= 0.005 > share[curves[0].get_xdata()[-1] + 1]


def test_best_replies_are_drawn_by_lead(tmp_path):
    found = best_response("stop-at", {"score": "20,50"}, ["stop-at"], totals=[(80, 170), (150, 50)], games=2000)
    found.save(tmp_path)
    names = [picture.name for picture in pictures(load(tmp_path))]
    assert names == ["best-by-lead", "win-rate-from-80-170", "win-rate-from-150-50"]
    ax = figures.best_by_lead(found.curves, "score")
    stars = [line for line in ax.lines if line.get_marker() == "*"]
    assert [(line.get_xdata()[0], line.get_ydata()[0]) for line in stars] == [(-90, 50), (100, 20)]


def test_totals_at_the_beginning_have_a_picture(tmp_path):
    tournament(["stop-at"], totals=(150, 90), games=200).save(tmp_path)
    by_name = {picture.name: picture for picture in pictures(load(tmp_path))}
    texts = [text for text, _ in texts_of(by_name["starts"].figure)]
    assert "150: stop-at(score=25)" in texts
    assert any("from totals 150, 90" in text for text in texts)


def test_long_labels_are_broken_and_lose_nothing():
    label = "bust-limit(p=0.25,counting=no,target=most-to-lose)"
    lines = wrapped(label).split("\n")
    assert "".join(lines) == label
    assert max(map(len, lines)) <= 30
    assert wrapped("cost(in=$)") == r"cost(in=\$)"


# The command


def test_plot_draws_the_newest_result(run, tmp_path):
    for name in ("first", "second"):
        assert run("tournament", "-s", "stop-at", "-s", "random", "--games", 60, "--name", name).status == 0
    assert newest(tmp_path / "results").name == "second"
    ran = run("plot", "--format", "svg")
    assert ran.status == 0
    assert ran.errors == ["result results/second"]
    assert ran.out.splitlines() == [
        f"results/second/figures/{name}.svg"
        for name in (
            "win-rates",
            "rates",
            "points-and-busts",
            "round-scores",
            "seats",
            "seats-by-strategy",
            "race",
            "head-to-head",
        )
    ]
    assert all((tmp_path / line).is_file() for line in ran.out.splitlines())


def spoil_manifest(folder):
    (folder / "manifest.json").write_text("{", encoding="utf-8")


def spoil_table(folder):
    (folder / "seats.csv").write_text("strategy,seat\na,1\n", encoding="utf-8")


def lose_table(folder):
    (folder / "lineups.csv").unlink()


def lose_key(folder):
    path = folder / "manifest.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"skill"', '"luck"'), encoding="utf-8")


def write_text_for_a_number(folder):
    path = folder / "race.csv"
    path.write_text(path.read_text(encoding="utf-8").replace(",1.0,", ",one,", 1), encoding="utf-8")


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (spoil_manifest, "manifest 'r/manifest.json' is damaged"),
        (lose_key, "manifest 'r/manifest.json' is damaged: it has no 'skill'"),
        (write_text_for_a_number, "table 'r/race.csv' has a text in column 'in_play'"),
        (spoil_table, "table 'r/seats.csv' has no column 'games'"),
        (lose_table, "table 'r/lineups.csv' cannot be read: No such file"),
        (lambda folder: (folder / "manifest.json").unlink(), "result 'r' holds no manifest.json"),
    ],
)
def test_a_damaged_result_is_refused_in_one_line(run, tmp_path, spoil, said):
    run("tournament", "-s", "stop-at", "-s", "random", "--games", 60, "--out", "r")
    spoil(tmp_path / "r")
    ran = run("plot", "r")
    assert (ran.status, ran.out) == (2, "")
    assert len(ran.errors) == 1
    assert ran.errors[0].startswith(f"flip7sim: error: {said}")
    assert not (tmp_path / "r" / "figures").exists()


def test_no_result_at_all(run):
    ran = run("plot")
    assert ran.status == 2
    assert "run flip7sim tournament first" in ran.err


def test_a_file_that_is_no_table_of_ours(run, tmp_path):
    (tmp_path / "x.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    ran = run("plot", "x.csv")
    assert ran.status == 2
    assert "it must be the CSV of 'flip7sim odds --table'" in ran.err
