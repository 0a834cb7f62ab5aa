"""Published claims: the numbers, the verdicts and the page belong together."""

import importlib.util
import sys

import numpy as np
import pandas as pd
import pytest
from pages import ROOT


@pytest.fixture(scope="module")
def claims():
    path = ROOT / "experiments" / "claims.py"
    spec = importlib.util.spec_from_file_location("claims", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["claims"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def kept(claims):
    return pd.read_csv(claims.TABLE)


@pytest.fixture(scope="module")
def played(claims):
    return claims.measured(most=400)


def test_the_page_is_made_from_the_numbers(claims, kept):
    assert claims.PAGE.read_text(encoding="utf-8") == claims.page(kept)


def test_every_figure_is_measured_again(kept, played):
    assert list(kept["claim"] + kept["figure"]) == list(played["claim"] + played["figure"])


def test_exact_figures_are_the_same_again(kept, played):
    exact = kept["se"] == 0
    assert exact.sum() == 8
    assert np.allclose(kept["value"][exact], played["value"][exact], rtol=0, atol=1e-12)


def test_estimates_agree_with_small_samples(kept, played):
    """Five standard errors of the small sample: 400 games each, with errors that are rough themselves."""
    known = (kept["se"] > 0) & (played["se"] > 0)
    away = (kept["value"] - played["value"])[known].abs() / np.hypot(kept["se"], played["se"])[known]
    assert known.sum() > 20
    assert away.max() < 5, played[known].assign(away=away)


def test_the_claims_that_the_project_stands_by(claims, kept):
    verdicts = {claim.key: claim.holds(claims.numbers(kept, claim)) for claim in claims.CLAIMS}
    assert verdicts["one-card"]
    assert verdicts["keep-hitting"]
    assert not verdicts["inert"]
    assert not verdicts["everybodys-target"]
    inert = claims.numbers(kept, claims.CLAIMS[0])
    assert inert["points at 23"] == pytest.approx(19.3656, abs=5e-5)
