"""What the README shows is what happens."""

import re
from pathlib import Path

import pytest

from flip7sim.cli.main import COMMANDS
from flip7sim.policy.check import check
from flip7sim.policy.registry import find
from flip7sim.replays import replay
from flip7sim.tournaments import tournament

README = Path(__file__).parent.parent / "README.md"
TEXT = README.read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", TEXT, flags=re.DOTALL)


def test_the_strategy_of_the_readme_plays(tmp_path, throwaway_cache):
    declared, targets, _ = blocks("python")
    path = tmp_path / "mine.py"
    path.write_text(declared + targets, encoding="utf-8")
    entrant = find(f"{path}:cautious(limit=0.3)")
    assert check(entrant).faults == []
    summary = tournament([entrant, "always-stay"], games=200).tables.summary
    assert summary["strategy"][0] == "cautious(limit=0.3)"


def test_the_strategy_of_the_readme_has_ten_lines():
    assert len(blocks("python")[0].strip().splitlines()) <= 10


def test_the_python_of_the_readme_runs(capsys):
    exec(compile(blocks("python")[-1], "README", "exec"), {})
    printed = capsys.readouterr().out
    assert "win_rate_se" in printed
    assert "wins with" in printed


def test_the_replay_file_of_the_readme_comes_out_as_expected(tmp_path):
    (text,) = blocks("toml")
    path = tmp_path / "freeze.toml"
    path.write_text(text, encoding="utf-8")
    result = replay(path)
    assert result.ok, (result.error, result.mismatches)


def test_the_sweep_of_the_readme_comes_out_as_shown(run):
    ((command, out),) = re.findall(r"```\n\$ flip7sim (sweep.*?)\n(.*?)```", TEXT, flags=re.DOTALL)
    assert run(*command.split()).out == out


@pytest.mark.parametrize("command", COMMANDS)
def test_the_readme_names_every_command(command):
    assert f"`flip7sim {command}" in TEXT


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`((?:flip7sim|strategies|tests)/[\w./]*)`", TEXT))))
def test_every_file_that_the_readme_names_is_there(path):
    assert (README.parent / path).exists()
