"""Symbolic evaluation of Core (docs/decisions/trace.md): plates once, folds round by round."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lfppl.core import ast
from lfppl.core.arrays import ARRAY_OPERATIONS
from lfppl.core.distributions import FAMILIES
from lfppl.core.distributions.contract import DistributionFamily
from lfppl.errors import CompilerBug, shapes
from lfppl.source import Span
from lfppl.trace import arrays, elements
from lfppl.trace.domains import Domain
from lfppl.trace.graph import Graph, Node
from lfppl.trace.parameters import check_lengths, check_parameter, check_together, expected_rank
from lfppl.trace.records import (
    FactorRecord,
    JumpRecord,
    LoopIndex,
    PredicateRecord,
    RestrictedRecord,
    SampleBlock,
    Trace,
)
from lfppl.trace.values import (
    Argument,
    Choice,
    Family,
    Items,
    Known,
    Value,
    batch,
    describe,
    is_vector,
    rank,
)

MAX_ROUNDS = 1_000_000
MAX_ROWS = 20_000_000
MAX_NODES = 8_000_000


@dataclass(frozen=True)
class Frame:
    """Where evaluation stands: the rows, the loops around, and the condition of the branch.

    `active` marks the rows not known to lie in a branch not taken; None where all are.
    """

    domain: Domain
    loops: tuple[tuple[str, LoopIndex], ...] = ()
    guard: Node | None = None
    active: NDArray[np.bool_] | None = None

    @property
    def indices(self) -> tuple[LoopIndex, ...]:
        """The indices of the loops around, from the outside."""
        return tuple(index for _, index in self.loops)

    def index(self, part: int | str) -> LoopIndex:
        """What a part of a variable's name stands for here."""
        return part if isinstance(part, int) else dict(self.loops)[part]


def trace(program: ast.Expression, data: Mapping[str, float | NDArray[np.float64]]) -> Trace:
    """Evaluate a Core program symbolically.

    >>> from lfppl.core.ast import Constant, Distribution, Sample
    >>> normal = Distribution("normal", (Constant(0.0), Constant(1.0)))
    >>> trace(Sample(normal, "x"), {}).samples[0].name
    'x'
    """
    return _Tracer(data).run(program)


