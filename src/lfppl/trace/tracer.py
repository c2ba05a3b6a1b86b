"""Symbolic evaluation of Core (docs/decisions/0001): plates once, folds round by round."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from lfppl.core import ast
from lfppl.core.arrays import ARRAY_OPERATIONS
from lfppl.core.distributions import FAMILIES
from lfppl.errors import CompilerBug, shapes
from lfppl.source import Span
from lfppl.trace import arrays, elements, statements
from lfppl.trace.frame import Frame
from lfppl.trace.graph import Graph, Node
from lfppl.trace.limits import MAX_NODES, MAX_ROUNDS, MAX_ROWS
from lfppl.trace.parameters import check_parameter, check_together
from lfppl.trace.records import PredicateRecord, Trace
from lfppl.trace.values import Family, Items, Known, Value, batch, describe, is_vector


def trace(program: ast.Expression, data: Mapping[str, float | NDArray[np.float64]]) -> Trace:
    """Evaluate a Core program symbolically.

    >>> from lfppl.core.ast import Constant, Distribution, Sample
    >>> normal = Distribution("normal", (Constant(0.0), Constant(1.0)))
    >>> trace(Sample(normal, "x"), {}).samples[0].name
    'x'
    """
    return _Tracer(data).run(program)


class _Tracer:
    """The state of one evaluation; names in Core are unique, so one environment is enough."""

    def __init__(self, data: Mapping[str, float | NDArray[np.float64]]) -> None:
        self.graph = Graph()
        self.trace = Trace(self.graph)
        self.data = data
        self.environment: dict[str, Value] = {}
        self.seen: set[tuple[int, int]] = set()

    def run(self, program: ast.Expression) -> Trace:
        self.trace.returned = self.evaluate(program, Frame(self.graph.domains.root))
        return self.trace

    def evaluate(self, expression: ast.Expression, frame: Frame) -> Value:
        lets, body = ast.spine(expression)
        for let in lets:
            self.environment[let.name] = self.evaluate(let.value, frame)
        try:
            return _RULES[type(body)](self, body, frame)
        except elements.VaryingLength:
            raise shapes.varying_length(body.span) from None

    # --- one rule per form -----------------------------------------------------------------------

    def constant(self, e: ast.Constant, frame: Frame) -> Value:
        return None if e.value is None else self.graph.constant(float(e.value))

    def variable(self, e: ast.Variable, frame: Frame) -> Value:
        if e.name not in self.environment:
            self.environment[e.name] = self._datum(e.name)
        return self.environment[e.name]

    def operation(self, e: ast.Operation, frame: Frame) -> Value:
        values = [self.evaluate(argument, frame) for argument in e.arguments]
        before = len(self.graph.nodes)
        if e.name in ARRAY_OPERATIONS:
            spans = [argument.span for argument in e.arguments]
            name = written_name(e)
            operands = arrays.Operands(
                self.graph, name, values, spans, e.span, frame.domain, frame.active
            )
            value = arrays.OPERATIONS[e.name](operands)
        else:
            value = self._scalar_operation(e, values)
        self.trace.note_origins(before, e.span)
        return value

    def condition(self, e: ast.If, frame: Frame) -> Value:
        test = self.evaluate(e.test, frame)
        if not isinstance(test, Node):
            raise shapes.vector_predicate(e.test.span, describe(test))
        truth = self.graph.less(test, 0.0)
        self._record_predicate(e, truth, frame)
        then = self.evaluate(e.then, frame.branch(self.graph, truth))
        other = self.evaluate(e.otherwise, frame.branch(self.graph, self.graph.negation(truth)))
        return elements.select(self.graph, truth, then, other, e.span)

    def distribution(self, e: ast.Distribution, frame: Frame) -> Value:
        arguments = tuple(self.evaluate(argument, frame) for argument in e.arguments)
        spans = tuple(argument.span for argument in e.arguments)
        family = FAMILIES[e.name]
        for parameter, value, span in zip(family.parameters, arguments, spans, strict=True):
            check_parameter(self.graph, family, parameter, value, span, frame.domain, frame.active)
        if frame.active is None:
            check_together(self.graph, family, arguments, e.span)
        return Family(e.name, arguments, spans)

    def sample(self, e: ast.Sample, frame: Frame) -> Value:
        return statements.sample(self.trace, e, self.evaluate(e.distribution, frame), frame)

    def observe(self, e: ast.Observe, frame: Frame) -> Value:
        chosen = self.evaluate(e.distribution, frame)
        value = self.evaluate(e.value, frame)
        return statements.observe(self.trace, e, chosen, value, frame)

    def plate(self, e: ast.Plate, frame: Frame) -> Value:
        counts = self._counts(e.count, frame, form_name(e.span, "for"))
        rows = int(counts.sum())
        if rows > MAX_ROWS:
            raise shapes.too_many_rows(e.count.span, rows, MAX_ROWS)
        if not rows:
            return Items(())
        domain = self.graph.domains.child(frame.domain, counts)
        self.environment[e.index] = self.graph.table(domain, domain.index.astype(np.float64))
        body = self.evaluate(e.body, frame.enter(domain, e.index))
        arrays.check_size(body, domain, e.count.span)
        return batch(domain, body)

    def fold(self, e: ast.Fold, frame: Frame) -> Value:
        counts = self._counts(e.count, frame, form_name(e.span, "loop"))
        if (counts != counts[0]).any():
            raise shapes.varying_count(e.count.span)
        if counts[0] > MAX_ROUNDS:
            raise shapes.too_many_rounds(e.count.span, int(counts[0]), MAX_ROUNDS)
        value = self.evaluate(e.initial, frame)
        for i in range(int(counts[0])):
            self.environment[e.index] = self.graph.constant(i)
            self.environment[e.accumulator] = value
            value = self.evaluate(e.body, frame.round(e.index, i))
            if len(self.graph.nodes) > MAX_NODES:
                raise shapes.program_too_large(e.span, MAX_NODES)
        return value

    # --- parts of the rules ----------------------------------------------------------------------

    def _datum(self, name: str) -> Value:
        if name not in self.data:
            raise CompilerBug(f"{name} is bound nowhere")
        value = np.asarray(self.data[name], dtype=np.float64)
        if value.ndim == 0:
            return self.graph.constant(float(value))
        return Known(self.graph.domains.root, value[None])

    def _scalar_operation(self, e: ast.Operation, values: Sequence[Value]) -> Value:
        for value, argument in zip(values, e.arguments, strict=True):
            if not isinstance(value, Node) and not is_vector(value):
                raise shapes.expected_number(
                    argument.span, f"the argument of `{e.name}`", describe(value)
                )
        name = "neg" if e.name == "-" and len(values) == 1 else _GRAPH_NAMES.get(e.name, e.name)
        return self._elementwise(lambda *parts: self.graph.apply(name, *parts), values, e.span)

    def _elementwise(
        self, function: Callable[..., Node], values: Sequence[Value], span: Span
    ) -> Value:
        if not any(is_vector(value) for value in values):
            return function(*values)
        return elements.zip_values(
            self.graph, lambda *parts: self._elementwise(function, parts, span), values, span
        )

    def _record_predicate(self, e: ast.If, truth: Node, frame: Frame) -> None:
        self.trace.branches[e.site] = e.test.span
        if not truth.is_static and (e.site, truth.number) not in self.seen:
            self.seen.add((e.site, truth.number))
            record = PredicateRecord(e.site, truth, frame.indices, e.test.span)
            self.trace.predicates.append(record)

    def _counts(self, e: ast.Expression, frame: Frame, form: str) -> NDArray[np.int64]:
        count = self.evaluate(e, frame)
        if not isinstance(count, Node):
            raise shapes.expected_number(e.span, f"the count of `{form}`", describe(count))
        if not count.is_static:
            raise shapes.latent_count(e.span, form)
        rows = np.broadcast_to(self.graph.lift_to(count, frame.domain).payload, frame.domain.rows)
        wrong = (rows < 0) | (rows != np.floor(rows)) | ~np.isfinite(rows)
        if wrong.any():
            raise shapes.fractional_count(e.span, form, float(rows[wrong][0]))
        return rows.astype(np.int64)


def form_name(span: Span, otherwise: str) -> str:
    """The form that a person wrote at a span: `loop` for `(loop 10 ...)`."""
    words = span.text[1:].split(maxsplit=1)
    return words[0] if span.text.startswith("(") and words and words[0].isascii() else otherwise


def written_name(e: ast.Operation) -> str:
    """The operation as a person called it: `conj`, which is `concat` in Core.

    An operation that stands for a form with another head keeps its own name.
    """
    return form_name(e.span, e.name)


_GRAPH_NAMES = {"<": "less"}

_RULES: dict[type, Callable[..., Value]] = {
    ast.Constant: _Tracer.constant,
    ast.Variable: _Tracer.variable,
    ast.Operation: _Tracer.operation,
    ast.If: _Tracer.condition,
    ast.Distribution: _Tracer.distribution,
    ast.Sample: _Tracer.sample,
    ast.Observe: _Tracer.observe,
    ast.Plate: _Tracer.plate,
    ast.Fold: _Tracer.fold,
}
