"""How fast the engine is, as a ratio to plain C for the same game, taken in turn in one run.

    python tests/benchmarks/against_c.py [--games N] [--runs N] [STRATEGY]

The C program (`flip7_ref.c`) plays four seats that stop at a score of 28 under `fr-2.0`. The engine plays four seats of
STRATEGY, `stop-at(score=28)` by default, through the door that tournaments take, on one thread; then With A Vengeance,
which is compared with the base game by the time that a card takes. Processor time counts, compilation does not. Needs a
C compiler.
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
        ratios, by_card = [], []
        for _ in range(given.runs):
            ran = subprocess.run([program, str(given.games), *["28"] * 4], check=True, capture_output=True, text=True)
            plain = json.loads(ran.stdout)["games_per_cpu_second"]
            base = bench([given.strategy], games=given.games)
            vengeance = bench([given.strategy], games=given.games, rules="vengeance")
            ours = base["games_per_cpu_second"]
            ratios.append(ours / plain)
            by_card.append(base["nanoseconds_per_card"] / vengeance["nanoseconds_per_card"])
            print(
                f"engine {ours:>9,.0f}   C {plain:>9,.0f}   games per second of processor time: {ratios[-1]:.3f}"
                f"   Vengeance to base, cards: {by_card[-1]:.3f}"
            )
    for name, all_of_them in (("engine to C", ratios), ("Vengeance to base", by_card)):
        low, middle, high = min(all_of_them), statistics.median(all_of_them), max(all_of_them)
        print(f"{name}: median {middle:.3f}, from {low:.3f} to {high:.3f}")


if __name__ == "__main__":
    main()
