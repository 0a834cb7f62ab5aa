"""Luck that is taken out of estimates leaves them unbiased, and makes them surer."""

import numpy as np
import pytest

from flip7sim.stats.paired import FEWEST_BATCHES, Estimates, ratios


def drawn(dice, batches, quantities=2):
    """Estimates of a share of 0.25 in batches whose luck moves them, and that luck."""
    luck = dice.normal(size=(1, batches, quantities))
    moved = luck @ np.linspace(0.3, 0.1, quantities)
    hits = np.rint(1e6 * (0.25 + 0.02 * moved + 0.002 * dice.normal(size=(1, batches)))).astype(int)
    return ratios(hits, np.full((1, batches), 10**6)), luck / batches


def test_the_error_falls_to_what_luck_does_not_explain():
    plain, luck = drawn(np.random.default_rng(1), 2000)
    fair = plain.without_luck(luck)
    assert plain.errors[0] == pytest.approx(0.02 * np.hypot(0.3, 0.1) / 2000**0.5, rel=0.1)
    assert fair.errors[0] == pytest.approx(0.002 / 2000**0.5, rel=0.05)
    assert abs(fair.value[0] - 0.25) < 4 * fair.errors[0]


@pytest.mark.parametrize("batches", [FEWEST_BATCHES, 64])
def test_intervals_cover_the_truth(batches):
    dice = np.random.default_rng(2)
    off = []
    for _ in range(2000):
        plain, luck = drawn(dice, batches)
        fair = plain.without_luck(luck)
        off.append((fair.value[0] - 0.25) / fair.errors[0])
    # with few batches errors are rough, and Student's t is wider than the normal distribution
    assert np.mean(off) == pytest.approx(0, abs=4 / 2000**0.5)
    assert np.std(off) == pytest.approx(1, abs=0.12)


def test_luck_that_explains_nothing_changes_little_and_none_at_all_nothing():
    dice = np.random.default_rng(3)
    plain, _ = drawn(dice, 64)
    other = plain.without_luck(dice.normal(size=(1, 64, 2)) / 64)
    assert other.errors[0] == pytest.approx(plain.errors[0], rel=0.1)
    none = plain.without_luck(np.zeros((1, 64, 2)))
    assert (none.value[0], none.errors[0]) == pytest.approx((plain.value[0], plain.errors[0]), rel=1e-12)


def test_with_few_batches_and_without_a_value_nothing_is_taken_out():
    plain, luck = drawn(np.random.default_rng(4), FEWEST_BATCHES - 1)
    assert plain.without_luck(luck) is plain
    unknown = Estimates(np.array([np.nan]), np.zeros((1, 64))).without_luck(np.zeros((1, 64, 2)))
    assert np.isnan(unknown.value[0])
