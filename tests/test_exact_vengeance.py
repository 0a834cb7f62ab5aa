"""The exact round and the odds of With A Vengeance, by brute force, by the reference, and by Monte Carlo."""

import functools
import itertools
import json
import math
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from flip7sim.alone import evaluate, round_of, solve, solve_rounds
from flip7sim.cards import JUST_ONE_MORE, MINUS_TWO, UNLUCKY_7, VENGEANCE_CARDS
from flip7sim.errors import Flip7Error
from flip7sim.exact.decks import DECKS
from flip7sim.exact.vengeance_decks import VENGEANCE_DECKS, VengeanceDeck
from flip7sim.exact.vengeance_hands import VengeanceHand
from flip7sim.exact.vengeance_lines import BUST, FLIP7, KINDS, all_vengeance_lines
from flip7sim.exact.vengeance_round import VengeanceRound
from flip7sim.exact.vengeance_table import vengeance_bust_table
from flip7sim.next_card import odds
from flip7sim.reference.cards import can_lie_together, count_of, score_of
from flip7sim.rules import Rules
from flip7sim.verification import LIMIT, verify

NAMES = VENGEANCE_CARDS.names
VENGEANCE = Rules.of("vengeance")


@pytest.fixture(autouse=True)
def nothing_is_remembered(monkeypatch, tmp_path_factory):
    """Work everything out: answers that the user's cache keeps would hide a mistake."""
    folder = tmp_path_factory.mktemp("answers")
    monkeypatch.setattr("flip7sim.alone.cache_folder", lambda: folder)


def codes(text):
    return tuple(NAMES.index(name) for name in text.split())


# --- brute force ---


def small(name, cards, modifiers=""):
    counts = Counter(codes(cards))
    row = sum(1 << (card - MINUS_TWO) for card in codes(modifiers))
    return VengeanceDeck(name, tuple(counts[kind] for kind in range(UNLUCKY_7 + 1)), row)


SMALL = [
    small("plain numbers", "1 2 2 3 3 3 4 4"),
    small("the zero", "zero 1 2 2 3 3 4"),
    small("the unlucky 7", "2 2 3 3 7 7 5 unlucky7"),
    small("the lucky 13", "2 2 3 13 13 13 lucky13"),
    small("all specials", "zero 1 2 2 7 13 13 lucky13 unlucky7"),
    small("modifiers", "2 2 5 5 9 9", "-2 /2"),
    small("modifiers that are wiped", "zero 5 5 7 13 unlucky7", "-4 -10 /2"),
]
OPTIONS = [{"flip7_size": 4, "flip7_bonus": 5}, {"flip7_size": 3, "flip7_bonus": 6, "lucky13_flip7": "cards"}]


def brute_force(deck, rules, decide=None):
    """The value of a round by plain recursion over every order of the cards, as a fraction.

    Lines are judged by the reference. With `decide`, a function of (score, count), that of a strategy; else the best.
    """

    @functools.cache
    def visit(left, front):
        numbers = [card for card in front if card < MINUS_TWO]
        stay = Fraction(score_of(rules, numbers, [card for card in front if card >= MINUS_TWO]))
        if not sum(left):
            return stay
        forced = not front or 0 in front
        if decide is not None and not forced and not decide(stay, count_of(rules, numbers)):
            return stay
        hit = sum((count * after(left, front, card) for card, count in enumerate(left) if count), Fraction(0))
        hit /= sum(left)
        return hit if forced or decide is not None else max(stay, hit)

    def after(left, front, card):
        left = (*left[:card], left[card] - 1, *left[card + 1 :])
        front = (card,) if card == UNLUCKY_7 else tuple(sorted((*front, card)))
        numbers = [each for each in front if each < MINUS_TWO]
        if not can_lie_together(numbers):
            return Fraction(0)
        if count_of(rules, numbers) >= rules.flip7_size:
            return Fraction(score_of(rules, numbers, [each for each in front if each >= MINUS_TWO], flip7=True))
        return visit(left, front)

    return visit(deck.copies[:JUST_ONE_MORE], ())


def stop_at(score):
    """The decisions of who stays at a score, by phase."""

    def hits(phase):
        sums, columns = phase.lines.total[:, None], phase.columns.held
        minus = sum(2 * (bit + 1) * (columns >> bit & 1) for bit in range(5))
        points = np.maximum((sums >> (columns >> 5 & 1)) - minus, 0)
        return (np.where(phase.lines.forced[:, None], 0, points) < score).astype(np.uint8)

    return hits


