"""The page of a result: what it says, that it stands alone, and that it works in a browser."""

import json
import re
import shlex
import shutil
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from flip7sim.cli.main import cli
from flip7sim.gallery import caption
from flip7sim.pages.page import page_of, report
from flip7sim.pages.tables import tables_of
from flip7sim.pages.words import answer, command, notes, question
from flip7sim.saved import load
from flip7sim.sweeps.play import sweep
from flip7sim.sweeps.responses import best_response
from flip7sim.tournaments import tournament

FIELD = ["stop-at(score=20)", "stop-at(score=28)", "random(p=0.3)", "expected-gain"]
EVIL = '"><img src=x onerror=alert(1)>&'


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    tournament(FIELD, players=2, games=6000).save(folder / "many")
    tournament(["stop-at(score=25)", "stop-at(score=26)"], games=200, seed=2).save(folder / "close")
    tournament(["stop-at"], games=50, rules="us-3.1").save(folder / "one")
    sweep("stop-at", {"score": "20:26"}, ["stop-at(score=25)"], games=300).save(folder / "table")
    sweep("bust-limit", {"p": "0.2,0.3", "counting": "yes,no"}, method="simulate", games=900).save(folder / "pair")
    sweep("stop-at", {"score": "22:24"}, deck="numbers").save(folder / "exact")
    best_response("stop-at", {"score": "10:30:10"}, players=[2, 3], games=600, iterate=True).save(folder / "reply")
    tournament(["stop-at", "random"], totals=(150, 60), games=400).save(folder / "begun")
    tournament(["stop-at", "random", "stop-at"], games=60).save(folder / "twice")
    tournament(["stop-at(score=20:30:5)"], players=3, games=600, schedule="invasion").save(folder / "family")
    sweep("stop-at", {"score": "20,50"}, ["stop-at"], totals=(90, 150, 150), games=300).save(folder / "behind")
    standings = [(90, 150, 150), (150, 100, 90)]
    best_response("stop-at", {"score": "20,50"}, ["stop-at"], totals=standings, games=600).save(folder / "standings")
    tournament(["stop-at", "random"], games=200, rules="vengeance").save(folder / "revenge")
    return folder


NAMES = ["many", "close", "one", "table", "pair", "exact", "reply", "begun", "twice", "family", "behind", "standings"]


