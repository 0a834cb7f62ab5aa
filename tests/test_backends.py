"""Threads, processes and a Dask cluster play the same games, to the byte, whichever of their workers die."""

import importlib.util
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys

import numpy as np
import pytest

from flip7sim import strategy
from flip7sim.engine import cache
from flip7sim.errors import Flip7Error, StrategyError
from flip7sim.policy.entries import source_hash
from flip7sim.runs import backends
from flip7sim.runs import simulate as simulation
from flip7sim.runs.backends import Processes, Threads, open_backend
from flip7sim.runs.parcels import pack, unpack
from flip7sim.runs.simulate import simulate
from flip7sim.sweeps.play import sweep
from flip7sim.tournaments import plan

THREE = ["stop-at(score=25,target=random)", "random(p=0.2)", "bust-limit(p=0.3,counting=no)"]
MINE = """
from flip7sim import strategy
from beside import LIMIT

@strategy{options}
def mine(me, table, more=1):
    return me.count < LIMIT + more
"""


@pytest.fixture
def mine(tmp_path):
    """Write a strategy file, and one that it imports; its spec."""

    def write(options="(jit=False)", text=MINE):
        folder = tmp_path / "strategies"
        folder.mkdir()
        (folder / "beside.py").write_text("LIMIT = 2\n", encoding="utf-8")
        (folder / "mine.py").write_text(text.format(options=options), encoding="utf-8")
        return f"{folder / 'mine.py'}:mine"

    yield write
    sys.modules.pop("beside", None)


def same(one, other):
    return (one.games, one.blocks) == (other.games, other.blocks) and all(
        np.array_equal(a, b)
        for mine, theirs in zip([one, *one.batches], [other, *other.batches], strict=True)
        for a, b in zip(mine.arrays, theirs.arrays, strict=True)
    )


# A plan as plain data


def test_a_parcel_is_plain_data_and_becomes_the_same_plan(mine):
    what = plan([*THREE, f"{mine()}(more=2)"], 3, 100, seed=4, rules="us-3.1")
    found = unpack(pickle.loads(pickle.dumps(pack(what))))
    assert (found.rules, found.lineups, found.games, found.seed) == (what.rules, what.lineups, what.games, what.seed)
    assert [entrant.label for entrant in found.entrants] == [entrant.label for entrant in what.entrants]
    for one, other in zip(found.entrants, what.entrants, strict=True):
        assert (one.values, one.origin, one.spec) == (other.values, other.origin, other.spec)
        assert source_hash(one.strategy) == source_hash(other.strategy)


def test_a_field_and_a_deck_travel_too():
    what = plan(THREE[:2], schedule="field", against=THREE[2:], games=100)
    found = unpack(pack(what))
    assert (found.schedule, found.field, found.copies) == ("field", 1, None)


ELSEWHERE = """
import pickle, sys
from flip7sim.runs.backends import play_item
from flip7sim.engine import cache
cache.on_compile.append(lambda name: print("compiled", name))
with open("parcel", "rb") as file:
    played = play_item("a key", pickle.load(file), (0, 40), False)
with open("counts", "wb") as file:
    pickle.dump(played.counts, file)
"""


@pytest.mark.slow
def test_a_strategy_file_travels_as_text_and_what_was_compiled_for_it_is_found(mine, tmp_path, monkeypatch):
    # A cache of its own with the kernels in it, so that nothing of a strategy that lives so briefly is left behind.
    place = tmp_path / "cache" / cache.package_digest()
    shutil.copytree(cache.cache_folder(), place)
    monkeypatch.setattr(cache, "cache_folder", lambda: place)
    what = plan([THREE[0], mine("")], 2, 80, seed=4)
    usual = simulate(what, 1)
    (tmp_path / "parcel").write_bytes(pickle.dumps(pack(what)))
    shutil.rmtree(tmp_path / "strategies")
    environment = os.environ | {"FLIP7SIM_CACHE": str(tmp_path / "cache")}
    ran = subprocess.run([sys.executable, "-c", ELSEWHERE], cwd=tmp_path, env=environment, capture_output=True,
                         text=True)  # fmt: skip
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    counts = pickle.loads((tmp_path / "counts").read_bytes())
    assert all(np.array_equal(a, b) for a, b in zip(counts.arrays, usual.arrays, strict=True))


