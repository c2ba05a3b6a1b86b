"""Numbers, truth values and nil; strings, which are no values."""

from __future__ import annotations

import math

from lfppl.core.ast import Constant, Expression
from lfppl.core.desugar.context import Context
from lfppl.errors import language
from lfppl.syntax import surface


def literal(context: Context, form: surface.Number | surface.Truth) -> Expression:
    """A number, or `true` or `false`."""
    if math.isnan(form.value):
        raise language.not_a_number(form.span)
    return Constant(form.value, form.span)


def nil(context: Context, form: surface.Nil) -> Expression:
    """`nil`."""
    return Constant(None, form.span)


def text(context: Context, form: surface.Text) -> Expression:
    """A string where a value is expected: a mistake."""
    raise language.text_as_value(form.span, form.value)
