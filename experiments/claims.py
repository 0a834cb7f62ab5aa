"""What others have published on Flip 7, beside what comes out here.

    python experiments/claims.py            # plays it all: three minutes
    python experiments/claims.py --page     # writes docs/claims.md anew, from claims.csv

The numbers go to claims.csv; the page is made from it. A claim is `confirmed` or `corrected` by a condition on the
numbers, which the tests look at again.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

import flip7sim as f7
from flip7sim.exact.decks import DECKS, Deck

HERE = Path(__file__).parent
TABLE = HERE / "claims.csv"
PAGE = HERE.parent / "docs" / "claims.md"
OWN = HERE / "questions.py"
SEED = 1
USUAL = "expected-gain(counting=no)"
#: Number cards to 27, plus cards apart, and always on with a Second Chance.
NUMBERS_27 = "line-sum(total=27,plus=0,six=0)"
#: A figure, its value, and its standard error (0: exact).
Figure = tuple[str, float, float]
Numbers = dict[str, float]


@dataclass(frozen=True)
class Claim:
    """A claim and what is measured for it.

    Attributes
    ----------
    key : str
        Its name in claims.csv.
    says : str
        What is claimed.
    source : str
        Who says so.
    rules : str
        How our numbers were played.
    measure : callable
        From a number of games to figures.
    games : int
        How many; 0 if all is exact.
    holds : callable
        Whether our figures confirm it.
    why : str
        What to make of it.
    """

    key: str
    says: str
    source: str
    rules: str
    measure: Callable[[int], Iterator[Figure]]
    games: int
    holds: Callable[[Numbers], bool]
    why: str


def inert(games: int) -> Iterator[Figure]:
    """A card that does nothing changes no decision by the sum of the line: the deck is one without such cards."""
    modifiers = DECKS["modifiers"]
    deck = Deck("plus cards", modifiers.numbers, modifiers.modifiers & 0b011111, 0, 0, 0)
    rules = f7.Rules.of("fr-2.0", flip7_bonus=0)
    for total in (21, 22, 23, 24):
        (each,) = f7.evaluate([f"line-sum(total={total},plus=0,six=0)"], deck, rules)
        yield f"points at {total}", each.distribution.expected_score, 0.0
        yield f"busts at {total}", each.distribution.bust, 0.0


def thresholds(games: int) -> Iterator[Figure]:
    """Stop scores against three that stop at 27."""
    swept = f7.sweep("stop-at", {"score": "23:33:2"}, against=["stop-at(score=27)"], players=4, games=games, seed=SEED)
    for row in swept.table.itertuples():
        yield f"wins at {row.score}", row.win_rate, row.win_rate_se


def contest(*strategies: str, field: str, players: int = 4) -> Callable[[int], Iterator[Figure]]:
    """Win rates of candidates in one seat against a field, and what the first wins more than each."""

    def measure(games: int) -> Iterator[Figure]:
        played = f7.tournament(
            strategies, players=players, games=games * len(strategies), seed=SEED, schedule="field", against=[field]
        )
        summary = played.tables.summary.set_index("strategy")
        labels = [f7.find(strategy).label for strategy in strategies]
        for label in labels:
            yield f"wins of {label}", summary.loc[label, "win_rate"], summary.loc[label, "win_rate_se"]
        for pair in played.tables.differences.itertuples():
            if labels[0] in (pair.strategy, pair.rival):
                sign, other = (1, pair.rival) if pair.strategy == labels[0] else (-1, pair.strategy)
                yield f"{labels[0]} over {other}", sign * pair.difference, pair.difference_se

    return measure


def targeted(games: int) -> Iterator[Figure]:
    """Seat 1 gets every Freeze and Flip Three of the others."""
    seats = f7.tournament([f"{OWN}:ganging-up"], players=4, games=games, seed=SEED).tables.seats
    row = seats[(seats["strategy"] == "(all)") & (seats["seat"] == 1)].iloc[0]
    yield "wins of the target", row["win_rate"], (row["win_rate_high"] - row["win_rate_low"]) / 3.92


def alone(games: int) -> Iterator[Figure]:
    """Rounds to 200 alone, with the whole deck."""
    for name, parameter, value in (
        (NUMBERS_27, "total", "27"),
        ("stop-at", "score", "27"),
        ("expected-gain", "counting", "yes"),
    ):
        swept = f7.sweep(name, {parameter: value}, deck="full", method="simulate", games=games, seed=SEED)
        row = swept.table.iloc[0]
        yield f"rounds of {row['strategy']}", row["rounds_to_200"], row["rounds_to_200_se"]


def duel(games: int) -> Iterator[Figure]:
    """Two players."""
    pair = [NUMBERS_27, "expected-gain"]
    table = f7.tournament(pair, players=2, games=games, seed=SEED).tables.head_to_head.set_index("strategy")
    yield f"wins of {NUMBERS_27}", table.loc[pair[0], "share"], table.loc[pair[0], "share_se"]


QUESTIONS = "often heard"
CLAIMS = (
    Claim(
        "inert",
        "With plus cards as the only cards beside the numbers that do anything, stop at a sum of 22: 19.4 points a "
        "round, 28.7 % busts (60,000 rounds)",
        QUESTIONS,
        "alone, exact; a card that does nothing is as good as not there; no bonus for a Flip 7",
        inert,
        0,
        lambda n: n["points at 22"] >= n["points at 23"],
        "Their figures for 22 are right, but 23 is better, by less than 60,000 rounds can tell: their standard error "
        "is about 0.05 points. (With the bonus it is 23 as well.)",
    ),
    Claim(
        "table-of-four",
        "Four at the table: stop between 25 and 29, it makes little difference where",
        QUESTIONS,
        "one seat against three that stop at 27, fr-2.0",
        thresholds,
        100_000,
        lambda n: min(n["wins at 25"], n["wins at 29"]) > max(n["wins at 31"], n["wins at 33"]) - 0.005,
        "Flat it is: 27 to 31 are within a point. But the top lies higher, at 29 to 31; 25 already costs two points.",
    ),
    Claim(
        "one-card",
        "Working out the expected value of one more card wins against every fixed stop score",
        QUESTIONS,
        "one seat against three that stop at 28, fr-2.0",
        contest(USUAL, "stop-at(score=26)", "stop-at(score=28)", "stop-at(score=30)", field="stop-at(score=28)"),
        100_000,
        lambda n: all(value > 0 for name, value in n.items() if " over " in name),
        "By six to eight points of win rate.",
    ),
    Claim(
        "tenth-of-the-gap",
        "Better even than that: stop at 25 plus 10 % of one's deficit to the leader",
        QUESTIONS,
        "one seat against three that stop at 27, fr-2.0",
        contest(f"{OWN}:gap(score=25,share=0.1)", "stop-at(score=25)", USUAL, field="stop-at(score=27)"),
        100_000,
        lambda n: n["gap(score=25,share=0.1) over expected-gain(counting=no)"] > 0,
        "It is better than 25 alone, but far from a look one card ahead.",
    ),
    Claim(
        "keep-hitting",
        "When another player has 200 on show, go on hitting",
        QUESTIONS,
        "one seat against three of expected-gain(counting=no), fr-2.0",
        contest(f"{OWN}:last-call", USUAL, field=USUAL),
        100_000,
        lambda n: n["last-call over expected-gain(counting=no)"] > 0,
        "Until ahead, or bust: the most valuable of the rules of thumb.",
    ),
    Claim(
        "everybodys-target",
        "If all aim at one player, that one wins half as often",
        QUESTIONS,
        "four seats of expected-gain(counting=no); three send each Freeze and Flip Three to the fourth, fr-2.0",
        targeted,
        200_000,
        lambda n: 0.115 < n["wins of the target"] < 0.135,
        "It costs more than a third of them: 25 % would be its share.",
    ),
    Claim(
        "freeze-denies",
        "A frozen player cannot grow any more, so a Freeze may do more elsewhere than on the leader",
        "jxcg/flip7, issue 40 (github.com/jxcg/flip7/issues/40)",
        "one seat against three of expected-gain(counting=no), fr-2.0",
        contest(f"{OWN}:aims", f"{OWN}:aims(freeze=shows-least)", f"{OWN}:aims(freeze=random)", field=USUAL),
        100_000,
        lambda n: n["aims over aims(freeze=shows-least)"] < 0,
        "As a rule the leader by total is right; who shows least in the round comes second, before anybody at random.",
    ),
    Claim(
        "rounds-alone",
        "Alone it takes 9.88 rounds to 200 for one who stops with number cards of 27, 9.81 by expected value",
        "2222-42/flip7_strategy, docs/strategy_evaluation.md (github.com/2222-42/flip7_strategy)",
        "alone, fr-2.0, a fresh deck each round, a Freeze and a Flip Three hit oneself",
        alone,
        300_000,
        lambda n: abs(n[f"rounds of {NUMBERS_27}"] - 9.88) < 0.1,
        "Their rounds are about one fewer, for expected value as well: more than the luck of 1000 games. Here even the "
        "best play for points needs 10.70, and 9.76 without Freezes and Flip Threes in the deck (both exact), so most "
        "likely these cards do less to their lonely player.",
    ),
    Claim(
        "duel",
        "Who stops with number cards of 27 wins 48.5 % of the games for two against expected value (1000 games)",
        "2222-42/flip7_strategy, docs/strategy_evaluation.md (github.com/2222-42/flip7_strategy)",
        "two seats, fr-2.0",
        duel,
        200_000,
        lambda n: abs(n[f"wins of {NUMBERS_27}"] - 0.485) < 2 * 0.0158,
        "Ours is lower by a point, which their 1000 games (± 1.6) cannot tell.",
    ),
    Claim(
        "always-hit",
        "To hit always, come what may, ends in the middle of the pack, about level with stopping at three or four "
        "cards",
        "a family's New Year's Eve (scottvee-gaming.blogspot.com/2026/01)",
        "one seat of six against five that stop with four cards, us-3.1 for the opening deal",
        contest("always-hit", "stop-at-cards(count=3)", field="stop-at-cards(count=4)", players=6),
        50_000,
        lambda n: n["wins of always-hit"] > 0.1,
        "It wins 7 % of the games for six, where its share is 17 %; three cards win 12.5 %. One evening is few games.",
    ),
)


def measured(most: int | None = None) -> pd.DataFrame:
    """Every figure of every claim; with no more games for each candidate than `most`.

    Returns
    -------
    DataFrame
        `claim`, `figure`, `value`, `se` (0: exact), `games`.
    """
    rows = []
    for claim in CLAIMS:
        games = min(claim.games, most or claim.games)
        rows += [(claim.key, figure, value, se, games) for figure, value, se in claim.measure(games)]
    return pd.DataFrame(rows, columns=["claim", "figure", "value", "se", "games"])


def numbers(table: pd.DataFrame, claim: Claim) -> Numbers:
    """The figures of a claim by name."""
    rows = table[table["claim"] == claim.key]
    return dict(zip(rows["figure"], rows["value"], strict=True))


def written(figure: str, value: float, se: float) -> str:
    """A figure as people read it."""
    if figure.startswith(("points", "rounds")):
        return f"{figure} {value:.4f}" if se == 0 else f"{figure} {value:.3f} ± {se:.3f}"
    if " over " in figure:
        return f"{figure} {100 * value:+.2f} ± {100 * se:.2f} points"
    return f"{figure} {100 * value:.2f} %" if se == 0 else f"{figure} {100 * value:.1f} ± {100 * se:.1f} %"


HEAD = """# Published claims

