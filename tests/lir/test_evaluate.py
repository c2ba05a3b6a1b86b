"""The NumPy evaluator agrees with formulas written by hand."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import special, stats

from lfppl.lir.evaluate import evaluate
from lfppl.lir.tables import Run

POINT = np.array([0.3, -1.2, 0.4, 1.7, 0.1])
SQUARES = np.array([0.25, 4.0, 1.44])


def test_a_mixtures_density_is_that_of_scipy(mixture):
    means = POINT[[0, 1, 0]]
    expected = {
        "mu": stats.norm.logpdf(POINT[:2]).sum(),
        "z": np.log([0.7, 0.3, 0.7]).sum(),
        "y": stats.norm.logpdf([1.0, -0.5, 2.0], means).sum(),
    }
    evaluation = evaluate(mixture, POINT)
    np.testing.assert_allclose(evaluation.log_density, sum(expected.values()), rtol=1e-14)
    np.testing.assert_allclose(evaluation.vertex_terms, list(expected.values()), rtol=1e-14)
    np.testing.assert_allclose(
        evaluation.terms[2:5], stats.norm.logpdf([1.0, -0.5, 2.0], means), rtol=1e-14
    )


def test_a_mixtures_bits_values_and_result_are_named(mixture):
    evaluation = evaluate(mixture, POINT)
    assert evaluation.bits == {(7, (0,)): True, (7, (1,)): False, (7, (2,)): True}
    assert evaluation.variables["mu"].tolist() == [0.3, -1.2]
    assert evaluation.variables["z"].tolist() == [0.0, 1.0, 0.0]
    assert evaluation.returned.tolist() == [0.3, 4.5, 0.0]


@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        ("sum", [SQUARES.sum(), 0.0, 1.69]),
        ("max", [4.0, -np.inf, 1.44]),
        ("min", [0.25, np.inf, 0.25]),
        ("logsumexp", [special.logsumexp(SQUARES), -np.inf, special.logsumexp(SQUARES[[2, 0]])]),
    ],
)
def test_reductions_are_those_of_numpy_also_of_nothing(reduction, kind, rows):
    evaluation = evaluate(reduction(kind), np.array([0.5, -2.0, 1.2]))
    np.testing.assert_allclose(evaluation.numbers[6:9], rows, rtol=1e-14)
    np.testing.assert_allclose(evaluation.log_density, -rows[0], rtol=1e-14)
    assert evaluation.returned.shape == ()


@pytest.mark.parametrize("point", [[-np.inf, 0.0, 0.0], [np.inf, 1.0, 2.0]])
def test_log_sum_exp_takes_infinities(reduction, point):
    evaluation = evaluate(reduction("logsumexp"), np.array(point))
    assert evaluation.numbers[6] == np.inf


@pytest.mark.parametrize("sparse", [False, True])
def test_weighted_sums_are_matrix_products(linear, sparse):
    point = np.array([0.5, -2.0, 1.2])
    model = linear(sparse)
    weights = np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 0.0], [0.0, 0.0, 4.0]])
    evaluation = evaluate(model, point)
    np.testing.assert_allclose(evaluation.numbers[3:6], weights @ point, rtol=1e-14)
    np.testing.assert_allclose(evaluation.log_density, point @ weights @ point, rtol=1e-14)


def test_rows_run_in_pieces_give_the_same(linear):
    point = np.array([0.5, -2.0, 1.2])
    for sparse in (False, True):
        model = linear(sparse)
        pieces = replace(model, schedule=(*(Run(n, r, r + 1) for n in (0, 1) for r in range(3)),))
        assert evaluate(pieces, point).log_density == pytest.approx(
            evaluate(model, point).log_density, rel=1e-14
        )


def test_what_is_read_before_it_is_computed_is_nan(mixture):
    backwards = replace(mixture, schedule=mixture.schedule[::-1])
    assert np.isnan(evaluate(backwards, POINT).log_density)


def test_elements_of_one_name_from_several_blocks_make_one_array(mixture):
    mu, z = mixture.variables
    halves = [
        replace(
            mu,
            indices=mu.indices[i : i + 1],
            coordinates=mu.coordinates[i : i + 1],
            values=mu.values[i : i + 1],
        )
        for i in (1, 0)
    ]
    evaluation = evaluate(replace(mixture, variables=(*halves, z)), POINT)
    assert evaluation.variables["mu"].tolist() == [0.3, -1.2]


def test_scalar_and_vector_variables_have_their_shapes(mixture):
    mu, z = mixture.variables
    alone = replace(
        mu,
        name="m",
        indices=np.zeros((1, 0), dtype=np.int64),
        coordinates=np.array([[0]]),
        values=np.array([[0]]),
    )
    vector = replace(alone, name="v", family="mvn", values=np.array([[0, 1]]))
    evaluation = evaluate(replace(mixture, variables=(alone, vector, z)), POINT)
    assert evaluation.variables["m"] == 0.3
    assert evaluation.variables["m"].shape == ()
    assert evaluation.variables["v"].tolist() == [0.3, -1.2]
