"""Sums of terms and changes of variables agree with SciPy's, without importing it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import special
from scipy.sparse import csr_array

from lfppl.runs.layout import Sums
from lfppl.runs.transforms import coordinate, natural

PLACES = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6)), max_size=20)


@given(PLACES, st.integers(0, 3))
def test_sums_are_a_product_with_a_sparse_matrix(places, draws):
    rows = np.array([row for row, _ in places], np.int64)
    columns = np.array([column for _, column in places], np.int64)
    terms = np.random.default_rng(len(places)).normal(size=(draws, 7))
    matrix = csr_array((np.ones(len(rows)), (rows, columns)), shape=(5, 7))
    found = Sums(rows, columns, (5, 7)).of(terms)
    np.testing.assert_allclose(found, (matrix @ terms.T).T, atol=1e-14)
    assert found.flags.c_contiguous


def test_intervals_are_mapped_by_the_logistic_function():
    bounds = np.array(0.0), np.array(1.0)
    x = np.concatenate([np.linspace(-700.0, 30.0, 147), [-800.0, 800.0]])
    np.testing.assert_allclose(natural("interval", x, bounds), special.expit(x), rtol=1e-13)
    share = np.array([1e-300, 1e-9, 0.25, 0.5, 0.75, 1.0 - 1e-9])
    expected = special.logit(share)
    np.testing.assert_allclose(coordinate("interval", share, bounds), expected, rtol=1e-13)