class _Tracer:
    """The state of one evaluation."""

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
        value: Value = _RULES[type(body)](self, body, frame)
        return value

    # --- one rule per form -----------------------------------------------------------------------

    def constant(self, e: ast.Constant, frame: Frame) -> Value:
        return None if e.value is None else self.graph.constant(float(e.value))

    def variable(self, e: ast.Variable, frame: Frame) -> Value:
        if e.name not in self.environment:
            self.environment[e.name] = self._datum(e.name)
        return self.environment[e.name]

    def _datum(self, name: str) -> Value:
        if name not in self.data:
            raise CompilerBug(f"{name} is bound nowhere")
        self.trace.read.add(name)
        value = np.asarray(self.data[name], dtype=np.float64)
        if value.ndim == 0:
            return self.graph.constant(float(value))
        return Known(self.graph.domains.root, value[None])

    def operation(self, e: ast.Operation, frame: Frame) -> Value:
        values = [self.evaluate(argument, frame) for argument in e.arguments]
        if e.name in ARRAY_OPERATIONS:
            spans = [argument.span for argument in e.arguments]
            operands = arrays.Operands(
                self.graph, written_name(e), values, spans, e.span, frame.domain, frame.active
            )
            self._note_latent_index(e, values)
            return arrays.OPERATIONS[e.name](operands)
        return self._scalar_operation(e, values)

    def _note_latent_index(self, e: ast.Operation, values: Sequence[Value]) -> None:
        index = values[1] if e.name == "get" else None
        if isinstance(index, Node) and not index.is_static:
            self.trace.jumps.append(JumpRecord(index, e.span, "an index is taken from it"))

    def _scalar_operation(self, e: ast.Operation, values: Sequence[Value]) -> Value:
        for value, argument in zip(values, e.arguments, strict=True):
            if not isinstance(value, Node) and not is_vector(value):
                raise shapes.expected_number(
                    argument.span, f"the argument of `{e.name}`", describe(value)
                )
        name = "neg" if e.name == "-" and len(values) == 1 else _GRAPH_NAMES.get(e.name, e.name)

        def apply(*parts: Node) -> Node:
            node = self.graph.apply(name, *parts)
            self._note_operation(name, node, parts, e.span)
            return node

        return self._elementwise(apply, values, e.span)

    def _note_operation(self, name: str, node: Node, parts: tuple[Node, ...], span: Span) -> None:
        if node.is_static:
            return
        if name in _JUMPS:
            self.trace.jumps.append(JumpRecord(node, span, _JUMPS[name]))
        if name in RESTRICTED:
            self.trace.restricted.append(RestrictedRecord(name, parts[0], span))

    def _elementwise(
        self, function: Callable[..., Node], values: Sequence[Value], span: Span
    ) -> Value:
        if not any(is_vector(value) for value in values):
            return function(*values)
        return elements.zip_values(
            self.graph, lambda *parts: self._elementwise(function, parts, span), values, span
        )

    def condition(self, e: ast.If, frame: Frame) -> Value:
        test = self.evaluate(e.test, frame)
        if not isinstance(test, Node):
            raise shapes.vector_predicate(e.test.span, describe(test))
        truth = self.graph.less(test, 0.0)
        self._record_predicate(e, truth, frame)
        then = self.evaluate(e.then, self._branch(frame, truth))
        otherwise = self.evaluate(e.otherwise, self._branch(frame, self.graph.negation(truth)))
        return elements.select(self.graph, truth, then, otherwise, e.span)

    def _record_predicate(self, e: ast.If, truth: Node, frame: Frame) -> None:
        self.trace.branches[e.site] = e.test.span
        if not truth.is_static and (e.site, truth.number) not in self.seen:
            self.seen.add((e.site, truth.number))
            record = PredicateRecord(e.site, truth, frame.indices, e.test.span)
            self.trace.predicates.append(record)

    def _branch(self, frame: Frame, truth: Node) -> Frame:
        guard = truth if frame.guard is None else self.graph.both(frame.guard, truth)
        if not truth.is_static:
            return replace(frame, guard=guard)
        holds = np.broadcast_to(self.graph.lift_to(truth, frame.domain).payload, frame.domain.rows)
        active = holds != 0 if frame.active is None else frame.active & (holds != 0)
        return replace(frame, guard=guard, active=active)

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
        chosen = self.evaluate(e.distribution, frame)
        if isinstance(chosen, Choice):
            names = [family.name for _, family in chosen.cases]
            raise shapes.mixed_families(e.distribution.span, names[0], names[-1])
        if not isinstance(chosen, Family):
            raise shapes.expected_distribution(e.distribution.span, "sample", describe(chosen))
        indices = tuple(frame.index(part) for part in e.indices)
        return self._sample_rows(e, chosen, frame, indices)

    def _sample_rows(
        self, e: ast.Sample, chosen: Family, frame: Frame, indices: tuple[LoopIndex, ...]
    ) -> Value:
        """One variable per row, or per element where parameters are vectors of what is expected."""
        family = FAMILIES[chosen.name]
        excess = _excess(family, chosen.arguments)
        if not any(excess):
            check_lengths(self.graph, family, chosen.arguments, chosen.spans)
            return self._new_block(e, family, chosen, frame, indices)

        def one(inner: Frame, index: LoopIndex, *arguments: Value) -> Value:
            part = replace(chosen, arguments=arguments)
            return self._sample_rows(e, part, inner, (*indices, index))

        return self._over_elements(one, chosen.arguments, excess, frame, e.span)

    def _new_block(
        self,
        e: ast.Sample,
        family: DistributionFamily,
        chosen: Family,
        frame: Frame,
        indices: tuple[LoopIndex, ...],
    ) -> Value:
        domain, parts = frame.domain, 1
        if family.is_vector:
            parts = _vector_length(self.graph, chosen)
            domain = self.graph.domains.repeated(domain, parts)
        number = len(self.trace.samples)
        leaf = self.graph.coordinate(domain, number)
        arguments = self._arguments(chosen)
        block = SampleBlock(
            number, e.site, e.name, indices, frame.domain, family, arguments, leaf, parts, e.span
        )
        self.trace.samples.append(block)
        value: Value = self.graph.floor(leaf) if family.is_discrete else leaf
        if family.is_vector:
            value = batch(domain, leaf)
        self._add_factor("sample", e.site, chosen, value, replace(frame, guard=None), e.span, block)
        return value

    def observe(self, e: ast.Observe, frame: Frame) -> Value:
        chosen = self.evaluate(e.distribution, frame)
        value = self.evaluate(e.value, frame)
        if isinstance(chosen, Family):
            self._observe_rows(e, chosen, value, frame)
        elif isinstance(chosen, Choice):
            for condition, family in chosen.cases:
                self._observe_rows(e, family, value, self._branch(frame, condition))
        else:
            raise shapes.expected_distribution(e.distribution.span, "observe", describe(chosen))
        return self.graph.constant(0.0)

    def _observe_rows(self, e: ast.Observe, chosen: Family, value: Value, frame: Frame) -> None:
        family = FAMILIES[chosen.name]
        if chosen.name == "factor":
            value = self.graph.constant(0.0)
        excess = [*_excess(family, chosen.arguments), rank(value) > int(family.is_vector)]
        if family.is_vector and rank(value) == 0:
            raise shapes.expected_vector(
                e.value.span, f"a value of `{chosen.name}`", describe(value)
            )
        if not any(excess):
            spans = chosen.spans
            check_lengths(self.graph, family, chosen.arguments, spans, value, e.value.span)
            if not family.is_vector and not isinstance(value, Node):
                raise shapes.expected_number(e.value.span, "an observed value", describe(value))
            self._add_factor("observe", e.site, chosen, value, frame, e.span, None)
            return

        def one(inner: Frame, index: LoopIndex, *parts: Value) -> Value:
            self._observe_rows(e, replace(chosen, arguments=parts[:-1]), parts[-1], inner)
            return self.graph.constant(0.0)

        self._over_elements(one, (*chosen.arguments, value), excess, frame, e.span)

    def _over_elements(
        self,
        function: Callable[..., Value],
        values: Sequence[Value],
        excess: Sequence[bool],
        frame: Frame,
        span: Span,
    ) -> Value:
        """Apply a function once for all elements of the vectors marked in `excess`."""
        values = [
            elements.as_batch(self.graph, v) if many else v
            for v, many in zip(values, excess, strict=True)
        ]
        vectors = [v for v, many in zip(values, excess, strict=True) if many]
        counts = [elements.counts_of(self.graph, v, frame.domain) for v in vectors]
        for other in counts[1:]:
            if not np.array_equal(counts[0], other):
                raise shapes.lengths_differ(span, int(counts[0][0]), int(other[0]))
        if any(isinstance(v, Items) for v in vectors):
            return self._over_items(function, values, excess, frame, int(counts[0][0]))
        domain = self.graph.domains.child(frame.domain, counts[0])
        inner = self._enter(frame, domain, "")
        parts = [
            elements.element_over(self.graph, v, domain) if many else v
            for v, many in zip(values, excess, strict=True)
        ]
        return batch(domain, function(inner, domain, *parts))

    def _over_items(
        self,
        function: Callable[..., Value],
        values: Sequence[Value],
        excess: Sequence[bool],
        frame: Frame,
        count: int,
    ) -> Value:
        results = []
        for i in range(count):
            parts = [
                elements.at(self.graph, v, self.graph.constant(i)) if many else v
                for v, many in zip(values, excess, strict=True)
            ]
            inner = replace(frame, loops=(*frame.loops, ("", i)))
            results.append(function(inner, i, *parts))
        return elements.vector(self.graph, results)

    def _add_factor(
        self,
        kind: str,
        site: int,
        chosen: Family,
        value: Value,
        frame: Frame,
        span: Span,
        block: SampleBlock | None,
    ) -> None:
        if frame.guard is not None and frame.guard.operation == "constant":
            if frame.guard.payload == 0:
                return
            frame = replace(frame, guard=None)
        record = FactorRecord(
            kind,
            site,
            FAMILIES[chosen.name],
            elements.as_argument(self.graph, value),
            self._arguments(chosen),
            chosen.spans,
            frame.guard,
            frame.domain,
            frame.indices,
            span,
            block,
        )
        self.trace.factors.append(record)
        if len(self.graph.nodes) > MAX_NODES:
            raise shapes.program_too_large(span, MAX_NODES)

    def _arguments(self, chosen: Family) -> tuple[Argument, ...]:
        return tuple(elements.as_argument(self.graph, value) for value in chosen.arguments)

    def plate(self, e: ast.Plate, frame: Frame) -> Value:
        counts = self._counts(e.count, frame, form_name(e.span, "for"))
        rows = int(counts.sum())
        if rows > MAX_ROWS:
            raise shapes.too_many_rows(e.count.span, rows, MAX_ROWS)
        if not rows:
            return Items(())
        domain = self.graph.domains.child(frame.domain, counts)
        self.environment[e.index] = self.graph.table(domain, domain.index.astype(np.float64))
        body = self.evaluate(e.body, self._enter(frame, domain, e.index))
        return batch(domain, body)

    def _enter(self, frame: Frame, domain: Domain, name: str) -> Frame:
        active = None if frame.active is None else frame.active[domain.parent_row]
        return Frame(domain, (*frame.loops, (name, domain)), frame.guard, active)

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
            value = self.evaluate(e.body, replace(frame, loops=(*frame.loops, (e.index, i))))
            if len(self.graph.nodes) > MAX_NODES:
                raise shapes.program_too_large(e.span, MAX_NODES)
        return value

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


def _excess(family: DistributionFamily, arguments: Sequence[Value]) -> list[bool]:
    """For each parameter, whether it has more dimensions than the family takes."""
    pairs = zip(family.parameters, arguments, strict=True)
    return [rank(argument) > expected_rank(parameter) for parameter, argument in pairs]


def _vector_length(graph: Graph, chosen: Family) -> int:
    return int(elements.length(graph, chosen.arguments[0]).static_rows()[0])


_GRAPH_NAMES = {"<": "less"}
_JUMPS = {"less": "a comparison is used as a number here", "floor": "`floor` jumps here"}
RESTRICTED = ("log", "sqrt", "log1p", "pow")
"""Operations that are not defined for all numbers."""

_RULES: dict[type, Any] = {
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
