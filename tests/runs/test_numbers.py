"""The trace in numbers: at the draws of an engine it gives what the native code reported."""

import numpy as np
import pytest

import run_models
from lfppl.runs.predict import numbers_at, variables


@pytest.mark.parametrize("name", [*run_models.NAMES, "everything"])
def test_the_graph_gives_the_returned_values_that_native_code_gave(name):
    model = run_models.everything() if name == "everything" else run_models.example(name)
    draws = run_models.quick(model).draws
    flat = {n: np.reshape(a, (-1, *a.shape[2:])) for n, a in draws.items()}
    count = len(next(iter(flat.values())))
    found = variables(model.trace, numbers_at(model.trace, flat, count))
    assert found.keys() == flat.keys()
    for variable, values in flat.items():
        np.testing.assert_allclose(found[variable], values, rtol=1e-9, atol=1e-12)
