"""The pages of docs/: what they show is what happens, and nothing is left out."""

import re
import subprocess
import sys

import click
import pandas as pd
import pytest
from pages import ROOT, commands, fences, small, small_python

import flip7sim as f7
from flip7sim.cli.main import COMMANDS, cli
from flip7sim.rules import OPTIONS, PRESETS

DOCS = ROOT / "docs"
PAGES = sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))
COLUMNS = DOCS / "reference" / "columns.md"


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_run(page, run, tmp_path, monkeypatch):
    (tmp_path / "experiments").symlink_to(ROOT / "experiments")
    namespace = {"__name__": "__main__"}
    saved = {}
    for fence in fences(DOCS / page):
        if fence.title:
            saved[fence.title] = saved.get(fence.title, "") + "\n" + fence.text
            (tmp_path / fence.title).write_text(saved[fence.title], encoding="utf-8")
        elif fence.language == "sh":
            lines = fence.text.splitlines()
            assert all(line.startswith(("flip7sim ", "#")) or not line for line in lines), lines
            for words in commands(fence.text):
                ran = run(*small(words))
                assert ran.status == 0, (words, ran.err)
        elif fence.language == "console":
            command, out = fence.text.split("\n", 1)
            assert run(*commands(command.removeprefix("$ "))[0]).out == out
        elif fence.language == "python":
            monkeypatch.chdir(tmp_path)
            exec(compile(small_python(fence.text), page, "exec"), namespace)


def test_the_pages_name_every_command():
    text = "".join((DOCS / page).read_text(encoding="utf-8") for page in PAGES)
    missing = [command for command in COMMANDS if f"flip7sim {command}" not in text]
    assert not missing


def test_the_rules_page_has_every_rule_option_and_preset():
    text = (DOCS / "reference" / "rules.md").read_text(encoding="utf-8")
    numbers = [f"B{n}" for n in range(1, 31)] + [f"V{n}" for n in range(30, 48)]
    assert re.findall(r"\*\*([BV]\d+)\*\*", text) == numbers
    replays = {path.name[0] + str(int(path.name[1:3])) for path in (ROOT / "tests" / "replays").glob("[BV][0-9]*.toml")}
    assert replays <= set(numbers)
    assert [name for name in (*OPTIONS, *PRESETS) if f"`{name}" not in text and f"{name}`" not in text] == []


def test_the_python_page_has_every_public_name():
    text = (DOCS / "reference" / "python.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^::: flip7sim\.(\w+)$", text, flags=re.MULTILINE)) == sorted(
        set(f7.__all__) - {"figures"}
    )


def described():
    """The columns that the page lists, by the heading that they stand under."""
    found, heading = {}, ""
    for line in COLUMNS.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            heading = line.strip("# ")
        elif line.startswith("|") and heading != "manifest.json":
            cell = line.split("|")[1]
            found.setdefault(heading, []).extend(re.findall(r"`([^`]+)`|(\(parameters\))", cell))
    return {heading: [name or other for name, other in names] for heading, names in found.items()}


PLAYED = {
    "tournament": ("tournament", "-s", "stop-at", "-s", "always-hit", "--games", 60),
    "sweep": ("sweep", "stop-at", "score=20,25", "--against", "stop-at", "--games", 60),
    "best-response": ("best-response", "stop-at", "score=20,25", "--players", 3, "--games", 60),
}


@pytest.mark.parametrize("command", PLAYED)
def test_the_columns_of_the_files_are_those_on_the_page(command, run, tmp_path):
    assert run(*PLAYED[command], "--out", tmp_path / "out").status == 0
    known = described()
    files = sorted((tmp_path / "out").glob("*.csv"))
    assert files
    for path in files:
        listed = [name if name != "(parameters)" else "score" for name in known[path.name]]
        assert list(pd.read_csv(path).columns) == listed
    manifest = (tmp_path / "out" / "manifest.json").read_text(encoding="utf-8")
    keys = re.findall(r'^  "(\w+)":', manifest, flags=re.MULTILINE)
    text = COLUMNS.read_text(encoding="utf-8").split("## manifest.json")[1]
    assert [key for key in keys if f"`{key}`" not in text and key.removesuffix("_se") == key] == []


PRINTED = [heading for heading in described() if heading.startswith("flip7sim ")]


@pytest.mark.parametrize("heading", PRINTED)
def test_the_columns_on_stdout_are_those_on_the_page(heading, run):
    words = heading.split()[1:]
    deck = [] if words[0] == "odds" else ["--deck", "numbers"]
    more = {"exact": ["always-hit"], "verify": ["always-hit", "--rounds", "2000"]}.get(words[0], [])
    ran = run(*words, *more, *deck, "--format", "csv")
    assert ran.status == 0
    assert ran.out.splitlines()[0].split(",") == described()[heading]


def every_command(command=cli, path=()):
    """The path of every command and group."""
    yield path
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            yield from every_command(command.get_command(context, name), (*path, name))


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The site, built with every warning an error."""
    folder = tmp_path_factory.mktemp("site")
    pytest.importorskip("mkdocs")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    ran = subprocess.run(build, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return folder


def test_the_command_reference_has_every_command(site):
    html = (site / "reference" / "commands.html").read_text(encoding="utf-8")
    headings = {re.sub("<.*?>|¶|&para;", "", found).strip() for found in re.findall(r"<h\d[^>]*>(.*?)</h\d>", html)}
    wanted = {path[-1] if path else "flip7sim" for path in every_command()}
    assert not {name for name in wanted if not any(heading.split()[-1:] == [name] for heading in headings)}
    assert "--schedule" in html


def test_the_python_reference_is_filled_in(site):
    html = (site / "reference" / "python.html").read_text(encoding="utf-8")
    assert "Seats at a table, 1 to 36" in html
    assert [
        name
        for name in [*f7.__all__, *f7.figures.__all__]
        if name != "figures" and not re.search(rf'id="flip7sim[\w.]*\.{name}"', html)
    ] == []


def test_formulas_are_drawn_without_a_script(site):
    html = (site / "mathematics.html").read_text(encoding="utf-8")
    assert html.count('display="block"') == 4
    assert "arithmatex" not in html
    assert "\\frac" not in html


def test_the_site_needs_no_network(site):
    """Scripts, styles and pictures lie in the site itself."""
    for page in site.rglob("*.html"):
        html = page.read_text(encoding="utf-8")
        assert not re.findall(r'<(?:script|img)[^>]*src="(?:https?:)?//[^"]*"', html), page
        assert not re.findall(r'<link[^>]*rel="(?:stylesheet|preconnect)"[^>]*href="(?:https?:)?//', html), page
