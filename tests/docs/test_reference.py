"""The pages made from tables are up to date; formulas are what is computed."""

import numpy as np
import pytest
from _generate import distributions, language
from _generate.formula import latex, value
from _generate.formulas import WRITTEN

from docs.pages import ROOT
from lfppl.core.desugar.manual import GROUPS, SPECIAL
from lfppl.core.distributions import FAMILIES
from lfppl.core.distributions.density import log_density
from lfppl.core.primitives import NumpyMath

PAGES = {"language.md": language.page, "distributions.md": distributions.page}


@pytest.mark.parametrize("name", PAGES)
def test_generated_pages_are_up_to_date(name):
    assert (ROOT / "docs" / name).read_text("utf-8") == PAGES[name]()


def test_every_distribution_is_written_down():
    assert WRITTEN.keys() == FAMILIES.keys()


@pytest.mark.parametrize("name", WRITTEN)
def test_formulas_are_what_is_computed(name):
    formula, x, parameters = WRITTEN[name]
    family = FAMILIES[name]
    names = [parameter.name.replace("-", "_") for parameter in family.parameters]
    found = value(formula, {"x": x, **dict(zip(names, parameters, strict=True))})
    expected = float(np.exp(log_density(NumpyMath(), family, x, parameters)))
    assert found == pytest.approx(expected, rel=1e-12)


def test_the_other_piece_of_a_formula_is_right_too():
    names = {"x": 2.0, "low": 0.0, "mode": 1.0, "high": 4.0}
    expected = log_density(NumpyMath(), FAMILIES["triangular"], 2.0, (0.0, 1.0, 4.0))
    assert value(WRITTEN["triangular"].density, names) == pytest.approx(float(np.exp(expected)))


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("(a + b) * c", r"\left(a + b\right)\,c"),
        ("a - (b - c)", r"a - \left(b - c\right)"),
        ("(a / b)**2", r"\left(\frac{a}{b}\right)^{2}"),
        ("-(a + b)", r"-\left(a + b\right)"),
        ("-a / b", r"-\frac{a}{b}"),
        ("sqrt(2) * sd", r"\sqrt{2}\,\text{sd}"),
    ],
)
def test_formulas_are_bracketed(formula, text):
    assert latex(formula) == text


def test_every_form_is_in_the_reference():
    page = (ROOT / "docs/language.md").read_text("utf-8")
    assert all(f"### {name}\n" in page for name in SPECIAL)
    assert all(f"| `({name} " in page for group in GROUPS.values() for name in group)
