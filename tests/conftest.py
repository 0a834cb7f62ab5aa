"""Fixtures that several test modules share."""

from dataclasses import dataclass

import pytest


def pytest_addoption(parser):
    parser.addoption("--update-golden", action="store_true", help="write the texts in tests/golden anew")


@dataclass
class Ran:
    """What came of a command."""

    status: int
    out: str
    err: str

    @property
    def errors(self):
        """The lines on stderr, those on what had to be compiled apart."""
        return [line for line in self.err.splitlines() if not line.startswith("compiling ")]


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run the command line in an empty folder: ``run("tournament", "--games", 100)``."""
    from flip7sim.cli.main import main
    from flip7sim.engine import cache

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cache, "on_compile", [])

    def command(*arguments):
        capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main([str(argument) for argument in arguments])
        return Ran(stop.value.code, *capsys.readouterr())

    return command


@pytest.fixture
def throwaway_cache(monkeypatch, tmp_path_factory):
    """Keep what is compiled for strategies that only live for one test out of the user's cache."""
    from flip7sim.engine import cache, kernels

    kernels.blocks_kernel("base", False)
    kernels.blocks_kernel("base", True)
    kernels.told_kernel("base")
    place = tmp_path_factory.mktemp("cache")
    monkeypatch.setattr(cache, "cache_folder", lambda: place)
    return place
