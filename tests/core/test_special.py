"""Special functions that are computed without SciPy agree with SciPy's."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import special as scipy_special

from lfppl.core import special

NUMBERS = st.floats(-20.0, 1e306) | st.floats(0.0, 200.0) | st.just(np.inf)


@given(st.lists(NUMBERS, max_size=12))
def test_log_gamma_is_that_of_scipy(numbers):
    expected = scipy_special.gammaln(np.array(numbers))
    np.testing.assert_allclose(special.gammaln(numbers), expected, rtol=1e-12, atol=1e-13)


def test_log_gamma_keeps_shapes():
    assert special.gammaln(np.ones((2, 0, 3))).shape == (2, 0, 3)
    assert special.gammaln(np.full((2, 3), 5.0)).shape == (2, 3)
    assert np.ndim(special.gammaln(5.0)) == 0


def test_many_numbers_are_left_to_scipy():
    numbers = np.linspace(0.1, 40.0, special.FEW + 1)
    np.testing.assert_array_equal(special.gammaln(numbers), scipy_special.gammaln(numbers))
