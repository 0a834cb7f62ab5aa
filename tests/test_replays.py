"""The rule tests: files in tests/replays are played and must come out as they expect; those in bad must be refused."""

import re
from pathlib import Path

import pytest

from flip7sim.replays import replay

ENGINES = ["reference", "fast", "both"]
REPLAYS = Path(__file__).parent / "replays"
GOOD = sorted(REPLAYS.glob("*.toml"))
BAD = sorted((REPLAYS / "bad").glob("*.toml"))
RULES = [*(f"B{number:02}" for number in range(1, 31)), *(f"V{number}" for number in range(30, 48))]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_replay_comes_out_as_expected(path, engine):
    result = replay(path, engine)
    assert result.error is None
    assert result.mismatches == []
    assert result.ok
    assert result.exit_status == 0


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_bad_replay_is_refused_with_one_helpful_line(path, engine):
    wanted = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# error: ")
    result = replay(path, engine)
    assert result.error is not None
    assert wanted in result.error
    assert str(path) in result.error
    assert "\n" not in result.error
    assert result.exit_status == 2
    assert result.state is None


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_shown_by_a_file(rule):
    files = [path.stem for path in GOOD]
    assert any(re.match(rf"{rule}-", name) for name in files), f"no file shows {rule}"


def test_files_are_named_by_rules_that_exist():
    for path in GOOD + BAD:
        if re.match(r"[BV]\d", path.stem):
            assert path.stem[:3] in RULES


def test_every_rule_file_explains_itself():
    for path in GOOD:
        if not path.stem.startswith("game-"):
            first = path.read_text(encoding="utf-8").splitlines()[0]
            assert first.startswith("# "), path.stem
            if path.stem[:3] in RULES:
                assert re.search(rf"\b{path.stem[0]}{int(path.stem[1:3])}\b", first), path.stem
