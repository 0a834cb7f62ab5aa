"""The exact round: published figures to every digit, and brute force in fractions on small decks."""

import functools
from fractions import Fraction

import numpy as np
import pytest

from flip7sim.alone import evaluate, expected_score, round_of, solve, solve_rounds
from flip7sim.errors import Flip7Error
from flip7sim.exact.decks import DECKS, Deck
from flip7sim.exact.lines import BUST, FLIP7, NONE, all_lines
from flip7sim.exact.round import Round
from flip7sim.exact.store import Answer, remembered
from flip7sim.policy.best_round import pack, unpack
from flip7sim.rules import Rules
from flip7sim.thumb import simple_rules

# Two independent programs gave these: expected score, standard deviation, bust, Flip 7, frozen.
BEST = {
    "numbers": (18.5652176141, 12.910689, 0.3134964608, 0.0028113032, 0.0),
    "modifiers": (20.2291054307, 15.197350, 0.3263373505, 0.0028410937, 0.0),
    "second-chance": (22.2504034143, 17.502561, 0.3176429831, 0.0156542635, 0.0),
}
# Stay at a score of T or more, `numbers`: expected score and bust.
STOP_AT = {
    10: (12.958210, 0.043784),
    20: (18.245135, 0.233584),
    23: (18.521226, 0.313173),
    27: (18.102275, 0.410013),
    30: (17.138948, 0.491166),
    40: (11.806593, 0.734401),
}


@pytest.fixture(autouse=True)
def nothing_is_remembered(monkeypatch, tmp_path_factory):
    """Work everything out: answers that the user's cache keeps would hide a mistake."""
    folder = tmp_path_factory.mktemp("answers")
    monkeypatch.setattr("flip7sim.alone.cache_folder", lambda: folder)


def half_a_digit(digits):
    """What a figure that was rounded to so many digits can be off by."""
    return 0.5000001 * 10.0**-digits


@pytest.mark.parametrize("deck", BEST)
def test_the_best_round_has_the_published_figures(deck):
    value, best = solve(deck)
    score, sd, bust, flip7, frozen = BEST[deck]
    found = best.distribution
    assert value == pytest.approx(score, abs=half_a_digit(10))
    assert found.sd == pytest.approx(sd, abs=half_a_digit(6))
    assert found.bust == pytest.approx(bust, abs=half_a_digit(10))
    assert found.flip7 == pytest.approx(flip7, abs=half_a_digit(10))
    assert found.frozen == frozen


@pytest.mark.parametrize("deck", BEST)
def test_backward_values_and_forward_chances_agree(deck):
    value, best = solve(deck, jobs=1)
    found = best.distribution
    assert found.expected_score == pytest.approx(value, abs=1e-10)
    assert found.scores.sum() == pytest.approx(1, abs=1e-12)
    assert found.bust + found.flip7 + found.frozen + found.stayed == pytest.approx(1, abs=1e-12)
    assert found.visits.sum() == pytest.approx(found.decisions, abs=1e-12)


def test_stop_scores_have_the_published_figures():
    found = evaluate([f"stop-at(score={score})" for score in STOP_AT], deck="numbers")
    for each, (score, bust) in zip(found, STOP_AT.values(), strict=True):
        assert each.distribution.expected_score == pytest.approx(score, abs=half_a_digit(6))
        assert each.distribution.bust == pytest.approx(bust, abs=half_a_digit(6))


def test_whoever_always_hits_busts_as_published():
    found = [
        each.distribution
        for each in evaluate(["always-hit", *(f"stop-at-cards(count={n})" for n in range(2, 7))], deck="numbers")
    ]
    assert found[0].expected_score == pytest.approx(5.74332, abs=half_a_digit(5))
    # Bust by the k-th number: of those who stop with k numbers.
    published = [0.09283, 0.26040, 0.46407, 0.65941, 0.81322]
    assert [each.bust for each in found[1:]] == pytest.approx(published, abs=half_a_digit(5))
    assert found[0].bust == pytest.approx(0.91339, abs=half_a_digit(5))


def test_rounds_to_200_of_the_best_round():
    _, best = solve("numbers")
    assert best.summary["rounds_to_200"] == pytest.approx(11.5134, abs=half_a_digit(4))
    assert sum(row["chance"] for row in best.rounds) == pytest.approx(1, abs=1e-11)


@pytest.mark.parametrize("spec", ["line-sum", "bust-limit(p=0.3)"])
def test_an_expected_score_backward_and_a_distribution_forward_agree(spec):
    (found,) = evaluate([spec])
    assert expected_score(spec) == pytest.approx(found.distribution.expected_score, abs=1e-10)


