"""How fast the engine is, as a ratio to plain C for the same game, taken in turn in one run.

    python tests/benchmarks/against_c.py [--games N] [--runs N] [STRATEGY]

The C program (`flip7_ref.c`) plays four seats that stop at a score of 28 under `fr-2.0`. The engine plays four seats of
STRATEGY, `stop-at(score=28)` by default, through the door that tournaments take, on one thread. Processor time counts,
compilation does not. Needs a C compiler.
"""

import argparse
import json
import statistics
import subprocess
import tempfile
from pathlib import Path

from flip7sim.benchmark import DEFAULT_STRATEGY, bench

SOURCE = Path(__file__).with_name("flip7_ref.c")


def main() -> None:
    """Compile the C program, play both in turn, and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("strategy", nargs="?", default=DEFAULT_STRATEGY)
    parser.add_argument("--games", type=int, default=500_000)
    parser.add_argument("--runs", type=int, default=9)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "flip7_ref"
        subprocess.run(["gcc", "-O3", "-march=native", "-o", program, SOURCE], check=True)
        ratios = []
        for _ in range(given.runs):
            ran = subprocess.run([program, str(given.games), *["28"] * 4], check=True, capture_output=True, text=True)
            plain = json.loads(ran.stdout)["games_per_cpu_second"]
            ours = bench([given.strategy], games=given.games)["games_per_cpu_second"]
            ratios.append(ours / plain)
            print(f"engine {ours:>9,.0f}   C {plain:>9,.0f}   games per second of processor time: {ours / plain:.3f}")
    print(f"median {statistics.median(ratios):.3f}, from {min(ratios):.3f} to {max(ratios):.3f}")


if __name__ == "__main__":
    main()