def test_a_worker_with_other_sources_refuses(monkeypatch):
    parcel = pack(plan(THREE, 3, 10))
    parcel.entrants[0]["source_hash"] = "0" * 16
    with pytest.raises(Flip7Error, match=r"a worker has another strategy 'stop-at' \(built-in\): install the same"):
        unpack(parcel)
    parcel.entrants[0]["name"] = "stop-at-all"
    with pytest.raises(Flip7Error, match="a worker has no strategy 'stop-at-all'"):
        unpack(parcel)
    monkeypatch.setattr("flip7sim.runs.parcels.version", lambda name: "9.9")
    with pytest.raises(Flip7Error, match=r"a worker has flip7sim 9\.9, but"):
        unpack(parcel)


def test_a_strategy_that_is_in_no_file_stays_here():
    with pytest.raises(Flip7Error, match="strategy cell was not loaded from a file, so no other process can be told"):
        pack(plan([strategy(lambda me, table: False, name="cell", jit=False)], 1, 10))


# Back ends


@pytest.fixture
def small_items(monkeypatch):
    monkeypatch.setattr(simulation, "ITEM_SEATS", 2_000)


@pytest.fixture
def processes():
    with open_backend("processes", 2) as backend:
        yield backend


@pytest.mark.slow
def test_processes_play_the_same_games_with_one_killed_and_a_strategy_of_the_users(mine, processes, monkeypatch):
    monkeypatch.setattr(simulation, "ITEM_SEATS_OF_PYTHON", 150)
    what = plan([*THREE, mine()], 3, 1503, seed=4)
    logs = [], []
    usual = simulate(what, Threads(2), log=logs[0].append)
    killed = []

    def kill(games):
        if games > 300 and not killed:
            killed.append(next(iter(processes.pool._processes)))
            os.kill(killed[0], signal.SIGKILL)

    found = simulate(what, processes, kill, log=logs[1].append)
    assert killed
    assert killed[0] not in processes.pool._processes
    assert same(found, usual)
    assert np.array_equal(np.concatenate(logs[1]), np.concatenate(logs[0]))


@pytest.mark.slow
def test_what_goes_wrong_in_a_process_is_said_as_in_a_thread(mine, processes):
    text = "from flip7sim import strategy\n@strategy{options}\ndef mine(me, table):\n    return 7\n"
    what = plan([mine(text=text), "always-stay"], 2, 40)
    told = []
    for backend in (Threads(1), processes):
        with pytest.raises(StrategyError) as error:
            simulate(what, backend)
        told.append(str(error.value))
    assert told[0] == told[1]
    assert told[0].startswith("strategy mine answered 7 to hit or stay (1 or 0), in game")


@pytest.mark.slow
def test_workers_that_die_again_and_again_are_given_up(mine, processes, monkeypatch):
    monkeypatch.setattr(backends, "MOST_DEATHS", 2)
    text = (
        "import multiprocessing, os\nfrom flip7sim import strategy\n@strategy{options}\ndef mine(me, table):\n"
        "    if multiprocessing.parent_process():\n        os._exit(3)\n    return False\n"
    )
    what = plan([mine(text=text), "always-stay"], 2, 40)
    with pytest.raises(Flip7Error, match=r"workers died 2 times in a row \(BrokenProcessPool\)"):
        simulate(what, processes)


class Mortal(Threads):
    """Threads of which every third item is lost."""

    lost = (InterruptedError,)
    count = 0

    def result(self, future):
        Mortal.count += 1
        if Mortal.count % 3 == 0:
            raise InterruptedError
        return super().result(future)


def test_what_is_lost_is_played_again_in_order(small_items):
    what = plan(THREE, 3, 3001, seed=4)
    assert same(simulate(what, Mortal(2)), simulate(what, 1))


def test_workers_that_always_die_do_not_leave_it_waiting(small_items):
    class Dead(Threads):
        lost = (InterruptedError,)

        def result(self, future):
            raise InterruptedError

    with pytest.raises(Flip7Error, match=r"workers died 4 times in a row \(InterruptedError\)"):
        simulate(plan(THREE, 3, 300), Dead(2))


needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="Dask is not installed (pip install 'flip7sim[dask]')"
)


@pytest.mark.slow
@needs_dask
@pytest.mark.filterwarnings("ignore")
def test_a_dask_cluster_plays_the_same_games_with_a_worker_killed(mine, monkeypatch):
    monkeypatch.setattr(simulation, "ITEM_SEATS_OF_PYTHON", 150)
    what = plan([*THREE, mine()], 3, 1503, seed=4)
    usual = simulate(what, 2)
    with open_backend("dask", 2) as cluster:
        workers = list(cluster.client.run(os.getpid).values())
        assert len(set(workers)) == 2
        assert os.getpid() not in workers
        killed = []

        def kill(games):
            if games > 300 and not killed:
                killed.append(workers[0])
                os.kill(workers[0], signal.SIGKILL)

        assert same(simulate(what, cluster, kill), usual)
        assert killed
        # A running cluster is used as it is, and is still there afterwards.
        address = cluster.client.scheduler.address
        with open_backend("dask", scheduler=address) as guest:
            assert same(simulate(what, guest), usual)
        assert cluster.client.scheduler_info()["workers"]


@needs_dask
@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_does_not_answer_gets_one_line(run, tmp_path, monkeypatch):
    monkeypatch.setattr(backends, "ANSWER_SECONDS", 0.5)
    options = ("tournament", "-g", 10, "--backend", "dask", "--scheduler")
    for address in ("tcp://127.0.0.1:9", "nonsense://x"):
        ran = run(*options, address)
        assert ran.status == 2
        assert ran.errors[-1].startswith(f"flip7sim: error: scheduler '{address}' does not answer: ")
    assert not list(tmp_path.iterdir())


def test_dask_that_is_not_installed_gets_one_line(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    ran = run("tournament", "-g", 10, "--backend", "dask")
    assert ran.status == 2
    assert ran.errors[0].endswith("which is not installed: pip install 'flip7sim[dask]'")


def test_a_back_end_that_there_is_not_is_refused(run):
    with (
        pytest.raises(Flip7Error, match="back end 'thread' is unknown; did you mean 'threads'"),
        open_backend("thread"),
    ):
        pass
    ran = run("tournament", "-g", 10, "--scheduler", "tcp://x:1")
    assert ran.errors == ["flip7sim: error: scheduler: only the back end dask has one; write --backend dask with it"]


def test_processes_begin_when_they_are_needed_only():
    assert Processes(2).pool is None


# Sweeps and best responses


def test_a_sweep_is_the_same_on_processes(run, tmp_path):
    what = ("sweep", "stop-at", "score=24:28:2", "--against", "expected-gain", "--games", "400", "--format", "csv")
    shown = [
        run(*what, "--backend", backend, "--jobs", 2, "--out", tmp_path / backend)
        for backend in ("threads", "processes")
    ]
    assert [each.status for each in shown] == [0, 0]
    assert shown[0].out == shown[1].out
    manifest = json.loads((tmp_path / "processes" / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["backend"], manifest["jobs"]) == ("processes", 2)


def test_a_best_response_is_the_same_on_processes(run, tmp_path):
    what = ("best-response", "stop-at", "score=24:28:2", "--games", "400", "--format", "csv", "--iterate")
    shown = [
        run(*what, "--backend", backend, "--jobs", 2, "--out", tmp_path / backend)
        for backend in ("threads", "processes")
    ]
    assert [each.status for each in shown] == [0, 0]
    assert shown[0].out == shown[1].out


def test_rounds_alone_with_a_deck_of_their_own_travel_too(tmp_path):
    with open_backend("processes", 2) as workers:
        far = sweep("stop-at", {"score": "20,25"}, games=3000, method="simulate", deck="numbers", jobs=workers)
    near = sweep("stop-at", {"score": "20,25"}, games=3000, method="simulate", deck="numbers")
    assert far.table.to_csv() == near.table.to_csv()
    assert far.table["round_score"].max() < 19