@pytest.mark.parametrize("options", OPTIONS, ids=["distinct", "cards"])
@pytest.mark.parametrize("deck", SMALL, ids=lambda deck: deck.name)
def test_the_best_round_of_small_decks_agrees_with_brute_force_in_fractions(deck, options):
    rules = Rules.of("vengeance", **options)
    value, found = VengeanceRound(deck, rules).solve()
    assert value == pytest.approx(float(brute_force(deck, rules)), abs=1e-12)
    assert found.expected_score == pytest.approx(value, abs=1e-12)
    assert found.scores.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("stop", [3, 8, 14])
@pytest.mark.parametrize("options", OPTIONS, ids=["distinct", "cards"])
@pytest.mark.parametrize("deck", SMALL, ids=lambda deck: deck.name)
def test_a_strategy_on_a_small_deck_agrees_with_brute_force(deck, options, stop):
    rules = Rules.of("vengeance", **options)
    alone = VengeanceRound(deck, rules)
    exact = float(brute_force(deck, rules, decide=lambda score, count: score < stop))
    assert alone.evaluate(stop_at(stop)).expected_score == pytest.approx(exact, abs=1e-12)
    assert alone.value(stop_at(stop)) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("deck", SMALL, ids=lambda deck: deck.name)
def test_a_strategy_is_asked_what_it_would_be_asked_in_play(deck):
    # Through its compiled entry, with the records of the engine.
    (found,) = evaluate(["stop-at(score=8)"], deck, VENGEANCE)
    exact = VengeanceRound(deck, VENGEANCE).evaluate(stop_at(8))
    assert np.array_equal(found.distribution.scores, exact.scores)
    assert np.array_equal(found.distribution.visits, exact.visits)


# --- the whole round ---


def test_backward_values_and_forward_chances_agree():
    value, best = solve("numbers", "vengeance", jobs=2)
    found = best.distribution
    assert found.expected_score == pytest.approx(value, abs=1e-10)
    assert found.scores.sum() == pytest.approx(1, abs=1e-12)
    assert found.bust + found.flip7 + found.stayed == pytest.approx(1, abs=1e-12)
    assert found.visits.sum() == pytest.approx(found.decisions, abs=1e-12)
    assert value == pytest.approx(20.7339042202, abs=5e-11)  # as it was found
    assert {row["unlucky7"] for row in best.stops} == {False, True}
    # The best is no worse than what strategies make of it, and what they make of it does not depend on the threads.
    one, two = (evaluate(["expected-gain"], rules="vengeance", jobs=jobs)[0].distribution for jobs in (1, 2))
    assert value - 0.1 < one.expected_score < value
    assert np.array_equal(one.scores, two.scores)


@pytest.mark.slow
def test_the_engine_agrees_with_the_exact_round():
    found = verify(["stop-at(score=23)", "expected-gain"], rounds=400_000, seed=5, rules="vengeance")
    assert len(found) == 6
    assert all(abs(each.z) < LIMIT for each in found), [each.row for each in found]


@pytest.mark.slow
def test_the_engine_agrees_with_the_exact_round_with_modifiers():
    # A Flip 5, since there are so many more hands with modifiers.
    deck = VengeanceDeck("three modifiers", VENGEANCE_DECKS["numbers"].numbers, 0b110010)  # -4, -10, /2
    rules = Rules.of("vengeance", flip7_size=5)
    found = verify(["stop-at(score=23)", "expected-gain"], deck, rounds=400_000, seed=5, rules=rules)
    assert len(found) == 6
    assert all(abs(each.z) < LIMIT for each in found), [each.row for each in found]


def test_an_answer_is_kept_for_the_next_time(monkeypatch):
    deck = SMALL[4]
    first, stops = solve(deck, "vengeance"), evaluate(["stop-at(score=8)"], deck, "vengeance")
    monkeypatch.setattr(VengeanceRound, "solve", None)
    monkeypatch.setattr(VengeanceRound, "evaluate", None)
    assert solve(deck, "vengeance")[0] == first[0]
    assert evaluate(["stop-at(score=8)"], deck, "vengeance")[0].summary == stops[0].summary
    with pytest.raises(TypeError):
        solve(deck, Rules.of("vengeance", flip7_bonus=16))


def test_lines_are_what_can_lie_together():
    for cards in (False, True):
        rules = Rules.of("vengeance", lucky13_flip7="cards" if cards else "distinct")
        for start in (0, 1 << UNLUCKY_7):
            lines = all_vengeance_lines(7, cards, wiped=start > 0)
            expected = set()
            for key in range(1 << KINDS):
                numbers = [kind for kind in range(16) if (key | start) >> kind & 1]
                if can_lie_together(numbers) and count_of(rules, numbers) < 7:
                    expected.add(key | start)
            assert sorted(lines.keys.tolist()) == sorted(expected)
            here = np.arange(lines.size)[:, None]
            assert np.all((lines.after > here) | (lines.after == BUST) | (lines.after == FLIP7))