# --- the best decisions as a table ---


def test_every_line_has_a_place_of_its_own():
    lines = all_lines(DECKS["full"].numbers, 3, 7)
    hits = {played: np.ones((lines.size, 1), np.uint8) for played in range(4)}
    masks, places = unpack(pack(lines, DECKS["full"].numbers, np.array([0]), hits))
    assert masks.tolist() == [1]
    assert [int((codes == 0).sum()) for codes in places] == [lines.size] * 4


def test_a_table_that_is_not_whole_says_so():
    with pytest.raises(Flip7Error, match="the table of best decisions cannot be read"):
        unpack(b"nothing of the kind")


# --- the fewest rounds ---


@pytest.mark.parametrize(("deck", "rounds"), [("numbers", 11.0635816817), ("modifiers", 10.1930482051)])
def test_the_fewest_rounds_to_200_are_as_published(deck, rounds):
    fewest = solve_rounds(deck)
    assert fewest[200] == pytest.approx(rounds, abs=half_a_digit(10))
    assert fewest[0] == 0
    assert np.all(np.diff(fewest) >= 0)


def test_no_way_to_play_needs_fewer_rounds():
    alone = round_of("numbers")
    fewest = solve_rounds("numbers", Rules.of(target_score=60))
    for needed in (1, 25, 60):
        # The equation that the numbers must solve, with a bust on both sides.
        later = fewest[np.maximum(needed - np.arange(alone.scores), 0)]
        assert 1 - alone.solve(rewards=-later).value == pytest.approx(fewest[needed], abs=1e-9)
    assert fewest[60] < solve("numbers")[1].distribution.expected_rounds(60)


# --- simple rules ---


def test_the_best_simple_rules_are_found():
    value, _ = solve("numbers")
    found = {rule.strategy.partition("(")[0]: rule for rule in simple_rules("numbers")}
    assert {"line-sum", "expected-gain", "bust-limit", "stop-at", "stop-at-cards"} == set(found)
    assert found["stop-at"].strategy == "stop-at(score=23)"
    assert found["stop-at"].expected_score == pytest.approx(18.521226, abs=half_a_digit(6))
    stops = [expected_score(f"stop-at(score={score})", "numbers") for score in range(15, 35)]
    assert found["stop-at"].expected_score == max(stops)
    counts = [expected_score(f"stop-at-cards(count={count})", "numbers") for count in range(1, 8)]
    assert found["stop-at-cards"].expected_score == max(counts)
    assert all(rule.expected_score < value for rule in found.values())


def test_a_search_that_was_interrupted_goes_on_where_it_was():
    tried = []

    def stop(done, steps, rule):
        tried.append(rule)
        if len(set(tried)) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simple_rules("numbers", progress=stop)
    again = []
    simple_rules("numbers", progress=lambda done, steps, rule: again.append(rule))
    kept = set(tried) - {tried[-1]}
    assert len(kept) == 3
    assert not kept & set(again)
    assert tried[-1] in again


# --- brute force ---

SMALL = [
    Deck("numbers only", (1, 1, 2, 3), 0, 0, 0, 0),
    Deck("modifiers", (1, 1, 2, 2), 0b100101, 0, 0, 0),
    Deck("second chances", (1, 1, 3, 3), 0b100000, 2, 0, 0),
    Deck("freezes", (1, 2, 2, 2), 0b000001, 1, 2, 0),
    Deck("a flip three", (1, 2, 3, 2), 0b000001, 1, 1, 1),
    Deck("flip threes in flip threes", (0, 2, 3, 3), 0b000010, 2, 1, 3),
    Deck("all kinds", (1, 2, 2, 3), 0b100001, 3, 2, 2),
]
SMALL = [
    Deck(
        d.name,
        d.numbers + (0,) * 9,
        *(getattr(d, k) for k in ("modifiers", "second_chances", "freezes", "flip_threes")),
    )
    for d in SMALL
]


