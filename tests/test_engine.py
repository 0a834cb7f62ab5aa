"""The engine by itself: cards, counts, random streams, and games that would not end."""

import itertools
import math
import random
from collections import Counter

import numpy as np
import pytest
from helpers import SPECS, entrants, new_game, play_fast, random_game, random_table
from scipy.stats import chi2

from flip7sim import randomness
from flip7sim.cards import BASE_CARDS, FREEZE, NUMBERS, PLUS_TWO, SECOND_CHANCE, TIMES_TWO
from flip7sim.codes import LUCK_SCALE, MAX_ROUND_CARDS, NO_CARD, Event, Status
from flip7sim.engine import batch, stream
from flip7sim.engine.single import play_script
from flip7sim.policy.registry import find
from flip7sim.randomness import Stream, game_key, mix, shuffled, stream_of
from flip7sim.replays.simulated import simulated_game
from flip7sim.rules import Rules
from flip7sim.runs.simulate import simulate
from flip7sim.tournaments import plan

GAMMA = 0x9E3779B97F4A7C15
MASK = (1 << 64) - 1
#: The first outputs of the public SplitMix64 generator with seed 0.
KNOWN = (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F)


# Cards


def test_cards_are_conserved():
    dice = random.Random(1)
    everyone = entrants()
    for _ in range(400):
        start = random_game(dice)
        finish = play_fast(start, dice.choices(everyone, k=len(start.seats)))
        deck = start.rules.cards.deck(start.rules.decks_for(len(start.seats)))
        # The last round is over, so nothing lies in front of anybody.
        assert finish.round_over
        assert sorted(finish.draw_pile + finish.discard_pile) == deck


def test_cards_are_conserved_when_play_halts_in_mid_round():
    dice = random.Random(2)
    for _ in range(300):
        start = random_table(dice)
        finish = play_script(start, [(seat, 0, 1, NO_CARD) for seat in range(dice.randrange(12))])
        before = [*start.draw_pile, *start.discard_pile]
        for seat in start.seats:
            before += [*seat.numbers, *seat.modifiers, *(FREEZE,) * (seat.status == 2), *(21,) * seat.second_chance]
        after = [*finish.draw_pile, *finish.discard_pile]
        if not finish.round_over:
            for seat in finish.seats:
                after += [*seat.numbers, *seat.modifiers, *(FREEZE,) * (seat.status == 2), *(21,) * seat.second_chance]
        waiting = Counter(before) - Counter(after)
        # Actions that are being resolved when play halts lie in front of nobody; all else is accounted for.
        assert Counter(after) - Counter(before) == Counter()
        assert all(card >= start.rules.cards.modifiers for card in waiting)
        if finish.round_over or finish.asked.question == 0:
            assert not waiting


# Counts


def luck_by_hand(told):
    """What the luck of each seat in a game is, from what happened in it."""
    unseen, shuffles = Counter(), iter(told.finish.shuffles)
    seats = len(told.start.seats)
    luck, held, plus, doubled, protected = [0.0] * seats, [], [], [], []
    for event, seat, value in told.finish.events:
        if event == Event.ROUND:
            held, plus, doubled = [set() for _ in range(seats)], [0] * seats, [1] * seats
            protected = [False] * seats
        elif event == Event.SHUFFLE:
            unseen = Counter(next(shuffles))
        elif event == Event.DRAW:
            chance = sum(unseen[number] for number in held[seat]) / unseen.total()
            if not protected[seat]:
                luck[seat] += (chance - (value in held[seat])) * (sum(held[seat]) * doubled[seat] + plus[seat])
            unseen[value] -= 1
        elif event == Event.SAVED:
            protected[seat] = False
        elif event == Event.KEEP:
            if value < NUMBERS:
                held[seat].add(value)
            elif value == SECOND_CHANCE:
                protected[seat] = True
            elif value == TIMES_TWO:
                doubled[seat] = 2
            else:
                plus[seat] += 2 * (value - PLUS_TWO + 1)
    return luck


