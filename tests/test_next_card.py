"""The odds of the next card: counted by hand, in fractions."""

import itertools
from collections import Counter
from fractions import Fraction

import pytest

from flip7sim import reference
from flip7sim.cards import BASE_CARDS, FLIP_THREE, SECOND_CHANCE
from flip7sim.codes import Status
from flip7sim.errors import Flip7Error
from flip7sim.exact.bust_table import bust_table, hands_to_hit_on
from flip7sim.exact.hands import Hand, parse_cards
from flip7sim.next_card import odds
from flip7sim.rules import Rules
from flip7sim.table import SeatStart, Start


def test_the_odds_of_a_hand_count_what_was_seen():
    found, other = odds("3 8 12 +4", "12 12 5 freeze")
    # 86 cards are left; of 3, 8 and 12 there are 2, 7 and 9.
    assert found.hand.bust() == Fraction(2 + 7 + 9, 86)
    assert found.summary["stop_now"] == 27
    assert found.hand.flip7() == 0
    assert sum(row["left"] for row in found.cards) == 86
    assert (found.summary["second_chance"], other.summary["second_chance"]) == (False, True)
    assert other.hand.bust() == 0


def test_one_more_card_is_worth_what_a_sum_over_the_deck_says():
    hand = Hand(parse_cards("9 x2 2", "hand"))
    gain = sum(count * 2 * number for number, count in hand.left.items() if number < 13 and number not in (2, 9))
    gain += sum(2 * (place + 1) for place in range(5))
    busts = hand.left[9] + hand.left[2]
    assert hand.after_one_card() == Fraction(91 * 22 + gain - busts * 22, 91)


def test_the_seventh_number_brings_the_bonus():
    hand = Hand(parse_cards("0 1 2 3 4 5", "hand"))
    new = sum(count for number, count in hand.left.items() if 6 <= number < 13)
    assert hand.flip7() == Fraction(new, 88)
    numbers = sum(count * (15 + number + 15) for number, count in hand.left.items() if 6 <= number < 13)
    modifiers = sum(15 + plus for plus in (2, 4, 6, 8, 10)) + 30
    assert hand.after_one_card() == Fraction(numbers + modifiers + 9 * 15, 88)


def test_going_on_is_worth_no_less_than_one_card():
    for cards in ("12 11 10", "1 2 3 4", "12 10 +10 x2", "0 5 6 7 8 second_chance"):
        for each in odds(cards):
            assert each.go_on >= float(each.hand.after_one_card()) - 1e-12 or each.summary["better"] == "stay"
            assert each.summary["better"] == ("hit" if each.go_on > each.hand.score else "stay")


@pytest.mark.parametrize("rules", ["fr-2.0", "us-3.1"])
@pytest.mark.parametrize("hand", ["3 8", "3 8 second_chance", "0 1 2 3 4 8", "3 8 4 5 6 second_chance"])
def test_a_flip_three_busts_as_often_as_in_every_order_of_the_pile(hand, rules):
    """All orders of nine cards are played, card by card, by the reference: the Flip Three comes first."""
    rules, cards = Rules.of(rules), parse_cards(hand, "hand")
    left = parse_cards("3 8 8 9 10 10 second_chance freeze +2", "left")
    seen = Counter(BASE_CARDS.deck())
    seen.subtract(cards + left)
    plain = tuple(card for card in cards if card != SECOND_CHANCE)
    seat = SeatStart(numbers=plain, second_chance=SECOND_CHANCE in cards)
    busts = 0
    for pile in itertools.permutations(left, 3):
        start = Start(rules, (seat,), dealer=0, draw_pile=(FLIP_THREE, *pile), deal=False, one_round=True)
        finish = reference.play(start, lambda game, asked: int(not game.taken))
        busts += finish.seats[0].status is Status.BUST
    exact = Hand(cards, tuple(seen.elements())).flip_three_busts(rules.flip3_second_chance == "immediate")
    assert exact == Fraction(busts, 9 * 8 * 7)


def test_the_flip_three_that_busts_is_out_of_the_deck():
    assert Hand((3,)).flip_three_busts() == Hand((3,), (FLIP_THREE,)).flip_three_busts()
    assert Hand((3,), (FLIP_THREE,) * 2).flip_three_busts() > Hand((3,), (FLIP_THREE,)).flip_three_busts()
    found, other = odds("3 8 12 +4")
    assert found.summary["bust_flip_three"] > other.summary["bust_flip_three"] > 0
    with_saves = odds("3 8 12 +4", rules="us-3.1")[0].summary["bust_flip_three"]
    assert with_saves < found.summary["bust_flip_three"]


def test_the_bust_table_has_the_published_figures():
    rows = bust_table()
    published = [0.09283, 0.26040, 0.46407, 0.65941, 0.81322]
    assert [float(row.by_then) for row in rows[1:]] == pytest.approx(published, abs=5.0000001e-6)
    assert rows[0].mean == Fraction(sum(count * (count - 1) for count in (1, *range(1, 13))), 79 * 93)
    assert (rows[1].best_hand, rows[1].worst_hand) == ((0, 1), (11, 12))
    assert all(row.best < row.mean < row.worst for row in rows)


def test_the_hands_to_hit_on_are_the_first_and_the_last_by_what_one_card_adds():
    rows = hands_to_hit_on(most=2, each=2)
    assert [(row.rank, len(row.hand)) for row in rows] == [(r, n) for n in (1, 2) for r in (1, 2, -2, -1)]
    gains = {h: Hand(h).after_one_card() - sum(h) for h in itertools.combinations(range(13), 2)}
    best, second, last_but_one, worst = rows[4:]
    assert best.gain == max(gains.values()) == gains[best.hand]
    assert worst.gain == min(gains.values()) == gains[worst.hand]
    assert second.hand == sorted(gains, key=lambda hand: -gains[hand])[1]
    assert worst.bust == Fraction(10 + 11, 92)
    assert last_but_one.gain > worst.gain


@pytest.mark.parametrize(
    ("hand", "seen", "message"),
    [
        ("3 3", "", "hand: 3 is there 2 times"),
        ("freeze", "", "hand: freeze is no card to keep"),
        ("13", "", "hand: card '13' is unknown"),
        ("1", "1", "hand and seen: 1 is there 2 times; the deck has 1"),
        ("0 1 2 3 4 5 6", "", "hand: 7 numbers are a Flip 7"),
    ],
)
def test_a_hand_that_cannot_be_says_so(hand, seen, message):
    with pytest.raises(Flip7Error, match=message):
        odds(hand, seen)