class Page(HTMLParser):
    """The elements of a page, and that they are closed as they were opened."""

    def __init__(self, text):
        super().__init__()
        self.open, self.found, self.text = [], [], ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in ("meta", "wbr", "br", "img", "link"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not {"svg", "style", "script"} & set(self.open):
            self.text += data


# Words


def test_a_clear_winner_is_named_with_its_interval(results):
    saved = load(results / "many")
    first = saved.tables["summary"].iloc[0]
    assert question(saved) == "Which of 4 strategies wins most in a duel?"
    sentences = answer(saved)
    assert sentences[0] == (
        f"expected-gain wins most: {100 * first.win_rate:.2f}\u00a0% of its games (95 % interval "
        f"{100 * first.win_rate_low:.2f} to {100 * first.win_rate_high:.2f}\u00a0%; an even share is 50.00 %)."
    )
    assert sentences[1].startswith("That it is better than every other is sure: 95 %")


def test_what_is_not_settled_is_said_to_be_so(results):
    sentences = answer(load(results / "close"))
    assert "is not settled by these games (luck taken out, paired by deals, corrected for all pairs)" in sentences[1]
    assert any(sentence.startswith("A game takes ") for sentence in sentences)
    assert sentences[-1].startswith("Who plays which strategy explains 0.0")


def test_more_wins_may_be_more_luck(results):
    saved = load(results / "many")
    summary = saved.tables["summary"].assign(rank_low=[2, 1, 3, 4])
    second = summary["strategy"][1]
    sentences = answer(replace(saved, tables=saved.tables | {"summary": summary}))
    assert sentences[0].startswith("expected-gain wins most: ")
    assert sentences[1] == (
        f"But {second} is better for sure (95 %, luck taken out, paired by deals, corrected for all pairs): the wins "
        "of expected-gain were luck."
    )


@pytest.mark.parametrize(
    ("name", "taken_out"),
    [
        *(("many", True), ("table", True), ("pair", True), ("reply", True), ("standings", True)),
        *(("exact", False), ("one", False), ("revenge", False)),
    ],
)
def test_it_is_said_where_luck_was_taken_out(results, name, taken_out):
    saved = load(results / name)
    assert saved.luck_taken_out is taken_out
    assert any("luck taken out: what busts have cost" in note for note in notes(saved)) is taken_out
    if saved.kind == "tournament":
        titles = [table.title for table in tables_of(saved) if table.title.endswith("luck taken out")]
        expected = ["Win rates, luck taken out", "Differences in wins, paired by deals, luck taken out"]
        assert titles == (expected if taken_out else [])
    else:
        assert (", luck taken out; " in caption(saved)) is taken_out


def test_one_strategy_alone(results):
    saved = load(results / "one")
    assert question(saved) == "How well does stop-at(score=25) play alone?"
    assert answer(saved)[0].startswith("stop-at(score=25) makes ")


def test_the_answer_of_a_sweep_names_what_cannot_be_told_apart(results):
    saved = load(results / "table")
    assert question(saved) == "Which score is best for stop-at, against stop-at(score=25)?"
    best = saved.tables["best"]
    rows = best[(best["measure"] == "win_rate") & best["may_be_best"]]
    sentence = answer(saved)[0]
    assert sentence.startswith(f"score={rows[rows['best']]['score'].iloc[0]} wins most: ")
    for score in rows[~rows["best"]]["score"]:
        assert f"score={score}" in sentence


def test_an_exact_answer_has_no_error(results):
    saved = load(results / "exact")
    assert question(saved) == "Which score is best for stop-at, alone?"
    sentence = answer(saved)[0]
    assert sentence.startswith("score=23 makes most of a round: ")
    assert sentence.endswith(" points, exactly.")
    assert "±" not in sentence


def test_an_equilibrium_is_told_for_each_number_of_players(results):
    saved = load(results / "reply")
    assert question(saved) == "Which score does nobody leave if all play stop-at, at a table of 2 and 3?"
    for sentence, players in zip(answer(saved), (2, 3), strict=True):
        last = saved.tables["steps"].query(f"players == {players}").iloc[-1]
        assert sentence.startswith(
            f"With {players} players, it settles where all play {last.against}: no other value can be told to win "
            f"more. Of the replies, score={last.score} wins most, {100 * last.win_rate:.2f}"
        )


def test_totals_are_part_of_question_and_answer(results):
    saved = load(results / "begun")
    assert question(saved) == "Which of 2 strategies wins most in a duel that begins with 150, 60?"
    first, second = saved.tables["starts"].to_dict("records")
    assert answer(saved)[0].startswith(
        f"Games are won, by the total that a seat begins with: 150 (stop-at(score=25)) {100 * first['win_rate']:.2f}"
    )
    assert f"and 60 (random(p=0.2)) {100 * second['win_rate']:.2f}" in answer(saved)[0]
    assert question(load(results / "behind")) == (
        "Which score is best for stop-at, against stop-at(score=25), at a table of 3, from totals 90, 150, 150?"
    )
    saved = load(results / "standings")
    assert question(saved).endswith("at a table of 3, from each of these totals?")
    for sentence, text in zip(answer(saved), ("90, 150, 150", "150, 100, 90"), strict=True):
        assert sentence.startswith(f"From {text}, against stop-at(score=25), score=")


@pytest.mark.parametrize("name", NAMES)
def test_the_command_makes_the_result_again(results, name, run, tmp_path):
    saved = load(results / name)
    program, *arguments = shlex.split(command(saved).replace("\\\n", " "))
    assert program == "flip7sim"
    assert arguments[0] in cli.list_commands(None)
    assert run(*arguments, "--out", tmp_path / "again", "--quiet").status == 0
    for path in sorted((results / name).glob("*.csv")):
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()


# The page


@pytest.mark.parametrize("name", NAMES)
def test_the_page_is_well_formed_and_needs_nothing_else(results, name):
    text = page_of(load(results / name))
    page = Page(text)
    assert len([tag for tag, _ in page.found if tag == "figure"]) >= 2
    for tag, attributes in page.found:
        assert tag not in ("img", "link", "iframe", "object", "embed"), tag
        for key in ("src", "href", "xlink:href"):
            assert attributes.get(key, "#").startswith(("#", "data:image/png")), tag
    assert not re.search(r"url\((?!#)|@import|fetch\(|XMLHttpRequest", text)
    ids = [attributes["id"] for _, attributes in page.found if "id" in attributes]
    assert len(ids) == len(set(ids))
    pointed = set(re.findall(r'(?:href="#|url\(#)([^")]+)', text))
    assert pointed
    assert pointed <= set(ids)


def test_question_answer_command_and_manifest_are_on_the_page(results):
    saved = load(results / "many")
    page = Page(page_of(saved))
    for text in (question(saved), *answer(saved), command(saved), "rules fr-2.0, 2 seats, 6,000 games, seed 1"):
        assert text in page.text
    assert json.dumps(saved.manifest, indent=2) in page.text


def test_the_tables_hold_the_values(results):
    saved = load(results / "many")
    table = next(tables_of(saved))
    assert [head for head, _ in table.heads][:4] == ["strategy", "games", "win rate", "95 % interval"]
    assert [row[0].text for row in table.rows] == list(saved.tables["summary"]["strategy"])
    assert [row[2].number for row in table.rows] == list(saved.tables["summary"]["win_rate"])
    assert table.heads[0] == ("strategy", False)
    assert all(numeric for _, numeric in table.heads[1:])


def test_names_are_escaped(results, tmp_path):
    folder = tmp_path / "evil"
    shutil.copytree(results / "many", folder)
    for path in [*folder.glob("*.csv"), *folder.glob("*.json")]:
        text = path.read_text(encoding="utf-8")
        name = json.dumps(EVIL)[1:-1] if path.suffix == ".json" else EVIL.replace('"', '""')
        quoted = text.replace("random(p=0.3)", name if path.suffix == ".json" else f'"{name}"')
        path.write_text(quoted, encoding="utf-8")
    page = Page(report(folder).read_text(encoding="utf-8"))
    assert "img" not in [tag for tag, _ in page.found]
    assert EVIL in page.text


def test_the_same_result_gives_the_same_bytes(results, tmp_path):
    one, other = (report(results / "table", tmp_path / name) for name in ("one.html", "other.html"))
    assert one.read_bytes() == other.read_bytes()


def test_the_command_writes_the_newest_result(run, tmp_path):
    run("tournament", "-s", "stop-at", "-s", "random", "--games", 60)
    ran = run("report")
    assert (ran.status, ran.out, ran.errors) == (
        0,
        "results/tournament/report.html\n",
        ["result results/tournament"],
    )
    assert "Which of 2 strategies" in (tmp_path / ran.out.strip()).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "run flip7sim tournament first"),
        (("nowhere",), "result 'nowhere' does not exist"),
        (("odds.csv",), "'odds.csv' is a single table: name the folder of a result"),
        (("r", "--out", "r"), "page 'r' is a folder; name a file, such as 'r/report.html'"),
        (("r", "--out", "odds.csv/x.html"), "cannot be written to"),
    ],
)
def test_bad_input_is_refused_in_one_line(run, tmp_path, results, arguments, message):
    (tmp_path / "odds.csv").write_text(run("odds", "--table", "--format", "csv").out, encoding="utf-8")
    if "r" in arguments:
        shutil.copytree(results / "close", tmp_path / "r")
    ran = run("report", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert len(ran.errors) == 1
    assert message in ran.errors[0]


# In a browser


@pytest.fixture(scope="module")
def browser():
    """A headless Chromium, as Debian and others install it."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    program = next((found for found in map(shutil.which, names) if found), None)
    if program is None:
        pytest.skip("there is no Chromium: install the package chromium")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture
def open_page(browser, results):
    """Open the page of a result in a window; nothing may be fetched, and nothing may go wrong in it."""
    wrong = []
    pages = []

    def opened(name, width=1280, height=900):
        page = browser.new_page(viewport={"width": width, "height": height})
        pages.append(page)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
        path = report(results / name).resolve()
        page.on("request", lambda request: None if request.url == path.as_uri() else wrong.append(request.url))
        page.goto(path.as_uri())
        return page

    yield opened
    for page in pages:
        page.close()
    assert wrong == []


def column(page, number):
    return page.locator("table").first.locator(f"tbody tr td:nth-child({number})").all_inner_texts()


def test_a_click_on_a_head_sorts_the_table(open_page, results, tmp_path):
    page = open_page("many")
    rates = [100 * rate for rate in load(results / "many").tables["summary"]["win_rate"]]
    head = page.get_by_role("columnheader", name="win rate").first
    assert head.get_attribute("aria-sort") == "none"
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert column(page, 3) == [f"{rate:.2f}\u00a0%" for rate in sorted(rates, reverse=True)]
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert column(page, 3) == [f"{rate:.2f}\u00a0%" for rate in sorted(rates)]
    names = page.get_by_role("columnheader", name="strategy").first
    names.get_by_role("button").click()
    assert (names.get_attribute("aria-sort"), head.get_attribute("aria-sort")) == ("ascending", "none")
    assert column(page, 1) == sorted(FIELD)
    picture = page.screenshot(path=tmp_path / "wide.png", full_page=True)
    assert len(picture) > 50_000


@pytest.mark.parametrize("name", ["many", "table"])
def test_on_a_phone_only_tables_and_figures_scroll(open_page, name, tmp_path):
    page = open_page(name, 360, 740)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.screenshot(path=tmp_path / "phone.png", full_page=True)
    heading = page.get_by_role("heading", level=1).bounding_box()
    assert heading["x"] >= 0
    assert heading["x"] + heading["width"] <= 360


def test_printed_it_fits_the_paper(open_page, tmp_path):
    page = open_page("many")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 680, "height": 960})
    assert page.evaluate("document.documentElement.scrollWidth") <= 680
    assert page.pdf(path=tmp_path / "page.pdf", format="A4")[:5] == b"%PDF-"