@pytest.mark.parametrize(
    ("players", "rules"),
    [
        (3, Rules()),
        (4, Rules.of("us-3.1")),
        (20, Rules.of("fr-2.0", target_score=100)),
        (1, Rules.of("fr-2.0", max_rounds=9)),
    ],
)
def test_luck_is_the_score_at_stake_by_the_chance_of_a_bust_less_the_busts(players, rules):
    what = plan(["stop-at(score=33)", "random(p=0.2,target=random)"], players, 9, seed=4, rules=rules)
    assert what.counts_luck
    expected, games = np.zeros((2, 2)), 0
    for number, lineup in enumerate(what.lineups):
        for game in range(what.games[number]):
            members = [what.entrants[member] for member in lineup]
            told = simulated_game(members, what.seed, what.first_games[number] + game, rules)
            luck = luck_by_hand(told)
            games += 1
            for seat, entrant in enumerate(told.entrants):
                expected[what.entrants.index(entrant)] += luck[seat], sum(luck) - luck[seat]
    counted = simulate(what, jobs=1).sheet.sums[:2, [batch.LUCK, batch.RIVALS_LUCK]] / LUCK_SCALE
    assert np.abs(expected).max() > 5
    # what is rounded is a share of the cards, by some points, many times for each seat of a game
    assert np.abs(counted - expected).max() < 0.002 * games * players


def test_luck_is_nothing_on_average():
    what = plan(SPECS[:4], 4, 40_000, seed=8)
    batches = [each.sheet.sums[:4, [batch.LUCK, batch.RIVALS_LUCK]] / LUCK_SCALE for each in simulate(what).batches]
    luck = np.array(batches)
    z = luck.sum(axis=0) / (luck.std(axis=0) * math.sqrt(len(luck)))
    assert np.abs(z).max() < 4
    assert luck.std() > 100


@pytest.mark.parametrize("rules", [Rules.of("vengeance"), Rules.of("fr-2.0", decks=3)])
def test_luck_that_cannot_be_counted_is_nothing(rules):
    what = plan(SPECS[:3], 3, 30, rules=rules)
    assert not what.counts_luck
    assert not simulate(what).sheet.sums[:, batch.LUCK :].any()


def counted_by_hand(what):
    """All that a tournament counts, from its games told one by one."""
    players, strategies = what.players, len(what.entrants)
    rows = np.zeros((what.blocks, strategies + players + 1, batch.SIZE), np.int64)
    lineups = np.zeros((len(what.lineups), strategies, batch.SIZE), np.int64)
    seats = np.zeros((strategies, players, 3), np.int64)
    pairs = np.zeros((strategies, strategies), np.int64)
    scores = Counter()
    for number, lineup in enumerate(what.lineups):
        for game in range(what.games[number]):
            members = [what.entrants[member] for member in lineup]
            told = simulated_game(members, what.seed, what.first_games[number] + game, what.rules)
            block, finish, dealer = game // players, told.finish, told.start.dealer
            rows[block, -1, :4] += [1, finish.unfinished, finish.round, finish.cards]
            happened = Counter((event, seat) for event, seat, _ in finish.events)
            totals = [seat.total for seat in finish.seats]
            for seat, entrant in enumerate(told.entrants):
                strategy = what.entrants.index(entrant)
                position, won = (seat - dealer - 1) % players, seat == finish.winner
                others = [total for other, total in enumerate(totals) if other not in (seat, finish.winner)]
                better = (finish.winner >= 0) + sum(total > totals[seat] for total in others)
                counts = [1, won, 2 if won else 2 + 2 * better + sum(total == totals[seat] for total in others)]
                banked = [value for event, who, value in finish.events if event == Event.SCORE and who == seat]
                counts += [len(banked), sum(banked), happened[Event.BUST, seat], happened[Event.FLIP7, seat]]
                scores.update((strategy, points) for points in banked)
                rows[block, strategy] += counts
                lineups[number, strategy] += counts
                rows[block, strategies + position, :2] += [1, won]
                seats[strategy, position] += [1, won, finish.unfinished]
                for other, rival in enumerate(told.entrants):
                    if other not in (seat, finish.winner):
                        above = won or totals[seat] > totals[other]
                        level = not above and totals[seat] == totals[other]
                        pairs[strategy, what.entrants.index(rival)] += 2 * above + level
    return rows, lineups, seats, pairs, scores