# --- the next card ---

HANDS = [
    ("3 8 13 lucky13 -4", "12 12 swap"),
    ("", ""),
    ("13 5", ""),
    ("lucky13 5 /2", "13 13 13"),
    ("unlucky7 3 12", "7 7 4 9 -2"),
    ("7 3 12 -10 -8", ""),
    ("zero 1 2 3 4 5 -6", "unlucky7"),
    ("1 2 3 4 5 6 /2 -2", "discard flip4"),
    ("8 9 10 11 12 13", ""),
    ("8 9 10 11 13 lucky13", "12 12 12"),
]


@pytest.mark.parametrize(
    "rules", [VENGEANCE, Rules.of("vengeance", lucky13_flip7="cards"), Rules.of("vengeance-brutal")]
)
@pytest.mark.parametrize(("hand", "seen"), HANDS)
def test_the_odds_of_a_hand_agree_with_a_count_by_the_reference(hand, seen, rules):
    if rules.lucky13_flip7 == "cards" and hand.startswith("8 9 10 11 12 13"):
        seen = "lucky13"
    (found,) = odds(hand, seen, rules)
    pile = Counter(VENGEANCE_CARDS.deck())
    pile.subtract(codes(hand) + codes(seen))
    numbers = [card for card in codes(hand) if card < MINUS_TWO]
    modifiers = [card for card in codes(hand) if card >= MINUS_TWO]
    now = score_of(rules, numbers, modifiers)
    bust = flip7 = 0
    scores = {True: 0, False: 0}
    for card in pile.elements():
        for alone in scores:
            kept = [[card], []] if card == UNLUCKY_7 else [[*numbers, card], modifiers]
            if card >= JUST_ONE_MORE or (card >= MINUS_TWO and not alone):
                scores[alone] += now
            elif card >= MINUS_TWO:
                scores[alone] += score_of(rules, numbers, [*modifiers, card])
            elif not can_lie_together(kept[0]):
                bust += alone
                minus = sum(2 * (each - MINUS_TWO + 1) for each in modifiers if NAMES[each] != "/2")
                scores[alone] -= minus if rules.modifiers_to_busted else 0
            else:
                made = count_of(rules, kept[0]) >= 7
                flip7 += made and alone
                scores[alone] += score_of(rules, *kept, flip7=made)
    total = pile.total()
    assert (found.hand.bust(), found.hand.flip7()) == (Fraction(bust, total), Fraction(flip7, total))
    assert found.hand.after_one_card(alone=True) == Fraction(scores[True], total)
    assert found.hand.after_one_card(alone=False) == Fraction(scores[False], total)
    assert found.summary["stop_now"] == now
    assert found.summary["go_on"] is None
    assert {row["card"]: row["left"] for row in found.cards} == {name: pile[card] for card, name in enumerate(NAMES)}
    assert sum(row["chance"] for row in found.cards) == pytest.approx(1, abs=1e-12)
    assert found.hand.must_hit == hand.startswith("zero")


def test_the_odds_follow_the_special_numbers():
    one = VengeanceHand(VENGEANCE, codes("lucky13 5"))
    assert one.bust() == Fraction(4, 106)  # any 13 may lie beside the Lucky 13 (V38)
    assert VengeanceHand(VENGEANCE, codes("13 5")).bust() == Fraction(11 + 4, 106)
    assert VengeanceHand(VENGEANCE, codes("7 5")).bust() == Fraction(5 + 4, 106)  # not the Unlucky 7 (V37)
    assert VengeanceHand(VENGEANCE, codes("zero 1 2 3 4 5")).flip7() == Fraction(92 - 15 - 1 - 1, 102)


@pytest.mark.parametrize(
    ("hand", "seen", "message"),
    [
        ("3 3", "", "hand: 2 cards of the number 3 are a bust"),
        ("7 unlucky7", "", "hand: 2 cards of the number 7 are a bust"),
        ("13 13", "", "hand: 2 cards of the number 13 are a bust"),
        ("13 13 lucky13", "", "hand: 3 cards of the number 13 are a bust"),
        ("swap", "", "hand: swap is no card to keep"),
        ("0", "", "hand: card '0' is unknown"),
        ("freeze", "", "hand: card 'freeze' is unknown"),
        ("3 -2", "-2", "hand and seen: -2 is there 2 times; the deck has 1"),
        ("zero 1 2 3 4 5 6", "", "hand: 7 numbers are a Flip 7"),
    ],
)
def test_a_hand_that_cannot_be_says_so(hand, seen, message):
    with pytest.raises(Flip7Error, match=message):
        odds(hand, seen, "vengeance")


