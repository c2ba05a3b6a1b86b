"""Pictures of models: what is in them, and what is said where none can be made."""

import subprocess
import sys

import numpy as np
import pytest

import lfppl
import run_models
from lfppl import observe, sample
from lfppl.distributions import normal
from lfppl.errors import ModelError


@lfppl.model
def threshold(y):
    x = sample(normal(0, 1))
    observe(normal(1 if x < 0.25 else -1, 1), y)
    return x


def boundaries(figure):
    return sorted(float(line.get_xdata()[0]) for line in figure.axes[0].lines[1:])


def test_a_density_has_a_line_at_each_boundary():
    figure = threshold(0.5).plot_density("x", ranges={"x": (-1, 1)})
    np.testing.assert_allclose(boundaries(figure), [0.25], atol=1e-9)
    assert figure.axes[0].get_xlabel() == "x"


def test_a_density_over_two_variables_has_names_on_its_axes():
    model = run_models.example("change-point")
    figure = model.plot_density("tau", "late", at={"early": 3.0}, points=12)
    assert (figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()) == ("tau", "late")
    assert len(figure.axes[0].collections) == 2


def test_a_fit_says_where_to_look():
    model = run_models.example("change-point")
    fit = run_models.quick(model, draws=200, warmup=200)
    figure = model.plot_density("tau", at=fit, points=20)
    low, high = figure.axes[0].get_xlim()
    assert low < fit.draws["tau"].mean() < high
    assert high - low < 40


def test_the_graph_has_a_box_for_each_statement():
    figure = threshold(0.5).plot_graph()
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert [text.split("\n")[0] for text in texts] == ["x", "observe", "if"]


@pytest.mark.parametrize(
    ("names", "options", "message"),
    [
        ((), {}, "over one or two variables; 0 are named"),
        (("tau", "early", "late"), {}, "3 are named"),
        (("nu",), {}, "`nu` is no scalar variable"),
        (("tau",), {"ranges": {"tau": (3, 3)}}, "two increasing finite numbers"),
        (("tau",), {"ranges": {"tau": "ab"}}, "two increasing finite numbers"),
        (("tau",), {"ranges": {"tau": (-9, -8)}}, "zero everywhere in the given range of tau"),
        (("tau",), {"at": {"nu": 3}}, "a point must name the variables of the model"),
    ],
)
def test_what_cannot_be_drawn_is_said(names, options, message):
    with pytest.raises(ModelError, match=message):
        run_models.example("change-point").plot_density(*names, **options)


MISSING = """
import sys
sys.modules[{module!r}] = None
import lfppl
model = lfppl.compile("(let [x (sample (normal 0 1))] x)")
try:
    model.{call}
except lfppl.LfpplError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("module", "call"),
    [
        ("matplotlib", "plot_density('x')"),
        ("pygraphviz", "plot_graph()"),
        ("matplotlib", "plot_graph()"),
    ],
)
def test_a_missing_package_is_named_with_the_command_that_installs_it(module, call):
    text = MISSING.format(module=module, call=call)
    said = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert "error[missing-package]" in said.stdout
    assert "pip install 'lfppl[plots]'" in said.stdout