What others have published on Flip 7, beside what comes out here. ± is one standard error; without it a number is
exact. "points" after a difference are points of win rate. `python experiments/claims.py` plays it all again (seed 1)
and writes this page; the numbers are in `experiments/claims.csv`.

"""


def page(table: pd.DataFrame) -> str:
    """The page of the documentation."""
    lines = [HEAD + "| claim | ours | |", "|---|---|---|"]
    for claim in CLAIMS:
        rows = table[table["claim"] == claim.key]
        ours = "<br>".join(written(row.figure, row.value, row.se) for row in rows.itertuples())
        played = f" ({int(rows['games'].iloc[0]):,} games each)" if claim.games else ""
        verdict = "confirmed" if claim.holds(numbers(table, claim)) else "corrected"
        lines.append(
            f"| {claim.says}.<br>*{claim.source}* | {ours}<br>*{claim.rules}{played}* | **{verdict}**<br>{claim.why} |"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Play all claims, and write the numbers and the page."""
    parser = argparse.ArgumentParser(description="Published claims on Flip 7, beside ours.")
    parser.add_argument("--page", action="store_true", help="only the page, from the numbers that are there")
    if not parser.parse_args().page:
        measured().to_csv(TABLE, index=False, lineterminator="\n")
    PAGE.write_text(page(pd.read_csv(TABLE)), encoding="utf-8")


if __name__ == "__main__":
    main()