def test_the_bust_table_agrees_with_a_count_of_all_ways():
    rows = vengeance_bust_table()
    for cards in (1, 2, 3):
        safe, busting = [0, 0], 0
        for kinds in itertools.product(range(UNLUCKY_7 + 1), repeat=cards + 1):
            ways, line, last_safe = 1, [], True
            seen = Counter()
            for place, kind in enumerate(kinds):
                ways *= VENGEANCE_CARDS.counts[kind] - seen[kind]
                seen[kind] += 1
                line = [kind] if kind == UNLUCKY_7 else [*line, kind]
                if not can_lie_together(line):
                    last_safe = place == cards
                    break
            else:
                safe[1] += ways
            if last_safe:
                safe[0] += ways  # the first `cards` do not bust
                busting += 0 if can_lie_together(line) else ways
        row = rows[cards - 1]
        assert row.by_then == 1 - Fraction(safe[0], math.perm(92, cards + 1))
        assert row.mean == Fraction(busting, safe[0]) * Fraction(92 - cards, 108 - cards)
        assert rows[cards].by_then == 1 - Fraction(safe[1], math.perm(92, cards + 1))
        assert row.best < row.mean < row.worst
        for hand, chance in ((row.best_hand, row.best), (row.worst_hand, row.worst)):
            assert VengeanceHand(VENGEANCE, hand).bust() == chance


# --- what cannot be done ---


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"strategies": ["always-hit"], "deck": "full"}, "deck 'full' cannot be solved exactly in Vengeance"),
        ({"strategies": ["random(p=0.3)"]}, "plays at random"),
        ({"strategies": ["always-hit"], "deck": DECKS["numbers"]}, "deck 'numbers' is one of the base game"),
        ({"strategies": ["always-hit"], "rules": Rules.of("vengeance", flip7_size=1)}, "it must be from 2 to 7"),
        ({"strategies": ["always-hit"], "rules": Rules.of("vengeance", decks=2)}, "decks: 2 cannot be solved exactly"),
        (
            {"strategies": ["always-hit"], "deck": "modifiers", "rules": "vengeance-brutal"},
            "where a round can score below 0",
        ),
    ],
)
def test_what_cannot_be_evaluated_says_so(arguments, message):
    with pytest.raises(Flip7Error, match=message):
        evaluate(**{"rules": "vengeance"} | arguments)


def test_decks_and_goals_of_the_other_game_say_so():
    with pytest.raises(Flip7Error, match="is one of Vengeance"):
        round_of(VENGEANCE_DECKS["numbers"], "fr-2.0")
    with pytest.raises(Flip7Error, match="for the base game only"):
        solve_rounds(rules="vengeance")


# --- the command line ---


def test_odds_on_the_command_line(run):
    ran = run("odds", "--rules", "vengeance", "--hand", "3 8 13 lucky13 -4", "--seen", "12 12 swap", "--format", "json")
    assert (ran.status, ran.errors) == (0, [])
    (found,) = json.loads(ran.out)
    assert found["bust"] == 0.2
    assert (found["stop_now"], found["go_on"], found["better"]) == (33, None, "stay")
    assert len(found["cards"]) == len(NAMES)
    ran = run("odds", "--rules", "vengeance", "--hand", "zero 3")
    assert "must hit" in ran.out
    ran = run("odds", "--rules", "vengeance", "--table", "--format", "csv")
    assert ran.out.splitlines()[2].startswith("2,")
    assert run("odds", "--rules", "vengeance", "--hands").status == 2


def test_solve_prints_what_the_readme_shows(run):
    readme = (Path(__file__).parent.parent / "README.md").read_text("utf-8")
    (shown,) = re.findall(r"\$ flip7sim solve --rules vengeance\n(.*?)```", readme, re.DOTALL)
    ran = run("solve", "--rules", "vengeance")
    assert (ran.status, ran.errors) == (0, [])
    assert ran.out == shown


def test_exact_commands_on_the_command_line(run):
    ran = run("exact", "--rules", "vengeance", "stop-at-cards(count=2)", "--format", "csv")
    assert ran.status == 0
    assert ran.out.splitlines()[0].startswith("strategy,deck,expected_score,sd,bust,flip7,frozen,decisions,rounds_to")
    assert ran.out.splitlines()[1].startswith("stop-at-cards(count=2),numbers,")
    ran = run("exact", "--rules", "vengeance", "--deck", "second-chance")
    assert (ran.status, len(ran.errors)) == (2, 1)
    assert "the decks without actions: numbers (92 cards), modifiers (98 cards)" in ran.errors[0]
    assert run("solve", "--rules", "vengeance", "--show", "simple").status == 2