@pytest.mark.parametrize(
    ("specs", "players", "games", "rules"),
    [
        (SPECS[:4], 3, 50, Rules()),
        (SPECS[4:8], 4, 42, Rules.of("us-3.1", tie_break="tied_only")),
        (SPECS[:2], 5, 23, Rules.of("us-first", target_score=50)),
        (SPECS[8:], 3, 10, Rules.of("fr-2.0", max_rounds=8)),
        (SPECS[:1], 1, 5, Rules.of("fr-2.0", max_rounds=30)),
        (SPECS, 20, 22, Rules.of("fr-2.0", target_score=60)),
        (SPECS[:3], 4, 30, Rules.of("vengeance")),
        (SPECS[2:6], 3, 30, Rules.of("vengeance-brutal", decks=2)),
    ],
)
def test_counts_are_the_sums_over_games_told_one_by_one(specs, players, games, rules):
    what = plan(specs, players, games, seed=9, rules=rules)
    counts = simulate(what, jobs=1)
    rows, lineups, seats, pairs, scores = counted_by_hand(what)
    assert counts.games == games
    assert np.array_equal(counts.sheet.sums[:, : batch.SIZE], rows.sum(axis=0))
    assert np.array_equal(counts.sheet.seats, seats)
    assert np.array_equal(counts.sheet.games.sum(axis=0), rows[:, -1, :4].sum(axis=0))
    for number, members in enumerate(what.lineups):
        for strategy in range(len(what.entrants)):
            mine = counts.sheet.lineups[number, [member == strategy for member in members]].sum(axis=0)
            assert np.array_equal(mine, lineups[number, strategy])
    moments = np.einsum("bri,brj->rij", rows, rows)
    assert np.array_equal(np.tril(counts.sheet.moments), np.tril(moments))
    assert np.array_equal(counts.sheet.pairs, pairs)
    low = counts.lowest_score
    histogram = {
        (int(s), int(place) + low): int(counts.histogram[s, place]) for s, place in np.argwhere(counts.histogram)
    }
    assert histogram == dict(scores)


# Random streams


def test_splitmix64_gives_the_known_answers():
    assert tuple(mix(step * GAMMA & MASK) for step in (1, 2, 3)) == KNOWN
    assert tuple(stream_of(0, purpose) for purpose in (0, 1, 2)) == KNOWN
    with np.errstate(over="ignore"):
        assert tuple(int(stream.mix(np.uint64(step * GAMMA & MASK))) for step in (1, 2, 3)) == KNOWN
        assert tuple(int(stream.stream_of(np.uint64(0), purpose)) for purpose in (0, 1, 2)) == KNOWN


@pytest.mark.parametrize(("seed", "game"), [(0, 0), (1, 7), (2**63 - 1, 2**62), (123456789, 10**12)])
def test_the_engine_and_plain_python_have_the_same_streams(seed, game):
    with np.errstate(over="ignore"):
        key = stream.game_key(np.int64(seed), np.int64(game))
        assert int(key) == game_key(seed, game)
        for purpose in (0, 5, randomness.SEAT_PURPOSE + 35, randomness.DEALER_PURPOSE, randomness.SEATING_PURPOSE):
            word = stream.stream_of(np.uint64(key), purpose)
            assert int(word) == stream_of(int(key), purpose)
            for bound in (1, 2, 94, 376):
                drawn = stream.scale(np.uint64(stream.mix(np.uint64(word))), bound)
                assert drawn == Stream(int(word), step=0).below(bound)


