"""Choices: `if`, `if-not`, `when`, `when-not`, `cond` and `case`."""

from __future__ import annotations

from lfppl.core.ast import Constant, Expression
from lfppl.core.desugar.comparisons import equal
from lfppl.core.desugar.context import Block, Context
from lfppl.core.desugar.decisions import Not, Test, choice, test_of
from lfppl.core.desugar.sugar import sugar
from lfppl.core.desugar.tails import is_zero
from lfppl.errors import language
from lfppl.source import Span
from lfppl.syntax import surface


def conditional(context: Context, form: surface.If) -> Expression:
    """`(if test then otherwise)`."""
    return _choose(context, form.test, form.then, form.otherwise, form.span)


def _choose(
    context: Context,
    test: surface.Expression,
    then: surface.Expression,
    otherwise: surface.Expression | None,
    span: Span,
    negated: bool = False,
) -> Expression:
    block = Block()
    read = test_of(context, block, test)
    taken = context.expression(then)
    other = context.expression(otherwise) if otherwise is not None else _missing(taken, span)
    return block.close(choice(Not(read) if negated else read, taken, other, span))


def _missing(taken: Expression, span: Span) -> Expression:
    """The value of a missing branch: nil, or 0 beside observes, whose value is 0."""
    return Constant(0.0 if is_zero(taken) else None, span)


def _if_not(context: Context, call: surface.Call) -> Expression:
    test, then, *rest = call.arguments
    return _choose(context, test, then, rest[0] if rest else None, call.span, negated=True)


def _when(context: Context, call: surface.Call) -> Expression:
    test, *body = call.arguments
    return _choose(context, test, surface.Let((), tuple(body), call.span), None, call.span)


def _when_not(context: Context, call: surface.Call) -> Expression:
    test, *body = call.arguments
    then = surface.Let((), tuple(body), call.span)
    return _choose(context, test, then, None, call.span, negated=True)


def _is_else(test: surface.Expression) -> bool:
    return test == surface.Truth(True) or (
        isinstance(test, surface.Name) and test.id in (":else", "else")
    )


def _cond(context: Context, call: surface.Call) -> Expression:
    if len(call.arguments) % 2:
        raise language.clauses_in_pairs(call.arguments[-1].span, "cond")
    clauses = list(zip(call.arguments[::2], call.arguments[1::2], strict=True))
    made: list[tuple[Block, Test | None, Expression, Span]] = []
    for test, value in clauses:
        block = Block()
        read = None if _is_else(test) else test_of(context, block, test)
        made.append((block, read, context.expression(value), test.span.to(value.span)))
    return _chain(made, call.span)


def _chain(clauses: list[tuple[Block, Test | None, Expression, Span]], span: Span) -> Expression:
    result: Expression | None = None
    for block, test, value, place in reversed(clauses):
        if test is None:
            result = value
            continue
        other = result if result is not None else _missing(value, span)
        result = block.close(choice(test, value, other, place))
    return result if result is not None else Constant(None, span)


def _case(context: Context, call: surface.Call) -> Expression:
    subject, *clauses = call.arguments
    if len(clauses) % 2 == 0:
        raise language.case_without_default(call.span)
    block = Block()
    value = context.share(block, "case", context.operand(subject), subject.span)
    made: list[tuple[Block, Test | None, Expression, Span]] = []
    for key, result in zip(clauses[:-1:2], clauses[1::2], strict=True):
        if not isinstance(key, surface.Number | surface.Truth):
            raise language.case_of_expression(key.span)
        test = equal(value, Constant(float(key.value), key.span), key.span)
        made.append((Block(), test, context.expression(result), key.span.to(result.span)))
    made.append((Block(), None, context.expression(clauses[-1]), call.span))
    return block.close(_chain(made, call.span))


SUGARS = {
    "if-not": sugar("(if-not test then otherwise?)", _if_not),
    "when": sugar("(when test e ...)", _when),
    "when-not": sugar("(when-not test e ...)", _when_not),
    "cond": sugar("(cond test value ... :else value)", _cond)._replace(least=2),
    "case": sugar("(case e constant value ... default)", _case)._replace(least=2),
}
