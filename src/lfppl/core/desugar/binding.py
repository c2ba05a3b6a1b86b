"""Binding names: `let`, `do`, definitions, and destructuring by position."""

from __future__ import annotations

from lfppl.core.ast import Constant, Expression, Operation, Variable
from lfppl.core.desugar.context import Block, Context, Meaning, Value, is_atom
from lfppl.core.desugar.kinds import Kind
from lfppl.core.desugar.meanings import meaning_of
from lfppl.core.desugar.sugar import sugar
from lfppl.core.distributions import FAMILIES
from lfppl.errors import language
from lfppl.source import NOWHERE, Span
from lfppl.syntax import surface


def let(context: Context, form: surface.Let) -> Expression:
    """`(let [p e ...] body ...)`, looping over lets in tail position."""
    block, nested = Block(), form
    with context.scope():
        while True:
            for binding in nested.bindings:
                _bind(context, block, binding.pattern, binding.value, _place(binding, nested))
            result = _body(context, block, nested)
            if not isinstance(result, surface.Let):
                return block.close(result)
            nested = result


def sequence(
    context: Context, block: Block, body: tuple[surface.Expression, ...], span: Span
) -> Expression:
    """The value of the last expression, the others bound in the block; definitions bind names."""
    result = _body(context, block, surface.Let((), body, span))
    return let(context, result) if isinstance(result, surface.Let) else result


def _body(context: Context, block: Block, form: surface.Let) -> Expression | surface.Let:
    if not form.body:
        return Constant(None, form.span)
    for statement in form.body[:-1]:
        _statement(context, block, statement)
    last = form.body[-1]
    if isinstance(last, surface.Let):
        return last
    return (
        _define(context, block, last)
        if isinstance(last, surface.Define)
        else context.expression(last)
    )


def _statement(context: Context, block: Block, statement: surface.Expression) -> None:
    if isinstance(statement, surface.Define):
        _define(context, block, statement)
    else:
        core = context.expression(statement)
        if context.kind(core) is Kind.DISTRIBUTION:
            raise language.unused_distribution(statement.span)
        context.let(block, "_", context.statement(core), statement.span)


def _define(context: Context, block: Block, form: surface.Define) -> Expression:
    _bind(context, block, form.name, form.value, form.span)
    meaning = context.names[form.name.id]
    return meaning.core if isinstance(meaning, Value) else Constant(None, form.span)


def _place(binding: surface.Binding, form: surface.Let) -> Span:
    return form.span if binding.span is NOWHERE else binding.span


def _bind(
    context: Context, block: Block, pattern: surface.Pattern, value: surface.Expression, span: Span
) -> None:
    items = _literal_items(context, value)
    if isinstance(pattern, surface.VectorPattern) and items is not None and pattern.rest is None:
        if len(items) != len(pattern.items):
            raise language.wrong_pattern_length(pattern.span, len(pattern.items), len(items))
        meanings = [
            meaning_of(context, item, leaf_name(part, ""))
            for part, item in zip(pattern.items, items, strict=True)
        ]
        for part, meaning in zip(pattern.items, meanings, strict=True):
            bind(context, block, part, meaning, span)
        return
    name = pattern.id if isinstance(pattern, surface.Name) else ""
    bind(context, block, pattern, meaning_of(context, value, name), span)


def _literal_items(
    context: Context, value: surface.Expression
) -> tuple[surface.Expression, ...] | None:
    if isinstance(value, surface.VectorLiteral):
        return value.items
    if isinstance(value, surface.Call) and context.builtin_head(value.function) == "vector":
        return value.arguments
    return None


def bind(
    context: Context,
    block: Block,
    pattern: surface.Pattern,
    meaning: Meaning,
    span: Span,
    alias: bool = False,
) -> None:
    """Bind the names of a pattern; with `alias`, a name or constant needs no `let` of its own."""
    if isinstance(pattern, surface.VectorPattern):
        _destructure(context, block, pattern, meaning, span)
    elif isinstance(meaning, Value) and not (alias and is_atom(meaning.core)):
        context.names[pattern.id] = Value(context.let(block, pattern.id, meaning.core, span))
    else:
        context.names[pattern.id] = meaning


def _destructure(
    context: Context, block: Block, pattern: surface.VectorPattern, meaning: Meaning, span: Span
) -> None:
    if not isinstance(meaning, Value):
        raise language.function_destructured(pattern.span)
    vector = context.named(block, leaf_name(pattern, "elements"), meaning.core, span)
    for position, part in enumerate(pattern.items):
        element = Operation("get", (vector, Constant(float(position), part.span)), part.span)
        bind(context, block, part, Value(element), span)
    if pattern.rest is not None:
        first = Constant(float(len(pattern.items)))
        stop = Operation("count", (vector,), pattern.span)
        rest = Operation("subvec", (vector, first, stop), pattern.rest.span)
        bind(context, block, pattern.rest, Value(rest), span)


def leaf_name(pattern: surface.Pattern, otherwise: str) -> str:
    """A name for a whole pattern: `a_b` for `[a b]`."""
    if isinstance(pattern, surface.Name):
        return pattern.id
    parts = [*pattern.items, *([pattern.rest] if pattern.rest else [])]
    names = [part.id for part in parts if isinstance(part, surface.Name) and part.id != "_"]
    return "_".join(names[:3]) or otherwise


def _do(context: Context, call: surface.Call) -> Expression:
    return let(context, surface.Let((), call.arguments, call.span))


def define(context: Context, form: surface.Define) -> Expression:
    """A definition where a value is expected: the value defined."""
    return let(context, surface.Let((), (form,), form.span))


def name(context: Context, form: surface.Name) -> Expression:
    """A symbol where a value is expected."""
    match context.resolve(form.id):
        case Value(Variable(binder)):
            return Variable(binder, form.span)
        case Value(core):
            return core
        case None:
            raise language.unknown_name(form.span, form.id, context.bound())
    if form.id == "factor":
        raise language.factor_outside_observe(form.span)
    if form.id in FAMILIES:
        parameters = [parameter.name for parameter in FAMILIES[form.id].parameters]
        raise language.distribution_as_function(form.span, form.id, parameters)
    raise language.function_as_value(form.span, form.id)


SUGARS = {"do": sugar("(do e ...)", _do)._replace(least=0)}
