"""Threading: `(-> x f (g y))` is `(g (f x) y)`, `(->> x f (g y))` is `(g y (f x))`."""

from __future__ import annotations

from lfppl.core.ast import Expression
from lfppl.core.desugar.context import Context
from lfppl.core.desugar.sugar import Build, sugar
from lfppl.errors import language
from lfppl.syntax import surface


def _threaded(form: str, value: surface.Expression, step: surface.Expression) -> surface.Expression:
    if step == surface.Name("sample"):
        return surface.Sample(value, span=step.span)
    if isinstance(step, surface.Name | surface.Function):
        return surface.Call(step, (value,), step.span)
    if not isinstance(step, surface.Call):
        raise language.cannot_thread(step.span, form)
    first = form == "->"
    arguments = (value, *step.arguments) if first else (*step.arguments, value)
    return surface.Call(step.function, arguments, step.span)


def _arrow(form: str) -> Build:
    def build(context: Context, call: surface.Call) -> Expression:
        value, *steps = call.arguments
        for step in steps:
            value = _threaded(form, value, step)
        return context.expression(value)

    return build


SUGARS = {
    form: sugar(f"({form} x step ...)", _arrow(form))._replace(least=1) for form in ("->", "->>")
}
