"""Forms to the surface program: every special form is checked and gets its node."""

from __future__ import annotations

from collections.abc import Callable

from lfppl.errors import forms as mistakes
from lfppl.errors import reading
from lfppl.source import Source, Span
from lfppl.syntax.descent import Task, all_of, perform
from lfppl.syntax.forms import Form, ListForm, VectorForm, described
from lfppl.syntax.patterns import bindings, bound_name, parameters
from lfppl.syntax.reader import read_forms
from lfppl.syntax.surface import (
    Call,
    Define,
    Expression,
    For,
    Function,
    If,
    Let,
    Loop,
    Name,
    Nil,
    Number,
    Observe,
    Program,
    Sample,
    Text,
    Truth,
    VectorLiteral,
)


def read_program(source: Source) -> Program:
    """The program that a text stands for.

    >>> read_program(Source("m", "(+ 1 x)"))
    Program(expressions=(Call(function=Name(id='+'), arguments=(Number(value=1.0), Name(id='x'))),))
    """
    forms = read_forms(source)
    if not forms:
        raise reading.empty_program(Span(source, 0, 0))
    expressions = perform(expressions_of(forms))
    return Program(expressions, forms[0].span.to(forms[-1].span))


def expression_of(form: Form) -> Task[Expression]:
    """The expression that a form stands for."""
    if isinstance(form, VectorForm):
        return VectorLiteral((yield expressions_of(form.items)), form.span)
    if not isinstance(form, ListForm):
        return form
    if not form.items:
        raise mistakes.empty_call(form.span)
    head = form.items[0]
    if isinstance(head, Name) and head.id in SPECIAL_FORMS:
        special: Expression = yield SPECIAL_FORMS[head.id](form)
        return special
    return (yield _call(form))  # type: ignore[no-any-return]


def expressions_of(forms: tuple[Form, ...]) -> Task[tuple[Expression, ...]]:
    """The expressions that several forms stand for."""
    return all_of(expression_of(form) for form in forms)


def _call(form: ListForm) -> Task[Expression]:
    head = form.items[0]
    if isinstance(head, Number | Text | Truth | Nil | VectorForm):
        raise mistakes.not_callable(head.span, described(head))
    if head == Name("recur"):
        raise mistakes.recur(head.span)
    function, *arguments = yield expressions_of(form.items)
    return Call(function, tuple(arguments), form.span)


def _let(form: ListForm) -> Task[Expression]:
    if len(form.items) < 2 or not isinstance(form.items[1], VectorForm):
        raise mistakes.let_without_vector(_argument_or_head(form, 1))
    bound = yield bindings(form.items[1], "let", expression_of)
    return Let(bound, (yield _body(form, 2)), form.span)


def _body(form: ListForm, start: int) -> Task[tuple[Expression, ...]]:
    if len(form.items) <= start:
        raise mistakes.missing_body(form.span, _head(form))
    return expressions_of(form.items[start:])


def _if(form: ListForm) -> Task[Expression]:
    count = len(form.items) - 1
    if not 2 <= count <= 3:
        raise mistakes.if_arguments(_argument_or_head(form, 4), count)
    test, then, *otherwise = yield expressions_of(form.items[1:])
    return If(test, then, otherwise[0] if otherwise else None, form.span)


def _fn(form: ListForm) -> Task[Expression]:
    name = form.items[1] if len(form.items) > 1 else None
    if isinstance(name, Name):
        return (yield _function(form, 2, bound_name(name).id, form.span))  # type: ignore[no-any-return]
    return (yield _function(form, 1, None, form.span))  # type: ignore[no-any-return]


def _function(form: ListForm, start: int, name: str | None, span: Span) -> Task[Function]:
    vector = form.items[start] if len(form.items) > start else None
    if isinstance(vector, ListForm) and _is_clause(vector):
        raise mistakes.overloaded_function(vector.span, _head(form))
    if not isinstance(vector, VectorForm):
        raise mistakes.function_without_parameters(_argument_or_head(form, start), _head(form))
    bound = yield parameters(vector)
    return Function(bound, (yield _body(form, start + 1)), name, span)


def _is_clause(form: ListForm) -> bool:
    return bool(form.items) and isinstance(form.items[0], VectorForm)


def _def(form: ListForm) -> Task[Expression]:
    name = _defined(form)
    count = len(form.items) - 2
    if count != 1:
        raise mistakes.def_arguments(_argument_or_head(form, 3), count)
    return Define(name, (yield expression_of(form.items[2])), form.span)


def _defn(form: ListForm) -> Task[Expression]:
    name = _defined(form)
    documented = len(form.items) > 3 and isinstance(form.items[2], Text)
    function = yield _function(form, 3 if documented else 2, name.id, form.span)
    return Define(name, function, form.span)


def _defined(form: ListForm) -> Name:
    name = form.items[1] if len(form.items) > 1 else None
    if not isinstance(name, Name):
        raise mistakes.definition_without_name(_argument_or_head(form, 1), _head(form))
    return bound_name(name)


def _for(form: ListForm) -> Task[Expression]:
    head = _head(form)
    vector = form.items[1] if len(form.items) > 1 else None
    if not isinstance(vector, VectorForm) or not vector.items:
        raise mistakes.for_without_bindings(_argument_or_head(form, 1), head)
    bound = yield bindings(vector, head, expression_of)
    return For(bound, (yield _body(form, 2)), head == "for", form.span)


def _loop(form: ListForm) -> Task[Expression]:
    if len(form.items) > 1 and isinstance(form.items[1], VectorForm):
        raise mistakes.clojure_loop(form.items[1].span)
    if len(form.items) < 4:
        raise mistakes.loop_arguments(form.items[0].span, len(form.items) - 1)
    count, initial, step, *extra = yield expressions_of(form.items[1:])
    return Loop(count, initial, step, tuple(extra), form.span)


def _sample(form: ListForm) -> Task[Expression]:
    named = form.items[1] if len(form.items) == 3 else None
    if isinstance(named, Text):
        return Sample((yield expression_of(form.items[2])), named.value, form.span)
    if len(form.items) != 2:
        raise mistakes.sample_arguments(_argument_or_head(form, 2), len(form.items) - 1)
    return Sample((yield expression_of(form.items[1])), None, form.span)


def _observe(form: ListForm) -> Task[Expression]:
    if len(form.items) != 3:
        raise mistakes.observe_arguments(_argument_or_head(form, 3), len(form.items) - 1)
    distribution, value = yield expressions_of(form.items[1:])
    return Observe(distribution, value, form.span)


def _head(form: ListForm) -> str:
    head = form.items[0]
    return head.id if isinstance(head, Name) else ""


def _argument_or_head(form: ListForm, position: int) -> Span:
    """Where the caret points: at the argument in question, or at the head if there is none."""
    return form.items[position if position < len(form.items) else 0].span


SPECIAL_FORMS: dict[str, Callable[[ListForm], Task[Expression]]] = {
    "let": _let,
    "if": _if,
    "fn": _fn,
    "def": _def,
    "defn": _defn,
    "for": _for,
    "doseq": _for,
    "loop": _loop,
    "sample": _sample,
    "observe": _observe,
}
"""The words of the language; every other call is a `Call`."""
