"""Every example has the posterior that is known of it, and its Python file is a script.

An estimate beyond BOUND standard errors has probability 6e-7. There are about sixty of them, so
that right engines fail here with a probability below 1e-4. The seed is fixed.
"""

from __future__ import annotations

import json
import runpy

import numpy as np
import pytest

from lfppl import gallery, load_data
from truth import TRUTHS, compare
from truth.simulated import SIMULATED

BOUND = 5.0
BIAS = 0.2
"""A bias of so many posterior standard deviations would be seen."""

EXAMPLES = gallery.examples()


def test_every_example_has_a_truth():
    assert TRUTHS.keys() == EXAMPLES.keys()


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_posterior_of_an_example_is_the_known_one(name):
    example = EXAMPLES[name]
    truth = TRUTHS[name](load_data(example.files[2]))
    fit = example.model.sample(draws=truth.draws, seed=7, progress=False, **dict(truth.settings))
    found = compare(truth, fit.draws)
    assert max(one.z_score for one in found) < BOUND
    assert [one for one in found if one.standard_error * BOUND > BIAS * one.deviation] == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_python_file_of_an_example_is_a_script(name, capsys):
    runpy.run_path(str(EXAMPLES[name].files[1]), run_name="__main__")
    printed = capsys.readouterr().out
    assert printed.split()[:2] == ["mean", "sd"]
    assert "4,000 draws in 4 chains by dhmc, seed 1" in printed


@pytest.mark.parametrize("name", SIMULATED)
def test_simulated_data_are_those_of_their_seed(name):
    data = json.loads(EXAMPLES[name].files[2].read_text("utf-8"))
    made = SIMULATED[name]()
    assert data.keys() == made.keys()
    for key, values in made.items():
        np.testing.assert_array_equal(data[key], values)


def test_a_bias_would_be_seen():
    truth = TRUTHS["figure-1"]({"q": 0.4, "y": 0.7})
    random = np.random.default_rng(1)
    right = random.random((4, 20_000)) < truth.expected["x is above q"]
    wrong = random.random((4, 20_000)) < truth.expected["x is above q"] + BIAS * 0.48
    assert compare(truth, {"return": right})[0].z_score < BOUND
    assert compare(truth, {"return": wrong})[0].z_score > BOUND