def brute_force(deck, immediate, size, bonus, decide=None, start_with=((), 0, False)):
    """The value of a round by plain recursion over every order of the cards, as a fraction.

    With `decide`, a function of (score, count), that of a strategy; else the best. Waiting actions are a stack, the
    newest Flip Three's first, and are played one by one.
    """
    kinds = [*range(13), *(("m", bit) for bit in range(6)), "S", "F", "T"]
    start = (
        *deck.numbers,
        *(deck.modifiers >> bit & 1 for bit in range(6)),
        *(deck.second_chances, deck.freezes, deck.flip_threes),
    )

    def score(line, mods):
        return sum(line) * (2 if 5 in mods else 1) + sum(2 * (bit + 1) for bit in mods if bit < 5)

    @functools.cache
    def rest(left, line, mods, chance, taking, aside, stack):
        """From here on: `taking` cards are still to be taken, then what is aside, then the older actions."""
        if taking:
            return average(left, line, mods, chance, taking, aside, stack)
        waiting = aside + stack
        if not waiting:
            return visit(left, line, mods, chance)
        first, others = waiting[0], waiting[1:]
        if first == "F":
            return Fraction(score(line, mods))
        if first == "S":
            return rest(left, line, mods, True, 0, (), others)
        return rest(left, line, mods, chance, 3, (), others)

    def average(left, line, mods, chance, taking, aside, stack):
        cards = sum(left)
        if not cards:
            # No card: the target stays (what it set aside cannot change its score any more).
            return Fraction(score(line, mods))
        total = Fraction(0)
        for place, kind in enumerate(kinds):
            if left[place] == 0:
                continue
            after = (*left[:place], left[place] - 1, *left[place + 1 :])
            inside = taking > 0
            go_on = functools.partial(rest, taking=max(taking - 1, 0), stack=stack)
            if isinstance(kind, int):
                if kind not in line:
                    longer = tuple(sorted((*line, kind)))
                    if len(longer) == size:
                        value = Fraction(score(longer, mods) + bonus)
                    else:
                        value = go_on(after, longer, mods, chance, aside=aside)
                elif chance:
                    value = go_on(after, line, mods, False, aside=aside)
                else:
                    value = Fraction(0)
            elif isinstance(kind, tuple):
                value = go_on(after, line, tuple(sorted((*mods, kind[1]))), chance, aside=aside)
            elif kind == "S" and (immediate or not inside):
                value = go_on(after, line, mods, True, aside=aside)
            elif inside:
                value = go_on(after, line, mods, chance, aside=(*aside, kind))
            else:
                value = rest(after, line, mods, chance, 0, (kind,), ())
            total += left[place] * value
        return total / cards

    def visit(left, line, mods, chance):
        stay = Fraction(score(line, mods))
        if not line and not mods and not chance:
            return average(left, line, mods, chance, 0, (), ())
        if decide is not None:
            return average(left, line, mods, chance, 0, (), ()) if decide(stay, len(line)) else stay
        if not sum(left):
            return stay
        return max(stay, average(left, line, mods, chance, 0, (), ()))

    numbers, row, held = start_with
    mods = tuple(bit for bit in range(6) if row >> bit & 1)
    left = [*start]
    for place in (*numbers, *(13 + bit for bit in mods), *([19] if held else [])):
        left[place] -= 1
    return average(tuple(left), tuple(sorted(numbers)), mods, held, 0, (), ())


def scores_of(alone):
    """What each hand would bank: lines by sets of modifiers."""
    plus = sum(2 * (bit + 1) * (alone.modifiers >> bit & 1) for bit in range(5))
    return (alone.lines.total[:, None] << (alone.modifiers >> 5 & 1)) + plus


@pytest.mark.parametrize("second_chance", ["deferred", "immediate"])
@pytest.mark.parametrize("deck", SMALL, ids=lambda deck: deck.name)
def test_small_decks_agree_with_brute_force_in_fractions(deck, second_chance):
    small = Round(deck, second_chance, size=4, bonus=5)
    best = small.solve().value
    assert best == pytest.approx(float(brute_force(deck, second_chance == "immediate", 4, 5)), abs=1e-12)


def test_a_flip_7_may_bring_any_bonus():
    deck = SMALL[0]
    small = Round(deck, size=4, bonus=1000)
    exact = brute_force(deck, False, 4, 1000)
    assert small.solve().value == pytest.approx(float(exact), rel=1e-12)
    hits = np.ones((small.lines.size, small.columns), np.uint8)
    found = small.evaluate(lambda played: hits)
    assert found.scores.nonzero()[0].max() == 1 + 2 + 3 + 1000
    assert found.expected_score == pytest.approx(small.value(lambda played: hits), rel=1e-12)


@pytest.mark.parametrize("second_chance", ["deferred", "immediate"])
@pytest.mark.parametrize("deck", SMALL, ids=lambda deck: deck.name)
@pytest.mark.parametrize("stop", [2, 4, 7])
def test_a_strategy_on_a_small_deck_agrees_with_brute_force(deck, second_chance, stop):
    small = Round(deck, second_chance, size=4, bonus=5)
    hits = (scores_of(small) < stop).astype(np.uint8)
    found = small.evaluate(lambda played: hits)
    exact = brute_force(deck, second_chance == "immediate", 4, 5, decide=lambda score, count: score < stop)
    assert found.expected_score == pytest.approx(float(exact), abs=1e-12)
    assert found.scores.sum() == pytest.approx(1, abs=1e-12)
    assert small.value(lambda played: hits) == pytest.approx(float(exact), abs=1e-12)


