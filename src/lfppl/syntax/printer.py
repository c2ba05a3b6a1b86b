"""The surface program as text that reads back to the same program."""

from __future__ import annotations

import math
from typing import assert_never

from lfppl.syntax.descent import Task, all_of, perform
from lfppl.syntax.layout import Doc, Group, bracketed, parenthesised, render
from lfppl.syntax.surface import (
    Binding,
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
    Pattern,
    Program,
    Sample,
    Text,
    Truth,
    VectorLiteral,
)


def print_program(program: Program) -> str:
    """The text of a program, one top-level expression after another.

    >>> from lfppl.source import Source
    >>> from lfppl.syntax.parse import read_program
    >>> print_program(read_program(Source("m", "(let[x 1/2](+ x,x))")))
    '(let [x 0.5] (+ x x))\\n'
    """
    docs = perform(_docs(program.expressions))
    return "".join(render(doc) + "\n" for doc in docs)


def print_expression(expression: Expression) -> str:
    """The text of an expression."""
    return render(perform(_doc(expression)))


def print_number(value: float) -> str:
    """The shortest text that reads as a number.

    >>> [print_number(value) for value in (3.0, -0.5, 1e300, float("inf"))]
    ['3', '-0.5', '1e+300', '##Inf']
    """
    if math.isnan(value):
        return "##NaN"
    if math.isinf(value):
        return "##Inf" if value > 0 else "##-Inf"
    text = repr(float(value))
    return text.removesuffix(".0") if text != "-0.0" else text


_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"})


def print_string(value: str) -> str:
    r"""A string in quotes, with escapes.

    >>> print(print_string('a "b"'))
    "a \"b\""
    """
    return f'"{value.translate(_ESCAPES)}"'


def _docs(expressions: tuple[Expression, ...]) -> Task[tuple[Doc, ...]]:
    return all_of(_doc(expression) for expression in expressions)


def _doc(expression: Expression) -> Task[Doc]:
    match expression:
        case Number() | Text() | Truth() | Nil() | Name():
            return _atom(expression)
        case VectorLiteral(items):
            return bracketed((yield _docs(items)))
        case Let(bindings, body):
            return (yield _binder("let", bindings, body))  # type: ignore[no-any-return]
        case For(bindings, body, collect):
            head = "for" if collect else "doseq"
            return (yield _binder(head, bindings, body))  # type: ignore[no-any-return]
        case Function(_, _, name):
            heads = ["fn", name] if name else ["fn"]
            return (yield _function(heads, expression))  # type: ignore[no-any-return]
        case Define(Name(id), Function(name=name) as function) if name == id:
            return (yield _function(["defn", id], function))  # type: ignore[no-any-return]
        case Define(Name(id), value):
            return parenthesised(["def", id, (yield _doc(value))], "body", 2)
        case _:
            return (yield _application(expression))  # type: ignore[no-any-return]


def _application(expression: If | Loop | Sample | Observe | Call) -> Task[Doc]:
    match expression:
        case If(test, then, otherwise):
            branches = (then,) if otherwise is None else (then, otherwise)
            return parenthesised(["if", *(yield _docs((test, *branches)))])
        case Loop(count, initial, step, extra):
            return parenthesised(["loop", *(yield _docs((count, initial, step, *extra)))])
        case Sample(distribution, name):
            named = [] if name is None else [print_string(name)]
            return parenthesised(["sample", *named, (yield _doc(distribution))])
        case Observe(distribution, value):
            return parenthesised(["observe", *(yield _docs((distribution, value)))])
        case Call(function, arguments):
            items = yield _docs((function, *arguments))
            return parenthesised(items, "align" if isinstance(items[0], str) else "body")
    assert_never(expression)


def _atom(expression: Number | Text | Truth | Nil | Name) -> str:
    match expression:
        case Number(value):
            return print_number(value)
        case Text(text):
            return print_string(text)
        case Truth(truth):
            return "true" if truth else "false"
        case Nil():
            return "nil"
        case Name(id):
            return id


def _binder(head: str, bindings: tuple[Binding, ...], body: tuple[Expression, ...]) -> Task[Group]:
    pairs: list[Doc] = []
    for binding in bindings:
        pairs.append((yield _pattern(binding.pattern)))
        pairs.append((yield _doc(binding.value)))
    return parenthesised([head, bracketed(pairs, "pairs"), *(yield _docs(body))], "body", 2)


def _function(heads: list[str], function: Function) -> Task[Group]:
    parameters = yield all_of(_pattern(pattern) for pattern in function.parameters)
    items = [*heads, bracketed(parameters), *(yield _docs(function.body))]
    return parenthesised(items, "body", len(heads) + 1)


def _pattern(pattern: Pattern) -> Task[Doc]:
    if isinstance(pattern, Name):
        return pattern.id
    items = yield all_of(_pattern(item) for item in pattern.items)
    rest = [] if pattern.rest is None else ["&", pattern.rest.id]
    return bracketed([*items, *rest])
