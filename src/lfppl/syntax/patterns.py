"""Names being bound: patterns, parameters, and the binding vectors of `let`, `for`, `doseq`."""

from __future__ import annotations

from collections.abc import Callable

from lfppl.errors import forms as mistakes
from lfppl.syntax.descent import Task, all_of
from lfppl.syntax.forms import Form, VectorForm, described
from lfppl.syntax.surface import Binding, Expression, Name, Pattern, VectorPattern

RESERVED = frozenset(mistakes.USAGE)
"""The special forms, whose names cannot be bound."""


def pattern_of(form: Form) -> Task[Pattern]:
    """The pattern that a form stands for: a name, or a vector of patterns."""
    if isinstance(form, VectorForm):
        return (yield _vector_pattern(form))  # type: ignore[no-any-return]
    return bound_name(form)


def bound_name(form: Form) -> Name:
    """A form that must be a name, and may be bound."""
    if not isinstance(form, Name):
        raise mistakes.not_a_pattern(form.span, described(form))
    if form.id == "&":
        raise mistakes.misplaced_ampersand(form.span)
    if form.id in RESERVED:
        raise mistakes.reserved_name(form.span, form.id)
    return form


def _vector_pattern(form: VectorForm) -> Task[Pattern]:
    items, rest = form.items, None
    if len(items) >= 2 and items[-2] == Name("&") and isinstance(items[-1], Name):
        items, rest = items[:-2], bound_name(items[-1])
    return VectorPattern((yield all_of(pattern_of(item) for item in items)), rest, form.span)


def parameters(form: VectorForm) -> Task[tuple[Pattern, ...]]:
    """The parameters of a function."""
    ampersand = next((item for item in form.items if item == Name("&")), None)
    if ampersand is not None:
        raise mistakes.variadic_function(ampersand.span)
    return (yield all_of(pattern_of(item) for item in form.items))  # type: ignore[no-any-return]


def bindings(
    form: VectorForm, head: str, expression_of: Callable[[Form], Task[Expression]]
) -> Task[tuple[Binding, ...]]:
    """The `pattern value` pairs of a vector."""
    if len(form.items) % 2:
        raise mistakes.odd_bindings(form.items[-1].span, head, len(form.items))
    pairs = zip(form.items[::2], form.items[1::2], strict=True)
    tasks = (_binding(bound, value, expression_of) for bound, value in pairs)
    return (yield all_of(tasks))  # type: ignore[no-any-return]


def _binding(
    bound: Form, value: Form, expression_of: Callable[[Form], Task[Expression]]
) -> Task[Binding]:
    pattern = yield pattern_of(bound)
    return Binding(pattern, (yield expression_of(value)), bound.span.to(value.span))