def test_the_odds_of_a_hand_agree_with_brute_force():
    deck = SMALL[-1]
    for numbers, row in (((1,), 0), ((3, 2), 1), ((2,), 32)):
        best = Round(deck, "deferred", 4, 5, numbers, row).solve()
        for held, value in ((False, best.value), (True, best.with_second_chance)):
            exact = brute_force(deck, False, 4, 5, start_with=(numbers, row, held))
            assert value == pytest.approx(float(exact), abs=1e-12)


# --- states ---


def test_lines_of_the_numbers_are_their_subsets():
    lines = all_lines(DECKS["numbers"].numbers, 0, 7)
    assert lines.size == sum(1 for bits in range(1 << 13) if bits.bit_count() < 7)
    assert np.array_equal(np.bitwise_count(lines.bits), lines.count)
    assert set(np.unique(lines.after[lines.count == 6])) <= {BUST, FLIP7, NONE}


def test_every_card_leads_to_a_later_line():
    lines = all_lines(DECKS["full"].numbers, 3, 7)
    here = np.arange(lines.size)
    for number in range(13):
        leads = lines.after[:, number] >= 0
        assert np.all(lines.after[leads, number] > here[leads])
    leads = lines.after_second_chance >= 0
    assert np.all(lines.after_second_chance[leads] > here[leads])
    assert np.all(np.diff(lines.seen) >= 0)


def test_cards_are_accounted_for_in_every_line():
    lines = all_lines(DECKS["full"].numbers, 3, 7)
    assert np.all(lines.left.sum(axis=1) + lines.cards - lines.seen == 79)


# --- what was worked out before ---


def test_an_answer_is_kept_for_the_next_time(monkeypatch):
    first = solve("numbers")
    stops = evaluate(["stop-at(score=21)"], deck="numbers")
    monkeypatch.setattr(Round, "solve", None)  # neither can be called any more
    monkeypatch.setattr(Round, "evaluate", None)
    value, best = solve("numbers")
    assert value == first[0]
    assert best.summary == first[1].summary
    assert best.stops == first[1].stops
    assert evaluate(["stop-at(score=21)"], deck="numbers")[0].scores == stops[0].scores
    with pytest.raises(TypeError):
        evaluate(["stop-at(score=22)"], deck="numbers")  # another value is another answer


def test_a_kept_answer_that_is_not_whole_is_worked_out_again(tmp_path):
    path = tmp_path / "answer.npz"
    value, best = solve("numbers")
    path.write_bytes(b"not an archive")
    assert remembered(path, lambda: Answer(value, best.distribution, best.decisions)).value == value
    again = remembered(path, lambda: pytest.fail("it is kept now"))
    assert (again.value, again.decisions) == (value, best.decisions)
    assert np.array_equal(again.distribution.visits, best.distribution.visits)
    assert [file.name for file in tmp_path.iterdir()] == ["answer.npz"]


def test_nothing_is_kept_of_what_was_interrupted(tmp_path, monkeypatch):
    monkeypatch.setattr("flip7sim.alone.cache_folder", lambda: tmp_path)

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve("second-chance", progress=stop)
    with pytest.raises(KeyboardInterrupt):
        evaluate(["stop-at"], progress=stop)
    assert list(tmp_path.iterdir()) == []


# --- what cannot be done ---


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"strategies": ["random(p=0.3)"]}, "plays at random"),
        ({"strategies": ["nobody"]}, "strategy 'nobody' is unknown"),
        ({"strategies": ["always-hit"], "deck": "half"}, "deck 'half' is unknown"),
    ],
)
def test_what_cannot_be_evaluated_says_so(arguments, message):
    with pytest.raises(Flip7Error, match=message):
        evaluate(**arguments)


def test_a_flip_7_that_is_too_large_says_so():
    with pytest.raises(Flip7Error, match="flip7_size: 9 cannot be solved exactly"):
        round_of("numbers", Rules.of("fr-2.0", flip7_size=9))


def test_the_fewest_rounds_with_actions_cannot_be_worked_out():
    with pytest.raises(Flip7Error, match="cannot be solved for the fewest rounds"):
        solve_rounds("full")
