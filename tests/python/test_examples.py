"""Every example exists in Lisp and in Python, and both are the same model."""

from __future__ import annotations

import numpy as np
import pytest
from comparing import differences
from models import EXAMPLES, NAMES, in_lisp, in_python
from points import points


def test_every_example_exists_in_both_languages() -> None:
    assert sorted(path.stem for path in EXAMPLES.glob("*.py")) == NAMES
    assert len(NAMES) >= 14


@pytest.mark.parametrize("name", NAMES)
def test_both_compile_to_equal_tables(name: str) -> None:
    assert differences(in_lisp(name), in_python(name)) == []


@pytest.mark.parametrize("name", NAMES)
def test_both_have_the_same_variables_and_discontinuities(name: str) -> None:
    lisp, python = in_lisp(name), in_python(name)
    assert python.sampled == {key.replace("-", "_"): s for key, s in lisp.sampled.items()}
    assert list(python.discontinuous) == [key.replace("-", "_") for key in lisp.discontinuous]


@pytest.mark.parametrize("name", NAMES)
def test_their_densities_agree_on_random_points(name: str) -> None:
    lisp, python = in_lisp(name), in_python(name)
    found = []
    for point in points(python, 5):
        same = {key: point[key.replace("-", "_")] for key in lisp.sampled}
        found.append(python.log_density(point))
        assert found[-1] == lisp.log_density(same)
    assert np.isfinite(found).any()


@pytest.mark.parametrize("name", NAMES)
def test_reasons_point_into_the_python_file(name: str) -> None:
    for reasons in in_python(name).discontinuous.values():
        for reason in reasons:
            assert reason.span.source.name.endswith(f"{name}.py")
            assert reason.span.text