def positions_statistic(orders):
    """Chi-square of card kind by position, and its degrees of freedom.

    For random orders of n cards of k kinds, (n - 1) / n times the sum of (seen - expected)**2 / expected over all kinds
    and positions has (n - 1) (k - 1) degrees of freedom.
    """
    orders = np.array(orders)
    games, size = orders.shape
    kinds = np.array(BASE_CARDS.counts)
    seen = np.array([(orders == card).sum(axis=0) for card in range(len(kinds))])
    expected = games * kinds[:, None] / size
    return (size - 1) / size * ((seen - expected) ** 2 / expected).sum(), (size - 1) * (len(kinds) - 1)


def test_every_card_is_equally_likely_at_every_place_of_a_shuffled_deck():
    orders = [shuffled(BASE_CARDS.deck(), stream_of(game_key(1, game), 0)) for game in range(4000)]
    assert 1e-4 < chi2.sf(*positions_statistic(orders)) < 1 - 1e-4


def test_the_engine_shuffles_uniformly_too_when_the_discard_pile_comes_back():
    rules = Rules.of("fr-2.0", max_rounds=2, reshuffle="every_round")
    stay = [find("always-stay")]
    orders = [play_fast(new_game(rules, 1, seed=3, game=game), stay).shuffles for game in range(2000)]
    assert {len(order) for order in orders} == {2}
    for deck in zip(*orders, strict=True):
        assert 1e-4 < chi2.sf(*positions_statistic(deck)) < 1 - 1e-4


def test_neighbouring_cards_are_independent():
    # Numbered cards: the second is equally likely to be any of the other n - 1, wherever the first comes from.
    size, games = 20, 20_000
    steps = np.zeros(size - 1)
    for game in range(games):
        first, second, *_ = shuffled(range(size), stream_of(game_key(2, game), 0))
        steps[(second - first) % size - 1] += 1
    statistic = ((steps - games / (size - 1)) ** 2 / (games / (size - 1))).sum()
    assert 1e-4 < chi2.sf(statistic, size - 2) < 1 - 1e-4


def test_streams_of_seeds_games_and_seats_are_uncorrelated():
    size = 40_000

    def numbers(seed, first, seat):
        keys = (game_key(seed, game) for game in range(first, first + size))
        return np.array([stream_of(key, randomness.SEAT_PURPOSE + seat) for key in keys], float)

    samples = [numbers(1, 0, 0), numbers(1, 1, 0), numbers(1, 0, 1), numbers(2, 0, 0), numbers(1, 4, 35)]
    for one, other in itertools.combinations(samples, 2):
        # The standard error of a correlation of independent numbers is 1 / sqrt(size); ten pairs are looked at.
        assert abs(np.corrcoef(one, other)[0, 1]) < 4.5 / np.sqrt(size)


# Games that would not end


def test_a_game_in_which_nobody_plays_is_cut_and_apart_from_wins():
    counts = simulate(plan(["always-stay"], 4, 40, rules=Rules.of("fr-2.0", max_rounds=7)), jobs=1)
    assert counts.sheet.games.tolist() == [[40, 40, 280, 0]]
    games, wins, rank2, rounds, score, busts, flip7s = counts.sheet.sums[0, : batch.SIZE]
    assert (games, wins, rounds, score, busts, flip7s) == (160, 0, 1120, 0, 0, 0)
    assert rank2 == 160 * 5  # all four level: the mean of 1, 2, 3 and 4, twice


def test_a_round_ends_even_if_all_of_eighteen_seats_always_hit():
    # B30: what can circulate are two Second Chances and the Flip Threes, until a thousand cards have been taken.
    rules, everyone = Rules.of("us-3.1", max_rounds=1), [find("always-hit")] * 18
    endless = 0
    for game in range(100):
        finish = play_fast(new_game(rules, 18, seed=1, game=game), everyone)
        if finish.cards >= MAX_ROUND_CARDS:
            endless += 1
            # The visit that reaches the limit is played out; it takes fewer cards than a deck has.
            assert finish.cards < MAX_ROUND_CARDS + 94
            stuck = [seat for event, seat, _ in finish.events if event == Event.STUCK]
            assert stuck
            assert all(finish.seats[seat].status == Status.STAYED for seat in stuck)
    assert endless > 0
